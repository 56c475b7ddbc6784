"""Boolean functions as binary decision diagrams.

The order of variables decides the size of a diagram: flags that belong to the same node of the heap get neighbouring
places. `home` says to what a flag belongs; each home gets blocks of places as it needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from oxidd.bdd import BDDFunction, BDDManager
from oxidd.util import DDMemoryError

from heapwright.base.errors import LimitReached
from heapwright.engines.fesa.numeric.api import Flag, Sizes
from heapwright.engines.fesa.numeric.serialization import Diagram

BLOCK = 16
NODES = 1 << 22
CACHE = 1 << 15


class Diagrams:
    """A domain of its own for each analysis: diagrams of different ones have nothing in common."""

    def __init__(self, home: Callable[[Flag], object] = lambda flag: None, *, nodes: int = NODES) -> None:
        self.manager = BDDManager(nodes, CACHE, 1)
        self.home = home
        self.numbers: dict[Flag, int] = {}
        self.flags: dict[int, Flag] = {}
        self.free: dict[object, list[int]] = {}
        self.sizes = Sizes()

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

    def literal(self, flag: Flag, value: bool = True) -> BDDFunction:
        number = self._number(flag)
        return self.manager.var(number) if value else self.manager.not_var(number)

    def meet(self, left: BDDFunction, right: BDDFunction) -> BDDFunction:
        try:
            return left & right
        except DDMemoryError:
            raise _too_large() from None

    def join(self, left: BDDFunction, right: BDDFunction) -> BDDFunction:
        try:
            return left | right
        except DDMemoryError:
            raise _too_large() from None

    def drop(self, function: BDDFunction, flags: Iterable[Flag]) -> BDDFunction:
        self.sizes.add(self.size(function))
        cube = self.manager.true()
        for number in sorted(self._numbers(flags), reverse=True):
            cube = self.manager.var(number) & cube
        try:
            return function.exists(cube)
        except DDMemoryError:
            raise _too_large() from None

    def rename(self, function: BDDFunction, names: Mapping[Flag, Flag]) -> BDDFunction:
        moved = [(self._number(old), self._number(new)) for old, new in names.items() if old != new]
        if not moved:
            return function
        substitution = BDDFunction.make_substitution([(old, self.manager.var(new)) for old, new in moved])
        try:
            return function.substitute(substitution)
        except DDMemoryError:
            raise _too_large() from None

    def leq(self, left: BDDFunction, right: BDDFunction) -> bool:
        return bool(left.imp(right).valid())

    def is_bottom(self, function: BDDFunction) -> bool:
        return not function.satisfiable()

    def values(self, function: BDDFunction, flag: Flag) -> tuple[bool, bool]:
        number = self._number(flag)
        zero = (function & self.manager.not_var(number)).satisfiable()
        return zero, (function & self.manager.var(number)).satisfiable()

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

    def written(self, function: BDDFunction) -> Diagram:
        """Children before parents; the numbers of nodes do not depend on where they are in memory."""
        places: dict[BDDFunction, int] = {self.manager.false(): 0, self.manager.true(): 1}
        nodes: list[tuple[Flag, int, int]] = []
        waiting = [function]
        while waiting:
            at = waiting[-1]
            children = None if at in places else at.cofactors()
            if children is None:
                waiting.pop()
                continue
            high, low = children
            missing = [one for one in (low, high) if one not in places]
            if missing:
                waiting += missing
                continue
            number = at.node_var()
            assert number is not None
            nodes.append((self.flags[number], places[low], places[high]))
            places[at] = len(nodes) + 1
            waiting.pop()
        return Diagram(tuple(nodes), places[function])


def _too_large() -> LimitReached:
    return LimitReached("the Boolean function grew beyond what its decision diagram may hold")
