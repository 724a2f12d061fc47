"""Running untrusted code: a `Program` under `Limits` gives an `Outcome`; peers in this folder say how."""

from harness.sandbox.choice import choose
from harness.sandbox.contract import Ending, Limits, Outcome, Program, Sandbox

__all__ = ["Ending", "Limits", "Outcome", "Program", "Sandbox", "choose"]
