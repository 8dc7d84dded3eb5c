"""The words after an entry point, sorted out as Hydra's command line does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reviewbot.config.grammar import Malformed, Parsed, parse_override
from reviewbot.config.model import UNKNOWN, Arguments, Override
from reviewbot.config.options import Option, split_options
from reviewbot.shell.model import Word

WORKING_DIRECTORY = "$PWD"
"""What a path starts with that the script takes from its working directory; reviews assume the repository's
root."""
_PRINTING = ("cfg", "info", "help", "hydra-help", "version", "shell-completion")
_PWD_SPELLINGS = ("$(pwd)", '"$(pwd)"', "`pwd`", "$PWD", "${PWD}", '"$PWD"', '"${PWD}"')


def sort_arguments(words: Sequence[Word]) -> Arguments:
    """Overrides, options and what Hydra refuses, each with the word that it was written as.

    Words that are not known and show no key, and words that may stand for many, become ``open``.  Sweeps are
    malformed unless ``--multirun`` is given; then their value is UNKNOWN.
    """
    split = split_options(words)
    multirun = any(option.name == "multirun" for option in split.options)
    multirun = multirun or any(word.text == "hydra.mode=MULTIRUN" for word in split.positional)
    sorting = _Sorting(multirun, any(option.name in _PRINTING for option in split.options))
    sorting.malformed.extend(split.refused)
    for option in split.options:
        sorting.take_option(option)
    for word in split.positional:
        sorting.take_word(word)
    return sorting.result()


@dataclass
class _Sorting:
    multirun: bool
    prints: bool
    overrides: list[Override] = field(default_factory=list)
    paths: dict[str, str] = field(default_factory=dict)
    malformed: list[tuple[Word, str]] = field(default_factory=list)
    options: list[Word] = field(default_factory=list)
    open: list[Word] = field(default_factory=list)
    unknown_paths: set[str] = field(default_factory=set)

    def result(self) -> Arguments:
        name = self.paths.get("config-name")
        return Arguments(
            overrides=tuple(self.overrides),
            config_name=name.removesuffix(".yaml") if name is not None else None,
            config_path=self.paths.get("config-path"),
            config_dir=self.paths.get("config-dir"),
            malformed=tuple(self.malformed),
            options=tuple(self.options),
            open=tuple(self.open),
            prints=self.prints,
            unknown_config=bool(self.unknown_paths),
        )

    def take_option(self, option: Option) -> None:
        if option.name not in ("config-name", "config-path", "config-dir"):
            self.options.extend(word for word in option.words if word not in self.options)
            return
        value = option.value if option.known else _from_working_directory(option)
        if option.words[-1].many:
            self.open.append(option.words[-1])
        if value is None:
            self.unknown_paths.add(option.name)
        else:
            self.paths[option.name] = value
            self.unknown_paths.discard(option.name)

    def take_word(self, word: Word) -> None:
        if word.text is not None:
            self.take_text(word, word.text)
        elif word.many or "=" not in word.prefix:
            self.open.append(word)
        else:
            self.take_text(word, word.prefix[: word.prefix.index("=") + 1] + "0", value_known=False)

    def take_text(self, word: Word, text: str, value_known: bool = True) -> None:
        parsed = parse_override(text)
        if isinstance(parsed, Malformed):
            self.malformed.append((word, parsed.message))
        elif parsed.sweep and not self.multirun:
            self.malformed.append((word, parsed.sweep))
        else:
            self.overrides.append(_override(word, parsed, value_known))


def _override(word: Word, parsed: Parsed, value_known: bool) -> Override:
    if value_known:
        return Override(word, parsed.op, parsed.key, parsed.value_text, parsed.value)
    return Override(word, parsed.op, parsed.key, None, UNKNOWN)


def _from_working_directory(option: Option) -> str | None:
    """``$PWD/…`` for a path whose only unknown piece is the working directory in front; else None."""
    word = option.words[-1]
    pieces = list(word.pieces)
    if word.many or option.name == "config-name":
        return None
    texts = [piece.text for piece in pieces if piece.text != ""]
    unknown = [piece for piece in pieces if piece.text is None]
    if len(unknown) != 1 or unknown[0].why not in _PWD_SPELLINGS:
        return None
    before = "".join(text or "" for text in texts[: texts.index(None)])
    if before and not before.endswith("="):
        return None
    after = "".join(text or "" for text in texts[texts.index(None) :])
    return WORKING_DIRECTORY + after
