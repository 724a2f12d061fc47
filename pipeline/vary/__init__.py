"""Programs that mean the same and look different, made from a release or from a file."""
