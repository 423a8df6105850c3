"""What a command says that is interrupted before it has anything to show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

__all__ = ["interruptible"]


@contextmanager
def interruptible() -> Iterator[None]:
    """Around a command, as a decorator: the option parser would end it without a word."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("mathhammer: interrupted", err=True)
        raise typer.Exit(130) from None
