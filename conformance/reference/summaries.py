"""What packages say of themselves, held against their store entries (8.21, 8.22, 8.38 of conformance/spec/iostore.md)."""
import types

from . import chunks, namebatch, zen
from .core import Cut, File, read_layout, size_of

EXPORT = 72
INITIAL = tuple((name, 4) for name in ("name", "number", "source_name", "source_number", "flags", "cooked_header_size", "names_at", "names_size",
                                       "hashes_at", "hashes_size", "imports_at", "exports_at", "bundles_at", "graph_at", "graph_size", "pad"))
COUNTED = tuple((name, 4) for name in ("has_versions", "header_size", "name", "number", "flags", "cooked_header_size", "hashes_at", "imports_at",
                                       "exports_at", "entries_at", "graph_at"))
NAMED = tuple((name, 4) for name in ("has_versions", "header_size", "name", "number", "flags", "cooked_header_size", "hashes_at", "imports_at",
                                     "exports_at", "entries_at", "dependency_heads", "dependencies", "names_at"))


def whole(size, row):
    """How many rows take these bytes; Cut where they do not."""
    if size < 0 or size % row:
        raise Cut
    return size // row


def exports_of(file, layout, end, length):
    s = read_layout(file, 0, layout)
    if s["graph_at"] > length:
        raise Cut
    return whole(s[end] - s["exports_at"], EXPORT)


def old_bundles(file, length):
    """Bundles of a package of Unreal Engine 4."""
    s = read_layout(file, 0, INITIAL)
    return whole(s["graph_at"] - s["bundles_at"] - 16 * exports_of(file, INITIAL, "bundles_at", length), 8)


def counted_bundles(file):
    """Bundles of one of 5.0 to 5.2."""
    s = read_layout(file, 0, COUNTED)
    exports = exports_of(file, COUNTED, "entries_at", len(file))
    if not exports or s["graph_at"] - s["entries_at"] != 16 * exports:
        raise Cut
    bundles, entries, at = 0, 0, s["graph_at"]
    while entries < 2 * exports:
        first, n = file.u32(at + 8), file.u32(at + 12)
        if first != entries or n == 0 or at + 16 > s["header_size"]:
            raise Cut
        bundles, entries, at = bundles + 1, entries + n, at + 16
    if entries != 2 * exports:
        raise Cut
    return bundles


def old_imports(file):
    """The packages that one of Unreal Engine 4 imports: a count, and rows of an id and arcs."""
    s = read_layout(file, 0, INITIAL)
    at, end, out = s["graph_at"] + 4, s["graph_at"] + s["graph_size"], []
    if at > end:
        raise Cut
    for _ in range(file.u32(at - 4)):
        out.append(file.u64(at))
        at += 12 + 8 * file.u32(at + 8)
    if at != end:
        raise Cut
    return out


def named_imports(file):
    """The ids of the packages that one since 5.3 imports, in their order; None among them where a name tells nothing."""
    s = read_layout(file, 0, NAMED)
    at, end = s["names_at"], s["header_size"]
    if not size_of(NAMED) <= at <= end <= len(file):
        raise Cut
    inner = File("", file.bytes(0, end))
    batch, at = namebatch.read(inner, at)
    if batch is None or not batch.sound or any(len(name.text) > namebatch.LONGEST for name in batch.names):
        raise Cut
    numbers = [inner.u32(at + 4 * i) for i in range(len(batch.names))]
    if at + 4 * len(numbers) != end:
        raise Cut
    return [namebatch.package_id(name.text, number) for name, number in zip(batch.names, numbers)]


def first_block(header, chunk):
    """What a package's first block gives, or None."""
    payload = header.payload
    if not payload.is_readable(chunk):
        return None
    data = payload.read(chunk.blocks[0])
    return None if data is None else File("", data[:chunk.length])


def known(reading, file):
    try:
        return reading(file)
    except Cut:
        return None


def judge(header, entries):
    j, c, version = header.j, header.c, header.version
    by_id = {}
    for chunk in c.chunks:
        if chunk.kind == chunks.PACKAGE and chunk.is_asked_for:
            by_id.setdefault(chunk.id, chunk)
    for entry in entries:
        chunk = by_id.get(entry.package)
        if chunk is None:
            continue
        if version == 0 and hasattr(entry, "bundles_size"):
            j.fire("CHD022", entry.bundles_size != chunk.length)
        if c.file.level != "structure":
            file = first_block(header, chunk)
            if file is not None:
                judge_package(header, entry, file, header.payload.chunk(chunk), chunk.length)


def judge_package(header, entry, file, data, length):
    """file is the first block, data all bytes, or None."""
    j, version = header.j, header.version
    claims = types.SimpleNamespace(version=version, is_ue4=version == 0, is_since_5_4=False)
    if data is not None and not zen.has_sections(File("", data), claims, j.work):
        return
    if version <= 2:
        layout, end = (INITIAL, "bundles_at") if version == 0 else (COUNTED, "entries_at")
        whole = File("", b"" if data is None else data)
        exports = known(lambda f: exports_of(f, layout, end, length), whole)
        bundles = known((lambda f: old_bundles(f, length)) if version == 0 else counted_bundles, whole)
        j.fire("CHD021", exports not in (None, entry.exports) or bundles not in (None, entry.bundles))
    if entry.imports is None or version in (1, 2):
        return
    own = [int.from_bytes(row, "little") for row in entry.imports]
    if version == 0:
        listed = known(old_imports, file)
        j.fire("CHD038", listed is not None and not set(own) <= set(listed))
    else:
        listed = known(named_imports, file)
        j.fire("CHD038", listed is not None and (len(listed) != len(own) or any(a not in (None, b) for a, b in zip(listed, own))))
