"""Compare the config stage with real Hydra over a checkout of a framework, and print the figures.

    python acceptance/compare_hydra.py CHECKOUT [--lists 20] [--seed 1] [--recipes] [--verbose]

For each entry point: random ordered override lists over its real keys.  With ``--recipes``: every launch of every
script.  What Hydra refuses first and the resulting tree must be equal; the exit code says whether they are.
Overrides whose value is not known are left out on both sides; commands whose config or group choice is not known
are only counted.
"""

from __future__ import annotations

import argparse
import random
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from reviewbot.config.arguments import sort_arguments
from reviewbot.config.compose import concerns_hydra
from reviewbot.config.launch import Configured, configure
from reviewbot.config.model import Arguments, Base, Override, Refusal
from reviewbot.config.search import SEARCH_PATH, locate, packages_of, search_path
from reviewbot.knowledge.config_trees import compose_at, primary_names
from reviewbot.knowledge.entry_points import read_entry_points
from reviewbot.knowledge.model import EntryPoint
from reviewbot.knowledge.store import framework_of
from reviewbot.shell.model import Piece, Word
from reviewbot.shell.script import read_script
from reviewbot.text import SourceText, Span
from reviewbot.tree import DirectoryTree


def main() -> int:
    options = _options()
    comparison = Comparison(options.checkout.resolve(), options.verbose)
    commands = list(comparison.random_commands(options.lists, random.Random(options.seed)))
    comparison.run("random lists", commands)
    if options.recipes:
        comparison.run("launches of recipes", list(comparison.recipe_commands()))
    return 1 if comparison.different else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--lists", type=int, default=20, help="random override lists for each config")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recipes", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print every refusal")
    return parser.parse_args()


@dataclass(frozen=True)
class Command:
    """One command to compare."""

    name: str
    entry: EntryPoint
    arguments: Arguments


@dataclass
class Comparison:
    """Both sides of the comparison over one checkout."""

    root: Path
    verbose: bool
    different: int = 0
    bases: dict[tuple[str, str, tuple[str, ...]], Base | Refusal] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tree = DirectoryTree(self.root)
        self.packages = packages_of(self.tree)
        framework = framework_of(self.tree)
        assert framework is not None, f"{self.root} holds no framework"
        self.entries = read_entry_points(self.tree, framework)

    def random_commands(self, count: int, random_: random.Random) -> Iterator[Command]:
        """Override lists over the keys of every config of the entry points."""
        for entry in self.entries:
            for name in primary_names(self.tree, entry.config_dir):
                base = self.base(entry.config_dir, name, ())
                if isinstance(base, Base):
                    for number in range(count):
                        texts = _random_texts(base, random_)
                        arguments = sort_arguments([_word(f"--config-name={name}"), *map(_word, texts)])
                        yield Command(f"{entry.module} {name} {number}", entry, arguments)

    def recipe_commands(self) -> Iterator[Command]:
        """Every launch of every script that starts a known entry point; equal ones once."""
        by_name = {entry.module: entry for entry in self.entries} | {
            entry.path: entry for entry in self.entries
        }
        seen = set()
        for path in self.tree.files():
            text = self.tree.read(path) if path.endswith(".sh") else None
            if text is None:
                continue
            for launch in read_script(SourceText(path, text), read=self.tree.read).launches:
                entry = by_name.get((launch.entry_point.text or "").removeprefix("./"))
                identity = (path, launch.entry_point.text, tuple(word.text for word in launch.arguments))
                if entry is not None and identity not in seen:
                    seen.add(identity)
                    name = f"{path}:{launch.span.line}"
                    yield Command(name, entry, sort_arguments(launch.arguments))

    def run(self, title: str, commands: Sequence[Command]) -> None:
        """Compare and print the figures."""
        counts: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        seconds = hydra_seconds = 0.0
        overrides = 0
        for command in commands:
            if any(r.kind == "unknown" for r in self.configured(command.entry, command.arguments).refusals):
                counts["not known"] += 1
                continue
            arguments = replace(
                command.arguments,
                overrides=tuple(o for o in command.arguments.overrides if o.word.text is not None),
            )
            self.configured(command.entry, arguments)
            started = time.perf_counter()
            configured = self.configured(command.entry, arguments)
            seconds += time.perf_counter() - started
            started = time.perf_counter()
            problem = self.difference(command.entry, configured)
            hydra_seconds += time.perf_counter() - started
            overrides += len(arguments.overrides)
            kinds.update(refusal.kind for refusal in configured.refusals)
            counts[_outcome(configured, problem)] += 1
            if problem:
                self.different += 1
                print(f"  DIFFERENT {command.name}: {problem}")
            if problem or self.verbose:
                for refusal in configured.refusals:
                    print(f"  {command.name}: {refusal.kind}: {refusal.message}")
        total = max(1, len(commands))
        print(
            f"{title}: {len(commands)} commands, {overrides} overrides: {dict(counts)}; refusals {dict(kinds)}"
        )
        print(
            f"  ours {1000 * seconds / total:.2f} ms a command, Hydra {1000 * hydra_seconds / total:.0f} ms"
        )

    def configured(self, entry: EntryPoint, arguments: Arguments) -> Configured:
        """Our side."""

        def base_for(_path: str | None, _name: str | None, groups: tuple[str, ...]) -> Base | Refusal:
            where = locate(entry, arguments, self.packages)
            return where if isinstance(where, Refusal) else self.base(*where, groups)

        return configure(arguments, base_for)

    def base(self, folder: str, name: str, groups: tuple[str, ...]) -> Base | Refusal:
        """A base, composed once."""
        key = (folder, name, groups)
        if key not in self.bases:
            self.bases[key] = compose_at(self.tree, folder, name, groups)
        return self.bases[key]

    def difference(self, entry: EntryPoint, configured: Configured) -> str:
        """What real Hydra says otherwise; empty where it agrees."""
        arguments = configured.arguments
        where = locate(entry, arguments, self.packages)
        if isinstance(where, Refusal) or any(
            refusal.kind == "outside-tree" for refusal in configured.refusals
        ):
            return ""
        search = search_path(self.tree, *where, self.packages, [_text(o) for o in arguments.overrides])
        if isinstance(search, Refusal):
            return "" if configured.base is None else f"composed, but {search.message}"
        folders = (where[0], *search)
        texts = [_text(override) for override in arguments.overrides if override.key != SEARCH_PATH]
        real = self.hydra(folders, where[1], texts)
        refused = [_text(r.override) for r in configured.refusals if r.override is not None]
        if not configured.refusals:
            assert configured.applied is not None
            if real.tree is None:
                return f"Hydra refuses {real.refused or 'it'}: {real.message}"
            return "" if repr(real.tree) == repr(configured.applied.tree) else "another tree"
        if real.tree is not None:
            return f"Hydra accepts what we refuse: {configured.refusals[0].message}"
        if configured.applied is None:
            return ""
        if real.refused and real.refused != refused[0]:
            return f"Hydra stops at {real.refused}: {real.message}"
        return self._after_refusals(folders, where[1], configured)

    def _after_refusals(self, folders: tuple[str, ...], name: str, configured: Configured) -> str:
        """Each refused override must be refused by itself, and what is left must compose to our tree."""
        refused = [refusal.override for refusal in configured.refusals]
        left = [o for o in configured.arguments.overrides if all(o is not other for other in refused)]
        kept = [_text(override) for override in left if override.key != SEARCH_PATH]
        real = self.hydra(folders, name, kept)
        assert configured.applied is not None
        if real.tree is None:
            return f"without what we refuse Hydra still refuses {real.refused}: {real.message}"
        return (
            "" if repr(real.tree) == repr(configured.applied.tree) else "another tree without what is refused"
        )

    def hydra(self, folders: tuple[str, ...], name: str, texts: Sequence[str]) -> Outcome:
        """Real Hydra's side, from the files on disk."""
        return _compose(tuple(str(self.root / folder) for folder in folders), name, tuple(texts))


@dataclass(frozen=True)
class Outcome:
    """What real Hydra makes of a command."""

    tree: dict[str, Any] | None
    refused: str = ""
    message: str = ""


@cache
def _compose(folders: tuple[str, ...], name: str, texts: tuple[str, ...]) -> Outcome:
    from hydra import compose, initialize_config_dir
    from hydra._internal.config_loader_impl import ConfigLoaderImpl
    from omegaconf import OmegaConf

    seen: list[str] = []
    apply = ConfigLoaderImpl._apply_overrides_to_config

    def watched(found: list[Any], config: Any) -> None:
        for override in found:
            seen.append(str(override.input_line))
            apply([override], config)
        seen.clear()

    extra = f"hydra.searchpath=[{','.join(f'file://{folder}' for folder in folders[1:])}]"
    with (
        warnings.catch_warnings(),
        patch.object(ConfigLoaderImpl, "_apply_overrides_to_config", staticmethod(watched)),
    ):
        warnings.simplefilter("ignore")
        try:
            with initialize_config_dir(folders[0], version_base=None):
                config = compose(name, overrides=[extra, *texts])
        except Exception as error:  # whatever Hydra lets through is its refusal
            return Outcome(None, seen[-1] if seen else "", " ".join(str(error).split())[:300])
    plain = OmegaConf.to_container(config, resolve=False)
    assert isinstance(plain, dict)
    return Outcome({str(key): value for key, value in plain.items()})


def _outcome(configured: Configured, problem: str) -> str:
    if problem:
        return "different"
    if configured.base is None:
        return "no base, as Hydra" if configured.refusals[0].kind != "outside-tree" else "outside the tree"
    return "equal, with refusals" if configured.refusals else "equal"


def _random_texts(base: Base, random_: random.Random) -> list[str]:
    """A list of overrides over the keys of a base, most of them such as recipes hold."""
    keys = list(_keys("", base.tree))
    texts = []
    for _ in range(random_.randint(1, 40)):
        key = random_.choice(keys)
        if random_.random() < 0.25:
            key += random_.choice([".new", ".x.y", "_", ".lr", ".enable"])
        op = random_.choice(["", "", "", "+", "+", "++", "~"])
        bare = op == "~" and random_.random() < 0.7
        texts.append(f"{op}{key}" if bare else f"{op}{key}={random_.choice(_VALUES)}")
    for group, choices in base.options.items():
        if group in base.groups and choices and random_.random() < 0.15:
            texts.insert(random_.randint(0, len(texts)), f"{group}={random_.choice(choices)}")
    return [text for text in texts if not concerns_hydra(text)]


_VALUES = (
    "1",
    "x",
    "null",
    "True",
    "1e-6",
    "",
    "[a,b]",
    "[]",
    "{}",
    "{a: 1}",
    "{enable: true}",
    "'a b'",
    "${trainer}",
)


def _keys(prefix: str, node: Any) -> Iterator[str]:
    for name, value in node.items():
        yield f"{prefix}{name}"
        if isinstance(value, dict):
            yield from _keys(f"{prefix}{name}.", value)


def _word(text: str) -> Word:
    return Word((Piece(text),), Span("command", 1, 1, 1, 2))


def _text(override: Override) -> str:
    return override.word.text or ""


if __name__ == "__main__":
    raise SystemExit(main())
