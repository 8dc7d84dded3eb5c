"""What real Hydra says of the launches of a script."""

from __future__ import annotations

from pathlib import Path

from reviewbot.checks.recipe import Plan, Recipe, read_recipe
from reviewbot.config.model import UNKNOWN
from reviewbot.knowledge.store import Knowledge
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree


class RealHydra:
    def __init__(self, root: Path, tree: DirectoryTree, knowledge: Knowledge) -> None:
        self.root = root
        self.tree = tree
        self.knowledge = knowledge

    def errors(self, source: SourceText, key: str | None = None) -> list[str]:
        """What Hydra says of each launch: an error's first line, or nothing where it composes.

        With a key: other overrides that have a finding of their own are left out, since Hydra stops at the first.
        """
        recipe: Recipe = read_recipe(source, self.knowledge, read=self.tree.read)
        return [self._compose(plan, key) for plan in recipe.plans if plan.configured.base is not None]

    def _compose(self, plan: Plan, key: str | None) -> str:
        from hydra import compose, initialize_config_dir
        from hydra.core.global_hydra import GlobalHydra
        from hydra.errors import HydraException
        from omegaconf.errors import OmegaConfBaseException

        arguments = plan.configured.arguments
        folder = self.root / plan.entry_point.config_dir
        if arguments.config_path is not None and not arguments.config_path.startswith("$"):
            folder = self.root / plan.entry_point.path / ".." / arguments.config_path
        name = arguments.config_name or plan.entry_point.config_name
        search = f"hydra.searchpath=[file://{self.root}/verl/trainer/config]"
        refused = {id(refusal.override) for refusal in plan.configured.refusals} if key is not None else set()
        texts = [
            f"{item.op}{item.key}=0" if item.value is UNKNOWN else item.word.text or ""
            for item in arguments.overrides
            if id(item) not in refused or item.key == key
        ]
        GlobalHydra.instance().clear()
        try:
            with initialize_config_dir(str(folder.resolve()), version_base=None):
                compose(name, [search, *texts])
        except (HydraException, OmegaConfBaseException) as error:
            return str(error).split("\n", 1)[0]
        return ""
