"""Processes that are forked from one that has imported ours already, but none of the Hub's clients."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

IMPORTED = [
    "harness.cli", "pipeline.commands", "pipeline.flow", "pipeline.release.verify", "pipeline.sources.lock",
    "tests.pipeline.llm.asking", "pandas",
]
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__, *IMPORTED])


class Forked:
    """A call under way, with its own environment, folder and output; it is used as a `Popen` is."""

    def __init__(
        self, call: Callable[..., object], *arguments: Any, environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.args = arguments
        place = folder or Path.cwd()
        self._outputs = [Path(tempfile.mkstemp()[1]) for _ in range(2)]
        given = dict(os.environ if environment is None else environment), place, self._outputs
        self._process = CONTEXT.Process(target=_run, args=(call, arguments, *given))
        self._process.start()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> None:
        self._process.join()

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it has said and complained of, once it has ended."""
        self._process.join(timeout)
        if self._process.is_alive():
            self.kill()
            raise subprocess.TimeoutExpired([str(one) for one in self.args], timeout or 0)
        said, complained = (path.read_text("utf-8") for path in self._outputs)
        return said, complained


def _run(
    call: Callable[..., object], arguments: tuple[Any, ...], environment: dict[str, str], folder: Path,
    outputs: list[Path],
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor, path in enumerate(outputs, 1):
        os.dup2(os.open(path, os.O_WRONLY), descriptor)
    call(*arguments)
