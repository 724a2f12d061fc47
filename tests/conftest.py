"""Settings of all tests: the same examples each time, no deadline on a shared machine, and bytecode that is kept."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")

if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # Most of the time of a command is compiling its imports, and tests run hundreds of commands.
    os.environ["PYTHONPYCACHEPREFIX"] = str(Path.home() / ".cache" / "code2bench" / "bytecode")
