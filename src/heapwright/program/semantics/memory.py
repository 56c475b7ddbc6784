"""The memory model: allocation and end of blocks, pointer arithmetic and comparison; no dereferences.

A block is one allocation: a root object with its parts, or an array whose elements come into being when they are first
needed. The address of an object is its block and its byte offset there, so an owner and its part at offset 0 are equal.

    pointer = allocate(state, layout, Storage.HEAP, span)      # p = malloc(sizeof *p)
    end(state, state.objects[pointer].block, FREED, span)     # free(p)
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.base.source import Span
from heapwright.program.choices import ChoiceRequest
from heapwright.program.semantics.objects import (
    FIRST_PAGE,
    JUNK,
    LIVE,
    NULL,
    PARTIAL,
    UNKNOWN,
    VIEW,
    Block,
    Layout,
    MemoryObject,
    Number,
    PointerValue,
    Symbol,
    index_of,
    is_pointer,
    near_null,
    number_in,
    object_of,
    offset_from_null,
    pointer_from,
)
from heapwright.program.semantics.reachability import escaped_roots, reachable_blocks
from heapwright.program.semantics.state import State, Stop
from heapwright.program.trace import ChoiceKind, Ending
from heapwright.program.types import Storage

# --- blocks ----------------------------------------------------------------------------------------------------------


def allocate(
    state: State,
    layout: Layout,
    storage: Storage,
    span: Span,
    *,
    count: int | None = None,
    size: int | None = None,
    zeroed: bool = False,
    input: bool = False,
    environment: bool = False,
    name: str = "",
) -> int:
    """A new block; the address of its root, or of element 0 of an array of objects. `input`: its cells are inputs;
    `environment`: it is memory of the environment."""
    if count is None and layout.cells is not None:
        count = layout.cells.count if layout.cells.count is not None else 1
    if size is None:
        size = layout.size if count is None else layout.stride * count
    number = -1
    if storage is Storage.HEAP:
        number = state.heap_count
        state.heap_count += 1
        _keep_bound(state, span)
    state.clock += 1
    identity = state.next_id
    state.next_id += 1
    # The block is created first: it determines initial values of its objects.
    block = Block(number, storage, state.next_id, size, LIVE, state.clock, span, zeroed, input, name=name)
    state.blocks[identity] = block
    root = _create(state, layout, identity, block, 0, 0, 0, count)
    if environment:
        state.escaped = (*state.escaped, identity)
    elif input:
        state.inputs = (*state.inputs, identity)
    return first_element(state, root)


def _keep_bound(state: State, span: Span) -> None:
    bound = state.context.bounds.objects
    if bound is None or len(state.blocks) < bound:
        return
    if _heap_blocks(state) >= bound:
        drop_unreachable(state)
        if _heap_blocks(state) >= bound:
            state.context.hit("objects", span)
            raise Stop(Ending.CUT, f"more than {bound} heap blocks")


def _heap_blocks(state: State) -> int:
    return sum(1 for block in state.blocks.values() if block.storage is Storage.HEAP) - len(state.garbage)


def drop_unreachable(state: State) -> None:
    """Drops ended blocks that are unreachable."""
    kept = [state.vars[slot] for slot in state.context.pointer_variables]
    reached = reachable_blocks(state, kept + escaped_roots(state))
    assert reached is not None
    for identity, block in list(state.blocks.items()):
        if identity not in reached and block.status > PARTIAL and not block.input:
            forget(state, identity)


def forget(state: State, identity: int) -> None:
    block = state.blocks.pop(identity)
    for number in [*objects_of(state, block.root)]:
        del state.objects[number]
    if state.outside:
        gone = {number for number, obj in state.objects.items() if obj.block == identity}
        for key, value in list(state.outside.items()):
            if object_of(key[0]) in gone or object_of(value) in gone or object_of(key[0]) not in state.objects:
                del state.outside[key]
        for number in gone:
            del state.objects[number]


def _create(
    state: State, layout: Layout, identity: int, block: Block, owner: int, at: int, offset: int, count: int | None
) -> int:
    """An object with its parts, as it is at the start of its block."""
    number = state.next_id
    state.next_id += 1
    obj = MemoryObject(state.token, layout, identity, owner, at, offset)
    state.objects[number] = obj
    obj.status = block.status
    obj.protected = block.protected
    obj.guarded = block.protected or layout.overlaps or (owner != 0 and state.objects[owner].guarded)
    if layout.cells is not None:
        if count is None:  # a flexible array at the end of a struct has the rest of the block
            left = max(0, (block.size - offset) // layout.stride)
            count = layout.cells.count if layout.cells.count is not None else left
        obj.count = count
        if layout.cells.field is not None:
            obj.cells = {}
        else:
            obj.elements = {}
        end = offset + layout.stride * count
    else:
        start = layout.zero if block.zeroed else layout.undecided if block.input else layout.blank
        obj.fields = start[:]
        end = offset + layout.size
        if layout.parts:
            layouts = state.context.layouts
            obj.parts = tuple(
                _create(state, layouts[part.type], identity, block, number, slot, offset + part.offset, part.count)
                for slot, part in enumerate(layout.parts)
            )
    if obj.status == LIVE and end > block.size:
        obj.status = PARTIAL
    return number


def element(state: State, array: int, index: int) -> int:
    """The object at that index of an array of objects; the index is in range."""
    obj = state.objects[array]
    assert obj.elements is not None
    assert obj.layout.cells is not None
    known = obj.elements.get(index)
    if known is not None:
        return known
    block = state.blocks[obj.block]
    layout = state.context.layouts[obj.layout.cells.object]
    offset = obj.offset + index * obj.layout.stride
    number = _create(state, layout, obj.block, block, array, index, offset, None)
    elements = state.own(array).elements
    assert elements is not None
    elements[index] = number
    return number


def first_element(state: State, number: int) -> int:
    obj = state.objects[number]
    if obj.elements is not None and obj.count:
        return element(state, number, 0)
    return number


def objects_of(state: State, root: int) -> Iterator[int]:
    """An object and everything that it consists of, in a fixed order."""
    yield root
    obj = state.objects[root]
    for part in obj.parts:
        yield from objects_of(state, part)
    if obj.elements:
        for index in sorted(obj.elements):
            yield from objects_of(state, obj.elements[index])


def end(state: State, identity: int, status: int, span: Span) -> None:
    """The block is freed or goes out of scope. Its objects keep their identity and their links."""
    state.clock += 1
    block = state.blocks[identity]
    state.blocks[identity] = block._replace(status=status, end=state.clock, freed=span)
    for number in [*objects_of(state, block.root)]:
        state.own(number).status = status


def replace_block(state: State, old: PointerValue, new: int) -> None:
    """A block may have the address of another, which ends then."""
    if is_pointer(old):
        identity = state.objects[new].block
        state.blocks[identity] = state.blocks[identity]._replace(replaced=state.objects[object_of(old)].block)


def protect(state: State, identity: int) -> None:
    """The block becomes read-only."""
    block = state.blocks[identity]
    state.blocks[identity] = block._replace(protected=True)
    for number in [*objects_of(state, block.root)]:
        obj = state.own(number)
        obj.protected = obj.guarded = True


def view_of(state: State, identity: int) -> int | None:
    """The array of bytes over a block, if there is one."""
    found = state.outside.get((state.blocks[identity].root, *VIEW)) if state.outside else None
    assert not isinstance(found, tuple)
    return found


def make_view(state: State, identity: int) -> int:
    """The array of bytes over a block."""
    known = view_of(state, identity)
    if known is not None:
        return known
    number = state.next_id
    state.next_id += 1
    obj = MemoryObject(state.token, state.context.view, identity, 0, 0, 0)
    obj.cells = {}
    state.objects[number] = obj
    state.outside[(state.blocks[identity].root, *VIEW)] = number
    return number


def is_blank(state: State, obj: MemoryObject) -> bool:
    """Whether a block has no type, and no bytes that were written without one."""
    if obj.layout is not state.context.untyped:
        return False
    view = view_of(state, obj.block)
    return view is None or not state.objects[view].cells


def retype(state: State, identity: int, wanted: Layout) -> None:
    """Gives an untyped block the type of its first use."""
    context, block = state.context, state.blocks[identity]
    layout, count = wanted, None
    if wanted.cells is not None:
        count = block.size // wanted.stride if wanted.cells.count is None else wanted.cells.count
    elif wanted.size and block.size >= 2 * wanted.size and not block.input:
        array = context.arrays_of_objects.get(wanted.name)
        if array is None and len(wanted.fields) == 1 and not wanted.parts:
            only = wanted.fields[0]
            array = context.arrays_of_scalars.get((only.kind, only.size))
        if array is not None:
            layout, count = array, block.size // array.stride
    old = state.objects[block.root]
    fresh = _create(state, layout, identity, block, 0, 0, 0, count)
    typed = state.objects.pop(fresh)
    assert old.layout is context.untyped
    state.objects[block.root] = typed
    for part in typed.parts:
        state.own(part).owner = block.root


LARGEST = 1 << 47  # address of an object

# --- pointers --------------------------------------------------------------------------------------------------------


def position(number: int, index: int) -> PointerValue:
    return (number, index) if index else number


def address(state: State, pointer: PointerValue) -> tuple[int, int]:
    """Block and byte offset."""
    if isinstance(pointer, int):
        obj = state.objects[pointer]
        return obj.block, obj.offset
    obj = state.objects[pointer[0]]
    return obj.block, obj.offset + pointer[1] * obj.layout.stride


def same_address(state: State, left: PointerValue, right: PointerValue, span: Span) -> bool:
    """Whether two pointers are equal. A comparison of junk, or of an ended block with a later one, may have either
    result. That they differ is no approximation: there is a run in which uninitialised pointers hold addresses of
    nothing, and in which no address is used again. Only junk may be a copy of junk."""
    if UNKNOWN in (left, right):
        return _either_way(state, span)
    if left == JUNK or right == JUNK:
        return _either_way(state, span, real=None if left == right else 0)
    if left == right:
        return True
    if not is_pointer(left) or not is_pointer(right):
        number = number_in(left) if number_in(right) is None else number_in(right)
        possible = number is not None and FIRST_PAGE <= number < LARGEST
        return possible and (is_pointer(left) or is_pointer(right)) and _either_way(state, span)
    first, start = address(state, left)
    second, other = address(state, right)
    if first == second:
        return start == other
    one, two = state.blocks[first], state.blocks[second]
    if second == one.replaced or first == two.replaced:
        return start == other and not _has_moved(state, first if second == one.replaced else second, span)
    if (one.end >= 0 and two.birth > one.end) or (two.end >= 0 and one.birth > two.end):
        return _either_way(state, span, real=0)
    return False


def _has_moved(state: State, identity: int, span: Span) -> bool:
    """Whether realloc gave a block another address than the one that it replaced had."""
    block = state.blocks[identity]
    moved = block.moved
    if moved is None:
        moved = state.choose(ChoiceRequest(ChoiceKind.INPUT, "address of realloc", span, 0, 1), (0, 1), lasting=True)
        state.blocks[identity] = block._replace(moved=moved)
    return moved == 1


def before(state: State, left: PointerValue, right: PointerValue, strict: bool, span: Span) -> bool:
    """`left < right`, or `<=`: decided within a block."""
    if left == NULL and right == NULL:
        return not strict
    if is_pointer(left) and is_pointer(right):
        first, start = address(state, left)
        second, other = address(state, right)
        if first == second:
            return start < other if strict else start <= other
    return _either_way(state, span)


def _either_way(state: State, span: Span, real: int | None = None) -> bool:
    return bool(state.choose(ChoiceRequest(ChoiceKind.APPROXIMATE, "address", span, real=real), (0, 1)))


def shifted(state: State, pointer: PointerValue, distance: int, unit: int = 0) -> PointerValue:
    """pointer + distance, in cells of the array that it points into. `unit` is the cell size by the C type: it
    distinguishes pointers to rows of a matrix, pointers to the cells of its first row, and arithmetic in bytes."""
    if distance == 0 or pointer in (JUNK, UNKNOWN):
        return pointer
    if not is_pointer(pointer):
        number = number_in(pointer)
        if number is not None:
            return pointer_from(number + distance * (unit or 1))
        from_null = offset_from_null(pointer)
        return JUNK if from_null is None else near_null(from_null + distance * (unit or 1))
    number, index = object_of(pointer), index_of(pointer)
    obj = state.objects[number]
    if index == 0 and obj.owner and state.objects[obj.owner].elements is not None:
        array = state.objects[obj.owner]
        if array.layout.stride == unit or (not unit and obj.layout.cells is None):
            number, index, obj = obj.owner, obj.position, array
    if unit not in (0, obj.layout.stride) or obj.layout is state.context.untyped:
        unit = unit or 1
        return at_byte(state, obj.block, address(state, pointer)[1] + distance * unit)
    index += distance
    if obj.elements is not None and obj.count is not None and 0 <= index < obj.count:
        return element(state, number, index)
    return position(number, index)


def at_byte(state: State, identity: int, offset: int) -> PointerValue:
    """The outermost object that begins at a byte of a block, the cell of an array that does, or else the byte."""
    number = state.blocks[identity].root
    while True:
        obj = state.objects[number]
        inside = offset - obj.offset
        if inside == 0:
            return first_element(state, number) if obj.elements is not None else number
        if obj.count is not None:
            index, rest = divmod(inside, obj.layout.stride)
            if 0 <= index < obj.count and obj.elements is not None:
                number = element(state, number, index)
                continue
            if 0 <= index <= obj.count and rest == 0 and obj.elements is None:
                return position(number, index)
        covering = [part for part in obj.parts if state.objects[part].offset <= offset < _end(state, part)]
        if not covering:
            return position(make_view(state, identity), offset)
        number = max(covering, key=lambda part: state.objects[part].offset)


def _end(state: State, number: int) -> int:
    """The first byte behind an object; the address there is still one of an array."""
    obj = state.objects[number]
    size = obj.layout.size if obj.count is None else obj.layout.stride * obj.count + 1
    return obj.offset + size


def distance(state: State, left: PointerValue, right: PointerValue, unit: int = 0) -> int | None:
    """left - right in cells of `unit` bytes, None if they are not in one block."""
    if left == right and left != JUNK:
        return 0
    if not is_pointer(left) or not is_pointer(right):
        return None
    first, start = address(state, left)
    second, other = address(state, right)
    if first != second:
        return None
    obj = state.objects[object_of(left)]
    stride = unit or obj.layout.stride
    return (start - other) // stride if (start - other) % stride == 0 else None


def length(state: State, pointer: PointerValue) -> Number:
    """The number of cells of the array that a pointer points into."""
    if not is_pointer(pointer):
        return 0
    obj = state.objects[object_of(pointer)]
    if obj.length is not None:
        return obj.length + 1 if isinstance(obj.length, int) else Symbol(obj.length.id, obj.length.offset + 1)
    if obj.count is None and obj.owner and state.objects[obj.owner].elements is not None:
        obj = state.objects[obj.owner]
    return 1 if obj.count is None else obj.count
