"""Python: how it is run, asked for, found in answers and compared; the object behind which all that stands is
`harness.languages.python.language.PYTHON`."""

VERSION = "3.11"
"""The minor version of all releases so far."""
