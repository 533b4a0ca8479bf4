"""The blocks of a container and where their bytes lie, from chapter 4 of conformance/spec/iostore.md."""
from . import chunks
from .filenames import fold_ascii

RULES = {f"BLK{n:03}" for n in (*range(1, 22), *range(25, 33), 36, 37, 38)}
KNOWN_METHODS = {"zlib", "gzip", "lz4", "zstd", "oodle"}
SPACE = 1 << 40
LARGEST_GAP = 65536
MAPPED = 16384
SMALL = 1024


class Block:
    def __init__(self, offset, compressed, uncompressed, method):
        self.offset, self.compressed, self.uncompressed, self.method = offset, compressed, uncompressed, method
        self.end = offset + compressed
        self.room = up_to_16(compressed)
        self.lies = False                       # whether it has bytes, and a place in some partition


class Method:
    def __init__(self, data):
        name, zero, rest = data.partition(b"\0")
        self.ends, self.dirty = bool(zero), any(rest) or any(b > 0x7F for b in name)
        self.name = fold_ascii(name.decode("latin-1"))


def up_to_16(n):
    return -(-n // 16) * 16


def read(c):
    rows = c.rows("blocks", 12)
    if rows is None:
        return None
    out = []
    for at in rows:
        block = Block(c.file.number(at, 5), c.file.number(at + 5, 3), c.file.number(at + 8, 3), c.file.u8(at + 11))
        out.append(block)
        c.j.region("block", at, 12, {"offset": block.offset, "compressed": block.compressed, "uncompressed": block.uncompressed,
                                     "method": block.method})
    return out


def read_methods(c):
    size = c.h["method_name_size"]
    rows = c.rows("methods", size) if c.h["n_methods"] else ()
    if rows is None:
        return None
    for at in rows:
        c.j.region("method", at, size)
    return [Method(c.file.bytes(at, size)) for at in rows]


def judge_methods(c):
    """4.25 to 4.29."""
    j, seen = c.j, set()
    used = {b.method for b in c.blocks}
    for number, method in enumerate(c.methods, 1):
        j.fire("BLK025", not method.ends)
        useless = j.fire("BLK026", method.name in seen | {"", "none"})
        seen.add(method.name)
        known = method.ends and method.name in KNOWN_METHODS
        j.fire("BLK027", not known and not useless, lesser=number not in used)
        j.fire("BLK028", method.dirty)
        j.fire("BLK029", known and number in used and method.name != "oodle")


def judge_block(c, block):
    """4.1, 4.2, 4.5 to 4.7, 4.10 and 4.21: a block by itself."""
    j = c.j
    j.fire("BLK001", block.method > c.h["n_methods"])
    j.fire("BLK002", block.uncompressed > c.h["block_size"])
    if not j.fire("BLK005", block.uncompressed and not block.compressed):
        j.fire("BLK006", block.method == 0 and block.compressed != block.uncompressed, lesser=block.compressed > block.uncompressed)
        nothing_saved = j.fire("BLK007", block.method and block.compressed and block.compressed >= block.uncompressed)
        j.fire("BLK021", c.version <= 6 and block.method and block.uncompressed <= SMALL and not nothing_saved)
    j.fire("BLK010", block.offset % 16, lesser=not c.encrypted)


def judge_place(c, block, in_header):
    """4.8, 4.9, 4.11, 4.12 and 4.16: where the bytes of a block lie."""
    j = c.j
    past = j.fire("BLK016", block.end >= SPACE)
    block.lies = bool(block.compressed)
    j.fire("BLK037", c.version == 2 and c.stored() and not block.compressed and block.offset > len(c.partitions[0]))
    if past or not block.compressed:
        return
    partition, at = c.place(block)
    outside = j.fire("BLK011", c.version >= 3 and partition >= c.h["n_partitions"] > 0)
    if outside or j.fire("BLK012", c.version >= 3 and at + block.compressed > c.h["partition_size"] > 0):
        block.lies = False
        return
    if not c.stored() or "BLK032" in j.rules():
        return
    data = c.partitions[partition]
    if not j.fire("BLK008", at + block.compressed > len(data)) and not in_header:
        j.fire("BLK009", at + block.room > len(data), lesser=not (c.encrypted or c.flag(4)))


def judge_chunk(c, chunk):
    """4.3, 4.4 and 4.20: the blocks of a chunk."""
    j, unit = c.j, c.h["block_size"]
    mine = [c.blocks[i] for i in chunk.blocks]
    if chunk.offset % unit == 0 and not j.fire("BLK003", any(b.uncompressed != unit for b in mine[:-1])):
        rest = chunk.length - (len(mine) - 1) * unit
        j.fire("BLK004", mine[-1].uncompressed != rest, lesser=mine[-1].uncompressed > rest)
    packed = any(b.method for b in mine)
    j.fire("BLK020", chunk.kind in (chunks.SCRIPTS, chunks.LIBRARY, chunks.SHADER) and packed)


def judge_mapped(c):
    """4.30."""
    for chunk, meta in zip(c.chunks, c.metas or ()):
        mine = [c.blocks[i] for i in chunk.existing] if meta.flags & 2 and not chunk.shares else ()
        c.j.fire("BLK030", any(b.method or b.offset % MAPPED or b.offset == 0 for b in mine))


def own_header(c):
    """The container header: the one with the container's id, else the first; None if its blocks are not there."""
    found = sorted(chunks.headers(c), key=lambda x: x.id != c.h["container_id"] or not x.is_asked_for)
    return found[0] if found and found[0].blocks else None


def is_asked_for(c, block):
    """Whether 4.8 asks for the bytes of a block (4.16)."""
    partition, at = c.place(block)
    beyond = c.version >= 3 and (partition >= c.h["n_partitions"] > 0 or at + block.compressed > c.h["partition_size"] > 0)
    return block.compressed and block.end < SPACE and not beyond


def judge_header(c, header):
    """4.17 to 4.19 and 4.36. Whether the one read of the header goes past the end of its file."""
    mine = [c.blocks[i] for i in header.blocks]
    c.j.fire("BLK017", any(b.method for b in mine) and c.version > 4)
    c.j.fire("BLK038", any(b.method for b in mine) and c.version < 4)
    places = [c.place(b) for b in mine]
    if c.version < 5:
        return False
    c.j.fire("BLK019", any(a.method == 0 and b.offset != a.offset + a.uncompressed for a, b in zip(mine, mine[1:])))
    c.j.fire("BLK036", (c.encrypted or c.flag(4)) and sum(b.room for b in mine) > up_to_16(header.length))
    partition, at = places[0]
    if not c.stored() or partition >= len(c.partitions):
        return False
    data = c.partitions[partition]
    if any(place[0] == partition and place[1] + b.compressed > len(data) for place, b in zip(places, mine) if is_asked_for(c, b)):
        return False
    return c.j.fire("BLK018", at + up_to_16(header.length) > len(data))


def judge_together(c):
    """4.14, 4.15 and 4.31: the blocks in the order of their records, and of their bytes."""
    j = c.j
    stored = [b for b in c.blocks if b.compressed]
    reach, last = 0, None
    for b in stored:
        if last:
            gap = b.offset - reach > LARGEST_GAP and c.partition_at(reach - 1) == c.partition_at(b.offset)
            j.fire("BLK015", b.offset < last.offset or gap)
        reach, last = max(reach, b.end), b
    reach, last = 0, None
    for b in sorted((b for b in stored if b.lies and b.end < SPACE), key=lambda b: (b.offset, b.compressed)):
        same = last and (last.offset, last.compressed) == (b.offset, b.compressed)
        j.fire("BLK014", b.offset < reach and not same)
        reach, last = max(reach, b.end), b
    if c.stored():
        judge_rest(c)


def judge_rest(c):
    """4.31, in each partition."""
    for number, data in enumerate(c.partitions):
        mine = [(c.place(b)[1], b) for b in c.blocks if b.lies and c.place(b)[0] == number]
        first = min((at for at, _ in mine), default=0)
        end = max((at + b.room for at, b in mine), default=0)
        c.j.fire("BLK031", min(first, len(data)) > LARGEST_GAP or len(data) > end)


def judge(c):
    if c.blocks is None or c.methods is None:
        return
    j = c.j
    judge_methods(c)
    j.fire("BLK032", c.stored() and any(b.compressed for b in c.blocks) and not len(c.partitions[0]))
    header = c.own_header = own_header(c)
    told = set(header.blocks) if header and judge_header(c, header) else ()
    for number, block in enumerate(c.blocks):
        judge_block(c, block)
        judge_place(c, block, number in told)
    for chunk in c.chunks or ():
        j.fire("BLK013", c.version >= 3 and c.h["n_partitions"] > 1 and len({c.place(c.blocks[i])[0] for i in chunk.existing}) > 1)
        if chunk.blocks:
            judge_chunk(c, chunk)
    judge_mapped(c)
    judge_together(c)
