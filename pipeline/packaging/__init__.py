"""Packaging: instructions become tasks that pass a dry run, without those that maintainers have excluded."""
