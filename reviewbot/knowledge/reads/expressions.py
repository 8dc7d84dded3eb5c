"""What expressions stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from reviewbot.knowledge.reads.atoms import Atom, Box, Cls, Ext, Fun, Loose, Node, Obj, Parent, Text
from reviewbot.knowledge.reads.calls import KEY_METHODS, Arguments, Calls
from reviewbot.knowledge.reads.lookup import ANY, SPREAD
from reviewbot.knowledge.reads.program import Code, Fn

_WHOLE = frozenset({"items", "keys", "values", "to_dict"})
_ADDING = frozenset({"append", "add", "extend", "insert", "appendleft", "update", "put", "put_nowait"})


class Expressions(Calls):
    """Expressions of one function."""

    def ev(self, node: ast.expr | None) -> set[Atom]:
        """The value of an expression; what it reads is noted."""
        if node is None:
            return set()
        method = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if method is None:
            return self._others(node)
        result: set[Atom] = method(node)
        return result

    def _others(self, node: ast.AST) -> set[Atom]:
        """Operators and the like: their parts are read, the result is no config."""
        with_target, self.target = self.target, ""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.ev(child)
        self.target = with_target
        return set()

    def _on_constant(self, node: ast.Constant) -> set[Atom]:
        return set(self.flow.text(node.value)) if isinstance(node.value, str) else set()

    def _on_name(self, node: ast.Name) -> set[Atom]:
        return self.name(node.id)

    def _on_attribute(self, node: ast.Attribute) -> set[Atom]:
        value = self._owner_of(node.value)
        self.line = node.lineno
        if node.attr == "__dict__":
            self.whole(value)
        return self.load(value, node.attr)

    def _owner_of(self, node: ast.expr) -> set[Atom]:
        """The owner of an attribute or key: reading it is no copy of it."""
        target, self.target = self.target, ""
        value = self.ev(node)
        self.target = target
        return value

    def _on_subscript(self, node: ast.Subscript) -> set[Atom]:
        value = self._owner_of(node.value)
        keys = self.keys_of(node.slice)
        self.line = node.lineno
        found: set[Atom] = set()
        for atom in value:
            found |= self._at(atom, keys)
        return found

    def _at(self, atom: Atom, keys: list[str]) -> set[Atom]:
        """``atom[k]`` for each key; without keys: for any."""
        if not keys:
            if isinstance(atom, Node):
                self.event(Node(atom.root, f"{atom.path}.{ANY}") if atom.path else atom)
            return set(self.elements(atom))
        return {item for key in keys for item in self.key(atom, key)}

    def keys_of(self, node: ast.expr) -> list[str]:
        """The key that an expression gives, where it is a string or number that is known."""
        if isinstance(node, ast.Constant):
            return [str(node.value)] if isinstance(node.value, str | int) and node.value is not True else []
        value = self._owner_of(node)
        texts = [atom.value for atom in value if isinstance(atom, Text)]
        return sorted(texts) if texts and len(texts) == len(value) else []

    def _on_boolop(self, node: ast.BoolOp) -> set[Atom]:
        return {atom for value in node.values for atom in self.ev(value)}

    def _on_ifexp(self, node: ast.IfExp) -> set[Atom]:
        self._owner_of(node.test)
        return self.ev(node.body) | self.ev(node.orelse)

    def _on_compare(self, node: ast.Compare) -> set[Atom]:
        target, self.target = self.target, ""
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, ast.In | ast.NotIn):
                keys = self.keys_of(node.left)
                for atom in tuple(self.ev(right)):
                    if isinstance(atom, Node | Loose) and keys:
                        self.line = node.lineno
                        self._at(atom, keys)
                    elif isinstance(atom, Node):
                        pass
            else:
                self.ev(right)
        self.ev(node.left)
        self.target = target
        return set()

    def _on_await(self, node: ast.Await) -> set[Atom]:
        return self.ev(node.value)

    def _on_starred(self, node: ast.Starred) -> set[Atom]:
        return {item for atom in self.ev(node.value) for item in self.elements(atom)}

    def _on_namedexpr(self, node: ast.NamedExpr) -> set[Atom]:
        value = self.ev(node.value)
        self.store(node.target, value)
        return value

    def _on_lambda(self, node: ast.Lambda) -> set[Atom]:
        return self.ev(node.body)

    def _on_joinedstr(self, node: ast.JoinedStr) -> set[Atom]:
        return self._others(node)

    def _on_yield(self, node: ast.Yield) -> set[Atom]:
        self.flow.add(("r", self.act), self.ev(node.value))
        return set()

    # containers

    def _box(self, node: ast.AST) -> Box:
        return Box(
            f"{self.code.path}:{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}:{type(node).__name__}"
        )

    def _filled(self, box: Box) -> set[Atom]:
        """The box, where it holds anything that may lead to a config key."""
        return {box} if self.flow.boxes.get(box.site) else set()

    def _on_dict(self, node: ast.Dict) -> set[Atom]:
        box = self._box(node)
        for key, value in zip(node.keys, node.values, strict=True):
            held = self.ev(value)
            if key is None:
                self.flow.put(box, SPREAD, held)
                continue
            keys = self.keys_of(key)
            for name in keys or [ANY]:
                self.flow.put(box, name, held)
        return self._filled(box)

    def _on_list(self, node: ast.List | ast.Tuple | ast.Set) -> set[Atom]:
        box = self._box(node)
        for number, item in enumerate(node.elts):
            self.flow.put(box, str(number), self.ev(item))
        return self._filled(box)

    _on_tuple = _on_list
    _on_set = _on_list

    def _on_listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> set[Atom]:
        self._generators(node.generators)
        box = self._box(node)
        self.flow.put(box, ANY, self.ev(node.elt))
        return self._filled(box)

    _on_setcomp = _on_listcomp
    _on_generatorexp = _on_listcomp

    def _on_dictcomp(self, node: ast.DictComp) -> set[Atom]:
        self._generators(node.generators)
        self.ev(node.key)
        box = self._box(node)
        self.flow.put(box, ANY, self.ev(node.value))
        return self._filled(box)

    def _generators(self, generators: list[ast.comprehension]) -> None:
        for generator in generators:
            self.loop(generator.target, generator.iter)
            for test in generator.ifs:
                self.ev(test)

    def loop(self, target: ast.expr, over: ast.expr) -> None:
        """``for target in over``"""
        value = self._owner_of(over)
        self.line = over.lineno
        found: set[Atom] = set()
        for atom in value:
            if isinstance(atom, Node):
                self.whole({atom})
            found |= set(self.elements(atom))
        self.store(target, found)

    def store(self, target: ast.expr, value: Iterable[Atom]) -> None:
        """An assignment."""
        raise NotImplementedError

    def gather(self, owner: ast.expr, value: Iterable[Atom]) -> None:
        """``owner[…] = value`` and ``owner.append(value)``, where the owner is no dict that is followed: its values
        are taken together."""
        raise NotImplementedError

    # calls

    def _on_call(self, node: ast.Call) -> set[Atom]:
        special = self._special(node)
        if special is not None:
            return special
        kind = self.kind
        callee, receivers = self._callee(node.func)
        if self._is_log(callee, node.func):
            self.kind = "log"
        elif self.makes_config and kind == "read" and _is_self(node.func):
            self.kind = "check"
        target, self.target = self.target, ""
        args = self._arguments(node)
        self.target = target
        self.kind = kind
        self.line, self.current = node.lineno, node
        if isinstance(node.func, ast.Attribute):
            if node.func.attr == "options":
                self.whole(args.all())
                return receivers
            keyed = self._keyed(node, node.func.attr, receivers, args)
            if keyed is not None:
                return keyed
        return self._called(node, callee, receivers, args)

    def _callee(self, func: ast.expr) -> tuple[set[Atom], set[Atom]]:
        """What is called, and the receivers where it is a method."""
        if not isinstance(func, ast.Attribute):
            return self._owner_of(func), set()
        receivers = self._owner_of(func.value)
        self.line = func.lineno
        if func.attr in KEY_METHODS | _WHOLE | _ADDING:
            simple = {atom for atom in receivers if _is_mapping(atom)}
            return self.load(receivers - simple, func.attr), receivers
        loose = {atom for atom in receivers if isinstance(atom, Loose)}
        found = self.load(receivers - loose - {a for a in receivers if isinstance(a, Node)}, func.attr)
        for atom in receivers:
            if isinstance(atom, Node):
                found |= self._bound(atom, func.attr)
        return found, receivers

    def _bound(self, node: Node, name: str) -> set[Atom]:
        methods = [klass.method(name) for klass in self.flow.class_of.get(node, ())]
        return {Fun(method, node) for method in methods if method is not None}

    def _arguments(self, node: ast.Call) -> Arguments:
        args = Arguments()
        for item in node.args:
            if isinstance(item, ast.Starred):
                args.star |= self.ev(item.value)
            else:
                args.positional.append(self.ev(item))
        for keyword in node.keywords:
            if keyword.arg is None:
                args.spread |= self.ev(keyword.value)
            else:
                args.named[keyword.arg] = self.ev(keyword.value)
        return args

    def _is_log(self, callee: set[Atom], func: ast.expr) -> bool:
        if any(isinstance(atom, Ext) and atom.name in ("builtins.print", "pprint.pprint") for atom in callee):
            return True
        owner = func.value if isinstance(func, ast.Attribute) else None
        return isinstance(owner, ast.Name) and owner.id in ("logger", "logging", "warnings", "log")

    def _keyed(self, node: ast.Call, name: str, receivers: set[Atom], args: Arguments) -> set[Atom] | None:
        """``config.get("a")``, ``config.items()``, ``list.append(x)``"""
        simple = {atom for atom in receivers if _is_mapping(atom)}
        if name in KEY_METHODS and simple and node.args:
            keys = self.keys_of(node.args[0])
            self.line = node.lineno
            found = {item for atom in simple for item in self._at(atom, keys)}
            for value in (*args.positional[1:], *args.named.values()):
                found |= value
            others = receivers - simple
            return found | (self._called(node, self.load(others, name), others, args) if others else set())
        if name in _WHOLE and simple:
            self.whole(atom for atom in simple if isinstance(atom, Node))
            return simple
        if name in _ADDING and receivers and not any(isinstance(atom, Obj | Cls) for atom in receivers):
            assert isinstance(node.func, ast.Attribute)
            self._added(node.func.value, receivers, args)
            return set()
        if name == "copy" and simple:
            return simple
        held: set[Atom] = {
            atom
            for atom in receivers
            if isinstance(atom, Fun) or (isinstance(atom, Cls) and not atom.klass.method(name))
        }
        return set(held) if held and name in _WHOLE | {"get", "copy"} else None

    def _added(self, owner: ast.expr, receivers: set[Atom], args: Arguments) -> None:
        boxes = [atom for atom in receivers if isinstance(atom, Box)]
        for box in boxes:
            for name, value in args.named.items():
                self.flow.put(box, name, value)
            for value in args.positional:
                inner = {atom for atom in value if isinstance(atom, Box | Node)}
                self.flow.put(box, SPREAD, inner - {box})
                self.flow.put(box, ANY, value - {box})
        if not boxes:
            self.gather(owner, args.all())

    def _called(self, node: ast.Call, callee: set[Atom], receivers: set[Atom], args: Arguments) -> set[Atom]:
        found: set[Atom] = set()
        of_config = bool(receivers) and all(
            isinstance(atom, Node | Obj) and _is_mapping(atom) for atom in receivers
        )
        for atom in callee:
            if not (of_config and isinstance(atom, Loose)):
                found |= self.call(atom, args)
        if not callee and isinstance(node.func, ast.Attribute):
            if node.func.attr not in KEY_METHODS | _WHOLE | _ADDING:
                found |= self.namesakes(node.func.attr, args)
            if node.func.attr in ("remote", "options"):
                return found | receivers
            if any(isinstance(atom, Loose) for atom in receivers):
                found.add(Loose(""))
            elif node.func.attr not in self.flow.program.named and not receivers:
                self.whole(args.all())
        return found

    def _special(self, node: ast.Call) -> set[Atom] | None:
        """Calls that read or write an attribute whose name is an argument."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("getattr", "hasattr") and len(node.args) >= 2:
            value = self._owner_of(node.args[0])
            keys = self.keys_of(node.args[1])
            self.line = node.lineno
            found = {item for key in keys for item in self.load(value, key)}
            if not keys:
                self.whole(atom for atom in value if isinstance(atom, Node))
                found = {item for atom in value for item in self.elements(atom)}
            return (found if name == "getattr" else set()) | self.ev(
                node.args[2] if len(node.args) > 2 else None
            )
        if name in ("fields", "vars") and len(node.args) == 1:
            value = self._owner_of(node.args[0])
            self.line = node.lineno
            self.whole(value)
            return set()
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            return self._special_method(node, f"{node.func.value.id}.{node.func.attr}")
        if name == "setattr" and len(node.args) == 3:
            self._set(node.args)
            return set()
        if name == "super":
            return self._super()
        return None

    def _special_method(self, node: ast.Call, name: str) -> set[Atom] | None:
        if name == "object.__setattr__" and len(node.args) == 3:
            self._set(node.args)
            return set()
        if name == "OmegaConf.select" and len(node.args) >= 2:
            found = self._owner_of(node.args[0])
            self.line = node.lineno
            for key in self.keys_of(node.args[1]):
                for part in key.split("."):
                    found = {item for atom in found for item in self.key(atom, part)}
            return found
        if name == "OmegaConf.update" and len(node.args) >= 3:
            self.ev(node.args[2])
            return set()
        return None

    def _set(self, args: list[ast.expr]) -> None:
        name = args[1].value if isinstance(args[1], ast.Constant) else None
        if isinstance(name, str):
            self.assign(
                ast.Attribute(args[0], name, ast.Store(), lineno=args[0].lineno, col_offset=0), args[2]
            )
        else:
            self.ev(args[0])
            self.ev(args[2])

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """``target = value``"""
        raise NotImplementedError

    def _super(self) -> set[Atom]:
        fn = self.fn
        while isinstance(fn, Fn) and fn.klass is None and fn.parent is not None:
            fn = fn.parent
        if isinstance(fn, Code) or fn.klass is None:
            return set()
        return {Parent(base, self.ctx or Obj(fn.klass)) for base in fn.klass.bases}


def _is_self(func: ast.expr) -> bool:
    """``self.method``"""
    return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "self"


def _is_mapping(atom: Atom) -> bool:
    """Config nodes and dicts, and instances of config classes, which act as one."""
    return isinstance(atom, Node | Loose | Box) or (isinstance(atom, Obj) and atom.klass.is_dataclass)
