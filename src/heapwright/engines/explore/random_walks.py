"""Random walks: some long runs beside the search, which reaches them too late.

A word that is too long for its buffer lies behind a choice per character, the seventeenth record of a file behind
hundreds: a search that takes every way does not come that far. In a walk each place where runs divide has a favourite
way, taken with a likelihood that is the same for the whole walk, so that some walks read long words and many records
(swarm testing: Groce, Zhang, Eide, Chen and Regehr, ISSTA 2012). In every other walk characters that are read make up
words and numbers. Walks only find violations; they say nothing of what they do not find. The same program has the same
walks.

    walks = RandomWalks(program, goal, limits, machine, state)     # from a state in which a choice is made
    for state, fault in walks.next_ones(expanded): ...
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase, digits, punctuation

from heapwright.engines.api import Limits
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.state import Bounds, ChoicePoint, Fault, Range, State, Stop
from heapwright.program.trace import Ending

FIRST = 1_000  # walks begin when the search has expanded so many states, or ends earlier
FEWEST, MOST = 2_500, 10_000  # there are as many walks as for so many states, if these are fewer or more
GROWTH = 4  # and are repeated when it has expanded so many times more
STEPS_PER_STATE = 120  # of all walks, for each state that the search has expanded
MOST_BLOCKED = 100  # times that a walk makes its last choice again, after an assumption did not hold
SHORTEST = 200  # steps that a shorter walk counts as
LEAST = 32  # walks each time, if all are as long as they may be
COPIED = 8  # parts of a state whose copies count as a step
MOST_SPLITS = 100_000  # comparisons that narrow one symbolic input
LIKELY = (0.5, 0.8, 0.9, 0.97, 1.0)  # how likely it is that a favourite way is taken
EXTREME = 0.7  # how likely it is that the favourite is the way that leaves an input the most (or least) values
OF_THE_PROGRAM = 0.5  # how likely it is that a number that is needed is one of the program's
SAME_KIND = 0.75  # how likely it is that a character is of the kind of the one before it
COMPARED = 0.12  # how likely it is that it is one that the program compares it with
KINDS = (ascii_lowercase, digits, ascii_uppercase, " ", "\n", punctuation)


class RandomWalks:
    """Walks of one search, whose machine is `like`, within the bounds that were asked for; they begin in `first`."""

    def __init__(self, program: Program, goal: Goal, limits: Limits, like: Machine, first: State) -> None:
        bounds = Bounds(limits.objects, limits.input_objects, limits.values, splits=MOST_SPLITS)
        self.machine = Machine(program, goal, bounds, like.also_read, leak_checks=like.leak_checks, like=like)
        self.first = first
        known = {value for values in self.machine.context.constants.values() for value in values}
        self.constants = sorted({value + near for value in known for near in (-1, 0, 1)})
        self.most_steps = limits.steps
        self.due = FIRST
        self.taken = 0

    def are_due(self, expanded: int) -> bool:
        return expanded >= self.due

    def next_ones(self, expanded: int) -> Iterator[tuple[State, Fault | None]]:
        """The last states of the next walks, with what failed."""
        self.due = GROWTH * max(expanded, FEWEST)
        left = STEPS_PER_STATE * min(max(expanded, FEWEST), MOST)
        longest = left // LEAST
        while left > 0:
            ways = (_Text if self.taken % 2 else _Ways)(self.taken, self.constants)
            state, fault, copied = self._walk(ways, longest)
            self.taken += 1
            left -= max(state.steps - self.first.steps + copied, SHORTEST)
            yield state, fault

    def _walk(self, ways: _Ways, longest: int) -> tuple[State, Fault | None, int]:
        """The end of a walk, what failed, and the steps for which its copies count."""
        state = self.first.copy()
        state.context = self.machine.context
        before = state
        blocked = copied = 0
        while True:
            bound = self.first.steps + longest - copied
            if self.most_steps is not None:
                bound = min(bound, self.most_steps)
            try:
                state.location = self.machine.steps[state.location](state)
                state.steps += 1
                state.answers, state.asked = (), 0
                self.machine.execute(state, bound)
                return state, None, copied
            except ChoicePoint as fork:
                state.asked = 0
                state.decisions += 1
                if fork.refinements:
                    before = state.copy()
                    copied += (len(state.objects) + len(state.blocks) + len(state.symbols)) // COPIED
                ways.decide(state, fork)
            except Stop as stop:
                blocked += 1
                if stop.ending is not Ending.BLOCKED or before is state or blocked > MOST_BLOCKED:
                    return state, None, copied
                state = before.copy()
            except Fault as fault:
                return state, fault, copied


class _Ways:
    """The choices of a walk; `constants` are numbers of the program, and those beside them."""

    def __init__(self, seed: int, constants: list[int]) -> None:
        self.draw = random.Random(seed)
        self.constants = constants
        self.likely = self.draw.choice(LIKELY)
        self.extreme = self.draw.choice((max, max, min))
        self.favourites: dict[tuple[int, int], int] = {}  # by location and the number of ways

    def decide(self, state: State, fork: ChoicePoint) -> None:
        if self._is_any_number(fork) and self.draw.random() < OF_THE_PROGRAM:
            symbol, one = fork.refinements[0]
            known = state.symbols[symbol]
            possible = [value for value in self.constants if known.low <= value <= known.high]
            if possible:
                value = self.draw.choice(possible)
                state.symbols[symbol] = one._replace(low=value, high=value)
                return
        place = (state.location, fork.count)
        if place not in self.favourites:
            self.favourites[place] = self._favourite(fork)
        favourite = self.draw.random() < self.likely
        fork.decide(state, self.favourites[place] if favourite else self.draw.randrange(fork.count))

    def _is_any_number(self, fork: ChoicePoint) -> bool:
        """Whether an input gets a value, of which only some are tried."""
        return len(fork.refinements) > 2 and all(one.low == one.high for _, one in fork.refinements)

    def _favourite(self, fork: ChoicePoint) -> int:
        """A way, most often the one behind which an input may have the most values, as where a character differs from a
        certain one; in some walks the least, as where a file begins with certain bytes."""
        if fork.refinements and self.draw.random() < EXTREME:
            return self.extreme(range(fork.count), key=lambda way: _size(fork.refinements[way][1]))
        return self.draw.randrange(fork.count)


class _Text(_Ways):
    """Choices by which characters are words and numbers, or what the program compares them with."""

    kind = ascii_lowercase

    def decide(self, state: State, fork: ChoicePoint) -> None:
        for symbol, refined in fork.refinements:
            request = refined.request
            if request is None or request.low < -128 or not 127 <= request.high <= 255:
                break
            if self.draw.random() >= SAME_KIND:
                self.kind = self.draw.choice(KINDS)
            value = self._character([value for value in request.constants if 0 < value < 128])
            for _, range in fork.refinements:
                if range.low <= value <= range.high and value not in range.excluded:
                    state.symbols[symbol] = range._replace(low=value, high=value, excluded=frozenset())
                    return
            break
        super().decide(state, fork)

    def _character(self, constants: list[int]) -> int:
        if constants and self.draw.random() < COMPARED:
            return self.draw.choice(constants)
        return ord(self.draw.choice(self.kind))


def _size(range: Range) -> int:
    return range.high - range.low
