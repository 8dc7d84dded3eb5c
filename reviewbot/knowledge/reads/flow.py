"""Where config nodes flow: values of variables, attributes and results, worked out until nothing changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from reviewbot.knowledge.reads.atoms import Atom, Box, Loose, Node, Text, Value
from reviewbot.knowledge.reads.program import Code, Fn, Klass, Program
from reviewbot.knowledge.reads.shape import Shape

Activation = tuple[Fn | Code, Node | None]
"""A function, or a module's own statements; for methods of config classes: the node that is the receiver."""
Cell = tuple[object, ...]
MAX_VISITS = 40
"""A function is read again at most so often."""
MAX_ATOMS = 400
"""Beyond so many values of one variable, or so many visits in all, nothing is claimed to be unread."""
MAX_TOTAL = 20_000
MAX_DEPTH = 14
"""A path with more parts comes from a cycle of aliases."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something is read."""

    kind: str
    """``read``, ``whole`` (everything below as well), ``check`` (only tested or asserted), ``log``, ``feed``
    (copied to the config key ``target``) or ``store`` (only kept under the attribute ``target``)."""
    what: Node | Loose
    where: Fn | Code
    line: int
    target: str = ""


@dataclass
class Flow:
    """The state of the analysis."""

    program: Program
    segments: frozenset[str]
    """All names that occur in the keys of the config trees."""
    class_of: dict[Node, set[Klass]]
    """The config class that each node of the trees is made into."""
    pairs: frozenset[tuple[str, str]]
    """The names of nodes of the trees and of their children."""
    shapes: Mapping[str, Shape]
    """The trees of each root."""
    validators: frozenset[str] = frozenset()
    """Names of functions that only check."""
    cells: dict[Cell, set[Atom]] = field(default_factory=dict)
    readers: dict[Cell, dict[Activation, None]] = field(default_factory=dict)
    events: set[Event] = field(default_factory=set)
    visits: dict[Activation, int] = field(default_factory=dict)
    passed: set[Cell] = field(default_factory=set)
    """Parameters that some call gives a value."""
    boxes: dict[str, set[str]] = field(default_factory=dict)
    """The keys of each box."""
    children: dict[int, Fn] = field(default_factory=dict)
    """Functions within functions, by their syntax node's identity."""
    queue: deque[Activation] = field(default_factory=deque)
    waiting: set[Activation] = field(default_factory=set)
    constructed: set[Klass] = field(default_factory=set)
    by_class: dict[Klass, set[Node]] = field(default_factory=dict)
    tops: Mapping[str, tuple[Node, ...]] = field(default_factory=dict)
    """Names that only ever are a tree's top level, and those nodes."""
    transparent: frozenset[str] = frozenset()
    """Functions that give back their first argument in another type."""
    undecided: set[Activation] = field(default_factory=set)
    """Functions that have a value which is nothing now and may be anything in the last phase."""
    total: int = 0
    """How often functions were read in all."""
    beyond: bool = False
    """Whether a bound stopped the analysis: it may have missed reads."""
    final: bool = False
    """True in the last phase: parameters that no call gives a value may be anything."""

    def get(self, cell: Cell, reader: Activation) -> set[Atom]:
        """What a cell holds; the reader is read again when that grows."""
        self.readers.setdefault(cell, {})[reader] = None
        return self.cells.setdefault(cell, set())

    def add(self, cell: Cell, atoms: Iterable[Atom]) -> None:
        """Put values into a cell."""
        held = self.cells.setdefault(cell, set())
        new = [atom for atom in atoms if atom not in held]
        if len(held) > MAX_ATOMS:
            self.beyond = True
        elif new:
            held.update(new)
            for reader in tuple(self.readers.get(cell, ())):
                self.enqueue(reader)

    def enqueue(self, activation: Activation) -> None:
        """Have a function read, again if need be."""
        if self.visits.get(activation, 0) >= MAX_VISITS:
            self.beyond = True
        elif activation not in self.waiting:
            self.waiting.add(activation)
            self.queue.append(activation)

    def activate(self, activation: Activation) -> None:
        """Have a function read if it has not been yet."""
        if activation not in self.visits:
            self.enqueue(activation)

    def put(self, box: Box, key: str, atoms: Iterable[Atom]) -> None:
        """Put values under a key of a box."""
        atoms = [atom for atom in atoms if not isinstance(atom, Loose) or atom.suffix]
        if not atoms:
            return
        self.boxes.setdefault(box.site, set()).add(key)
        self.add(("b", box.site, key), atoms)

    def keys(self, box: Box) -> list[str]:
        """The keys of a box."""
        return sorted(self.boxes.get(box.site, ()))

    def give_class(self, node: Node, klass: Klass) -> None:
        """Note that a node is made into a class; its ``__post_init__`` is read for it."""
        known = self.class_of.setdefault(node, set())
        if klass not in known:
            known.add(klass)
        if node not in self.by_class.setdefault(klass, set()):
            self.by_class[klass].add(node)
            post = klass.method("__post_init__")
            if post is not None:
                self.add(("v", (post, node), post.positional[0].arg), {node})
                self.activate((post, node))

    def construct(self, klass: Klass) -> None:
        """Note that there is an instance: any of its methods may be called."""
        if klass in self.constructed:
            return
        self.constructed.add(klass)
        names = {name for item in klass.lineage for name in item.methods}
        for name in sorted(names - {"__init__"}):
            method = klass.method(name)
            if method is not None:
                self.activate((method, None))

    def nodes_of(self, klass: Klass) -> set[Node]:
        """The nodes that are made into a class or one below it."""
        return {node for item in (klass, *klass.offspring) for node in self.by_class.get(item, ())}

    def child(self, node: Node, name: str) -> Node | None:
        """A node's child, with the class that the field's annotation gives it; None beyond the depth bound."""
        if node.path.count(".") > MAX_DEPTH:
            return None
        if self.shapes[node.root].kind(node.path) == "leaf":
            return None
        if name == "*" and node.path.endswith("*"):
            return node
        return node.child(name)

    def kept(self, node: Node) -> bool:
        """Whether a node is worth following: it may have children."""
        kind = self.shapes[node.root].kind(node.path)
        if kind == "absent":
            above = node.path.rpartition(".")[0]
            return node in self.class_of or self.shapes[node.root].kind(above) == "open"
        return kind != "leaf"

    def text(self, value: str) -> Value:
        """A string constant, where it may name a key."""
        return frozenset({Text(value)}) if value in self.segments else frozenset()


def name_pairs(keys: Iterable[str]) -> frozenset[tuple[str, str]]:
    """The names of nodes and of their children, in dotted keys."""
    return frozenset(pair for key in keys for pair in pairwise(key.split(".")))


def top_names(trees: Iterable[tuple[str, Mapping[str, object]]]) -> dict[str, tuple[Node, ...]]:
    """Names that occur in the trees (root, tree) at the top only, and the nodes that they name."""
    tops: dict[str, set[Node]] = {}
    deeper: set[str] = set()
    for root, tree in trees:
        for name, value in tree.items():
            tops.setdefault(name, set()).add(Node(root, name))
            waiting = [value]
            while waiting:
                item = waiting.pop()
                if isinstance(item, Mapping):
                    deeper |= {str(key) for key in item}
                    waiting += item.values()
    return {
        name: tuple(sorted(nodes, key=lambda node: node.root))
        for name, nodes in tops.items()
        if name not in deeper
    }


def classes_in(trees: Iterable[tuple[str, Mapping[str, object]]], program: Program) -> dict[Node, set[Klass]]:
    """The classes that ``_target_`` names in composed trees: (root, tree)."""
    found: dict[Node, set[Klass]] = {}
    for root, tree in trees:
        waiting: list[tuple[Node, object]] = [(Node(root, ""), tree)]
        while waiting:
            node, value = waiting.pop()
            if not isinstance(value, Mapping):
                continue
            target = value.get("_target_")
            klass = program.qualified(target) if isinstance(target, str) else None
            if isinstance(klass, Klass):
                found.setdefault(node, set()).add(klass)
            waiting += [(node.child(str(key)), item) for key, item in value.items()]
    return found
