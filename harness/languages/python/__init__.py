"""Python: a runner of calls, and the drivers that run inside the sandbox."""
