"""The packages of the extra `data`: imported when needed, missed with a message that says what to install."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from mathhammer.errors import MISSING, RosterError

PACKAGES = ("wh40kdc", "rapidfuzz", "defusedxml")
"""Of the extra `data`: named one by one, which works wherever mathhammer was installed from."""


def need(module: str, purpose: str) -> ModuleType:
    """Import a module of the extra `data`.

    Parameters
    ----------
    module : str
        Dotted name.
    purpose : str
        What it is wanted for, for the message.

    Raises
    ------
    RosterError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        package = module.partition(".")[0]
        install = f"{sys.executable or 'python'} -m pip install {' '.join(PACKAGES)}"
        remedy = f"needs {package}, which is not installed: {install}"
        raise RosterError.at(purpose, MISSING, remedy) from missing
