"""Every sandbox shows what it must do, and fails as itself where it can't run."""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import SandboxFailed, UserError
from harness.sandbox import Ending, Limits, Outcome, Program, choose, groups, seccomp
from harness.sandbox.bubblewrap import Bubblewrap
from harness.sandbox.choice import _bubblewrap
from harness.sandbox.processes import children, tree_usage, wants_to_go_on
from harness.sandbox.self_check import (
    BEHAVIOURS,
    ISOLATING,
    LIMITING,
    Behaviour,
    Host,
    _program,
    check,
    check_one,
    host,
)
from harness.sandbox.unprotected import Unprotected

SHELL = "/bin/sh"
needs_groups = pytest.mark.skipif(not groups.there_are(), reason="there are no control groups here")


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


BURNS = """
import os, time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
if {children}:
    for _ in range({children}):
        if os.fork() == 0:
            burn({seconds} / {children})
            os._exit(0)
    for _ in range({children}):
        os.wait()
else:
    burn({seconds})
print(sum(os.times()[:4]), flush=True)
{after}
"""


def burnt(seconds: float, children: int = 0, after: str = "", **limits: float) -> Outcome:
    code = BURNS.format(seconds=seconds, children=children, after=after)
    return choose().run(_program(code), Limits(**limits))  # type: ignore[arg-type]


@pytest.mark.parametrize(("children", "after", "ending"), [
    (0, "", Ending.EXITED), (3, "", Ending.EXITED), (0, "os.kill(os.getpid(), 9)", Ending.SIGNALLED), (0, "time.sleep(600)", Ending.WALL_LIMIT),
    (2, "if os.fork() == 0: time.sleep(600)", Ending.EXITED),
])
def test_the_time_of_a_short_program_is_known_exactly(children: int, after: str, ending: Ending) -> None:
    for seconds in (0.02, 0.08, 0.3):
        done = [burnt(most, children, after, wall_seconds=60, idle_seconds=0.5) for most in (0.0, seconds)]
        assert {outcome.ending for outcome in done} == {ending}
        spent = done[1].cpu_seconds - done[0].cpu_seconds
        assert abs(spent - seconds) < max(0.02, 0.1 * seconds), (seconds, spent)


def test_orphans_are_ours_only_while_something_runs() -> None:
    libc = ctypes.CDLL(None)
    burnt(0.0)
    kept = ctypes.c_int(-1)
    libc.prctl(37, ctypes.byref(kept), 0, 0, 0)
    assert kept.value == 0
    assert not [pid for pid in children(os.getpid()) if Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"]


ASKS = """
import fcntl, os, time
file = open(os.__file__, "rb")
whole = fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
part = fcntl.fcntl(file, fcntl.F_GETLK, bytes([fcntl.F_WRLCK]) + bytes(31))
print(part[0] == fcntl.F_UNLCK, flush=True)
{fcntl}
time.sleep({seconds})
"""
HOLDS = "fcntl.fcntl(file, fcntl.F_SETLK, bytes([fcntl.F_RDLCK]) + bytes(31)); fcntl.fcntl(file, 37, bytes([fcntl.F_RDLCK]) + bytes(31))"


@pytest.mark.parametrize("filtered", [True, False])
def test_two_side_by_side_see_no_locks_of_each_other(filtered: bool) -> None:
    sandbox = choose()
    assert isinstance(sandbox, Bubblewrap)
    sandbox = replace(sandbox, filtered=filtered)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(sandbox.run, _program(ASKS.format(fcntl=HOLDS, seconds=1.5)), Limits())
        time.sleep(0.5)
        others = set()
        while not first.done():
            others.add(sandbox.run(_program(ASKS.format(fcntl="", seconds=0)), Limits()).stdout)
    assert first.result().stdout == b"True\n"
    assert (others == {b"True\n"}) is filtered, others


def test_what_sleeps_is_told_from_what_computes_or_waits_its_turn() -> None:
    idle = Limits(idle_seconds=1.0, wall_seconds=30, cpu_seconds=20)
    assert choose().run(_program("import time; time.sleep(60)"), idle).ending is Ending.WALL_LIMIT
    assert choose().run(_program("import time\nwhile True: time.sleep(0.01)"), idle).ending is Ending.WALL_LIMIT
    busy = "import os\nfor _ in range(7):\n    if os.fork() == 0: break\nend = 300\nwhile end:\n    end -= 1; sum(range(30_000))"
    outcome = choose().run(_program(busy + "\nimport time\ntime.sleep(0.2)"), idle)
    assert outcome.ending is Ending.EXITED and outcome.idle_seconds < 0.6, outcome


HOARDS = """
import select, os, time
os.fork()
os.fork()
sets = [select.epoll() for _ in range(80)]
told = [os.eventfd(0) for _ in range(60)]
for number in range(150, 250):
    for one in told:
        os.dup2(one, number)
        for events in sets:
            events.register(number, 1)
time.sleep(60)
"""


@needs_groups
def test_what_only_the_kernel_knows_of_counts_where_it_tells() -> None:
    outcome = choose().run(_program(HOARDS), Limits(memory_bytes=64 * 1024**2, wall_seconds=20))
    assert outcome.ending is Ending.MEMORY_LIMIT, outcome


def test_groups_are_found_by_what_the_kernel_tells(tmp_path: Path) -> None:
    (tmp_path / "slice" / "own").mkdir(parents=True)
    (tmp_path / "slice" / "own" / "memory.max").write_text("max\n")
    mounts = f"1 2 0:1 / {tmp_path} rw - cgroup2 cgroup2 rw\n3 4 0:2 /docker/x {tmp_path} rw - cgroup cgroup rw,memory\n"
    mounts += "5 6 0:3 / /elsewhere rw - cgroup cgroup rw,cpu\n7 8 0:4 / / rw - ext4 /dev/root rw\n"
    found = groups._found("0::/slice/own\n", mounts)
    assert list(found) == [(tmp_path / "slice" / "own", "cgroup2"), (tmp_path / "slice", "cgroup2")]
    (tmp_path / "slice" / "own" / "memory.max").write_text("1024\n")
    assert [folder for folder, _ in groups._found("0::/slice/own\n", mounts)] == [tmp_path / "slice" / "own"]
    assert list(groups._found("4:memory:/docker/x/y\n3:cpu:/z\n", mounts)) == [(tmp_path / "y", "cgroup")]


@needs_groups
def test_groups_of_a_harness_that_was_killed_are_removed_by_the_next() -> None:
    code = "import os\nfrom harness.sandbox import groups\ngroup = groups.take()\nprint(group.folder, flush=True)\nos.kill(os.getpid(), 9)"
    left = Path(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip())
    assert left.is_dir()
    subprocess.run([sys.executable, "-c", code.replace("os.kill", "print")], check=True)
    assert not left.exists()


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


@pytest.mark.parametrize(("state", "own", "wanted"), [
    ("R", [], True), ("D", [], True), ("D", [7], False), ("S", [], False), ("S", [7], False), ("T", [], False), ("Z", [], False),
])
def test_what_waits_for_a_processor_or_a_disk_is_not_idle(state: str, own: list[int], wanted: bool) -> None:
    assert wants_to_go_on(state, own) == wanted


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
