"""Settings → what a review takes."""

from __future__ import annotations

from reviewbot.errors import ConfigurationError
from reviewbot.knowledge.rules import more_rules
from reviewbot.knowledge.store import Knowledge
from reviewbot.review.policy import Policy
from reviewbot.settings.model import Settings
from reviewbot.tree import Tree


def policy_of(settings: Settings) -> Policy:
    """What is settled about checks."""
    return Policy(
        frozenset(name for name, check in settings.checks.items() if not check.enabled),
        {name: check.severity for name, check in settings.checks.items() if check.severity is not None},
    )


def add_rules(knowledge: Knowledge, settings: Settings, tree: Tree) -> None:
    """Give the knowledge the rules of the settled folders; ``tree`` is the repository that holds them.

    Raises ConfigurationError for a folder that holds no rule file, and for the first rule that is wrong.
    """
    texts: list[tuple[str, str]] = []
    for folder in settings.rules:
        paths = [path for path in tree.files(folder) if path.endswith((".yaml", ".yml"))]
        if not paths:
            what = "holds no rule file (*.yaml, *.yml)" if tree.is_dir(folder) else "does not exist"
            raise ConfigurationError(f"rules: the folder {folder} {what}; make it, or leave out rules")
        for path in paths:
            text = tree.read(path)
            if text is None:
                raise ConfigurationError(f"{path}: the rule file cannot be read as UTF-8 text")
            texts.append((path, text))
    if texts:
        knowledge.more_rules = more_rules(texts, knowledge.rules)
        del knowledge.rules  # read again, with the new ones
