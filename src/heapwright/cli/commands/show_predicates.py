"""`heapwright check FILE.c --show-predicates`: the vocabulary of the engine `tvl` for a program.

Each predicate is printed in the syntax of predicate files, with its meaning and, for an instrumentation predicate,
its definition:

    list(v)                    variable list points to v
    r[list,node.next](v)       v is reached from list along node.next
        = E(u) (list(u) & t[node.next](u,v))
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build
from heapwright.cli.options import Values
from heapwright.cli.worker_process import work

SHOW = "show"  # former value of --predicates
WIDTH = 34  # minimum width of the first column


def show_predicates(source: Input, values: Values) -> int:
    task = _VocabularyTask(source)
    sys.stdout.write(work(task, timeout=values.limit("timeout"), memory_mb=values.limit("memory")))
    return 0


@dataclass(frozen=True)
class _VocabularyTask:
    source: Input

    def __call__(self, send: Send) -> str:
        from heapwright.engines.tvl.api import HeapVocabulary, meaning
        from heapwright.logic.formulas import text
        from heapwright.tvp.user_predicates import spelled

        program = build(self.source, send)
        send("choosing predicates")
        heap = HeapVocabulary(program)
        lines: list[str] = []
        for predicate in heap.vocabulary.predicates:
            parameters = predicate.parameters or ("u", "v")[2 - predicate.arity :]
            head = f"{spelled(predicate.name)}({', '.join(parameters)})"
            lines.append(f"{head:{WIDTH}} {meaning(heap, predicate)}".rstrip())
            if predicate.definition is not None:
                lines.append(f"    = {text(predicate.definition, spelled)}")
        return "\n".join(lines) + "\n"
