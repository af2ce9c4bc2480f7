# One server process. `docker-compose.yml` runs two of them with a store and a proxy.
FROM python:3.13-slim-bookworm AS build
WORKDIR /src
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/biritch
COPY locks/server.txt locks/server.txt
RUN /opt/biritch/bin/pip install --require-hashes -r locks/server.txt
COPY pyproject.toml README.md LICENSE ./
COPY rules rules
COPY protocol protocol
COPY bots bots
COPY server server
COPY client_cli client_cli
RUN /opt/biritch/bin/pip install --no-deps --no-build-isolation .

FROM python:3.13-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /data --create-home biritch
COPY --from=build /opt/biritch /opt/biritch
# The data folder is used only where no BIRITCH_STORE is given and the server keeps a store of its own.
ENV PATH=/opt/biritch/bin:$PATH PYTHONUNBUFFERED=1 XDG_DATA_HOME=/data
USER biritch
WORKDIR /data
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/readyz', timeout=3)"]
CMD ["biritch-server", "--host", "0.0.0.0", "--port", "8765"]
