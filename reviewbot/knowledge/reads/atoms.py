"""What an expression may stand for, as far as the reading of config keys needs it."""

from __future__ import annotations

from dataclasses import dataclass

from reviewbot.knowledge.reads.program import Fn, Klass


@dataclass(frozen=True, slots=True)
class Node:
    """A node or leaf of a config tree."""

    root: str
    """Which tree: entry points with like trees share one."""
    path: str
    """Dotted; ``*`` stands for a child that is not known; empty for the whole tree."""

    def child(self, name: str) -> Node:
        """A child of it."""
        return Node(self.root, f"{self.path}.{name}" if self.path else name)


@dataclass(frozen=True, slots=True)
class Loose:
    """Something that may be a config node: the last part of its path is all that is known."""

    suffix: str


@dataclass(frozen=True, slots=True)
class Obj:
    """An instance of a class of the framework."""

    klass: Klass


@dataclass(frozen=True, slots=True)
class Box:
    """A dict, list or tuple that is made at one place."""

    site: str


@dataclass(frozen=True, slots=True)
class Cls:
    """A class of the framework."""

    klass: Klass


@dataclass(frozen=True, slots=True)
class Fun:
    """A function of the framework, with the receiver that it is bound to."""

    fn: Fn
    receiver: Node | Obj | Cls | None = None


@dataclass(frozen=True, slots=True)
class Mod:
    """A module of the framework."""

    name: str


@dataclass(frozen=True, slots=True)
class Ext:
    """A name from outside the framework: ``omegaconf.OmegaConf.select``."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A string constant that may name a config key."""

    value: str


@dataclass(frozen=True, slots=True)
class Parent:
    """``super()``: a base class and the instance that its methods get."""

    klass: Klass
    receiver: Node | Obj


Atom = Parent | Node | Loose | Obj | Box | Cls | Fun | Mod | Ext | Text
Value = frozenset[Atom]
NOTHING: Value = frozenset()
ANYTHING: Value = frozenset({Loose("")})
