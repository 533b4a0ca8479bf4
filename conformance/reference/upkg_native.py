"""What objects of the engine's classes have behind their properties (upkg.md 9), and which classes and versions were measured. Models and
levels are in upkg_level.py, meshes and animations in upkg_mesh.py."""
import struct

from . import filenames
from .core import Cut

RULES = ({f"NAT{n:03}" for n in range(1, 6)} | {f"TEX{n:03}" for n in range(1, 12)} | {f"MUS{n:03}" for n in range(1, 4)}
         | {"CIX006", "PAL001", "SND001", "SND002", "SND003", "TXT001", "POL001", "POL002", "FNT001", "FNT002"})
MIPS = set("texture firetexture icetexture wavetexture wettexture watertexture".split())
MATERIALS = set("shader combiner finalblend texrotator texpanner texscaler texoscillator texenvmap colormodifier constantcolor fadecolor "
                "vertexcolor materialsequence scriptedtexture".split())
MUSIC = set("it s3m xm mod stm far mtm ogg umx".split())
MARKS = {"it": (0, b"IMPM"), "s3m": (44, b"SCRM"), "xm": (0, b"Extended Module:")}
PROGRAMS = (b"MZ", b"\x7fELF", b"\xfe\xed\xfa\xce", b"\xce\xfa\xed\xfe", b"\xfe\xed\xfa\xcf", b"\xcf\xfa\xed\xfe", b"\xc1\x83\x2a\x9e", b"\xc2\x83\x2a\x9e")
COLOURS = 256
VERTICES = range(3, 17)
MOST_MIPS, LARGEST = 12, 16384
LEADS_BACK, PLAIN = 0x7FFFFFF7, 1


class Stop(Exception):
    """What follows in this object cannot be read."""


class Data:
    """Reads the numbers of a body. What ends too soon breaks 9.1."""

    def __init__(self, body):
        self.b, self.p, self.version = body, body.p, body.p.version
        self.open_end, self.of_227 = False, self.p.licensee == 227

    def fire(self, rule, when=True, lesser=False):
        return self.b.fire(rule, when, lesser)

    def note(self, rule, when=True, lesser=False):
        """A rule that is no error."""
        return self.b.j.fire(rule, when, lesser=lesser)

    def left(self):
        return self.b.end - self.b.at

    def index(self):
        return self.b.index()

    def u8(self):
        return self.b.number(1)

    def u32(self):
        return self.b.number(4)

    def i32(self):
        return self.b.number(4, signed=True)

    def skip(self, n):
        self.b.skip(n)

    def fits(self, n, least):
        """A number of elements of so many bytes at least, or Stop."""
        if self.fire("NAT003", n > self.left() // least):
            raise Stop
        return n

    def count(self, least=1):
        n = self.index()
        if self.fire("CIX006", n < 0):
            raise Stop
        return self.fits(n, least)

    def list(self, least, rule):
        """A number of elements, and room for no fewer; what there are can be read all the same (9.7, 9.9)."""
        n, room = self.i32(), self.i32()
        self.fits(n, least)
        if self.fire(rule, n < 0 or n > room) and n < 0:
            raise Stop
        return n

    def reference(self):
        ref = self.index()
        self.fire("NAT004", not self.b.rows.exists(ref))
        self.b.need_object(ref)
        return ref

    def name(self):
        index = self.index()
        self.fire("NAT004", not self.b.is_name(index))
        self.b.need_name(index)
        return self.b.rows.name(index)

    def texts(self, n):
        for _ in range(n):
            data, width = self.text()
            self.fire("NAT005", data and any(data[-width:]))

    def text(self):
        """The bytes of a text, and those of its units."""
        n = self.index()
        width = 2 if n < 0 else 1
        size = self.fits(abs(n), width) * width
        self.skip(size)
        return self.b.file.bytes(self.b.at - size, size), width

    def lazy(self, size=1):
        """The place and the length of a lazy array's data, whose elements have so many bytes."""
        place = self.u32() if self.version >= 62 else None
        n = self.count(size) * size
        begin = self.b.at
        self.skip(n)
        self.fire("NAT001", place not in (None, self.b.at))
        return begin, n

    def class_of(self, ref):
        """The class of an object, None for what is none or not there."""
        if ref == 0 or not self.b.rows.exists(ref):
            return None
        row = self.b.rows.row(ref)
        return self.b.rows.engine_class(row.kind) if ref > 0 else self.b.rows.name(row.class_name)

    def engine_class_of(self, ref):
        """The class of an object if it is one of the engine's, else None."""
        if ref >= 0 or not self.b.rows.exists(ref):
            return "class" if ref > 0 and self.b.rows.exists(ref) and self.b.rows.row(ref).kind == 0 else self.class_of(ref)
        return self.class_of(ref) if self.b.rows.name(self.b.rows.row(ref).class_package) in ("core", "engine") else None

    def property(self, name, kind):
        """The bytes of a property of the object itself and its bit, or None."""
        tag, at = self.b.properties.get(name, (None, 0))
        return None if tag is None or tag.type != kind else (self.b.file.bytes(at, tag.size), tag.bit)


# ------------------------------------------------------------------------------------------------------------ textures

BYTE, INT, BOOL, OBJECT = 1, 2, 3, 5


NO_FORMAT = -1


TEXELS = {0: 1, 1: 4, 4: 3, 5: 4}
TEXELS_OF_UE2 = {2: 2, 9: 1, 10: 2}
BLOCKS_OF_UE1 = {3: 8, 6: 16, 7: 16, 8: 8, 9: 8, 10: 16, 11: 16, 12: 16, 13: 16, 14: 16}
BLOCKS_OF_UE2 = {3: 8, 7: 16, 8: 16}
DROPS, ROOM_FOR_DROPS = set("watertexture wavetexture wettexture fluidtexture".split()), 256


def mip_bytes(form, w, h, in_ue2):
    texels = {**TEXELS, **TEXELS_OF_UE2} if in_ue2 else TEXELS
    blocks = BLOCKS_OF_UE2 if in_ue2 else BLOCKS_OF_UE1
    if form in texels:
        return texels[form] * w * h
    return blocks[form] * -(-w // 4) * -(-h // 4) if form in blocks else None


def byte_of(d, name):
    value = d.property(name, BYTE)
    return value[0][0] if value else 0


def read_mips(d, form):
    """A list of mips: (width, height, bytes) of each."""
    out = []
    for _ in range(d.count(11 if d.version < 62 else 15)):
        _, n = d.lazy()
        w, h = d.i32(), d.i32()
        bits = d.u8(), d.u8()
        d.note("TEX001", any(b >= 31 or size != 1 << b for b, size in zip(bits, (w, h))))
        d.note("TEX002", n and w > 0 and h > 0 and mip_bytes(form, w, h, d.b.in_ue2) not in (None, n))
        d.note("TEX004", out and ((w, h) != tuple(side if side == 1 else side // 2 for side in out[-1][:2]) or out[-1][:2] == (1, 1)))
        out.append((w, h, n, *bits))
    is_large = MOST_MIPS < len(out) <= halvings(min(max(out[0][:2]), LARGEST)) if out else False
    d.fire("TEX008", len(out) > MOST_MIPS, lesser=is_large or d.b.in_ue2 or d.of_227)
    return out


def number_of(d, name):
    value = d.property(name, INT)
    return int.from_bytes(value[0], "little", signed=True) if value else None


def halvings(side):
    return max(side, 1).bit_length()


def texture(d):
    form, kind = byte_of(d, "format"), d.b.kind
    mips = read_mips(d, form)
    d.mips = mips
    has_compressed = d.property("bhascomp", BOOL)
    if has_compressed and has_compressed[1] and d.version < 84:
        compressed = d.left() and read_mips(d, byte_of(d, "compformat") or NO_FORMAT)
        d.note("TEX005", not d.b.in_ue2 and (not compressed or byte_of(d, "compformat") == 0))
    if kind == "firetexture" and (60 <= d.version <= 69 or 99 <= d.version <= 115):
        n = d.count(8)
        d.skip(8 * n)
        d.note("TEX011", number_of(d, "numsparks") not in (None, n))
    drops = number_of(d, "numdrops")
    d.fire("TEX010", kind in DROPS and drops is not None and not 0 <= drops <= ROOM_FOR_DROPS, lesser=d.b.in_ue2)
    d.open_end = (kind == "firetexture" and not (60 <= d.version <= 69 or 99 <= d.version <= 115)) or kind == "fluidtexture"
    judge_texture(d, mips, form)


def judge_texture(d, mips, form):
    if d.b.kind == "texture":
        d.note("TEX003", mips and mips[0][2] == 0)
        palette = d.property("palette", OBJECT)
        if not d.b.in_ue2 and form == 0:
            ref = reference_of(d, "palette") if palette else 0
            d.note("TEX007", d.b.rows.exists(ref) and d.class_of(ref) != "palette")
    for name, kind, part in (("usize", INT, 0), ("vsize", INT, 1), ("ubits", BYTE, 3), ("vbits", BYTE, 4)):
        value = d.property(name, kind)
        d.note("TEX009", not d.b.in_ue2 and value and mips and int.from_bytes(value[0], "little", signed=kind == INT) != mips[0][part])
    for name, side in (("uclamp", 0), ("vclamp", 1)):
        value = d.property(name, INT)
        d.note("TEX006", value and mips and int.from_bytes(value[0], "little", signed=True) > mips[0][side])


def reference_of(d, name):
    from .index import read_index
    tag, at = d.b.properties[name]
    return read_index(d.b.file, at, at + tag.size).value


def palette(d):
    n = d.count(4)
    d.skip(4 * n)
    d.note("PAL001", n != COLOURS)


def nothing(_):
    """Classes that have nothing behind their properties."""


# ------------------------------------------------------------------------------------------------------ sounds and texts

def sound(d):
    kind = d.name()
    d.note("SND001", not d.b.in_ue2 and kind not in (None, "wav", "ogg"))
    if 26 <= d.p.licensee <= 29:
        d.skip(4)
    at, n = d.lazy()
    data = d.b.file.bytes(at, n)
    d.note("SND001", not d.b.in_ue2 and kind == "ogg", lesser=data[:4] == b"OggS")
    if d.note("MUS002", data.startswith(PROGRAMS)):
        return
    if data[8:12] == b"WAVE":
        d.fire("SND003", any(size >= LEADS_BACK for _, _, size in chunks(data)), lesser=d.b.in_ue2 or d.of_227)
    if kind == "wav" and not d.note("SND001", not begins_wave(data)):
        d.note("SND002", not is_wave(data))


def begins_wave(data):
    return len(data) >= 12 and data[:4] == b"RIFF" and data[8:12] == b"WAVE" and struct.unpack_from("<I", data, 4)[0] + 8 <= len(data)


def chunks(data):
    """The place, name and length of each chunk behind the head."""
    at = 12
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack_from("<I", data, at + 4)[0]
        yield at + 8, name, size
        at += 8 + size + size % 2


def is_wave(data):
    """Whether the chunks are those of a sound. One that leads back is told by itself, whatever it is."""
    found = list(chunks(data))
    formats = [(at, min(size, len(data) - at)) for at, name, size in found if name == b"fmt "]
    if not formats or formats[0][1] < 14 or all(name != b"data" for _, name, _ in found):
        return False
    at, size = formats[0]
    coding, channels, rate = struct.unpack_from("<HHI", data, at)
    bits = struct.unpack_from("<H", data, at + 14)[0] if size >= 16 else None
    cut = any(len(data) < at + size < LEADS_BACK + at for at, _, size in found)
    return not cut and channels != 0 and rate != 0 and (coding != PLAIN or bits != 0)


def sound_group(d):
    for _ in range(d.count()):
        d.reference()


def procedural_sound(d):
    d.skip(4)
    d.reference()
    d.skip(16)


def music(d):
    kind = d.name()
    d.note("MUS001", kind is not None and kind not in MUSIC)
    at, n = d.lazy()
    data = d.b.file.bytes(at, n)
    place, mark = MARKS.get(kind, (0, b""))
    if not d.note("MUS002", data.startswith(PROGRAMS)):
        d.note("MUS003", data[place:place + len(mark)] != mark)


def text_buffer(d):
    d.skip(8)
    data, width = d.text()
    d.fire("TXT001", data and any(data[-width:]), lesser=d.b.in_ue2)


def polys(d):
    n = d.list(62 if d.version < 78 or d.version >= 106 else 58, "POL002")
    for _ in range(n):
        vertices = d.count(12)
        d.fire("POL001", vertices > VERTICES[-1], lesser=d.of_227)
        d.note("POL001", vertices < VERTICES[0], lesser=True)
        d.skip(48 + 12 * vertices + 4)
        d.reference()
        d.reference()
        d.name()
        d.index()
        d.index()
        d.skip(4 if d.version < 78 or d.version >= 106 else 0)


# ------------------------------------------------------------------------------------------------------------------- fonts

def font(d):
    pages = old_pages(d) if not d.b.in_ue2 else new_pages(d)
    for ref, glyphs in pages:
        d.note("FNT001", ref and d.b.rows.exists(ref) and d.class_of(ref) != "texture")
        judge_glyphs(d, ref, glyphs)
    if d.version >= 69:
        n = d.count(1)
        if n:
            d.open_end = True
            return
        d.skip(4)


def glyph(d):
    return d.i32(), d.i32(), d.i32(), d.i32()


def old_pages(d):
    out = []
    for _ in range(d.count(2)):
        ref = d.reference()
        out.append((ref, [glyph(d) for _ in range(d.count(16))]))
    d.fire("FNT002", d.i32() < 1)
    return out


def new_pages(d):
    glyphs = [(glyph(d), d.u8()) for _ in range(d.count(17))]
    refs = [d.reference() for _ in range(d.count(1))]
    d.skip(4)
    d.note("FNT001", any(page >= len(refs) for _, page in glyphs))
    lost = [g for g, page in glyphs if page >= len(refs)]
    return [(ref, [g for g, page in glyphs if page == i]) for i, ref in enumerate(refs)] + [(0, lost)]


def judge_glyphs(d, ref, glyphs):
    d.note("FNT001", any(min(g) < 0 for g in glyphs))
    mip = first_mip(d, ref) if ref > 0 and d.b.rows.exists(ref) else None
    if mip:
        d.note("FNT001", any(w > 0 and h > 0 and (u + w > mip[0] or v + h > mip[1]) for u, v, w, h in glyphs), lesser=True)


def first_mip(d, ref):
    """The size of a texture of this package, or None."""
    from . import upkg_bodies
    return upkg_bodies.first_mip(d.p, d.b.rows, ref)


# ------------------------------------------------------------------------------------------------------------- what is read

def reader_of(body):
    """The reader of a body's class in its version, or None."""
    from . import upkg_level, upkg_mesh
    v, licensee, kind = body.p.version, body.p.licensee, body.kind
    if kind in MIPS or (kind == "scriptedtexture" and v <= 69) or (kind in ("cubemap", "fluidtexture") and v >= 99):
        return texture
    if kind in MATERIALS and v >= 99:
        return nothing
    if kind == "sound" and (v <= 69 or (119 <= v and 26 <= licensee <= 29) or (v == 126 and licensee == 0)):
        return sound
    if kind in ("soundgroup", "proceduralsound") and (v, licensee) == (128, 29):
        return sound_group if kind == "soundgroup" else procedural_sound
    if kind in ("model", "level", "music"):
        least = {"model": 62, "level": 60, "music": 0}[kind]
        return {"model": upkg_level.model, "level": upkg_level.level, "music": music}[kind] if least <= v <= 69 else None
    if kind == "font":
        return font if 64 <= v <= 69 or v >= 122 else None
    if kind in upkg_mesh.READERS:
        return upkg_mesh.READERS[kind] if (v, licensee) == (69, 0) else None
    return {"palette": palette, "textbuffer": text_buffer, "polys": polys}.get(kind)


ALWAYS_SOMETHING = set("staticmesh vertmesh meshanimation vectors verts bspnodes bspsurfs palette sound music textbuffer polys model level font mesh "
                       "lodmesh skeletalmesh animation".split()) | MIPS


def must_have_something(body):
    """9.1: whether objects of its kind have something behind their properties in every version."""
    kind, v = body.kind, body.p.version
    return kind in ALWAYS_SOMETHING or (kind == "scriptedtexture" and v <= 69) or (kind in ("cubemap", "fluidtexture") and v >= 99)


def judge(body):
    read = reader_of(body)
    if read is None:
        return None
    d = Data(body)
    try:
        read(d)
        d.fire("NAT002", not d.open_end and body.at != body.end)
    except Cut:
        d.fire("NAT002")
    except Stop:
        pass
    return d


def judge_map(package, rows):
    """9.9: a map has one level."""
    from . import upkg_bodies
    if filenames.fold_ascii(package.extension) in ("unr", "ut2", "dx", "un2") and (package.is_ue1 or package.is_ue2):
        levels = [e for e in rows.exports.rows if e.kind and rows.exists(e.kind) and rows.engine_class(e.kind) == "level"]
        named = [e for e in levels if rows.name(e.name) == "mylevel"]
        loaded = [e for e in named if e.flags & upkg_bodies.LOADED_BY_GAMES]
        is_hidden = package.is_ue1 and named and not loaded
        package.j.fire("LVL003", len(levels) != 1 or len(loaded) != 1, lesser=not is_hidden)
