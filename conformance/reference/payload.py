"""The stored bytes of a container, from 4.22 to 4.35, 7.4, 7.5, 7.13 and chapter 10 of conformance/spec/iostore.md."""
import hashlib

from . import blake3, container_header, inside, keys, scripts, streams
from .blocks import KNOWN_METHODS, SPACE

RULES = {"BLK022", "BLK023", "BLK024", "BLK033", "BLK035", "MET004", "MET005", "SIG003", "RUN007", "RUN008", "RUN009"}
GAIN, ALWAYS = 1000, 1 << 20
NO_CODEC = {"not asked for", "oodle"}
PROBES = 8
MAGIC = b"nCoI"
NO_DECODER = "there is no decoder for Zstd here"


class Payload:
    """Blocks that were read, by their numbers, each with what it gives or None."""

    def __init__(self, c, key=None):
        self.c, self.key, self.given, self.broken, self.unread = c, key, {}, set(), set()
        self.by_index = False                   # whether the index alone confirms the key
        self.owned = {}                         # of each block, whether its first chunk is readable
        for chunk in c.chunks:
            readable = self.is_readable(chunk)
            for number in chunk.blocks or ():
                self.owned.setdefault(number, readable)

    def is_readable(self, chunk):
        """Whether all readers agree on the blocks of a chunk (4.22)."""
        unit = self.c.h["block_size"]
        if not chunk.blocks or chunk.offset % unit:
            return False
        mine = [self.c.blocks[i] for i in chunk.blocks]
        sizes = [b.uncompressed for b in mine]
        return sum(sizes) >= chunk.length and all(size == unit for size in sizes[:-1]) and all(map(self.is_sound, mine))

    def is_sound(self, block):
        """Whether no error of 4.1 to 4.16 or 4.27 is in a block."""
        c = self.c
        if block.method > c.h["n_methods"] or block.uncompressed > c.h["block_size"]:
            return False
        if block.method and c.methods[block.method - 1].name not in {"", "none"} | KNOWN_METHODS:
            return False
        if block.compressed == 0 or (block.method == 0 and block.compressed < block.uncompressed):
            return block.uncompressed == 0
        if not lies(block):
            return False
        partition, at = c.place(block)
        return at + (block.room if c.encrypted else block.compressed) <= len(c.partitions[partition])

    def stored(self, number):
        """The bytes of a block, decrypted; None where they are not there."""
        c, block = self.c, self.c.blocks[number]
        partition, at = c.place(block)
        size = block.room if c.encrypted else block.compressed
        data = c.partitions[partition][at:at + size]
        if len(data) < size:
            return None
        if c.encrypted and data:
            data = keys.opened(c, data, self.key, number)
        return None if data is None else bytes(data[:block.compressed])

    def read(self, number):
        """What a block gives; None where that is not known, and its rules in broken."""
        if number not in self.given:
            self.given[number] = self.decode(number)
        return self.given[number]

    def decode(self, number):
        c, block = self.c, self.c.blocks[number]
        if not lies(block) or block.method > c.h["n_methods"]:
            return None
        c.j.work.spend(block.compressed // 64 + 1)
        data = self.stored(number)
        if data is None or block.method == 0:
            return None if data is None or len(data) < block.uncompressed else data[:block.uncompressed]
        name = c.methods[block.method - 1].name
        if block.compressed >= block.uncompressed or name in ("", "none"):
            self.unread.add("not asked for")
        elif name in ("zstd", "oodle"):
            self.unread.add(name)
        if block.compressed >= block.uncompressed or name not in streams.DECODERS:
            return None
        stream = streams.DECODERS[name](data, block.uncompressed)
        if self.owned[number]:
            self.judge_stream(stream, block.uncompressed)
        return stream.data if stream.data is not None and len(stream.data) == block.uncompressed else None

    def judge_stream(self, stream, size):
        if stream.data is None:
            self.broken.add("BLK022")
        elif len(stream.data) != size:
            self.broken.add("BLK023")
        elif stream.left:
            self.broken.add("BLK024")

    def chunk(self, chunk):
        """The bytes of a chunk, or None where they are not known."""
        if not self.is_readable(chunk):
            return None
        parts = [self.read(i) for i in chunk.blocks]
        if None in parts:
            return None
        return b"".join(parts)[:chunk.length]


def lies(block):
    return block.lies and block.end < SPACE


def digests(version, data):
    """The digest that the version has, and the other one."""
    both = hashlib.sha1(data).digest(), blake3.digest(data)[:20]
    return both if version <= 3 else both[::-1]


class Digests:
    """What the metas of a container say of its chunks: of each that could be compared, whether it is so by either way."""

    def __init__(self, payload):
        c = payload.c
        self.own, self.other, self.wrong, self.doubtful = 0, 0, [], payload.by_index
        for chunk, meta in zip(c.chunks, c.metas):
            data = payload.chunk(chunk)
            if data is None or not any(meta.digest) or not chunk.length:
                continue
            own, other = digests(c.version, data)
            if meta.digest == own:
                self.own += 1
            elif meta.digest == other:
                self.other += 1
            else:
                self.wrong.append(data)

    def judge(self, j, rule):
        j.fire(rule, self.other, lesser=True)
        of_packer = not self.own and not self.other and len(self.wrong) > 1 and not self.doubtful
        for data in self.wrong:
            j.fire(rule, lesser=of_packer and any(data))


def is_packed(c, chunk):
    return any(c.blocks[i].method for i in chunk.blocks)


def has_digest(c, chunk):
    return c.version != 4 and any(c.metas[c.chunks.index(chunk)].digest)


def can_be_read(payload, chunk):
    """Whether there is a decoder for every block."""
    c = payload.c
    blocks = [c.blocks[i] for i in chunk.blocks or ()]
    return chunk.length and payload.is_readable(chunk) and not any(
        b.method and (b.compressed >= b.uncompressed or c.methods[b.method - 1].name in ("", "none", "oodle")) for b in blocks)


def begins_right(payload, header):
    c, data = payload.c, payload.read(header.blocks[0])
    data = b"" if data is None else data[:header.length]
    return data[:4] == MAGIC or (c.version <= 4 and data[:8] == c.h["container_id"].to_bytes(8, "little"))


def asked(payload, header):
    """The chunks that keys are tried on (4.33)."""
    c = payload.c
    beginning = c.version >= 5 or c.h["container_id"] not in (0, (1 << 64) - 1)
    first = [header] if header and can_be_read(payload, header) and (beginning or is_packed(c, header) or has_digest(c, header)) else []
    others = [chunk for chunk in c.chunks if chunk is not header and not chunk.shares and can_be_read(payload, chunk)
              and (is_packed(c, chunk) or has_digest(c, chunk))]
    return first + sorted(others, key=lambda chunk: chunk.length)[:PROBES]


def says(payload, chunk, header):
    """Whether a chunk says yes to the payload's key; None where it cannot be told here."""
    c = payload.c
    if chunk is header and (c.version >= 5 or c.h["container_id"] not in (0, (1 << 64) - 1)) and begins_right(payload, header):
        return True
    if is_packed(c, chunk):
        packed = [i for i in chunk.blocks if c.blocks[i].method]
        if any(payload.read(i) is not None for i in packed):
            return True
        return None if "zstd" in payload.unread else False
    if not has_digest(c, chunk):
        return False
    data = payload.chunk(chunk)
    return data is not None and c.metas[c.chunks.index(chunk)].digest in digests(c.version, data)


def find_key(c, header):
    """A payload that is opened with the right key, or None; BLK033 where chunks say that there is none."""
    by_index, told = None, False
    for key in keys.of(c):
        trial = Payload(c, key)
        answers = [says(trial, chunk, header) for chunk in asked(trial, header)]
        if True in answers:
            return Payload(c, key)
        if None in answers:
            c.j.leave_open(NO_DECODER, *RULES, *container_header.RULES)
            return None
        told = told or False in answers
        if key == c.index_key and answers.count(False) <= 1:
            by_index = by_index or Payload(c, key)
            by_index.by_index = True
    c.j.fire("BLK033", told and by_index is None and c.file.level != "structure")
    return by_index


def open_payload(c, header):
    """A payload that can be read, or None."""
    if not c.encrypted or not any(b.compressed for b in c.blocks):
        return Payload(c)
    if c.j.fire("RUN009", not keys.is_method_known(c)):
        return None
    if c.j.fire("RUN009", keys.by_counter(c) and c.sections["vectors"][1] // 12 < len(c.blocks)):
        return None
    payload = find_key(c, header)
    c.j.fire("RUN009", payload is None)
    return payload


def judge_signed(c):
    """7.13."""
    at, size = c.sections["signatures"]
    begin = at + 4 + 2 * c.signature_size
    for number, block in enumerate(c.blocks):
        if not lies(block) and block.compressed:
            continue
        partition, place = c.place(block)
        data = c.partitions[partition][place:place + block.room] if block.compressed else b""
        if len(data) == block.room:
            c.j.fire("SIG003", hashlib.sha1(data).digest() != c.file.bytes(begin + 20 * number, 20))


def judge_header(c, payload, header):
    """4.35, where nothing else is read."""
    for chunk in [header] if header else scripts.parts(c):
        for number in chunk.blocks:
            payload.read(number)
    c.j.fire("BLK035", payload.broken - {"BLK024"})
    c.j.fire("RUN007", payload.unread & NO_CODEC)


def judge(c, header):
    """header is the container header, or None. What is returned lies in the container."""
    j = c.j
    if c.blocks is None or c.methods is None or c.chunks is None:
        return None
    structure = c.file.level == "structure"
    j.fire("RUN008", c.file.beside is None and not structure)
    if not c.stored() or "BLK032" in j.rules():
        return None
    if sum(b.uncompressed for b in c.blocks) > max(ALWAYS, GAIN * sum(b.compressed for b in c.blocks)):
        j.leave_open("a limit", *RULES, *container_header.RULES)
        return None
    lists = c.is_global and None not in scripts.parts(c)
    if structure and header is None and not lists:
        return None
    payload = open_payload(c, header)
    if payload is None:
        return None
    packages = container_header.judge(c, payload)
    if lists:
        scripts.judge(c, payload)
    if structure:
        judge_header(c, payload, header)
        return None
    judge_content(c, payload)
    return inside.judge(c, payload, packages)


def judge_content(c, payload):
    j = c.j
    for chunk in c.chunks:
        payload.chunk(chunk)
    if "zstd" in payload.unread:
        j.leave_open(NO_DECODER, *RULES)
    for rule in payload.broken:
        j.fire(rule)
    j.fire("RUN007", payload.unread & NO_CODEC)
    if c.metas is not None and c.version != 4:
        Digests(payload).judge(j, "MET004" if c.version <= 3 else "MET005")
    if "signatures" in c.sections:
        judge_signed(c)
