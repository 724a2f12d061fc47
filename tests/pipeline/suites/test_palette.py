"""Which functions a suite hands over."""

from harness.values import FUNCTIONS
from pipeline.suites.domain.kinds.type_values import palette
from pipeline.suites.domain.spec import Function


def test_functions_go_with_what_is_known_of_their_types() -> None:
    assert palette(Function(1, "str", "str")) and all(
        isinstance(FUNCTIONS[name]("a b"), str) for name in palette(Function(1, "str", "str"))
    )
    assert {"abs", "operator.neg"} <= set(palette(Function(1, "int", "int")))
    assert "str.upper" not in palette(Function(1, "int", "int"))
    assert all(FUNCTIONS[name](2, 3) is not None for name in palette(Function(2, "int", "int")))


def test_there_is_always_one() -> None:
    assert len(palette(Function())) > 20
    assert palette(Function(2, "Widget", "Gadget")) and palette(Function(1, "dict", "str"))
