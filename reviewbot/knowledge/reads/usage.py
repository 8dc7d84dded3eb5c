"""Which config keys of each entry point are read, by whom, and under which choices."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from reviewbot.config.model import Plain
from reviewbot.knowledge.config_trees import compose_bases
from reviewbot.knowledge.entry_points import modules_of
from reviewbot.knowledge.facts import BundledBase
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.model import EntryPoint
from reviewbot.knowledge.reads.atoms import Loose, Node
from reviewbot.knowledge.reads.declared import Declarations, config_lines
from reviewbot.knowledge.reads.description import DESCRIPTIONS, ReadsDescription
from reviewbot.knowledge.reads.flow import MAX_TOTAL, Event, Flow, classes_in, name_pairs, top_names
from reviewbot.knowledge.reads.model import READ, UNKNOWN, UNREAD, EntryUsage, KeyUse, Scope, Scoped, Usage
from reviewbot.knowledge.reads.program import Code, Fn, Program
from reviewbot.knowledge.reads.reach import Live, Reach
from reviewbot.knowledge.reads.shape import Shape, at, leaves, references
from reviewbot.knowledge.reads.statements import read
from reviewbot.knowledge.reads.verdicts import (
    Facts,
    Feeds,
    Indices,
    Judge,
    Verdict,
    loose_tails,
    outermost,
)
from reviewbot.knowledge.source import Sources
from reviewbot.tree import Tree

_LOAD = re.compile(r"\.([A-Za-z_]\w*)\b(?!\s{0,99}(?::[^=\n]{1,199})?=(?!=))")
_STORE = re.compile(r"\.([A-Za-z_]\w*)\s{0,99}(?::[^=\n]{1,199})?=(?!=)")
_DOT = re.compile(r"\.")
_BEYOND = "The source is too entangled to tell which config keys it reads; none is claimed to be unread"
_HIDDEN = "_target_"


def read_usage(
    tree: Tree,
    framework: Framework,
    bases: Sequence[BundledBase] | None = None,
    description: ReadsDescription | None = None,
) -> Usage:
    """The verdict on each config key of each entry point.

    ``bases`` are the entry points' composed trees, where the caller has them already. Where a file cannot be parsed
    or a module is missing, what that reads is not known: there is a sentence in ``problems``, and no key is claimed
    to be unread.
    """
    sources = Sources(tree)
    entries = modules_of(sources, framework).entry_points
    if bases is None:
        bases = compose_bases(tree, framework, entries)[0]
    told = description or DESCRIPTIONS.get(framework.name, ReadsDescription())
    program = Program(sources, framework.package)
    lacking = [module for module in program.missing() if module not in told.absent]
    run = _Run(tree, program, framework, told, list(entries), list(bases))
    found = tuple(run.entries())
    problems = [*sources.problems, *([_BEYOND] if run.beyond else []), *_incomplete(lacking)]
    return Usage(tuple(map(_undecided, found)) if problems else found, tuple(sorted(set(problems))))


def _incomplete(lacking: Sequence[str]) -> Iterator[str]:
    if lacking:
        named = ", ".join(lacking[:3]) + (f" and {len(lacking) - 3} more" if len(lacking) > 3 else "")
        yield f"The source imports modules that it does not hold ({named}); no key is claimed to be unread"


@dataclass
class _Run:
    tree: Tree
    program: Program
    framework: Framework
    description: ReadsDescription
    entry_points: list[EntryPoint]
    bases: list[BundledBase]
    roots: dict[tuple[str, str], str] = field(default_factory=dict)
    beyond: bool = False
    """Whether a bound stopped the analysis."""

    def entries(self) -> Iterator[EntryUsage]:
        """The usage of each entry point that has a config tree."""
        starts = {
            entry.module: start for entry in self.entry_points if (start := self._start(entry)) is not None
        }
        flow = self._flow(starts)
        reach = Reach(self.program, self.description)
        plain = {module: reach.live(start, {}) for module, start in starts.items()}
        self._read_rest(flow, plain, reach)
        self.beyond = flow.beyond
        loaded = self._loaded(flow.events)
        lines = config_lines(self.tree, {entry.config_dir for entry in self.entry_points})
        for entry in self.entry_points:
            if entry.module in starts and self._of(entry):
                yield self._entry(entry, starts[entry.module], flow, reach, loaded, lines)

    # trees

    def _root(self, base: BundledBase) -> str:
        """The name of a tree's kind: trees with mostly the same top-level keys are of one kind."""
        key = (base.config_dir, base.config_name)
        if key not in self.roots:
            own = set(base.base.tree)
            for other in self.bases:
                known = self.roots.get((other.config_dir, other.config_name))
                shared = own & set(other.base.tree)
                if (
                    known is not None
                    and len(shared) * 2 > min(len(own), len(other.base.tree))
                    and len(shared) > 4
                ):
                    self.roots[key] = known
                    break
            self.roots.setdefault(key, base.config_name)
        return self.roots[key]

    def _of(self, entry: EntryPoint) -> list[BundledBase]:
        """The trees that an entry point may run with, its default's kind only."""
        own = [item for item in self.bases if item.config_dir == entry.config_dir]
        default = next((item for item in own if item.config_name == entry.config_name), None)
        return [] if default is None else [item for item in own if self._root(item) == self._root(default)]

    # flow

    def _start(self, entry: EntryPoint) -> Fn | None:
        code = next((item for item in self.program.modules.values() if item.path == entry.path), None)
        for fn in self.program.functions.values():
            first = fn.node.decorator_list[0].lineno if fn.node.decorator_list else 0
            if fn.module is code and first <= entry.line <= fn.node.lineno and fn.positional:
                return fn
        return None

    def _flow(self, starts: dict[str, Fn]) -> Flow:
        shapes: dict[str, Shape] = {}
        for base in self.bases:
            shapes.setdefault(self._root(base), Shape()).trees.append(base.base.tree)
        trees = [(self._root(base), base.base.tree) for base in self.bases]
        flow = Flow(
            self.program,
            self._segments(),
            {},
            name_pairs(key for base in self.bases for key in leaves(base.base.tree)),
            shapes,
            frozenset(self.framework.validators),
            tops={name: nodes for name, nodes in top_names(trees).items() if name not in self._attributes},
            transparent=self.framework.transparent | self.framework.makers,
        )
        for node, klasses in sorted(classes_in(trees, self.program).items(), key=lambda item: item[0].path):
            for klass in sorted(klasses, key=lambda item: item.qual):
                flow.give_class(node, klass)
        for code in self.program.modules.values():
            flow.activate((code, None))
        for entry in self.entry_points:
            if entry.module in starts and self._of(entry):
                self._begin(flow, starts[entry.module], self._root(self._of(entry)[0]))
        _drain(flow)
        flow.final = True
        for activation in [item for item in flow.visits if item in flow.undecided]:
            flow.enqueue(activation)
        _drain(flow)
        return flow

    @cached_property
    def _attributes(self) -> frozenset[str]:
        """Names that the source stores something under: of those an attribute of an unknown owner says nothing."""
        return frozenset(name for code in self.program.modules.values() for name in _STORE.findall(code.text))

    def _begin(self, flow: Flow, start: Fn, root: str) -> None:
        name = start.positional[0].arg
        flow.passed.add(("p", (start, None), name))
        flow.add(("v", (start, None), name), {Node(root, "")})
        flow.activate((start, None))

    def _segments(self) -> frozenset[str]:
        found = {part for base in self.bases for key in leaves(base.base.tree) for part in key.split(".")}
        folders = tuple(f"{folder}/" for folder in self._config_folders())
        for klass in self.program.classes.values():
            if klass.is_dataclass and klass.module.path.startswith(folders):
                found |= set(klass.fields)
        return frozenset(found)

    def _config_folders(self) -> set[str]:
        trees = [(self._root(base), base.base.tree) for base in self.bases]
        found = classes_in(trees, self.program).values()
        return {klass.module.path.rpartition("/")[0] for klasses in found for klass in klasses}

    def _read_rest(self, flow: Flow, plain: dict[str, Live], reach: Reach) -> None:
        """Functions that are reached by name only: read where they mention the name of a key, or of a node above
        it, that no known read explains."""
        known = {
            event.what.path for event in flow.events if isinstance(event.what, Node) and event.kind == "read"
        }
        names = {
            part
            for base in self.bases
            for key in leaves(base.base.tree)
            if key not in known
            for part in key.split(".")
        }
        for fn in sorted({fn for live in plain.values() for fn in live.functions}, key=Fn.place):
            if (fn, None) not in flow.visits:
                node = fn.node
                if reach.text(fn.module, node.lineno, node.end_lineno or node.lineno).words & names:
                    flow.activate((fn, None))
        _drain(flow)

    def _loaded(self, events: set[Event]) -> frozenset[str]:
        """Attributes that a config value is kept under and that something loads."""
        stored = {event.target[1:] for event in events if event.target.startswith(".")}
        found = {name for code in self.program.modules.values() for name in _LOAD.findall(code.text)}
        return frozenset(stored & found)

    # verdicts

    def _entry(
        self,
        entry: EntryPoint,
        start: Fn,
        flow: Flow,
        reach: Reach,
        loaded: frozenset[str],
        lines: Mapping[str, Mapping[str, int]],
    ) -> EntryUsage:
        own = self._of(entry)
        root = self._root(own[0])
        keys = sorted(self._keys([base.base.tree for base in own], root, flow))
        tails = frozenset(
            ".".join(parts[i:]) for parts in (key.split(".") for key in keys) for i in range(len(parts))
        )
        known = frozenset(
            key[:i] for key in keys for i in (*(m.start() for m in _DOT.finditer(key)), len(key))
        )
        feeds = _feeds(own)

        facts = Facts(Indices(flow.events, root), known, feeds, loaded, _classed(flow, root))
        loose = [event for event in flow.events if isinstance(event.what, Loose)]

        def judge(scope: Scope) -> Judge:
            alive = _Alive(reach.live(start, dict(scope.pins)), reach)
            maybe = loose_tails((event for event in loose if alive(event)), tails, loaded)
            return Judge(facts, alive, self._closed(scope, reach), maybe)

        whole = judge(Scope())
        verdicts = {key: whole.judge(key) for key in keys}
        scopes = list(self._scopes(own, reach))
        scoped: dict[str, list[Scoped]] = {}
        for number, scope in enumerate(scopes):
            judged = judge(scope)
            for key in self._judged(keys, own, scope, flow):
                verdict = judged.judge(key)
                if verdict.kind != verdicts[key].kind:
                    scoped.setdefault(key, []).append(Scoped(number, verdict.kind, verdict.sites))
        classes = {
            node.path: klasses
            for node, klasses in classes_in([(root, base.base.tree) for base in own], self.program).items()
        }
        declared = Declarations(
            classes, f"{entry.config_dir}/{entry.config_name}.yaml", lines, entry.config_dir
        )
        made = (_use(key, verdicts[key], scoped.get(key, [])) for key in keys)
        uses = tuple(replace(use, declared=declared.of(use.key)) if use.may_be_dead else use for use in made)
        unread = frozenset(key for key, verdict in verdicts.items() if verdict.kind == UNREAD)
        closed = tuple((node, declared.of(node)) for node in whole.closed_nodes(unread))
        found = EntryUsage(entry.module, tuple(scopes), uses, closed)
        read_keys = sum(use.verdict == READ for use in uses)
        return found if read_keys * 2 >= len(uses) else _undecided(found)

    def _keys(self, trees: Sequence[Mapping[str, Plain]], root: str, flow: Flow) -> set[str]:
        """The leaves of trees, and fields of the config classes that the config files leave out."""
        found = {key for tree in trees for key in leaves(tree) if not key.endswith(_HIDDEN)}
        for node, klasses in classes_in([(root, tree) for tree in trees], self.program).items():
            for name in {name for klass in klasses for name in klass.fields}:
                path = node.child(name).path
                if not name.startswith("_") and flow.shapes[root].kind(path) == "absent":
                    found.add(path)
        return found

    def _closed(self, scope: Scope, reach: Reach) -> frozenset[str]:
        """Names that stand for other choices than the scope's."""
        pins = dict(scope.pins)
        found = (
            reach.domains[d.key] - {str(pins[d.key])} for d in self.description.dimensions if d.key in pins
        )
        return frozenset().union(*found)

    def _scopes(self, own: list[BundledBase], reach: Reach) -> Iterator[Scope]:
        keys = {key for base in own for key in leaves(base.base.tree)}
        switches = [item for item in self.description.switches if item.key in keys]
        for switch in switches:
            yield from (Scope(((switch.key, chosen),)) for chosen in (True, False))
        usual: dict[str, str | bool] = {item.key: item.default for item in switches}
        for dimension in self.description.dimensions:
            if dimension.key in keys:
                for value in sorted(reach.domains[dimension.key]):
                    pins = {**usual, dimension.key: value}
                    yield Scope(tuple(sorted(pins.items())), dimension.covers)

    def _judged(self, keys: list[str], own: list[BundledBase], scope: Scope, flow: Flow) -> list[str]:
        """The keys that a scope is about: below its nodes, and in the trees that belong to it."""
        covered = tuple(f"{node}." for node in scope.covers)
        pins = dict(scope.pins)
        for dimension in self.description.dimensions:
            if dimension.own_tree and dimension.key in pins:
                trees = _trees_of(own, dimension.key, str(pins[dimension.key]))
                names = self._keys(trees, self._root(own[0]), flow)
                keys = [key for key in keys if key in names]
        return [key for key in keys if not covered or key.startswith(covered)]


def _undecided(entry: EntryUsage) -> EntryUsage:
    """The usage of an entry point without claims that a key is not read."""
    keys = tuple(use if use.verdict == READ else replace(use, verdict=UNKNOWN) for use in entry.keys)
    return replace(entry, keys=tuple(replace(use, scoped=()) for use in keys), closed=())


def _classed(flow: Flow, root: str) -> frozenset[str]:
    return frozenset(node.path for node in flow.class_of if node.root == root)


def _trees_of(own: list[BundledBase], key: str, value: str) -> list[Mapping[str, Plain]]:
    """The trees that belong to a value at a key: those that have it, else those that are like the first."""
    held = [(at(base.base.tree, key), base.base.tree) for base in own]
    wanted = value if any(found == value for found, _ in held) else held[0][0]
    return [tree for found, tree in held if found == wanted]


def _drain(flow: Flow) -> None:
    queue: deque[tuple[Fn | Code, Node | None]] = flow.queue
    while queue:
        flow.total += 1
        if flow.total > MAX_TOTAL:
            flow.beyond = True
            return
        activation = queue.popleft()
        flow.waiting.discard(activation)
        flow.visits[activation] = flow.visits.get(activation, 0) + 1
        read(flow, activation)


class _Alive:
    """Whether an event happens under some pins."""

    def __init__(self, live: Live, reach: Reach) -> None:
        self.live = live
        self.reach = reach
        self.dead: dict[Fn, tuple[tuple[int, int], ...]] = {}

    def __call__(self, event: Event) -> bool:
        where = outermost(event.where)
        if isinstance(where, Code):
            return where in self.live.modules
        if where not in self.live.functions and not _makes_config(where):
            return False
        if where not in self.dead:
            self.dead[where] = self.reach.dead_lines(where, self.live.pins)
        return not any(first <= event.line <= last for first, last in self.dead[where])


def _makes_config(fn: Fn) -> bool:
    """Whether a function runs as part of making a config class, wherever that happens."""
    return fn.node.name == "__post_init__"


def _feeds(bases: Sequence[BundledBase]) -> Feeds:
    feeds = Feeds()
    for base in bases:
        for key, value in leaves(base.base.tree).items():
            for name in references(value, key):
                whole = isinstance(value, str) and value.strip() == f"${{{name}}}"
                (feeds.nodes if whole else feeds.keys).setdefault(name, set()).add(key)
    return feeds


def _use(key: str, verdict: Verdict, scoped: list[Scoped]) -> KeyUse:
    into = verdict.into if verdict.kind != READ else ()
    return KeyUse(key, verdict.kind, verdict.sites, into, tuple(scoped))
