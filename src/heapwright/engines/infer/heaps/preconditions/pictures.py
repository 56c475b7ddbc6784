"""Pictures of inputs, the contract in C, and the assumptions of a precondition over linked objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heapwright.engines.infer.heaps.preconditions.clauses import Clause, clause_macro, clause_words, stronger_macro
from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap
from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture


def heap_picture(task: Task, heap: Heap) -> HeapPicture:
    """A heap of inputs; objects are numbered from 1."""
    data = tuple(((task.vocabulary.key, str(key)),) for key in heap.keys)
    nodes = tuple(
        HeapNode(i + 1, task.layout.types[heap.kinds[i] if heap.kinds else 0], data=data[i] if data else ())
        for i in range(heap.size)
    )
    arrows = [
        HeapArrow(_shown(task, name), "", "null" if where == NOWHERE else where + 1)
        for name, where in zip(task.inputs, heap.at, strict=True)
    ]
    arrows += [
        HeapArrow(i + 1, field.name, "null" if following[i] == NOWHERE else following[i] + 1)
        for i in range(heap.size)
        for field, following in zip(task.layout.fields, heap.next, strict=True)
        if not heap.kinds or heap.kinds[i] == field.source
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
    if task.vocabulary.edges:
        return (*_typed_contract(task), *lines)
    acyclic = [
        f"hw_assume(hw_acyclic({_shown(task, name)}, {field}));"
        for name in task.inputs
        for number, field in enumerate(fields)
        if (name, number) not in implied and _has(task, name, field)
    ]
    return (*acyclic, *lines)


def _has(task: Task, name: str, field: str) -> bool:
    """Whether the type to which an input is declared to point has a field; no object of another type is accessed."""
    type_ = task.program.types.get(task.program.variables[name].target)
    return type_ is not None and type_.field(field) is not None


def _typed_contract(task: Task) -> Iterator[str]:
    """That inputs are acyclic, and the lists of another type that they lead to."""
    layout = task.layout
    for name, kind in zip(task.inputs, task.kinds, strict=True):
        shown = _shown(task, name)
        for field in layout.of(kind):
            if layout.loops(field):
                yield f"hw_assume(hw_acyclic({shown}, {layout.fields[field].name}));"
                continue
            aside = f"{shown}->{layout.fields[field].name}"
            for beyond in layout.of(layout.fields[field].target):
                if layout.loops(beyond):
                    yield f"hw_assume({shown} == 0 || hw_acyclic({aside}, {layout.fields[beyond].name}));"


def assumptions(task: Task) -> tuple[str, ...]:
    fields = " and ".join(dict.fromkeys(task.fields))
    acyclic = (
        "" if task.vocabulary.cyclic else ", which is acyclic" if len(task.fields) < 2 else ", each of them acyclic"
    )
    linked = f", linked by {fields}{acyclic}" if fields else ""
    found = [
        f"inputs are null or live objects of type {' or '.join(repr(kind) for kind in task.layout.types)}{linked}",
        "conditions on integers are nondeterministic",
        "leaks are not checked, except by hw_all_reachable",
    ]
    if task.ignores:
        found.append(
            "some shape predicates in hw_assume and in conditions are treated as nondeterministic; the precondition "
            "may be stronger than necessary"
        )
    return (*found, *(one.text for one in task.program.assumptions))
