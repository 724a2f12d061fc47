"""Answers that rounding decides: a copy of the function whose inexact operations give the next number, up or down.

Another right solution may add in another order, or call another routine. Where that moves an answer by more than the
task's tolerance, the case asks for the reference's own rounding errors and not for the function. The method is Monte
Carlo arithmetic (Parker, 1997), with exact operations left exact: numbers that are compared as they were given, or that
come out whole, stay as they are, so that a limit which an input meets is still met.
"""

from __future__ import annotations

import ast
import math
import operator
import signal
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

from harness.records import Answer, Comparison
from harness.values import decode, encode
from harness.values.comparison import agree
from pipeline.suites.instrument.probed_copy import loaded
from pipeline.suites.instrument.reference import COPY_SECONDS, MAX_ITEMS, timed
from pipeline.suites.subject import Subject

MAX_WORK, OF_ARRAYS = 300_000, 10
"""Operations after which inputs are no longer tried, and how many of them one on arrays counts as."""
_OPERATION, _CALLED = "_code2bench_operation", "_code2bench_called"
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "Pow": operator.pow,
    "Mod": operator.mod, "FloorDiv": operator.floordiv, "MatMult": operator.matmul,
}  # fmt: skip
_INEXACT = frozenset(
    "sum mean std var dot matmul inner outer vdot tensordot einsum prod cumsum cumprod average nansum nanmean nanstd"
    " nanvar exp exp2 expm1 log log2 log10 log1p sqrt cbrt sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh"
    " arcsinh arccosh arctanh asin acos atan atan2 asinh acosh atanh hypot power pow norm interp trapz trapezoid"
    " convolve correlate cov corrcoef percentile quantile nanpercentile nanquantile fsum dist gamma lgamma erf erfc"
    " degrees radians deg2rad rad2deg linspace polyval multiply divide true_divide add subtract cross trace fmod"
    " gradient logaddexp softmax logsumexp sinc fft ifft rfft irfft stdev pstdev variance pvariance fmean"
    " geometric_mean harmonic_mean".split()
)
"""Functions whose numbers depend on how they are computed."""
_SENSITIVE = frozenset(
    "solve inv pinv lstsq polyfit eig eigh eigvals eigvalsh svd svdvals cholesky det slogdet qr matrix_power cond expm"
    " logm sqrtm solve_triangular lu null_space orth".split()
)
"""Functions that make what is in their arguments larger: these get other last digits, too."""
_WHERE = ("numpy", "math", "scipy", "statistics", "builtins", "cmath")
_LARGEST, _SPLITTABLE = 2.0**63, 1e140


class Rounding:
    """The copy of a program; `unstable` says of an input whether rounding decides its answer, as far as work allows."""

    def __init__(self, subject: Subject, seed: int) -> None:
        copy = subject.copied()
        rewriter = _Rewriter()
        for function in (copy.function, *copy.members):
            rewriter.visit(function)
        self.rng = Random(seed)
        self.moved = self.overflown = False
        self.directions = Random(seed)
        self.still = self.turned = False
        self.work = 0
        tools = {_OPERATION: self._operation, _CALLED: self._called}
        self._function = loaded(copy.tree, subject.entry_point, "rounding", tools) if rewriter.found else None

    @property
    def spent(self) -> bool:
        """Whether there has been so much work that no further inputs are tried."""
        return self.work > MAX_WORK

    def unstable(self, encoded: tuple[list[Any], dict[str, Any]]) -> bool:
        """Whether the function gives another answer where it rounds otherwise, or a whole number overflows."""
        function = self._function
        if function is None or self.spent:
            return False
        self.moved = self.overflown = False
        self.still = True
        usual = self._answer(function, encoded)
        self.still = False
        if not self.moved or self.overflown:
            return self.overflown
        first, second = self.rng.getrandbits(32), self.rng.getrandbits(32)
        # What one run rounds up the next rounds down, and another one as chance has it.
        for seed, self.turned in ((first, False), (first, True), (second, False)):
            self.directions.seed(seed)
            other = self._answer(function, encoded)
            if "endless" in (usual.kind, other.kind):
                return False
            if agree(usual, other, Comparison()):
                return True
        return False

    @timed
    def _answer(self, function: Any, encoded: tuple[list[Any], dict[str, Any]]) -> Answer:
        args, kwargs = [decode(a) for a in encoded[0]], {k: decode(v) for k, v in encoded[1].items()}
        signal.setitimer(signal.ITIMER_PROF, COPY_SECONDS, 0.05)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return Answer("returned", encode(function(*args, **kwargs), MAX_ITEMS))
        except Exception as error:
            return Answer("raised", exception=type(error).__name__)
        except BaseException:
            # It took too long, which the copy may where the function does not.
            return Answer("endless")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    # what the copy calls

    def _operation(self, name: str, left: Any, right: Any) -> Any:
        made = _OPERATORS[name](left, right)
        self.work += 1
        if isinstance(made, float):
            return made if _is_exact(name, left, right, made) else self._next(made)
        if type(made).__name__ == "ndarray" or type(made).__module__ == "numpy":
            kind = made.dtype.kind
            self.work += OF_ARRAYS
            if kind == "i" and made.dtype.itemsize == 8 and name in ("Add", "Sub", "Mult", "Pow"):
                self._watch(name, left, right)
            if kind in "fc" and made.dtype.itemsize >= 8:
                return self._array(made, _exact_cells(name, left, right, made))
        return made

    def _called(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        name = getattr(function, "__name__", "")
        if name not in _INEXACT and name not in _SENSITIVE:
            return function(*args, **kwargs)
        owner = getattr(function, "__self__", None)
        module = getattr(function, "__module__", None) or type(owner if owner is not None else function).__module__
        if str(module).partition(".")[0] not in _WHERE or isinstance(owner, (str, list, dict)):
            return function(*args, **kwargs)
        self.work += OF_ARRAYS
        if name in _SENSITIVE:
            args = tuple(self._shaken(one) for one in args)
        return self._all(function(*args, **kwargs))

    def _next(self, value: float) -> float:
        """The next number up or down; whole ones stay, as do those that no operation gives by rounding."""
        if not math.isfinite(value) or value == math.floor(value):
            return value
        self.moved = True
        moved = value if self.still else math.nextafter(value, math.inf if self._coin() else -math.inf)
        return type(value)(moved)

    def _coin(self) -> bool:
        return (self.directions.random() < 0.5) != self.turned

    def _array(self, made: Any, exact: Any) -> Any:
        import numpy

        if made.dtype.kind == "c":
            return made
        with numpy.errstate(all="ignore"):
            fixed = exact | ~numpy.isfinite(made) | (made == numpy.floor(made))
            if numpy.all(fixed):
                return made
            self.moved = True
            if self.still:
                return made
            ends = numpy.where(self._coins(made.shape), numpy.inf, -numpy.inf)
            moved = numpy.where(fixed, made, numpy.nextafter(made, ends))
        return moved.astype(made.dtype) if type(made).__name__ == "ndarray" else type(made)(moved)

    def _all(self, value: Any) -> Any:
        """What a function gives, each number of it rounded otherwise."""
        if type(value) is float:
            return self._next(value)
        if type(value) is tuple:
            return tuple(self._all(one) for one in value)
        if type(value).__module__ == "numpy" and getattr(getattr(value, "dtype", None), "kind", "") == "f":
            return self._array(value, False)
        return value

    def _shaken(self, value: Any) -> Any:
        """An array whose numbers are changed in their last digits, zeros left."""
        import numpy

        if type(value).__name__ != "ndarray" or value.dtype.kind not in "fiu":
            return value
        self.moved = True
        if self.still:
            return value
        return value * numpy.where(self._coins(value.shape), 1 + 2.3e-16, 1 - 2.3e-16)

    def _coins(self, shape: tuple[int, ...]) -> Any:
        """Random truth values."""
        import numpy

        count = math.prod(shape)
        octets = numpy.frombuffer(self.directions.randbytes(count), dtype="uint8")
        return ((octets & 1 == 1) != self.turned).reshape(shape)

    def _watch(self, name: str, left: Any, right: Any) -> None:
        """Note where whole numbers of 64 bits overflow."""
        import numpy

        with numpy.errstate(all="ignore"):
            try:
                real = _OPERATORS[name](numpy.asarray(left, dtype=float), numpy.asarray(right, dtype=float))
            except (TypeError, ValueError, OverflowError):
                return
            self.overflown = self.overflown or bool(numpy.any(numpy.abs(real) >= _LARGEST))


def _is_exact(name: str, left: Any, right: Any, made: float) -> bool:
    """Whether the result of an operation on two numbers is the true one."""
    if not math.isfinite(made) or name not in ("Add", "Sub", "Mult", "Div"):
        return False
    try:
        left, right = float(left), float(right)
        if name == "Div":
            # An exact quotient times the divisor is the dividend, exactly.
            return made * right == left and _is_exact_product(made, right, left)
        if name == "Mult":
            return _is_exact_product(left, right, made)
        right = -right if name == "Sub" else right
        part = made - left
        return bool((left - (made - part)) + (right - part) == 0)
    except (TypeError, ValueError, OverflowError):
        return True


def _is_exact_product(left: float, right: float, made: float) -> bool:
    """Whether a product is the true one, by Dekker's method."""
    if not (max(abs(left), abs(right)) < _SPLITTABLE and (abs(made) > 1 / _SPLITTABLE or made == 0)):
        return False
    (high, low), (top, rest) = _halves(left), _halves(right)
    return low * rest - (((made - high * top) - low * top) - high * rest) == 0


def _halves(value: float) -> tuple[float, float]:
    """Two numbers of half the digits each that sum to one (Veltkamp)."""
    scaled = 134217729.0 * value
    high = scaled - (scaled - value)
    return high, value - high


def _exact_cells(name: str, left: Any, right: Any, made: Any) -> Any:
    """Which cells of an array are the true results of adding, subtracting, multiplying or dividing."""
    import numpy

    if name in ("Add", "Sub"):
        with numpy.errstate(all="ignore"):
            part = made - left
            rest = left - (made - part)
            return rest + (right - part) == 0 if name == "Add" else rest - (right + part) == 0
    return made == left if name in ("Mult", "Div") else False


class _Rewriter(ast.NodeTransformer):
    """Puts a call in the place of each operation and of each call that may be inexact."""

    def __init__(self) -> None:
        self.found = 0

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = type(node.op).__name__
        if name not in _OPERATORS or isinstance(node.left, ast.JoinedStr):
            return node
        self.found += 1
        made = ast.Call(ast.Name(_OPERATION, ast.Load()), [ast.Constant(name), node.left, node.right], [])
        return ast.copy_location(made, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in _INEXACT and name not in _SENSITIVE:
            return node
        self.found += 1
        made = ast.Call(ast.Name(_CALLED, ast.Load()), [node.func, *node.args], node.keywords)
        return ast.copy_location(made, node)
