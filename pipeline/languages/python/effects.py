"""Rules on what a Python function may touch besides its parameters, as a table, and the uses that break them.

Output counts as an effect even where nobody reads it: `print`, `logging` and `warnings` are refused. A change of a
parameter is part of the behaviour (it is recorded in the cases) and is allowed, except for a default value, which
would carry state from one call to the next.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from pipeline.languages.effects import Finding, Rule, broken, speaks_of
from pipeline.languages.python.lowering import FunctionNode
from pipeline.languages.python.parsed import parsed
from pipeline.languages.python.uses import uses
from pipeline.records import Reason
from pipeline.transforms.bound_names import parameter_names, root


def _names(prefix: str, words: str) -> tuple[str, ...]:
    return tuple(f"{prefix}.{word}" for word in words.split())


IMPURE, CHANGING = Reason.IMPURE, Reason.NONDETERMINISTIC_CALL

RULES = (
    Rule(IMPURE, "writes to the terminal", _names("builtins", "print help")),
    Rule(IMPURE, "reads from the terminal", (*_names("builtins", "input"), "getpass.*")),
    Rule(IMPURE, "opens files", ("builtins.open", "io.open", "io.FileIO", "codecs.open", "os.fdopen")),
    Rule(IMPURE, "runs code that is not in the function", (
        *_names("builtins", "exec eval compile __import__"),
        "importlib.*", "runpy.*", "code.*", "pickle.load", "pickle.loads", "marshal.*", "ctypes.*")),
    Rule(IMPURE, "looks at the interpreter's own names", (
        *_names("builtins", "globals locals vars"),
        "gc.*", "inspect.stack", "inspect.currentframe", "inspect.trace", "traceback.*", "weakref.*")),
    Rule(IMPURE, "stops the program", (
        *_names("builtins", "breakpoint exit quit"), "atexit.*", "signal.*", "pdb.*")),
    Rule(IMPURE, "uses the interpreter's state", ("sys.*",), _names(
        "sys", "maxsize maxunicode float_info int_info hash_info byteorder version_info intern")),
    Rule(IMPURE, "uses the operating system", ("os.*", "posix.*", "pwd.*", "grp.*", "resource.*", "fcntl.*"), _names(
        "os", "sep altsep linesep extsep pathsep curdir pardir devnull fspath PathLike path.*")),
    Rule(IMPURE, "asks the disk or the environment about a path", _names(
        "os.path", "abspath exists lexists expanduser expandvars getatime getctime getmtime getsize isfile isdir "
        "islink ismount isjunction realpath relpath samefile sameopenfile samestat")),
    Rule(IMPURE, "works on files", ("shutil.*", "tempfile.*", "fileinput.*", "linecache.*", "filecmp.*", "mmap.*",
         "glob.*", "sqlite3.*", "dbm.*", "shelve.*"), ("glob.escape", "glob.has_magic", "glob.translate")),
    Rule(IMPURE, "asks the disk about a path", ("pathlib.Path.cwd", "pathlib.Path.home", *_names(
        "?", "read_text write_text read_bytes write_bytes iterdir rglob expanduser mkdir rmdir unlink is_file is_dir "
        "is_symlink symlink_to hardlink_to touch lstat samefile exists glob"))),
    Rule(IMPURE, "uses the network", ("socket.*", "ssl.*", "select.*", "selectors.*", "http.client.*", "http.server.*",
         "urllib.request.*", "ftplib.*", "smtplib.*", "poplib.*", "imaplib.*", "telnetlib.*", "webbrowser.*",
         "xmlrpc.*", "requests.*", "httpx.*", "aiohttp.*")),
    Rule(IMPURE, "starts processes or threads", ("subprocess.*", "multiprocessing.*", "threading.*", "concurrent.*",
         "asyncio.*", "sched.*", "_thread.*", "queue.*")),
    Rule(IMPURE, "waits", ("time.sleep",)),
    Rule(IMPURE, "writes a log or a warning", ("logging.*", "warnings.*", "syslog.*"), _names(
        "logging", "DEBUG INFO WARNING ERROR CRITICAL FATAL NOTSET WARN getLevelName")),
    Rule(IMPURE, "changes the settings of a library", (
        "locale.setlocale", "decimal.setcontext", "numpy.seterr", "numpy.seterrcall", "numpy.set_printoptions",
        "pandas.set_option", "pandas.options.*", "csv.register_dialect", "csv.field_size_limit", "re.purge",
        "random.seed", "numpy.random.seed", "numpy.random.set_state", "codecs.register", "mimetypes.*")),
    Rule(IMPURE, "reads or writes files through a library", (
        *_names("numpy", "load save savez savez_compressed savetxt loadtxt genfromtxt fromfile memmap DataSource"),
        *_names("pandas", "read_csv read_table read_excel read_parquet read_pickle read_sql read_sql_query "
                "read_feather read_hdf read_html read_orc read_stata read_sas read_spss read_fwf ExcelWriter HDFStore"),
        *_names("?", "tofile to_pickle to_parquet to_excel to_feather to_hdf to_sql savefig to_clipboard"),
        "scipy.io.*", "networkx.read_*", "networkx.write_*", "joblib.*", "sklearn.datasets.*", "nltk.download",
        "nltk.corpus.*", "nltk.data.*", "PIL.Image.open", "zipfile.*", "tarfile.*"),
        ("sklearn.datasets.make_*",)),
    Rule(CHANGING, "gives another number in each process", _names("builtins", "id hash")),
    Rule(CHANGING, "reads the clock", (*_names(
        "time", "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns "
        "thread_time clock_gettime"),
        *_names("?", "utcnow today"), "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today",
        "datetime.date.today", "pandas.Timestamp.now", "pandas.Timestamp.today", "pandas.Timestamp.utcnow",
        "arrow.now", "arrow.utcnow", "pendulum.now", "dateutil.utils.today")),
    Rule(CHANGING, "reads the clock unless it is told a time", _names("time", "gmtime asctime"), enough=1),
    Rule(CHANGING, "reads the clock unless it is told a time", ("time.strftime",), enough=2),
    Rule(CHANGING, "depends on the time zone", (*_names("time", "localtime mktime ctime tzname timezone altzone tzset"),
         "datetime.date.fromtimestamp", "dateutil.tz.tzlocal", "?.astimezone"), enough=0),
    Rule(CHANGING, "depends on the time zone", ("datetime.datetime.fromtimestamp", "?.fromtimestamp"), enough=2),
    Rule(CHANGING, "depends on the locale", ("locale.*", "gettext.*")),
    Rule(CHANGING, "depends on the machine", ("platform.*", "sysconfig.*", "site.*", "psutil.*", "uuid.getnode",
         "zoneinfo.available_timezones", "os.cpu_count")),
    Rule(CHANGING, "draws random numbers without a seed", (
        "random.*", "secrets.*", "uuid.uuid1", "uuid.uuid4", "os.urandom", "numpy.random.*"),
        ("random.Random", "numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator",
         "numpy.random.PCG64", "numpy.random.SeedSequence", "numpy.random.MT19937", "numpy.random.Philox")),
    Rule(CHANGING, "draws random numbers without a seed", (
        "random.Random", "numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.PCG64",
        "numpy.random.SeedSequence", "numpy.random.MT19937", "numpy.random.Philox"), enough=1),
)

CHANGES_IN_PLACE = frozenset(
    "append extend insert remove pop clear sort reverse update setdefault popitem add discard".split())


def findings(tree: ast.Module, function: FunctionNode) -> list[Finding]:
    """What in a function goes beyond its parameters, sorted by line; the lines are the program's."""
    found = [*broken(uses(tree, function), RULES), *_outer_state(function), *_changed_defaults(function)]
    return sorted(found, key=lambda finding: (finding.line, finding.what))


def chance_in(tree: ast.Module, function: FunctionNode) -> Callable[[], bool]:
    """What says of a function, however it is changed later, whether it gives another answer each time.

    One that uses nothing of the kind, be it with a seed or a given time, does not begin to by a small change.
    """
    rules = [rule for rule in RULES if rule.reason is CHANGING]
    if not any(speaks_of(rule, use) for use in uses(tree, function) for rule in rules):
        return lambda: False
    return lambda: any(broken(uses(tree, function), rules))


def _outer_state(function: FunctionNode) -> list[Finding]:
    """`global` statements, and attributes that a function keeps on itself."""
    found = []
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            found.append(Finding(IMPURE, node.lineno, f"global {', '.join(node.names)} writes the module's state"))
        elif isinstance(node, ast.Attribute) and root(node) == function.name:
            found.append(Finding(IMPURE, node.lineno, f"{ast.unparse(node)} keeps state on the function"))
    return found


def _changed_defaults(function: FunctionNode) -> list[Finding]:
    """Changes of a parameter whose default value is mutable, so that one call changes the next."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip((a.arg for a in positional[len(positional) - len(arguments.defaults):]), arguments.defaults,
                        strict=True))
    defaults |= {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None}
    mutable = {name for name, value in defaults.items() if name in parameter_names(function) and _is_mutable(value)}
    return [
        Finding(IMPURE, node.lineno, f"{root(node)} has a mutable default value, and is changed")
        for node in ast.walk(function)
        if isinstance(node, (ast.Subscript, ast.Attribute)) and root(node) in mutable and _is_change(node)
    ]


def _is_mutable(value: ast.expr) -> bool:
    return isinstance(value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call))


def _is_change(node: ast.Subscript | ast.Attribute) -> bool:
    if isinstance(node.ctx, (ast.Store, ast.Del)):
        return True
    return isinstance(node, ast.Attribute) and node.attr in CHANGES_IN_PLACE


class PythonEffects:
    """What Python says of effects and of chance."""

    def findings(self, program: str, name: str) -> list[Finding]:
        """What in a program's function goes beyond its parameters."""
        return findings(*parsed(program, name))

    def beside(self, program: str, name: str) -> list[Finding]:
        """What in the other statements of a program goes beyond it."""
        tree, function = parsed(program, name)
        found: list[Finding] = []
        for statement in tree.body:
            if statement is function or isinstance(statement, (ast.Import, ast.ImportFrom)):
                continue
            inside = [statement] if isinstance(statement, ast.FunctionDef) else list(ast.walk(statement))
            functions = [node for node in inside if isinstance(node, ast.FunctionDef)]
            found += broken(uses(tree, statement), RULES)
            found += (finding for each in functions for finding in (*_outer_state(each), *_changed_defaults(each)))
        return sorted(found, key=lambda finding: (finding.line, finding.what))
