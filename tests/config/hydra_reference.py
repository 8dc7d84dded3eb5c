"""Real Hydra as the reference, and a small config tree with everything that makes composition hard."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from reviewbot.config.grammar import Parsed, parse_override
from reviewbot.config.model import Override
from reviewbot.shell.model import Piece, Word
from reviewbot.text import Span

FILES = {
    "conf/main.yaml": """
defaults:
  - engine: dp
  - actor@role.actor: ${engine}_actor
  - ref@role.ref: ${engine}_ref
  - store@store: null
  - _self_
role:
  nccl_timeout: 600
  actor: {tag: "${trainer.name}-actor"}
trainer:
  name: run
  epochs: 30
  resume: null
  logger: [console, wandb]
  ranks: []
  must: ???
  extra: {}
  nested: {deep: {deeper: {leaf: 1}}, other: 2.5, flag: true}
data:
  path: ${oc.env:DATA_HOME,/data}
  size: 1024
  twin: ${.size}
  far: ${..trainer.nested.deep}
  text: pre-${trainer.name}-${data.size}
  maybe: ${oc.select:data.nope,7}
  options: ${oc.select:role.actor.options,{}}
  decoded: ${oc.decode:'12'}
  item: ${trainer.logger[0]}
  loop_a: ${.loop_b}
  loop_b: ${.loop_a}
""",
    "conf/engine/dp.yaml": "# @package _global_\nengine: dp\nrole: {kind: dense}\n",
    "conf/engine/mega.yaml": "# @package _global_\nengine: mega\nrole: {kind: wide, extra: {x: 1}}\n",
    "conf/actor/base.yaml": (
        "lr: 1e-6\noptions: {fused: false, levels: [1, 2]}\noptim: {betas: [0.9, 0.99], wd: null}\n"
    ),
    "conf/actor/dp_actor.yaml": "defaults: [base, _self_]\nshards: -1\nstrategy: dp\n",
    "conf/actor/mega_actor.yaml": "defaults: [base, _self_]\ntp: 1\nstrategy: mega\n",
    "conf/ref/dp_ref.yaml": (
        "options: ${role.actor.options}\nlr: ${role.actor.lr}\nstrategy: ${..actor.strategy}\nown: {a: 1, b: null}\n"
    ),
    "conf/ref/mega_ref.yaml": (
        "options: ${role.actor.options}\nlr: ${oc.select:role.actor.lr,null}\ntp: 1\nown: {a: 1, b: null}\n"
    ),
    "conf/store/local.yaml": "dir: /tmp\nkeep: 3\n",
    "conf/store/remote.yaml": "url: s3://bucket\nkeep: ${trainer.epochs}\n",
    "conf/store/notes.txt": "not a config\n",
    "conf/alt/main_alt.yaml": "defaults: [/main@_global_, _self_]\nalt: {x: 1}\n",
    "conf/wrapper.yaml": "defaults:\n  - main\n  - override engine: mega\n",
    "shared/extra/one.yaml": "value: 1\n",
    "shared/extra/two.yaml": "value: 2\n",
    "conf/searching.yaml": (
        "hydra:\n  searchpath: [pkg://shared, 'file://more/conf']\n  run: {dir: out}\n"
        "defaults: [main, extra: one, third: yes_it_is, _self_]\n"
    ),
    "more/conf/third/yes_it_is.yaml": "found: true\n",
}


def pieces(name: str) -> list[str]:
    """What generated commands are made of."""
    import yaml

    text = Path(__file__).with_name("pieces.yaml").read_text(encoding="utf-8")
    found: list[str] = yaml.safe_load(text)[name]
    return found


def word(text: str) -> Word:
    """A word that the script alone decides."""
    return Word((Piece(text),), Span("run.sh", 1, 1, 1, 2))


def overrides(*texts: str) -> list[Override]:
    """Overrides of known texts that Hydra's grammar accepts."""
    found = []
    for text in texts:
        parsed = parse_override(text)
        assert isinstance(parsed, Parsed), parsed
        found.append(Override(word(text), parsed.op, parsed.key, parsed.value_text, parsed.value))
    return found


def write_files(root: Path, files: Mapping[str, str] = FILES) -> Path:
    """The files below a folder."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


@dataclass
class Outcome:
    """What real Hydra makes of a command."""

    tree: dict[str, Any] | None
    refused: str = ""
    """The override that it stopped at; empty where the composition of the defaults list failed."""
    message: str = ""

    @property
    def kind(self) -> str:
        """The refusal's kind in this project's words."""
        for said, kind in _KINDS:
            if said in self.message:
                return kind
        return "type" if self.refused else "compose"


_KINDS = (
    ("looks like a config group override", "no-such-group"),
    ("Could not append to config", "append-exists"),
    ("Could not delete from config", "delete-missing"),
    ("To append to your default list", "no-such-group"),
    ("No match in the defaults list", "no-such-group"),
    ("force-add of config groups", "force-add-group"),
    ("Could not find '", "no-such-choice"),
    ("Could not load '", "no-such-choice"),
    ("deletion value must be", "no-such-choice"),
    ("Error resolving interpolation", "compose"),
    ("You must specify", "compose"),
    ("Config group override must be", "no-such-choice"),
    ("appears more than once", "append-exists"),
    ("Multiple values for", "append-exists"),
    ("Cannot find primary config", "no-such-config"),
    ("Could not override", "no-such-key"),
)


def compose_with_hydra(folder: Path, name: str, texts: Sequence[str], search: Sequence[Path] = ()) -> Outcome:
    """Compose with the real Hydra, and note which override it was at."""
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    extra = [f"hydra.searchpath=[{','.join(f'file://{path}' for path in search)}]"] if search else []
    with warnings.catch_warnings(), _watched() as seen:
        warnings.simplefilter("ignore")
        try:
            with initialize_config_dir(str(folder), version_base=None):
                config = compose(name, overrides=[*extra, *texts])
            tree = OmegaConf.to_container(config, resolve=False)
        except Exception as error:  # whatever Hydra lets through counts as its refusal
            return Outcome(None, seen[-1] if seen else "", str(error))
    assert isinstance(tree, dict)
    return Outcome({str(key): value for key, value in tree.items()})


@contextmanager
def _watched() -> Iterator[list[str]]:
    """Hydra applies overrides one by one through its own function; their texts are noted."""
    from hydra._internal.config_loader_impl import ConfigLoaderImpl

    seen: list[str] = []
    apply = ConfigLoaderImpl._apply_overrides_to_config

    def watched(found: list[Any], config: Any) -> None:
        for override in found:
            seen.append(str(override.input_line))
            apply([override], config)
        seen.clear()

    with patch.object(ConfigLoaderImpl, "_apply_overrides_to_config", staticmethod(watched)):
        yield seen
