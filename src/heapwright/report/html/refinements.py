"""The proof of an engine that refines, as topics: its refinements, its precision, the invariants at loops."""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.report.messages import counted
from heapwright.result.explanation import Topic
from heapwright.result.outcomes import Proof

MOST_ROWS = 200


def proof_topics(proof: Proof | None) -> Iterator[Topic]:
    """None without a proof."""
    if proof is None:
        return
    rows = tuple(
        (
            str(number),
            step.check,
            " → ".join(map(str, step.lines)),
            "\n".join(text for text in step.interpolants if text not in ("true", "false")) or "-",
            "\n".join(step.added) or "-",
        )
        for number, step in enumerate(proof.refinements[:MOST_ROWS], 1)
    )
    said = f"{counted(len(proof.refinements), 'refinement')}: each removed a spurious counterexample."
    yield Topic(
        "Refinements",
        (said,) if rows else ("No refinement was necessary.",),
        ("#", "check", "lines of the counterexample", "interpolants", "added to the precision"),
        rows,
    )
    if proof.shape_precision:
        yield Topic("Shape precision", proof.shape_precision)
    loops = [one for one in proof.invariants if one.loop_head and one.span.line]
    if loops:
        yield Topic(
            "Invariants of loops",
            (),
            ("line", "function", "invariant over integers and pointers", "structures"),
            tuple((str(one.span.line), one.function, one.invariant, str(one.structures)) for one in loops[:MOST_ROWS]),
        )
