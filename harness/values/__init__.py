"""The value codec: `decode(encode(x))` is `x`, type included, or `encode` refuses with a reason.

Plain JSON stands for None, bool, small int, finite float, str, list, and dict with text keys. Everything else is an
object with the key "$", which names the type. There is a module for each kind of types, with encoders and decoders
side by side; what `MODULES` lists, and `codec`, need nothing of this project, since they run beside answers as well.
"""

from . import (
    arrays,
    binary,
    classes,
    columns,
    containers,
    frames,
    functions,
    moments,
    numbers,
    patterns,
    sparse,
    textual,
)
from .classes import GENERICS, LIBRARY_TYPES, MAX_TYPE_DEPTH, MAX_TYPE_PARTS, TYPES, type_tree
from .codec import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    TAG,
    NotDecodable,
    NotEncodable,
    canonical,
    decode,
    encode,
    register,
    tags,
)
from .containers import Iterated
from .functions import FUNCTIONS, NUMBER_TYPES
from .patterns import MAX_PATTERN, PATTERN_FLAGS
from .sparse import SPARSE, sparse_parts

__all__ = [
    "FUNCTIONS",
    "GENERICS",
    "LIBRARY_TYPES",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NODES",
    "MAX_PATTERN",
    "MAX_TYPE_DEPTH",
    "MAX_TYPE_PARTS",
    "MODULES",
    "NUMBER_TYPES",
    "PATTERN_FLAGS",
    "SPARSE",
    "TAG",
    "TYPES",
    "Iterated",
    "NotDecodable",
    "NotEncodable",
    "canonical",
    "decode",
    "encode",
    "sparse_parts",
    "tags",
    "type_tree",
]

MODULES = (
    numbers, binary, containers, functions, classes, moments, textual, patterns, arrays, sparse, columns, frames,
)
for _module in MODULES:
    register(_module.CODECS)
