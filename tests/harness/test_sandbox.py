"""Every sandbox shows what it must do, and fails as itself where it can't run."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import SandboxFailed, UserError
from harness.sandbox import Ending, Limits, Program, choose, seccomp
from harness.sandbox.bubblewrap import Bubblewrap
from harness.sandbox.choice import _bubblewrap
from harness.sandbox.processes import tree_usage
from harness.sandbox.self_check import BEHAVIOURS, ISOLATING, LIMITING, Behaviour, Host, check, check_one, host
from harness.sandbox.unprotected import Unprotected

SHELL = "/bin/sh"


@pytest.fixture(scope="module")
def outside() -> Iterator[Host]:
    with host() as things:
        yield things


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda behaviour: behaviour.name)
def test_the_chosen_sandbox_shows_it(behaviour: Behaviour, outside: Host) -> None:
    result = check_one(choose(), behaviour, outside)
    assert result.ok, result.seen


@pytest.mark.skipif(os.geteuid() != 0, reason="others always have a user namespace")
def test_root_without_its_powers_has_a_user_namespace_instead() -> None:
    chosen = _bubblewrap()
    assert chosen.drop_root
    failed = [result for result in check(Bubblewrap(chosen.bwrap, chosen.prlimit)) if not result.ok]
    assert not failed


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/usr/bin/python3").exists(), reason="only root can become somebody else")
def test_an_ordinary_user_has_all_of_it(tmp_path: Path) -> None:
    package = shutil.copytree(Path(check.__code__.co_filename).parents[1], tmp_path / "harness", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (tmp_path, *tmp_path.parents):
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o755)
    code = f"import sys; sys.path.insert(0, {str(package.parent)!r})\n"
    code += "from harness.sandbox import choose\nfrom harness.sandbox.self_check import check\n"
    code += "from harness.sandbox.self_check import OF_JOBS, AsJobs\n"
    code += "print([(r.behaviour.name, r.seen) for r in check(choose()) + check(AsJobs(choose()), OF_JOBS) if not r.ok])"
    done = subprocess.run(["/usr/bin/python3", "-c", code], user=12345, group=12345, extra_groups=[], capture_output=True, text=True, cwd="/", env={"PATH": os.environ["PATH"]})
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("behaviour", LIMITING, ids=lambda behaviour: behaviour.name)
def test_limits_hold_without_isolation(behaviour: Behaviour, outside: Host) -> None:
    result = check_one(Unprotected(), behaviour, outside)
    assert result.ok, result.seen


def test_isolation_shows_in_the_contract() -> None:
    """The check can fail: what does not isolate is found out."""
    with host() as things:
        reading = next(b for b in BEHAVIOURS if b.name == "a file of the host can't be read")
        assert not check_one(Unprotected(), reading, things).ok


def run(command: str, **limits: float) -> tuple[Ending, int, bytes]:
    outcome = choose().run(Program((SHELL, "-c", command), (Path("/usr/bin"),)), Limits(**limits))  # type: ignore[arg-type]
    return outcome.ending, outcome.code, outcome.stdout


def test_large_input_and_output_pass_whole() -> None:
    data = os.urandom(5 * 1024**2)
    outcome = choose().run(Program(("/usr/bin/cat",), (Path("/usr/bin/cat"),), data), Limits())
    assert outcome.stdout == data


def test_a_program_that_does_not_read_its_input_is_no_failure() -> None:
    outcome = choose().run(Program((SHELL, "-c", "exit 3"), (Path("/usr/bin"),), b"x" * 1024**2), Limits())
    assert (outcome.ending, outcome.code) == (Ending.EXITED, 3)


def test_output_before_a_limit_is_kept() -> None:
    ending, _, stdout = run("echo first; sleep 60", wall_seconds=0.5)
    assert (ending, stdout) == (Ending.WALL_LIMIT, b"first\n")


def test_a_closed_output_does_not_end_the_watch() -> None:
    assert run("exec >&- 2>&-; sleep 60", wall_seconds=0.5)[0] is Ending.WALL_LIMIT
    assert run("exec >&- 2>&-; exit 4")[:2] == (Ending.EXITED, 4)


def test_nothing_of_the_tree_is_left_behind() -> None:
    mark = f"8642{os.getpid()}"
    run(f"sleep {mark} & sleep {mark}", wall_seconds=0.5)
    time.sleep(0.2)
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _readable(path)]
    assert not any(mark.encode() in command for command in running)


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except OSError:
        return False
    return True


def test_two_runs_share_nothing() -> None:
    assert run("echo x > /tmp/a; ls /tmp")[2] == b"a\n"
    assert run("ls /tmp")[2] == b""


def test_a_missing_program_is_our_failure() -> None:
    with pytest.raises(SandboxFailed, match="no /nowhere"):
        choose().run(Program(("/nowhere",)), Limits())


def test_a_missing_folder_is_our_failure() -> None:
    with pytest.raises(SandboxFailed, match="did not run the program"):
        choose().run(Program((SHELL,), (Path("/nowhere/at/all"),)), Limits())


def test_what_happens_inside_is_never_our_failure() -> None:
    assert run("echo 'bwrap: no such thing' >&2; exit 1")[:2] == (Ending.EXITED, 1)
    assert run("exec /nowhere")[:2] == (Ending.EXITED, 127)


@pytest.mark.parametrize(("system", "words"), [("darwin", "needs Linux namespaces"), ("win32", "needs Linux namespaces")])
def test_other_systems_are_told_in_one_sentence(system: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(UserError, match=words):
        choose()


def test_windows_can_not_even_run_unprotected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(UserError, match="WSL2"):
        choose(unprotected=True)


def test_without_bubblewrap_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    _bubblewrap.cache_clear()
    try:
        with pytest.raises(UserError, match="apt install bubblewrap"):
            choose()
    finally:
        _bubblewrap.cache_clear()


def test_unprotected_only_when_asked_and_says_so() -> None:
    assert choose(unprotected=True).isolation.startswith("none")
    assert "namespaces" in choose().isolation


def test_the_usage_of_a_tree_counts_children() -> None:
    with subprocess.Popen([SHELL, "-c", "sleep 5 & sleep 5 & wait"]) as process:
        time.sleep(0.2)
        usage = tree_usage(process.pid)
        process.kill()
    assert len(usage.pids) == 3 and usage.memory_bytes > 0
    assert tree_usage(2**22 + 1).pids == ()


def test_the_filter_shows_in_the_contract_and_in_the_words(outside: Host) -> None:
    sandbox = choose()
    assert isinstance(sandbox, Bubblewrap) and sandbox.filtered and "filter of system calls" in sandbox.isolation
    without = replace(sandbox, filtered=False)
    assert "filter" not in without.isolation
    named = ("traced", "namespace", "virtual machine")
    shown = {b.name: check_one(without, b, outside).ok for b in ISOLATING if any(word in b.name for word in named)}
    assert len(shown) == 4 and not any(shown.values())


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_well_formed_for_each_processor(machine: str) -> None:
    """All jumps lead forward to an instruction, as the kernel demands, and the last one lets the call through."""
    code = [struct.unpack("<HBBI", seccomp.program(machine)[n:n + 8]) for n in range(0, len(seccomp.program(machine)), 8)]
    assert 100 < len(code) < 4096 and code[-1] == (6, 0, 0, 0x7FFF0000)
    for place, (kind, yes, no, _) in enumerate(code):
        assert kind in (0x20, 0x15, 0x35, 0x45, 0x06)
        assert place + 1 + max(yes, no) < len(code) or kind == 6
    assert seccomp.program("riscv64") == b""
