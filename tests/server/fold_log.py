"""Fold the log that comes on standard input and print the digest of the table: another process, for the tests."""

import base64
import sys

from server.store import StoredEntry
from tests.server.rig import digest, refold

if __name__ == "__main__":
    parts = [line.split() for line in sys.stdin]
    log = [StoredEntry(int(number), id, float(time), base64.b64decode(data)) for number, id, time, data in parts]
    print(digest(refold("t", log)))
