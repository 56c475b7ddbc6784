"""Boolean heaps as reduced ordered decision diagrams, for the comparison in bench/boolheaps.py.

A predicate has two variables: that it holds, and that it does not. A ternary vector is the conjunction of what it says,
and a heap the disjunction of its vectors: a monotone function, whose prime implicants are the vectors that say no more
than another one. So the diagram of a heap is as unique as its set of vectors, inclusion is implication, and an analysis
comes to the same heaps whichever stores them.

    Diagrams("oxidd").of(vectors).covers(other)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from heapwright.engines.boolheap.domain.vectors import Vector, bits

Function = Any  # of whichever package


class Package(Protocol):
    """What diagrams are made of; functions are compared with == and hashed by what they are."""

    def variable(self, number: int) -> Function: ...

    def false(self) -> Function: ...

    def true(self) -> Function: ...

    def implies(self, one: Function, other: Function) -> bool: ...

    def without(self, function: Function, number: int) -> Function:
        """As it is where the variable is false."""

    def given(self, function: Function, number: int) -> Function:
        """As it is where the variable is true."""

    def branches(self, function: Function) -> tuple[int, Function, Function] | None:
        """The first variable, and the function where it is false and where it is true; None if it is constant."""

    def nodes(self, function: Function) -> int: ...


class OxiDD:
    """The package that engines use elsewhere, in Rust."""

    def __init__(self) -> None:
        from oxidd.bdd import BDDManager

        self.manager = BDDManager(1 << 20, 1 << 15, 1)
        self.variables: list[Function] = []

    def variable(self, number: int) -> Function:
        while len(self.variables) <= number:
            self.variables += [self.manager.var(one) for one in self.manager.add_vars(16)]
        return self.variables[number]

    def false(self) -> Function:
        return self.manager.false()

    def true(self) -> Function:
        return self.manager.true()

    def implies(self, one: Function, other: Function) -> bool:
        return bool(one.imp(other).valid())

    def without(self, function: Function, number: int) -> Function:
        return function.forall(self.variable(number))  # monotone

    def given(self, function: Function, number: int) -> Function:
        return function.exists(self.variable(number))

    def branches(self, function: Function) -> tuple[int, Function, Function] | None:
        number = function.node_var()
        if number is None:
            return None
        high, low = function.cofactors()
        return number, low, high

    def nodes(self, function: Function) -> int:
        return int(function.node_count())


class DD:
    """The package dd: `cudd`, in C, or `autoref`, in Python."""

    def __init__(self, module: str) -> None:
        import importlib

        self.manager = importlib.import_module(f"dd.{module}").BDD()
        self.count = 0

    def variable(self, number: int) -> Function:
        return self.manager.var(self._name(number))

    def _name(self, number: int) -> str:
        while self.count <= number:
            self.manager.add_var(f"p{self.count}")
            self.count += 1
        return f"p{number}"

    def false(self) -> Function:
        return self.manager.false

    def true(self) -> Function:
        return self.manager.true

    def implies(self, one: Function, other: Function) -> bool:
        return bool(one <= other)

    def without(self, function: Function, number: int) -> Function:
        return self.manager.let({self._name(number): False}, function)

    def given(self, function: Function, number: int) -> Function:
        return self.manager.let({self._name(number): True}, function)

    def branches(self, function: Function) -> tuple[int, Function, Function] | None:
        if function.var is None:
            return None
        _, low, high = self.manager.succ(function)
        if function.negated:
            low, high = ~low, ~high
        return int(function.var[1:]), low, high

    def nodes(self, function: Function) -> int:
        return len(function)


PACKAGES = ("oxidd", "cudd", "autoref")


class Diagrams:
    """All diagrams of one analysis."""

    def __init__(self, package: str) -> None:
        self.package: Package = OxiDD() if package == "oxidd" else DD(package)
        self._cubes: dict[Vector, Function] = {}
        self._primes: dict[Function, tuple[Vector, ...]] = {}

    def of(self, vectors: Iterable[Vector]) -> Diagram:
        function = self.package.false()
        for one in vectors:
            function = function | self._cube(one)
        return Diagram(self, function)

    def short(self, vectors: Iterable[Vector]) -> Function:
        """The heap with one variable for each predicate: what vectors leave open is lost among what they say."""
        function = self.package.false()
        for one in vectors:
            cube = self.package.true()
            for place in reversed(range((one.ones | one.zeros).bit_length())):
                if (one.ones | one.zeros) >> place & 1:
                    literal = self.package.variable(place)
                    cube = (literal if one.ones >> place & 1 else ~literal) & cube
            function = function | cube
        return function

    def shared(self, functions: Iterable[Function]) -> int:
        """How many nodes some diagrams have together."""
        seen: set[Function] = set()
        waiting = list(functions)
        while waiting:
            function = waiting.pop()
            branches = self.package.branches(function)
            if function not in seen and branches is not None:
                seen.add(function)
                waiting += branches[1:]
        return len(seen)

    def _cube(self, vector: Vector) -> Function:
        found = self._cubes.get(vector)
        if found is None:
            found = self.package.true()
            for place in reversed(range((vector.ones | vector.zeros).bit_length())):
                if vector.zeros >> place & 1:
                    found = self.package.variable(2 * place + 1) & found
                if vector.ones >> place & 1:
                    found = self.package.variable(2 * place) & found
            self._cubes[vector] = found
        return found

    def primes(self, function: Function) -> tuple[Vector, ...]:
        """The vectors of a heap: its prime implicants. Those that need a variable are not implied without it."""
        found = self._primes.get(function)
        if found is None:
            branches = self.package.branches(function)
            if branches is None:
                found = (Vector(0, 0),) if function == self.package.true() else ()
            else:
                number, low, high = branches
                without = self.primes(low)
                needing = [one for one in self.primes(high) if not any(one.within(other) for other in without)]
                bit, holds = 1 << number // 2, number % 2 == 0
                found = (*without, *(one.having(bit, holds) for one in needing))
            self._primes[function] = found
        return found


class Diagram:
    """One heap."""

    __slots__ = ("diagrams", "function")

    def __init__(self, diagrams: Diagrams, function: Function) -> None:
        self.diagrams, self.function = diagrams, function

    def __iter__(self) -> Iterator[Vector]:
        return iter(self.diagrams.primes(self.function))

    def __len__(self) -> int:
        return len(self.diagrams.primes(self.function))

    def __hash__(self) -> int:
        return hash(self.function)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Diagram) and bool(self.function == other.function)

    def of(self, vectors: Iterable[Vector]) -> Diagram:
        return self.diagrams.of(vectors)

    def covers(self, smaller: Diagram) -> bool:
        return self.diagrams.package.implies(smaller.function, self.function)

    def joined(self, other: Diagram) -> Diagram:
        return Diagram(self.diagrams, self.function | other.function)

    def split(self, unique: int, closed: int) -> Iterable[Diagram]:
        heaps = [self]
        for bit in bits(closed):
            heaps = [half for one in heaps for half in (one._agreeing(bit, 0), one._agreeing(bit, 1)) if half]
        for bit in bits(unique):
            heaps = [part for one in heaps for part in one._with_one(bit, unique)]
        return dict.fromkeys(heaps)

    def _agreeing(self, bit: int, which: int) -> Diagram:
        """The vectors that do not say the contrary, now saying that the predicate holds (0) or does not (1)."""
        package, place = self.diagrams.package, bit.bit_length() - 1
        says, contrary = 2 * place + which, 2 * place + 1 - which
        left = package.given(package.without(self.function, contrary), says)
        return Diagram(self.diagrams, left & package.variable(says))

    def _with_one(self, bit: int, unique: int) -> Iterator[Diagram]:
        rest = self._agreeing(bit, 1).function
        for chosen in sorted(self):
            if not chosen.zeros & bit:
                has = self.diagrams._cube(chosen.having(bit, True))
                if chosen.ones & unique:
                    others = self.of(one for one in self if one != chosen)
                    yield Diagram(self.diagrams, others._agreeing(bit, 1).function | has)
                else:
                    yield Diagram(self.diagrams, rest | has)
