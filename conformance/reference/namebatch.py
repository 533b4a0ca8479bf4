"""Batches of names, from chapter 9 of conformance/spec/iostore.md."""
from assembler.hashes import cityhash64_bytes

from .filenames import fold_ascii, has_lone_surrogate

RULES = {f"NAM{n:03}" for n in (*range(1, 11), 12)}
ALGORITHM = 0xC1640000
LONGEST = 1023


class Name:
    def __init__(self, data, wide):
        step = 2 if wide else 1
        self.data, self.wide = data, wide
        self.text = "".join(chr(int.from_bytes(data[i:i + step], "little")) for i in range(0, len(data), step))


class Batch:
    """Names, and their hashes where there are any that count. sound: their lengths add up."""

    def __init__(self):
        self.names, self.hashes, self.algorithm, self.sound = [], [], ALGORITHM, True


def head_of(file, at):
    head = file.number(at, 2, "big")
    return head & 0x7FFF, bool(head & 0x8000)


def read(file, at):
    """The batch at a place and where it ends; None for the end where the count does not fit (9.1)."""
    out = Batch()
    n = file.u32(at)
    at += 4
    if n == 0:
        return out, at
    left = len(file) - at
    if left < 12 or n > (left - 12) // 10 or file.u32(at) > left - 12 - 10 * n:
        return None, None
    size, out.algorithm = file.u32(at), file.u64(at + 4)
    out.hashes = [file.u64(at + 12 + 8 * i) for i in range(n)]
    heads = [head_of(file, at + 12 + 8 * n + 2 * i) for i in range(n)]
    begin = at + 12 + 10 * n
    out.sound = sum(length * (2 if wide else 1) for length, wide in heads) == size
    place = begin
    for length, wide in heads:
        end = place + length * (2 if wide else 1)
        if end > begin + size:
            break
        out.names.append(Name(file.bytes(place, end - place), wide))
        place = end
    out.longest = max(length for length, _ in heads)
    return out, begin + size


def read_old(file, at, size):
    """The names of Unreal Engine 4 in so many bytes; sound where they end there."""
    out, end = Batch(), at + size
    while at < end and out.sound:
        out.sound = at + 2 <= end
        if not out.sound:
            break
        length, wide = head_of(file, at)
        at += 2 + (wide and at % 2)
        width = length * (2 if wide else 1)
        out.sound = at + width <= end
        if out.sound:
            out.names.append(Name(file.bytes(at, width), wide))
            at += width
    return out


def hash_of(name):
    return cityhash64_bytes(fold_ascii(name.data.decode("latin-1")).encode("latin-1"))


def judge_algorithm(j, batch):
    j.fire("NAM003", batch.algorithm != ALGORITHM)


def judge(j, batch):
    judge_each(j, batch)
    j.fire("NAM007", len({(name.wide, name.data) for name in batch.names}) < len(batch.names))


def judge_each(j, batch):
    """Of a batch whose names may repeat."""
    judge_algorithm(j, batch)
    for name in batch.names:
        j.work.spend()
        j.fire("NAM004", len(name.text) > LONGEST)
        j.fire("NAM005", not name.text)
        j.fire("NAM008", name.text and name.wide == name.text.isascii())
        j.fire("NAM012", "\0" in name.text or has_lone_surrogate(name.text))
    j.fire("NAM006", any(hash_is_wrong(batch, i) for i in range(min(len(batch.names), len(batch.hashes)))))


def hash_is_wrong(batch, i):
    """Whether the hash of a name is compared (iostore.md 9.6), and is another one."""
    name = batch.names[i]
    return batch.algorithm == ALGORITHM and name.text.isascii() and 0 < len(name.text) <= LONGEST and batch.hashes[i] != hash_of(name)


def package_id(text, number):
    """The id of a package by its name, or None where that cannot be told."""
    if not text.isascii():
        return None
    whole = text + (f"_{number - 1}" if number else "")
    return cityhash64_bytes(fold_ascii(whole).encode("utf-16-le"))
