"""What engines take, from 1.32 and 1.33 of conformance/spec/iostore.md and 6.6 of pak.md."""

OLD = (-1, 0)                       # the form of Unreal Engine 4
# engine: newest .utoc, container headers, whether it is proved that older and newer ones are refused
ENGINES = {"4.26": (2, OLD, True, True), "4.27": (3, OLD, True, True), "5.0": (5, (1, 1), False, False), "5.1": (5, (2, 2), True, True),
           "5.2": (5, (2, 2), False, False), "5.3": (5, (3, 3), False, False), "5.4": (6, (3, 3), False, False), "5.5": (8, (3, 4), True, False),
           **{f"5.{n}": (8, (3, 5), True, False) for n in (6, 7, 8)}}
PAKS = {**{f"4.{n}": 6 for n in range(16, 21)}, "4.21": 7, **{f"4.{n}": 8 for n in (22, 23, 24)}, "4.25": 9, "4.26": 11, "4.27": 11,
        **{f"5.{n}": 11 for n in range(7)}, "5.7": 12, "5.8": 12}
GAMES = {"gothic-1-remake": "5.4", "sd-gundam-ba": "4.27",
         **dict.fromkeys(("efootball", "ff7-rebirth", "sackboy", "scarlet-nexus", "suicide-squad"), "4.26")}
RULES = {"SET032", "SET033", "SET034"}


def judge_version(c):
    if c.file.engine in ENGINES:
        c.j.fire("SET032", c.version > ENGINES[c.file.engine][0])


def judge_signed(c):
    c.j.fire("SET034", c.file.signs and not c.flag(4) and not c.file.signing)


def judge_header(c, version):
    if c.file.engine in ENGINES:
        _, (first, last), older, newer = ENGINES[c.file.engine]
        c.j.fire("SET033", not first <= version <= last, lesser=not (older if version < first else newer))


def judge_pak(j, version):
    engine = j.file.engine
    j.fire("PAK057", engine is not None and version > PAKS[engine])
