"""The options of Hydra's command line, split from the overrides as Python's argparse does.

Source of the options: Hydra 1.3, ``hydra/_internal/utils.py:get_args_parser``.  argparse takes positional
arguments in one run: overrides that stand before an option *and* after it are refused ("unrecognized arguments").
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
            elif _is_positional(word):
                self._positional(word)
            else:
                self.in_run = False
                self._option(word)
        return self.found

    def _positional(self, word: Word) -> None:
        if not self.in_run and not word.many:
            self.in_run = True
            self.runs += 1
        if self.runs > 1 and word.text is not None:
            self.found.refused.append((word, f"unrecognized arguments: {word.text}"))
        else:
            self.found.positional.append(word)

    def _option(self, word: Word) -> None:
        text = word.prefix
        flag, equals, value = text.partition("=")
        names = [text] if text in _NAMES else [flag] if equals and flag in _NAMES else _candidates(text)
        if len({_NAMES[name] for name in names}) > 1:
            return self._refuse(word, f"ambiguous option: {text} could match {', '.join(names)}")
        if not names:
            return self._refuse(word, f"unrecognized arguments: {text}")
        name = _NAMES[names[0]]
        explicit: str | None = None
        if equals and (flag == names[0] or names[0].startswith(flag)):
            explicit = value
        elif text != names[0] and not text.startswith("--") and not names[0].startswith(text):
            explicit = text[2:]
        self._take(word, name, explicit)

    def _take(self, word: Word, name: str, explicit: str | None) -> None:
        known = word.text is not None
        if name in _NO_VALUE:
            if explicit is None:
                self.found.options.append(Option(name, None, (word,)))
            elif word.text is not None and not word.text.startswith("--") and "=" not in word.text:
                self._bundle(word, name, explicit)
            else:
                self._refuse(word, f"argument --{name}: ignored explicit argument {explicit!r}")
            return
        if explicit is not None:
            self._valued(name, explicit if known else None, (word,), known)
            return
        following = self.words[self.at] if self.at < len(self.words) else None
        if following is None or following.text == "--" or not _is_positional(following):
            if name == "info":
                self.found.options.append(Option(name, "all", (word,)))
            else:
                self._refuse(word, f"argument --{name}: expected one argument")
            return
        self.at += 1
        self._valued(name, following.text, (word, following), following.text is not None)

    def _valued(self, name: str, value: str | None, words: tuple[Word, ...], known: bool) -> None:
        choices = _CHOICES.get(name)
        if choices and value is not None and value not in choices:
            self._refuse(
                words[-1], f"argument --{name}: invalid choice: {value!r} (choose from {', '.join(choices)})"
            )
        else:
            self.found.options.append(Option(name, value, words, known))

    def _bundle(self, word: Word, name: str, rest: str) -> None:
        """``-mr``: short options written as one."""
        self.found.options.append(Option(name, None, (word,)))
        flag = f"-{rest[0]}"
        if flag not in _NAMES:
            self._refuse(word, f"argument --{name}: ignored explicit argument {rest!r}")
        else:
            self._take(word, _NAMES[flag], rest[1:] or None)

    def _refuse(self, word: Word, message: str) -> None:
        self.found.refused.append((word, message))


def _is_positional(word: Word) -> bool:
    """argparse's test for an option: a leading dash, except for ``-``, negative numbers and texts with a blank."""
    text = word.prefix
    if not text.startswith("-") or text == "-":
        return True
    if text in _NAMES or text.partition("=")[0] in _NAMES or _candidates(text):
        return False
    return bool(_NEGATIVE_NUMBER.match(text)) or " " in text


def _candidates(text: str) -> list[str]:
    """The options that ``text`` may abbreviate."""
    flag = text.partition("=")[0]
    if text.startswith("--"):
        return [name for name in _NAMES if name.startswith(flag)] if len(flag) > 2 else []
    return [name for name in _SHORT if name == text[:2] or name.startswith(text)]
