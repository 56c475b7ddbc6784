"""The abstract transformers of a program's commands over one vocabulary, each made when it is first used.

For an analysis that applies single edges of a program to structures, instead of the fixpoint over all of them:

    transformers = CommandTransformers(HeapVocabulary(program), goal)
    for chain in transformers.chains(edge):
        transformers.transformer(chain[0]).apply(transformers.initial)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.encoding.actions.commands import Compiler
from heapwright.engines.tvl.encoding.actions.predicate_updates import merged
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.structure_conversion import read_structure
from heapwright.engines.tvl.structures.join import Partial
from heapwright.engines.tvl.structures.structure import Signature, Structure
from heapwright.engines.tvl.transform.transformer import Kernel, Transformer
from heapwright.logic.actions import Action, NamedStructure
from heapwright.logic.formulas import Or
from heapwright.logic.vocabulary import Constraint, Vocabulary
from heapwright.program.checks import Goal
from heapwright.program.commands import Command
from heapwright.program.expressions import NULL
from heapwright.program.graph import Edge

SharedTransformers = dict[tuple[Vocabulary, tuple[Constraint, ...]], tuple[Kernel, dict[Action, Transformer]]]


class CommandTransformers:
    """Of one vocabulary; the integrity constraints of its predicates are derived. `lean`: variables of the program end
    with their last use, so that blocks may be garbage early. `alike`: programs with one vocabulary share transformers
    in it, and so what these have computed."""

    def __init__(
        self, heap: HeapVocabulary, goal: Goal, *, lean: bool = False, alike: SharedTransformers | None = None
    ) -> None:
        rules = all_constraints(heap.vocabulary, heap.constraints, automatic=True)
        shared = {} if alike is None else alike
        key = (heap.vocabulary, tuple(rules))
        if key not in shared:
            shared[key] = (Kernel.build(heap.vocabulary, rules, differencing=False), {})
        self._kernel, self._transformers = shared[key]
        self._compiler = Compiler(heap, goal, lean=lean)

    @property
    def signature(self) -> Signature:
        return self._kernel.signature

    @cached_property
    def initial(self) -> Structure:
        """No object, and all variables null: lowering sets those to junk that are read before they are written."""
        return read_structure(self._kernel, NamedStructure(()))

    def chains(self, edge: Edge[Command]) -> list[list[Action]]:
        """The alternatives of an edge, a chain of actions each."""
        return self._compiler.actions(edge)

    def with_null(self, action: Action, target: str) -> Action:
        """The action, with the update of a variable replaced by the assignment of null."""
        null = [*self._compiler.steps.assigned(target, NULL)]
        return replace(action, updates=tuple(merged(action.updates, null)))

    def transformer(self, action: Action) -> Transformer:
        key = replace(action, title="", span=None)
        found = self._transformers.get(key)
        if found is None:
            found = self._transformers[key] = Transformer(self._kernel, key)
        return found

    def check(self, action: Action) -> Transformer:
        """What raises the messages of an action: the number of each, as its text."""
        numbered = tuple(replace(message, text=str(number)) for number, message in enumerate(action.messages))
        return self.transformer(check_of(replace(action, messages=numbered)))

    def sharpened(self, structure: Structure) -> tuple[Structure, ...]:
        """A structure as the integrity constraints of its predicates sharpen it, blurred; none if it violates one."""
        draft = structure.draft()
        if not self._kernel.coercer.of(draft).coerce_all(draft):
            return ()
        return (self._kernel.abstracted(draft),)

    def joined(self, structures: Iterable[Structure]) -> tuple[Structure, ...]:
        """One structure for each set of canonical names."""
        store = self.structure_set()
        for structure in structures:
            store.add(structure)
        return tuple(store)

    def structure_set(self) -> Partial:
        """An empty set that joins what has one set of canonical names."""
        return Partial(self.signature)


def check_of(action: Action) -> Action:
    """The messages of an action, alone: a message is raised only where the precondition of its action holds."""
    faults = Or(tuple(message.formula for message in action.messages))
    return Action(f"{action.title}: check", action.focus, faults, action.messages)
