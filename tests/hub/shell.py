"""Commands in processes that are forked from one that has imported ours already, but none of the Hub's clients."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

IMPORTED = ["harness.cli", "pipeline.commands", "pipeline.release.verify", "pipeline.sources.lock", "pandas"]
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__, *IMPORTED])


class Command:
    """A command under way, with its own environment, folder and output; it is used as a `Popen` is."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], folder: Path) -> None:
        self.args = list(arguments)
        self._outputs = [Path(tempfile.mkstemp(dir=folder)[1]) for _ in range(2)]
        self._process = CONTEXT.Process(target=_run, args=(self.args, environment, folder, self._outputs))
        self._process.start()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it has said and complained of, once it has ended."""
        self._process.join(timeout)
        if self._process.is_alive():
            self.kill()
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        said, complained = (path.read_text("utf-8") for path in self._outputs)
        return said, complained


def _run(arguments: list[str], environment: dict[str, str], folder: Path, outputs: list[Path]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for descriptor, path in enumerate(outputs, 1):
        os.dup2(os.open(path, os.O_WRONLY), descriptor)
    assert "huggingface_hub" not in sys.modules
    from harness.cli import main

    sys.argv = ["code2bench", *arguments]
    main()
