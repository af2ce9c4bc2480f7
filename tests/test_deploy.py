"""What is deployed, checked without Docker: the wheel, the image's instructions, the services and the proxy."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("rules", "protocol", "bots", "server", "client_cli")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
SERVERS = ("server-a", "server-b")
READY = "http://127.0.0.1:8765/readyz"


class Instruction(NamedTuple):
    name: str
    text: str


@cache
def instructions() -> tuple[Instruction, ...]:
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = filter(None, text.replace("\\\n", " ").splitlines())
    return tuple(Instruction(*line.split(None, 1)) for line in lines)


def texts(name: str) -> list[str]:
    return [instruction.text for instruction in instructions() if instruction.name == name]


def copied_sources() -> list[str]:
    """Return what the image copies out of the repository."""
    copies = [text.split() for text in texts("COPY") if not text.startswith("--from")]
    return [source for words in copies for source in words[:-1]]


def succeed(*command: str, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def is_pinned(image: str) -> bool:
    return re.search(r":v?\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$", image) is not None


# --- the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    succeed(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_five_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert not [name for name in names if "__pycache__" in name]


def test_the_wheel_holds_the_data_files(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*"))
    wanted = {file.relative_to(ROOT).as_posix() for file in files if file.suffix in {".py", ".lua", ".md"}}
    assert wanted <= names
    assert "server/append.lua" in names


def test_the_wheel_runs_by_itself(wheel: Path, tmp_path: Path) -> None:
    """What the image runs is the wheel, not this folder: both programs answer from it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    for entry in PROJECT["project"]["scripts"].values():
        module, _, function = entry.partition(":")
        code = f"import sys; sys.path[:0] = ['.']; import {module} as m; print(m.__file__); m.{function}()"
        output = succeed(sys.executable, "-c", code, "--help", cwd=tmp_path)
        assert output.startswith(str(tmp_path))
        assert "usage" in output.lower()


# --- the image


def test_what_the_image_copies_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for source in copied_sources():
        assert (ROOT / source).exists(), source
        assert f"!{Path(source).parts[0]}" in ignored, source
    assert set(PACKAGES) <= set(copied_sources())


def test_the_image_installs_with_hashes_what_the_lock_names() -> None:
    install_lock, install_project = (text for text in texts("RUN") if "pip install" in text)
    assert install_lock.endswith("pip install --require-hashes -r locks/server.txt")
    assert install_project.endswith("pip install --no-deps --no-build-isolation .")


def test_pip_takes_the_lock_of_the_image() -> None:
    """The image's own command, offline: every entry parses, has its hashes, and is what these tests ran with."""
    arguments = (
        "install --require-hashes -r locks/server.txt --dry-run --no-index --isolated --disable-pip-version-check"
    )
    output = succeed(sys.executable, "-m", "pip", *arguments.split())
    assert "Would install" not in output


def test_the_image_runs_the_server_as_nobody_special() -> None:
    (command,) = texts("CMD")
    program, *arguments = json.loads(command)
    assert program in PROJECT["project"]["scripts"]
    assert arguments == ["--host", "0.0.0.0", "--port", texts("EXPOSE")[0]]
    assert texts("USER") == ["biritch"]
    assert texts("VOLUME") == ["/data"]
    assert READY in texts("HEALTHCHECK")[0]


def test_the_python_of_the_image_is_pinned_and_supported() -> None:
    images = [text.split()[0] for text in texts("FROM")]
    assert len(set(images)) == 1
    assert is_pinned(images[0])
    version = re.findall(r"\d+\.\d+", images[0])[0]
    assert f"Programming Language :: Python :: {version}" in PROJECT["project"]["classifiers"]


# --- the services


def test_the_compose_file_follows_the_specification() -> None:
    schema = json.loads((ROOT / "tests" / "data" / "compose-spec.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(COMPOSE)


@pytest.mark.parametrize("image", ["latest", "valkey/valkey", "valkey/valkey:8", "caddy:alpine"])
def test_a_loose_image_would_be_noticed(image: str) -> None:
    assert not is_pinned(image)


def test_every_image_is_pinned() -> None:
    assert [service["image"] for service in SERVICES.values() if not is_pinned(service["image"])] == []
    assert SERVICES["server-a"]["image"].partition(":")[2] == PROJECT["project"]["version"]


def test_every_service_has_a_health_check_and_time_to_stop() -> None:
    for service in SERVICES.values():
        assert service["healthcheck"]["test"]
        assert service["stop_grace_period"]
        assert service["restart"] == "unless-stopped"


def test_an_acknowledged_action_is_on_the_disk() -> None:
    words = SERVICES["store"]["command"]
    options = dict(zip(words[1::2], words[2::2], strict=True))
    assert options["--appendonly"] == "yes"
    assert options["--appendfsync"] == "always"
    assert options["--maxmemory-policy"] == "noeviction"
    assert "store-data:/data" in SERVICES["store"]["volumes"]


def test_two_servers_share_the_store() -> None:
    for name in SERVERS:
        server = SERVICES[name]
        assert server["build"] == "."
        assert server["environment"] == {"BIRITCH_STORE": "redis://store:6379/0"}
        assert server["depends_on"] == {"store": {"condition": "service_healthy"}}
        assert READY in " ".join(server["healthcheck"]["test"])


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"proxy"}


def test_every_named_volume_is_declared() -> None:
    mounts = [mount for service in SERVICES.values() for mount in service.get("volumes", [])]
    sources = [mount.split(":")[0] for mount in mounts]
    assert {source for source in sources if not source.startswith(".")} == set(COMPOSE["volumes"])
    assert all((ROOT / source).is_file() for source in sources if source.startswith("."))


def test_no_file_holds_a_secret() -> None:
    for name in ("docker-compose.yml", "Dockerfile", "deploy/Caddyfile"):
        assert not re.search(r"password|secret|token", (ROOT / name).read_text(encoding="utf-8"), re.IGNORECASE), name


# --- the proxy


def caddy_lines() -> list[list[str]]:
    lines = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line.strip() and not line.strip().startswith("#")]


def test_the_proxy_asks_each_server_whether_it_is_ready() -> None:
    lines = caddy_lines()
    (upstreams,) = (line[1:-1] for line in lines if line[0] == "reverse_proxy")
    assert upstreams == [f"{name}:{texts('EXPOSE')[0]}" for name in SERVERS]
    assert ["health_uri", "/readyz"] in lines


def test_the_proxy_speaks_tls_and_gets_its_settings_from_the_services() -> None:
    lines = caddy_lines()
    assert lines[0] == ["{$BIRITCH_SITE:localhost}", "{"]
    assert ["tls", "{$BIRITCH_TLS:internal}"] in lines
    assert set(SERVICES["proxy"]["environment"]) == {"BIRITCH_SITE", "BIRITCH_TLS"}
    assert "443:443" in SERVICES["proxy"]["ports"]


def test_the_braces_of_the_proxy_match() -> None:
    words = [line[-1] for line in caddy_lines()]
    assert words.count("{") == words.count("}")


def test_metrics_stay_inside() -> None:
    assert ["@private", "path", "/metrics", "/metrics/*"] in caddy_lines()
    assert ["respond", "@private", "404"] in caddy_lines()
