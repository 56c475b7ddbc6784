"""What the import contract cannot say: engines do not know one another."""

from __future__ import annotations

from heapwright.engines import ENGINES


def test_engines_do_not_import_one_another() -> None:
    import grimp

    graph = grimp.build_graph("heapwright")
    modules = {path.partition(":")[0] for path in ENGINES.values()}
    families = {module: {module, *graph.find_descendants(module)} for module in modules if module in graph.modules}
    for module, family in families.items():
        others = set().union(*(other for name, other in families.items() if name != module))
        for part in family:
            assert not graph.find_modules_directly_imported_by(part) & others, part
