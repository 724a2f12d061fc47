"""What parameters and keys of some names usually are: a last resort, in words that people use."""

from __future__ import annotations

from pipeline.suites.rules import finds

NAME_KINDS: dict[str, str] = {
    **dict.fromkeys(
        "text string str s line name word title label message msg content sentence prefix suffix token pattern"
        " value_str raw url uri path filename file_name filepath email key source code language lang description"
        " body html xml json_str query sql identifier slug char character separator delimiter unit"
        " date_str version encoding errors".split(),
        "str",
    ),
    **dict.fromkeys(
        "n i j k count num number size length width height index idx limit offset start end step depth level"
        " max_length maxlen total year month day hour minute second seconds port rows cols columns"
        " page k_max n_items".split(),
        "int",
    ),
    **dict.fromkeys(
        "ratio rate weight score probability prob alpha beta gamma threshold tolerance eps x y z lat lon"
        " price amount percent percentage temperature".split(),
        "float",
    ),
    **dict.fromkeys(
        "items values lst list_ array arr sequence seq elements data_list lines words tokens names"
        " numbers nums xs results records parts args texts keys rows_list ids messages".split(),
        "list",
    ),
    **dict.fromkeys(
        "d dictionary mapping dict_ config options params settings metadata meta kwargs headers payload"
        " info attrs properties schema context env obj_dict row record entry".split(),
        "dict",
    ),
    **dict.fromkeys("cls klass".split(), "class value"),
    **dict.fromkeys("annotation type_hint hint tp typ".split(), "type value"),
    **dict.fromkeys("flag verbose strict enabled reverse inplace recursive".split(), "bool"),
}
"""What parameters of such names usually are: a last resort where nothing else is known."""

NAME_FORMATS: dict[str, str] = {
    name: form
    for form, names in {
        "url": "url uri",
        "path": "path filename file_name filepath",
        "version": "version semver",
        "xml": "html xml",
        "json": "json_str",
        "date:%Y-%m-%d": "date date_str date_string",
        "date:%H:%M:%S": "time_str",
        "datetime-iso": "timestamp",
        "hex": "hex",
        "hex-colour": "color colour hex_color",
        "code": "code source",
        "regex": "regex",
        "expression": "expression expr formula",
        "codec": "encoding",
        "identifier": "key field attr attribute column identifier variable var",
    }.items()
    for name in names.split()
}
"""The format of texts in parameters (or under keys) of such names; one format among others, never the only one."""

RANGE_NAMES = frozenset("interval range span bound segment window period limits bounds".split())
"""Names of pairs whose first number is not above the second."""

COUNT_NAMES = frozenset(
    "n num count size length len width height limit depth total age port rows cols columns page seconds minutes hours"
    " max capacity retries workers batch bytes nbytes index idx".split()
)
"""Words in names of numbers that are hardly ever negative."""


@finds("names: kinds", str)
def kind_by_name(name: str) -> str:
    """What a parameter or key of such a name usually is: by the whole name, or else by its last word."""
    whole = name.lower().strip("_")
    last = whole.rsplit("_", 1)[-1]
    if whole in NAME_KINDS or len(last) < 2:
        return NAME_KINDS.get(whole, "")
    return NAME_KINDS.get(last, "")


@finds("names: formats", str)
def format_by_name(name: str) -> str:
    """The format of texts under such a name, empty where it says nothing: by the whole name, or by its last word."""
    whole = name.lower().strip("_")
    last = whole.rsplit("_", 1)[-1]
    return NAME_FORMATS.get(whole, NAME_FORMATS.get(last, "") if len(last) > 2 else "")
