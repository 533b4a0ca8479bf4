"""The packages of a container, judged with what it says of them (10.2 of conformance/spec/iostore.md)."""
from . import chunks, zen
from .core import File, Judgement

LONG_HEADER = 1 << 20
BULK = (chunks.BULK, chunks.OPTIONAL_BULK, chunks.MAPPED_BULK)


class Claims:
    """What a container says of one of its packages. version is None where there is no container header that can be read; bundles and imports
    are None where there is no store entry that says them, bulk where nothing is known, and a length in it where there is no such chunk."""

    def __init__(self, c, chunk, header):
        self.id, self.is_ue4 = chunk.id, not c.new_types
        self.is_since_5_4 = c.version > 5
        self.version = None if header is None or "CHD003" in c.j.rules() else getattr(header, "version", None)
        entry = header.by_id.get(chunk.id) if header is not None and chunk.is_asked_for else None
        counts = (None,) if entry is None else (entry.exports, entry.bundles)
        self.bundles = None if None in counts or min(counts) < 0 else entry.bundles
        self.imports = None if entry is None or None in (entry.imports, entry.hashes) else len(entry.imports)
        self.bulk = None if not chunk.is_asked_for else [self.length(c, chunk.id, kind) for kind in BULK]

    @staticmethod
    def length(c, id_, kind):
        return next((chunk.length for chunk in c.chunks if chunk.kind == kind and chunk.id == id_ and chunk.is_asked_for), None)


def name_of(c, number):
    return c.paths.get(number) or f"ExportBundleData {c.chunks[number].id:016x}"


def judge(c, payload, header):
    """(name, file) of each package in which something is found."""
    out = []
    for number, chunk in enumerate(c.chunks):
        if chunk.kind != chunks.PACKAGE or chunk.length == 0:
            continue
        data = payload.chunk(chunk)
        if data is None:
            continue
        file = File(name_of(c, number), data, level=c.file.level).aimed_as(c.file)
        file.claims = Claims(c, chunk, header)
        trial = Judgement(file, "zen", c.j.work)
        zen.judge(trial)
        if trial.fired or zen.header_size(trial) > LONG_HEADER:
            out.append((file.name, file, "zen"))
    return out
