"""S9: functions of Python's own on numbers become those of numpy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.preserving.evolving.building import expression, imported, shadowed
from pipeline.transforms.preserving.evolving.growing import Growing, Site, functions, gone, origin_of
from pipeline.transforms.preserving.places import Slot, within

_INTS = frozenset({"list:int", "tuple:int"})
_FLAT = frozenset({"list:int", "list:str", "list:bool", "list:", "tuple:int", "tuple:str", "tuple:bool", "list:float"})
_FORMS = {
    "max": "np.max({}).item()", "min": "np.min({}).item()", "sum": "np.sum({}).item()",
    "sorted": "np.sort({}).tolist()", "len": "np.shape({})[0]", "any": "np.any({}).item()",
    "all": "np.all({}).item()", "abs": "np.abs({}).item()",
}
_PAIRS = {"max": "np.maximum({}, {}).item()", "min": "np.minimum({}, {}).item()"}


class ReplaceNumpy:
    """Calls whose arguments were, in all cases, kinds of values for which numpy gives exactly the same.

    These are whole numbers of 31 bits at most, alone or in lists; empty lists only where both give the same. Sums of
    floating-point numbers never change: numpy adds them pairwise.
    """

    code, name = "S9", "ReplaceNumpy"

    def sites(self, program: Growing) -> list[Site]:
        """The calls."""
        return [Site(number) for number, *_ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Let numpy do it."""
        for number, tree, slot, form in self._found(program):
            if number == site.origin:
                call = slot.node
                assert isinstance(call, ast.Call)
                np = imported(program, tree, "numpy")
                names = [f"PART{place}" for place in range(len(call.args))]
                text = form.format(*names).replace("np.", f"{np}.")
                slot.put(expression(text, **dict(zip(names, call.args, strict=True))))
                return
        raise gone()

    def _found(self, program: Growing) -> Iterator[tuple[int, ast.Module, Slot, str]]:
        for tree, function in functions(program):
            hidden = shadowed(tree)
            for slot in within(function):
                number, node = origin_of(slot.node), slot.node
                if number is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                    continue
                if node.func.id in _FORMS.keys() - hidden and not node.keywords and (form := _form(program, node)):
                    yield number, tree, slot, form


def _form(program: Growing, call: ast.Call) -> str:
    """How numpy writes a call, "" where that is not known to be the same."""
    assert isinstance(call.func, ast.Name)
    name = call.func.id
    seen = [program.facts.kinds.get(origin_of(one) or -1, frozenset()) for one in call.args]
    if not seen or not all(seen) or any(isinstance(one, (ast.Starred, ast.GeneratorExp)) for one in call.args):
        return ""
    if len(seen) == 2 and name in _PAIRS:
        return _PAIRS[name] if all(one == {"int"} for one in seen) else ""
    if len(seen) != 1:
        return ""
    kinds = seen[0]
    fits = {
        "abs": kinds == {"int"}, "max": kinds <= _INTS, "min": kinds <= _INTS, "sum": kinds <= _INTS,
        "sorted": kinds <= {"list:int", "list:"}, "len": kinds <= _FLAT,
        "any": kinds <= {"list:bool"}, "all": kinds <= {"list:bool"},
    }
    return _FORMS[name] if fits[name] else ""
