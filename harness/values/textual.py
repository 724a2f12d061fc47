"""Types whose values are a text and back: decimals, UUIDs, paths, addresses of networks."""

from __future__ import annotations

from .codec import TAG, Codecs, NotDecodable, NotEncodable, tagged, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .codec import Decoder, Json


def _read_back(tag: str) -> Callable[[Any], Json]:
    """A value as its text, where that text is read as the same value: some paths of Windows have others."""
    def encoder(value: Any) -> Json:
        if str(type(value)(str(value))) != str(value):
            raise NotEncodable(f"a {tag} whose text stands for another one")
        return {TAG: tag, "v": str(value)}

    return encoder


_TEXTUAL = {
    "Decimal": "decimal", "UUID": "uuid",
    **dict.fromkeys(("PurePosixPath", "PureWindowsPath", "PosixPath", "WindowsPath"), "pathlib"),
    **{f"IPv{v}{kind}": "ipaddress" for v in (4, 6) for kind in ("Address", "Network", "Interface")},
}
"""Types whose values are a text and back, by name, and the module of each."""


def _textual(name: str, module: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        from importlib import import_module

        text = text_of(data["v"])
        made = getattr(import_module(module), name)(text)
        if str(made) != text:
            raise NotDecodable(f"{text!r} is not how {name} is written")
        return made

    return build


CODECS = Codecs(
    named_simple={
        **{f"{module}.{name}": tagged(name) for name, module in _TEXTUAL.items()},
        "pathlib.PureWindowsPath": _read_back("PureWindowsPath"),
    },
    decoders={name: _textual(name, module) for name, module in _TEXTUAL.items()},
)
