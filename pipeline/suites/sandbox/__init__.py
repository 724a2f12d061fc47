"""The sandboxed side of suite making: a warm worker process that builds suites, and how it is started."""
