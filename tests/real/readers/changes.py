"""Changes of an archive's bytes, the same in every run. Checksums of headers are made right again, as whoever changes a header by hand does
with a text editor and a hash calculator; what is compared afterwards is what readers make of the change, not whether they see that there is
one."""
import random
import typing
import zlib

SPLICED = 64                # bytes of one archive that are put over those of another
BYTES = (0, 1, 2, 3, 7, 8, 9, 0x0A, 0x10, 0x20, 0x2E, 0x2F, 0x30, 0x31, 0x35, 0x37, 0x3A, 0x40, 0x4B, 0x4C, 0x5C, 0x67, 0x78, 0x7F, 0x80, 0xC3, 0xFE, 0xFF)


class Change(typing.NamedTuple):
    data: bytes
    where: str              # the kind of change and the fields that it hit, as "byte: local.flags"


def seeded(*words):
    return random.Random(zlib.crc32("/".join(map(str, words)).encode()))


def new_byte(data, at, rng):
    """Another value for a byte: a bit of it, one that means something to many formats, or one from elsewhere in the file."""
    how = rng.randrange(3)
    if how == 0:
        return data[at] ^ 1 << rng.randrange(8)
    return rng.choice(BYTES) if how == 1 else rng.choice(data)


def change_bytes(data, layout, rng, n):
    out = bytearray(data)
    places = [layout.place(rng) for _ in range(n)]
    for at in places:
        out[at] = new_byte(data, at, rng)
    return out, places


def one_byte(data, layout, _, rng):
    return change_bytes(data, layout, rng, 1)


def two_bytes(data, layout, _, rng):
    return change_bytes(data, layout, rng, 2)


def twins(data, layout, _, rng):
    """The same byte where the format says a thing twice, as a zip does in its local and central headers."""
    out = bytearray(data)
    if not layout.twins:
        return out, []
    places = rng.choice(layout.twins)
    value = new_byte(data, places[0], rng)
    for at in places:
        out[at] = value
    return out, list(places)


def field(data, layout, other, rng):
    """A whole field from another archive of this format, or from another place of this one."""
    out = bytearray(data)
    theirs = other.layout if rng.random() < 0.7 else layout
    shared = sorted(set(layout.fields) & set(theirs.fields))
    if not shared:
        return out, []
    name = rng.choice(shared)
    begin, end = rng.choice(layout.fields[name])
    source = other.data if theirs is other.layout else data
    first, last = rng.choice(theirs.fields[name])
    piece = source[first:last][:end - begin]
    out[begin:begin + len(piece)] = piece
    return out, [begin]


def splice(data, layout, other, rng):
    """Bytes of another archive over those of this one, behind it, or as its end."""
    out = bytearray(data)
    at, begin = layout.place(rng), other.layout.place(rng)
    how = rng.randrange(4)
    if how == 0:
        out[len(out):] = other.data
        return out, [len(data) - 1]
    if how == 1:
        out[at:] = other.data[begin:]
        return out, [at]
    piece = other.data[begin:begin + rng.randrange(1, SPLICED)]
    out[at:at + len(piece)] = piece
    return out[:len(data)], [at]


KINDS = {"byte": one_byte, "two": two_bytes, "twin": twins, "field": field, "splice": splice}


def change(kind, seed, other, rng):
    """A changed copy of a seed's bytes, or None where this kind of change has nothing to change."""
    out, places = KINDS[kind](seed.data, seed.layout, other, rng)
    seed.layout.mend(out, places)
    if bytes(out) == seed.data:
        return None
    hit = sorted({seed.layout.name(at) for at in places})
    return Change(bytes(out), f"{kind}: {' '.join(hit)}")

