"""`tools/setup.py`: when an environment is right, when it grows and when it is made anew."""

from pathlib import Path

import pytest

from tools import setup


class Workshop(setup.Environment):
    """An environment whose steps are only noted down."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.steps: list[str] = []
        self.broken = False

    def _create(self) -> None:
        self.steps.append("create")
        self.python.parent.mkdir(parents=True, exist_ok=True)
        self.python.touch()

    def _install(self, name: str) -> None:
        self.steps.append(f"install {name}")
        if self.broken:
            raise setup.SetupError("no network")

    def done_for(self, name: str) -> list[str]:
        self.steps.clear()
        self.ensure(name)
        return list(self.steps)


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    (tmp_path / "locks").mkdir()
    for name in ("locks/base.txt", "locks/server.txt", "locks/dev.txt", "pyproject.toml"):
        (tmp_path / name).write_text(name)
    return Workshop(tmp_path)


def test_a_second_run_does_nothing(workshop: Workshop) -> None:
    assert workshop.done_for("server") == ["create", "install server"]
    assert workshop.done_for("server") == []


def test_play_then_test_grows_and_then_both_are_satisfied(workshop: Workshop) -> None:
    workshop.ensure("server")
    assert workshop.done_for("dev") == ["install dev"]
    assert workshop.done_for("server") == workshop.done_for("dev") == []


def test_test_then_play_needs_nothing_more(workshop: Workshop) -> None:
    workshop.ensure("dev")
    assert workshop.done_for("server") == workshop.done_for("base") == []


@pytest.mark.parametrize("name", ["locks/server.txt", "pyproject.toml"])
def test_a_changed_file_makes_it_anew(workshop: Workshop, name: str) -> None:
    workshop.ensure("server")
    (workshop.root / name).write_text("changed")
    assert workshop.done_for("server") == ["create", "install server"]


def test_another_lock_changed_is_no_matter(workshop: Workshop) -> None:
    workshop.ensure("server")
    (workshop.root / "locks" / "dev.txt").write_text("changed")
    assert workshop.done_for("server") == []


def test_another_interpreter_makes_it_anew(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.ensure("server")
    monkeypatch.setattr("sys.base_prefix", "/elsewhere")
    assert workshop.done_for("server") == ["create", "install server"]


def test_a_moved_checkout_makes_it_anew(workshop: Workshop, tmp_path: Path) -> None:
    workshop.ensure("server")
    moved = Workshop(tmp_path.rename(tmp_path.with_name("moved")))
    assert moved.done_for("server") == ["create", "install server"]


@pytest.mark.parametrize("have", [None, "server"])
def test_an_interrupted_run_leaves_nothing_that_passes_for_whole(workshop: Workshop, have: str | None) -> None:
    if have:
        workshop.ensure(have)
    workshop.broken = True
    with pytest.raises(setup.SetupError):
        workshop.ensure("dev")
    workshop.broken = False
    assert workshop.made_from() is None
    assert workshop.done_for("server") == ["create", "install server"]


def test_a_vanished_interpreter_makes_it_anew(workshop: Workshop) -> None:
    workshop.ensure("server")
    workshop.python.unlink()
    assert workshop.done_for("server") == ["create", "install server"]


@pytest.mark.parametrize("arguments", [[], ["all"], ["dev", "server"]])
def test_wrong_usage_is_refused_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert setup.main(arguments) == 2
    assert capsys.readouterr().err == "biritch: usage: python3 tools/setup.py base|server|dev\n"


def test_pip_is_kept_from_installing_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    monkeypatch.setenv("PIP_USER", "1")
    monkeypatch.setenv("PIP_PROXY", "proxy:1")
    found = setup.pip_environment()
    assert "PIP_TARGET" not in found
    assert (found["PIP_USER"], found["PIP_PROXY"]) == ("0", "proxy:1")
