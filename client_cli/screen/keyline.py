"""The keys of a screen: how they are called, and a line at its foot that shows them and can be clicked."""

from collections.abc import Iterable
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

_TEXTUALS_OWN = {each.action for each in Screen.BINDINGS if isinstance(each, Binding)}

_NAMES = {
    "enter": "Enter",
    "escape": "Esc",
    "space": "Space",
    "tab": "Tab",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "backspace": "Backspace",
    "question_mark": "?",
    "f1": "F1",
}


def key_name(app: App[Any], binding: Binding) -> str:
    """Return how a key is called, in letters that every terminal has."""
    return binding.key_display or _NAMES.get(binding.key) or app.get_key_display(binding)


def keys_of(screen: Screen[Any]) -> list[tuple[Binding, str, list[str]]]:
    """List what can be done now: the binding, its action, and the names of all its keys, those to be shown first.

    Of the keys of a widget these are the ones that are meant to be shown, and not all that move a cursor.
    """
    places = {screen: "screen", screen.app: "app"}
    found: dict[str, list[Binding]] = {}
    for active in sorted(screen.active_bindings.values(), key=lambda active: not active.binding.show):
        binding, node = active.binding, active.node
        shown = binding.show or node in places
        if shown and binding.description and binding.action not in _TEXTUALS_OWN:
            is_whole = "." in binding.action.partition("(")[0]
            action = binding.action if is_whole else f"{places.get(node, 'focused')}.{binding.action}"
            found.setdefault(action, []).append(binding)
    return [(each[0], action, _names_of(screen.app, each)) for action, each in found.items()]


def _names_of(app: App[Any], bindings: Iterable[Binding]) -> list[str]:
    """Return the names of keys, each once; a letter that is a key as a capital too is named so."""
    names = dict.fromkeys(key_name(app, binding) for binding in bindings)
    return [name for name in names if name == name.upper() or name.upper() not in names]


class KeyLine(Widget):
    """The line of keys at the foot of a screen: of each action its first key and what it does."""

    DEFAULT_CSS = """
    KeyLine {
        dock: bottom;
        height: 1;
        padding: 0 1;
        background: $panel;
        text-wrap: nowrap;
        text-overflow: ellipsis;
    }
    .-ascii KeyLine { text-overflow: clip; }
    """

    auto_links = False  # these links look like keys

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def render(self) -> Content:
        pieces = [
            Content.assemble((names[0], "bold $accent"), f" {binding.description}").stylize(
                Style.from_meta({"@click": action})
            )
            for binding, action, names in keys_of(self.screen)
            if binding.show
        ]
        return Content("  ").join(pieces)
