"""What `biritch doctor` finds, one line each."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was looked at: all right, worth knowing, or wrong; `advice` says what to do, if anything."""

    subject: str
    verdict: Literal["ok", "note", "wrong"]
    words: str
    advice: str = ""
