"""Python programs: put together for the runtime's version, and taken apart."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pipeline.languages.programs import Unreadable
from pipeline.languages.python.entry_names import renamed
from pipeline.languages.python.plain import plain
from pipeline.languages.python.reading import undecorated
from pipeline.languages.python.scoping.conditions import RUNTIME


class PythonPrograms:
    """How Python's programs are put together and taken apart."""

    def program(self, imports: Sequence[str], source: str, before: str = "") -> str:
        """Imports or what else stands before, then the function; raises `Unreadable` where the runtime refuses it."""
        bare = source.startswith(("def ", "async def "))
        function = source.rstrip() + "\n" if bare else undecorated(source)
        text = ("\n".join(imports) + "\n\n\n" if imports else "") + before + function
        try:
            ast.parse(text, feature_version=RUNTIME)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise Unreadable(f"Python {RUNTIME[0]}.{RUNTIME[1]} refuses it: {error}") from error
        return text

    def plain(self, program: str) -> str:
        """The program's code in one layout, without comments."""
        return plain(program)

    def imports(self, text: str) -> tuple[str, ...]:
        """The import statements at the top of a text."""
        return tuple(
            ast.get_source_segment(text, node) or ""
            for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom)))

    def stub(self, instruction: str) -> str:
        """The instruction's own text, with a body that returns None."""
        return f"{instruction.rstrip()}\n    return None\n"

    def renamed(self, program: str, old: str, new: str) -> str:
        """The program with a function called otherwise; raises `Unreadable` where that can't be."""
        return renamed(program, old, new)

    def fault(self, text: str) -> str:
        """What is wrong with the syntax of a text."""
        try:
            ast.parse(text)
        except SyntaxError as error:
            return error.msg or "there is a syntax error"
        except (ValueError, RecursionError, MemoryError) as error:
            return str(error) or type(error).__name__
        return ""
