"""``python -m mathhammer``."""

from mathhammer.cli import main

main()
