"""The metas of chunks, from chapter 7 of conformance/spec/iostore.md."""
from . import chunks
from .core import read_layout

RULES = {"MET001", "MET002", "MET003", "MET006", "MET007"}
LONG = (("hash_0", 8), ("hash_1", 8), ("hash_2", 4), ("pad_0", 4), ("pad_1", 8), ("flags", 1))
SHORT = (("hash_0", 8), ("hash_1", 8), ("hash_2", 4), ("flags", 1), ("pad", 3))


class Meta:
    def __init__(self, digest, padding, flags):
        self.digest, self.padding, self.flags = digest, padding, flags


def read(c):
    rows = c.rows("metas", c.meta_size())
    if rows is None:
        return None
    layout = SHORT[:-1] if c.early else SHORT if c.version >= 8 else LONG
    out = []
    for at in rows:
        fields = read_layout(c.file, at, layout)
        c.j.region("meta", at, c.meta_size(), () if c.early else fields)
        padding = any(fields.get(name) for name in ("pad", "pad_0", "pad_1"))
        out.append(Meta(c.file.bytes(at, 20), padding, fields["flags"]))
    return out


def judge(c):
    if c.metas is None or c.chunks is None:
        return
    j = c.j
    for chunk, meta in zip(c.chunks, c.metas):
        j.fire("MET001", meta.flags & ~3)
        packed = any(c.blocks[i].method for i in chunk.blocks or ())
        j.fire("MET002", (chunk.given or not chunk.length) and bool(meta.flags & 1) != packed)
        j.fire("MET003", meta.padding)
        j.fire("MET006", not any(meta.digest))
        j.fire("MET007", meta.flags & 2 and chunk.kind not in (chunks.BULK, chunks.MAPPED_BULK))
