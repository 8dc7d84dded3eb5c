from __future__ import annotations

from pathlib import Path

import pytest
from hydra_reference import FILES, compose_with_hydra, word, write_files

from reviewbot.config.arguments import sort_arguments
from reviewbot.config.compose import compose
from reviewbot.config.launch import Configured, configure
from reviewbot.config.model import Base, Refusal
from reviewbot.config.search import packages_of, search_path
from reviewbot.shell.model import Piece, Word
from reviewbot.text import Span
from reviewbot.tree import DirectoryTree


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(
        tmp_path_factory.mktemp("tree"),
        {**FILES, "conf/picky.yaml": "defaults: [engine: '???', _self_]\nx: {y: 1}\n"},
    )


def run(root: Path, *words: str | Word) -> Configured:
    tree = DirectoryTree(root)

    def base_for(path: str | None, name: str | None, groups: tuple[str, ...]) -> Base | Refusal:
        folder = path or "conf"
        search = search_path(tree, folder, name or "main", packages_of(tree), groups)
        if isinstance(search, Refusal):
            return search
        return compose(tree, config_dir=folder, config_name=name or "main", search=search, groups=groups)

    return configure(
        sort_arguments([word(text) if isinstance(text, str) else text for text in words]), base_for
    )


def kinds(configured: Configured) -> list[tuple[str, str | None]]:
    return [
        (refusal.kind, refusal.override.word.text if refusal.override else None)
        for refusal in configured.refusals
    ]


def test_a_launch_from_arguments_to_effective_config(root: Path) -> None:
    configured = run(
        root, "--config-name=wrapper.yaml", "trainer.epochs=3", "+role.actor.options.more=1", "store=local"
    )
    assert configured.refusals == ()
    assert configured.base is not None
    assert configured.base.groups["engine"] == "mega"
    assert configured.effective is not None
    setting = configured.effective.get("role.ref.options")
    assert setting is not None
    assert setting.value == {"fused": False, "levels": [1, 2], "more": 1}
    store = configured.effective.get("store")
    assert store is not None
    assert store.value == {"dir": "/tmp", "keep": 3}


def test_it_goes_on_without_refused_groups(root: Path) -> None:
    configured = run(
        root, "engine=nope", "store=remote", "+engine=mega", "++store=local", "trainer.gone=1", "actor=base"
    )
    assert kinds(configured) == [
        ("force-add-group", "++store=local"),
        ("no-such-choice", "engine=nope"),
        ("append-exists", "+engine=mega"),
        ("no-such-group", "actor=base"),
        ("no-such-key", "trainer.gone=1"),
    ]
    assert configured.base is not None
    assert configured.base.groups["store"] == "remote"


def test_a_choice_that_only_breaks_the_composition_is_named(root: Path) -> None:
    configured = run(root, "store=local", "~engine", "trainer.epochs=1")
    assert kinds(configured) == [("compose", "~engine")]
    assert configured.base is not None


def test_a_config_that_needs_a_choice(root: Path) -> None:
    configured = run(root, "-cn", "picky", "x.y=2", "engine=mega", "x.z=3", "+deep/group=1")
    assert kinds(configured) == [("no-such-key", "x.z=3")]
    assert configured.base is not None
    assert configured.base.groups == {"engine": "mega"}
    assert kinds(run(root, "-cn", "picky", "x.y=2")) == [("compose", None)]


def test_a_later_choice_supersedes_an_earlier_one(root: Path) -> None:
    applied = run(root, "engine=dp", "trainer.epochs=1", "engine=mega", "trainer.epochs=2").applied
    assert applied is not None
    assert [(earlier.word.text, later.word.text) for earlier, later in applied.superseded] == [
        ("engine=dp", "engine=mega"),
        ("trainer.epochs=1", "trainer.epochs=2"),
    ]


def unknown(text: str) -> Word:
    return Word((Piece(text), Piece(None, why="$X")), Span("run.sh", 1, 1, 1, 2))


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ([unknown("engine=")], "unknown"),
        ([unknown("--config-name=")], "unknown"),
        ([unknown("hydra.searchpath=")], "unknown"),
        (["--config-dir=more"], "outside-tree"),
        (["hydra.searchpath=[pkg://elsewhere.config]"], "outside-tree"),
        (["--config-name=gone"], "no-such-config"),
    ],
)
def test_nothing_is_said_without_a_base(root: Path, words: list[str | Word], kind: str) -> None:
    configured = run(root, *words, "trainer.gone=1")
    assert [refusal.kind for refusal in configured.refusals] == [kind]
    assert (configured.base, configured.applied, configured.effective) == (None, None, None)


def test_the_commands_own_search_path(root: Path) -> None:
    configured = run(root, "hydra.searchpath=[pkg://shared]", "+extra@here=two")
    assert configured.refusals == ()
    assert configured.base is not None
    assert configured.base.tree["here"] == {"value": 2}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "hydra.run.dir=x",
            "hydra.nope=1",
            "+hydra.nope=1",
            "hydra.job.name=x",
            "hydra.job.chdir=5",
            "hydra.verbose=true",
        ),
        *(
            "hydra.job.env_set.A=1",
            "+hydra.job.env_set.A=1",
            "hydra.run=null",
            "hydra.sweep.dir=x",
            "~hydra.run",
        ),
        *(
            "hydra.output_subdir=null",
            "hydra.job.config.override_dirname.kv_sep=x",
            "hydra.mode=RUN",
            "hydra.mode=zzz",
        ),
    ],
)
def test_hydras_own_settings_are_judged_as_hydra_does(root: Path, text: str) -> None:
    real = compose_with_hydra(root / "conf", "main", [text])
    refusals = kinds(run(root, text))
    assert refusals == ([] if real.tree is not None else [(real.kind, text)])


def test_plugins_settings_are_taken_as_right(root: Path) -> None:
    assert kinds(run(root, "hydra/launcher=joblib", "hydra.launcher.n_jobs=4", "hydra.sweeper.x=1")) == []
