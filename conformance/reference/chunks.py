"""The chunks of a container, from chapter 3 of conformance/spec/iostore.md."""

RULES = {f"TOC{n:03}" for n in (*range(1, 20), 22, 23, 24, 26)}
PACKAGE, BULK, OPTIONAL_BULK, MAPPED_BULK, SCRIPTS, HEADER, EXTERNAL, LIBRARY, SHADER, LOADER, EDITOR, INVALID, INSTALL = range(13)
OLD = (INVALID, INSTALL, PACKAGE, BULK, OPTIONAL_BULK, MAPPED_BULK, LOADER, LOADER, LOADER, LOADER, HEADER, LIBRARY, SHADER)
NEW = (INVALID, PACKAGE, BULK, OPTIONAL_BULK, MAPPED_BULK, SCRIPTS, HEADER, EXTERNAL, LIBRARY, SHADER, EDITOR, EDITOR, EDITOR, EDITOR)
ALL_BULK = {BULK, OPTIONAL_BULK, MAPPED_BULK}
SPACE = 1 << 40
INT_MAX = 0x7FFFFFFF


class Chunk:
    """A chunk with its twelve bytes of id; what it is depends on the version."""

    def __init__(self, id_bytes, offset, length, kinds, new):
        self.bytes, self.offset, self.length = id_bytes, offset, length
        self.id = int.from_bytes(id_bytes[:8], "little")
        self.index = int.from_bytes(id_bytes[8:10], "big" if new else "little")
        self.pad, self.type = id_bytes[10], id_bytes[11]
        self.is_asked_for = self.index == self.pad == 0         # as engines ask for a package or the container header (3.5)
        self.kind = kinds[self.type] if self.type < len(kinds) else None
        self.end = offset + length
        self.blocks = None                      # a range of numbers, if there are all of them
        self.existing = range(0)                # those of them that there are
        self.shares = False                     # whether one of them is an earlier chunk's
        self.given = 0                          # what they give, if they are its own


def read(c):
    """The chunks, or None where their ids or places are cut off."""
    ids, ranges = c.rows("chunk_ids", 12), c.rows("ranges", 10)
    if ids is None or ranges is None:
        return None
    c.new_types = has_new_types(c, ids)
    kinds = NEW if c.new_types else OLD
    out = []
    for at, place in zip(ids, ranges):
        offset, length = c.file.number(place, 5, "big"), c.file.number(place + 5, 5, "big")
        chunk = Chunk(c.file.bytes(at, 12), offset, length, kinds, c.new_types)
        out.append(chunk)
        c.j.region("chunk_id", at, 12, {"id": chunk.id, "index": c.file.u16(at + 8), "pad": chunk.pad, "type": chunk.type})
        c.j.region("range", place, 10, {"offset": offset, "length": length})
    place_blocks(c, out)
    return out


def has_new_types(c, ids):
    """Whether the types are those of Unreal Engine 5."""
    return c.version >= 5


def place_blocks(c, chunks):
    unit = c.h["block_size"]
    for chunk in chunks:
        first = chunk.offset // unit
        last = (chunk.end - 1) // unit
        if chunk.length:
            chunk.existing = range(first, min(last + 1, c.h["n_blocks"]))
            chunk.blocks = range(first, last + 1) if last < c.h["n_blocks"] else None


def headers(c):
    return [chunk for chunk in c.chunks if chunk.kind == HEADER]


def judge_id(c, chunk):
    j = c.j
    if j.fire("TOC002", not any(chunk.bytes)):
        return
    j.fire("TOC003", chunk.kind is None)
    j.fire("TOC004", chunk.type == 0)
    digest = c.version >= 5 and chunk.type in (7, 9)
    j.fire("TOC005", chunk.pad and not digest)
    swapped = chunk.bytes[8] and not chunk.bytes[9] and not (c.version >= 6 and chunk.kind in ALL_BULK)
    if not j.fire("TOC007", c.version >= 5 and swapped and not digest):
        j.fire("TOC006", chunk.kind == PACKAGE and chunk.index > 1)
    j.fire("TOC023", chunk.kind in (SCRIPTS, LOADER) and not c.is_global)
    j.fire("TOC024", chunk.kind == EDITOR)


def judge_place(c, chunk):
    j, unit = c.j, c.h["block_size"]
    j.fire("TOC011", chunk.length and c.h["n_blocks"] and (chunk.end - 1) // unit >= c.h["n_blocks"])
    j.fire("TOC026", c.version == 2 and not chunk.length and chunk.offset > c.h["n_blocks"] * unit)
    j.fire("TOC012", chunk.length and chunk.offset % unit)
    j.fire("TOC015", chunk.end > SPACE)
    j.fire("TOC016", chunk.length == 0, lesser=chunk.kind != HEADER)
    j.fire("TOC019", chunk.kind in (PACKAGE, HEADER) and chunk.length > INT_MAX)


def judge_headers(c):
    """3.8 to 3.10 and 3.13."""
    j = c.j
    own = c.h["container_id"]
    if c.version >= 5:
        other = not any(x.type == 6 for x in c.chunks) and any(x.type == 10 and x.id == own for x in c.chunks)
    else:
        other = any(x.type == 6 and x.id == own for x in c.chunks)
    found = headers(c)
    if not j.fire("TOC008", other, lesser=c.version < 5):
        j.fire("TOC009", not found and not c.is_global, lesser=c.is_patch)
    j.fire("TOC010", len(found) > 1)
    j.fire("TOC013", found and not any(x.id == own and x.is_asked_for for x in found))


def judge_blocks(c):
    """3.14, 3.17 and 3.18."""
    j, owned = c.j, [False] * len(c.blocks)
    for chunk in c.chunks:
        for number in chunk.blocks or ():
            j.work.spend()
            if j.fire("TOC014", owned[number]):
                chunk.shares = True
                break
            owned[number] = True
        if chunk.blocks is not None and chunk.offset % c.h["block_size"] == 0:
            chunk.given = sum(c.blocks[i].uncompressed for i in chunk.blocks)
            j.fire("TOC018", chunk.given < chunk.length)
    j.fire("TOC017", False in owned)


def judge(c):
    if c.chunks is None:
        return
    j = c.j
    j.fire("TOC001", len({chunk.bytes for chunk in c.chunks}) < len(c.chunks))
    packages = {chunk.id for chunk in c.chunks if chunk.kind == PACKAGE and not any(chunk.bytes[8:11])}
    for chunk in c.chunks:
        judge_id(c, chunk)
        judge_place(c, chunk)
        j.fire("TOC022", chunk.kind in ALL_BULK and chunk.id not in packages)
    judge_headers(c)
    if c.blocks is not None:
        judge_blocks(c)
