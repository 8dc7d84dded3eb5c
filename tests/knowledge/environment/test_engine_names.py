"""Names that releases of the engines know."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from reviewbot.knowledge.environment.engines import ENGINES, EngineNames, Names, read_names, spans
from reviewbot.knowledge.paths import rules_folder
from reviewbot.logic import Truth
from reviewbot.tree import Tree

MakeTree = Callable[[Mapping[str, str]], Tree]
BY_NAME = {engine.name: engine for engine in ENGINES}


def _bundled(name: str) -> EngineNames:
    text = (rules_folder() / "engines" / f"{name}.json").read_text(encoding="utf-8")
    return EngineNames.from_json(json.loads(text))


@pytest.mark.parametrize(
    ("engine", "files", "arguments", "variables"),
    [
        (
            "vllm",
            {
                "vllm/envs.py": "environment_variables: dict = {'VLLM_A': lambda: 1, **more}\nOTHER = {'NOT_B': 1}\n",
                "vllm/engine/arg_utils.py": """
                    class EngineArgs:
                        model: str = ""
                        seed: int = 0

                    class Other:
                        no: int = 0

                    def add(parser):
                        parser.add_argument("--swap-space", "-s", type=float)
                    """,
                "vllm/models/m.py": "class EngineArgs:\n    not_here: int = 0\nx = os.getenv('VLLM_C')\n",
            },
            {"model", "seed", "swap_space"},
            {"VLLM_A", "VLLM_C"},
        ),
        (
            "sglang",
            {
                "sglang/srt/server_args.py": "class ServerArgs:\n    tp_size: int = 1\n",
                "sglang/srt/arg_groups/fields/lora.py": "class Lora:\n    max_rank: int = 1\n",
                "sglang/srt/arg_groups/other.py": "class Hook:\n    not_one: int = 1\n",
                "sglang/srt/environ.py": "class Envs:\n    SGLANG_X = EnvBool(True)\n    small = 1\n",
                "sglang/srt/a.py": "import os\nos.getenv('SGLANG_Y')\nos.getenv('HOME')\n",
            },
            {"tp_size", "max_rank"},
            {"SGLANG_X", "SGLANG_Y"},
        ),
        (
            "vllm-ascend",
            {"vllm_ascend/envs.py": "env_variables = {'VLLM_ASCEND_A': 1, 'MSMONITOR_USE_DAEMON': 2}\n"},
            set(),
            {"VLLM_ASCEND_A", "MSMONITOR_USE_DAEMON"},
        ),
    ],
)
def test_names_of_a_package(
    make_tree: MakeTree, engine: str, files: Mapping[str, str], arguments: set[str], variables: set[str]
) -> None:
    found = read_names(make_tree(files), BY_NAME[engine])
    assert (found.arguments, found.variables) == (frozenset(arguments), frozenset(variables))


def test_spans_and_what_they_answer() -> None:
    names = spans(
        {
            "0.10.0": Names(frozenset({"new", "always"})),
            "0.9.0": Names(frozenset({"old", "always"}), frozenset({"V"})),
        }
    )
    assert names.versions == ("0.9.0", "0.10.0")
    assert names.arguments == {"old": ("0.9.0", "0.9.0"), "new": ("0.10.0", None), "always": ("0.9.0", None)}
    assert names.knows_argument("old", "0.10.0") is Truth.FALSE
    assert names.knows_argument("old", "0.9.5") is Truth.UNKNOWN
    assert names.knows_argument("--always", "0.9.5") is Truth.TRUE
    assert names.knows_argument("always", "0.11.0") is Truth.UNKNOWN
    assert names.knows_argument("never", "0.9.5") is Truth.FALSE
    assert names.knows_variable("V", "0.9.0") is Truth.TRUE
    assert names.knows_variable("V", "main") is Truth.UNKNOWN
    assert EngineNames.from_json(json.loads(json.dumps(names.to_json()))) == names


@pytest.mark.parametrize(
    ("engine", "kind", "name", "version", "known"),
    [
        ("vllm", "variable", "VLLM_USE_V1", "0.8.5", Truth.TRUE),
        ("vllm", "variable", "VLLM_USE_V1", "0.18.1", Truth.FALSE),
        ("vllm", "variable", "VLLM_ATTENTION_BACKEND", "0.11.0", Truth.TRUE),
        ("vllm", "variable", "VLLM_ATTENTION_BACKEND", "0.18.1", Truth.FALSE),
        ("vllm", "variable", "VLLM_TORCH_PROFILER_DIR", "0.18.1", Truth.FALSE),
        ("vllm", "argument", "swap_space", "0.17.1", Truth.TRUE),
        ("vllm", "argument", "swap_space", "0.22.1", Truth.FALSE),
        ("vllm", "argument", "disable_mm_preprocessor_cache", "0.18.1", Truth.FALSE),
        ("vllm", "argument", "attention-backend", "0.18.1", Truth.TRUE),
        ("sglang", "argument", "attention_backend", "0.5.23", Truth.TRUE),
        ("sglang", "argument", "enable_weights_cpu_backup", "0.5.2", Truth.FALSE),
        ("vllm-ascend", "variable", "USE_OPTIMIZED_MODEL", "0.9.1", Truth.TRUE),
        ("vllm-ascend", "variable", "USE_OPTIMIZED_MODEL", "0.18.0", Truth.FALSE),
    ],
)
def test_bundled_names(engine: str, kind: str, name: str, version: str, known: Truth) -> None:
    names = _bundled(engine)
    asked = names.knows_variable if kind == "variable" else names.knows_argument
    assert asked(name, version) is known


@pytest.mark.parametrize(("body", "unused"), [("return use_mla", True), ("return selected_backend", False)])
def test_what_a_plugin_does_not_use(make_tree: MakeTree, body: str, unused: bool) -> None:
    text = f"""
        class Platform:
            def get_attn_backend_cls(cls, selected_backend, use_mla):
                {body}
        """
    names = read_names(make_tree({"vllm_ascend/platform.py": text}), BY_NAME["vllm-ascend"])
    assert ("VLLM_ATTENTION_BACKEND" in names.unused) is unused


def test_the_last_default_of_what_is_gone(make_tree: MakeTree) -> None:
    table = "environment_variables = {'VLLM_A': lambda: os.getenv('VLLM_A', '1'), 'VLLM_B': 1}\n"
    with_it = read_names(make_tree({"vllm/envs.py": table}), BY_NAME["vllm"])
    names = spans({"1.0": with_it, "2.0": Names(), "1.5": Names(with_it.arguments, with_it.variables)})
    assert names.last_defaults == {}
    names = spans({"1.0": with_it, "2.0": Names()})
    assert names.last_defaults == {"VLLM_A": "1"}
    assert EngineNames.from_json(json.loads(json.dumps(names.to_json()))) == names
