"""A value that somebody has given, as a sentence quotes it."""

import json


def quoted(value: object) -> str:
    """Write a value as JSON, the form in which it came: `"4"`, `null`, `false`, `{"NS": 8}`."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "something nested deeply"
