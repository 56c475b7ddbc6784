"""Boolean functions as binary decision diagrams.

The order of variables decides the size of a diagram: flags that belong to the same node of the heap get neighbouring
levels. `home` says to what a flag belongs; each home gets blocks of levels as it needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import wraps
from typing import ParamSpec, TypeVar

from oxidd.bdd import BDDFunction, BDDManager
from oxidd.util import DDMemoryError

from heapwright.base.errors import LimitReached
from heapwright.engines.fesa.numeric.api import Flag, Sizes
from heapwright.engines.fesa.numeric.serialization import Diagram

BLOCK = 16
NODES = 1 << 22
CACHE = 1 << 15

P = ParamSpec("P")
T = TypeVar("T")


def _limited(operation: Callable[P, T]) -> Callable[P, T]:
    """Any operation may need room in the table."""

    @wraps(operation)
    def limited(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return operation(*args, **kwargs)
        except DDMemoryError:
            text = "the Boolean function grew beyond what its decision diagram may hold"
            raise LimitReached(text) from None

    return limited


class Diagrams:
    """Diagrams of several analyses are in one table, which takes a gigabyte of addresses."""

    def __init__(self, home: Callable[[Flag], object] = lambda flag: None, *, nodes: int = NODES) -> None:
        self.manager = BDDManager(nodes, CACHE, 1)
        self.home = home
        self.numbers: dict[Flag, int] = {}
        self.flags: dict[int, Flag] = {}
        self.free: dict[object, list[int]] = {}
        self.sizes = Sizes()

    def fresh(self) -> Diagrams:
        other = copy(self)
        other.sizes = Sizes()
        return other

    def _number(self, flag: Flag) -> int:
        number = self.numbers.get(flag)
        if number is None:
            home = self.home(flag)
            free = self.free.setdefault(home, [])
            if not free:
                free.extend(reversed(self.manager.add_vars(BLOCK)))
            number = self.numbers[flag] = free.pop()
            self.flags[number] = flag
        return number

    def _numbers(self, flags: Iterable[Flag]) -> dict[int, Flag]:
        """Flags may come from a set: new ones are numbered in their own order, whatever their hashes are."""
        named = list(flags)
        for flag in sorted(flag for flag in named if flag not in self.numbers):
            self._number(flag)
        return {self.numbers[flag]: flag for flag in named}

    def top(self) -> BDDFunction:
        return self.manager.true()

    def bottom(self) -> BDDFunction:
        return self.manager.false()

    @_limited
    def literal(self, flag: Flag, value: bool = True) -> BDDFunction:
        number = self._number(flag)
        return self.manager.var(number) if value else self.manager.not_var(number)

    @_limited
    def meet(self, left: BDDFunction, right: BDDFunction) -> BDDFunction:
        return left & right

    @_limited
    def join(self, left: BDDFunction, right: BDDFunction) -> BDDFunction:
        return left | right

    @_limited
    def drop(self, function: BDDFunction, flags: Iterable[Flag]) -> BDDFunction:
        self.sizes.add(self.size(function))
        cube = self.manager.true()
        for number in sorted(self._numbers(flags), reverse=True):
            cube = self.manager.var(number) & cube
        return function.exists(cube)

    @_limited
    def rename(self, function: BDDFunction, names: Mapping[Flag, Flag]) -> BDDFunction:
        moved = [(self._number(old), self._number(new)) for old, new in names.items() if old != new]
        if not moved:
            return function
        substitution = BDDFunction.make_substitution([(old, self.manager.var(new)) for old, new in moved])
        return function.substitute(substitution)

    @_limited
    def leq(self, left: BDDFunction, right: BDDFunction) -> bool:
        return bool(left.imp(right).valid())

    @_limited
    def is_bottom(self, function: BDDFunction) -> bool:
        return not function.satisfiable()

    @_limited
    def values(self, function: BDDFunction, flag: Flag) -> tuple[bool, bool]:
        number = self._number(flag)
        zero = (function & self.manager.not_var(number)).satisfiable()
        return zero, (function & self.manager.var(number)).satisfiable()

    @_limited
    def possible(self, function: BDDFunction, flags: Iterable[Flag]) -> set[Flag]:
        """One vector after the other is picked, each with a flag that was 0 in those before."""
        found: set[Flag] = set()
        left = self._numbers(flags)
        while left:
            numbers = sorted(left, reverse=True)
            some = self.manager.false()
            for number in numbers:
                some = self.manager.var(number) | some
            vector = (function & some).pick_cube()
            if vector is None:
                break
            # Where either value will do, the flag may be 1.
            found |= {left.pop(number) for number in numbers if vector[number] is not False}
        return found

    def size(self, function: BDDFunction) -> tuple[int, int]:
        return len(self.numbers), function.node_count()

    def serialize(self, function: BDDFunction) -> Diagram:
        """Children before parents; the numbers of nodes do not depend on where they are in memory."""
        numbers: dict[BDDFunction, int] = {self.manager.false(): 0, self.manager.true(): 1}
        nodes: list[tuple[Flag, int, int]] = []
        waiting = [function]
        while waiting:
            at = waiting[-1]
            children = None if at in numbers else at.cofactors()
            if children is None:
                waiting.pop()
                continue
            high, low = children
            missing = [one for one in (low, high) if one not in numbers]
            if missing:
                waiting += missing
                continue
            number = at.node_var()
            assert number is not None
            nodes.append((self.flags[number], numbers[low], numbers[high]))
            numbers[at] = len(nodes) + 1
            waiting.pop()
        return Diagram(tuple(nodes), numbers[function])
