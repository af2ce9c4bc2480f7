"""A server that belongs to a client ends with it, however the client ends."""

import asyncio
import subprocess
import sys
from pathlib import Path

from tests.stores import WITHIN_S


async def test_a_server_until_eof_ends_when_its_input_does(tmp_path: Path) -> None:
    options = ("--port", "0", "--data", str(tmp_path / "data"), "--until-eof")
    server = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "server.main",
        *options,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdout is not None
    assert server.stdin is not None
    async with asyncio.timeout(WITHIN_S):
        assert (await server.stdout.readline()).startswith(b"Biritch serves ws://127.0.0.1:")
        server.stdin.close()
        await server.communicate()
    assert server.returncode == 0
