"""Pictures of inputs, the contract in C, and the assumptions of a precondition over arrays."""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.engines.infer.arrays.preconditions.claims import ArrayClause, clause_in_c, clause_words, display_names
from heapwright.engines.infer.arrays.preconditions.small_arrays import ORDERED, ArrayInputs
from heapwright.engines.infer.arrays.program_translation import Task
from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture


def array_picture(tasks: Sequence[Task], inputs: ArrayInputs) -> HeapPicture:
    """The inputs of a function."""
    nodes: dict[int, HeapNode] = {}
    arrows: list[HeapArrow] = []
    values: dict[str, str] = {}
    for task, store, block in zip(tasks, inputs.stores, inputs.blocks, strict=True):
        names, size = display_names(task), len(store.cells)
        arrows.append(HeapArrow(names.array, "", "null" if store.null else block + 1))
        if not store.null:
            cell = task.program.variables[task.array].target.removesuffix("[]")
            cells = tuple((str(index), str(value)) for index, value in enumerate(store.cells))
            nodes[block] = HeapNode(block + 1, f"{cell}[{size}]", data=cells, count=size)
        if names.length is not None:
            values[names.length] = str(size)
        values |= {names.spots[spot]: str(store.spots[spot]) for spot in task.spots}
        values |= {names.data[term]: str(store.data[term]) for term in task.data}
    return HeapPicture(tuple(nodes.values()), tuple(arrows), tuple(values.items()))


def array_contract(tasks: Sequence[Task], clauses: Sequence[ArrayClause]) -> tuple[str, ...]:
    """The precondition as assumptions at the beginning of the function."""
    names, lines = [display_names(task) for task in tasks], list[str]()
    for one in names:
        if one.length is not None:
            lines.append(f"/* {one.length} is the number of cells of {one.array} */")
    for conjunct in clauses:
        text = clause_in_c(conjunct.clause, names[conjunct.array])
        if text is not None:
            lines.append(f"hw_assume({text});")
        elif conjunct.clause:
            lines.append(f"/* C has no expression for: {clause_words(conjunct.clause, names[conjunct.array])} */")
        else:
            lines.append("hw_assume(0); /* no input is known to be safe */")
    return tuple(lines)


def array_assumptions(tasks: Sequence[Task]) -> tuple[str, ...]:
    found: list[str] = []
    for task in tasks:
        names = display_names(task)
        found.append(
            f"{names.array} is null or points to the first cell of a live block, the length of which is the number of "
            f"its cells, at most {task.vocabulary.longest}"
        )
        if names.length is not None:
            found.append(f"{names.length} is the length of {names.array} (--length)")
    if len(tasks) > 1:
        found.append(
            "arrays are analysed one at a time: comparisons between elements of different ones are nondeterministic, "
            "and a store into one may change another, as they may be the same"
        )
        found.append(
            f"the precondition is tested on increasing and on constant arrays only, if there are more than {ORDERED} "
            "cells in total"
        )
    found.append("integers that are neither an index plus a constant nor a copy of an element are unconstrained")
    return (*found, *(one.text for one in tasks[0].program.assumptions))
