"""`python -m gate` is `gate`."""

from __future__ import annotations

from gate.cli import main

if __name__ == "__main__":
    main()
