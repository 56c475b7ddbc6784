"""Pictures of what a finished tree knows of the heap: the structures of all nodes at a location.

A picture of one component says nothing of the others, so that there are pictures only where the program has one, and it
is tracked everywhere: no heap can be there that none of them stands for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heapwright.engines.tvl.programs.pictures import ProgramPictures
from heapwright.program.heap_picture import HeapPicture

if TYPE_CHECKING:
    from heapwright.engines.lazy.search import Search


def pictures_of(search: Search) -> dict[int, tuple[HeapPicture, ...]]:
    """By location; nothing at all where some location could not be drawn."""
    if len(search.shapes.projections) != 1:
        return {}
    (component,) = search.shapes.projections
    beginning = search.shapes.shape_class(component)
    artists: dict[int, ProgramPictures] = {}
    found: dict[int, dict[HeapPicture, None]] = {}
    for node in search.tree.nodes():
        region = node.shapes.get(component) if component in node.shapes else None
        made = beginning if component not in node.shapes else region.shape_class if region is not None else None
        if made is None:
            return {}
        artist = artists.setdefault(id(made), ProgramPictures(made.heap, made.signature))
        structures = (made.initial,) if region is None else region.structures
        drawn = (artist.at(node.location, structure) for structure in structures)
        found.setdefault(node.location, {}).update(dict.fromkeys(drawn))
    return {location: tuple(pictures) for location, pictures in sorted(found.items())}
