"""Runs inside the sandbox: loads a program as a module of its own."""

from __future__ import annotations

import _ast
import sys

from .reports import FILE, MODULE, message_of, raised_where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

_MOST_LEFT_OUT = 100
_ONLY_TREE, _FUTURES = 0x400, 0x1FE0000
"""Flags of `compile`: give the tree, and what `from __future__` has switched on."""
NEEDED = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef, _ast.Import, _ast.ImportFrom)
"""What is not left out because it takes long: what others use."""


class Loading:
    """A program that is loaded as a module of its own; the statements that can't run may be left out of it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.module = type(sys)(MODULE)
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


def load_error(error: BaseException, source: str) -> str:
    """The exception in words; `SyntaxError` comes first exactly where the text itself can't be compiled."""
    try:
        compile(source, FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as syntax:
        line = getattr(syntax, "lineno", None)
        return f"SyntaxError: {message_of(syntax)}" + (f" at line {line}" if line and "line" not in str(syntax) else "")
    except BaseException:
        pass
    where = raised_where(error)
    raised = "raised " if isinstance(error, SyntaxError) else ""
    return f"{raised}{type(error).__name__}: {message_of(error)}" + (f" ({where})" if where else "")
