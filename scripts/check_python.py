"""Say in one sentence when this Python is not the one that the release's runtime is locked for."""

import sys

if sys.version_info[:2] != (3, 11):
    found = ".".join(map(str, sys.version_info[:2]))
    sys.exit(f"The runtime is locked for Python 3.11, but this is {found}: install 3.11 and `make PYTHON=python3.11`.")
