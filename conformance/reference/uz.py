"""Compressed downloads, from conformance/spec/uz.md: .uz2, .uz3 and .lzma, and what tells the forms apart. The stages of a .uz are in
uz_stages.py."""
import lzma
import zlib

from . import filenames, upkg, uz_stages
from .core import Cut, read_layout
from .index import read_index

EXTENSIONS = ("uz", "uz2", "uz3", "lzma")
OLD, NEW = 1234, 5678
UZ3_HEADER = 8
TAGS = (0x9E2A83C1, 0x9E2A83C2)
MAX_UNITS = 256
MAX_PACKED, MAX_UNPACKED = 33096, 32768
ZLIB_GAIN, LZMA_GAIN = 1032, 7091
USUAL_DICTIONARY = 64 << 20
INT_MAX = 0x7FFFFFFF
ALL_BITS = (1 << 64) - 1
BYTE_OF_227 = 172
LOOKED_AT = 64 << 10             # how much of a zlib stream shows that it is one (2.4)
# Limits of a check as it is (1.3).
LIMIT, RATIO, ALWAYS = 268435456, 1000, 1 << 24

RULES = {"uz": {f"UZC{n:03}" for n in range(1, 15)}, "uz2": {f"UZT{n:03}" for n in range(1, 6)}, "uz3": {"UZH001", "UZH002"}, "lzma": {"LZM001", "LZM002"}}
LABELS = {"uz": {"header", "original", "codes"}, "uz2": {"chunk", "stream"}, "uz3": {"header"}, "lzma": {"header"}}


class Name:
    """A stored name: a counted text. sound where 2.2 allows it; readable where its end is known."""

    def __init__(self, file, at):
        count = read_index(file, at, len(file))
        self.at, self.text, self.sound, self.readable = at, "", False, False
        units, wide = abs(count.value), count.value < 0
        begin = at + count.length
        self.end = begin + units * (2 if wide else 1)
        if count.trouble or units > MAX_UNITS or self.end > len(file):
            return
        data = file.bytes(begin, self.end - begin)
        text = filenames.from_utf16(data) if wide else filenames.from_cp1252(data)
        self.readable = True
        self.text = text[:-1] if text[-1:] == "\0" else text
        self.sound = text[-1:] == "\0" and "\0" not in self.text and is_plain(self.text, wide)


def is_plain(name, wide):
    """Whether a name is that of a file in the folder where it is created."""
    return name not in ("", "..") and len(filenames.components(name)) == 1 and not filenames.is_unsafe(name, wide)


def begins_zlib(file, at):
    if at + 2 > len(file):
        return False
    first, both = file.u8(at), file.number(at, 2, "big")
    return first & 15 == 8 and first >> 4 <= 7 and both % 31 == 0


def signature(file):
    return file.u32(0) if len(file) >= 4 else None


def has_name(file):
    return signature(file) in (OLD, NEW) and Name(file, 4).sound


# What the first bytes tell (1.1).
CONTENTS = (lambda file: "uz3" if signature(file) == NEW and not has_name(file) and begins_zlib(file, 8) else None,
            lambda file: "uz" if has_name(file) or is_of_227(file) else None,
            lambda file: "uz2" if len(file) >= 8 and are_sizes(file, 0) and begins_zlib(file, 8) else None)


def are_sizes(file, at):
    packed, unpacked = file.u32(at), file.u32(at + 4)
    return (1 <= packed <= MAX_PACKED and 1 <= unpacked <= MAX_UNPACKED and at + 8 + packed <= len(file)
            and unpacked <= ZLIB_GAIN * packed)


def most(file):
    """How many bytes a check lets come out."""
    return min(LIMIT, max(ALWAYS, RATIO * len(file)))


def names_of_content(file, stored, data):
    """1.1: what comes out is named by the stored name, else by the file's own; and the name under which a game loads it."""
    own = without_extension(filenames.components(file.name)[-1])
    names = stored or own, own
    return tuple(map(without_extension, names)) if is_package(data) else names


def without_extension(name):
    return name.rpartition(".")[0] if filenames.extension(name) in EXTENSIONS else name


def is_package(data):
    return len(data) >= 4 and int.from_bytes(data[:4], "little") in TAGS


def content(judgement, stored, data, promises, rule=None):
    """The file that came out, under each of its names, for the check of what lies in this one. promises(name) says of which format a name
    is, if of any."""
    name, own = names_of_content(judgement.file, stored, data)
    often = any(filenames.extension(n) in upkg.SHARED for n in (name, own))
    if not promises(name) and promises(own):
        name = own
    if rule and promises(name) in (None, "shared") and not is_package(data):
        judgement.fire(rule, lesser=not often)
    return [(name, data)] + [(own, data)] * (promises(own) not in (promises(name), None))


def inflate(data, limit):
    """What a zlib stream gives, and how many bytes follow it; None for one that is not whole, or gives more than limit."""
    decoder = zlib.decompressobj()
    try:
        out = decoder.decompress(data, limit + 1)
    except zlib.error:
        return None, 0
    return (out if decoder.eof and len(out) <= limit else None), len(decoder.unused_data)


# ------------------------------------------------------------------------------------------------------------- .uz2

def judge_uz2(j, promises):
    chunks = read_chunks(j)
    if j.fire("UZT001", not all(are_sizes(j.file, at - 8) for at, _, _ in chunks)):
        return []
    j.fire("UZT003", any(unpacked != MAX_UNPACKED for _, _, unpacked in chunks[:-1]))
    if not chunks or j.file.level == "structure":
        return []
    return unpack_chunks(j, chunks, promises)


def read_chunks(j):
    """Where the stream of each chunk begins, and its two sizes."""
    file, at, chunks = j.file, 0, []
    j.fire("UZT004", len(file) == 0)
    while at < len(file):
        if j.fire("UZT004", at + 8 > len(file)):
            break
        sizes = read_layout(file, at, (("packed", 4), ("unpacked", 4)))
        j.region("chunk", at, 8, sizes)
        at += 8
        if sizes["packed"] and at < len(file):
            j.region("stream", at, min(sizes["packed"], len(file) - at))
        chunks.append((at, sizes["packed"], sizes["unpacked"]))
        if not are_sizes(file, at - 8):
            break
        at += sizes["packed"]
    return chunks


def unpack_chunks(j, chunks, promises):
    out, whole = [], True
    if sum(unpacked for _, _, unpacked in chunks) > most(j.file):
        j.leave_open("a limit", *RULES["uz2"])
        return []
    for at, packed, unpacked in chunks:
        j.work.spend(unpacked // 64 + 1)
        data, rest = inflate(j.file.bytes(at, packed), unpacked)
        if j.fire("UZT002", data is None or rest or len(data) != unpacked):
            whole = False
            break
        out.append(data)
    return content(j, None, b"".join(out), promises, "UZT005") if whole else []


# ------------------------------------------------------------------------------------------------------------- .uz3

def judge_uz3(j, promises):
    file = j.file
    if j.fire("UZH002", len(file) < UZ3_HEADER or signature(file) != NEW):
        return []
    header = read_layout(file, 0, (("signature", 4), ("size", 4)))
    j.region("header", 0, 8, header)
    size = header["size"]
    if j.fire("UZH001", size > INT_MAX or size > ZLIB_GAIN * (len(file) - 8)) or file.level == "structure":
        return []
    if size > most(file):
        j.leave_open("a limit", *RULES["uz3"])
        return []
    data, rest = inflate(file.bytes(8, len(file) - 8), size)
    if j.fire("UZH001", data is None or rest or len(data) != size):
        return []
    return content(j, None, data, promises)


# ------------------------------------------------------------------------------------------------------------ .lzma

def judge_lzma(j, promises):
    file = j.file
    if j.fire("LZM001", len(file) < 13):
        return []
    header = read_layout(file, 0, (("properties", 1), ("dictionary", 4), ("size", 8)))
    j.region("header", 0, 13, header)
    size, properties = header["size"], header["properties"]
    known = size != ALL_BITS
    j.fire("LZM002", not known)
    j.fire("LZM001", properties >= 225 or (known and size > LZMA_GAIN * (len(file) - 13)))
    if "LZM001" in j.rules() or file.level == "structure":
        return []
    if properties % 9 + properties // 9 % 5 > 4:
        j.leave_open("liblzma does not know these properties", "LZM001")
        return []
    return unpack_lzma(j, header["dictionary"], size if known else None, promises)


def unpack_lzma(j, dictionary, size, promises):
    limit = most(j.file)
    if size is not None and size > limit:
        j.leave_open("a limit", "LZM001")
        return []
    decoder = lzma.LZMADecompressor(lzma.FORMAT_ALONE)
    whole = bytearray(j.file.bytes(0, len(j.file)))
    whole[1:5] = min(dictionary, max(4096, size if size is not None else limit + 1)).to_bytes(4, "little")
    try:
        data = decoder.decompress(bytes(whole), limit + 1)
    except lzma.LZMAError:
        j.fire("LZM001")
        return []
    if len(data) > limit:
        j.leave_open("a limit", "LZM001")
        return []
    if j.fire("LZM001", not decoder.eof or (size is not None and len(data) != size)):
        return []
    j.fire("LZM001", decoder.unused_data or dictionary > USUAL_DICTIONARY, lesser=True)
    return content(j, None, data, promises)


# -------------------------------------------------------------------------------------------------------------- .uz

def judge_uz(j, promises):
    file = j.file
    if signature(file) not in (OLD, NEW):
        j.fire("UZC001", lesser=is_of_227(file))
        return []
    j.region("header", 0, 4, {"signature": signature(file)})
    name = Name(file, 4)
    j.fire("UZC002", not name.sound)
    if not name.readable:
        return []
    j.region("original", 4, name.end - 4, {"name": name.text})
    j.fire("UZC003", name.sound and is_other_name(file.name, name.text))
    if j.fire("UZC012", is_zlib(file, name.end) or (signature(file) == NEW and is_zlib(file, UZ3_HEADER))):
        return []
    data = uz_stages.undo(j, name.end, signature(file) == NEW, most(file))
    return [] if data is None else content(j, name.text if name.sound else None, data, promises, "UZC011")


def is_of_227(file):
    """Unreal 227's own form (2.1)."""
    return len(file) > 9 and file.u32(4) == len(file) and file.u8(8) == BYTE_OF_227 and Name(file, 9).sound


def is_other_name(own, stored):
    own = filenames.components(own)[-1]
    if filenames.extension(own) != "uz" or not (own.isascii() or stored.isascii()):
        return False
    return filenames.fold_ascii(own[:-3]) != filenames.fold_ascii(stored)


def is_zlib(file, at):
    """Whether a zlib stream stands there, as far as it is looked at (2.4)."""
    if not begins_zlib(file, at):
        return False
    decoder = zlib.decompressobj()
    try:
        out = decoder.decompress(file.bytes(at, len(file) - at), LOOKED_AT)
    except (zlib.error, Cut):
        return False
    return decoder.eof or len(out) >= LOOKED_AT


JUDGES = {"uz": judge_uz, "uz2": judge_uz2, "uz3": judge_uz3, "lzma": judge_lzma}
