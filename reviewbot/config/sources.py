"""The YAML files of a tree as a config source for Hydra: no file system, no import, bounded sizes."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml
from hydra._internal.config_repository import CachingConfigRepository, ConfigRepository
from hydra._internal.core_plugins.structured_config_source import StructuredConfigSource
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.object_type import ObjectType
from hydra.plugins.config_source import ConfigLoadError, ConfigResult, ConfigSource
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from reviewbot.config.yaml_text import read_yaml, yaml_problem
from reviewbot.tree import Tree, normal

MAX_TOTAL = 1024 * 1024
"""Characters of all files of one composition; verl's have 100,000."""
MAX_ENTRIES = 2000
"""Entries of one defaults list, each file counted as often as it is entered; verl's have 22."""
MAX_ENTERED = 4 * MAX_TOTAL
"""Characters of those entries."""


class NotReadableError(Exception):
    """A config file is there and cannot be taken.  ``str()`` is one sentence."""


@dataclass
class ConfigFiles:
    """Reads config files out of a tree and keeps within bounds."""

    tree: Tree
    loaded: list[str] = field(default_factory=list)
    total: int = 0

    def exists(self, path: str) -> bool:
        """Whether a file is there.  Raises NotReadableError where it is there and cannot be read."""
        if self.tree.read(path) is not None:
            return True
        if path in set(self.tree.files(path.rpartition("/")[0])):
            raise NotReadableError(
                f"The config file {path} is too large, not UTF-8, or a link out of the reviewed tree"
            )
        return False

    def load(self, path: str) -> tuple[str, Any]:
        """The text of a file and its plain YAML.  Raises NotReadableError."""
        text = self.tree.read(path)
        if text is None:
            raise NotReadableError(f"The config file {path} is not in the reviewed tree")
        if path not in self.loaded:
            self.loaded.append(path)
            self.total += len(text)
        if self.total > MAX_TOTAL:
            raise NotReadableError(f"The config files up to {path} are too large to be reviewed together")
        try:
            return text, read_yaml(text)
        except yaml.YAMLError as error:
            raise NotReadableError(
                f"The config file {path} is not valid YAML: {yaml_problem(error)}"
            ) from None
        except (ValueError, RecursionError) as error:
            raise NotReadableError(f"The config file {path} cannot be read: {error}") from None


@dataclass
class _Result(ConfigResult):
    characters: int = 0


class TreeSource(ConfigSource):
    """One folder of a search path."""

    def __init__(self, provider: str, folder: str, files: ConfigFiles) -> None:
        super().__init__(provider=provider, path=f"tree://{folder}")
        self.files = files

    def __deepcopy__(self, memo: dict[int, Any]) -> TreeSource:
        return self

    @staticmethod
    def scheme() -> str:
        """Hydra's name for this kind of source."""
        return "tree"

    def load_config(self, config_path: str) -> ConfigResult:
        """See Hydra's ConfigSource."""
        path = self._file(config_path)
        if path is None:
            raise ConfigLoadError(f"Config not found : {config_path}")
        text, plain = self.files.load(path)
        try:
            config = OmegaConf.create(_without_hydra_defaults(plain) if plain is not None else {})
        except OmegaConfBaseException as error:
            said = " ".join(str(error).split())
            raise NotReadableError(f"The config file {path} cannot be taken: {said}") from None
        header = ConfigSource._get_header_dict(text[:512])
        return _Result(
            config=config, path=self.full_path(), provider=self.provider, header=header, characters=len(text)
        )

    def available(self) -> bool:
        """See Hydra's ConfigSource."""
        return self.is_group("")

    def is_group(self, config_path: str) -> bool:
        """See Hydra's ConfigSource."""
        folder = self._inside(config_path)
        return folder is not None and self.files.tree.is_dir(folder)

    def is_config(self, config_path: str) -> bool:
        """See Hydra's ConfigSource."""
        path = self._file(config_path)
        return path is not None and self.files.exists(path)

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        """See Hydra's ConfigSource."""
        folder = self._inside(config_path)
        if folder is None:
            return []
        prefix = f"{folder}/" if folder else ""
        names = {path[len(prefix) :].partition("/")[0] for path in self.files.tree.files(folder)}
        found: list[str] = []
        for name in sorted(names):
            self._list_add_result(
                files=found,
                file_path=posixpath.join(config_path, name),
                file_name=name,
                results_filter=results_filter,
            )
        return sorted(set(found))

    def _file(self, config_path: str) -> str | None:
        return self._inside(self._normalize_file_name(config_path))

    def _inside(self, config_path: str) -> str | None:
        if config_path.startswith("/"):
            return None
        return normal(posixpath.join(self.path, config_path))


class TreeRepository(ConfigRepository):
    """A fixed list of folders: ``hydra.searchpath`` is never followed, the caller has mapped it."""

    def __init__(self, folders: Sequence[str], files: ConfigFiles) -> None:
        self.sources = [
            TreeSource("main" if number == 0 else "hydra.searchpath in main", folder, files)
            for number, folder in enumerate(folders)
        ]
        self.sources.append(StructuredConfigSource("schema", "structured://"))

    def initialize_sources(self, config_search_path: ConfigSearchPath) -> None:
        """Hydra calls this for ``hydra.searchpath``: nothing changes."""


class BoundedRepository(CachingConfigRepository):
    """Hydra's cache of configs, which gives up on defaults lists that grow without end."""

    def __init__(self, delegate: ConfigRepository) -> None:
        super().__init__(delegate)
        self.entries = 0
        self.entered = 0

    def load_config(self, config_path: str) -> ConfigResult | None:
        """See Hydra's ConfigRepository.  Raises NotReadableError."""
        result = super().load_config(config_path)
        self.entries += 1
        self.entered += result.characters if isinstance(result, _Result) else 0
        if self.entries > MAX_ENTRIES or self.entered > MAX_ENTERED:
            raise NotReadableError(f"The defaults list grows without bounds at {config_path}")
        return result


def _without_hydra_defaults(plain: Any) -> Any:
    """A config without the entries of its defaults list that choose Hydra's own launcher, logging etc."""
    if not isinstance(plain, dict) or not isinstance(plain.get("defaults"), list):
        return plain
    kept = [item for item in plain["defaults"] if not _is_hydra_default(item)]
    return {key: kept if key == "defaults" else value for key, value in plain.items()}


def _is_hydra_default(item: Any) -> bool:
    if isinstance(item, dict) and len(item) == 1:
        item = next(iter(item))
    return isinstance(item, str) and item.split(" ")[-1].lstrip("/").startswith("hydra/")
