"""Keys of one's own: the table `keys` of the settings, held against what the screens have."""

import importlib
import inspect
import pkgutil
from collections.abc import Mapping

from textual.binding import Binding
from textual.dom import DOMNode

import client_cli.screen
from client_cli.config import BadConfig


def check_keys(keys: Mapping[str, str]) -> None:
    """Raise BadConfig for the name of an action that no screen has."""
    actions = known_actions() if keys else frozenset[str]()
    for name in keys:
        if name not in actions:
            raise BadConfig(f"keys: there is no action {name!r}; the actions are {', '.join(sorted(actions))}.")


def known_actions() -> frozenset[str]:
    """Return the names of the actions that have keys, on any screen."""
    names = [module.name for module in pkgutil.iter_modules(client_cli.screen.__path__, "client_cli.screen.")]
    kinds = [kind for name in names for _, kind in inspect.getmembers(importlib.import_module(name), inspect.isclass)]
    shown = [kind for kind in kinds if issubclass(kind, DOMNode) and kind.__module__.startswith("client_cli.screen.")]
    bindings = [each for kind in shown for each in kind.BINDINGS if isinstance(each, Binding)]
    return frozenset(binding.id for binding in bindings if binding.id is not None)
