"""What every sandbox must do, as data: small programs and what must become of them, run on this machine."""

from __future__ import annotations

import atexit
import os
import re
import socket
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from harness.errors import SandboxFailed
from harness.sandbox.contract import Ending, Limits, Outcome, Program, Sandbox
from harness.sandbox.warm import Job, Warming

_LIMITS = Limits(
    cpu_seconds=5, wall_seconds=20, memory_bytes=512 * 1024**2, output_bytes=1024**2, file_bytes=1024**2, processes=16,
)
_SECRET = "a secret of the host"
_DRIVERS = Path(__file__).parents[1] / "languages" / "python" / "drivers"


@dataclass(frozen=True)
class Behaviour:
    """One thing that a sandbox must do.

    `code` runs inside; `host` in it stands for the `Host` that is outside. It must end by `ending` with an output that
    matches `prints` as a whole, or by `otherwise`. `isolating` ones can't be expected without isolation.
    """

    name: str
    code: str
    prints: str = "refused"
    ending: Ending = Ending.EXITED
    limits: Limits = _LIMITS
    isolating: bool = True
    otherwise: Ending | None = None


@dataclass(frozen=True)
class Result:
    """Whether a behaviour was shown, and what was seen instead."""

    behaviour: Behaviour
    ok: bool
    seen: str = ""


@dataclass(frozen=True)
class Host:
    """Things outside that nothing inside may reach, but for `library`, a folder below /tmp that is shown."""

    folder: str
    secret: str
    port: int
    abstract: str
    pid: int
    home: str
    shown: tuple[str, ...]
    library: str


def _try(statement: str, also: str = "OSError") -> str:
    """Code that prints `refused` when the statement fails, else `done`."""
    lines = "\n".join(f"    {line}" for line in statement.split("\n"))
    return f"try:\n{lines}\nexcept ({also}) as error:\n    print('refused')\nelse:\n    print('done')"


_FORKS = """
import time
for made in range(1000):
    try:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
    except OSError:
        break
    if made > 16:
        time.sleep(0.05)
print('few' if made <= 16 else made)
"""
_RELAY = """
import time
read, write = os.pipe()
if os.fork():
    os.close(write)
    os.read(read, 1)
    sys.exit('not seen')
for _ in range(20):
    if os.fork():
        os._exit(0)
    while time.process_time() < 0.1:
        pass
"""
_CAPABILITIES = """
import ctypes
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
data = (ctypes.c_uint32 * 6)()
libc = ctypes.CDLL(None)
print('error' if libc.capget(header, data) else 'refused' if not any(data) else list(data))
"""
_HOME = """
seen = set(os.listdir(host.home)) if os.path.isdir(host.home) else set()
print(sorted(seen - set(host.shown)))
"""
_PROCESSES = """
seen = os.listdir('/proc') if os.path.isdir('/proc') else []
print('seen' if str(host.pid) in seen else 'refused')
"""
_CHILD = "if os.fork() == 0:\n    import time\n    time.sleep({seconds})\n    os._exit(0)\n"
_CONNECT = "import socket; socket.create_connection(({}), 5)"
_BUSY = "while True:\n    pass"

_QUICK_CPU = replace(_LIMITS, cpu_seconds=0.4)
_QUICK_WALL = replace(_LIMITS, wall_seconds=0.4)
_QUICK_IDLE = replace(_LIMITS, idle_seconds=0.4)
_LITTLE = replace(_LIMITS, memory_bytes=256 * 1024**2)
_LONG = replace(_LIMITS, cpu_seconds=20)
_SLEEP = "import time; time.sleep(60)"
_STOP = "import signal; os.fork(); os.kill(os.getpid(), signal.SIGSTOP)"
_MANY = "import time\nfor _ in range(7):\n    if os.fork() == 0:\n        break\nb = b'x' * (200 << 20)\ntime.sleep(30)"
_MOUNT = "import ctypes; print(ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None))"
_ABSTRACT = "import socket; socket.socket(socket.AF_UNIX).connect('\\0' + host.abstract)"
_INHERITED = "print(*(n for n in range(3, 256) if not _closed(n)))"
_HIDING = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
_LIMITING_FIRST = "import resource; resource.prlimit(1, resource.RLIMIT_CPU, (1, 1))"
_DEVICES = "print(sorted(set(os.listdir('/dev')) - {'null', 'full', 'random', 'urandom', 'shm'}))"
_HIDDEN = "print(os.listdir(os.path.join(os.path.dirname(os.__file__), 'json')))"

_FILES = """
import time
try:
    for made in range(100_000):
        os.close(os.open(str(made), os.O_CREAT))
except OSError:
    print('few')
else:
    time.sleep(30)
"""
_SOCKETS = """
import socket, time
for made in range(7):
    if os.fork() == 0:
        break
kept = [socket.socketpair() for made in range(100)]
time.sleep(30)
"""
_TABLES = """
import ctypes, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
for number in range(1, 40_000):
    ctypes.string_at(libc.mmap(number << 31, 4096, 1, 0x100022, -1, 0), 1)
time.sleep(30)
"""
_LISTEN = "import socket\nmade = socket.socket(socket.AF_UNIX)\nmade.bind('listening')\nmade.listen()"
_LOCKED = """
import fcntl
for number in range(2):
    with open(os.__file__, 'rb') as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.fcntl(file, 37, bytes([fcntl.F_RDLCK]) + bytes(31))
        seen = fcntl.fcntl(file, 36, bytes([fcntl.F_WRLCK]) + bytes(31))
        if not number and os.fork():
            os.wait()
print(seen[0] == fcntl.F_UNLCK)
"""
_LATE = "sys.path.append(host.library); import late; print(late.VALUE)"

_CALL = "import ctypes, platform; x = platform.machine() == 'x86_64'; libc = ctypes.CDLL(None, use_errno=True)\n"
_THREADS = """
import _thread, time
done = []
for n in range(3):
    _thread.start_new_thread(done.append, (n,))
for _ in range(200):
    if len(done) == 3:
        break
    time.sleep(0.01)
print(sorted(done))
"""


def _call(x86: int, arm: int, arguments: str) -> str:
    """Code that makes a system call by its number and prints `refused` where it fails."""
    return f"{_CALL}print('refused' if libc.syscall({x86} if x else {arm}, {arguments}) == -1 else 'done')"


LIMITING: tuple[Behaviour, ...] = tuple(
    replace(behaviour, isolating=False)
    for behaviour in (
        Behaviour("standard input arrives", "print(sys.stdin.read())", "hello\nworld\n"),
        Behaviour("standard error comes back", "print('heard', file=sys.stderr)", "heard"),
        Behaviour("an exit code is reported", "sys.exit(7)", "code 7"),
        Behaviour("a signal is reported", "os.kill(os.getpid(), 9)", "code 9", Ending.SIGNALLED),
        Behaviour("a busy program ends at its CPU limit", _BUSY, ".*", Ending.CPU_LIMIT, _QUICK_CPU),
        Behaviour("busy children count", "os.fork()\nos.fork()\n" + _BUSY, ".*", Ending.CPU_LIMIT, _QUICK_CPU),
        Behaviour("a sleeping program ends at its wall limit", _SLEEP, ".*", Ending.WALL_LIMIT, _QUICK_WALL),
        Behaviour("what sleeps ends at its idle limit", _SLEEP, ".*", Ending.WALL_LIMIT, _QUICK_IDLE),
        Behaviour("what has stopped itself does, too", _STOP, ".*", Ending.WALL_LIMIT, _QUICK_IDLE),
        Behaviour("endless output ends at its limit", "while True: print('x' * 1000)", "(?s).*", Ending.OUTPUT_LIMIT),
        Behaviour("memory beyond the limit is refused", _try("bytearray(1 << 30)", "MemoryError")),
        Behaviour("children share one memory limit", _MANY, ".*", Ending.MEMORY_LIMIT),
        Behaviour("a file beyond the limit is refused", _try("open('big', 'wb').write(b'x' * (2 << 20))")),
        Behaviour("a child does not outlive the program", _CHILD.format(seconds=30) + "print('ended')", "ended"),
        Behaviour("children end at a limit, too", "os.fork()\n" + _SLEEP, ".*", Ending.WALL_LIMIT, _QUICK_WALL),
        Behaviour("threads can be started", _THREADS, r"\[0, 1, 2\]"),
        Behaviour("a pair of sockets can be made", "import socket; print(len(socket.socketpair()))", "2"),
        Behaviour("the working directory is empty and writable", "print(os.listdir()); open('a', 'w')", r"\[\]"),
    )
)

ISOLATING: tuple[Behaviour, ...] = (
    Behaviour("a fork bomb stays small", _FORKS, "few", otherwise=Ending.PROCESS_LIMIT),
    Behaviour("what children have used counts when they are gone", _RELAY, ".*", Ending.CPU_LIMIT, _QUICK_CPU),
    Behaviour("/tmp is private", "print(sorted(set(os.listdir('/tmp')) - {'work', *host.shown}))", r"\[\]"),
    Behaviour("a file of the host can't be read", _try("open(host.secret).read()")),
    Behaviour("a folder of the host can't be listed", _try("os.listdir(host.folder)")),
    Behaviour("the home folder shows nothing", _HOME, r"\[\]"),
    Behaviour("the users of the host are unknown", _try("open('/etc/passwd').read()")),
    Behaviour("the system can't be written", _try("open('/usr/lib/made', 'w')")),
    Behaviour("the root can't be written", _try("os.mkdir('/made')")),
    Behaviour("what is shown can't be written", _try("open(os.__file__, 'a')")),
    Behaviour("what is hidden is empty", _HIDDEN, r"\[\]"),
    Behaviour("only the given environment is there", "print(set(os.environ) - {'LC_CTYPE', 'PWD'})", "{'GIVEN'}"),
    Behaviour("the host's loopback is not reachable", _try(_CONNECT.format("'127.0.0.1', host.port"))),
    Behaviour("the internet is not reachable", _try(_CONNECT.format("'192.0.2.1', 80"))),
    Behaviour("abstract sockets of the host are not reachable", _try(_ABSTRACT)),
    Behaviour("processes of the host can't be signalled", _try("os.kill(host.pid, 0)")),
    Behaviour("processes of the host can't be seen", _PROCESSES),
    Behaviour("no descriptor is inherited", _INHERITED, ""),
    Behaviour("root can't be had", _try("os.setuid(0)")),
    Behaviour("there are no capabilities", _CAPABILITIES),
    Behaviour("no privileges can be gained", "import ctypes; print(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0))", "1"),
    Behaviour("nothing can be mounted", _MOUNT, "-1"),
    Behaviour("no user namespace can be made", _call(272, 97, "0x10000000")),
    Behaviour("no process is born in a new namespace", _call(56, 220, "0x10000011, 0, 0, 0, 0")),
    Behaviour("no other process can be traced", _call(101, 117, "0, 0, 0, 0")),
    Behaviour("no program can be loaded into the kernel", _call(321, 280, "5, 0, 0")),
    Behaviour("no calls can be queued past the filter", _call(425, 425, "4, ctypes.create_string_buffer(256)")),
    Behaviour("no file without a name can hold memory", _call(319, 279, "b'kept', 0")),
    Behaviour("no segment without a process can hold memory", _call(29, 194, "0, 4096, 0o1600")),
    Behaviour("no nameless mapping can be shared", _try("import mmap; mmap.mmap(-1, 4096)")),
    Behaviour("no semaphores can hold memory", _call(64, 190, "0, 1000, 0o1600")),
    Behaviour("no queue of messages can hold memory", _call(240, 180, "b'queue', 0o102, 0o600, None")),
    Behaviour("no socket listens", _try(_LISTEN)),
    Behaviour("files have no attributes", _try("os.setxattr('/tmp', 'user.kept', b'x')")),
    Behaviour("nothing gets into a pipe uncopied", _call(278, 75, "os.pipe()[1], bytes(16), 0, 0")),
    Behaviour("a pipe holds no more than any", _try("import fcntl; fcntl.fcntl(os.pipe()[1], 1031, 1 << 19)")),
    Behaviour("no table of locks is larger than any", _call(157, 167, "78, 1, 2, 0, 0")),
    Behaviour("empty files are few", _FILES, "few", limits=_LONG, otherwise=Ending.MEMORY_LIMIT),
    Behaviour("sockets count as memory", _SOCKETS, ".*", Ending.MEMORY_LIMIT),
    Behaviour("tables of memory count", _TABLES, ".*", Ending.MEMORY_LIMIT, _LITTLE),
    Behaviour("reading can't be watched", _call(294, 26, "0")),
    Behaviour("locks are seen by nobody", _LOCKED, "(True\n)+True"),
    Behaviour("what is shown below /tmp is there, late", _LATE, "seen"),
    Behaviour("what is shown below /tmp can't be written", _try("open(host.library + '/made', 'w')")),
    Behaviour("the time of children can't be hidden", _try(_HIDING)),
    Behaviour("limits of other processes can't be set", _try(_LIMITING_FIRST)),
    Behaviour("the kernel's keys are out of reach", _call(250, 219, "0, -3, 1")),
    Behaviour("the kernel's log can't be read", _call(103, 116, "10, 0, 0")),
    Behaviour("the processor's counters are out of reach", _call(298, 241, "ctypes.create_string_buffer(128), 0, -1")),
    Behaviour("sockets to the host of a virtual machine are refused", _try("import socket; socket.socket(40, 1)")),
    Behaviour("sockets to the kernel are refused", _try("import socket; socket.socket(16, 3)")),
    Behaviour("sockets of the kernel's ciphers are refused", _try("import socket; socket.socket(38, 5)")),
    Behaviour("there is no terminal", _try("open('/dev/tty')")),
    Behaviour("only harmless devices are there", _DEVICES, r"\[\]"),
    Behaviour("the host's name is hidden", "import socket; print(socket.gethostname())", "sandbox"),
    Behaviour("the first process can't be killed", "try: os.kill(1, 9)\nexcept OSError: pass\nprint('alive')", "alive"),
)

BEHAVIOURS = LIMITING + ISOLATING
OF_JOBS = tuple(behaviour for behaviour in BEHAVIOURS if behaviour.name != "what is hidden is empty")
"""What jobs of a warm process show, too."""
KNOWN: dict[str, dict[str, str]] = {
    "container": {
        "only harmless devices are there": "/dev also has a zero that can't be mapped, tty, ptmx and mqueue",
    },
}
"""Behaviours that a sandbox, by its name, is known not to show, with what is there instead."""

_PREAMBLE = """
import os, sys
from types import SimpleNamespace
host = SimpleNamespace(**{host!r})
def _closed(number):
    try:
        os.fstat(number)
    except OSError:
        return True
"""


def check(sandbox: Sandbox, behaviours: Sequence[Behaviour] = BEHAVIOURS) -> list[Result]:
    """Run behaviours, all of them unless some are named."""
    with host() as outside:
        return [check_one(sandbox, behaviour, outside) for behaviour in behaviours]


class AsJobs:
    """A sandbox whose programs are jobs of one warm process, so that warm processes show the same behaviours."""

    def __init__(self, sandbox: Warming) -> None:
        start = f"import sys; sys.path.insert(0, {str(_DRIVERS)!r}); import python_server; "
        shown = _program(start + "python_server.main(int(sys.argv[1]))")
        # What is hidden from programs at their start would be hidden from the warm process, which needs it.
        self.server = sandbox.warm(replace(shown, readable=(*shown.readable, _DRIVERS), hidden=()), "")
        self.name = self.isolation = "warm"

    def run(self, program: Program, limits: Limits) -> Outcome:
        """Run the program's code as a job."""
        return self.server.run(Job(program.argv[-1], program.stdin, folder=program.folder), limits)

    def close(self) -> None:
        """End the warm process."""
        self.server.close()


def check_one(sandbox: Sandbox, behaviour: Behaviour, outside: Host) -> Result:
    """Run one behaviour."""
    code = _PREAMBLE.format(host=vars(outside)) + behaviour.code
    try:
        outcome = sandbox.run(_program(code), behaviour.limits)
    except SandboxFailed as error:
        return Result(behaviour, False, str(error))
    seen = _seen(outcome)
    ok = outcome.ending is behaviour.ending and re.fullmatch(behaviour.prints, seen) is not None
    ok = ok or (behaviour.otherwise is not None and outcome.ending is behaviour.otherwise)
    return Result(behaviour, ok, "" if ok else f"{outcome.ending}: {seen[-300:]}")


def _seen(outcome: Outcome) -> str:
    """What it printed, or its code where it printed nothing and ended badly."""
    text = (outcome.stdout + outcome.stderr).decode("utf-8", "replace").removesuffix("\n")
    return f"code {outcome.code}" if outcome.code and not text else text


def _program(code: str) -> Program:
    """The code in this very interpreter, with nothing but the standard library, a part of which is hidden."""
    stdlib = Path(os.__file__).resolve().parent
    command = (str(_shown()[0]), "-I", "-S", "-B", "-c", code)
    return Program(command, _shown(), b"hello\nworld\n", {"GIVEN": "1"}, "/tmp/work", (stdlib / "json",))


def _shown() -> tuple[Path, ...]:
    """The interpreter, its library and its shared objects, and a folder below /tmp."""
    base = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    libraries = Path(sysconfig.get_config_var("LIBDIR") or "/nowhere").glob("libpython3*.so*")
    return (base, Path(os.__file__).resolve().parent, *sorted(libraries), _library())


@cache
def _library() -> Path:
    """A folder with a module, below /tmp, where caches may lie as well; it goes with this process."""
    made = tempfile.TemporaryDirectory(prefix="code2bench-shown-", dir="/tmp")
    atexit.register(made.cleanup)
    folder = Path(made.name)
    folder.chmod(0o755)
    (folder / "late.py").write_text("VALUE = 'seen'\n")
    return folder


@contextmanager
def host() -> Iterator[Host]:
    """Things outside that are really there: a secret file, listening sockets, an open descriptor."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="code2bench-check-"))
        secret = Path(folder) / "secret"
        secret.write_text(_SECRET)
        secret.chmod(0o644)
        Path(folder).chmod(0o755)
        descriptor = os.open(secret, os.O_RDONLY)
        stack.callback(os.close, descriptor)
        os.set_inheritable(descriptor, True)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = Path(folder).name
        if sys.platform == "linux":
            local = stack.enter_context(socket.socket(socket.AF_UNIX))
            local.bind("\0" + abstract)
            local.listen()
        home, port = Path(os.path.expanduser("~")), tcp.getsockname()[1]
        paths = [(path, above) for path in (*_shown(), _DRIVERS) for above in (home, Path("/tmp"))]
        shown = tuple(path.relative_to(above).parts[0] for path, above in paths if path.is_relative_to(above))
        yield Host(folder, str(secret), port, abstract, os.getpid(), str(home), shown, str(_library()))
