"""No isolation at all: limits only. For machines without namespaces, when the user insists."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harness.errors import SandboxFailed
from harness.sandbox.contract import Limits, Outcome, Program, bounds_of, how_it_ended
from harness.sandbox.supervision import ChildProcess, Supervision


@dataclass(frozen=True)
class Unprotected:
    """A plain child process in a session of its own, with limits on CPU, memory, time and output."""

    name: str = "unprotected"
    isolation: str = "none: programs can read and change whatever the user can"

    def run(self, program: Program, limits: Limits) -> Outcome:
        """Run the program to its end; raises `SandboxFailed` where it can't be started."""
        with tempfile.TemporaryDirectory(prefix="code2bench-") as folder:
            try:
                process = subprocess.Popen(
                    program.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    env=program.environment, cwd=folder, start_new_session=True, preexec_fn=_limit(limits),
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise SandboxFailed(f"{program.argv[0]} does not start: {error}") from None
            supervision = Supervision(_Session(process), limits)
            ending = supervision.run(program.stdin, program.held)
        if ending is None:
            ending, code = how_it_ended(process.returncode)
        else:
            code = 0
        return supervision.outcome(ending, code)


class _Session(ChildProcess):
    """A process with a session of its own."""

    def kill(self) -> None:
        """End the session and whatever of the tree has left it; what detached itself before can't be found."""
        pids = self.usage().pids if Path("/proc/self").exists() else ()
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pid in pids:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _limit(limits: Limits) -> Callable[[], None]:
    bounds = {name: bound for name, bound in bounds_of(limits).items() if name != "NPROC"}

    def apply() -> None:
        for name, bound in bounds.items():
            with suppress(ValueError, OSError):
                resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (bound, bound))

    return apply
