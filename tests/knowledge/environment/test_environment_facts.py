"""What source does with environment variables."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from reviewbot.knowledge.environment.model import (
    DEFAULTS,
    FORWARDS,
    POPS,
    READS,
    SETS,
    EnvironmentFacts,
    VariableFact,
)
from reviewbot.knowledge.environment.read import read_environment
from reviewbot.knowledge.verl import VERL
from reviewbot.tree import Tree

MakeTree = Callable[[Mapping[str, str]], Tree]

SERVER = "verl/workers/rollout/a.py"


def _one(tree: Tree, name: str) -> VariableFact:
    (fact,) = [fact for fact in read_environment(tree, VERL).variables if fact.name == name]
    return fact


@pytest.mark.parametrize(
    ("text", "kind", "value", "condition"),
    [
        ("os.environ['X_Y'] = '1'", SETS, "'1'", ""),
        ("os.environ['X_Y'] = a if b else c", SETS, "a if b else c", ""),
        ("if a > 1:\n    os.environ['X_Y'] = '1'", SETS, "'1'", "a > 1"),
        ("if a > 1:\n    pass\nelse:\n    os.environ['X_Y'] = '1'", SETS, "'1'", "not (a > 1)"),
        (
            "if 'X_Y' not in os.environ:\n    os.environ['X_Y'] = '1'\nx = 1",
            DEFAULTS,
            "'1'",
            "'X_Y' not in os.environ",
        ),
        ("os.environ.setdefault('X_Y', '0')", DEFAULTS, "'0'", ""),
        ("os.putenv('X_Y', '0')", SETS, "'0'", ""),
        ("os.environ.update({'X_Y': '0'})", SETS, "'0'", ""),
        ("os.environ.update(X_Y='0')", SETS, "'0'", ""),
        ("del os.environ['X_Y']", POPS, "", ""),
        ("os.environ.pop('X_Y', None)", POPS, "", ""),
        ("a = os.getenv('X_Y', '3')", READS, "", ""),
        ("a = os.environ['X_Y']", READS, "", ""),
        ("a = 'X_Y' in os.environ", READS, "", ""),
        ("NAME = 'X_Y'\nos.environ[NAME] = '1'", SETS, "'1'", ""),
    ],
)
def test_one_statement(make_tree: MakeTree, text: str, kind: str, value: str, condition: str) -> None:
    facts = read_environment(make_tree({"verl/a.py": f"import os\n{text}\n"}), VERL).variables
    (fact,) = [fact for fact in facts if fact.kind == kind]
    assert (fact.name, fact.scope, fact.value, fact.condition) == ("X_Y", "import", value, condition)


@pytest.mark.parametrize(
    ("path", "scope"), [("verl/a.py", "process"), (SERVER, "server"), ("verl/main.py", "entry")]
)
def test_scope_of_a_function(make_tree: MakeTree, path: str, scope: str) -> None:
    head = "import hydra, os\n@hydra.main(config_path='c', config_name='n')\ndef main(c):\n    pass\n"
    body = "def f():\n    os.environ['X_Y'] = '1'\n"
    files = {"verl/main.py": head, "verl/a.py": "import os\n", SERVER: "import os\n"}
    tree = make_tree({**files, path: files[path] + body})
    assert _one(tree, "X_Y").scope == scope


def test_runtime_environment(make_tree: MakeTree) -> None:
    text = """
        import os
        _more_env = {}
        if A:
            _more_env = {"LATE_ONE": "0"}
        DEFAULT_ENV = {"env_vars": {"LOG_LEVEL": "WARN", **_more_env}}


        def runtime_env():
            env = {"env_vars": DEFAULT_ENV["env_vars"].copy()}
            for key in list(env["env_vars"].keys()):
                if os.environ.get(key) is not None:
                    env["env_vars"].pop(key, None)
            env["env_vars"]["FORCED"] = "1"
            for key in ("SEED", "ALGO"):
                val = os.environ.get(key)
                if val is not None:
                    env["env_vars"][key] = val
            return env
        """
    facts = read_environment(make_tree({"verl/a.py": text}), VERL)
    kinds = {(fact.name, fact.kind, fact.scope) for fact in facts.variables if fact.kind != READS}
    assert kinds == {
        ("LOG_LEVEL", DEFAULTS, "runtime"),
        ("LATE_ONE", DEFAULTS, "runtime"),
        ("*", POPS, "runtime"),
        ("FORCED", SETS, "runtime"),
        ("SEED", FORWARDS, "runtime"),
        ("ALGO", FORWARDS, "runtime"),
    }


def test_names_from_functions_and_tables(make_tree: MakeTree) -> None:
    files = {
        "verl/names.py": """
            class A:
                def visible_devices_envvar(self):
                    return "A_DEVICES"


            class B:
                def visible_devices_envvar(self):
                    return "B_DEVICES"


            def get_visible_devices_keyword():
                return platform().visible_devices_envvar()
            """,
        SERVER: """
            import os
            from verl.names import get_visible_devices_keyword
            NEEDED_ENV_VARS = {"NEEDED": "0"}


            def f():
                os.environ[get_visible_devices_keyword()] = "0"
                os.environ[f"PRE_{x}"] = "1"
                for k in NEEDED_ENV_VARS:
                    if k not in os.environ:
                        os.environ[k] = NEEDED_ENV_VARS[k]
            """,
    }
    facts = read_environment(make_tree(files), VERL)
    assert {(fact.name, fact.kind) for fact in facts.variables if fact.kind != READS} == {
        ("A_DEVICES", SETS),
        ("B_DEVICES", SETS),
        ("PRE_*", SETS),
        ("NEEDED", DEFAULTS),
    }
    assert [fact.name for fact in facts.of("PRE_ONE")] == ["PRE_*"]


def test_unreadable_file_is_named(make_tree: MakeTree) -> None:
    facts = read_environment(make_tree({"verl/a.py": "os.environ['A'] = (", "verl/b.py": ""}), VERL)
    assert facts.variables == ()
    assert "verl/a.py" in facts.problems[0]


def test_json_round_trip(make_tree: MakeTree) -> None:
    facts = read_environment(
        make_tree({"verl/a.py": "import os\nif a:\n    os.environ['X_Y'] = '1'\nos.getenv('Z_Z')\n"}), VERL
    )
    assert len(facts.variables) == 2
    assert EnvironmentFacts.from_json(json.loads(json.dumps(facts.to_json()))) == facts
