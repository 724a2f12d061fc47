"""Tables: which kind of value a method belongs to, a function expects, or an operator takes."""

from __future__ import annotations

from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.inference.evidence.sparse_matrices import CLASSES, MEMBERS
from pipeline.suites.rules import finds

STR_METHODS = frozenset(
    "capitalize casefold center encode endswith expandtabs format format_map isalnum isalpha isascii isdecimal isdigit"
    " isidentifier islower isnumeric isprintable isspace istitle isupper ljust lower lstrip partition"
    " removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip"
    " swapcase title translate upper zfill join".split()
)
LIST_METHODS = frozenset("append extend insert sort reverse".split())
DICT_METHODS = frozenset("get items keys values setdefault popitem fromkeys".split())
SET_METHODS = frozenset(
    "add discard union intersection difference symmetric_difference issubset issuperset isdisjoint"
    " intersection_update difference_update".split()
)
BYTES_METHODS = frozenset(["decode", "hex"])
ARRAY_MEMBERS = frozenset(
    "shape dtype ndim reshape ravel flatten astype T mean std argmax argmin argsort cumsum dot transpose squeeze"
    " nonzero size clip sum any all min max prod var tolist itemsize diagonal swapaxes cumprod take repeat"
    " nbytes round".split()
)
FRAME_MEMBERS = frozenset(
    "columns iterrows itertuples merge pivot set_index select_dtypes assign melt pivot_table corrwith"
    " to_records applymap".split()
)
TABLE_MEMBERS = frozenset(
    "iloc loc groupby dropna fillna to_dict reset_index drop_duplicates sort_values iat empty isnull notnull set_axis"
    " sort_index reindex resample idxmax idxmin mask where combine_first interpolate sample expanding unstack"
    " droplevel swaplevel tz_localize tz_convert first_valid_index last_valid_index".split()
)
"""What series have as well as frames."""
SERIES_MEMBERS = frozenset(
    "rolling shift pct_change ewm str dt cat isna notna value_counts diff ffill bfill nunique to_numpy between"
    " isin".split()
)
DATE_MEMBERS = frozenset("year month day weekday isoweekday isocalendar isoformat strftime toordinal".split())
DATETIME_MEMBERS = frozenset("hour minute second microsecond tzinfo timestamp astimezone utcoffset date".split())
TIMEDELTA_MEMBERS = frozenset("days seconds microseconds total_seconds".split())
DEQUE_MEMBERS = frozenset("appendleft popleft extendleft rotate maxlen".split())
PATH_MEMBERS = frozenset(
    "stem suffix suffixes with_suffix with_name with_stem as_posix is_absolute relative_to is_relative_to joinpath"
    " anchor".split()
)
ADDRESS_MEMBERS = frozenset(
    "is_private is_global is_loopback is_multicast is_reserved is_link_local is_unspecified packed reverse_pointer"
    " max_prefixlen exploded compressed".split()
)
NETWORK_MEMBERS = frozenset(
    "network_address broadcast_address prefixlen netmask hostmask num_addresses subnet_of supernet_of hosts subnets"
    " supernet with_prefixlen with_netmask with_hostmask overlaps".split()
)
NUMBER_MEMBERS = {
    "is_integer": "float",
    "as_integer_ratio": "float",
    "bit_length": "int",
    "quantize": "Decimal",
    "numerator": "int",
    "denominator": "int",
    "real": "complex",
    "imag": "complex",
    "conjugate": "complex",
    "to_bytes": "int",
}

MEMBER_KINDS: dict[str, str] = {
    **dict.fromkeys(sorted(DEQUE_MEMBERS), "deque"),
    **dict.fromkeys(sorted(PATH_MEMBERS), "Path"),
    **dict.fromkeys(sorted(ADDRESS_MEMBERS), "address"),
    **dict.fromkeys(sorted(NETWORK_MEMBERS), "network"),
    **dict.fromkeys(("ipv4_mapped", "sixtofour", "teredo", "scope_id", "is_site_local"), "IPv6Address"),
    **dict.fromkeys(("urn", "bytes_le", "clock_seq", "time_low"), "UUID"),
    **dict.fromkeys(("groupindex", "pattern", "flags", "groups"), "Pattern"),
    **dict.fromkeys(("step", "indices"), "slice"),
    **dict.fromkeys(("freqstr", "inferred_freq"), "DatetimeIndex"),
    **dict.fromkeys(("is_monotonic_increasing", "is_monotonic_decreasing", "get_loc", "get_indexer"), "Index"),
    **dict.fromkeys(("nlevels", "get_level_values", "droplevel"), "MultiIndex"),
    **dict.fromkeys(("tz", "tz_localize", "tz_convert", "to_pydatetime"), "Timestamp"),
    **dict.fromkeys(("start_time", "end_time", "to_timestamp", "quarter"), "Period"),
    **dict.fromkeys(("filled", "getmaskarray"), "MaskedArray"),
    "mid": "Interval",
    "most_common": "Counter",
    "move_to_end": "OrderedDict",
    "default_factory": "defaultdict",
    "limit_denominator": "Fraction",
    **dict.fromkeys(sorted(TIMEDELTA_MEMBERS), "timedelta"),
    **dict.fromkeys(sorted(DATETIME_MEMBERS), "datetime"),
    **dict.fromkeys(sorted(DATE_MEMBERS), "date"),
    **dict.fromkeys(sorted(SERIES_MEMBERS), "series"),
    **dict.fromkeys(sorted(FRAME_MEMBERS), "frame"),
    **dict.fromkeys(sorted(TABLE_MEMBERS), "table"),
    **dict.fromkeys(sorted(ARRAY_MEMBERS | MEMBERS), "array"),
    **NUMBER_MEMBERS,
    **dict.fromkeys(sorted(BYTES_METHODS), "bytes"),
    **dict.fromkeys(sorted(SET_METHODS), "set"),
    **dict.fromkeys(sorted(LIST_METHODS), "list"),
    **dict.fromkeys(sorted(DICT_METHODS), "dict"),
    **dict.fromkeys(sorted(STR_METHODS), "str"),
    "copy": "container",
    "count": "sequence",
    "index": "sequence",
    "find": "str",
    "pop": "container",
    "update": "container",
    "remove": "container",
    "clear": "container",
}
"""The kind of value that has the member; the later entries win where several kinds have it."""

READ_KINDS: dict[str, str] = {"start": "slice", "stop": "slice", "hex": "UUID",
                              **dict.fromkeys(("__origin__", "__args__", "__metadata__"), "type value"),
                              **dict.fromkeys(("__mro__", "__bases__", "__subclasses__"), "class value")}
"""The kind of value of which a member is read that is called where other kinds have it."""

PATTERN_METHODS = frozenset("match search fullmatch findall finditer sub subn".split())

SAME_TYPE_METHODS = frozenset(
    "capitalize casefold center expandtabs ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip"
    " swapcase title translate upper zfill copy union intersection difference quantize ravel flatten astype"
    " conjugate reverse dropna fillna ffill bfill sort_values sort_index head tail reset_index drop_duplicates"
    " clip rename sort_index query assign set_index reindex rename_axis drop tz_localize tz_convert nlargest nsmallest"
    " interpolate infer_objects convert_dtypes".split()
)
"""Methods whose result is like the value itself, so that what is learnt of it counts for the value."""

PREDICATE_METHODS = frozenset("startswith endswith find rfind index rindex count removeprefix removesuffix".split())
SPLIT_METHODS = frozenset("split rsplit partition rpartition".split())

FUNCTION_KINDS: dict[str, tuple[str, ...]] = {
    "abs": ("number",),
    "round": ("number",),
    "divmod": ("number", "number"),
    "pow": ("number", "number"),
    "len": ("sized",),
    "sorted": ("iterable",),
    "sum": ("numbers",),
    "min": ("iterable",),
    "max": ("iterable",),
    "any": ("iterable",),
    "all": ("iterable",),
    "enumerate": ("iterable",),
    "zip": ("iterable",) * 4,
    "reversed": ("sequence",),
    "list": ("iterable",),
    "tuple": ("iterable",),
    "set": ("iterable",),
    "frozenset": ("iterable",),
    "iter": ("iterable",),
    "ord": ("char",),
    "chr": ("codepoint",),
    "range": ("count",) * 3,
    "hex": ("int",),
    "bin": ("int",),
    "oct": ("int",),
    "complex": ("number",),
    "bytes": ("bytes",),
    "bytearray": ("bytes",),
    "math.sqrt": ("float",),
    "math.log": ("positive",),
    "math.log2": ("positive",),
    "math.log10": ("positive",),
    "math.exp": ("float",),
    "math.floor": ("float",),
    "math.ceil": ("float",),
    "math.isnan": ("special",),
    "math.isinf": ("special",),
    "math.isfinite": ("special",),
    "math.gcd": ("int", "int"),
    "math.lcm": ("int", "int"),
    "math.factorial": ("count",),
    "math.comb": ("count", "count"),
    "math.perm": ("count", "count"),
    "math.isqrt": ("count",),
    "math.isclose": ("float", "float"),
    "math.hypot": ("float", "float"),
    "math.prod": ("numbers",),
    "math.fsum": ("numbers",),
    "math.trunc": ("float",),
    "math.fabs": ("float",),
    "math.copysign": ("float", "float"),
    "math.pow": ("float", "float"),
    "math.fmod": ("float", "float"),
    "math.modf": ("float",),
    "math.degrees": ("float",),
    "math.radians": ("float",),
    "math.log1p": ("positive",),
    "math.expm1": ("float",),
    "math.sin": ("float",),
    "math.cos": ("float",),
    "math.tan": ("float",),
    "math.atan2": ("float", "float"),
    "statistics.mean": ("numbers",),
    "statistics.median": ("numbers",),
    "statistics.stdev": ("numbers",),
    "statistics.pstdev": ("numbers",),
    "statistics.variance": ("numbers",),
    "statistics.mode": ("iterable",),
    "collections.Counter": ("iterable",),
    "collections.deque": ("iterable",),
    "collections.OrderedDict": ("dict",),
    "re.escape": ("str",),
    "textwrap.dedent": ("str",),
    "textwrap.indent": ("str",),
    "textwrap.wrap": ("str",),
    "textwrap.fill": ("str",),
    "unicodedata.normalize": ("", "str"),
    "unicodedata.category": ("char",),
    "unicodedata.combining": ("char",),
    "unicodedata.name": ("char",),
    "unicodedata.east_asian_width": ("char",),
    "html.escape": ("str",),
    "html.unescape": ("str",),
    "string.capwords": ("str",),
    "shlex.quote": ("str",),
    "hashlib.md5": ("bytes",),
    "hashlib.sha1": ("bytes",),
    "hashlib.sha256": ("bytes",),
    "zlib.crc32": ("bytes",),
    "base64.b64encode": ("bytes",),
    "binascii.hexlify": ("bytes",),
    "difflib.SequenceMatcher": ("", "str", "str"),
    "bisect.bisect": ("numbers", "number"),
    "bisect.bisect_left": ("numbers", "number"),
    "bisect.bisect_right": ("numbers", "number"),
    "heapq.heapify": ("list",),
    "heapq.heappush": ("list",),
    "heapq.heappop": ("list",),
    "heapq.nlargest": ("count", "iterable"),
    "heapq.nsmallest": ("count", "iterable"),
    "itertools.chain": ("iterable",) * 4,
    "itertools.chain.from_iterable": ("iterables",),
    "itertools.product": ("iterable",) * 4,
    "itertools.combinations": ("iterable", "count"),
    "itertools.permutations": ("iterable", "count"),
    "itertools.accumulate": ("numbers",),
    "itertools.groupby": ("iterable",),
    "itertools.zip_longest": ("iterable",) * 4,
    "itertools.islice": ("iterable", "count", "count"),
    "itertools.repeat": ("", "count"),
    "itertools.count": ("number", "number"),
    "memoryview": ("bytes",),
    "calendar.monthrange": ("year", "month"),
    "calendar.isleap": ("year",),
    "calendar.month_name": ("month",),
    "datetime.date": ("year", "month", "monthday"),
    "datetime.datetime": ("year", "month", "monthday", "hour", "minute", "minute", "microsecond"),
    "datetime.time": ("hour", "minute", "minute", "microsecond"),
    "datetime.timedelta": ("number", "number"),
    "datetime.datetime.fromtimestamp": ("number",),
    "datetime.datetime.utcfromtimestamp": ("number",),
    "datetime.datetime.combine": ("date", "time"),
    "copy.deepcopy": ("",),
    "operator.itemgetter": ("",),
    "json.dumps": ("",),
    "issubclass": ("class value", "classes value"),
    "inspect.isclass": ("class value",),
    **dict.fromkeys(("typing.get_origin", "typing.get_args", "typing_extensions.get_origin",
                     "typing_extensions.get_args"), ("type value",)),
}
"""What a function of the standard library takes, by position; the empty kind says nothing."""

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

ISINSTANCE_KINDS: dict[str, str] = {
    "str": "str",
    "bytes": "bytes",
    "bytearray": "bytes",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "list": "list",
    "tuple": "tuple",
    "dict": "dict",
    "set": "set",
    "frozenset": "frozenset",
    "Mapping": "dict",
    "MutableMapping": "dict",
    "Sequence": "list",
    "Iterable": "list",
    "Collection": "list",
    "Set": "set",
    "Number": "number",
    "Real": "float",
    "Integral": "int",
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("PosixPath", "PathLike"), "Path"),
    "PurePath": "PurePosixPath",
    "tzinfo": "timezone",
    "datetime": "datetime",
    "date": "date",
    "time": "time",
    "timedelta": "timedelta",
    "ndarray": "array",
    **dict.fromkeys(sorted(CLASSES), "array"),
    "Series": "series",
    "DataFrame": "frame",
    "NoneType": "none",
    "deque": "deque",
    "int_": "int64",
    "bool_": "generic",
    "integer": "int",
    "floating": "float",
    "OrderedDict": "OrderedDict",
    "defaultdict": "defaultdict",
    "Counter": "Counter",
    "Hashable": "str",
    "Sized": "list",
    "Container": "list",
    "Iterator": "list",
    "type": "class value",
    **dict.fromkeys(("GenericAlias", "UnionType"), "type value"),
}

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
    "url": "url",
    "uri": "url",
    "path": "path",
    "filename": "path",
    "file_name": "path",
    "filepath": "path",
    "email": "email",
    "version": "version",
    "html": "xml",
    "xml": "xml",
    "json_str": "json",
    "sql": "sql",
    "date": "date:%Y-%m-%d",
    "date_str": "date:%Y-%m-%d",
    "date_string": "date:%Y-%m-%d",
    "timestamp": "datetime-iso",
    "hex": "hex",
    "color": "hex-colour",
    "colour": "hex-colour",
    "hex_color": "hex-colour",
    "uuid": "uuid",
    "ip": "ip",
    "code": "code",
    "source": "code",
    "csv": "csv",
    "markdown": "markdown",
    "md": "markdown",
    "regex": "regex",
    "expression": "expression",
    "expr": "expression",
    "formula": "expression",
    "domain": "host",
    "host": "host",
    "hostname": "host",
    "ip_address": "ip",
    "semver": "version",
    **dict.fromkeys("command cmd commandline command_line cmdline".split(), "shell"),
    "cidr": "network",
    "query_string": "query",
    "phone": "phone",
    "encoding": "codec",
    "errors": "codec-errors",
    "isbn": "digits",
    "time_str": "date:%H:%M:%S",
    "slug": "slug",
    **dict.fromkeys("content_type mime mime_type mimetype media_type mimetypes".split(), "media-type"),
    **dict.fromkeys("content_disposition disposition".split(), "disposition"),
    **dict.fromkeys("key field attr attribute column identifier variable var".split(), "identifier"),
}
"""The format of texts in parameters (or under keys) of such names; one format among others, never the only one."""


ITEM_KINDS: dict[str, str] = {
    **dict.fromkeys(
        "names words tokens lines keys labels texts tags strings paths files filenames urls headers columns sentences"
        " prefixes suffixes patterns flags parts segments".split(),
        "str",
    ),
    **dict.fromkeys("ids idx indices indexes numbers nums ints shape dims axes positions steps".split(), "int"),
    **dict.fromkeys("counts sizes lengths runs offsets chunks".split(), "count"),
    **dict.fromkeys("scores weights probs probabilities prices rates ratios floats samples".split(), "float"),
}
"""What containers of such names usually hold: a last resort too."""

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
