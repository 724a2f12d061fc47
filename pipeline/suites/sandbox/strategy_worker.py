"""The program inside the sandbox that draws inputs from strategies which a language model or a maintainer has written.

It runs in a sandbox of its own, far from where branches are measured: whatever the strategies do, all that comes out is
a list of encoded inputs, or a sentence. It reads one JSON document and writes a line for each of its jobs, an empty one
where a job of several gave nothing.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import traceback
from contextlib import suppress
from typing import Any

from harness.values import NotEncodable, canonical, encode
from pipeline.suites.property_run import prepare

FILE = "<strategies>"
MOST_CHARS = 20_000
"""Characters of one input."""
ALL_CHARS = 1_500_000
"""Characters of all inputs: then no more are drawn."""
NO_NEWS = 300
"""Draws in a row that give nothing new: then there is hardly more, as of a yes and a no."""
MOST_TOLD = 300
"""Characters of an error's message that are told."""


class Unfit(Exception):
    """Strategies that give something else than inputs, in a sentence."""


class _Enough(BaseException):
    """So many inputs were drawn as were asked for: an exception that Hypothesis passes on."""


def main() -> None:
    """Serve the document on the standard input: a lone job in this process, several in a fork each."""
    document = json.loads(sys.stdin.buffer.read())
    output = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    jobs = document["jobs"]
    if len(jobs) > 1:
        prepare()
    for job in jobs:
        _write(output, (_said(job) if len(jobs) == 1 else _forked(job, document["cpu_seconds"], output)) + b"\n")
    # No handlers or threads of the strategies may run on.
    os._exit(0)


def _said(job: dict[str, Any]) -> bytes:
    return json.dumps(_served(job)).encode("ascii")


def _write(file: int, data: bytes) -> None:
    with os.fdopen(file, "wb", closefd=False) as stream:
        stream.write(data)


def _forked(job: dict[str, Any], cpu_seconds: int, output: int) -> bytes:
    """What a process of its own says to a job, the first line alone; nothing where it has not come to an end."""
    end, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(end)
            os.close(output)
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
            _write(write, _said(job))
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(end, "rb") as stream:
        said = stream.read()
    os.waitpid(child, 0)
    return said.partition(b"\n")[0]


def _served(job: dict[str, Any]) -> dict[str, Any]:
    try:
        return _Draws(job).all()
    except Unfit as unfit:
        return {"fault": str(unfit)}
    except MemoryError:
        return {"fault": "The strategies need too much memory."}
    except BaseException as error:
        # Whatever strategies raise, exits included, is their own doing.
        return {"fault": f"The strategies raise {_told(error, job['source'])}"}


class _Draws:
    """The inputs of one job; `refused` are those that can't be carried, with reasons, `long` counts the large ones,
    `chars` are the characters of all.

    `drawn` were drawn so far, and the last of them that was new was the one of that number in `news`.
    """

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.inputs: dict[str, dict[str, Any]] = {}
        self.refused: list[str] = []
        self.long = 0
        self.chars = 0
        self.drawn = 0
        self.news = 0

    def all(self) -> dict[str, Any]:
        """Draw as many as were asked for; the same strategies give the same inputs."""
        from hypothesis import HealthCheck, Phase, given, seed, settings

        quiet = settings(
            max_examples=self.job["count"], database=None, deadline=None, derandomize=False, print_blob=False,
            phases=[Phase.generate], suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
            backend=_plain(),
        )

        def drawn(values: Any) -> None:
            before = len(self.inputs)
            self._keep(values)
            self.drawn += 1
            self.news = self.drawn if len(self.inputs) > before else self.news
            enough = len(self.inputs) == self.job["enough"] or self.chars > ALL_CHARS
            if enough or self.drawn - self.news == NO_NEWS or self.drawn == self.job["most"]:
                raise _Enough

        fed: Any = given(_strategy(self.job))
        seeded: Any = seed(self.job["seed"])
        with suppress(_Enough):
            seeded(quiet(fed(drawn)))()
        if not self.inputs and self.refused:
            raise Unfit(f"None of the inputs can be used; the value of {self.refused[0]}.")
        if not self.inputs:
            raise Unfit(f"All inputs are longer than {MOST_CHARS} characters.")
        return {"inputs": list(self.inputs.values()), "refused": self.refused[:1], "long": self.long}

    def _keep(self, values: Any) -> None:
        if type(values) is not dict:
            raise Unfit(f"The strategy has to give dictionaries of arguments, and gives {type(values).__name__}.")
        if sorted(map(str, values)) != sorted(self.job["names"]):
            wanted, given = ", ".join(self.job["names"]), ", ".join(map(str, values))[:MOST_TOLD]
            raise Unfit(f"The keys of the dictionaries have to be exactly {wanted}; they are {given}.")
        encoded = {}
        for name in self.job["names"]:
            try:
                encoded[name] = encode(values[name])
            except (NotEncodable, RecursionError) as refusal:
                self.refused.append(f"{name} can't be carried: {_message(refusal)}")
                return
        key = canonical(encoded)
        if len(key) > MOST_CHARS:
            self.long += 1
        elif key not in self.inputs:
            self.inputs[key] = encoded
            self.chars += len(key)


def _plain() -> str:
    """The name of a backend that draws at random and does nothing else, as strategies say what callers pass.

    Hypothesis' own way looks for faults: it begins with the smallest values, writes the same value in several places of
    one input, and puts in constants that are known to break programs, or that stand in modules it finds.
    """
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

    class Plain(HypothesisProvider):
        def _maybe_draw_constant(self, *_: Any, **__: Any) -> None:
            return None

    AVAILABLE_PROVIDERS["plain"] = Plain
    return "plain"


def _strategy(job: dict[str, Any]) -> Any:
    from hypothesis.strategies import SearchStrategy

    space: dict[str, Any] = {"__name__": "strategies"}
    exec(compile(job["source"], FILE, "exec", dont_inherit=True), space)
    made = space[job["name"]]()
    if not isinstance(made, SearchStrategy):
        raise Unfit(f"`arguments` has to be a Hypothesis strategy, and is {type(made).__name__}.")
    return made


def _told(error: BaseException, source: str) -> str:
    """An exception with the line of the strategies that it comes from."""
    lines, places = source.splitlines(), traceback.extract_tb(error.__traceback__)
    own = [place.lineno for place in places if place.filename == FILE and place.lineno]
    where = f", at `{lines[own[-1] - 1].strip()[:MOST_TOLD]}`" if own and own[-1] <= len(lines) else ""
    return f"{type(error).__name__}: {_message(error)}{where}."


def _message(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:MOST_TOLD]
    except Exception:
        return ""


if __name__ == "__main__":
    main()
