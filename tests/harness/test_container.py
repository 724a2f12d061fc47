"""The container shows what every sandbox must do, and fails as itself where podman or docker does."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import SandboxFailed, UserError
from harness.languages import Machine
from harness.releases.dataset import Release
from harness.runtime import ensure_runtime
from harness.sandbox import Ending, Limits, Program, Sandbox, choose, seccomp
from harness.sandbox.choice import KINDS, _container, _working_container
from harness.sandbox.container import LABEL, TOOLS, Container
from harness.sandbox.engine import VARIABLE, Engine, engine
from harness.sandbox.processes import children
from harness.sandbox.self_check import BEHAVIOURS, KNOWN, Behaviour, Host, check_one, host
from harness.scoring.judging import judge
from tests.harness.conftest import LOCK
from tests.harness.test_judging import HASTY, RUNS, files

SHELL = "/bin/sh"
QUICK = (
    "a busy program ends at its CPU limit", "memory beyond the limit is refused", "a fork bomb stays small", "a signal is reported",
    "what children have used counts when they are gone", "what is hidden is empty", "only the given environment is there",
    "the users of the host are unknown", "the internet is not reachable", "there are no capabilities", "no descriptor is inherited",
)
"""Behaviours for which the container has code of its own; the doctor's test runs all of them."""


@pytest.fixture(scope="module")
def container() -> Iterator[Sandbox]:
    """The container that works here, which is then the one that is chosen; tests are skipped where none does.

    The runtime that podman takes by itself does not know all control groups, so another one is tried as well.
    """
    reason = ""
    for named in (os.environ.get(VARIABLE, ""), "podman --runtime runc"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, named)
            _container.cache_clear()
            try:
                found = choose(kind="container")
            except UserError as error:
                reason = str(error)
                continue
            yield found
            _container.cache_clear()
            return
    pytest.skip(reason)


@pytest.fixture(scope="module")
def outside() -> Iterator[Host]:
    with host() as things:
        yield things


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., Engine]:
    """An engine that answers with these shell commands, by the command that it is given."""

    def make(**answers: str) -> Engine:
        path = tmp_path / "docker"
        cases = "".join(f"{name}) {answer} ;;\n" for name, answer in answers.items())
        path.write_text(f'#!{SHELL}\ncase "$1" in\n--version) echo Docker version 1 ;;\n{cases}esac\n')
        path.chmod(0o755)
        return engine((str(path),))

    return make


def run(sandbox: Sandbox, command: str, **limits: float) -> tuple[Ending, int, bytes]:
    outcome = sandbox.run(Program((SHELL, "-c", command), (Path("/usr/bin"),)), Limits(**limits))  # type: ignore[arg-type]
    return outcome.ending, outcome.code, outcome.stdout


def containers() -> str:
    """Those of this process that there are, running or not."""
    return _container().engine.ask("ps", "--all", "--quiet", "--filter", f"name={LABEL}-{os.getpid()}-")


def processes() -> list[tuple[int, list[str]]]:
    """All processes of this machine with their command lines."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append((int(path.parent.name), path.read_text("utf-8", "replace").rstrip("\0").split("\0")))
    return found


def over(made: Engine) -> Container:
    return Container(made, tuple(shutil.which(tool) or tool for tool in TOOLS), "none")


@pytest.mark.parametrize("behaviour", [b for b in BEHAVIOURS if b.name in QUICK], ids=lambda behaviour: behaviour.name)
def test_the_container_shows_it(behaviour: Behaviour, container: Sandbox, outside: Host) -> None:
    result = check_one(container, behaviour, outside)
    assert result.ok, result.seen


@pytest.mark.slow  # all behaviours take 20 s in containers
def test_the_doctor_sees_all_but_what_is_known(container: Sandbox) -> None:
    result = CliRunner().invoke(cli, ["doctor", "--sandbox", "container", "--json"])
    isolation, speed = (finding for finding in json.loads(result.stdout) if finding["what"] in ("isolation", "speed"))
    assert isolation["ok"], isolation["says"]
    assert container.isolation in isolation["says"]
    assert all(f"not that {name}: {words}" in isolation["says"] for name, words in KNOWN["container"].items())
    assert "a process of its own" in speed["says"]


def test_what_is_known_are_behaviours_of_sandboxes() -> None:
    assert set(KNOWN) <= set(KINDS)
    assert {name for known in KNOWN.values() for name in known} <= {behaviour.name for behaviour in BEHAVIOURS}


@pytest.mark.slow  # all attacks take minutes in containers
@pytest.mark.parametrize("path", files("hostile"), ids=lambda path: path.stem)
def test_a_hostile_answer_scores_nothing(path: Path, container: Sandbox) -> None:
    verdict = judge(RUNS, path.read_text(), Machine(container, ensure_runtime(LOCK)), HASTY)
    assert (verdict.passed, verdict.perfect, verdict.total) == (0, False, len(RUNS.cases)), verdict.detail


@pytest.mark.slow  # with the hostile ones, for completeness
@pytest.mark.parametrize("path", files("odd"), ids=lambda path: path.stem)
def test_an_odd_but_right_answer_is_perfect(path: Path, container: Sandbox) -> None:
    verdict = judge(RUNS, path.read_text(), Machine(container, ensure_runtime(LOCK)))
    assert verdict.perfect, verdict.detail


def test_results_say_that_it_was_a_container(container: Sandbox, made: Release, release_folder: Path) -> None:
    arguments = ["evaluate", str(release_folder), "--reference", "--sandbox", "container", "--json", "--track", "sc-python"]
    record = json.loads(CliRunner().invoke(cli, arguments).stdout)
    assert record["run"]["isolation"].startswith("a container of ")
    assert record["score"]["pass_at"]["1"] == 1.0


def test_large_input_and_output_pass_whole(container: Sandbox) -> None:
    data = os.urandom(5 * 1024**2)
    assert container.run(Program(("/usr/bin/cat",), (Path("/usr/bin/cat"),), data), Limits()).stdout == data


def test_output_before_a_limit_is_kept_and_nothing_is_left(container: Sandbox) -> None:
    mark = f"8643{os.getpid()}"
    ending, _, stdout = run(container, f"echo first; sleep {mark} & sleep {mark}", wall_seconds=0.5)
    assert (ending, stdout) == (Ending.WALL_LIMIT, b"first\n")
    assert containers() == ""
    assert not any(mark in words for _, words in processes())


def test_the_time_of_the_start_is_not_the_programs(container: Sandbox) -> None:
    began = time.monotonic()
    outcome = container.run(Program((SHELL, "-c", "exit 0"), (Path("/usr/bin"),)), Limits())
    assert outcome.wall_seconds < 0.7 * (time.monotonic() - began)


def test_a_closed_output_does_not_end_the_watch(container: Sandbox) -> None:
    assert run(container, "exec >&- 2>&-; sleep 60", wall_seconds=0.5)[0] is Ending.WALL_LIMIT
    assert run(container, "exec >&- 2>&-; exit 4")[:2] == (Ending.EXITED, 4)


def test_two_runs_share_nothing(container: Sandbox) -> None:
    assert run(container, "echo x > /tmp/a; ls /tmp")[2] == b"a\n"
    assert run(container, "ls /tmp")[2] == b""


def test_passwords_of_proxies_stay_outside(container: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://me:secret@127.0.0.1:1")
    seen = run(container, "cat /proc/1/environ")[2]
    assert b"PATH" in seen and b"secret" not in seen


@pytest.mark.parametrize("code", [125, 126, 127])
def test_what_happens_inside_is_never_our_failure(container: Sandbox, code: int) -> None:
    assert run(container, f"echo 'Error: no such container' >&2; exit {code}")[:2] == (Ending.EXITED, code)


def test_a_missing_program_or_folder_is_our_failure(container: Sandbox) -> None:
    with pytest.raises(SandboxFailed, match="no /nowhere"):
        container.run(Program(("/nowhere",)), Limits())
    with pytest.raises(SandboxFailed, match=r"did not run the program: .*/nowhere/at/all"):
        container.run(Program((SHELL,), (Path("/nowhere/at/all"),)), Limits())


def test_a_client_that_is_gone_is_our_failure_and_takes_its_container_along(container: Sandbox) -> None:
    mark = f"8644{os.getpid()}"
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run, container, f"sleep {mark}", wall_seconds=30)
        while not any(words == ["sleep", mark] for _, words in processes()) and not running.done():
            time.sleep(0.05)
        for pid in children(os.getpid()):
            if any(number == pid and "--rm" in words and mark in words[-1] for number, words in processes()):
                os.kill(pid, signal.SIGKILL)
        with pytest.raises(SandboxFailed, match="has ended before the container"):
            running.result()
    assert containers() == ""


def test_a_daemon_that_does_not_run_is_told_in_one_sentence(fake: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch) -> None:
    words = "echo 'Cannot connect to the Docker daemon. Is it running?' >&2; exit 1"
    monkeypatch.setenv(VARIABLE, fake(image=words, **{"import": words}).command[0])
    _container.cache_clear()
    with pytest.raises(UserError, match=r"neither works here \(.*docker: Cannot connect to the Docker daemon. Is it running\?\)"):
        choose(kind="container")
    result = CliRunner().invoke(cli, ["doctor", "--sandbox", "container"])
    assert result.exit_code == 1 and "start its service" in result.stdout


def test_what_an_engine_says_when_it_fails_is_told(fake: Callable[..., Engine]) -> None:
    made = fake(run="echo 'docker: no such image: none.' >&2; echo \"Run 'docker run --help' for more\" >&2; exit 125")
    with pytest.raises(SandboxFailed, match=r"^docker did not run the program: no such image: none$"):
        run(over(made), "true")


def test_processes_on_another_machine_are_our_failure(fake: Callable[..., Engine]) -> None:
    made = fake(run="echo; read -r go", container=f"echo {os.getpid()}")
    with pytest.raises(SandboxFailed, match="can't be seen from here"):
        run(over(made), "true")


def test_a_filter_that_is_not_taken_is_left_out_and_the_words_say_so(fake: Callable[..., Engine]) -> None:
    made = fake(image="", run='case "$*" in *seccomp=*) echo no such option >&2; exit 125 ;; *) echo other >&2; exit 125 ;; esac')
    with pytest.raises(SandboxFailed, match="other"):
        _working_container(made.command)
    assert "; a filter of system calls" in over(made).isolation
    assert "docker's own filter" in Container(made, (), "none", filtered=False).isolation


def test_podman_is_known_by_its_word_and_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "docker"
    path.write_text(f"#!{SHELL}\necho podman version 4.3.1\n")
    path.chmod(0o755)
    assert engine((str(path),)).kind == "podman"


@pytest.mark.parametrize(("named", "words"), [
    ("nowhere --at all", r"\(nowhere --at all: nowhere does not start: No such file or directory\)"),
    ("podman '", "should be a command line such as 'podman'"),
])
def test_a_wrong_command_line_is_told(named: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, named)
    _container.cache_clear()
    with pytest.raises(UserError, match=words):
        choose(kind="container")


def test_without_podman_and_docker_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    _container.cache_clear()
    with pytest.raises(UserError, match=r"\(neither is there\): install one"):
        choose(kind="container")


def test_what_can_be_asked_for_is_said() -> None:
    with pytest.raises(UserError, match="should be bubblewrap or container, not 'jail'"):
        choose(kind="jail")
    with pytest.raises(UserError, match="no sandbox at all"):
        choose(unprotected=True, kind="container")


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_profile_refuses_what_the_filter_refuses(machine: str) -> None:
    rules = seccomp.profile(machine)["syscalls"]
    assert all(rule["action"] == "SCMP_ACT_ERRNO" and (rule["errnoRet"] > 0 or rule["names"] in (["flock"], ["fcntl"])) for rule in rules)
    refused = set(rules[0]["names"])
    assert {"ptrace", "memfd_create", "io_uring_setup", "unshare", "semget", "listen", "vmsplice", "setxattr"} <= refused
    assert ("iopl" in refused) == (machine == "x86_64")
    conditional = {
        "clone", "rt_sigaction", "prlimit64", "mmap", "socket", "socketpair", "ioctl", "fcntl", "prctl", "setsockopt",
    }
    assert {name for rule in rules if rule["args"] for name in rule["names"]} == conditional
    assert seccomp.profile("riscv64") == {}
