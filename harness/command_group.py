"""The group of commands: those of maintainers are loaded when they are run, and errors end in one sentence."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click

from harness import ulimits
from harness.cache import cache_folder, unusable
from harness.errors import SandboxFailed, UserError
from harness.telling import printable, say

MAINTAINERS = {
    "build": "Build a release from its configuration.",
    "choose": "Choose repositories of GitHub as sources of a release.",
    "verify": "Run every gate on a finished release again.",
    "status": "Show the funnel of a build.",
    "explain": "Show why a function was kept or dropped.",
    "index": "Keep what known benchmarks have out of the next build.",
    "review": "Accept or reject tasks of a release, with a reason.",
    "quality": "Say what is wrong with a release's tasks, as far as a program can see it.",
    "classify": "Show the class of each function in files or folders.",
    "suite": "Build the suite of the functions in a file.",
    "mutate": "Write the functions of a file in other ways that mean the same.",
    "vary": "Make a new benchmark of a release: what do variants of its programs give?",
    "evolve": "Evolve the programs of a release towards the complexity of real ones, and ask about both.",
    "reword": "Put a task's question otherwise: names, typos, synonyms, sentences, examples.",
    "experiment": "Repeat an experiment on variants, to its tables.",
    "publish": "Publish a verified release on the Hub, under a tag that never moves.",
    "withdraw": "Announce that a task has to go.",
    "diff": "Say what changed from one release to another.",
    "agreement": "Say how far the judges of a build agree with each other and with people.",
}
"""Commands that come from the entry-point group: named here, so that help needs none of their dependencies."""

_EXTRAS = {"ray": "ray", "openai": "llm"}
_UNUSABLE = {
    errno.EACCES, errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR, errno.EPERM, errno.EROFS,
}
"""What is wrong with a place rather than with us, whoever has named it."""
_GUESS = re.compile(r"\. \(?Did you mean (.*?)\)?$", re.DOTALL)


class Commands(click.Group):
    """A group whose further commands are loaded when they are run; errors end in one sentence and an exit code.

    2: something that the user can mend, 3: the sandbox failed, 130: stopped.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, those of commands included whose dependencies are missing."""
        return sorted({*super().list_commands(ctx), *MAINTAINERS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded now where it comes from elsewhere."""
        found = super().get_command(ctx, cmd_name)
        if found is None and cmd_name in MAINTAINERS:
            for point in entry_points(group="code2bench.commands"):
                point.load()(self)
            found = super().get_command(ctx, cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 (click's)
        """The list in the help, without loading anything."""
        own = {name: command.get_short_help_str(100) for name, command in self.commands.items()}
        with formatter.section("For evaluators"):
            formatter.write_dl(sorted((name, text) for name, text in own.items() if name not in MAINTAINERS))
        with formatter.section("For maintainers (pip install 'code2bench[build]')"):
            formatter.write_dl(list(MAINTAINERS.items()))

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line; ends the process, unless `standalone_mode=False` is among the arguments."""
        standalone = extra.pop("standalone_mode", True)
        command = partial(super().main, *args, standalone_mode=False, **extra)
        given = args[0] if args and args[0] is not None else extra.get("args") or sys.argv[1:]
        return sys.exit(self._run(command, given)) if standalone else command()

    def _run(self, command: Callable[[], Any], given: Sequence[str]) -> int:
        try:
            ulimits.prepare()
            code = command()
        except click.ClickException as error:
            return _refused(error, given)
        except (click.Abort, KeyboardInterrupt):
            return _say("Stopped; run the same command again to go on.", 130)
        except UserError as error:
            return _say(f"Error: {error}", 2)
        except SandboxFailed as error:
            return _say(f"The sandbox failed, so nothing was scored: {error} `code2bench doctor` tells more.", 3)
        except ModuleNotFoundError as error:
            return _missing(error)
        except Exception as error:
            return _failed(error, given)
        return code if isinstance(code, int) else 0


def _say(sentence: str, code: int) -> int:
    say(printable(sentence), err=True)
    return code


def _refused(error: click.ClickException, given: Sequence[str]) -> int:
    """Say what click does not understand, in its words and on one line, and where it is told what is understood."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        say(error.format_message(), err=True)
        return error.exit_code
    words = " ".join(_GUESS.sub(r" (did you mean \1)", error.format_message()).split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = [one for one in given[:1] if not one.startswith("-")]
    where = context.command_path if context else " ".join(["code2bench", *command])
    return _say(f"Error: {words}: `{where} --help` says what there is.", 2)


def _failed(error: Exception, given: Sequence[str]) -> int:
    """Say what this process ran short of, or which place it can't use; any other error is a fault of ours."""
    sentence = ulimits.told(error) or _unusable(error, given)
    if not sentence:
        raise error
    with suppress(OSError, ValueError):  # what can't be printed any more must not be tried again at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _say(f"Error: {sentence}", 2)


def _unusable(error: Exception, given: Sequence[str]) -> str:
    """Which file or folder can't be used, and why; "" where an error does not say that of one that users answer for."""
    if not isinstance(error, OSError) or not isinstance(error.filename, (str, bytes)):
        return ""
    place = os.fsdecode(error.filename)
    if _below(place, cache_folder()) and (error.errno in _UNUSABLE or not cache_folder().is_dir()):
        return unusable(error)
    if error.errno not in _UNUSABLE and not (error.errno == errno.ENOENT and _named(place, given)):
        return ""
    return f"{place} can't be used ({error.strerror}): name another file or folder, or mend what is there."


def _named(place: str, given: Sequence[str]) -> bool:
    """Whether it is one of the things that the command line has named, or lies below one."""
    texts = [text for one in given for text in (one, one.partition("=")[2]) if text]
    return any(_below(place, text) for text in texts)


def _below(place: str, folder: str | Path) -> bool:
    """Whether a place is the folder, or lies in it."""
    return f"{os.path.abspath(place)}/".startswith(f"{os.path.abspath(folder)}/")


def _missing(error: ModuleNotFoundError) -> int:
    module = (error.name or "").partition(".")[0]
    if module in ("harness", "pipeline", ""):
        raise error
    extra = _EXTRAS.get(module, "build")
    return _say(f"Error: this command needs {module}, which is not installed: pip install 'code2bench[{extra}]'", 2)
