"""Where the pages of checks lie."""

from __future__ import annotations

from pathlib import Path


def pages_folder() -> Path:
    """The pages of the checks: inside the installed package, or in ``docs`` of a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "pages" / "checks"
    return inside if inside.is_dir() else package.parent / "docs" / "checks"
