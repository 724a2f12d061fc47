"""What functions of libraries take: kinds of arguments, and notations that they read, of which stubs say `str`."""

from __future__ import annotations

from pipeline.suites.inference.clues import Clue

FUNCTION_FORMATS: dict[str, str] = {
    name: form
    for form, names in {
        "integer": "int",
        "number": "float decimal.Decimal fractions.Fraction",
        "json": "json.loads",
        "datetime-iso": "datetime.datetime.fromisoformat dateutil.parser.parse dateutil.parser.isoparse",
        "date:%Y-%m-%d": "datetime.date.fromisoformat",
        "date:%H:%M:%S": "datetime.time.fromisoformat",
        "url": "urllib.parse.urlparse urllib.parse.urlsplit",
        "percent": "urllib.parse.unquote",
        "path": "pathlib.Path pathlib.PurePath pathlib.PurePosixPath pathlib.PureWindowsPath os.path.splitext"
                " os.path.basename os.path.dirname os.path.normpath os.path.split os.path.join posixpath.normpath"
                " posixpath.join posixpath.basename mimetypes.guess_type fnmatch.fnmatch",
        "hex": "bytes.fromhex bytearray.fromhex binascii.unhexlify",
        "base64": "base64.b64decode base64.urlsafe_b64decode",
        "regex": "re.compile",
        "code": "ast.parse",
        "xml": "xml.etree.ElementTree.fromstring xml.etree.ElementTree.XML xml.dom.minidom.parseString"
               " bs4.BeautifulSoup lxml.etree.fromstring lxml.html.fromstring html.unescape xmltodict.parse",
        "version": "packaging.version.Version packaging.version.parse",
    }.items()
    for name in names.split()
}  # fmt: skip
"""Functions that read a text in some format, by their full names."""

REGEX_FUNCTIONS = frozenset(f"re.{name}" for name in "match search fullmatch findall finditer split sub subn".split())


COUNT_HIGH = 30
RANGES = {
    "count": COUNT_HIGH, "year": 2100, "month": 12, "monthday": 31, "hour": 23, "minute": 59, "microsecond": 999_999,
    "codepoint": 0x2FF,
}  # fmt: skip
"""The greatest number that an argument of a kind may be."""


def expect(clue: Clue, kind: str, why: str) -> None:
    """Note that a function expects a kind, some of which stand for a kind with a range."""
    reason = f"{why} takes it"
    if kind in RANGES:
        clue.vote("int", reason)
        clue.high = min(clue.high or RANGES[kind], RANGES[kind])
    elif kind == "char":
        clue.vote("char", reason)
    elif kind == "numbers":
        clue.vote("iterable", reason)
        clue.items().vote("number", reason)
    elif kind in ("positive", "special"):
        clue.vote("float", reason)
    elif kind:
        clue.vote(kind, reason, 2)
