"""The settings of whoever runs the tests are not theirs."""

import os

import pytest


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the file of settings be an empty one, and nothing be set in the environment."""
    for name in [name for name in os.environ if name.startswith("BIRITCH_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BIRITCH_CONFIG", os.devnull)
