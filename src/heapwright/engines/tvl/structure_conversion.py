"""Conversion between structures of TVS files and those of the engine.

An instrumentation predicate that the file does not mention has the values of its definition. Where those are 1/2, the
file's convention that omitted values are 0 applies if it is consistent: it must violate no constraint and must not
sharpen core predicates. Then all constraints must hold; otherwise the structure is rejected, with the violated
constraint.
"""

from __future__ import annotations

from heapwright.base.errors import InputError
from heapwright.engines.tvl.formulas.dependencies import definition_order
from heapwright.engines.tvl.formulas.evaluation import readings
from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.loose_embedding import loosened
from heapwright.engines.tvl.structures.structure import ACTIVE, BUILT_IN, SUMMARY, Draft, Signature, Structure
from heapwright.engines.tvl.transform.transformer import Kernel
from heapwright.logic.actions import NamedStructure
from heapwright.logic.formulas import Kleene, text


def read_structure(kernel: Kernel, written: NamedStructure) -> Structure:
    """The canonical abstraction of a written structure."""
    draft = draft_of(kernel.signature, written)
    if kernel.embedding == "loose":
        draft = loosened(kernel.signature, draft, kernel.layouts).draft()
    complete(kernel, draft, written.mentioned)
    coercer = kernel.coercer.of(draft)
    breached = coercer.run(draft, coercer.everything)
    if breached >= 0:
        constraint = coercer.constraints[breached]
        rule = f"{text(constraint.body)} ==> {text(constraint.head)}"
        raise InputError(f"the structure violates the constraint {rule}", written.span)
    return kernel.abstracted(draft)


def draft_of(signature: Signature, written: NamedStructure) -> Draft:
    node_of = {name: i for i, name in enumerate(written.nodes)}
    draft = Draft.empty(signature, len(written.nodes))

    def put(name: str, cell: int, value: Kleene) -> None:
        number = signature.number.get(name)
        if number is None:
            raise InputError(f"the predicate {name} is not declared", written.span)
        if value is not Kleene.FALSE:
            draft.may[number] |= 1 << cell
        if value is Kleene.TRUE:
            draft.must[number] |= 1 << cell

    for name, value in written.nullary.items():
        put(name, 0, value)
    for name, values in written.unary.items():
        if name not in ("sm", "ac"):
            for node, value in values.items():
                put(name, node_of[node], value)
    for name, pairs in written.binary.items():
        for (left, right), value in pairs.items():
            put(name, node_of[left] * draft.n + node_of[right], value)
    for node in written.summaries:
        draft.may[SUMMARY] |= 1 << node_of[node]
    for node in written.maybe_active:
        draft.must[ACTIVE] &= ~(1 << node_of[node])
    return draft


def complete(kernel: Kernel, draft: Draft, mentioned: frozenset[str]) -> None:
    """Compute the values of instrumentation predicates that the file does not mention."""
    omitted: list[int] = []
    for predicate in definition_order(kernel.vocabulary):
        if predicate.name not in mentioned and predicate.definition is not None:
            function = kernel.compiler.function(readings(predicate.definition, predicate.parameters))
            number = kernel.signature.number[predicate.name]
            values = function(draft.may, draft.must, kernel.layouts.of(draft.n))
            draft.may[number], draft.must[number] = values
            omitted.append(number)
    plain = draft.copy()
    if not kernel.coercer.of(plain).coerce_all(plain):
        return
    core = [p for p, predicate in enumerate(kernel.signature.predicates) if predicate.definition is None]
    for number in omitted:
        if draft.may[number] != draft.must[number]:
            before = draft.may[number]
            draft.may[number] = draft.must[number]
            trial = draft.copy()
            fits = kernel.coercer.of(trial).coerce_all(trial) and all(
                trial.may[p] == plain.may[p] and trial.must[p] == plain.must[p] for p in core
            )
            if not fits:
                draft.may[number] = before


def write_structure(signature: Signature, structure: Structure) -> NamedStructure:
    """A structure with nodes named u0, u1, ..."""
    n = structure.n
    nodes = tuple(f"u{i}" for i in range(n))
    nullary: dict[str, Kleene] = {}
    unary: dict[str, dict[str, Kleene]] = {}
    binary: dict[str, dict[tuple[str, str], Kleene]] = {}
    for number, predicate in enumerate(signature.predicates):
        if number in (SUMMARY, ACTIVE) or not structure.may[number]:
            continue
        cells = [(cell, structure.must[number] >> cell & 1) for cell in bits(structure.may[number])]
        values = {cell: Kleene.TRUE if must else Kleene.HALF for cell, must in cells}
        if predicate.arity == 0:
            nullary[predicate.name] = values[0]
        elif predicate.arity == 1:
            unary[predicate.name] = {nodes[cell]: value for cell, value in values.items()}
        else:
            binary[predicate.name] = {(nodes[c // n], nodes[c % n]): value for c, value in values.items()}
    summaries = frozenset(nodes[i] for i in bits(structure.may[SUMMARY]))
    maybe = frozenset(nodes[i] for i in bits(structure.may[ACTIVE] & ~structure.must[ACTIVE]))
    mentioned = frozenset(predicate.name for predicate in signature.predicates[len(BUILT_IN) :])
    return NamedStructure(nodes, nullary, unary, binary, summaries, maybe, mentioned)
