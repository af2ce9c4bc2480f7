"""The yardstick: a bare relay in the ordinary way of the WebSocket library, without any game.

The first message of a connection names its room. Every further one is passed on unchanged to the members of the room,
its sender included. Run `python -m bench.relay --port 0`; the port is printed.
"""

import argparse
import asyncio
from collections import defaultdict
from contextlib import suppress

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

MEMBERS = 4

rooms: defaultdict[bytes, list[ServerConnection]] = defaultdict(list)


async def relay(connection: ServerConnection) -> None:
    room = await connection.recv(decode=False)
    members = rooms[room]
    if len(members) == MEMBERS:
        await connection.close(1008, "this room is full")
        return
    members.append(connection)
    try:
        async for message in connection:
            for member in tuple(members):
                with suppress(ConnectionClosed):
                    await member.send(message)
    finally:
        members.remove(connection)


async def main(host: str, port: int) -> None:
    async with serve(relay, host, port, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    asyncio.run(main(options.host, options.port))
