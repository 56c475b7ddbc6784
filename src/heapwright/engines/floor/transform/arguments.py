"""The arguments of main: an array of strings with a null behind them.

As long as nothing has written it, its elements before the last are strings and the last is null. So a loop that stops
at the number of arguments, or at null, stays in the array:

    for (p = argv; *p; p++) ...    # *p is not null: p is at most the last element but one

Other memory of the environment may lead to the array, so that writes to one may be to the other.
"""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.blocks import ARGUMENTS, Block
from heapwright.engines.floor.domain.differences import count_of, index_of
from heapwright.engines.floor.domain.intervals import Interval
from heapwright.engines.floor.domain.layouts import OF_ENVIRONMENT, stride
from heapwright.engines.floor.domain.pointers import ENVIRONMENT, NULL, ZERO, Key, Pointer, recent
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.transform.access import Memory
from heapwright.engines.floor.transform.arithmetic import Linear, evaluate, linear
from heapwright.program.commands import AnyPointer, Assert, Assume, LoadCell
from heapwright.program.dataflow.liveness import defined
from heapwright.program.expressions import Expr, Null, PointerCompare, Var
from heapwright.program.expressions import Pointer as PointerOperand
from heapwright.program.graph import Program

LARGEST = 1 << 31


class Arguments:
    def __init__(self, program: Program, memory: Memory) -> None:
        self.program = program
        self.memory = memory
        self.tested = _tested_loads(program)

    def begin(self, state: State, site: int, command: AnyPointer) -> None:
        """target = an array of as many strings as the count says, and a null."""
        key, type = recent(site), self.program.types[command.type]
        number = state.value(command.count)
        count = intervals.meet((number[0] + 1, number[1] + 1), (1, LARGEST)) or (1, LARGEST)
        step = stride(type)
        size = (count[0] * step, count[1] * step)
        state.blocks[key] = Block(type.name, count, size, ARGUMENTS, fits=True, exact=True)
        state.differences.add(count_of(key), command.count, 1)
        state.differences.add(command.count, count_of(key), -1)
        path, at = self.memory.layouts.first(type.name, ())
        state.differences.forget(index_of(command.target))
        state.same_blocks.drop_variable(command.target)
        self.memory.extents.forget(state, command.target)
        state.forget_terminator(command.target)
        state.pointers[command.target] = Pointer(0, {(key, path): at})

    def measure(self, state: State, base: str) -> None:
        """What is known of the number of strings by now is known of the length of the array."""
        key = self.memory.pointer(state, base).only()
        if key is None or key not in self.memory.arguments:
            return
        block = state.blocks[key]
        below = state.differences.above.get(count_of(key), {})
        low = max((state.value(term)[0] - bound for term, bound in below.items()), default=0)
        length = intervals.meet(block.length, (low, LARGEST))
        if length is not None:
            state.blocks[key] = block._replace(length=length)

    def load(self, state: State, command: LoadCell) -> Pointer | None:
        """The element that a command loads, if nothing has written the array."""
        found = self._element(state, command.base, command.index)
        if found is None:
            return None
        key, total, form = found
        target = self.program.variables[command.target].target
        path, at = self.memory.layouts.first("", (f"{OF_ENVIRONMENT}{target}",))
        before = total[1] < state.blocks[key].length[0] - 1
        if not before and form is not None and form[0] is not None:
            before = state.bound(form[0], count_of(key)) + form[1] < -1
        return Pointer(0 if before else NULL, {(ENVIRONMENT, path): at})

    def assume(self, state: State, op: str, left: PointerOperand, right: PointerOperand) -> None:
        """Where an element is null, or is not, its index is the last, or before."""
        tests = op in ("==", "!=") and isinstance(right, Null)
        name = left.name if isinstance(left, Var) and tests else ""
        command = self.tested.get(name)
        found = self._element(state, command.base, command.index) if command is not None else None
        if found is None:
            return
        key, total, form = found
        behind = 1 if op == "==" else 2  # the index is at most the length less this
        if form is not None and form[0] is not None:
            state.differences.add(form[0], count_of(key), -behind - form[1])
            if op == "==":
                state.differences.add(count_of(key), form[0], 1 + form[1])
            if isinstance(form[0], str):
                last = (-intervals.FAR, state.blocks[key].length[1] - behind - form[1])
                known = state.value(form[0])
                state.numbers[form[0]] = intervals.meet(known, last) or known
        block = state.blocks[key]
        length = intervals.meet(block.length, (total[0] + behind, LARGEST))
        if length is not None:
            state.blocks[key] = block._replace(length=length)

    def _element(self, state: State, base: str, index: Expr) -> tuple[Key, Interval, Linear | None] | None:
        """The array that an element is in, and its index, if nothing has written the array."""
        pointer = self.memory.pointer(state, base)
        if pointer.unknown or pointer.flags or len(pointer.targets) != 1:
            return None
        ((key, path), (_, inner)), *_ = pointer.targets.items()
        if key not in self.memory.arguments or path != ():
            return None
        block = state.blocks[key]
        if block.initial != ARGUMENTS or block.cells:
            return None
        number = evaluate(state, index)
        form: Linear | None = linear(state, index)
        if inner != ZERO:
            form = (index_of(base), number[0]) if number[0] == number[1] else None
        return key, intervals.clamped(intervals.plus(inner, number)), form


def _tested_loads(program: Program) -> dict[str, LoadCell]:
    """Loads into variables that are compared right behind them alone, by the variable."""
    graph = program.graph
    loads: dict[str, tuple[int, LoadCell]] = {}
    others: set[str] = set()
    for edge in graph.edges:
        command = edge.command
        name = defined(command) or ""
        alone = len(graph.predecessors[edge.target]) == 1 and edge.target != graph.entry
        if isinstance(command, LoadCell) and name not in loads and command.base != name and alone:
            loads[name] = edge.target, command
        else:
            others.add(name)
    for edge in graph.edges:
        match edge.command:
            case Assume(PointerCompare(_, one, two)) | Assert(PointerCompare(_, one, two)):
                compared = (operand.name for operand in (one, two) if isinstance(operand, Var))
                others |= {name for name in compared if name in loads and loads[name][0] != edge.source}
    return {name: command for name, (_, command) in loads.items() if name not in others}
