"""No isolation at all: limits only. For machines without namespaces, when the user insists."""

from __future__ import annotations

import math
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
from harness.sandbox.contract import Ending, Limits, Outcome, Program
from harness.sandbox.processes import tree_usage
from harness.sandbox.supervision import Supervision


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
            supervision = Supervision(process, limits, lambda: _kill(process.pid))
            ending = supervision.run(program.stdin)
        if ending is None:
            ending, code = _how(process.returncode)
        else:
            code = 0
        stdout, stderr = supervision.output("stdout"), supervision.output("stderr")
        return Outcome(ending, code, stdout, stderr, supervision.wall_seconds, supervision.cpu_seconds)


def _limit(limits: Limits) -> Callable[[], None]:
    cpu = math.ceil(limits.cpu_seconds) + 1
    bounds = {
        resource.RLIMIT_AS: limits.memory_bytes, resource.RLIMIT_FSIZE: limits.output_bytes,
        resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: cpu, resource.RLIMIT_NOFILE: 256,
    }

    def apply() -> None:
        for kind, bound in bounds.items():
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (bound, bound))

    return apply


def _kill(root: int) -> None:
    """Kill the session and whatever of the tree has left it; what detached itself before can't be found."""
    pids = tree_usage(root).pids if Path("/proc/self").exists() else ()
    with suppress(OSError):
        os.killpg(root, signal.SIGKILL)
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _how(code: int) -> tuple[Ending, int]:
    if code >= 0:
        return Ending.EXITED, code
    return (Ending.CPU_LIMIT, 0) if -code == signal.SIGXCPU else (Ending.SIGNALLED, -code)
