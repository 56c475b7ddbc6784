"""The figures of a campaign over preconditions: as JSON, as a table, and in a line while it runs."""

from __future__ import annotations

from heapwright.fuzz.preconditions.campaign import PreconditionTally


def progress(tally: PreconditionTally) -> str:
    return f"{sum(tally.functions.values())} functions, {sum(tally.heaps.values())} heaps, {len(tally.finds)} finds"


def figures(tally: PreconditionTally, seconds: float) -> dict[str, object]:
    return {
        "seconds": round(seconds, 1),
        "kinds": {
            kind: {
                "functions": count,
                "refused": tally.refused[kind],
                "at_the_bound": tally.reached[kind],
                "heaps": tally.heaps[kind],
                "failing": tally.failing[kind],
                "weakest": tally.weakest[kind],
                "false": tally.impossible[kind],
                "contracts": tally.contracts[kind],
            }
            for kind, count in sorted(tally.functions.items())
        },
        "reasons": dict(tally.reasons),
        "finds": [{"function": one.name, "kind": find.kind, "detail": find.detail} for one, find in tally.finds],
    }


def summary(tally: PreconditionTally) -> str:
    lines = [
        f"{'kind':10} {'functions':>9} {'refused':>8} {'at bound':>8} {'heaps':>9} {'failing':>9} {'weakest':>8} "
        f"{'false':>6} {'contracts':>9}"
    ]
    lines += [
        f"{kind:10} {count:>9} {tally.refused[kind]:>8} {tally.reached[kind]:>8} {tally.heaps[kind]:>9} "
        f"{tally.failing[kind]:>9} {tally.weakest[kind]:>8} {tally.impossible[kind]:>6} {tally.contracts[kind]:>9}"
        for kind, count in sorted(tally.functions.items())
    ]
    lines += [f"{one.name}: {find.kind}: {find.detail}" for one, find in tally.finds]
    lines.append(f"{len(tally.finds)} finds")
    return "\n".join(lines)
