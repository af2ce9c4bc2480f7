"""The command `biritch-server`."""

import asyncio
import gc
import logging
import math
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import click
from platformdirs import user_data_path

from server.embedded import EmbeddedStore
from server.lifetimes import DAY_S, Lifetimes
from server.open_table import TableTiming
from server.redis_store import RedisStore
from server.service import Service
from server.store import Store, StoreError
from server.tail import TAIL

_log = logging.getLogger("biritch")

DAYS = click.FloatRange(0, 3650, min_open=True)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 for all.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 for a free one.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the embedded store. Default: in the user's data folder.",
)
@click.option(
    "--store",
    envvar="BIRITCH_STORE",
    show_envvar=True,
    help="URL of Redis 7 or Valkey 8 or later: redis://, rediss:// or unix://; redis+sentinel://HOST,HOST/SERVICE for"
    " a master that Sentinels keep, redis+cluster://HOST,HOST for a Cluster (rediss+... for TLS). Default: the embedded"
    " store.",
)
@click.option(
    "--bot-delay",
    default=0.8,
    show_default=True,
    type=click.FloatRange(0, 60),
    help="Seconds that a bot takes for a call or card.",
)
@click.option(
    "--keep-unfinished",
    default=30.0,
    show_default=True,
    type=DAYS,
    help="Days that a table with an unfinished rubber outlives its last entry; its chat, too.",
)
@click.option("--keep-over", default=7.0, show_default=True, type=DAYS, help="The same, between rubbers.")
@click.option("--keep-empty", default=1.0, show_default=True, type=DAYS, help="The same, never played or ended.")
@click.option(
    "--keep-records",
    default=365.0,
    show_default=True,
    type=click.FloatRange(0, 36500),
    help="Days that the records of a table's finished deals outlive the last of them; 0 for ever.",
)
@click.option(
    "--keep-entries",
    default=TAIL,
    show_default=True,
    type=click.IntRange(TAIL),
    help="Entries that are left of a table's log, at least, when its beginning is trimmed at the end of a deal.",
)
@click.option("--until-eof", is_flag=True, help="End when standard input does: for a server that belongs to a client.")
@click.version_option(package_name="biritch", prog_name="biritch-server")
def main(
    host: str,
    port: int,
    data: Path | None,
    store: str | None,
    bot_delay: float,
    keep_unfinished: float,
    keep_over: float,
    keep_empty: float,
    keep_records: float,
    keep_entries: int,
    until_eof: bool,
) -> None:
    """Serve tables of the classic auction card games over WebSockets.

    Without --store it starts a store of its own, durable, in the data folder. /healthz, /readyz and /metrics are
    answered on the same port. Ends with status 1 if the store or the port cannot be had.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    data = data or user_data_path("biritch", appauthor=False) / "server"
    days = (keep_unfinished, keep_over, keep_empty, keep_records)
    unfinished_s, over_s, empty_s, records_s = (math.ceil(part * DAY_S) for part in days)
    keep = Lifetimes(unfinished_s, over_s, empty_s, records_s, keep_entries)
    try:
        asyncio.run(_serve(host, port, data, store, TableTiming(bot_s=bot_delay, keep=keep), until_eof))
    except (StoreError, OSError) as error:
        click.echo(f"biritch-server: {error}", err=True)
        sys.exit(1)
    except asyncio.CancelledError:
        click.echo("biritch-server: stopped before it served.", err=True)
        sys.exit(1)


async def _serve(host: str, port: int, data: Path, url: str | None, timing: TableTiming, until_eof: bool) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    starting = asyncio.current_task()
    assert starting is not None, "this runs in a task"
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, starting.cancel)
    if until_eof:
        loop.add_reader(sys.stdin, _stop_at_eof, stop)
    async with _store(url, data) as store:
        service = await Service.start(host, port, store, timing)
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, stop.set)
        # What is there now stays: a full collection need not look at it again, nor stop the loop for it.
        gc.freeze()
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"Biritch serves ws://{shown}:{service.listener.port}/")
        sys.stdout.flush()
        await stop.wait()
        _log.info("stopping")
        await service.stop()


def _stop_at_eof(stop: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        asyncio.get_running_loop().remove_reader(sys.stdin)
        stop.set()


@asynccontextmanager
async def _store(url: str | None, data: Path) -> AsyncIterator[Store]:
    """Connect to the store at a URL, or to an embedded one for as long as this process needs it."""
    if url is not None:
        remote = await RedisStore.connect(url)
        try:
            yield remote
        finally:
            await remote.close()
        return
    async with await EmbeddedStore.start(data) as embedded, _store(embedded.url, data) as store:
        yield store


if __name__ == "__main__":
    main()
