"""Errors that are told to people: one sentence, with the cure."""


class UserError(Exception):
    """Something the user can mend; the command line prints the message alone and exits with 2."""


class SandboxFailed(Exception):
    """The sandbox itself failed: ours, never the candidate's, so nothing is scored."""
