"""House rules as data: what each option is called, what it may be, and what it changes."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.errors import BadOption
from rules.quotation import quoted

Value = str | int | bool
Options = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: its values with the default first, and a sentence for people.

    `record_only` holds values that a deal record may carry but no table offers. `numbers`, where there is one, makes
    every number in it a value too.
    """

    name: str
    values: tuple[Value, ...]
    words: str
    record_only: tuple[Value, ...] = ()
    numbers: range | None = None

    @property
    def default(self) -> Value:
        return self.values[0]

    def offers(self, value: object) -> bool:
        """Say whether this is a value of the option. 1 is not true: a count is no switch."""
        if any(type(value) is type(own) and value == own for own in self.values):
            return True
        return self.numbers is not None and type(value) is int and value in self.numbers

    def allowed(self, *, at_table: bool = False) -> str:
        """List the values in words."""
        texts = [value_text(value) for value in self.values if not (at_table and value in self.record_only)]
        if self.numbers is not None:
            texts.append(f"any number from {self.numbers[0]} to {self.numbers[-1]}")
        return ", ".join(texts)


def read_options(known: Iterable[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Return a value for every known option, the default where none is given. Raises BadOption."""
    specs = {option.name: option for option in known}
    for name in given:
        if name not in specs:
            raise BadOption("options.unknown", f"There is no option {name!r}. The options are: {', '.join(specs)}.")
    return {name: _read(option, given.get(name, option.default)) for name, option in specs.items()}


def _read(option: Option, given: object) -> Value:
    if isinstance(given, str | int | bool) and option.offers(given):
        return given
    raise BadOption(
        "options.bad_value", f"The option {option.name!r} cannot be {quoted(given)}. It can be: {option.allowed()}."
    )


def refuse_record_only(known: Iterable[Option], options: Options) -> None:
    """Refuse the values that only a record may carry. Raises BadOption."""
    for option in known:
        value = options[option.name]
        if value in option.record_only:
            raise BadOption(
                "options.not_at_tables",
                f"The option {option.name!r} cannot be {value_text(value)!r} at a table yet. "
                f"It can be: {option.allowed(at_table=True)}.",
            )


def differing(known: Iterable[Option], options: Options) -> dict[str, Value]:
    """Return the options that are not at their default, as a record lists them."""
    return {option.name: options[option.name] for option in known if options[option.name] != option.default}


def value_text(value: Value) -> str:
    """Write a value as people type it: `true` and `false` for switches."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_value(option: Option, text: str) -> Value:
    """Read what a person typed as a value of an option. Raises BadOption."""
    for value in option.values:
        if value_text(value) == text:
            return value
    return _read(option, int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text)
