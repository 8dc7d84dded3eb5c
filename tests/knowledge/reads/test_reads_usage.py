"""Which keys of a small framework are read, by owner and under which choices."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.reads.description import Dimension, ReadsDescription, Switch
from reviewbot.knowledge.reads.model import CHECKED, FED, READ, UNKNOWN, UNREAD, EntryUsage, Usage
from reviewbot.knowledge.reads.usage import read_usage
from reviewbot.tree import Tree

MakeTree = Callable[[Mapping[str, str]], Tree]

ACME = Framework(
    name="acme",
    package="acme",
    marks=("acme/main.py",),
    server_dir="acme/servers",
    backend_key="serve.name",
    engine_kwargs="serve.args.{backend}",
    roots={},
    classes={},
    transparent=frozenset({"to_config"}),
    validators=("validate",),
)
CHOICES = ReadsDescription(
    dimensions=(Dimension("serve.name", ("Servers.register",), covers=("serve",), bare=True),),
    switches=(Switch("run.new", True),),
)
CONFIG = """
    run: {new: true, steps: 1, balance: true, quiet: false, name: x}
    serve:
      _target_: acme.config.ServeConfig
      name: fast
      size: 1
      eager: false
      seed: 0
      mode: async
      args: {fast: {}, slow: {}}
    model: {path: p, depth: 2, width: 3, extra: {a: 1}, alias: "${run.name}"}
    opt: {lr: 0.1, clip: 1.0, clip_old: 2.0}
    old: {lr: 0.2}
    many: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1, l: 1}
"""
FILES = {
    "acme/main.py": """
        import hydra
        from acme.check import validate
        from acme.trainers import NewTrainer

        @hydra.main(config_path="config", config_name="base", version_base=None)
        def main(config):
            validate(config)
            if config.run.new:
                NewTrainer(config=config).fit()
            else:
                from acme.old import OldTrainer

                OldTrainer(config).fit()
        """,
    "acme/check.py": """
        def validate(config):
            assert config.serve.mode == "async"
            print("steps", config.run.quiet)
        """,
    "acme/config.py": """
        from dataclasses import dataclass, field

        @dataclass
        class ServeConfig:
            _target_: str = ""
            name: str = ""
            size: int = 1
            eager: bool = False
            seed: int = 0
            mode: str = ""
            args: dict = field(default_factory=dict)
            hidden: int = 0

            def __post_init__(self):
                if self.hidden < 0:
                    raise ValueError("hidden")
        """,
    "acme/convert.py": "def to_config(config, kind=None):\n    return config\n",
    "acme/trainers.py": """
        import ray
        from torch import clip
        from acme.convert import to_config
        from acme.servers.registry import Servers

        class NewTrainer:
            def __init__(self, config):
                self.config = config
                self.opt = config.opt
                self.kept = config.opt.get("clip_old", 1.0)
                self.servers = Servers.get(config.serve.name)

            def fit(self):
                server = ray.remote(self.servers).options(num_cpus=1).remote(config=to_config(self.config.serve))
                clip(self.opt.lr, self.config.run.steps)
                clip(**self.config.model.extra)
                clip(**self.config.many)
                return server, getattr(self.config.model, "depth", 1)
        """,
    "acme/old.py": """
        class OldTrainer:
            def __init__(self, config):
                self.config = config

            def fit(self):
                return self.config.run.balance and self.config.old.lr
        """,
    "acme/servers/__init__.py": "",
    "acme/servers/registry.py": """
        class Servers:
            _known = {}

            @classmethod
            def register(cls, name):
                def decorator(server):
                    cls._known[name] = server
                    return server

                return decorator

            @classmethod
            def get(cls, name):
                import acme.servers.fast, acme.servers.slow
                return cls._known[name]
        """,
    "acme/servers/fast.py": """
        from vllm import launch
        from acme.config import ServeConfig
        from acme.servers.registry import Servers

        @Servers.register("fast")
        class FastServer:
            def __init__(self, config: ServeConfig):
                self.config = config
                launch(config.size, config.eager, **config.get("args", {}).get(self.key(), {}))

            def key(self):
                return "fast"
        """,
    "acme/servers/slow.py": """
        from sglang import launch
        from acme.config import ServeConfig
        from acme.servers.registry import Servers

        @Servers.register("slow")
        class SlowServer:
            def __init__(self, config: ServeConfig):
                launch(config["size"], config.seed, **config.args["slow"])
        """,
    "acme/config/base.yaml": CONFIG,
}
NEW = {"run.new": True}


def _entry(tree: Tree) -> EntryUsage:
    (entry,) = read_usage(tree, ACME, description=CHOICES).entries
    return entry


@pytest.fixture(name="entry")
def fixture_entry(make_tree: MakeTree) -> EntryUsage:
    return _entry(make_tree(FILES))


@pytest.mark.parametrize(
    ("key", "given", "verdict"),
    [
        ("run.steps", {}, READ),
        ("opt.lr", {}, READ),
        ("model.depth", {}, READ),
        ("model.extra.a", {}, READ),  # the node leaves for a library
        ("model.width", {}, UNREAD),
        ("opt.clip", {}, UNREAD),  # an imported function of that name is no read
        ("opt.clip_old", {}, UNREAD),  # kept under an attribute that nothing loads
        ("run.name", {}, FED),  # only another key is made from it
        ("serve.mode", {}, CHECKED),
        ("serve.hidden", {}, CHECKED),  # a field that the config file leaves out
        ("run.quiet", {}, UNREAD),  # only printed
        ("run.balance", {}, READ),
        ("run.balance", NEW, UNREAD),
        ("run.balance", {"run.new": False}, READ),
        ("old.lr", NEW, UNREAD),  # opt.lr is another key
        ("serve.size", {**NEW, "serve.name": "slow"}, READ),
        ("serve.eager", {**NEW, "serve.name": "slow"}, UNREAD),
        ("serve.eager", {**NEW, "serve.name": "fast"}, READ),
        ("serve.seed", {**NEW, "serve.name": "fast"}, UNREAD),
        ("serve.args.slow", {**NEW, "serve.name": "fast"}, UNREAD),
        ("serve.args.fast", {**NEW, "serve.name": "fast"}, READ),
        ("no.such", {}, UNKNOWN),
    ],
)
def test_verdicts(entry: EntryUsage, key: str, given: Mapping[str, object], verdict: str) -> None:
    assert entry.verdict(key, given) == verdict


def test_site_is_where_the_key_is_read(entry: EntryUsage) -> None:
    (use,) = [use for use in entry.keys if use.key == "run.steps"]
    (site,) = use.sites
    assert (site.path, site.symbol) == ("acme/trainers.py", "NewTrainer.fit")
    line = FILES[site.path].split("\n")[site.line - 1]
    assert "run.steps" in line


def test_read_of_an_unknown_owner_leaves_the_key_open(make_tree: MakeTree) -> None:
    extra = (
        FILES["acme/old.py"].replace("return self", "helper(self)\n                return self")
        + "\n        def helper(x):\n            return x.thing().width\n"
    )
    entry = _entry(make_tree({**FILES, "acme/old.py": extra}))
    assert entry.verdict("model.width", {}) == UNKNOWN
    assert entry.verdict("model.width", NEW) == UNREAD


def test_copy_to_a_key_that_is_read_counts_as_read(make_tree: MakeTree) -> None:
    main = FILES["acme/main.py"].replace(
        "validate(config)", "config.run.steps = config.model.width\n            validate(config)"
    )
    assert _entry(make_tree({**FILES, "acme/main.py": main})).verdict("model.width", {}) == READ


def test_name_that_two_modules_define_is_followed_to_both(make_tree: MakeTree) -> None:
    main = FILES["acme/main.py"].replace(
        "NewTrainer(config=config).fit()",
        "from acme.trainers import NewTrainer as T\n"
        "                if config.run.steps > 1:\n"
        "                    from acme.other import T\n"
        "                T(config=config)",
    )
    other = "class T:\n    def __init__(self, config):\n        self.c = config.model.width + 1\n"
    entry = _entry(make_tree({**FILES, "acme/main.py": main, "acme/other.py": other}))
    assert entry.verdict("model.width", NEW) == READ
    assert entry.verdict("run.steps", NEW) == READ


def test_file_with_a_syntax_error_is_named_and_left_out(make_tree: MakeTree) -> None:
    usage = read_usage(make_tree({**FILES, "acme/broken.py": "def ("}), ACME, description=CHOICES)
    assert [problem for problem in usage.problems if "acme/broken.py" in problem]
    assert usage.entries[0].verdict("run.steps", {}) == READ
    assert usage.entries[0].verdict("model.width", NEW) == UNKNOWN


def test_source_that_lacks_modules_claims_nothing(make_tree: MakeTree) -> None:
    files = {path: text for path, text in FILES.items() if path != "acme/old.py"}
    usage = read_usage(make_tree(files), ACME, description=CHOICES)
    assert [problem for problem in usage.problems if "acme.old" in problem]
    assert {use.verdict for use in usage.entries[0].keys} <= {READ, UNKNOWN}


def test_module_that_releases_leave_out_is_allowed_for(make_tree: MakeTree) -> None:
    files = {path: text for path, text in FILES.items() if path != "acme/old.py"}
    told = replace(CHOICES, absent=frozenset({"acme.old"}))
    usage = read_usage(make_tree(files), ACME, description=told)
    assert usage.problems == ()
    assert usage.entries[0].verdict("model.width", NEW) == UNREAD


def test_source_that_reads_next_to_nothing_of_its_config_claims_nothing(make_tree: MakeTree) -> None:
    files = {**FILES, "acme/main.py": FILES["acme/main.py"].split("validate(config)\n")[0] + "    pass\n"}
    (entry,) = read_usage(make_tree(files), ACME, description=CHOICES).entries
    assert {use.verdict for use in entry.keys} <= {READ, UNKNOWN}


def test_json_round_trip(make_tree: MakeTree) -> None:
    usage = read_usage(make_tree(FILES), ACME, description=CHOICES)
    assert Usage.from_json(json.loads(json.dumps(usage.to_json()))) == usage


def test_same_facts_every_time(make_tree: MakeTree) -> None:
    first, second = (read_usage(make_tree(FILES), ACME, description=CHOICES) for _ in range(2))
    assert first == second
