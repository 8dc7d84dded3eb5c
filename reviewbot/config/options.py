"""The options of Hydra's command line, split from the overrides as Python's argparse does.

Source of the options: Hydra 1.3, ``hydra/_internal/utils.py:get_args_parser``. argparse takes positional
arguments in one run: overrides that stand before an option *and* after it are refused ("unrecognized
arguments").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from reviewbot.shell.model import Word

_NO_VALUE = ("help", "hydra-help", "version", "resolve", "run", "multirun", "shell-completion")
_WITH_VALUE = ("cfg", "package", "config-path", "config-name", "config-dir", "experimental-rerun")
_SHORT = {
    "-h": "help",
    "-c": "cfg",
    "-p": "package",
    "-r": "run",
    "-m": "multirun",
    "-sc": "shell-completion",
    "-cp": "config-path",
    "-cn": "config-name",
    "-cd": "config-dir",
    "-i": "info",
}
_NAMES = {f"--{name}": name for name in (*_NO_VALUE, *_WITH_VALUE, "info")} | _SHORT
_CHOICES = {
    "cfg": ("job", "hydra", "all"),
    "info": ("all", "config", "defaults", "defaults-tree", "plugins", "searchpath"),
}
_NEGATIVE_NUMBER = re.compile(r"-\d+$|-\d*\.\d+$")


@dataclass(frozen=True, slots=True)
class Option:
    """One option with its value."""

    name: str
    """``config-name``, ``multirun``, ``cfg`` …"""
    value: str | None
    """None where it takes none, or where the value is not known."""
    words: tuple[Word, ...]
    known: bool = True


@dataclass
class Split:
    """The words of a command line, sorted."""

    options: list[Option] = field(default_factory=list)
    positional: list[Word] = field(default_factory=list)
    refused: list[tuple[Word, str]] = field(default_factory=list)


def split_options(words: Sequence[Word]) -> Split:
    """Options and positional words as argparse tells them apart; words that it refuses with its message."""
    return _Splitter(words).run()


class _Splitter:
    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.at = 0
        self.found = Split()
        self.runs = 0
        """How many runs of positional words have begun."""
        self.in_run = False

    def run(self) -> Split:
        only_positional = False
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if only_positional:
                self._positional(word)
            elif word.text == "--":
                only_positional = True
                self._positional(word, counts=False)
            elif _is_positional(word):
                self._positional(word)
            else:
                self.in_run = False
                self._option(word)
        return self.found

    def _positional(self, word: Word, counts: bool = True) -> None:
        """One more word of a run; ``counts`` is False for ``--``, which only marks where it is."""
        if not self.in_run and not word.many:
            self.in_run = True
            self.runs += 1
        if self.runs > 1 and word.text is not None:
            self.found.refused.append((word, f"unrecognized arguments: {word.text}"))
        elif counts:
            self.found.positional.append(word)

    def _option(self, word: Word) -> None:
        readings = _readings(word.prefix)
        if word.text is None and "=" not in word.prefix:
            self._positional(word)
        elif not readings:
            self._refuse(word, f"unrecognized arguments: {word.prefix}")
        elif len(readings) > 1:
            could = ", ".join(flag for flag, _ in readings)
            self._refuse(word, f"ambiguous option: {word.prefix} could match {could}")
        else:
            self._take(word, *readings[0])

    def _take(self, word: Word, flag: str, explicit: str | None) -> None:
        """One option, with the value that is written into its word; ``-mr`` holds two options."""
        name = _NAMES[flag]
        if name in _NO_VALUE:
            if explicit is None:
                self.found.options.append(Option(name, None, (word,)))
            elif explicit and not flag.startswith("--") and f"-{explicit[0]}" in _NAMES:
                self.found.options.append(Option(name, None, (word,)))
                self._take(word, f"-{explicit[0]}", explicit[1:] or None)
            else:
                self._refuse(word, f"argument {flag}: ignored explicit argument '{explicit}'")
        elif explicit is not None:
            self._valued(name, explicit if word.text is not None else None, (word,), word.text is not None)
        else:
            self._take_following(word, name)

    def _take_following(self, word: Word, name: str) -> None:
        following = self.words[self.at] if self.at < len(self.words) else None
        if following is not None and following.text != "--" and _is_positional(following):
            self.at += 1
            self._valued(name, following.text, (word, following), following.text is not None)
        elif name == "info":
            self.found.options.append(Option(name, "all", (word,)))
        else:
            self._refuse(word, f"argument --{name}: expected one argument")

    def _valued(self, name: str, value: str | None, words: tuple[Word, ...], known: bool) -> None:
        choices = _CHOICES.get(name)
        if choices and value is not None and value not in choices:
            self._refuse(
                words[-1], f"argument --{name}: invalid choice: {value!r} (choose from {', '.join(choices)})"
            )
        else:
            self.found.options.append(Option(name, value, words, known))

    def _refuse(self, word: Word, message: str) -> None:
        self.found.refused.append((word, message))


def _is_positional(word: Word) -> bool:
    """argparse's test: no leading dash, or ``-``, a negative number, or a text with a blank, no option."""
    text = word.prefix
    if not text.startswith("-") or text == "-":
        return True
    return not _readings(text) and bool(_NEGATIVE_NUMBER.match(text) or " " in text)


def _readings(text: str) -> list[tuple[str, str | None]]:
    """The flags that a text may stand for, each with the value written into it."""
    flag, equals, value = text.partition("=")
    explicit = value if equals else None
    if text in _NAMES:
        return [(text, None)]
    if equals and flag in _NAMES:
        return [(flag, explicit)]
    if text.startswith("--"):
        return [(name, explicit) for name in _NAMES if name.startswith(flag)]
    found: list[tuple[str, str | None]] = []
    for short in _SHORT:
        if short == text[:2]:
            found.append((short, text[2:]))
        elif short.startswith(text):
            found.append((short, None))
    return found
