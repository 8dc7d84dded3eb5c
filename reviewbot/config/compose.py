"""A config tree composed from its defaults list by Hydra's own code, out of a tree of files.

Nothing of the tree is imported or executed and Hydra sees no path: it reads through :class:`TreeSource`.  No
plugin is looked for, no logging set up, no global state of Hydra kept, and the environment is not read.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

from reviewbot.config.environment import no_environment
from reviewbot.config.grammar import Parsed, parse_override
from reviewbot.config.model import Base, Refusal
from reviewbot.tree import Tree, normal

if TYPE_CHECKING:
    from hydra._internal.defaults_list import DefaultsList


def compose(
    tree: Tree, *, config_dir: str, config_name: str, search: Sequence[str] = (), groups: Sequence[str] = ()
) -> Base | Refusal:
    """The base config of an entry point, before any plain override, or why Hydra refuses it.

    ``config_dir`` and ``search`` are folders of ``tree`` (see ``search_path``); ``config_name`` is with or
    without ``.yaml``; ``groups`` are the texts of group overrides (``model_engine=megatron``, ``+algo@x=y``,
    ``~critic``). Texts that concern Hydra itself (``hydra.searchpath=…``, ``hydra/launcher=…``) are left
    out.
    """
    folders = [
        folder for folder in (normal(folder) for folder in (config_dir, *search)) if folder is not None
    ]
    if normal(config_dir) is None or not tree.is_dir(config_dir):
        return Refusal(None, "no-such-config", f"Primary config directory not found: {config_dir or '.'}")
    name = config_name.removesuffix(".yaml")
    texts = [text for text in groups if not concerns_hydra(text)]
    with _hydra(), no_environment():
        return _compose(tree, folders, name, texts)


def concerns_hydra(text: str) -> bool:
    """Whether an override's text sets something of Hydra's own: ``hydra.run.dir=x``, ``hydra/launcher=y``."""
    key = text.lstrip("+~").partition("=")[0].partition("@")[0]
    return key == "hydra" or key.startswith(("hydra.", "hydra/"))


_LOCK = Lock()


@contextmanager
def _hydra() -> Iterator[None]:
    """Hydra's version switch set as ``version_base=None`` does, its warnings silenced; both restored."""
    from hydra import version

    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        switch = version.VersionBase.instance()
        before = switch.version_base
        version.setbase(None)
        try:
            yield
        finally:
            switch.version_base = before


def _compose(tree: Tree, folders: list[str], name: str, texts: list[str]) -> Base | Refusal:
    from hydra._internal.config_loader_impl import ConfigLoaderImpl
    from hydra._internal.defaults_list import create_defaults_list
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from reviewbot.config.sources import BoundedRepository, ConfigFiles, NotReadableError, TreeRepository

    files = ConfigFiles(tree)
    repository = BoundedRepository(TreeRepository(folders, files))
    loader = ConfigLoaderImpl.__new__(ConfigLoaderImpl)
    try:
        overrides = OverridesParser.create().parse_overrides(texts)
        defaults: DefaultsList = create_defaults_list(
            repo=repository,
            config_name=name,
            overrides_list=overrides,
            prepend_hydra=False,
            skip_missing=False,
        )
        if defaults.config_overrides:
            text = str(defaults.config_overrides[0].input_line)
            return Refusal(
                None, "no-such-group", f"Could not override '{text}': there is no such group", text
            )
        config = loader._compose_config_from_defaults_list(defaults=defaults.defaults, repo=repository)
        plain = OmegaConf.to_container(config, resolve=False)
    except NotReadableError as error:
        return Refusal(None, "compose", str(error))
    except (
        HydraException,
        OmegaConfBaseException,
        # Hydra and OmegaConf also let their inner errors through on configs of odd shapes:
        *(ValueError, TypeError, AssertionError, LookupError, AttributeError, RecursionError, OSError),
    ) as error:
        return _refusal(error, name, texts)
    if not isinstance(plain, dict):
        return Refusal(None, "compose", f"The config {name} is no mapping")
    hydra = plain.pop("hydra", None)
    own = (
        {key: value for key, value in hydra.items() if key != "searchpath"} if isinstance(hydra, dict) else {}
    )
    return Base(
        tree={str(key): value for key, value in plain.items()},
        config_name=name,
        groups=_choices(defaults),
        options=_options(tree, folders),
        origin=files.loaded[0] if files.loaded else "",
        hydra=own,
    )


def _choices(defaults: DefaultsList) -> dict[str, str]:
    choices = defaults.overrides.known_choices.items()
    return {key: "null" if choice is None else str(choice) for key, choice in choices}


def _options(tree: Tree, folders: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Every group of the search path and its choices."""
    found: dict[str, set[str]] = {}
    for folder in folders:
        prefix = f"{folder}/" if folder else ""
        for path in tree.files(folder):
            group, _, file_name = path[len(prefix) :].rpartition("/")
            if not group:
                continue
            parts = group.split("/")
            for depth in range(1, len(parts) + 1):
                found.setdefault("/".join(parts[:depth]), set())
            if file_name.endswith(".yaml"):
                found[group].add(file_name[: -len(".yaml")])
    return {group: tuple(sorted(found[group])) for group in sorted(found)}


def _refusal(error: Exception, name: str, texts: Sequence[str]) -> Refusal:
    """Hydra's refusal of a composition, with the group override that is to blame."""
    if isinstance(error, RecursionError):
        return Refusal(None, "compose", f"The config {name} is made of itself, or nested too deeply")
    message = _one_sentence(error)
    missing = getattr(error, "missing_cfg_file", None)
    if missing is not None:
        if missing.removesuffix(".yaml").strip("/") == name.strip("/"):
            return Refusal(None, "no-such-config", f"Cannot find primary config '{name}'")
        blamed = _blamed(texts, lambda group: missing in _named_configs(group))
        return Refusal(None, "no-such-choice" if blamed else "compose", message, blamed)
    if "force-add of config groups" in message:
        return Refusal(None, "force-add-group", message, _blamed(texts, lambda group: group.op == "++"))
    if "Config group override must be" in message or "deletion value must be" in message:
        wrong = _blamed(
            texts, lambda group: not isinstance(group.value, (str, list)) and group.value is not None
        )
        wrong = wrong or _blamed(texts, lambda group: group.value is None and group.op != "~")
        return Refusal(None, "no-such-choice", message.partition(" : Override(")[0], wrong)
    if "Multiple values for" in message or "appears more than once" in message:
        blamed = _blamed(texts, lambda group: group.op == "+" and group.key in message)
        return Refusal(None, "append-exists" if blamed else "compose", message, blamed)
    if "Could not override '" in message or "Could not delete '" in message:
        blamed = _blamed(texts, lambda group: f"'{group.key}" in message)
        return Refusal(None, "no-such-group" if blamed else "compose", message, blamed)
    return Refusal(None, "compose", message)


def _blamed(texts: Sequence[str], is_to_blame: Any) -> str:
    for text in texts:
        parsed = parse_override(text)
        if isinstance(parsed, Parsed) and is_to_blame(parsed):
            return text
    return ""


def _named_configs(group: Parsed) -> list[str]:
    """The configs that a group override chooses."""
    choices = group.value if isinstance(group.value, list) else [group.value]
    return [f"{group.key.partition('@')[0]}/{choice}" for choice in choices]


def _one_sentence(error: BaseException) -> str:
    text = str(error).partition("\nConfig search path:")[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        lines = [type(error).__name__]
    cause = error.__cause__
    if cause is not None and str(cause).strip():
        lines.append(str(cause).strip().splitlines()[0])
    for number, line in enumerate(lines):
        if line.startswith("Available options"):
            return " ".join((*lines[:number], line, ", ".join(lines[number + 1 :])))
    return " ".join(lines)
