"""Refusals of the rules core.

RuleError                 anything the laws refuse, with a stable code and a sentence for people
├── IllegalAction         a call or card that may not be made now; nothing has changed
├── BadOption             an unknown option, a value outside its list, or values that contradict each other
└── BadRecord             a deal record that cannot be replayed; says at which action (`rules.record`)
"""


class RuleError(Exception):
    """Refuse something by the laws: `code` is stable, `message` is a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class IllegalAction(RuleError):
    """Refuse an action of the seat to act, changing nothing."""


class BadOption(RuleError):
    """Refuse options of a game; the sentence lists what is allowed."""


class BadRecord(RuleError):
    """Refuse a deal record. `list` is one of its lists, `index` a place in it; both are None for the record itself."""

    def __init__(self, code: str, message: str, list_: str | None = None, index: int | None = None) -> None:
        super().__init__(code, message)
        self.list = list_
        self.index = index
