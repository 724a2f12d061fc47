"""Runs inside the sandbox: loads a program, calls it with each input, reports what came back. Holds no expected value.

A line of JSON comes in on stdin, and a second one with the inputs, once the program was loaded: it can't know them
before. JSON lines go out through a private duplicate of stdout: first how loading went, then one line per call,
gathered for as long as calls are fast. A line begins with what differs from run to run, so that the rest of two lines
can be compared as text. All that it does before the program is loaded is kept small, because it is paid for per run.
"""

from __future__ import annotations

import _ast
import builtins
import gc
import json
import math
import os
import resource
import select
import signal
import sys
import time
from _sitebuiltins import Quitter
from functools import partial
from types import FrameType, ModuleType

import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeAlias

    Leaving: TypeAlias = Callable[[FrameType | None, tuple[type, ...]], None]

MODULE = "solution"
FILE = "solution.py"
ITERATOR_ITEMS = 100_000
_WALL_FACTOR, _WALL_FLOOR = 10, 10
_MESSAGE = 1000
CHANNEL, INPUT = 250, 249
"""The numbers of the private channels: those that programs hardly open, or close, as a file by mistake."""
_LOOK = 0.1
"""Seconds between two looks at whether a fork that writes nothing has ended."""
_TICK = 0.05
"""Seconds between two looks at how long a call takes, once its time may be over."""
_EARLY = 0.75
"""The part of a call's time before which no timer strikes: where a program traces its calls, it sees the handler's."""
_ROOM = sys.getrecursionlimit()
"""How deep a program may call, counted from where it is loaded: what has started the driver takes nothing of it."""
_PENDING, _GATHERING = 1 << 16, 0.05
"""Characters of lines that are gathered at most, and for how many seconds."""
_IDLE, _IDLE_TICK, _IDLE_SHARE = 5.0, 0.23, 0.02
"""Seconds that a statement may do nothing while the program is loaded, how often to look, what counts as nothing."""
_LOAD_TICK = 1.03
_NO_TIME, _READ = 0.001, 0.02
"""Seconds of a call that are none, and for how many the clocks are not read then."""
_MOST_LEFT_OUT = 100
_ONLY_TREE, _FUTURES = 0x400, 0x1FE0000
"""Flags of `compile`: give the tree, and what `from __future__` has switched on."""
_NEEDED = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef, _ast.Import, _ast.ImportFrom)
_EXCEPTIONS = {name: kind for name, kind in vars(builtins).items() if isinstance(kind, type)
               and issubclass(kind, BaseException)}
_mro, _own_name = type.__dict__["__mro__"].__get__, type.__dict__["__name__"].__get__
"""What a type is called and derived from, whatever it says of itself."""


_written: Callable[[Any], str] = values.canonical
_OWN = tuple(name for name in sys.modules if name.partition(".")[0] in ("values", __name__))
"""The modules beside the programs' own."""


class Report:
    """The private channel out. What is reported is gathered, unless lines are wanted `each` for itself."""

    def __init__(self, each: bool) -> None:
        self.each = each
        self.lines: list[str] = []
        self.size = 0
        self.descriptor = os.dup2(1, CHANNEL, inheritable=False)
        os.dup2(0, INPUT, inheritable=False)
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        os.close(null)

    def line(self, line: str) -> None:
        """Report one line."""
        self.lines.append(line)
        self.size += len(line)
        if self.each or self.size > _PENDING:
            self.flush()

    def flush(self) -> None:
        """Write what there is, in whole lines."""
        if self.lines:
            text = "\n".join(self.lines) + "\n"
            self.lines, self.size = [], 0
            self.raw(text.encode())

    def raw(self, text: bytes) -> None:
        """Write lines that are made already."""
        rest = memoryview(text)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]

    def end(self) -> None:
        """What a program has reported is complete."""
        self.flush()


class Gathered:
    """What one of several programs in a process reports: one line for all of it, when it is complete."""

    def __init__(self, out: Report) -> None:
        self.out = out
        self.lines: list[str] = []
        self.started = time.process_time()

    def line(self, line: str) -> None:
        """Keep one line."""
        self.lines.append(line)

    def flush(self) -> None:
        """Nothing is written before the end."""

    def end(self) -> None:
        """Write what there is."""
        wrote = "".join(line + "\n" for line in self.lines)
        self.out.line(_written({"wrote": wrote, "code": 0, "cpu": time.process_time() - self.started}))


class Timer:
    """Ends the process when a call takes too long: at its CPU limit, or when it sleeps for many times that.

    The handler, which looks at the clocks, runs between bytecodes and can't be swallowed; the limit on the process,
    moved along with each call, ends what never comes back to the interpreter. Timers are set anew only where they would
    strike too late or much too early for a call, which is once in many calls. With `grace`, one call may go on for
    so many times its time; what it has taken is told, and its process lives on. Unless it is to be `exact`, a call that
    takes next to no time takes none, since to read the clocks would take as long; what it took is laid to the next one.
    """

    def __init__(self, report: Report | Gathered, grace: float = 1.0, exact: bool = True) -> None:
        self.report = report
        self.exact = exact
        self.read = 0.0
        self.grace = grace
        self.leave: Leaving | None = None
        self.idle = self.looked = 0.0
        self.process = self.thread = self.began = 0.0
        self.due = self.due_by_wall = 0.0
        self.seconds = self.wall = math.inf
        self.soft = -1
        self.hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        signal.signal(signal.SIGPROF, self.look)
        signal.signal(signal.SIGALRM, self.look)
        self.forked = False
        os.register_at_fork(after_in_child=partial(setattr, self, "forked", True))

    def start(self, seconds: float) -> None:
        """Begin the time of a call, which is where that of the one before it has ended."""
        wall = _WALL_FACTOR * seconds
        wall = wall if wall > _WALL_FLOOR else _WALL_FLOOR
        self.seconds, self.wall = seconds, wall
        if not _EARLY * seconds <= self.due - self.process <= seconds:
            self._set_cpu(seconds)
        if not _EARLY * wall <= self.due_by_wall - self.began <= wall:
            self._set_wall(wall)
        soft = int(self.process + self.grace * seconds) + 2
        soft = soft if self.hard == resource.RLIM_INFINITY else min(soft, self.hard)
        if soft != self.soft:
            resource.setrlimit(resource.RLIMIT_CPU, (soft, self.hard))
            self.soft = soft

    def load(self, most: float, leave: Leaving) -> None:
        """Begin the time of loading, or of what is left of it, of all of which there are so many CPU seconds.

        After half of what is left, or when nothing happens, `leave` is asked to go on.
        """
        self.looked, self.began = time.process_time(), time.monotonic()
        self.leave, self.seconds = leave, (self.looked + most) / 2
        signal.setitimer(signal.ITIMER_PROF, max(_TICK, self.seconds - self.looked), _LOAD_TICK)
        signal.setitimer(signal.ITIMER_REAL, 1.0, _IDLE_TICK)

    def _look_at_loading(self, frame: FrameType | None) -> None:
        """Go on behind a statement that takes too long; where it can't be left, it takes what there is."""
        process, now = time.process_time(), time.monotonic()
        self.idle += now - self.began if process - self.looked < _IDLE_SHARE * (now - self.began) else -self.idle
        self.looked, self.began = process, now
        leave = self.leave
        if leave is not None and self.idle >= _IDLE:
            self.idle = 0.0
            leave(frame, ())
        elif leave is not None and process >= self.seconds:
            leave(frame, _NEEDED)

    def _set_cpu(self, left: float) -> None:
        """Let the timer of CPU time strike when that of the call is over, and again and again.

        Where the program handles its signal by now, the timer is the program's as well.
        """
        self.due = self.process + self.seconds
        if signal.getsignal(signal.SIGPROF) == self.look:
            signal.setitimer(signal.ITIMER_PROF, left, _TICK)

    def _set_wall(self, left: float) -> None:
        """The same by the wall clock."""
        self.due_by_wall = self.began + self.wall
        if signal.getsignal(signal.SIGALRM) == self.look:
            signal.setitimer(signal.ITIMER_REAL, left, _TICK)

    def stop(self) -> float:
        """End the time of a call; gives the CPU seconds that it took."""
        if self.forked:
            # A fork of the program's own that ends by an exception, as that of `sys.exit`, has nothing to report.
            os._exit(0)
        now = time.monotonic()
        if now - self.began < _NO_TIME and now - self.read < _READ and not self.exact:
            self.seconds, self.began = math.inf, now
            return 0.0
        process, thread = time.process_time(), time.thread_time()
        spent = _longer(process - self.process, thread - self.thread)
        if spent > self.seconds:
            self.grace = 1.0
        if self.leave is not None:
            for timer, tick in ((signal.ITIMER_PROF, _LOAD_TICK), (signal.ITIMER_REAL, _IDLE_TICK)):
                if abs(signal.getitimer(timer)[1] - tick) < 0.005:
                    signal.setitimer(timer, 0)
        self.seconds, self.leave = math.inf, None
        self.process, self.thread, self.began = process, thread, time.monotonic()
        self.read = self.began
        return spent

    def spent(self) -> float:
        """The CPU seconds since the start."""
        return _longer(time.process_time() - self.process, time.thread_time() - self.thread)

    def look(self, number: int, frame: FrameType | None) -> None:
        """Report a time-out and end at once; the remaining calls go to a new process. Else strike again in time."""
        del number
        if self.leave is not None:
            self._look_at_loading(frame)
            return
        if self.seconds == math.inf:
            return
        what, cpu = "CPU", self.spent()
        if self.seconds <= cpu < self.grace * self.seconds:
            self._set_cpu(self.grace * self.seconds - cpu)
            return
        if cpu < self.seconds:
            what, left = "wall", self.wall - (time.monotonic() - self.began)
            if left > 0:
                self._set_cpu(self.seconds - cpu)
                self._set_wall(left)
                return
        self.report.line(_written({
            "cpu": cpu, "where": _line_of(frame), "status": "timeout", "detail": f"{what} time",
        }))
        self.report.end()
        os._exit(0)


def _depth() -> int:
    """How deep this process is in calls."""
    depth, frame = 0, sys._getframe().f_back
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


def _longer(process: float, thread: float) -> float:
    """The time by two clocks: that of the process is as coarse as the tick while a timer runs on it."""
    return process if process > thread else thread


def _line_of(frame: FrameType | None) -> str:
    """The innermost line of the program above a frame."""
    while frame is not None:
        if frame.f_code.co_filename == FILE:
            return f"line {frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    return ""


def _raised_where(error: BaseException) -> str:
    """The last line of the program that an exception came through."""
    where, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            where = f"line {trace.tb_lineno} in {trace.tb_frame.f_code.co_name}"
        trace = trace.tb_next
    return where


def _message(error: BaseException) -> str:
    """The text of an exception, as far as it has one that is safe to write."""
    try:
        return str(error)[:_MESSAGE].encode("utf-8", "backslashreplace").decode("utf-8")
    except BaseException:
        return ""


class Loading:
    """A program that is loaded as a module of its own; the statements that can't run may be left out of it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.module = ModuleType(MODULE)
        self.module.__file__, self.module.__loader__ = FILE, self  # type: ignore[assignment]
        self.code: Any = None
        self.futures = 0
        self.statements: list[Any] = []
        self.error: BaseException | None = None
        self.whole = self.forgiving = True

    def get_source(self, name: str) -> str:
        """The program, for those who look at their own source."""
        del name
        return self.source

    def run(self, forgiving: bool) -> None:
        """Run it; the first exception is kept as `error`, and where we are `forgiving` the rest runs behind it."""
        sys.modules[MODULE] = self.module
        self.forgiving = forgiving
        try:
            self.code = compile(self.source, FILE, "exec", dont_inherit=True)
        except BaseException as error:
            self.error = error
            if not forgiving or not self._without_misplaced():
                return
        self.futures = self.code.co_flags & _FUTURES
        if not forgiving:
            self._place_of_failure()
            self.whole = self.error is None
        else:
            self.go_on()

    def go_on(self) -> None:
        """Run what is left, without what can't run."""
        for _ in range(_MOST_LEFT_OUT):
            place = self._place_of_failure()
            if place is None or not self.skip(place):
                break

    def _without_misplaced(self) -> bool:
        """Leave out statements that can be read and not compiled, such as an `await` at the top level."""
        try:
            self.statements = compile(self.source, FILE, "exec", _ONLY_TREE, dont_inherit=True).body
            self.statements = [statement for statement in self.statements if self._compiles(statement)]
            self._compile()
        except BaseException:
            return False
        return True

    def _compiles(self, statement: Any) -> bool:
        try:
            compile(_ast.Module([statement], []), FILE, "exec", dont_inherit=True)
        except SyntaxError:
            return False
        return True

    def _compile(self) -> None:
        rest = _ast.Module(self.statements, [])
        self.code = compile(rest, FILE, "exec", self.futures, dont_inherit=True)

    def _place_of_failure(self) -> tuple[int, int] | None:
        """Run what is left, and give the line and column of what failed, None where nothing did."""
        try:
            exec(self.code, self.module.__dict__)
        except BaseException as error:
            self.error = self.error or error
            trace = error.__traceback__
            while trace is not None and trace.tb_frame.f_code is not self.code:
                trace = trace.tb_next
            return _place(self.code, trace.tb_lasti, trace.tb_lineno) if trace is not None else None
        return None

    def skip(self, place: tuple[int, int], unless: tuple[type, ...] = ()) -> bool:
        """Leave out all up to the statement at a place; False where it is one of some kinds."""
        if not self.statements:
            self.statements = _apart(compile(self.source, FILE, "exec", _ONLY_TREE, dont_inherit=True).body)
        while len(self.statements) > 1 and _start(self.statements[1]) <= place:
            self.statements.pop(0)
        if isinstance(self.statements[0], unless):
            return False
        self.statements.pop(0)
        if not self.statements:
            self.statements = [_ast.Pass(lineno=place[0], col_offset=0, end_lineno=place[0], end_col_offset=4)]
        self._compile()
        return True

    def leave(self, frame: FrameType | None, unless: tuple[type, ...]) -> bool:
        """Leave out the statement in which a frame is, unless it is one of some kinds; whether that was done."""
        while frame is not None and frame.f_code is not self.code:
            frame = frame.f_back
        return frame is not None and self.skip(_place(self.code, frame.f_lasti, frame.f_lineno), unless)

    def define_again(self, name: str) -> None:
        """Define a function once more whose name was used for something else since, as by a demonstration's loop."""
        body = compile(self.source, FILE, "exec", _ONLY_TREE, dont_inherit=True).body
        kinds = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)
        again: list[Any] = [one for one in body if isinstance(one, kinds) and one.name == name][-1:]
        exec(compile(_ast.Module(again, []), FILE, "exec", self.futures, dont_inherit=True), self.module.__dict__)

    def entry(self, name: str) -> Any:
        """The entry point; raises what has kept the program from defining it, or from being loaded whole."""
        if self.error is not None and not self.whole:
            raise self.error
        if self.forgiving and not callable(getattr(self.module, name, None)):
            self.define_again(name)
        found: Any = self.module
        for part in name.split("."):
            if not hasattr(found, part):
                raise self.error or NameError(f"the entry point {name} is not defined")
            found = getattr(found, part)
        if not callable(found):
            raise self.error or TypeError(f"the entry point {name} is not callable")
        return found


def _start(statement: Any) -> tuple[int, int]:
    """The line and column at which a statement begins, decorators included."""
    nodes = (statement, *getattr(statement, "decorator_list", ()))
    return min((int(node.lineno), int(node.col_offset)) for node in nodes)


def _place(code: Any, instruction: int, line: int) -> tuple[int, int]:
    """The line and column of an instruction of a program."""
    places = list(code.co_positions())
    found = places[instruction // 2] if 0 <= instruction // 2 < len(places) else (line, None, 0, None)
    return found[0] or line, found[2] or 0


def _apart(statements: list[Any]) -> list[Any]:
    """The statements, an import of several modules as one for each: what one lacks the others need not."""
    found = []
    for statement in statements:
        if isinstance(statement, _ast.Import) and len(statement.names) > 1:
            for name in statement.names:
                where = {key: getattr(name, key) for key in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
                found.append(_ast.Import([name], **where))
        else:
            found.append(statement)
    return found


def _load_error(error: BaseException, source: str) -> str:
    """The exception in words; `SyntaxError` comes first exactly where the text itself can't be compiled."""
    try:
        compile(source, FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as syntax:
        line = getattr(syntax, "lineno", None)
        return f"SyntaxError: {_message(syntax)}" + (f" at line {line}" if line and "line" not in str(syntax) else "")
    except BaseException:
        pass
    where = _raised_where(error)
    raised = "raised " if isinstance(error, SyntaxError) else ""
    return f"{raised}{type(error).__name__}: {_message(error)}" + (f" ({where})" if where else "")


def call(function: Callable[..., Any], raw: list[Any], watching: bool = True, lenient: bool = False) -> str:
    """Call the entry point with fresh arguments; what came back, as the fields of the line to report but the time.

    What has become of the arguments is told as well, where somebody is `watching` them. Where we are `lenient`, values
    of subclasses are told as those of their base, and of an exception what it is besides.
    """
    try:
        args, kwargs = _arguments(raw, watching)
    except values.NotDecodable as error:
        return _fields({"status": "crashed", "detail": f"its input can't be made here: {error}"})
    try:
        result = function(*args, **kwargs)
        fields = f'"status":"returned","value":{_written(values.encode(result, ITERATOR_ITEMS, lenient))}'
    except values.NotEncodable as error:
        fields = _fields({"status": "unencodable", "detail": str(error)})
    except BaseException as error:
        fields = _raised(error, lenient)
    return fields + _mutated(raw, [*args, *kwargs.values()], lenient) if watching else fields


def _raised(error: BaseException, lenient: bool) -> str:
    """What is told of an exception: where it was raised, its type, its text."""
    general = {id(kind) for kind in (Exception, BaseException, object)}
    kinds = [kind for kind in _mro(type(error)) if id(kind) not in general]
    name, *bases = [_name(kind) for kind in kinds or [type(error)]]
    also = {"is": bases} if lenient and bases else {}
    return _fields({"where": _raised_where(error), **also, "status": "raised", "exception": name,
                    "message": _message(error)})


def _name(kind: type) -> str:
    """The name of a type of exceptions; one that only calls itself like a built-in one is told apart from it."""
    name = _own_name(kind)
    return name if _EXCEPTIONS.get(name, kind) is kind else f"{MODULE}.{name}"


def _fields(data: dict[str, Any]) -> str:
    """The members of an object of JSON, without its braces."""
    return _written(data)[1:-1]


def _arguments(raw: list[Any], watching: bool) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call; those in which JSON stands for itself are there already, fresh, unless some are kept."""
    args, named, plain = raw
    if plain and not watching:
        return args, dict(named)
    return [values.decode(arg) for arg in args], {name: values.decode(arg) for name, arg in named}


def _mutated(raw: list[Any], after: list[Any], lenient: bool) -> str:
    """The arguments after the call where it has changed them, as a field of the line."""
    before = [*raw[0], *(arg for _, arg in raw[1])]
    if all(type(arg) in (str, int, float, bool, type(None)) for arg in before):
        return ""
    if raw[2] and _same(before, after):
        return ""
    try:
        left = values.encode(after, bases=lenient)
    except BaseException as error:
        return "," + _fields({"detail": f"arguments after the call: {_message(error) or type(error).__name__}"})
    text = values.canonical(left)
    if text == values.canonical(before) or text == values.canonical([values.encode(values.decode(b)) for b in before]):
        return ""
    return f',"mutated":{text}'


def _same(before: Any, after: Any) -> bool:
    """Whether two values for which JSON stands are the same to the type; False may be wrong, and then costs time."""
    kind = type(before)
    if kind is not type(after):
        return False
    if kind is list:
        return len(before) == len(after) and all(map(_same, before, after))
    if kind is dict:
        return list(before) == list(after) and all(map(_same, before.values(), after.values()))
    return repr(before) == repr(after) if kind is float else bool(before == after)


def _hide() -> None:
    """Take the driver's own modules out of the program's way, and give it what `site` would have given."""
    for name in ("exit", "quit"):
        setattr(builtins, name, Quitter(name, "Ctrl-D"))
    for name in _OWN:
        sys.modules.pop(name, None)


def _line_in(whole: bool) -> Any:
    """The JSON that comes in next: a line of it, or the `whole` of what is left."""
    data = bytearray()
    os.set_blocking(INPUT, True)
    while part := os.read(INPUT, 1 << 20):
        data += part
        if not whole and part.endswith(b"\n"):
            break
    return json.loads(data)


def main(folder: str) -> None:
    """Read the task, load the program, make the calls; with several programs, in forks of this process."""
    gc.disable()
    report = Report(each=True)
    task = _line_in(whole=False)
    report.each = task["each"]
    # What is read here stays until the end: no collection has to look at it.
    gc.freeze()
    gc.enable()
    sys.path.remove(folder)
    sys.path += task["paths"]
    sys.argv = [FILE]
    _hide()
    if "programs" in task:
        os.close(INPUT)
        _serve(task, report)
    _run(task["program"], task["entry_point"], _calls_behind, report, task)
    os._exit(0)


def _calls_behind() -> tuple[list[Any], list[float]]:
    """The calls and their seconds, which come in when the program is loaded."""
    collecting = gc.isenabled()
    gc.disable()
    behind = _line_in(whole=True)
    os.close(INPUT)
    gc.freeze()
    if collecting:
        gc.enable()
    return behind["calls"], behind["seconds"]


def _both(calls: list[Any], seconds: list[float]) -> tuple[list[Any], list[float]]:
    """Inputs that are there already."""
    return calls, seconds


_PLAIN_TASK: dict[str, Any] = {"watching": True, "lenient": False, "grace": 1.0, "exact": True, "load": 0.0}


def _run(
    source: str, entry_point: str, inputs: Callable[[], tuple[list[Any], list[float]]], report: Report | Gathered,
    task: dict[str, Any] = _PLAIN_TASK,
) -> None:
    """Load a program and make the calls, each with its limit of CPU seconds."""
    timer, program = Timer(report, task["grace"], task["exact"]), Loading(source)

    def rest() -> None:
        timer.stop()
        try:
            function = program.entry(entry_point)
        except BaseException as error:
            report.line(_written({"load_error": _load_error(error, source)}))
            report.end()
            return
        program.error = None
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = max(time.process_time(), time.thread_time()) + children.ru_utime + children.ru_stime
        report.line(_written({"load_error": None, "cpu": cpu}))
        # The calls come in, and their time is watched, from this line on.
        report.flush()
        calls, seconds = inputs()
        _make(function, calls, seconds, timer, report, task)

    def leave(frame: FrameType | None, unless: tuple[type, ...]) -> None:
        # What it is in never gets back the word: it may catch whatever is raised.
        if program.leave(frame, unless):
            timer.load(task["load"], leave)
            sys.setrecursionlimit(sys.getrecursionlimit() + _depth())
            program.go_on()
            os._exit = _end_at_once
            rest()
            os._exit(0)

    sys.setrecursionlimit(_ROOM + _depth())
    if task["lenient"]:
        timer.load(task["load"], leave)
    with _raising_exits(task["lenient"]):
        program.run(forgiving=task["lenient"])
    rest()


class _raising_exits:
    """While a program is loaded, its end at once is an exception like that of `sys.exit`, but in its children."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted

    def __enter__(self) -> None:
        own = os.getpid()

        def ends(status: int) -> NoReturn:
            if os.getpid() != own:
                _end_at_once(status)
            raise SystemExit(status)

        if self.wanted:
            os._exit = ends

    def __exit__(self, *_: object) -> None:
        os._exit = _end_at_once


_end_at_once = os._exit


def _make(
    function: Callable[..., Any], calls: list[Any], seconds: list[float], timer: Timer, report: Report | Gathered,
    task: dict[str, Any],
) -> None:
    """Make the calls and report each of them."""
    watching, lenient = task["watching"], task["lenient"]
    timer.stop()
    wrote = timer.began
    for raw, most in zip(calls, seconds, strict=True):
        timer.start(most)
        fields = call(function, raw, watching, lenient)
        spent = timer.stop()
        report.line(f'{{"cpu":{spent!r},{fields}}}' if spent else f"{{{fields}}}")
        if timer.began - wrote > _GATHERING:
            report.flush()
            wrote = timer.began
    report.end()


def _serve(task: dict[str, Any], report: Report) -> NoReturn:
    """Run the programs in forks that can write to a pipe of their own only; hand on what they wrote, one line for each.

    The programs of a group share a fork. The one in which a group's fork dies runs again, alone; what comes after it
    is a group again.
    """
    for name in task["preload"]:
        try:
            __import__(name)
        except BaseException:
            # The program that needs it will say so.
            continue
    for raw in task["calls"]:
        try:
            values.decode([*raw[0], *(argument for _, argument in raw[1])])
        except values.NotDecodable:
            # What arguments need is imported here once, not in each fork; the calls will tell what can't be made.
            continue
    gc.freeze()
    programs = [(program, [task["calls"][place] for place in places], [task["seconds"][place] for place in places])
                for program, places in zip(task["programs"], task["places"], strict=True)]
    for size in task["together"]:
        group, programs = programs[:size], programs[size:]
        while group:
            wrote = _forked(group, task, report)[0].split(b"\n")[:-1] if len(group) > 1 else []
            for line in wrote[: len(group)]:
                report.raw(line + b"\n")
            group = group[len(wrote) :]
            if group:
                data, code, cpu = _forked([group.pop(0)], task, report)
                report.line(_written({"wrote": data.decode("utf-8", "replace"), "code": code, "cpu": cpu}))
    os._exit(0)


def _forked(
    programs: list[tuple[str, list[Any], list[float]]], task: dict[str, Any], report: Report
) -> tuple[bytes, int, float]:
    """Run programs in one fork: what it wrote, how it ended and its CPU seconds."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setsid()
            os.close(read)
            os.dup2(write, report.descriptor)
            os.close(write)
            most = len(programs) * task["cpu"]
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            resource.setrlimit(resource.RLIMIT_AS, (task["memory"], task["memory"]))
            for program, calls, seconds in programs:
                into = Gathered(report) if len(programs) > 1 else report
                _run(program, task["entry_point"], partial(_both, calls, seconds), into)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(write)
    data = _collected(read, child, len(programs) * task["wall"], len(programs) * task["output"])
    _end(child)
    _, status, usage = os.wait4(child, 0)
    return data, os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def _collected(read: int, child: int, wall: float, most: int) -> bytes:
    """What a fork writes until it ends, or until it has had all of its time or output; it is not waited for yet."""
    data, deadline, ended = bytearray(), time.monotonic() + wall, False
    while len(data) < most and time.monotonic() < deadline:
        if select.select([read], [], [], 0 if ended else _LOOK)[0]:
            part = os.read(read, 1 << 16)
            if not part:
                break
            data += part
        elif ended:
            # What it has left behind keeps the pipe open.
            break
        else:
            ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    os.close(read)
    return bytes(data)


def _end(child: int) -> None:
    """End a fork and what it has started, as far as that has not left its group."""
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        os.kill(child, signal.SIGKILL)
