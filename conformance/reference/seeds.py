"""The perfect hash of a container, from chapter 5 of conformance/spec/iostore.md."""

RULES = {f"PHS{n:03}" for n in range(1, 10)}
LOWEST = -1 << 31
BASIS, PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def hash_of(id_bytes, seed):
    value = seed or BASIS
    for b in id_bytes:
        value = value * PRIME & MASK ^ b
    return value


def read(c, name, label):
    rows = c.rows(name, 4) if name in c.sections else None
    if rows is None:
        return None
    out = []
    for at in rows:
        out.append(c.file.i32(at))
        c.j.region(label, at, 4, {"value": out[-1]})
    return out


class Lookup:
    """How a game finds chunks."""

    def __init__(self, c, seeds, overflow):
        self.c, self.seeds, self.overflow = c, seeds, overflow
        self.n = len(c.chunks)

    def is_left_over(self, seed):
        return self.c.version >= 5 and seed < 0 and -seed - 1 >= self.n

    def finds(self, chunk, number):
        """At its own slot: of two with one id only one can be."""
        seed = self.seeds[hash_of(chunk.bytes, 0) % len(self.seeds)]
        if self.is_left_over(seed):
            return number in self.overflow
        return seed != 0 and number == (hash_of(chunk.bytes, seed) % self.n if seed > 0 else -seed - 1)


def judge(c):
    if c.version < 4:
        return
    j, h = c.j, c.h
    j.fire("PHS008", h["n_chunks"] and not h["n_seeds"])
    j.fire("PHS009", h["n_seeds"] and h["n_seeds"] != max(1, (h["n_chunks"] + 1) // 2))
    seeds = read(c, "seeds", "seed")
    overflow = read(c, "overflow", "overflow") if c.version >= 5 else []
    if seeds is None or c.chunks is None:
        return
    lookup = Lookup(c, seeds, overflow or [])
    j.fire("PHS004", LOWEST in seeds)
    j.fire("PHS005", c.version == 4 and any(s < 0 and -s - 1 >= lookup.n and s != LOWEST for s in seeds))
    if overflow is None:
        return
    judge_overflow(c, lookup)
    if seeds:
        for number, chunk in enumerate(c.chunks):
            j.work.spend(10)
            j.fire("PHS001", not lookup.finds(chunk, number))


def judge_overflow(c, lookup):
    """5.2, 5.3, 5.6 and 5.7."""
    j, overflow = c.j, lookup.overflow
    leads = any(lookup.is_left_over(s) for s in lookup.seeds if s != LOWEST)
    j.fire("PHS002", any(not 0 <= slot < lookup.n for slot in overflow))
    known = [slot for slot in overflow if 0 <= slot < lookup.n]
    j.fire("PHS003", len(set(known)) < len(known))
    j.fire("PHS006", leads and not overflow and c.chunks)
    j.fire("PHS007", overflow and lookup.seeds and not leads and LOWEST not in lookup.seeds)
