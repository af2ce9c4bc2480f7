"""What an operator can watch, in the text form that Prometheus scrapes."""

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

registry = CollectorRegistry()
ProcessCollector(registry=registry)
GCCollector(registry=registry)

CONNECTIONS = Gauge("biritch_connections", "WebSockets open now.", registry=registry)
TABLES = Gauge("biritch_tables", "Tables that this process has open.", registry=registry)
ENTRIES = Counter("biritch_entries", "Entries folded, of any process.", registry=registry)
ACCEPTED = Counter("biritch_accepted", "Commands accepted.", registry=registry)
REJECTED = Counter("biritch_rejected", "Commands rejected, by their code.", ["code"], registry=registry)
REWINDS = Counter("biritch_rewinds", "Tables whose log went back.", registry=registry)


def page() -> bytes:
    """Return all metrics as text."""
    return generate_latest(registry)
