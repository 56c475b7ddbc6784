"""Pictures of inputs, the contract in C, and the assumptions of a precondition over linked objects."""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.engines.infer.heaps.preconditions.clauses import Clause, clause_macro, clause_words, stronger_macro
from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap
from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture


def heap_picture(task: Task, heap: Heap) -> HeapPicture:
    """A heap of inputs; objects are numbered from 1."""
    data = tuple(((task.vocabulary.key, str(key)),) for key in heap.keys)
    nodes = tuple(HeapNode(i + 1, task.type, data=data[i] if data else ()) for i in range(heap.size))
    arrows = [
        HeapArrow(_shown(task, name), "", "null" if where == NOWHERE else where + 1)
        for name, where in zip(task.inputs, heap.at, strict=True)
    ]
    arrows += [
        HeapArrow(i + 1, name, "null" if following[i] == NOWHERE else following[i] + 1)
        for i in range(heap.size)
        for name, following in zip(task.fields, heap.next, strict=True)
    ]
    return HeapPicture(nodes, tuple(arrows))


def _shown(task: Task, name: str) -> str:
    return task.program.variables[name].source_name or name


def contract(task: Task, clauses: Sequence[Clause]) -> tuple[str, ...]:
    """The precondition as assumptions at the beginning of the function, without implied ones: an engine materialises
    every object that an assumption reads."""
    fields = [field for field in task.fields if field and not task.vocabulary.cyclic]
    lines: list[str] = []
    implied: set[tuple[str, int]] = set()
    for clause in clauses:
        macro = clause_macro(clause, task.fields)
        stronger = stronger_macro(clause, task.fields)
        if macro is not None:
            lines.append(f"hw_assume({macro});")
        elif stronger is not None:
            lines.append(f"hw_assume({stronger[0]}); /* more than: {clause_words(clause, task.fields)} */")
            implied |= stronger[1]
        elif clause:
            lines.append(f"/* heapwright.h has no word for: {clause_words(clause, task.fields)} */")
        else:
            lines.append("hw_assume(0); /* no input is known to be safe */")
    acyclic = [
        f"hw_assume(hw_acyclic({_shown(task, name)}, {field}));"
        for name in task.inputs
        for number, field in enumerate(fields)
        if (name, number) not in implied
    ]
    return (*acyclic, *lines)


def assumptions(task: Task) -> tuple[str, ...]:
    fields = " and ".join(task.fields)
    acyclic = (
        "" if task.vocabulary.cyclic else ", which is acyclic" if len(task.fields) < 2 else ", each of them acyclic"
    )
    linked = f", linked by {fields}{acyclic}" if fields else ""
    found = [
        f"inputs are null or live objects of type '{task.type}'{linked}",
        "conditions on integers are nondeterministic",
        "leaks are not checked, except by hw_all_reachable",
    ]
    if task.ignores:
        found.append(
            "some shape predicates in hw_assume and in conditions are treated as nondeterministic; the precondition "
            "may be stronger than necessary"
        )
    return (*found, *(one.text for one in task.program.assumptions))
