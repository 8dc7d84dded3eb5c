"""Attributes, keys and names: what loading one from a value gives, and which config keys that reads."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from reviewbot.knowledge.reads.annotation import OPEN, Typing, related, typing_of
from reviewbot.knowledge.reads.atoms import (
    ANYTHING,
    NOTHING,
    Atom,
    Box,
    Cls,
    Ext,
    Fun,
    Loose,
    Mod,
    Node,
    Obj,
    Parent,
    Text,
    Value,
)
from reviewbot.knowledge.reads.flow import Activation, Event, Flow
from reviewbot.knowledge.reads.program import Code, Fn, Klass

ANY = "*"
SPREAD = "**"
_EXTERNAL_DEPTH = 4
"""``omegaconf.OmegaConf.select`` has two; what is deeper is no function that is told apart."""


class Lookup:
    """One reading of one function (or of a module's own statements)."""

    def __init__(self, flow: Flow, activation: Activation) -> None:
        self.flow = flow
        self.act = activation
        self.fn, self.ctx = activation
        self.code: Code = self.fn if isinstance(self.fn, Code) else self.fn.module
        self.kind = _first_kind(flow, self.fn)
        self.target = ""
        self.line = 0
        self.open_boxes: set[str] = set()
        """Boxes that are being looked into: they may hold one another."""

    @property
    def makes_config(self) -> bool:
        """Whether this is the ``__post_init__`` of a config class: what it only tests has no effect by itself."""
        fn = self.fn
        return (
            isinstance(fn, Fn)
            and fn.node.name == "__post_init__"
            and fn.klass is not None
            and fn.klass.is_dataclass
        )

    # events

    def event(self, what: Node | Loose, kind: str = "") -> None:
        """Note that something is read here."""
        if isinstance(what, Node) and not what.path:
            return
        chosen = kind or self.kind
        if chosen in ("read", "check") and kind == "" and self.target:
            chosen = "feed"
        self.flow.events.add(Event(chosen, what, self.fn, self.line, self.target if chosen == "feed" else ""))

    def whole(self, atoms: Iterable[Atom]) -> None:
        """Note that the values leave for where their keys are read unseen."""
        waiting, seen = list(atoms), set[str]()
        while waiting:
            atom = waiting.pop()
            if isinstance(atom, Node):
                self.event(atom, "log" if self.kind == "log" else "whole")
            elif isinstance(atom, Box) and atom.site not in seen:
                seen.add(atom.site)
                for key in self.flow.keys(atom):
                    waiting += self.flow.get(("b", atom.site, key), self.act)

    # loads

    def load(self, value: Iterable[Atom], name: str) -> set[Atom]:
        """``value.name``"""
        found: set[Atom] = set()
        for atom in value:
            found.update(self._load(atom, name))
        return found

    def _load(self, atom: Atom, name: str) -> Iterable[Atom]:
        if isinstance(atom, Node):
            return self.node_load(atom, name)
        if isinstance(atom, Loose):
            return self.loose_load(atom, name)
        if isinstance(atom, Obj):
            return self._object_load(atom, name)
        if isinstance(atom, Box):
            return self.box_load(atom, name)
        if isinstance(atom, Cls):
            return self._class_load(atom, name)
        if isinstance(atom, Mod):
            return self.resolved(self.flow.program.modules[atom.name], name)
        if isinstance(atom, Ext):
            follow = atom.name.count(".") < _EXTERNAL_DEPTH and not atom.name.startswith("builtins.")
            return (Ext(f"{atom.name}.{name}"),) if follow else ()
        if isinstance(atom, Parent):
            method = atom.klass.method(name)
            return () if method is None else (Fun(method, atom.receiver),)
        if isinstance(atom, Fun) and name in ("remote", "options", "func"):
            return (atom,)
        return ()

    def node_load(self, node: Node, name: str) -> set[Atom]:
        """A config node's child (or a method or property of its class)."""
        for klass in tuple(self.flow.class_of.get(node, ())):
            method = klass.method(name)
            if method is not None:
                bound = Fun(method, node)
                return self.call_property(bound) if method.kind == "property" else {bound}
        return self.key_load(node, name)

    def key_load(self, node: Node, name: str) -> set[Atom]:
        """A config node's child."""
        child = self.flow.child(node, name)
        if child is None:
            return set()
        self.event(child)
        self._class_of_child(node, child, name)
        held = set(self.flow.get(("n", child), self.act))
        return {child, *held} if self.flow.kept(child) else held

    def _class_of_child(self, node: Node, child: Node, name: str) -> None:
        for klass in tuple(self.flow.class_of.get(node, ())):
            annotation = klass.fields.get(name)
            if annotation is None:
                continue
            owner = next((k for k in klass.lineage if _declares(k, name)), klass)
            typed = typing_of(annotation, owner.module, self.flow.program)
            if typed.klass is not None and typed.klass.is_dataclass:
                self.flow.give_class(child, typed.klass)

    def loose_load(self, atom: Loose, name: str) -> set[Atom]:
        """A child of what may be a config node."""
        if name not in self.flow.segments:
            return {Loose("")}
        if not atom.suffix and name in self.flow.tops:
            return {
                item for node in self.flow.tops[name] for item in self.key_load(Node(node.root, ""), name)
            }
        last = atom.suffix.rpartition(".")[2]
        goes_on = (last, name) in self.flow.pairs
        found = Loose(f"{atom.suffix}.{name}" if goes_on else name)
        self.event(found)
        return {found}

    def box_load(self, box: Box, name: str) -> set[Atom]:
        """A key of a dict that is made in the source."""
        if box.site in self.open_boxes:
            return set()
        outermost = not self.open_boxes
        self.open_boxes.add(box.site)
        found = set(self.flow.get(("b", box.site, name), self.act))
        found |= self.flow.get(("b", box.site, ANY), self.act)
        for atom in tuple(self.flow.get(("b", box.site, SPREAD), self.act)):
            found.update(self.key(atom, name))
        if outermost:
            self.open_boxes.clear()
        return found

    def key(self, atom: Atom, name: str) -> Iterable[Atom]:
        """``atom[name]`` and ``atom.get(name)``"""
        if isinstance(atom, Node):
            return self.key_load(atom, name)
        if isinstance(atom, Loose):
            return self.loose_load(atom, name)
        if isinstance(atom, Box):
            return self.box_load(atom, name)
        if isinstance(atom, Obj):
            return self._object_load(atom, name)
        return () if isinstance(atom, Text | Ext | Mod) else (atom,)

    def elements(self, atom: Atom) -> Iterable[Atom]:
        """What a loop over a value, or an unknown key of it, gives."""
        if isinstance(atom, Node):
            child = self.flow.child(atom, ANY) if atom.path else None
            return () if child is None else (child,)
        if isinstance(atom, Box):
            return self._box_elements(atom)
        if isinstance(atom, Ext | Mod):
            return ()
        return (Loose(""),) if isinstance(atom, Loose) else (atom,)

    def _box_elements(self, box: Box) -> set[Atom]:
        if box.site in self.open_boxes:
            return set()
        outermost = not self.open_boxes
        self.open_boxes.add(box.site)
        found: set[Atom] = set()
        for key in self.flow.keys(box):
            held = tuple(self.flow.get(("b", box.site, key), self.act))
            found |= {item for one in held for item in self.elements(one)} if key == SPREAD else set(held)
        if outermost:
            self.open_boxes.clear()
        return found

    def _object_load(self, atom: Obj, name: str) -> Iterable[Atom]:
        klass = atom.klass
        methods = [klass.method(name), *(item.methods.get(name) for item in klass.offspring)]
        bound = [Fun(method, atom) for method in methods if method is not None]
        if bound:
            found: set[Atom] = set()
            for item in bound:
                found |= self.call_property(item) if item.fn.kind == "property" else {item}
            return found
        return self._field(klass, name)

    def _field(self, klass: Klass, name: str) -> set[Atom]:
        family = klass.family
        found: set[Atom] = set()
        stored = False
        for item in family:
            found |= self.flow.get(("f", item, name), self.act)
            stored = stored or ("s", item, name) in self.flow.passed
        if found:
            return found
        for item in family:
            annotation = item.fields.get(name)
            if annotation is not None:
                typed = typing_of(annotation, item.module, self.flow.program)
                return self.of_type(typed) if typed != OPEN else (set() if stored else set(ANYTHING))
        for item in family:
            value = item.values.get(name)
            if value is not None:
                return set(self.module_value(item.module, value))
        if stored or klass.is_dataclass:
            return set()
        self.flow.undecided.add(self.act)
        return set(ANYTHING) if self.flow.final else set()

    def _class_load(self, atom: Cls, name: str) -> Iterable[Atom]:
        if name in ("remote", "options"):
            return (atom,)
        method = atom.klass.method(name)
        if method is not None:
            return (Fun(method, atom if method.kind == "class" else None),)
        return self._field(atom.klass, name)

    def call_property(self, bound: Fun) -> set[Atom]:
        """The result of a property."""
        raise NotImplementedError

    def module_value(self, code: Code, value: ast.expr) -> Iterable[Atom]:
        """The value of an expression at the top of a module or class."""
        raise NotImplementedError

    # names

    def name(self, name: str) -> set[Atom]:
        """A variable."""
        found: set[Atom] = set()
        fn = self.fn if isinstance(self.fn, Fn) else None
        own = False
        while fn is not None:
            ctx = self.ctx if fn is self.fn or self.fn_within(fn) else None
            found |= self.flow.get(("v", (fn, ctx), name), self.act)
            own = own or ("s", (fn, ctx), name) in self.flow.passed or name in fn.annotations
            if fn is self.fn and own:
                return found
            fn = fn.parent
        if own:
            return found
        return found | set(self.resolved(self.code, name))

    def fn_within(self, fn: Fn) -> bool:
        """Whether a function encloses this one."""
        current = self.fn if isinstance(self.fn, Fn) else None
        while current is not None:
            if current is fn:
                return True
            current = current.parent
        return False

    def resolved(self, code: Code, name: str) -> Iterable[Atom]:
        """What a name at the top of a module stands for."""
        found = self.flow.program.resolve(code, name)
        if isinstance(found, Klass | Fn):
            return {
                item for other in self.flow.program.alternatives(code, name) for item in self.atoms_of(other)
            }
        if found is not None:
            return self.atoms_of(found)
        owner = self._owner(code, name)
        if owner is not None:
            held = self.flow.get(("g", owner[0].name, owner[1]), self.act)
            for value in owner[0].globals.get(owner[1], ()):
                held = {*held, *self.module_value(owner[0], value)}
            return set(held)
        return (Ext(f"builtins.{name}"),) if hasattr(builtins, name) else ()

    def atoms_of(self, found: Klass | Fn | Code | str | None) -> Iterable[Atom]:
        """What a resolved name is as a value."""
        if isinstance(found, Klass):
            return (Cls(found),)
        if isinstance(found, Fn):
            return (Fun(found),)
        if isinstance(found, Code):
            return (Mod(found.name),)
        return () if found is None else (Ext(found),)

    def _owner(self, code: Code, name: str, hops: int = 4) -> tuple[Code, str] | None:
        """The module that assigns a global."""
        if name in code.globals or ("g", code.name, name) in self.flow.cells:
            return code, name
        module, original = code.imports.get(name, ("", ""))
        other = self.flow.program.modules.get(module)
        return self._owner(other, original, hops - 1) if other is not None and original and hops else None

    # types

    def of_type(self, typed: Typing) -> set[Atom]:
        """All that is of a type."""
        if typed.klass is None:
            return set() if typed.plain else set(ANYTHING)
        nodes = self.flow.nodes_of(typed.klass)
        return {*nodes, Obj(typed.klass)} if typed.klass.fields or not nodes else {Obj(typed.klass)}

    def fitting(self, atoms: Iterable[Atom], typed: Typing) -> set[Atom]:
        """The values that an annotation allows."""
        if typed.plain:
            return {atom for atom in atoms if isinstance(atom, Text)}
        if typed.klass is None:
            return set(atoms)
        return {atom for atom in atoms if self._fits(atom, typed.klass)}

    def _fits(self, atom: Atom, klass: Klass) -> bool:
        if isinstance(atom, Loose):
            return False
        if isinstance(atom, Obj):
            return related(atom.klass, klass)
        if isinstance(atom, Node) and klass.is_dataclass:
            known = self.flow.class_of.get(atom)
            return known is None or any(related(item, klass) for item in known)
        return True


def _first_kind(flow: Flow, fn: Fn | Code) -> str:
    if isinstance(fn, Code):
        return "read"
    if fn.klass is None and fn.node.name in flow.validators:
        return "check"
    is_config = fn.klass is not None and fn.klass.is_dataclass
    return "check" if is_config and fn.node.name == "validate" else "read"


def _declares(klass: Klass, name: str) -> bool:
    return any(
        isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name
        for node in klass.node.body
    )


__all__ = ["ANY", "NOTHING", "SPREAD", "Lookup", "Value"]
