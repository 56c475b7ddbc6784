"""Capabilities and options of the engine `lazy`."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Option
from heapwright.program.checks import CheckKind


class LazyDeclaration(Declaration):
    name = "lazy"
    proves = frozenset(CheckKind) - {CheckKind.RESOURCE_LEAK}
    draws = True
    explains = True
    reads_certificate = "heapwright.engines.lazy.certificate:TreeReader"
    implementation = "heapwright.engines.lazy.engine:Lazy"
    options = (
        Option(
            "shapes",
            "word",
            None,
            "shape precision: refined on demand (lazy), none (never: predicates only), or full (always: shapes only, "
            "no predicates)",
            "WHEN",
            ("lazy", "never", "always"),
        ),
        Option(
            "paths",
            "word",
            None,
            "path formulas over arrays, or over lvalue constants as in the paper (lvalues); printed with -v",
            "FORM",
            ("arrays", "lvalues"),
        ),
    )
