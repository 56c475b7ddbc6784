"""`heapwright check FILE.c --show-predicates`: the predicates that the engine `tvl` uses for a program.

Each is printed as a file for `--predicate-file` writes it, with what it means and, for instrumentation predicates, with
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

SHOW = "show"  # instead of a file, the former way to ask for it
WIDTH = 34  # of a predicate, where it is no longer


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
        from heapwright.tvp.added_predicates import spelled

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
