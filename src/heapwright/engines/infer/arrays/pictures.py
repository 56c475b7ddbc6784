"""What is shown of an answer over an array: inputs as pictures, the contract in C, and what the answer rests on."""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.engines.infer.arrays.claims import Clause, clause_in_c, clause_words, shown
from heapwright.engines.infer.arrays.reading import Task
from heapwright.engines.infer.arrays.store import Store
from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture


def array_picture(task: Task, store: Store) -> HeapPicture:
    """A store of inputs."""
    names = shown(task)
    cell = task.program.variables[task.array].target.removesuffix("[]")
    cells = tuple((str(index), str(value)) for index, value in enumerate(store.cells))
    nodes = () if store.null else (HeapNode(1, f"{cell}[{len(store.cells)}]", data=cells, count=len(store.cells)),)
    values = [(names.length, str(len(store.cells)))] if names.length is not None else []
    values += [(names.spots[spot], str(store.spots[spot])) for spot in task.spots]
    values += [(names.data[term], str(store.data[term])) for term in task.data]
    return HeapPicture(nodes, (HeapArrow(names.array, "", "null" if store.null else 1),), tuple(values))


def array_contract(task: Task, clauses: Sequence[Clause]) -> tuple[str, ...]:
    """What a caller promises, as assumptions at the beginning of the function."""
    names, lines = shown(task), list[str]()
    if names.length is not None:
        lines.append(f"/* {names.length} is the number of cells of {names.array} */")
    for clause in clauses:
        text = clause_in_c(clause, names)
        if text is not None:
            lines.append(f"hw_assume({text});")
        elif clause:
            lines.append(f"/* C has no expression for: {clause_words(clause, names)} */")
        else:
            lines.append("hw_assume(0); /* no input is known to be safe */")
    return tuple(lines)


def array_assumptions(task: Task) -> tuple[str, ...]:
    names = shown(task)
    found = [
        f"{names.array} is null or points to the first cell of a live block, the length of which is the number of its "
        f"cells, at most {task.vocabulary.longest}",
    ]
    if names.length is not None:
        found.append(f"{names.length} is the length of {names.array}, as was said on the command line")
    found.append("what is neither a position plus a constant nor a copy of an element may have any value")
    return (*found, *(one.text for one in task.program.assumptions))
