"""Zips, from conformance/spec/zip.md: the end record, the directory, the local headers, and how members lie."""
import bz2
import lzma
import re
import zlib

from . import archive, filenames, members, second, wrap
from .archive import DEVICE, FILE, FOLDER, LINK, PIPE, Member, signature_of
from .core import Judgement, Work, read_layout, size_of
from .zip_names import counting, kinds_by_extra, reparse_target, unicode_path

LOCAL, CENTRAL, END, RECORD, LOCATOR = (b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\6", b"PK\6\7")
DESCRIPTOR, SIGNED, MORE = b"PK\7\x08", b"PK\5\5", b"PK\6\x08"
LOCAL_LAYOUT = (("magic", 4), ("needed", 2), ("flags", 2), ("method", 2), ("time", 2), ("date", 2), ("crc", 4), ("packed", 4), ("size", 4),
                ("name", 2), ("extra", 2))
CENTRAL_LAYOUT = (("magic", 4), ("made_by", 2), ("needed", 2), ("flags", 2), ("method", 2), ("time", 2), ("date", 2), ("crc", 4), ("packed", 4),
                  ("size", 4), ("name", 2), ("extra", 2), ("comment", 2), ("disk", 2), ("internal", 2), ("attributes", 4), ("local", 4))
END_LAYOUT = (("magic", 4), ("disk", 2), ("start_disk", 2), ("here", 2), ("members", 2), ("length", 4), ("at", 4), ("comment", 2))
LOCATOR_LAYOUT = (("magic", 4), ("disk", 4), ("record", 8), ("disks", 4))
RECORD_LAYOUT = (("magic", 4), ("rest", 8), ("made_by", 2), ("needed", 2), ("disk", 4), ("start_disk", 4), ("here", 8), ("members", 8),
                 ("length", 8), ("at", 8))
LOCK_LAYOUT = (("method", 2), ("packed", 8), ("size", 8), ("algorithm", 2), ("bits", 2), ("flags", 2), ("hash", 2), ("hash_length", 2))
ESC16, ESC32 = 0xFFFF, 0xFFFFFFFF
TAIL = 65557
UNIX = (3, 19)
KINDS = {0xA000: LINK, 0x2000: DEVICE, 0x6000: DEVICE, 0x1000: PIPE, 0xC000: PIPE}
NO_DECODER = "there is no decoder for LZMA, Zstandard and PPMd here"
LARGE = "a limit may be reached"
BZIP2, XZ, DICTIONARY_MAX = 12, 95, (1 << 27) + (1 << 20)
CHECKS = (lzma.CHECK_NONE, lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256, lzma.CHECK_UNKNOWN)
OTHERS = (BZIP2, 14, 20, 93, XZ, 98)
RULES = archive.RULES | {f"ARC{n:03}" for n in (1, 2, 5, 6, 8, 9, 15, *range(60, 91), *range(92, 97), 160, 162, 164, 165, 166, 175, 176, 177, 186, 190, 200, 201, 202, 213)} | {"RUN007", "RUN015"}
LABELS = set()
EXTENSIONS = ["zip"]


def looks_like(file):
    kind = signature_of(bytes(file.data[:512]))
    if kind == "unread":
        return filenames.extension(file.name) == "zip" and has_directory(file)
    return kind == "zip" or (kind is None and (filenames.extension(file.name) == "zip" or (has_stub(file) and has_directory(file))))


def has_stub(file):
    first = bytes(file.data[:4])
    return len(first) == 4 and (first[:2] in (b"MZ", b"#!") or first == b"\x7FELF")


def has_directory(file):
    """1.1 of archive.md."""
    reader = Reader(Judgement(file, "zip", Work()))
    if not reader.find_end() or reader.end["members"] == 0:
        return False
    return any(reader.has(at, CENTRAL) for at in (reader.end["at"], reader.end_at - reader.end["length"]))


def has_signature(data):
    return any(magic in data for magic in (LOCAL, CENTRAL, END, RECORD, LOCATOR))


class Extras:
    """2.4."""

    def __init__(self, data):
        at, self.zip64, self.path, self.counts, self.modes = 0, b"", None, {}, []
        while at + 4 <= len(data):
            number, n = int.from_bytes(data[at:at + 2], "little"), int.from_bytes(data[at + 2:at + 4], "little")
            if at + 4 + n > len(data):
                break
            field = data[at + 4:at + 4 + n]
            if number in (1, 0x7075, 0x9901):
                self.counts[number] = self.counts.get(number, 0) + 1
            if number == 1:
                self.zip64 = field
            elif number == 0x7075:
                self.path = field
            self.modes += kinds_by_extra(number, field)
            at += 4 + n
        rest = data[at:]
        self.left = bool(rest.strip(b"\0")) and len(rest)
        self.repeated = any(n > 1 for n in self.counts.values())
        self.has_zip64 = 1 in self.counts
        self.missing = False

    def take(self, value):
        if value != ESC32 or self.missing:
            return value
        if len(self.zip64) < 8:
            self.missing = True
            return value
        out, self.zip64 = int.from_bytes(self.zip64[:8], "little"), self.zip64[8:]
        return out


class Entry:
    """A central header, and the member that it lists."""


class Reader:
    def __init__(self, judgement):
        self.j, self.file, self.n = judgement, judgement.file, len(judgement.file)
        self.entries, self.record, self.lock = [], None, None
        self.signature = signature_of(bytes(self.file.data[:512]))

    def has(self, at, magic):
        return 0 <= at <= self.n - 4 and self.file.bytes(at, 4) == magic

    # ---- 1 the end record and the directory

    def judge(self):
        if not self.find_end():
            return
        self.judge_end()
        second.judge_zip(self.j, self.file.data, self.tail, 0)
        if self.place_directory():
            self.read_directory()
            self.judge_directory()
            self.judge_entries()
            self.read_locals()

    def candidates(self):
        begin = max(0, self.n - TAIL)
        tail = self.file.bytes(begin, self.n - begin)
        at = tail.find(END)
        while at >= 0:
            if begin + at + 22 <= self.n:
                e = read_layout(self.file, begin + at, END_LAYOUT)
                yield begin + at, e, self.n - begin - at - 22 - e["comment"]
            at = tail.find(END, at + 1)

    def is_plausible(self, at, e):
        if ESC32 in (e["length"], e["at"]):
            return True
        if e["members"] == 0 and e["length"] == 0 and e["at"] <= at:
            return True
        return self.has(at - e["length"], CENTRAL) or self.has(e["at"], CENTRAL)

    def find_end(self):
        """1.1 and 1.2."""
        found = list(self.candidates())
        chosen = [c for c in found if c[2] == 0] or [c for c in found if c[2] > 0]
        self.j.fire("ARC002", self.signature == "zip" and filenames.extension(self.file.name) in archive.OTHER_ENDINGS["zip"])
        if not chosen:
            is_volume = re.search(r"\.(zip\.001|z[0-9][0-9])\Z", self.file.name, re.I | re.A)
            self.j.fire("ARC001" if self.signature is None else "ARC186" if is_volume else "ARC060")
            return False
        self.end_at, self.end, left = chosen[-1]
        self.tail = self.n - left
        others = [c for c in found if c[0] != self.end_at and (c[0] > self.end_at or c[2] == 0)]
        self.j.fire("ARC061", any(self.is_plausible(at, e) for at, e, _ in others))
        return True

    def judge_end(self):
        j, e = self.j, self.end
        j.region("end", self.end_at, 22, e)
        rest = self.file.bytes(self.tail, self.n - self.tail)
        j.fire("ARC006", rest, lesser=not rest.strip(b"\0"))
        j.fire("ARC062", e["comment"] > 16362)
        j.fire("ARC063", has_signature(self.file.bytes(self.end_at + 22, e["comment"])))
        self.dir_end = self.end_at
        self.has_locator = self.end_at >= 20 and self.has(self.end_at - 20, LOCATOR)
        if self.has_locator:
            self.find_record()
        j.fire("ARC077", not self.has_locator and ESC32 in (e["at"], e["length"]))
        r = self.record
        if r:
            same = all(e[k] in (r[k], ESC16) or (k == "here" and self.lock and r[k] == 0) for k in ("disk", "start_disk", "here", "members")) and all(
                e[k] in (r[k], ESC32) for k in ("length", "at"))
            j.fire("ARC076", not same)

    def find_record(self):
        """1.5."""
        self.dir_end = at = self.end_at - 20
        locator = read_layout(self.file, at, LOCATOR_LAYOUT)
        self.j.region("zip64 locator", at, 20, locator)
        place = locator["record"]
        if place + 56 <= at and self.has(place, RECORD):
            self.record = read_layout(self.file, place, RECORD_LAYOUT)
        elif at >= 56 and self.has(at - 56, RECORD) and self.file.u64(at - 52) == 44:
            place = at - 56
            self.record = read_layout(self.file, place, RECORD_LAYOUT)
        if self.record:
            self.dir_end = place
            self.j.region("zip64 record", place, 56, self.record)
            self.find_lock(place, at)
        self.locator, self.record_at = locator, place
        self.is_record_wrong = not self.record or place + 12 + self.record["rest"] != at
        self.j.fire("ARC075", self.is_record_wrong)

    def judge_locator(self):
        """1.5 where bytes stand before the archive, and 1.12."""
        l = self.locator
        if self.record and not self.is_record_wrong:
            self.j.fire("ARC075", l["record"] not in (self.record_at, self.record_at - self.base))
        self.j.fire("ARC165", l["disk"] != 0 or l["disks"] != 1, lesser=l["disk"] == l["disks"] == 0)

    def find_lock(self, place, end):
        """1.11."""
        rest = self.record["rest"] - 44
        if self.record["needed"] & 0xFF < 62 or rest < size_of(LOCK_LAYOUT) or place + 12 + self.record["rest"] > end:
            return
        lock = read_layout(self.file, place + 56, LOCK_LAYOUT)
        if lock["algorithm"] and lock["hash_length"] <= rest - size_of(LOCK_LAYOUT):
            self.lock = lock
            self.j.region("zip64 encryption", place + 56, size_of(LOCK_LAYOUT), lock)

    def is_locked(self):
        """1.11: the archive decryption header, and a first local header that is masked."""
        first = self.file.bytes(0, 12) if self.n >= 12 else b""
        if first[:4] in (DESCRIPTOR, b"PK00"):
            first = first[4:]
        if first[:4] == LOCAL and not first[7] & 0x20:
            return False
        if self.at + 2 > self.dir_end:
            return False
        at = self.at + 2 + self.file.u16(self.at)
        if at + 8 > self.dir_end:
            return False
        return (at + 4 + self.file.u32(at) <= self.dir_end and self.file.u16(at + 4) == 3
                and self.file.u16(at + 6) == self.lock["algorithm"])

    def stated(self, key, escape):
        return self.record[key] if self.record and self.end[key] == escape else self.end[key]

    def is_split(self):
        disk, start_disk, here, members = (self.stated(key, ESC16) for key in ("disk", "start_disk", "here", "members"))
        return disk != 0 or start_disk != 0 or (here < members and not (self.lock and here == 0))

    def place_directory(self):
        """1.7 of archive.md; 1.8, 1.10 and 1.12."""
        j = self.j
        j.fire("ARC008", self.lock)
        if j.fire("ARC009", self.is_split()):
            return False
        self.length, self.at, self.members = (self.stated(k, esc) for k, esc in (("length", ESC32), ("at", ESC32), ("members", ESC16)))
        by_offset = self.at < self.dir_end and self.has(self.at, CENTRAL)
        computed = self.dir_end - self.length
        if self.length == 0:
            by_size = self.members == 0 and not by_offset
        else:
            by_size = computed >= 0 and self.has(computed, CENTRAL)
        if not by_offset and (not by_size or computed < self.at):
            j.fire("ARC064", not (self.lock and self.is_locked()))
            return False
        self.twofold = by_size and by_offset and computed != self.at
        j.fire("ARC066", self.twofold)
        self.by_size = by_size
        self.dir_at = self.at if by_offset else computed
        self.base = self.dir_at - self.at
        if self.has_locator:
            self.judge_locator()
        return True

    # ---- 2 central headers

    def read_directory(self):
        at = self.dir_at
        while self.has(at, CENTRAL) and at + size_of(CENTRAL_LAYOUT) <= self.dir_end:
            h = read_layout(self.file, at, CENTRAL_LAYOUT)
            name_at = at + size_of(CENTRAL_LAYOUT)
            end = name_at + h["name"] + h["extra"] + h["comment"]
            if end > self.dir_end:
                break
            self.j.work.spend(60)
            e = Entry()
            e.at, e.h = at, h
            e.stored_wrong = e.impossible = False
            e.name = self.file.bytes(name_at, h["name"])
            e.extra = self.file.bytes(name_at + h["name"], h["extra"])
            e.comment = self.file.bytes(name_at + h["name"] + h["extra"], h["comment"])
            self.j.region("central", at, end - at, h)
            self.entries.append(e)
            at = end
        self.walk_end = at

    def judge_directory(self):
        """1.9, 2.1 to 2.3, 2.12."""
        j, n, at = self.j, len(self.entries), self.walk_end
        signed = 0
        if at + 6 <= self.dir_end and self.has(at, SIGNED) and at + 6 + self.file.u16(at + 4) <= self.dir_end:
            signed = 6 + self.file.u16(at + 4)
        j.fire("ARC092", signed)
        self.broken = j.fire("ARC067", at < self.dir_end and n < self.members)
        if not self.broken:
            j.fire("ARC068", n == self.members < self.stated("here", ESC16))
            j.fire("ARC068", n != self.members, lesser=not self.record and n % 65536 == self.members)
        j.fire("ARC065", not self.by_size and at + signed < self.dir_end)
        ends = {at + signed} | (set() if self.by_size else {at})
        is_known = self.record is not None or self.length != ESC32
        j.fire("ARC069", is_known and not self.twofold and not self.broken and self.dir_at + self.length not in ends)

    def judge_entries(self):
        self.j.fire("ARC008", any(e.h["flags"] & 0x2000 for e in self.entries))
        for e in self.entries:
            self.judge_entry(e)
        archive.judge_all(self.j, [e.member for e in self.entries])
        self.judge_versions()

    def judge_versions(self):
        """2.17."""
        keys, left = {archive.key_of(e.member.own_name) for e in self.entries}, set()
        for e in self.entries:
            found = re.search(r";[0-9]*\Z", e.member.name) if e.member.kind != FOLDER else None
            if found:
                key = archive.key_of(e.member.name[:found.start()])
                self.j.fire("ARC177", True, lesser=key not in keys | left)
                left.add(key)

    def judge_entry(self, e):
        j, h = self.j, e.h
        e.extras = x = Extras(e.extra)
        e.size = x.take(h["size"])
        e.packed = x.take(h["packed"])
        e.local = x.take(h["local"])
        e.missing = x.missing
        volume = h["disk"]
        if not x.missing and h["disk"] == ESC16 and len(x.zip64) >= 4:
            volume = int.from_bytes(x.zip64[:4], "little")
            x.zip64 = x.zip64[4:]
        j.fire("ARC166", volume)
        j.fire("ARC081", x.zip64 and not x.missing)
        e.local += self.base
        self.judge_extras(x)
        j.fire("ARC063", has_signature(e.extra) or has_signature(e.comment))
        j.fire("ARC093", h["flags"] & 0xD7A0)
        month, day = h["date"] >> 5 & 15, h["date"] & 31
        j.fire("ARC094", h["date"] and (not 1 <= month <= 12 or not 1 <= day <= 31))
        e.encrypted = bool(h["flags"] & 0x41 or h["method"] == 99)
        j.fire("ARC096", h["needed"] >> 8 == 2 or h["needed"] & 0xFF > (46 if not e.encrypted and h["method"] in (0, 8) else 63))
        self.make_member(e)
        if not e.missing:
            self.judge_sizes(e)

    def judge_extras(self, x):
        self.j.fire("ARC078", x.left, lesser=x.left <= 3)
        self.j.fire("ARC079", x.repeated)
        self.j.fire("ARC080", x.missing)

    def judge_modes(self, e, x):
        """2.16."""
        said = {FOLDER if mode == 0x4000 else KINDS.get(mode, FILE) for mode in x.modes}
        self.j.fire("ARC176", any(kind != e.member.kind and (kind, e.member.kind) != (FILE, FOLDER) for kind in said))

    def make_member(self, e):
        j, h, x = self.j, e.h, e.extras
        name, said = e.name, bool(h["flags"] & 0x800)
        if x.path is not None and len(x.path) >= 5:
            if j.fire("ARC082", x.path[0] != 1 or int.from_bytes(x.path[1:5], "little") != zlib.crc32(e.name)):
                pass
            elif not j.fire("ARC083", not unicode_path(e.name, x.path[5:])) and len(x.path) > 5:
                name, said = x.path[5:], True
        m = e.member = Member(*archive.decode_name(name, said), self.kind_of(e))
        if h["flags"] & 0x800 and archive.decode_name(e.name, True)[2] == archive.WRONG:
            m.trouble = archive.WRONG
        self.judge_modes(e, x)
        m.size = 0 if e.missing and e.size == ESC32 else e.size
        m.packed = e.packed
        m.crc = None if h["method"] == 99 else h["crc"]
        m.encrypted = e.encrypted
        m.uncommon = not e.encrypted and h["method"] in OTHERS
        m.unknown = not e.encrypted and h["method"] not in (0, 8, *OTHERS)
        host = h["made_by"] >> 8
        e.is_reparse = host in (0, 10, 11) and h["attributes"] & 0x400
        m.sets_user = (host in UNIX and h["attributes"] >> 16 & 0xC00) or e.is_reparse

    def kind_of(self, e):
        """2.7."""
        h, mode = e.h, e.h["attributes"] >> 16 & 0xF000
        is_unix = h["made_by"] >> 8 in UNIX
        is_folder = e.name[-1:] == b"/" or (e.name[-1:] == b"\\" and h["size"] == 0 and h["packed"] == 0)
        other = KINDS.get(mode)
        host, by_dos, by_mode = h["made_by"] >> 8, h["attributes"] & 0x10, mode == 0x4000
        taken = not is_folder and h["size"] and (by_dos if host in (0, 6, 11, 14) else by_mode and host == 3)
        self.j.fire("ARC084", taken)
        self.j.fire("ARC084", not taken and ((not is_folder and (by_dos or by_mode)) or (other and (is_folder or not is_unix)) or
                                             (is_unix and mode not in KINDS and mode not in (0, 0x4000, 0x8000))), lesser=True)
        return FOLDER if is_folder else other or FILE

    def judge_sizes(self, e):
        """2.8, 2.9, 2.13."""
        j, method, head = self.j, e.h["method"], 12 if e.encrypted else 0
        e.stored_wrong = j.fire("ARC089", method == 0 and not e.h["flags"] & 0x40 and e.packed != e.size + head)
        e.impossible = j.fire("ARC090", method == 8 and e.size > 1032 * e.packed + 64)
        if e.member.kind == FOLDER:
            j.fire("ARC095", e.size or e.packed, lesser=not e.size and e.packed <= 2 + head)
            j.fire("ARC213", not e.size and e.h["crc"])

    # ---- 3 local headers

    def read_locals(self):
        j = self.j
        order = sorted(self.entries, key=lambda e: e.local)
        first = min([e.local for e in order[:1]] + [self.dir_at])
        j.fire("ARC005", first and self.signature != "zip", lesser=has_stub(self.file))
        second.judge_zip(j, self.file.data, self.tail, first)
        if first:
            wrap.judge_program(j, bytes(self.file.data), first)
        self.reach, self.last = 0 if self.signature == "zip" else first, None
        for e in order:
            j.work.spend(60)
            if j.fire("ARC070", not self.read_local(e)):
                e.lost = True
                continue
            self.judge_local(e)
            self.place(e)
        self.gap(self.reach, self.dir_at)
        if self.base and self.signature == "zip" and self.tail == self.n and any(e.local == self.base and not hasattr(e, "local_name") for e in order):
            j.fired -= {("ARC087", False), ("ARC087", True)}

    def read_local(self, e):
        at = e.local
        if at + 30 > self.n or not self.has(at, LOCAL):
            return False
        e.l = read_layout(self.file, at, LOCAL_LAYOUT)
        e.data = at + 30 + e.l["name"] + e.l["extra"]
        if e.data > self.n:
            return False
        self.j.region("local", at, 30, e.l)
        e.local_name = self.file.bytes(at + 30, e.l["name"])
        e.local_extra = self.file.bytes(at + 30 + e.l["name"], e.l["extra"])
        return True

    def judge_local(self, e):
        """3.2 to 3.4."""
        j, h, l = self.j, e.h, e.l
        same = e.name.replace(b"\\", b"/") == e.local_name.replace(b"\\", b"/")
        j.fire("ARC071", e.name != e.local_name, lesser=same)
        differ = h["flags"] ^ l["flags"]
        e.method_differs = j.fire("ARC072", h["method"] != l["method"] or differ & 1)
        ascii_name = all(b < 0x80 for b in e.local_name)
        j.fire("ARC072", not e.method_differs and (differ & 0x77F8 or (differ & 6 and h["method"] != 8) or (differ & 0x800 and not ascii_name)), lesser=True)
        e.l_extras = x = Extras(e.local_extra)
        e.l_size = x.take(l["size"])
        e.l_packed = x.take(l["packed"])
        if x.missing:
            e.l_size, e.l_packed = e.size, e.packed
        self.judge_extras(x)
        self.judge_modes(e, x)
        path, central = counting(x.path, e.local_name), counting(e.extras.path, e.name)
        if path and path != (central or e.local_name):
            j.fire("ARC175", True, lesser=not central and unicode_path(e.local_name, path))
        j.fire("ARC063", has_signature(e.local_extra))
        e.missing = e.missing or x.missing
        pairs = [(l["crc"], h["crc"])] + ([] if e.missing else [(e.l_packed, e.packed), (e.l_size, e.size)])
        j.fire("ARC073", any(a != b and not (a == 0 and l["flags"] & 8) for a, b in pairs))

    def place(self, e):
        """3.5 to 3.7."""
        j = self.j
        packed = e.packed
        if e.missing and e.packed == ESC32:
            packed = e.l_packed if e.l_packed != ESC32 else 0
        e.end = e.data + packed
        if e.h["flags"] & 8 and e.end < self.n and not e.missing:
            self.judge_descriptor(e)
        e.overlaps = False
        if e.local < self.reach:
            twin = self.is_twin(e, self.last)
            j.fire("ARC086", True, lesser=twin)
            e.overlaps = not twin
        else:
            self.gap(self.reach, min(e.local, self.dir_at))
        e.reaches = j.fire("ARC085", e.end > self.dir_at)
        e.lost = (e.overlaps or e.reaches or e.method_differs or e.missing or e.stored_wrong or e.impossible)
        if e.end >= self.reach:
            self.reach, self.last = e.end, e

    @staticmethod
    def is_twin(a, b):
        keys = ("crc", "method", "flags", "attributes")
        return (b is not None and all(a.h[k] == b.h[k] for k in keys) and (a.local, a.packed, a.size, a.member.name)
                == (b.local, b.packed, b.size, b.member.name))

    def judge_descriptor(self, e):
        """3.5."""
        after = bytes(self.file.data[e.end:e.end + 24])
        due = 8 if e.l_extras.has_zip64 else 4
        for width in (due, 12 - due):
            for magic in (DESCRIPTOR, b""):
                if max(e.packed, e.size) >= 1 << 8 * width:
                    continue
                whole = magic + e.h["crc"].to_bytes(4, "little") + e.packed.to_bytes(width, "little") + e.size.to_bytes(width, "little")
                if after.startswith(whole):
                    e.end += len(whole)
                    self.j.fire("ARC074", width != due, lesser=True)
                    return
        right = (e.l["crc"], e.l_packed, e.l_size) == (e.h["crc"], e.packed, e.size)
        self.j.fire("ARC074", True, lesser=right and after[:4] in (LOCAL, CENTRAL))

    def gap(self, begin, end):
        """3.8 and 3.9."""
        if begin >= end or self.broken:
            return
        data = self.file.bytes(begin, end - begin)
        self.j.work.spend(len(data) // 16)
        at, hidden, covers = data.find(LOCAL), False, False
        while at >= 0 and not covers:
            if at + 30 <= len(data):
                method, n, more = (int.from_bytes(data[at + k:at + k + 2], "little") for k in (8, 26, 28))
                if method <= 99 and 0 < n <= len(data) - at - 30:
                    left = len(data) - at - 30 - n - more
                    hidden, covers = True, begin == 0 <= left < int.from_bytes(data[at + 18:at + 22], "little")
            at = data.find(LOCAL, at + 1)
        known = not data.strip(b"\0") or data.endswith(b"APK Sig Block 42") or data.startswith(MORE)
        known = known or (begin == 0 and data in (DESCRIPTOR, b"PK00"))
        if self.j.fire("ARC164", covers):
            self.j.fired -= {("ARC006", False), ("ARC006", True)}       # what follows is more of the file around it
        self.j.fire("ARC087", hidden and not covers)
        self.j.fire("ARC088", not hidden and not known)

    # ---- the bytes of members

    def read_bytes(self, promises):
        """The files inside, by name, when all bytes were judged."""
        j, out, late = self.j, [], []
        for e in self.entries:
            m = e.member
            if j.fire("RUN015", m.encrypted) or j.fire("RUN007", m.unknown) or e.lost:
                continue
            if m.uncommon:
                self.read_stream(e, promises, out, late)
                continue
            stored = self.file.bytes(e.data, e.packed)
            first = stored[:512] if e.h["method"] == 0 else first_bytes(stored)
            if m.kind == LINK:
                m.target = archive.decode_name((stored if e.h["method"] == 0 else archive.inflate(stored, min(m.size, 4096))[0])[:min(m.size, 4096)], False)[0]
                j.fire("ARC047", m.size > 4096 or archive.leaves(m.name, m.target))
            self.judge_reparse(e, first)
            kind = signature_of(first) if m.kind == FILE and m.size else None
            j.fire("ARC016", kind and filenames.extension(m.name) not in archive.DOCUMENTS)
            j.fire("ARC190", members.is_pointer(m.kind == FILE and m.size, first))
            self.judge_disguise(m, first)
            if m.kind == FOLDER:
                continue
            data = archive.judge_bytes(j, m, stored, e.h["method"] == 8)
            seen = m.size and (kind or first[:4] in (b"\xC1\x83\x2A\x9E",) or first.startswith(b"-==--==--==--==-"))
            if data is not None and m.kind == FILE and (seen or promises(m.name) or filenames.extension(m.name) == "zip"):
                out.append((m.name, data))
        self.follow_links()
        return out, late

    def follow_links(self):
        """archive.md, 2.18: links over links."""
        every = [e.member for e in self.entries]
        links = {members.key(m.own_name) for m in every if m.kind == LINK or m.leads}
        for m in every:
            if m.target or m.leads:
                name, target = (members.Name(text.encode("utf-8", "surrogatepass"), True) for text in (m.name, m.target or m.leads))
                self.j.fire("ARC047", members.crosses(members.Member(name, "symlink", target), links))

    def judge_disguise(self, m, first):
        """archive.md, 2.24."""
        named = filenames.extension(m.name) in archive.PROGRAMS or filenames.extension(m.name.rstrip("/\\")) in archive.PROGRAMS
        self.j.fire("ARC201", m.kind == FILE and m.size and not named and members.begins_as_program(first), lesser=not members.is_data(m.name))

    def judge_reparse(self, e, first):
        """2.7."""
        m = e.member
        target = reparse_target(first[:512], m.size) if e.is_reparse and m.kind == FILE else None
        m.leads = target
        self.j.fire("ARC047", target is not None, lesser=bool(target) and not archive.leaves(m.name, target))

    def read_stream(self, e, promises, out, late):
        """A member that is a stream of bzip2 or xz (1.6)."""
        j, m, method = self.j, e.member, e.h["method"]
        rules = ("ARC011", "ARC012", "ARC013", "ARC016", "ARC047", "ARC091", "ARC190", "ARC201", "RUN001", "RUN007")
        if method not in (BZIP2, XZ):
            j.leave_open(NO_DECODER, *rules)
            return
        if m.size > 1 << 24 and (m.size // 1000 > e.packed or m.size > 1 << 26):
            j.leave_open(LARGE, *rules)
            return
        if m.kind == FOLDER:
            return
        data, broken, left, lacks = unstream(method, self.file.bytes(e.data, e.packed), m.size)
        if j.fire("RUN007", lacks):
            return
        first = data[:min(m.size, 512)]
        kind = signature_of(first) if m.kind == FILE and first else None
        j.fire("ARC016", kind and filenames.extension(m.name) not in archive.DOCUMENTS)
        j.fire("ARC190", members.is_pointer(m.kind == FILE, first))
        self.judge_disguise(m, first)
        seen = first and (kind or first[:4] == b"\xC1\x83\x2A\x9E" or first.startswith(b"-==--==--==--==-"))
        data = archive.judge_decoded(j, m, data, broken, left)
        if data is None:
            return
        if m.kind == LINK:
            m.target = archive.decode_name(data[:4096], False)[0]
            j.fire("ARC047", m.size > 4096 or archive.leaves(m.name, m.target))
        elif promises(m.name) or filenames.extension(m.name) == "zip":
            out.append((m.name, data))
        elif seen:
            late.append((m.name, data))


def unstream(method, stored, size):
    """The first stream, up to one byte more than size; whether it is broken, whether bytes follow it, whether nothing here decodes it."""
    decoder = bz2.BZ2Decompressor() if method == BZIP2 else lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=DICTIONARY_MAX)
    out = bytearray()
    try:
        while not decoder.eof and len(out) <= size:
            piece = decoder.decompress(stored, size + 1 - len(out))
            out += piece
            stored = b""
            if not piece and decoder.needs_input:
                break
    except (OSError, lzma.LZMAError) as trouble:
        lacks = any(word in str(trouble) for word in ("nsupported", "limit")) or (method == XZ and decoder.check not in CHECKS)
        return bytes(out), not lacks, False, lacks
    if len(out) > size:
        return bytes(out), False, False, False
    return bytes(out), not decoder.eof, decoder.eof and bool(decoder.unused_data), False


def first_bytes(stored):
    stream = zlib.decompressobj(-15)
    out = bytearray()
    try:
        for i in range(len(stored)):
            out += stream.decompress(stored[i:i + 1])
            if len(out) >= 512:
                break
    except zlib.error:
        pass
    return bytes(out[:512])


def judge(judgement, promises):
    reader = Reader(judgement)
    reader.judge()
    if judgement.file.level == "structure" or not all(hasattr(e, "lost") for e in reader.entries):
        return []
    inside, late = reader.read_bytes(promises)
    inside = members.without_sets(judgement, inside)
    return sorted(inside, key=lambda n: n[0].lower().endswith(".pak")) + late
