"""Random functions over linked objects, the subjects of `infer`: the same kind and seed give the same function.

Statements are assignments, loads, stores, frees, allocations, tests, loops, and shapes that are assumed or asserted.
Most dereferences are guarded, so that something is left to be found out.

>>> random_function("circles", 7).startswith("#include <assert.h>")
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

HEAD = '#include <assert.h>\n#include <stdlib.h>\n#include "heapwright.h"\n'
ALLOCATING, FREEING = 0.25, 0.3  # of the functions


@dataclass(frozen=True, slots=True)
class Field:
    owner: str
    name: str
    target: str


@dataclass(frozen=True, slots=True)
class Kind:
    """The objects of a kind of functions: types in C, their pointer fields, and the inputs and other variables of each
    type. `cycles`: inputs may be cyclic, and functions only read."""

    types: str
    fields: tuple[Field, ...]
    inputs: tuple[tuple[str, str], ...]
    locals: tuple[tuple[str, str], ...]
    cycles: bool = False

    def ring(self, owner: str) -> list[Field]:
        """The fields that lead to the type that has them."""
        return [field for field in self.fields if field.owner == field.target == owner]


_NODE = "struct node { int data; struct node *n; };"
_N = (Field("node", "n", "node"),)
_DLL = "struct node { int data; struct node *next, *prev; };"
_TREE = "struct node { int data; struct node *l, *r; };"
_HEADS = "struct node { int data; struct node *n; };\nstruct head { int data; struct node *first, *last; };"
_HEAD_FIELDS = (*_N, Field("head", "first", "node"), Field("head", "last", "node"))
KINDS = {
    "list": Kind(_NODE, _N, (("node", "x"),), (("node", "t"), ("node", "u"))),
    "lists": Kind(_NODE, _N, (("node", "x"), ("node", "y")), (("node", "t"),)),
    "doubly": Kind(
        _DLL, (Field("node", "next", "node"), Field("node", "prev", "node")), (("node", "x"),), (("node", "t"),)
    ),
    "circles": Kind(_NODE, _N, (("node", "x"), ("node", "y")), (("node", "t"),), cycles=True),
    "trees": Kind(_TREE, (Field("node", "l", "node"), Field("node", "r", "node")), (("node", "x"),), (("node", "t"),)),
    "two trees": Kind(
        _TREE, (Field("node", "l", "node"), Field("node", "r", "node")), (("node", "x"), ("node", "y")), ()
    ),
    "heads": Kind(_HEADS, _HEAD_FIELDS, (("head", "q"), ("node", "x")), (("node", "t"),)),
}


def random_function(kind: str, seed: int) -> str:
    return _Function(KINDS[kind], Random(f"{kind} {seed}")).text()


class _Function:
    def __init__(self, kind: Kind, draw: Random) -> None:
        self.kind, self.draw = kind, draw
        self.allocates = not kind.cycles and draw.random() < ALLOCATING
        self.frees = not kind.cycles and draw.random() < FREEING
        self.variables = (*kind.inputs, *kind.locals)
        self.blocks = 0

    def text(self) -> str:
        parameters = ", ".join((*(f"struct {kind} *{name}" for kind, name in self.kind.inputs), "int k"))
        lines = [f"void f({parameters}) {{"]
        for kind, name in self.kind.locals:
            lines.append(f"    struct {kind} *{name} = {self._value(kind, self.kind.inputs)};")
        if self.draw.random() < 0.3:
            lines.append(f"    hw_assume({self._claim(self.kind.inputs)});")
        lines += self._block(2, 4, 1)
        if self.draw.random() < 0.5:
            lines.append(f"    assert({self._claim(self.variables)});")
        return HEAD + self.kind.types + "\n" + "\n".join([*lines, "}"]) + "\n"

    # --- statements ------------------------------------------------------------------------------------------------

    def _block(self, depth: int, most: int, indent: int) -> list[str]:
        found: list[str] = []
        for _ in range(self.draw.randint(1, most)):
            found += self._statement(depth, indent)
        return found

    def _statement(self, depth: int, indent: int) -> list[str]:
        lead, dice = "    " * indent, self.draw.random()
        if depth and dice < 0.18:
            other = [f"{lead}}} else {{", *self._block(depth - 1, 1, indent + 1)] if self.draw.random() < 0.4 else []
            inside = self._block(depth - 1, 2, indent + 1)
            return [f"{lead}if ({self._test()}) {{", *inside, *other, f"{lead}}}"]
        if depth and dice < 0.3:
            return self._loop(depth, indent)
        if dice < 0.34:
            return [f"{lead}hw_assume({self._claim(self.variables)});"]
        if dice < 0.37:
            return [f"{lead}assert({self._claim(self.variables)});"]
        if dice < 0.6:
            field, name = self._field(self.kind.fields)
            return [f"{lead}if ({name}) {self._variable(field.target)} = {name}->{field.name};"]
        return [lead + one for one in self._simple()]

    def _loop(self, depth: int, indent: int) -> list[str]:
        lead = "    " * indent
        field, name = self._field([one for one in self.kind.fields if one.owner == one.target])
        step = f"{name} = {name}->{field.name};"
        other = self._variable(field.owner)
        heads = [name, name, f"{name}->{field.name}", f"{name} != {other}", f"{name} && {name} != {other}"]
        heads += [f"{name} && {name}->{field.name} != {other}", f"{name} && k-- > 0", "k-- > 0"]
        body = self._block(depth - 1, 1, indent + 1) if self.draw.random() < 0.6 else []
        return [f"{lead}while ({self.draw.choice(heads)}) {{", *body, f"{lead}    {step}", f"{lead}}}"]

    def _simple(self) -> Sequence[str]:
        kinds: list[Callable[[], Sequence[str]]] = [self._copy, self._load, self._load, self._data]
        if not self.kind.cycles:
            kinds += [self._store, self._store, self._cut]
        kinds += [self._new] * self.allocates + [self._free] * self.frees
        return self.draw.choice(kinds)()

    def _copy(self) -> Sequence[str]:
        kind, name = self.draw.choice(self.variables)
        return [f"{name} = {self._value(kind, self.variables)};"]

    def _load(self) -> Sequence[str]:
        field, name = self._field(self.kind.fields)
        return [f"{self._variable(field.target)} = {name}->{field.name};"]

    def _data(self) -> Sequence[str]:
        _, name = self.draw.choice(self.variables)
        return [f"{name}->data = k;"]

    def _store(self) -> Sequence[str]:
        field, name = self._field(self.kind.fields)
        return [f"{name}->{field.name} = {self._value(field.target, self.variables)};"]

    def _cut(self) -> Sequence[str]:
        field, name = self._field(self.kind.fields)
        return [f"{name}->{field.name} = 0;"]

    def _new(self) -> Sequence[str]:
        """A block of which every field is written before it is linked."""
        kind, name = self.draw.choice(self.variables)
        new = f"e{self.blocks}"
        self.blocks += 1
        writes = [
            f"{new}->{one.name} = {self._value(one.target, self.variables)};"
            for one in self.kind.fields
            if one.owner == kind
        ]
        return [f"struct {kind} *{new} = malloc(sizeof *{new});", *writes, f"{name} = {new};"]

    def _free(self) -> Sequence[str]:
        return [f"free({self.draw.choice(self.variables)[1]});"]

    # --- conditions ------------------------------------------------------------------------------------------------

    def _test(self) -> str:
        if self.draw.random() < 0.2:
            return f"k > {self.draw.randint(0, 3)}"
        return self._literal(self.variables)

    def _claim(self, variables: Sequence[tuple[str, str]]) -> str:
        one = self._literal(variables)
        dice = self.draw.random()
        if dice < 0.2:
            return f"{one} || {self._literal(variables)}"
        return f"{one} && {self._literal(variables)}" if dice < 0.3 else one

    def _literal(self, variables: Sequence[tuple[str, str]]) -> str:
        kind, name = self.draw.choice(variables)
        other = self.draw.choice([one for of, one in variables if of == kind])
        sign = self.draw.choice(("", "!"))
        plain = [name, f"!{name}", f"{name} == {other}", f"{name} != {other}"]
        ring = self.kind.ring(kind)
        if not ring or self.draw.random() < 0.4:
            return self.draw.choice(plain)
        along = self.draw.choice(ring).name
        shapes = [f"hw_reach({name}, {other}, {along})", f"hw_disjoint({name}, {other}, {along})"]
        if self.kind.cycles:
            shapes += [f"hw_cyclic({name}, {along})", f"hw_acyclic({name}, {along})"]
        elif len(self.kind.inputs) == len(self.kind.ring("node")) == 1:
            shapes.append(f"hw_all_reachable({name}, {along})")
        if len(ring) > 1:
            shapes += [f"hw_tree({name}, {ring[0].name}, {ring[1].name})"]
            shapes += [f"hw_dll({name}, {ring[0].name}, {ring[1].name})"] * (ring[1].name == "prev")
        return sign + self.draw.choice(shapes)

    # --- names -----------------------------------------------------------------------------------------------------

    def _variable(self, kind: str) -> str:
        return self.draw.choice([name for of, name in self.variables if of == kind])

    def _value(self, kind: str, variables: Sequence[tuple[str, str]]) -> str:
        names = [name for of, name in variables if of == kind]
        return "0" if not names or self.draw.random() < 0.15 else self.draw.choice(names)

    def _field(self, fields: Sequence[Field]) -> tuple[Field, str]:
        """A field, and a variable whose object has it."""
        field = self.draw.choice(fields)
        return field, self._variable(field.owner)
