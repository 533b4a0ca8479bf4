"""The global container, from chapter 11 of conformance/spec/iostore.md."""
from assembler.hashes import cityhash64_bytes

from . import namebatch
from .core import File
from .filenames import fold_ascii

RULES = {f"GLB{n:03}" for n in range(1, 7)}
OBJECTS, OLD_OBJECTS, OLD_NAMES, OLD_HASHES = 5, 7, 8, 9        # types, of Unreal Engine 5 and 4
NONE = (1 << 64) - 1
SCRIPT = 1
LONGEST_PATH, MOST_NAMES = 1024, 64
ROW = 32


def part(c, kind):
    """The chunk that an engine asks for."""
    return next((chunk for chunk in c.chunks if chunk.type == kind and chunk.id == 0 and chunk.is_asked_for), None)


def parts(c):
    return [part(c, OBJECTS)] if c.new_types else [part(c, kind) for kind in (OLD_OBJECTS, OLD_NAMES, OLD_HASHES)]


def judge_chunks(c):
    """11.1 and the first half of 11.3: whether all chunks are there."""
    return not c.j.fire("GLB001" if c.new_types else "GLB003", None in parts(c))


def contents(payload, chunk):
    data = payload.chunk(chunk) if chunk.length else b""
    return None if data is None else File("", data)


def read_names(c, files):
    """The batch, and where the count of script objects stands; None for the batch where it cannot be read."""
    j = c.j
    if c.new_types:
        batch, end = (None, None) if len(files[0]) < 4 else namebatch.read(files[0], 0)
        if j.fire("NAM001", batch is None):
            return None, None
        if j.fire("NAM002", batch.hashes and not batch.sound):
            namebatch.judge_algorithm(j, batch)
            return None, None
    else:
        _, names, hashes = files
        batch, end = namebatch.read_old(names, 0, len(names)), 0
        batch.hashes = [hashes.u64(at) for at in range(8, len(hashes) // 8 * 8, 8)]
        batch.algorithm = hashes.u64(0) if len(hashes) >= 8 else namebatch.ALGORITHM
        if j.fire("NAM009", not batch.sound):
            namebatch.judge_algorithm(j, batch)
            return None, None
        j.fire("NAM010", len(batch.hashes) != len(batch.names))
    namebatch.judge(j, batch)
    return batch, end


class Script:
    def __init__(self, file, at, names):
        self.name, self.number = file.u32(at), file.u32(at + 4)
        self.id, self.outer, self.of_class = (file.u64(at + 8 + 8 * i) for i in range(3))
        known = self.name >> 30 == 2 and self.name % (1 << 30) < len(names)
        self.text = names[self.name % (1 << 30)].text + (f"_{self.number - 1}" if self.number else "") if known else None


def path_of(script, by_id):
    """The path, or None where the id is not compared with it."""
    out, n = [], 0
    while script is not None and script.text is not None and script.text.isascii():
        out.append(script.text)
        n += len(script.text) + 1
        if n - 1 > LONGEST_PATH or len(out) > MOST_NAMES:
            return None
        if script.outer == NONE:
            return fold_ascii("/".join(reversed(out)).replace(".", "/").replace(":", "/"))
        script = by_id.get(script.outer)
    return None


def outer_of(script, by_id):
    return None if script.outer == NONE else by_id.get(script.outer)


def in_cycle(script, by_id):
    seen, at = set(), outer_of(script, by_id)
    while at is not None and at is not script and id(at) not in seen:
        seen.add(id(at))
        at = outer_of(at, by_id)
    return at is script


def judge_script(j, script, by_id):
    j.work.spend()
    j.fire("GLB004", script.text is None)
    path = path_of(script, by_id)
    differs = path is not None and cityhash64_bytes(path.encode("utf-16-le")) % (1 << 62) != script.id % (1 << 62)
    j.fire("GLB005", script.id >> 62 != SCRIPT or differs)
    j.fire("GLB006", script.outer not in by_id and script.outer != NONE or script.of_class not in by_id and script.of_class != NONE
           or in_cycle(script, by_id))


def judge(c, payload):
    """payload can be read."""
    j, chunks = c.j, parts(c)
    if None in chunks:
        return
    files = [contents(payload, chunk) for chunk in chunks]
    if None in files:
        return
    batch, at = read_names(c, files)
    if batch is None:
        return
    size = "GLB002" if c.new_types else "GLB003"
    file, left = files[0], len(files[0]) - at - 4
    if j.fire(size, left < 0 or file.u32(at) > left // ROW):
        return
    n = file.u32(at)
    rest = file.bytes(at + 4 + ROW * n, left - ROW * n)
    j.fire(size, len(rest) > 15 or any(rest))
    scripts = [Script(file, at + 4 + ROW * i, batch.names) for i in range(n)]
    by_id = {}
    for script in scripts:
        by_id.setdefault(script.id, script)
    j.fire("GLB005", len(by_id) < len(scripts))
    for script in scripts:
        judge_script(j, script, by_id)
