"""The ways in which good uploads are damaged, and which diagnosis explains each.

An upload is a dict of file names and bytes, with the name of the file that is checked. A kind is a function that returns the damaged dict,
or None where it changes nothing that matters (an empty range, a file too short for it). Its docstring is what happened."""
import base64
import functools
import hashlib
import re
import zlib

KINDS = {}                  # name: Kind


class Kind:
    def __init__(self, name, damage, expected, is_of_two=False):
        self.name, self.damage, self.expected, self.is_of_two = name, damage, expected, is_of_two


def kind(name, *expected):
    """Registers a kind with the ids of the diagnoses that explain it, the first being the best."""
    def register(damage):
        KINDS[name] = Kind(name, damage, expected)
        return damage
    return register


def kind_of_two(name, *expected):
    """Likewise, of two uploads that lie in one folder: the function is called with the other one, too, and returns besides the damaged
    dict a text that the message has to have."""
    def register(damage):
        KINDS[name] = Kind(name, damage, expected, is_of_two=True)
        return damage
    return register


def of_main(change):
    """A damage of the file that is checked, from a function of its bytes."""
    @functools.wraps(change)
    def damage(files, main):
        data = change(files[main])
        return None if data is None or data == files[main] else {**files, main: data}
    return damage


def of_companion(change):
    """A damage of the largest .ucas."""
    @functools.wraps(change)
    def damage(files, main):
        payload = [n for n in files if n.lower().endswith(".ucas")]
        if not payload:
            return None
        name = max(payload, key=lambda n: len(files[n]))
        data = change(files[name])
        return None if data is None or data == files[name] else {**files, name: data}
    return damage


# ---- Truncated ---------------------------------------------------------------------------------------------------------------------------

def cut(part):
    def change(data):
        return data[:int(len(data) * part)] if len(data) >= 64 else None
    return change


for percent in (25, 50, 75, 95):
    kind(f"cut_{percent}", "truncated")(of_main(cut(1 - percent / 100)))
    kind(f"ucas_cut_{percent}", "truncated")(of_companion(cut(1 - percent / 100)))
kind("cut_all", "truncated")(of_main(lambda data: b""))
kind("ucas_cut_all", "truncated")(of_companion(lambda data: b""))
kind("cut_1", "truncated")(of_main(lambda data: data[:-1] if len(data) >= 64 else None))
kind("cut_100", "truncated")(of_main(lambda data: data[:-100] if len(data) >= 400 else None))
for left in (8, 64, 512):
    kind(f"cut_to_{left}", "truncated")(of_main(lambda data, left=left: data[:left] if len(data) > left else None))
    kind(f"ucas_cut_to_{left}", "truncated")(of_companion(lambda data, left=left: data[:left] if len(data) > left else None))


# ---- Text ----------------------------------------------------------------------------------------------------------------------------------

def is_text(byte):
    return 0x20 <= byte < 0x7F or byte in b"\t\r\n"


def binary_feeds(data):
    """Line feeds that are no end of a line of text; a transfer of a file that has next to none leaves no trace."""
    found = 0
    for at in range(1, len(data) - 1):
        if data[at] == 10 and not is_text(data[at + 1]):
            ahead = at - 1 - (data[at - 1] == 13)
            found += ahead >= 0 and not is_text(data[ahead])
    return found


def lf_to_crlf(data):
    return data.replace(b"\n", b"\r\n") if binary_feeds(data) >= 3 else None


def crlf_from_unix(data):
    """As an FTP server does that leaves lines alone that end in CR LF."""
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") if binary_feeds(data) >= 3 else None


def without_cr(data):
    changed = data.replace(b"\r", b"")
    return changed if binary_feeds(data) >= 3 and len(changed) >= 4096 and len(data) - len(changed) >= 4 else None


def crlf_to_lf(data):
    """As an FTP server of Unix does; the second CR of two makes another pair."""
    lines = len(re.findall(rb"[\t\x20-\x7e]{16}\r\n", data))
    return data.replace(b"\r\n", b"\n") if lines >= 24 and b"\r\r\n" not in data else None


def lf_to_crlf_twice(data):
    return data.replace(b"\n", b"\r\r\n") if binary_feeds(data) >= 3 else None


def least(data, *values):
    return min(data.count(bytes([value])) for value in values)


def without_lf(data):
    return data.replace(b"\n", b"") if least(data, 0x08, 0x0B, 0x0C, 0x0E, 0x0D) >= 20 else None


def seven_bits(data):
    changed = bytes(byte & 0x7F for byte in data)
    return changed if len(data) >= 4096 and is_binary(changed) else None


def is_binary(data):
    """Has many controls of many kinds, as has what is no text."""
    controls = [byte for byte in data if 0 < byte < 0x20 and not is_text(byte)]
    return len(set(controls)) >= 16 and len(controls) >= (len(data) - data.count(0)) / 16


def without_zeros(data):
    return data.replace(b"\0", b"") if least(data, 1, 2, 3, 255) >= 16 else None


def zeros_to_spaces(data):
    return data.replace(b"\0", b" ") if least(data, 1, 2, 3, 255) >= 16 else None


for name, change in (("lf_to_crlf", lf_to_crlf), ("crlf_from_unix", crlf_from_unix), ("without_cr", without_cr)):
    kind(name, "transferred_as_text")(of_main(change))
    kind(f"ucas_{name}", "transferred_as_text")(of_companion(change))


for change in (crlf_to_lf, lf_to_crlf_twice, without_lf, seven_bits, without_zeros, zeros_to_spaces):
    kind(change.__name__, "transferred_as_text")(of_main(change))


def high(data):
    return sum(byte >= 0x80 for byte in data)


def latin1_to_utf8(data):
    return data.decode("latin-1").encode("utf-8") if high(data) >= 8 else None


def cp1252_to_utf8(data):
    return data.decode("cp1252", "replace").encode("utf-8") if high(data) >= 8 else None


def utf8_replaced(data):
    return data.decode("utf-8", "replace").encode("utf-8") if high(data) >= 16 else None


def to_questions(data):
    changed = data.decode("latin-1").encode("ascii", "replace")
    return changed if high(data) >= len(data) / 16 and len(data) >= 4096 and is_binary(changed) else None


def to_utf16(encoding, mark):
    def change(data):
        return mark + data.decode("latin-1").encode(encoding) if len(data) >= 64 and high(data) >= 16 else None
    return change


def marked(data):
    return b"\xef\xbb\xbf" + data if high(data) >= 16 else None


for change in (latin1_to_utf8, cp1252_to_utf8, utf8_replaced, to_questions, marked):
    kind(change.__name__, "reencoded_as_text")(of_main(change))
    if change not in (to_questions, marked):
        kind("ucas_" + change.__name__, "reencoded_as_text")(of_companion(change))
for name, encoding, mark in (("to_utf16", "utf-16-le", b"\xff\xfe"), ("to_utf16_bare", "utf-16-le", b""), ("to_utf16_be", "utf-16-be", b"\xfe\xff"),
                             ("to_utf16_be_bare", "utf-16-be", b"")):
    kind(name, "reencoded_as_text")(of_main(to_utf16(encoding, mark)))


# ---- Other formats -------------------------------------------------------------------------------------------------------------------------

PAGE = b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>\n"
OTHERS = {
    "html": PAGE, "html_spaced": b"\xef\xbb\xbf\r\n  <HTML><body>Sign in to download</body></html>" * 3,
    "json": b'{"error": "rate limit exceeded", "code": 429, "retry_after": 60}',
    "lfs": b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n",
    "zip": b"PK\x03\x04\x14\0\0\0\x08\0" + bytes(range(200)), "7z": b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(range(200)),
    "rar4": b"Rar!\x1a\x07\0" + bytes(range(200)), "rar5": b"Rar!\x1a\x07\x01\0" + bytes(range(200)),
    "gzip": b"\x1f\x8b\x08\0" + bytes(range(200)), "xz": b"\xfd7zXZ\0\0\x04" + bytes(range(200)),
    "pe": b"MZ\x90\0\x03\0\0\0" + bytes(range(200)), "elf": b"\x7fELF\x02\x01\x01" + bytes(range(200)),
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(200)), "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(range(200)),
    "dds": b"DDS |\0\0\0" + bytes(range(200)), "mp3": b"ID3\x04\0\0\0\0" + bytes(range(200)), "ogg": b"OggS\0\x02" + bytes(range(200)),
    "mp3_frames": (b"\xff\xfb\x90\x64" + bytes(413)) * 3, "bmp": b"BM\x00\x01\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0" + bytes(range(200)),
    "tar": b"Mod.u".ljust(257, b"\0") + b"ustar\00000" + bytes(range(200)), "sqlite": b"SQLite format 3\0" + bytes(range(200)),
    "zlib": zlib.compress(bytes(range(256)) * 9), "torrent": b"d8:announce30:udp://tracker.example.org:1337" + bytes(range(200)),
    "shortcut": bytes.fromhex("4c0000000114020000000000c000000000000046") + bytes(200),
    "apple_double": bytes.fromhex("0005160700020000") + b"Mac OS X        " + bytes(200), "short_text": b"Not found",
    "http_error": b"HTTP/1.1 404 Not Found\r\nServer: nginx\r\n\r\n<html>",
    "wav": b"RIFF\x24\x08\0\0WAVEfmt " + bytes(range(200)), "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(range(200)),
}
for name, content in OTHERS.items():
    kind(f"is_{name}", "other_format")(lambda files, main, content=content: {**files, main: content})
for name in ("html", "json", "lfs", "zip", "7z", "rar5", "gzip", "pe", "png", "tar", "short_text"):
    kind(f"ucas_is_{name}", "other_format")(of_companion(lambda data, name=name: OTHERS[name] if len(data) > 600 else None))
kind("ucas_is_base64", "other_format")(of_companion(lambda data: base64.encodebytes(data) if len(data) > 600 else None))


@kind("is_uz2", "other_format")
def is_uz2(files, main):
    """A file of two chunks, under another name."""
    chunk = zlib.compress(bytes(range(256)) * 16)
    chunk = len(chunk).to_bytes(4, "little") + (4096).to_bytes(4, "little") + chunk
    return None if main.lower().endswith(".uz2") else {**files, main: chunk * 2}


@kind("is_installer", "other_format")
def is_installer(files, main):
    """An installer without a member, under a name that promises no installer."""
    if main.lower().endswith((".umod", ".ut2mod", ".ut4mod")):
        return None
    trailer = b"".join(n.to_bytes(4, "little") for n in (0x9FE3C5A3, 300, 321, 1, 0))
    return {**files, main: b"[Setup]\r\n".ljust(300, b"\0") + b"\0" + trailer}


@kind("exchanged", "renamed")
def exchanged(files, main):
    """The .utoc has the name of the .ucas, and the other way round."""
    payload = main.removesuffix(".utoc") + ".ucas"
    return {**files, main: files[payload], payload: files[main]} if payload in files and main in files and payload != main else None


def before(text):
    """A file that begins with a signature has something before it."""
    def change(data):
        known = (b"\xc1\x83\x2a\x9e", b"-==--==--==--==-", b"\xd2\x04\0\0", b"\x2e\x16\0\0")
        return text + data if data.startswith(known) else None
    return of_main(change)


kind("after_http", "other_format")(before(b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n"))
kind("after_form", "other_format")(before(b"--boundary42\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n"))
kind("after_php", "other_format")(before(b"<br />\n<b>Notice</b>:  Undefined index in <b>dl.php</b> on line <b>7</b><br />\n"))
kind("after_newline", "appended")(before(b"\n"))
kind("after_chunk_size", "appended")(before(b"1000\r\n"))
kind("is_base64", "other_format")(of_main(base64.encodebytes))
kind("is_gzipped", "other_format")(of_main(lambda data: b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + zlib.compress(data)[2:-4] + b"\0" * 8))
kind("is_page_twice_as_long", "other_format")(of_main(lambda data: PAGE * (1 + 2 * len(data) // len(PAGE))))


# ---- Zeros -----------------------------------------------------------------------------------------------------------------------------------

def zeroed(first, end):
    """Zeros in whole sectors between two parts of the file."""
    def change(data):
        at, to = int(len(data) * first) // 512 * 512, int(len(data) * end) // 512 * 512
        if to - at < 1024 or not any(data[at:to]):
            return None
        return data[:at] + bytes(to - at) + data[to:]
    return change


kind("all_zeros", "zero_filled")(of_main(lambda data: bytes(len(data)) if len(data) >= 16 else None))
kind("zero_head", "zero_filled")(of_main(lambda data: bytes(512) + data[512:] if len(data) >= 1024 else None))
kind("zero_tail", "zero_filled")(of_main(lambda data: data[:len(data) // 2 // 512 * 512] +
                                         bytes(len(data) - len(data) // 2 // 512 * 512) if len(data) >= 4096 else None))
kind("ucas_all_zeros", "zero_filled")(of_companion(lambda data: bytes(len(data)) if len(data) >= 16 else None))
kind("ucas_zero_middle", "zero_filled")(of_companion(zeroed(0.25, 0.75)))
kind("ucas_zero_inside", "zero_filled")(of_companion(zeroed(0.25, 0.5)))
kind("ucas_zero_tail", "zero_filled")(of_companion(zeroed(0.5, 1)))


def sector(data):
    """One sector, in a part that has no zeros by itself."""
    for at in range(len(data) // 3 // 512 * 512, len(data) - 2048, 512):
        if data[at - 512:at + 1024].count(0) < 64:
            return data[:at] + bytes(512) + data[at + 512:]
    return None


kind("ucas_zero_sector", "zero_filled")(of_companion(sector))
kind("installer_zero_sector", "zero_filled")(lambda files, main: of_main(sector)(files, main) if main.endswith("mod") else None)


# ---- Appended ------------------------------------------------------------------------------------------------------------------------------

kind("appended_text", "appended")(of_main(lambda data: data + b"uploaded by a mirror on a sunny day\r\n" * 4))
kind("appended_page", "appended")(of_main(lambda data: data + PAGE))
kind("appended_bytes", "appended")(of_main(lambda data: data + bytes(range(1, 200))))
kind("appended_lf", "appended")(of_main(lambda data: data + b"\n"))
kind("appended_line", "appended")(of_main(lambda data: data + b"--part of a form--\r\n"))
kind("doubled", "appended")(of_main(lambda data: data + data if len(data) >= 64 else None))


# ---- Companions ----------------------------------------------------------------------------------------------------------------------------

def without(extension):
    def damage(files, main):
        left = {n: d for n, d in files.items() if not n.lower().endswith(extension)}
        return left if len(left) < len(files) and main in left else None
    return damage


kind("no_ucas", "missing_companion")(without(".ucas"))
kind("no_pak", "missing_companion")(without(".pak"))


# ---- A few bytes ---------------------------------------------------------------------------------------------------------------------------

def flipped(part, step=1):
    def change(data):
        at = int(len(data) * part)
        if len(data) < 256:
            return None
        return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1:]
    return change


for percent in (20, 50, 80):
    kind(f"ucas_flip_{percent}", "damaged")(of_companion(flipped(percent / 100)))


# ---- Packers ----------------------------------------------------------------------------------------------------------------------------

def number(data, at, n=4, order="little"):
    return int.from_bytes(data[at:at + n], order)


def chunk_bytes(toc, payload, ranges, blocks, chunk):
    """What a chunk decompresses to; None where that takes more than zlib."""
    at = ranges + 10 * chunk
    offset, length, size = number(toc, at, 5, "big"), number(toc, at + 5, 5, "big"), number(toc, 44)
    out = b""
    for block in range(offset // size, (offset + length + size - 1) // size):
        b = toc[blocks + 12 * block:blocks + 12 * block + 12]
        stored = payload[number(b, 0, 5):number(b, 0, 5) + number(b, 5, 3)]
        try:
            out += zlib.decompress(stored) if b[11] else stored
        except zlib.error:
            return None
    return out[:length]


@kind("ue4_types", "repacked")
def ue4_types(files, main):
    """A packer for Unreal Engine 4 was told to write a container of 5: its types, its digests, and no perfect hash."""
    toc = bytearray(files[main])
    payload = [n for n in files if n.lower().endswith(".ucas")]
    if not main.endswith(".utoc") or len(payload) != 1 or not 5 <= toc[16] <= 8 or toc[80] & 6:
        return None
    n, seeds = number(toc, 24), 4 * (number(toc, 84) + number(toc, 96))
    ids, ranges, after = 144, 144 + 12 * n, 144 + 22 * n
    toc[after:after + seeds] = b""
    toc[84:88] = toc[96:100] = bytes(4)
    metas = after + 12 * number(toc, 28) + number(toc, 36) * number(toc, 40) + number(toc, 48)
    if 6 not in [toc[ids + 12 * i + 11] for i in range(n)]:
        return None
    for i in range(n):
        content = chunk_bytes(toc, files[payload[0]], ranges, after, i)
        if content is None:
            return None
        at = metas + i * (33 if toc[16] < 8 else 24)
        toc[at:at + 20] = hashlib.sha1(content).digest()
        toc[ids + 12 * i + 11] = {1: 2, 2: 3, 3: 4, 4: 5, 6: 10}.get(toc[ids + 12 * i + 11], 0)
    return {**files, main: bytes(toc)}


# ---- Names -----------------------------------------------------------------------------------------------------------------------------------

def renamed(extension, new_stem):
    def damage(files, main):
        names = [n for n in files if n.lower().endswith(extension)]
        if len(names) != 1 or not main.lower().endswith(".utoc"):
            return None
        return {(new_stem + extension if n == names[0] else n): d for n, d in files.items()}
    return damage


kind("ucas_renamed", "renamed")(renamed(".ucas", "downloaded (1)"))
kind("pak_renamed", "renamed")(renamed(".pak", "downloaded (1)"))


def of_another_mod(length):
    """The .ucas is that of another mod, which is as many times as long, and whose own .utoc is not there."""
    def damage(files, main):
        payload = [n for n in files if n.lower().endswith(".ucas")]
        if len(payload) != 1 or len(files[payload[0]]) < 64:
            return None
        n = int(len(files[payload[0]]) * length)
        return {**files, payload[0]: hashlib.shake_128(main.encode()).digest(n)}
    return damage


for name, length in (("wrong_ucas", 1), ("shorter_ucas", 0.9), ("longer_ucas", 1.3)):
    # of one that is encrypted, or has one chunk, its length is all that is known
    kind(name, "wrong_companion", *(("truncated",) if length < 1 else ("appended",)))(of_another_mod(length))


@kind_of_two("swapped_ucas", "wrong_companion")
def swapped_ucas(files, main, others, other):
    """The .ucas of two mods in one folder were swapped. Of one that is encrypted, or of version 4, no digest can be compared."""
    mine, theirs = ([n for n in f if n.lower().endswith(".ucas")] for f in (files, others))
    if len(mine) != 1 or len(theirs) != 1 or not (main.endswith(".utoc") and other.endswith(".utoc")) or files[mine[0]] == others[theirs[0]]:
        return None
    if others[other][16] == 4 or others[other][80] & 2:
        return None
    return {**files, mine[0]: others[theirs[0]], "Another mod_P.utoc": others[other], "Another mod_P.ucas": files[mine[0]]}, "Another mod_P.utoc"


def checked(change):
    """Of formats whose payload a checksum or a decoder judges."""
    @functools.wraps(change)
    def damage(files, main):
        if not main.lower().endswith((".uz2", ".uz3", ".umod", ".ut2mod", ".ut4mod")):
            return None
        return of_main(change)(files, main)
    return damage


for percent in (30, 50):
    kind(f"flip_{percent}", "damaged")(checked(flipped(percent / 100)))
kind("zero_middle", "zero_filled")(of_main(zeroed(0.3, 0.7)))
