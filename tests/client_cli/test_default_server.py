"""Which server a command goes to that names none."""

from pathlib import Path

import pytest

from tests.client_cli.test_pipes import Client, client, url

__all__ = ["client", "url"]  # fixtures

NOWHERE = "ws://127.0.0.1:9/"


@pytest.mark.parametrize("arguments", [("create", "vint"), ("join",), ("tables",), ("seat", "code")], ids=" ".join)
async def test_none_is_known(client: Client, arguments: tuple[str, ...]) -> None:
    status, output = await client.run("", *arguments)
    assert status == 2 and "Name a server: none has been used yet" in output


async def test_the_one_used_last(client: Client, url: str) -> None:
    await client.run("", "tables", NOWHERE)
    assert (await client.run("", "tables", url))[0] == 0
    status, output = await client.run("sit S\n", "create", "vint", "--name", "Ann")
    assert status == 0 and "Ann sits down at S" in output
    status, output = await client.run("who\n", "join")
    assert status == 0 and "S  Ann (you)" in output
    assert "Vint" in (await client.run("", "tables"))[1]
    status, output = await client.run("", "tables", "--profile", "other")
    assert status == 2, "another player of this machine has been nowhere"


async def test_the_one_that_is_set_comes_first_and_the_one_that_is_named_before_it(
    client: Client, url: str, tmp_path: Path
) -> None:
    await client.run("", "tables", url)
    (tmp_path / "config.toml").write_text(f'server = "{NOWHERE}"')
    client.environment["BIRITCH_CONFIG"] = str(tmp_path / "config.toml")
    assert (await client.run("", "tables"))[0] == 3
    assert (await client.run("", "tables", url))[0] == 0
    client.environment["BIRITCH_SERVER"] = url
    assert (await client.run("", "tables"))[0] == 0


async def test_a_wrong_setting_is_wrong_use(client: Client, url: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("bell = 5")
    client.environment["BIRITCH_CONFIG"] = str(tmp_path / "config.toml")
    status, output = await client.run("", "join", url)
    assert status == 2 and "config.toml: bell cannot be 5; give true or false." in output


async def test_too_much_is_named(client: Client, url: str) -> None:
    status, output = await client.run("", "create", url, "vint", "bridge")
    assert status == 2 and "Give a game, and before it a server" in output
