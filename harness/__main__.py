"""`python -m harness` is the `code2bench` command."""

from harness.cli import main

if __name__ == "__main__":
    main()
