"""Asking before something takes time and room, on a terminal, unless the command line has agreed already."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from harness.errors import UserError
from harness.runtime import Consent
from harness.telling import say

_F = TypeVar("_F", bound=Callable[..., Any])


def consent_option(function: _F) -> _F:
    """Let the user agree beforehand to what takes time and room."""
    text = "Make the runtime without asking where it is missing."
    return click.option("--yes", is_flag=True, envvar="CODE2BENCH_YES", help=text)(function)


def consenting(yes: bool) -> Consent:
    """Tells what is about to be made, and asks whether that is wanted, unless that was said already."""

    def consent(sentence: str) -> None:
        asking = sys.stdin.isatty() and sys.stderr.isatty()
        if not (yes or asking):
            what = sentence.partition(": ")[2].rstrip(".")
            raise UserError(
                f"The runtime is missing ({what}), and there is nobody to ask: give --yes, and it is made first.")
        say(sentence, err=True)
        if yes:
            return
        if not click.confirm("Go on?", default=True, err=True):
            raise UserError("Nothing was run: answers need the runtime, which --yes makes without asking.")

    return consent
