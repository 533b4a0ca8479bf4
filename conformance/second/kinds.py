"""Which format a file is of, and the files within files (run.md 1.4 and 3)."""
from . import filenames, manifest, umod
from .core import File, Judgement, TooMuch, Work

EXTENSIONS = {"umod": "umod ut2mod ut4mod rmod".split()}
PROMISED = {extension: form for form, extensions in EXTENSIONS.items() for extension in extensions}
# These promise formats that this reader does not read; their bytes are not asked for another.
OTHERS = set("uz uz2 uz3 lzma utoc u unr utx uax umx ut2 usx ukx uxx dx rom un2 umf".split())
JUDGES = {"umod": umod.judge}
CONTENTS = (("umod", umod.looks_like),)
RULES = {"umod": umod.RULES | manifest.RULES}
LABELS = {"umod": umod.LABELS}
NOT_COVERED = {}
MAX_DEPTH = 4
MAX_NESTED = 4096


def promised(name):
    return PROMISED.get(filenames.extension(name))


def kind_of(file):
    """By the extension, else by the contents; None for a file of no known format."""
    if filenames.extension(file.name) in OTHERS:
        return None
    return promised(file.name) or next((form for form, looks in CONTENTS if looks(file)), None)


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


def judge_as(judgement, depth, room):
    """room is a list of one number: how many nested files there may still be."""
    inside = JUDGES[judgement.format](judgement) or ()
    for name, *place in inside:
        form, data = nested_form(judgement, name, *place)
        if form is None:
            continue
        if depth == MAX_DEPTH or room[0] == 0:
            judgement.fire("RUN001")
            continue
        room[0] -= 1
        inner = Judgement(File(name, data), form, judgement.work)
        judgement.nested.append(inner)
        judge_as(inner, depth + 1, room)


def nested_form(judgement, name, *place):
    """A stretch (offset, size) of the file counts by its name alone; bytes that came out of it count by what they are, too."""
    if len(place) == 2:
        form = promised(name)
        return form, judgement.file.data[place[0]:place[0] + place[1]] if form else None
    return kind_of(File(name, place[0])), place[0]
