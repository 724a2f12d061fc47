"""Which notation functions read: stubs say `str` of all of them."""

from __future__ import annotations

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
