"""Bytes: carried in base64, as the numbers of arrays are."""

from __future__ import annotations

import binascii

from .codec import Codecs, NotDecodable, tagged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .codec import Json


def base64_of(data: bytes) -> str:
    """Bytes as text."""
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def bytes_of(data: Json) -> bytes:
    """The bytes that a tagged object holds."""
    try:
        return binascii.a2b_base64(data["v"], strict_mode=True)
    except binascii.Error as error:
        raise NotDecodable(str(error)) from None


CODECS = Codecs(
    simple={bytes: tagged("bytes", base64_of), bytearray: tagged("bytearray", base64_of)},
    decoders={"bytes": lambda data, _: bytes_of(data), "bytearray": lambda data, _: bytearray(bytes_of(data))},
)
