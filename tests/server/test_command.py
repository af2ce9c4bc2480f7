"""The command of the server where only the client's packages are installed."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

WITHOUT = "import sys; sys.modules['prometheus_client'] = None; from server.command import main; main()"


def test_missing_packages_are_a_sentence() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("biritch-server: a server needs more packages than the client, prometheus_client")
    assert done.stderr.count("\n") == 1
