"""What can be wrong with a frame or a command before anybody looks at a table.

ProtocolError             bytes that are no message: the connection is closed
BadCommand                a message that is no proper command: it is rejected, the connection stays
"""


class ProtocolError(Exception):
    """Bytes that do not decode; the sentence says why."""


class BadCommand(Exception):
    """A map that is no proper command: `id` is the command's if it has one, else 0."""

    def __init__(self, id: int, code: str, message: str) -> None:
        super().__init__(message)
        self.id = id
        self.code = code
        self.message = message
