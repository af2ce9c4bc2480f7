"""The command `biritch-server`, also where only the client is installed: there it says what a server needs."""

import sys

MISSING = (
    "a server needs more packages than the client, {name} for one: install biritch[server],"
    " or in a clone run `python3 tools/setup.py server`."
)


def main() -> None:
    """Serve; or end with status 1 and a sentence if the packages of the extra `server` are not there."""
    try:
        from server.main import main as serve
    except ModuleNotFoundError as error:
        sys.exit(f"biritch-server: {MISSING.format(name=error.name)}")
    serve()
