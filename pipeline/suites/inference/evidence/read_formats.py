"""Which notation functions read: stubs say `str` of all of them."""

from __future__ import annotations

DECOMPRESSING: dict[str, str] = {
    "zlib.decompress": "zlib",
    "gzip.decompress": "gzip",
    "bz2.decompress": "bz2",
    "lzma.decompress": "lzma",
}
"""Functions that read compressed bytes, with the form of these."""
DECOMPRESSORS: dict[str, str] = {
    "zlib.decompressobj": "zlib",
    "bz2.BZ2Decompressor": "bz2",
    "lzma.LZMADecompressor": "lzma",
}
"""What has a method that reads compressed bytes, piece by piece."""

READING_METHODS: dict[str, str] = {"read_string": "ini"}
"""Methods of parsers that read a text in some format."""

FUNCTION_FORMATS: dict[str, str] = {
    "int": "integer",
    "float": "number",
    "decimal.Decimal": "number",
    "fractions.Fraction": "number",
    "json.loads": "json",
    "datetime.datetime.fromisoformat": "datetime-iso",
    "datetime.date.fromisoformat": "date:%Y-%m-%d",
    "datetime.time.fromisoformat": "date:%H:%M:%S",
    "urllib.parse.urlparse": "url",
    "urllib.parse.urlsplit": "url",
    "urllib.parse.parse_qs": "query",
    "urllib.parse.parse_qsl": "query",
    "urllib.parse.unquote": "percent",
    "urllib.parse.quote": "words",
    "pathlib.Path": "path",
    "pathlib.PurePath": "path",
    "pathlib.PurePosixPath": "path",
    "pathlib.PureWindowsPath": "path",
    "os.path.splitext": "path",
    "os.path.basename": "path",
    "os.path.dirname": "path",
    "os.path.normpath": "path",
    "os.path.split": "path",
    "os.path.join": "path",
    "posixpath.normpath": "path",
    "posixpath.join": "path",
    "posixpath.basename": "path",
    "ipaddress.ip_address": "ip",
    "ipaddress.IPv4Address": "ip",
    "ipaddress.ip_network": "network",
    "uuid.UUID": "uuid",
    "bytes.fromhex": "hex",
    "bytearray.fromhex": "hex",
    "binascii.unhexlify": "hex",
    "base64.b64decode": "base64",
    "base64.urlsafe_b64decode": "base64",
    "shlex.split": "shell",
    "shlex.shlex": "shell",
    "re.compile": "regex",
    "ast.parse": "code",
    "ast.literal_eval": "literal",
    **{f"xml.etree.ElementTree.{name}": "xml" for name in ("fromstring", "XML")},
    "xml.dom.minidom.parseString": "xml",
    "dateutil.parser.parse": "datetime-iso",
    "dateutil.parser.isoparse": "datetime-iso",
    "packaging.version.Version": "version",
    "packaging.version.parse": "version",
    "packaging.specifiers.SpecifierSet": "specifier",
    "packaging.requirements.Requirement": "requirement",
    "yaml.safe_load": "yaml",
    "bs4.BeautifulSoup": "xml",
    "lxml.etree.fromstring": "xml",
    "lxml.html.fromstring": "xml",
    "csv.reader": "csv",
    "csv.DictReader": "csv",
    "io.StringIO": "lines",
    "html.unescape": "xml",
    "tomli.loads": "toml",
    "tomllib.loads": "toml",
    "xmltodict.parse": "xml",
    "email.utils.parseaddr": "email",
    "mimetypes.guess_type": "path",
    "fnmatch.fnmatch": "path",
    "colorsys.rgb_to_hsv": "",
    "sqlparse.parse": "sql",
    "sqlparse.format": "sql",
}
"""Functions that read a text in some format, by their full names."""

REGEX_FUNCTIONS = frozenset(f"re.{name}" for name in "match search fullmatch findall finditer split sub subn".split())
