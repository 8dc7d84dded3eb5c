"""Server traces, read from small servers of the shapes that rollout servers have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from reviewbot.knowledge.model import ServerTrace, ServerWrite
from reviewbot.knowledge.source import Sources
from reviewbot.knowledge.store import open_knowledge
from reviewbot.knowledge.traces import read_traces, traces_of
from reviewbot.knowledge.verl import VERL
from reviewbot.tree import Tree

MakeTree = Callable[[Mapping[str, str]], Tree]
SERVER = "verl/workers/rollout/any/file.py"
R = "actor_rollout_ref.rollout"
M = "actor_rollout_ref.model"


@dataclass
class Reader:
    make_tree: MakeTree

    def one(self, body: str, more: str = "", **files: str) -> ServerTrace:
        """The trace of a server whose launch function has this body."""
        traces = self.all(body, more, **files)
        assert len(traces) == 1
        return traces[0]

    def all(self, body: str, more: str = "", **files: str) -> tuple[ServerTrace, ...]:
        indented = "\n".join(f"        {line}" for line in body.strip("\n").split("\n"))
        methods = "\n".join(f"    {line}" for line in more.strip("\n").split("\n"))
        text = f"class Server:\n    async def launch(self):\n{indented}\n{methods}\n"
        named = {f"verl/{name}.py": content for name, content in files.items()}
        return read_traces(self.make_tree({SERVER: text, **named}), VERL)


@pytest.fixture
def reader(make_tree: MakeTree) -> Reader:
    return Reader(make_tree)


def stages(trace: ServerTrace) -> dict[str, str]:
    return {write.argument: write.stage for write in trace.writes}


def write(trace: ServerTrace, argument: str) -> ServerWrite:
    found = [item for item in trace.writes if item.argument == argument]
    assert len(found) == 1, found
    return found[0]


ENGINE = 'engine_kwargs = self.config.get("engine_kwargs", {}).get("vllm", {}) or {}\n'


def test_before_and_after_the_spread(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
args = {"dtype": self.config.dtype, "seed": 0, **engine_kwargs}
args["a"] = 1
args.update({"b": self.config.expert_parallel_size > 1})
args.update(c=2)
args.setdefault("d", 3)
Engine(**args)
"""
    )
    assert (trace.backend, trace.path, trace.symbol) == ("vllm", SERVER, "Server.launch")
    assert trace.spread_line == 5
    assert trace.only is None
    expected = {"dtype": "before", "seed": "before", "a": "after", "b": "after", "c": "after", "d": "default"}
    assert stages(trace) == expected
    assert write(trace, "b") == ServerWrite(
        "b", "after", f"{R}.expert_parallel_size > 1", "", 7, (f"{R}.expert_parallel_size",)
    )


def test_conditions_are_those_of_the_enclosing_tests(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
args = {"x": 1, **engine_kwargs}
if self.config.data_parallel_size > 1:
    args["a"] = 1
    if self.nnodes > 1 and self.config.flag:
        args["b"] = 2
elif self.config.name == "vllm":
    args["c"] = 3
else:
    args["d"] = 4
if self.config.skip:
    return
args["e"] = 5
Engine(**args)
"""
    )
    parallel = f"{R}.data_parallel_size > 1"
    conditions = {item.argument: item.condition for item in trace.writes}
    assert conditions == {
        "x": "",
        "a": parallel,
        "b": f"{parallel} and opaque('self.nnodes > 1') and {R}.flag",
        "c": f"not {parallel} and {R}.name == 'vllm'",
        "d": f"not {parallel} and {R}.name != 'vllm'",
        "e": f"not {R}.skip",
    }


def test_a_refusal_on_the_way_is_no_condition(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
args = {"x": 1, **engine_kwargs}
if self.config.bad:
    raise ValueError("no")
assert self.config.good
args["a"] = 1
Engine(**args)
"""
    )
    assert write(trace, "a").condition == ""


def test_local_names_are_written_in_terms_of_config_keys(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
tp = self.config.tensor_model_parallel_size * self.config.data_parallel_size
rank = self.model_config.lora.get("rank", 0)
if rank <= 0:
    rank = self.model_config.lora_rank
quantization = None
if self.config.quantization is not None:
    quantization = self.config.quantization
mine = {"lora": rank}
if self.config.shard:
    mine["shards"] = tp
args = {"tp": tp, "q": quantization, **engine_kwargs}
args.update(mine)
args["seed"] = self.rank + self.config.get("seed", 0)
Engine(**args)
"""
    )
    assert write(trace, "tp").value == f"{R}.tensor_model_parallel_size * {R}.data_parallel_size"
    rank = f"{M}.lora.get('rank', 0)"
    assert write(trace, "lora").value == f"{M}.lora_rank if {rank} <= 0 else {rank}"
    assert write(trace, "lora").feeds == (f"{M}.lora.rank", f"{M}.lora_rank")
    assert write(trace, "shards").condition == f"{R}.shard"
    assert write(trace, "q").value == f"{R}.quantization if {R}.quantization is not None else None"
    assert write(trace, "seed").value == f"opaque('self.rank') + {R}.get('seed', 0)"


def test_popped_and_put_back_is_honoured(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
backend = engine_kwargs.pop("backend", None)
if backend is None:
    backend = "fa3"
lost = engine_kwargs.pop("lost", None)
args = {"backend": backend, "lost": "mine", "other": backend, **engine_kwargs}
Engine(**args)
"""
    )
    assert trace.honoured == ("backend",)
    assert stages(trace) == {"backend": "merge", "lost": "after", "other": "before"}


def test_a_value_made_from_what_is_there_is_a_merge(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
args = {"x": 1, **engine_kwargs}
args["spec"] = merged(self.config.method, args.get("spec"))
args["own"] = merged(self.config.method)
Engine(**args)
""",
        more="""
def merged(self, method, given=None):
    return {"method": method, **(given or {})}
""",
    )
    assert stages(trace)["spec"] == "merge"
    assert stages(trace)["own"] == "after"


def test_nested_dicts(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
inner = engine_kwargs.pop("inner", None) or {}
if isinstance(inner, str):
    inner = json.loads(inner)
inner.setdefault("mode", "FULL")
if self.config.sizes:
    inner["sizes"] = self.config.sizes
cache_given = engine_kwargs.pop("cache", {})
cache = {"fraction": self.config.fraction, **cache_given}
inner = json.dumps(inner)
args = {"inner": inner, "cache": CacheConfig(**cache), "plain": {"a": 1}, **engine_kwargs}
Engine(**args)
"""
    )
    assert stages(trace) == {
        "inner": "merge",
        "inner.mode": "default",
        "inner.sizes": "after",
        "cache": "merge",
        "cache.fraction": "before",
        "plain": "before",
    }
    assert write(trace, "inner.sizes").condition == f"{R}.sizes"
    assert trace.honoured == ("cache", "inner")


def test_writes_to_the_engine_arguments_themselves(reader: Reader) -> None:
    trace = reader.one(
        """
engine_kwargs = self.config.get("engine_kwargs", {}).get(self._key(), {}) or {}
engine_kwargs = {key: val for key, val in engine_kwargs.items() if val is not None}
if self.config.get("images", None):
    engine_kwargs["limit"] = {"image": self.config.get("images")}
self._prepare(engine_kwargs)
args = {"x": 1, **engine_kwargs}
Engine(**args)
""",
        more="""
def _key(self) -> str:
    return "own"

def _prepare(self, kwargs):
    kwargs.setdefault("cache", 0)
    if self.config.moe:
        kwargs["moe"] = "triton"
""",
    )
    assert trace.backend == "own"
    assert trace.skips_none
    assert stages(trace) == {"x": "before", "limit": "after", "cache": "default", "moe": "after"}
    assert write(trace, "limit").value == f"{{'image': {R}.images}}"
    assert write(trace, "moe").condition == f"{R}.moe"


def test_functions_of_other_modules(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
from verl.tools import size_of, make
args = {"size": size_of(self.config), "far": json_size(self.config.n), **engine_kwargs}
args.update(make(self.config.depth))
Engine(**args)
"""
    )
    assert write(trace, "far").value == f"opaque('json_size(self.config.n)', {R}.n)"
    assert write(trace, "size").value == f"opaque('size_of(self.config)', {R})"


def test_imported_functions_are_followed(make_tree: MakeTree) -> None:
    files = {
        "verl/tools/__init__.py": "from .real import make\n",
        "verl/tools/real.py": """
            def make(depth):
                if not depth:
                    return {}
                return {"deep": depth, "twice": depth * 2}
            """,
        SERVER: """
            from verl.tools import make

            class Server:
                def launch(self):
                    engine_kwargs = self.config.engine_kwargs.vllm
                    args = {"x": 1, **engine_kwargs}
                    args.update(make(self.config.depth))
                    Engine(**args)
            """,
    }
    (trace,) = read_traces(make_tree(files), VERL)
    assert write(trace, "twice").value == f"{R}.depth * 2"
    assert write(trace, "twice").condition == f"{R}.depth"
    assert write(trace, "twice").line == 8


def test_without_the_spread_only_what_is_read_counts(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
backend = engine_kwargs.pop("backend", None)
args = {"dtype": self.config.dtype, "backend": backend if backend is not None else "fa3"}
Engine(**args)
"""
    )
    assert trace.spread_line == 0
    assert trace.only == ("backend",)
    assert stages(trace) == {"dtype": "after", "backend": "merge"}


def test_keywords_of_a_call_conflict(reader: Reader) -> None:
    trace = reader.one(ENGINE + "engine = LLM(model=self.config.model, seed=0, **extra, **engine_kwargs)\n")
    assert stages(trace) == {"model": "conflict", "seed": "conflict"}


def test_what_loops_and_handlers_make_is_opaque(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
total = 0
for layer in range(self.config.layers):
    total = total + layer
try:
    mode = self.config.mode
except Exception:
    mode = None
args = {"total": total, "mode": mode, **engine_kwargs}
for name in names:
    args["each"] = name
Engine(**args)
"""
    )
    assert write(trace, "total").value == "opaque('total')"
    assert write(trace, "each").condition == "opaque('for each')"
    assert "opaque('an exception')" in write(trace, "mode").value


def test_writes_that_can_never_happen_are_left_out(reader: Reader) -> None:
    trace = reader.one(
        ENGINE
        + """
args = {"x": 1, **engine_kwargs}
if self.is_reward_model:
    args["reward"] = 1
else:
    args["rollout"] = 1
Engine(**args)
"""
    )
    assert stages(trace) == {"x": "before", "rollout": "after"}
    assert write(trace, "rollout").condition == ""


def test_modes_of_the_registry(make_tree: MakeTree) -> None:
    server = """
        class {name}:
            def launch(self, config: RolloutConfig):
                engine_kwargs = config.get("engine_kwargs", {{}}).get("vllm", {{}})
                Engine(**{{"x": config.x, **engine_kwargs}})
        """
    files = {
        "verl/workers/rollout/base.py": """
            _ROLLOUT_REGISTRY = {
                ("vllm", "sync"): "verl.workers.rollout.Local",
                ("vllm", "async"): "verl.workers.rollout.Remote",
            }
            """,
        "verl/workers/rollout/local.py": server.format(name="Local"),
        "verl/workers/rollout/http.py": server.format(name="HttpServer"),
    }
    traces = read_traces(make_tree(files), VERL)
    conditions = {trace.symbol: trace.condition for trace in traces}
    assert conditions == {"Local.launch": f"{R}.mode == 'sync'", "HttpServer.launch": f"{R}.mode == 'async'"}


def test_modes_where_workers_choose_a_class(make_tree: MakeTree) -> None:
    server = """
        class {name}:
            def launch(self, config):
                engine_kwargs = config.engine_kwargs.vllm
                Engine(**{{"x": config.x, **engine_kwargs}})
        """
    files = {
        "verl/workers/fsdp_workers.py": """
            def build(self):
                return Local if self.config.rollout.mode == "sync" else Remote
            """,
        "verl/workers/rollout/local.py": server.format(name="Local"),
        "verl/workers/rollout/remote.py": server.format(name="Remote"),
        "verl/workers/rollout/other.py": server.format(name="Other"),
    }
    conditions = {trace.symbol: trace.condition for trace in read_traces(make_tree(files), VERL)}
    assert conditions == {
        "Local.launch": f"{R}.mode == 'sync'",
        "Remote.launch": f"{R}.mode != 'sync'",
        "Other.launch": "",
    }


@pytest.mark.parametrize(
    ("loop", "always", "sometimes"),
    [
        (
            "if isinstance(v, bool):\n    if v:\n        cli.append(k)\nelse:\n    cli.append(k)",
            ("False",),
            (),
        ),
        ("if v is None:\n    continue\ncli.append(k)", ("None",), ()),
        ("if isinstance(v, list) and not v:\n    continue\ncli.append(k)", ("[]",), ()),
        ("if v or engine_wants(k):\n    cli.append(k)", (), ("False", "None", "[]")),
        ("cli.append(k)", (), ()),
        ("if v not in seen:\n    cli.extend([k])", (), ("False", "None", "[]")),
    ],
)
@pytest.mark.parametrize("inline", [True, False])
def test_values_that_the_command_line_drops(
    make_tree: MakeTree, loop: str, always: tuple[str, ...], sometimes: tuple[str, ...], inline: bool
) -> None:
    def indented(text: str, by: int) -> str:
        return "\n".join(" " * by + line for line in text.split("\n"))

    head = "class Server:\n    def launch(self):\n        " + ENGINE.replace("\n", "\n        ")
    head += 'args = {"x": 1, **engine_kwargs}\n'
    files = {
        SERVER: "from verl.cli import build\n" + head + "        cli = build(args)\n",
        "verl/cli.py": "def build(config):\n    cli = []\n    for k, v in config.items():\n"
        + indented(loop, 8)
        + "\n    return cli\n",
    }
    if inline:
        files = {
            SERVER: head + "        cli = []\n        for k, v in args.items():\n" + indented(loop, 12) + "\n"
        }
    (trace,) = read_traces(make_tree(files), VERL)
    assert (trace.drops, trace.may_drop) == (always, sometimes)
    assert trace.drops_path == (SERVER if inline else "verl/cli.py")
    assert trace.drops_line == (6 if inline else 3)


def test_files_that_cannot_be_read_leave_a_sentence(make_tree: MakeTree) -> None:
    files = {
        SERVER: "def launch(:\n    engine_kwargs",
        "verl/workers/rollout/deep.py": "x = " + "-" * 5_000 + "1  # engine_kwargs",
        "verl/workers/rollout/chain.py": "x = engine_kwargs" + ".a" * 30_000,
        "verl/workers/rollout/large.py": "# engine_kwargs\n" + "x = 1\n" * 40_000,
        "verl/workers/rollout/elif.py": "if engine_kwargs:\n    pass\n" + "elif b:\n    pass\n" * 3_000,
    }
    sources = Sources(make_tree(files))
    assert traces_of(sources, VERL) == ()
    assert len(sources.problems) == 5
    assert all(problem.endswith("nothing is claimed from it") for problem in sources.problems)
    assert f"{SERVER} has a syntax error in line 1; nothing is claimed from it" in sources.problems


def test_growing_expressions_stay_bounded(reader: Reader) -> None:
    doubling = "\n".join("value = value + value if self.config.flag else value" for _ in range(40))
    trace = reader.one(
        ENGINE + f"value = self.config.n\n{doubling}\nEngine(**{{'x': value, **engine_kwargs}})"
    )
    assert write(trace, "x").value.startswith("opaque('…'")
    assert write(trace, "x").feeds == (f"{R}.flag", f"{R}.n")


def test_recursion_of_functions_ends(reader: Reader) -> None:
    trace = reader.one(
        ENGINE + 'Engine(**{"x": self.again(self.config.n), **engine_kwargs})',
        more="def again(self, n):\n    return self.again(self.again(n))\n",
    )
    assert write(trace, "x").feeds == (f"{R}.n",)


def test_what_only_serves_does_not_choose_a_mode(make_tree: MakeTree) -> None:
    """``main_generation_server`` starts the asynchronous server whatever ``rollout.mode`` says."""
    server = """
        class {name}:
            def launch(self, config):
                assert config.x < 5
                engine_kwargs = config.engine_kwargs.vllm
                Engine(**{{"x": config.x, **engine_kwargs}})
        """
    entry = """
        import hydra

        @hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
        def main(config):
            pass
        """
    files = {
        "verl/workers/rollout/base.py": """
            _ROLLOUT_REGISTRY = {
                ("vllm", "sync"): "verl.workers.rollout.Local",
                ("vllm", "async"): "verl.workers.rollout.Remote",
            }
            """,
        "verl/workers/rollout/local.py": server.format(name="Local"),
        "verl/workers/rollout/http.py": server.format(name="HttpServer"),
        "verl/trainer/main_ppo.py": entry,
        "verl/trainer/main_generation_server.py": entry,
        "verl/trainer/config/ppo_trainer.yaml": "actor_rollout_ref: {rollout: {name: vllm, mode: sync, x: 9}}\n",
    }
    knowledge = open_knowledge(source=make_tree(files), source_name="toy", version=None)
    tree = {"actor_rollout_ref": {"rollout": {"name": "vllm", "mode": "sync", "x": 9}}}
    found = {}
    for module in ("main_ppo", "main_generation_server"):
        entry_point = knowledge.entry_point(f"verl.trainer.{module}")
        assert entry_point is not None
        found[module] = {item.symbol for item in knowledge.constraints(entry_point, tree)}
    assert found == {"main_ppo": {"Local.launch", "HttpServer.launch"}, "main_generation_server": set()}
