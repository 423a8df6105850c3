"""The command ``mathhammer``, also as ``python -m mathhammer``."""

import sys

__all__ = ["main"]


def main() -> None:
    """Load the command line and run it; Ctrl-C ends it in one line while it loads, too."""
    try:
        from mathhammer.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(_interrupted())


def _interrupted() -> int:
    if sys.stderr is not None:
        print("mathhammer: interrupted", file=sys.stderr)
    return 130


if __name__ == "__main__":
    main()
