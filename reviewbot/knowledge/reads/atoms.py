"""What an expression may stand for, as far as the reading of config keys needs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from zlib import crc32

from reviewbot.knowledge.reads.program import Fn, Klass


class _Hashed:
    """A value whose hash is made from its contents alone, so that sets of it have the same order in every run."""

    __slots__ = ()
    number: int

    def _number(self, *parts: str | int) -> None:
        text = "\0".join((type(self).__name__, *map(str, parts)))
        object.__setattr__(self, "number", crc32(text.encode()))

    def __hash__(self) -> int:
        return self.number


@dataclass(frozen=True, slots=True)
class Node(_Hashed):
    """A node or leaf of a config tree."""

    root: str
    """Which tree: entry points with like trees share one."""
    path: str
    """Dotted; ``*`` stands for a child that is not known; empty for the whole tree."""
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(self.root, self.path)

    def child(self, name: str) -> Node:
        """A child of it."""
        return Node(self.root, f"{self.path}.{name}" if self.path else name)


@dataclass(frozen=True, slots=True)
class Loose(_Hashed):
    """Something that may be a config node: the last part of its path is all that is known."""

    suffix: str
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(self.suffix)


@dataclass(frozen=True, slots=True)
class Obj(_Hashed):
    """An instance of a class of the framework."""

    klass: Klass
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(hash(self.klass))


@dataclass(frozen=True, slots=True)
class Box(_Hashed):
    """A dict, list or tuple that is made at one place."""

    site: str
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(self.site)


@dataclass(frozen=True, slots=True)
class Cls(_Hashed):
    """A class of the framework."""

    klass: Klass
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(hash(self.klass))


@dataclass(frozen=True, slots=True)
class Fun(_Hashed):
    """A function of the framework, with the receiver that it is bound to."""

    fn: Fn
    receiver: Node | Obj | Cls | None = None
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(hash(self.fn), hash(self.receiver) if self.receiver is not None else 0)


@dataclass(frozen=True, slots=True)
class Mod(_Hashed):
    """A module of the framework."""

    name: str
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(self.name)


@dataclass(frozen=True, slots=True)
class Ext(_Hashed):
    """A name from outside the framework: ``omegaconf.OmegaConf.select``."""

    name: str
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(self.name)


@dataclass(frozen=True, slots=True)
class Text(_Hashed):
    """A string constant that may name a config key."""

    value: str
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(self.value)


@dataclass(frozen=True, slots=True)
class Parent(_Hashed):
    """``super()``: a base class and the instance that its methods get."""

    klass: Klass
    receiver: Node | Obj
    number: int = field(default=0, init=False, compare=False, repr=False)
    __hash__ = _Hashed.__hash__

    def __post_init__(self) -> None:
        self._number(hash(self.klass), hash(self.receiver))


Atom = Parent | Node | Loose | Obj | Box | Cls | Fun | Mod | Ext | Text
Value = frozenset[Atom]
NOTHING: Value = frozenset()
ANYTHING: Value = frozenset({Loose("")})
