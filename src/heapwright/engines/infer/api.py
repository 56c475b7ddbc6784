"""Public interface of `infer`: the precondition of a function over linked objects or arrays.

    precondition = infer_precondition(program, Options(), deadline=None)
    [conjunct.words for conjunct in precondition.conjuncts]

`inferred` is the backward analysis alone, whose result can be tested on inputs of a given size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from heapwright.base.errors import InternalError
from heapwright.engines.infer.closure_modes import Closure
from heapwright.engines.kit.deferred_names import deferred

if TYPE_CHECKING:
    from pathlib import Path

    from heapwright.engines.infer.heaps.axiom_replay import AxiomReplay, replayed_by_axioms
    from heapwright.engines.infer.obligation_analysis import Counts, Tell
    from heapwright.engines.infer.precondition import Options
    from heapwright.program.graph import Program
    from heapwright.result.precondition import Precondition
else:
    __getattr__ = deferred(
        __name__, {"heaps.axiom_replay": ("AxiomReplay", "replayed_by_axioms"), "precondition": ("Options",)}
    )


class Inference(Protocol):
    """The abstract inputs from which an obligation may fail, with the number of prover queries."""

    @property
    def counts(self) -> Counts: ...

    @property
    def seconds(self) -> float: ...

    def judged(self, size: int | None = None, phase: Tell = ...) -> Precondition:
        """The weakest precondition of the domain, tested on all inputs of up to `size` objects or cells (None: the
        largest feasible size)."""
        ...


def inferred(
    program: Program,
    options: Options,
    *,
    deadline: float | None = None,
    tell: Tell = lambda text: None,
    cache: Path | None = None,
) -> Inference:
    """The backward analysis; `cache` is the file of the query cache."""
    from heapwright.engines.infer.arrays.program_translation import about_arrays
    from heapwright.engines.infer.query_cache import Cache

    if about_arrays(program) and not options.cycles:
        from heapwright.engines.infer.arrays.preconditions.judgement import infer_array_inputs

        return infer_array_inputs(program, options, deadline=deadline, tell=tell, cache=Cache(cache))
    from heapwright.engines.infer.heaps.preconditions.judgement import infer_heaps

    return infer_heaps(program, options, deadline=deadline, tell=tell, cache=Cache(cache))


def infer_precondition(
    program: Program,
    options: Options,
    *,
    deadline: float | None,
    tell: Tell = lambda text: None,
    phase: Tell = lambda text: None,
) -> Precondition:
    """The precondition, with the persistent query cache. One that allows a failing input is an internal error."""
    from heapwright.engines.infer.query_cache import default_path

    found = inferred(program, options, deadline=deadline, tell=tell, cache=default_path()).judged(phase=phase)
    if found.missed:
        raise InternalError(f"unsound precondition: it allows one of the {found.tested[0]} from which a run fails")
    return found
