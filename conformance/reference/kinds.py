"""Which format a file is of, and the files within files (run.md 1.4 and 3)."""
import functools

from . import filenames, manifest, pak, rar, sevenzip, stream, tar, umod, upkg, utoc, uz, wrap, zen, zips
from .core import File, Judgement, TooMuch, Work

EXTENSIONS = {"umod": "umod ut2mod ut4mod rmod umd".split(), "upkg": upkg.EXTENSIONS, "utoc": ["utoc"], "pak": ["pak"], "zen": zen.EXTENSIONS,
              **{form: [form] for form in uz.EXTENSIONS}}
# Extensions that other files have, too: the contents decide, and with them this format goes before others (upkg.md 1.1, archive.md 1.1).
SHARED = {**{extension: "upkg" for extension in upkg.SHARED}, "zip": "zip", "7z": "sevenzip", **{extension: "rar" for extension in rar.EXTENSIONS}, "tar": "tar", **{extension: "stream" for extension in stream.EXTENSIONS}, **{extension: "wrap" for extension in wrap.EXTENSIONS}}
PROMISED = {extension: form for form, extensions in EXTENSIONS.items() for extension in extensions}
# Each says of the first bytes of a file, or its last ones, which format they are of, or None.
CONTENTS = (lambda file: "umod" if umod.looks_like(file) else None, lambda file: "upkg" if upkg.looks_like(file) else None,
            lambda file: "utoc" if utoc.looks_like(file) else None, lambda file: "zen" if zen.looks_like(file) else None,
            lambda file: "pak" if pak.looks_like(file) else None, lambda file: "zip" if zips.looks_like(file) else None, lambda file: "sevenzip" if sevenzip.looks_like(file) else None, *uz.CONTENTS,
            lambda file: "rar" if rar.looks_like(file) else None,
            lambda file: "tar" if tar.looks_like(file) else None, lambda file: "stream" if stream.looks_like(file) else None, wrap.looks_like)
RULES = {None: {"RUN004"}, "umod": umod.RULES | manifest.RULES, "upkg": upkg.RULES, "utoc": utoc.RULES, "pak": pak.RULES, "zen": zen.RULES, "zip": zips.RULES, "sevenzip": sevenzip.RULES, "rar": rar.RULES, "tar": tar.RULES, "stream": stream.RULES, "wrap": wrap.RULES, **uz.RULES}
RULES = {form: rules | {"RUN013", "ARC017"} for form, rules in RULES.items()}
LABELS = {"umod": umod.LABELS, "upkg": upkg.LABELS, "utoc": utoc.LABELS, "pak": pak.LABELS, "zen": zen.LABELS, "zip": zips.LABELS, "sevenzip": sevenzip.LABELS, "rar": rar.LABELS, "tar": tar.LABELS, "stream": stream.LABELS, "wrap": wrap.LABELS,
          **uz.LABELS}
MAX_DEPTH = 4
MAX_NESTED = 4096


def promised(name):
    """The format that a name promises; "shared" where a format shares its extension with other files."""
    return "shared" if filenames.extension(name) in SHARED else PROMISED.get(filenames.extension(name))


JUDGES = {"umod": functools.partial(umod.judge, promises=promised), "upkg": upkg.judge, "utoc": utoc.judge, "pak": functools.partial(pak.judge, promises=promised), "zen": zen.judge, "zip": functools.partial(zips.judge, promises=promised), "tar": functools.partial(tar.judge, promises=promised), "stream": functools.partial(stream.judge, promises=promised), "wrap": wrap.judge, "sevenzip": functools.partial(sevenzip.judge, promises=promised), "rar": functools.partial(rar.judge, promises=promised),
          **{form: functools.partial(judge, promises=promised) for form, judge in uz.JUDGES.items()}}


def kind_of(file):
    """By the extension, else by the contents; None for a file of no known format."""
    return next(iter(kinds_of(file)), None)


def is_sidecar(file):
    """An AppleDouble file of macOS, without the end of a file that is known by its end (run.md 1.4)."""
    return (file.name.replace("\\", "/").rpartition("/")[2].startswith("._") and file.data[:8] == b"\0\5\x16\7\0\2\0\0"
            and not any(mark in file.data[-65557:] for mark in (b"\xE1\x12\x6F\x5A", b"\xA3\xC5\xE3\x9F", b"PK\5\6")))


def kinds_of(file):
    """More than one where the name decides nothing and the contents tell several (run.md 1.13)."""
    if is_sidecar(file):
        return []
    form = promised(file.name)
    if form not in (None, "shared"):
        return [form]
    told = list(filter(None, (looks(file) for looks in CONTENTS)))
    own = SHARED.get(filenames.extension(file.name))
    return [own] if own in told else told


def judge(file):
    """The judgement of a file that is named for a check, with those of the files in it; None where this reader's bound on work is met."""
    work = Work()
    try:
        form = kind_of(file)
        out = Judgement(file, form, work)
        if not out.fire("RUN004", form is None):
            judge_as(out, 0, [MAX_NESTED])
        return out
    except TooMuch:
        return None


def judge_as(judgement, depth, room, around=()):
    """room is a list of one number: how many nested files there may still be. around are the files that this one lies in."""
    judgement.fire("RUN013", judgement.file.claims is None and len(kinds_of(judgement.file)) > 1)
    inside = JUDGES[judgement.format](judgement) or ()
    if judgement.fire("ARC017", any(is_same(judgement.file, other) for other in around)):
        return
    for name, *place in inside:
        if isinstance(place[0], File):          # what is around it says what it is
            inner, form, data = *place, None
        else:
            form, data = nested_form(judgement, name, *place)
            inner = File(name, data, level=judgement.file.level).aimed_as(judgement.file) if form else None
        if form is None:
            continue
        if depth == MAX_DEPTH or room[0] == 0:
            judgement.fire("RUN001")
            continue
        room[0] -= 1
        inner = Judgement(inner, form, judgement.work)
        judgement.nested.append(inner)
        judge_as(inner, depth + 1, room, (*around, judgement.file))


def is_same(a, b):
    """3.5."""
    return len(a) == len(b) > 0 and bytes(a.data) == bytes(b.data)


def nested_form(judgement, name, *place):
    """A stretch (offset, size) of the file counts by its name alone; bytes that came out of it count by what they are, too."""
    if len(place) == 2:
        if promised(name) is None:
            return None, None
        place = (judgement.file.data[place[0]:place[0] + place[1]],)
    return kind_of(File(name, place[0])), place[0]
