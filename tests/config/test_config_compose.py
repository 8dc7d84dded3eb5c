from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hydra_reference import FILES, compose_with_hydra, write_files

from reviewbot.config.compose import compose
from reviewbot.config.model import Base, Refusal
from reviewbot.config.search import packages_of, search_path
from reviewbot.tree import DirectoryTree


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("tree"))


def composed(
    root: Path, name: str = "main", *groups: str, folder: str = "conf", search: tuple[str, ...] = ()
) -> Base:
    base = compose(DirectoryTree(root), config_dir=folder, config_name=name, search=search, groups=groups)
    assert isinstance(base, Base), base
    return base


def refused(root: Path, name: str = "main", *groups: str, folder: str = "conf") -> Refusal:
    refusal = compose(DirectoryTree(root), config_dir=folder, config_name=name, groups=groups)
    assert isinstance(refusal, Refusal), refusal
    return refusal


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("main", []),
        ("main.yaml", []),
        ("main", ["engine=mega"]),
        ("main", ["store=remote", "engine=mega"]),
        ("main", ["+store@spare.one=local", "~store"]),
        ("main", ["actor@role.actor=base"]),
        ("main", ["engine=dp", "engine=mega"]),
        ("wrapper", []),
        ("alt/main_alt", []),
        ("engine/dp", []),
        ("store/local", []),
    ],
)
def test_it_composes_what_hydra_composes(root: Path, name: str, groups: list[str]) -> None:
    real = compose_with_hydra(root / "conf", name, groups)
    assert real.tree is not None, real
    assert repr(composed(root, name, *groups).tree) == repr(real.tree)


def test_what_a_base_says(root: Path) -> None:
    base = composed(root, "main", "engine=mega")
    assert base.config_name == "main"
    assert base.origin == "conf/main.yaml"
    assert base.groups["engine"] == "mega"
    assert base.groups["actor@role.actor"] == "mega_actor"
    assert base.groups["store"] == "null"
    assert base.options["engine"] == ("dp", "mega")
    assert base.options["store"] == ("local", "remote")
    assert set(base.options) == {"engine", "actor", "ref", "store", "alt"}
    assert base.tree["data"]["path"] == "${oc.env:DATA_HOME,/data}"
    assert base.hydra == {}


def test_the_search_path_is_mapped_into_the_tree(root: Path) -> None:
    tree = DirectoryTree(root)
    search = search_path(tree, "conf", "searching", packages_of(tree))
    assert search == ["shared", "more/conf"]
    base = composed(root, "searching", search=("shared", "more/conf"))
    real = compose_with_hydra(root / "conf", "searching", [], [root / "shared", root / "more/conf"])
    assert real.tree is not None, real
    assert repr(base.tree) == repr(real.tree)
    assert base.options["extra"] == ("one", "two")
    assert base.hydra == {"run": {"dir": "out"}}


@pytest.mark.parametrize(
    ("groups", "kind", "about", "said"),
    [
        (["engine=nope"], "no-such-choice", "engine=nope", "Available options in 'engine': dp, mega"),
        (["actor=base"], "no-such-group", "actor=base", "Did you mean to override actor@role.actor?"),
        (["~actor"], "no-such-group", "~actor", "Could not delete 'actor'"),
        (["++engine=mega"], "force-add-group", "++engine=mega", "force-add"),
        (["+engine=mega"], "append-exists", "+engine=mega", "Multiple values for engine"),
        (["engine=5"], "no-such-choice", "engine=5", "must be a string or a list. Got int"),
        (["engine=mega", "role.kind=x"], "no-such-group", "role.kind=x", "no such group"),
    ],
)
def test_refused_groups_are_blamed(root: Path, groups: list[str], kind: str, about: str, said: str) -> None:
    refusal = refused(root, "main", *groups)
    assert (refusal.kind, refusal.about) == (kind, about)
    assert said in refusal.message
    assert "\n" not in refusal.message


def test_missing_configs(root: Path) -> None:
    assert refused(root, "nope") == Refusal(None, "no-such-config", "Cannot find primary config 'nope'")
    assert refused(root, folder="gone").kind == "no-such-config"
    assert refused(root, folder="../elsewhere").kind == "no-such-config"
    assert refused(root, "../../etc/passwd").kind == "no-such-config"
    assert refused(root, "/etc/passwd").kind == "no-such-config"


def test_hydras_own_settings_are_left_out(root: Path, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "conf/main.yaml": "defaults: [{override hydra/launcher: joblib}, _self_]\nhydra: {verbose: 1}\nx: 1\n"
        },
    )
    base = composed(tmp_path, "main", "hydra/launcher=nope", "hydra.searchpath=[pkg://evil]", "hydra.nope=1")
    assert base.tree == {"x": 1}
    assert base.hydra == {"verbose": 1}


def test_hydras_global_state_stays_clean(root: Path) -> None:
    from hydra import version
    from hydra.core.global_hydra import GlobalHydra

    switch = version.VersionBase.instance()
    before, folder = switch.version_base, Path.cwd()
    composed(root)
    refused(root, "nope")
    assert switch.version_base is before
    assert not GlobalHydra.instance().is_initialized()
    assert Path.cwd() == folder


HOSTILE = {
    "hydra_plugins/__init__.py": "raise SystemExit('hydra_plugins ran')\n",
    "hydra_plugins/evil/__init__.py": "raise SystemExit('hydra_plugins.evil ran')\n",
    "yaml.py": "raise SystemExit('yaml ran')\n",
    "sitecustomize.py": "open('ran', 'w').close()\n",
    "evil/__init__.py": "raise SystemExit('evil ran')\n",
    "evil/conf.yaml": "x: 1\n",
    "conf/main.yaml": "hydra: {searchpath: ['pkg://evil', 'file:///etc', pkg://os]}\nx: 1\n_target_: os.system\n",
}


def test_nothing_of_the_tree_runs(tmp_path: Path) -> None:
    """Composed from within the hostile checkout, as ``python -I`` starts the tool."""
    write_files(tmp_path, HOSTILE)
    code = (
        "import sys; from pathlib import Path\n"
        f"sys.path[:0] = {[path for path in sys.path if path]!r}\n"
        "from reviewbot.config.compose import compose\n"
        "from reviewbot.tree import DirectoryTree\n"
        "base = compose(DirectoryTree(Path('.')), config_dir='conf', config_name='main')\n"
        "assert base.tree == {'x': 1, '_target_': 'os.system'}, base\n"
        "assert not [name for name in sys.modules if name.split('.')[0] in ('hydra_plugins', 'evil')]\n"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert not (tmp_path / "ran").exists()


def test_plugins_on_the_path_are_not_looked_for(tmp_path: Path) -> None:
    """Even where the checkout is on ``sys.path``, composing imports no ``hydra_plugins`` of it."""
    write_files(
        tmp_path,
        {path: text for path, text in HOSTILE.items() if "yaml.py" not in path and "site" not in path},
    )
    code = (
        "import sys; from pathlib import Path\n"
        "from reviewbot.config.compose import compose\n"
        "from reviewbot.tree import DirectoryTree\n"
        "sys.path.insert(0, '.')\n"
        f"base = compose(DirectoryTree(Path({str(tmp_path)!r})), config_dir='conf', config_name='main')\n"
        "assert base.tree['x'] == 1, base\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "entry", ["file:///etc", "/etc", "file://../x", "pkg://evil", "pkg://os", "http://x", "nowhere"]
)
def test_a_search_path_outside_the_tree_is_refused(tmp_path: Path, entry: str) -> None:
    write_files(tmp_path, {"conf/main.yaml": f"hydra: {{searchpath: ['{entry}']}}\n"})
    tree = DirectoryTree(tmp_path)
    refusal = search_path(tree, "conf", "main", packages_of(tree))
    assert isinstance(refusal, Refusal)
    assert refusal.kind == "outside-tree"
    assert entry in refusal.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x: !!python/object/apply:os.system ['touch ran']\n", "not valid YAML"),
        ("x: !!python/object/new:os.popen [ls]\n", "not valid YAML"),
        ("x: !!python/object/apply:pathlib.PosixPath [/etc]\n", "no plain value"),
        ("x: !!binary aGVsbG8=\n", "no plain value"),
        ("x: !!set {a, b}\n", "no plain value"),
        ("x: [1\n", "not valid YAML"),
        ("x: 1\nx: 2\n", "duplicate key"),
        (
            "a: &a [x,x]\n"
            + "".join(
                f"{n}: &{n} [*{p},*{p},*{p},*{p},*{p},*{p},*{p},*{p}]\n"
                for p, n in zip("abcdefgh", "bcdefghi", strict=True)
            ),
            "aliases",
        ),
        ("a: &a [*a]\n", "contains it"),
        ("x: " + "[" * 20_000 + "\n", "cannot be read"),
        ("x: 'y'\n" * 100_000, "too large"),
        ("x: " + "y" * 10_000_000 + "\n", "too large"),
        ("5\n", "instead of a mapping"),
        ("x: ${\n", "cannot be taken"),
        ("defaults: {a: b}\n", "defaults must be a list"),
        ("defaults: [{a: 1, b: 2}]\n", "Too many keys"),
        ("# @package\nx: 1\n", "header"),
        ("defaults: [main]\n", "made of itself"),
        ("defaults: [/../../etc/passwd]\n", "Could not load"),
        ("defaults: [engine: ../../../../etc/passwd]\n", "Could not find"),
        ("- 1\n- 2\n", ""),
    ],
)
def test_hostile_files_are_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {"conf/main.yaml": text})
    refusal = compose(DirectoryTree(tmp_path), config_dir="conf", config_name="main")
    assert isinstance(refusal, Refusal), refusal
    assert refusal.kind == "compose"
    assert said in refusal.message
    assert "\n" not in refusal.message
    assert len(refusal.message) < 600
    assert not (tmp_path / "ran").exists()


def test_defaults_lists_that_double_are_bounded(tmp_path: Path) -> None:
    files = {f"conf/c{n}.yaml": f"defaults: [c{n + 1}@l, c{n + 1}@r, _self_]\nx: {n}\n" for n in range(40)}
    write_files(tmp_path, {**files, "conf/c40.yaml": "x: 1\n", "conf/main.yaml": "defaults: [c0, _self_]\n"})
    refusal = refused(tmp_path)
    assert refusal.kind == "compose"
    assert "without bounds" in refusal.message
    write_files(tmp_path, {"conf/big.yaml": "".join(f"k{n}: 1\n" for n in range(20_000))})
    entries = ", ".join(f"big@p{n}" for n in range(100))
    write_files(tmp_path, {"conf/main.yaml": f"defaults: [{entries}, _self_]\n"})
    assert "without bounds" in refused(tmp_path).message


def test_links_that_leave_the_tree_are_not_followed(tmp_path: Path) -> None:
    outside = write_files(tmp_path / "outside", {"secret.yaml": "secret: 1\n", "group/x.yaml": "secret: 2\n"})
    inside = write_files(tmp_path / "tree", {"conf/main.yaml": "defaults: [leak, _self_]\nx: 1\n"})
    (inside / "conf/leak.yaml").symlink_to(outside / "secret.yaml")
    (inside / "conf/group").symlink_to(outside / "group")
    assert refused(inside).kind == "compose"
    (inside / "conf/main.yaml").write_text("defaults: [group: x]\n")
    assert refused(inside).kind == "compose"
    (inside / "linked").symlink_to(outside)
    assert refused(inside, "secret", folder="linked").kind == "no-such-config"


def test_links_within_the_tree_are_followed(tmp_path: Path) -> None:
    write_files(tmp_path, {"conf/main.yaml": "defaults: [same, _self_]\n", "real.yaml": "x: 1\n"})
    (tmp_path / "conf/same.yaml").symlink_to(tmp_path / "real.yaml")
    assert composed(tmp_path).tree == {"x": 1}


def test_the_environment_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "s3cr3t")
    write_files(
        tmp_path,
        {
            "conf/main.yaml": "hydra: {job: {env_copy: [SECRET]}}\nx: ${oc.env:SECRET}\n",
            "conf/steered.yaml": "defaults: [engine: '${oc.env:SECRET}']\n",
        },
    )
    assert "s3cr3t" not in repr(composed(tmp_path))
    refusal = refused(tmp_path, "steered")
    assert refusal.kind == "compose"
    assert "s3cr3t" not in repr(refusal)


def test_the_sample_has_no_file_that_the_tests_do_not_use() -> None:
    assert all(path.split("/")[0] in ("conf", "shared", "more") for path in FILES)
