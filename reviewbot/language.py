"""What reviewbot says, in the language that is asked for.

English stands in the code: ``say("{count} files", count=2)``.  Other languages have a catalogue, English template →
template with the same names in braces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module

LANGUAGES = ("en", "zh")
_current: ContextVar[str] = ContextVar("language", default="en")


def say(template: str, /, **fields: object) -> str:
    """The template in the language in use, with the fields filled in.

    The template is a literal, so that a test can find it; a brace that is meant as one is written twice.
    """
    language = _current.get()
    found = template if language == "en" else catalogue(language).get(template, template)
    return found.format(**fields)


def later(template: str) -> str:
    """Marks a template that is said where its value is used: gives it back as it is."""
    return template


def language() -> str:
    """The language in use: one of ``LANGUAGES``."""
    return _current.get()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Use a language within a ``with`` block.  Raises ValueError for one that there is not."""
    if name not in LANGUAGES:
        raise ValueError(f"there is no language {name}: {', '.join(LANGUAGES)}")
    token = _current.set(name)
    try:
        yield
    finally:
        _current.reset(token)


def catalogue(name: str) -> Mapping[str, str]:
    """The templates of a language other than English, by the English template."""
    found: Mapping[str, str] = import_module(f"reviewbot.languages.{name}").CATALOGUE
    return found


def why_of(check: str) -> str:
    """What a check's page says below its title, in the language in use; that is not English."""
    found: Mapping[str, str] = import_module(f"reviewbot.languages.{_current.get()}_checks").WHY
    return found[check]
