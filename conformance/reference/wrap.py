"""Archives of kinds that are not read, installers and programs with an archive behind them, from conformance/spec/wrap.md."""
import re

from . import filenames, members, second
from .unread import is_unread

RULES = {"ARC002", "ARC003", "ARC160", "ARC161", "ARC162"}
LABELS = set()
EXTENSIONS = "cab ace arj lzh lha sit iso lz tlz z taz msi".split()
WITHIN = 8 << 20
CONFIG, OLE = b";!@Install@!UTF-8!", bytes.fromhex("D0CF11E0A1B11AE1")


def number(data, at, n):
    return int.from_bytes(data[at:at + n], "little")


def is_program(data):
    return data[:2] == b"MZ" or data[:4] == b"\x7FELF"


def headers(data):
    """(end, certificates) of a program, by its headers; an end of 0 is not known."""
    if data[:4] == b"\x7FELF":
        wide = data[4:5] == b"\2"
        at, n = (number(data, 40, 8), number(data, 58, 2) * number(data, 60, 2)) if wide else (number(data, 32, 4), number(data, 46, 2) * number(data, 48, 2))
        # what is not in the first 64 bytes is 0, and a sum that does not fit in 64 bits is none
        return (at + n if at and n and data[5:6] == b"\1" and at + n < 1 << 64 else 0), None
    pe = number(data, 60, 4) if len(data) >= 64 else 0
    if data[pe:pe + 4] != b"PE\0\0" or number(data, pe + 6, 2) > 96:
        return 0, None
    directories = pe + 24 + (112 if number(data, pe + 24, 2) == 0x20B else 96)
    signed = None
    if len(data) >= directories + 40 and number(data, directories - 4, 4) > 4:
        signed = number(data, directories + 32, 4), number(data, directories + 36, 4)
    end, table = 0, pe + 24 + number(data, pe + 20, 2)
    for at in range(table, table + 40 * number(data, pe + 6, 2), 40):
        n, where = number(data, at + 16, 4), number(data, at + 20, 4)
        if len(data) >= at + 24 and n:
            end = max(end, n + where)
    return end, signed


def is_apart(data, end, at):
    """3.2."""
    between = data[end:at]
    return end and at > end and not between.startswith(CONFIG) and not (len(between) <= 512 and not between.strip(b"\0"))


def judge_program(j, data, at):
    if is_program(data):
        j.fire("ARC160")
        j.fire("ARC162", is_apart(data, headers(data)[0], at))


def archive_at(data):
    """(at, kind) of the archive behind a program."""
    places = [m.start() for m in re.finditer(re.escape(second.SEVENZIP) + b"|" + re.escape(second.RAR), data[:WITHIN + 6]) if m.start() < WITHIN]
    return next(((at, kind) for at in places if (kind := second.begins(data, at))), None)


def is_installer(data):
    where = re.finditer(re.escape(b"\xEF\xBE\xAD\xDENullsoftInst"), data[:WITHIN + 16])
    inno = data.find(b"Inno Setup Setup Data (", 0, WITHIN + 22)
    return any(m.start() % 512 == 4 and m.start() < WITHIN for m in where) or 0 <= inno < WITHIN


def kind_of(file):
    first, extension = bytes(file.data[:512]), filenames.extension(file.name)
    what = members.signature(first)
    if what == "unread" or what is None and extension == "iso" and bytes(file.data[0x8001:0x8006]) == b"CD001":
        return "unread"
    if what is not None:
        return None
    if first.startswith(OLE) and extension == "msi":
        return "installer"
    if not is_program(first):
        return None
    data = bytes(file.data[:WITHIN + 2048])
    return "program" if archive_at(data) else "installer" if is_installer(data) else None


def looks_like(file):
    return "wrap" if kind_of(file) else None


def judge(j):
    kind, data = kind_of(j.file), bytes(j.file.data)
    j.fire("ARC161", kind == "installer")
    if j.fire("ARC003", kind == "unread"):
        j.fire("ARC002", members.promise(j.file.name) is not None)
    if kind != "program":
        return []
    at, inner = archive_at(data)
    judge_program(j, data, at)
    end, signed = len(data), headers(data)[1]
    if signed and signed[1] and at < signed[0] < end and signed[1] == end - signed[0]:
        end = signed[0]
    last = re.split(r"[/\\]", j.file.name)[-1]
    stem = last[:-len(filenames.extension(last)) - 1] if filenames.extension(last) else last
    return [(stem + "." + inner, data[at:end])]
