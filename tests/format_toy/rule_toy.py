"""Adds rules to a copy of the tree by the four steps of CONTRIBUTING.md and nothing else, and shows that they fire. docs/ADDING_A_RULE.md
explains the one about chunks of containers; the one about members of installers shows what a rule costs in another format. The ids are some
that no rule will have."""
import collections
import re

from sandbox import demand, run

Example = collections.namedtuple("Example", "rule name folder vectors edits")

CHUNKS = "src/formats/iostore/toc/chunks.c"
BULK = 'set bulk text "{text}"\n'

# New files, by name; and edits, by the step that they belong to: the file, what stands there, and what stands there then.
CHUNK = Example("TOC900", "bulk_tiny", "iostore", {
    "TOC900_bulk_tiny": """# Bulk data of 15 bytes, one too few.
base    good_bulk
verdict valid
expect  TOC900 span bulk_length

""" + BULK.format(text="x" * 15),
    "TOC900_bulk_tiny_v3": """# Bulk data of one byte, in version 3.
base    good_v3_bulk
verdict valid
expect  TOC900 span bulk_length

""" + BULK.format(text="x"),
    "TOC900_good_16": """# Bulk data of 16 bytes.
base    good_bulk
verdict valid
passes  TOC900

""" + BULK.format(text="x" * 16),
}, [
    (1, "conformance/spec/iostore.md", "", """
<a id="3.900"></a>
### 3.900 Bulk data of few bytes

Bulk data should have at least 16 bytes: the engine reads it in pieces of that size.

Judged by TOC900.
"""),
    (1, "conformance/reference/uncovered.py", "NOT_COVERED = {\n", 'NOT_COVERED = {\n    "TOC900": "no engine asks it",\n'),
    (2, "src/formats/iostore/utoc.def", "DEFECTS_END(toc_chunk)\n",
     'DEFECT (CHUNK_BULK_TINY,       "bulk data of fewer than 16 bytes")\nDEFECTS_END(toc_chunk)\n'),
    (2, CHUNKS, "	if (offset % t->block_size != 0)\n		c->traits |= CHUNK_MISALIGNED;\n",
     "	if (length < 16 && toc_is_bulk(c->type))\n		c->traits |= CHUNK_BULK_TINY;\n"
     "	if (offset % t->block_size != 0)\n		c->traits |= CHUNK_MISALIGNED;\n"),
    (2, "src/formats/iostore/toc/chunk_rules.c", "", """
DEFECT_RULE(TOC900, bulk_tiny, NOTE, UTOC_CHUNK_ROWS, k, CHUNK_BULK_TINY,
     .class   = CLASS_HYGIENE,
     .title   = "Bulk data should have 16 bytes or more.",
     .message = "chunk {0} is bulk data of {1}, pieces have 16",
     .data    = "chunk length",
     .why     = "The engine reads a whole piece for each.",
     .fix     = "Keep such data in the package.",
     .spec    = "iostore.md#3.900")
{
	report(c, AT(c, utoc_range, &k->range, length), DEC(k->number), SIZE(k->range.length));
}
"""),
    (3, "src/rule/ids/utoc.def", "RULE_ID(TOC026)\n", "RULE_ID(TOC026)\nRULE_ID(TOC900)\n"),
])
MEMBER = Example("UMD900", "thirteen", "umod", {
    "UMD900_thirteen": """# A member of 13 bytes.
base    good_minimal
verdict valid
expect  UMD900 span foo_length

let foo_path "System\\\\Foo.dat"
set foo text "thirteen byte"
""",
    "UMD900_thirteen_page": """# A page of 13 bytes, in another folder.
base    good_minimal
verdict valid
expect  UMD900 span foo_length

let foo_path "Help\\\\Foo.txt"
set foo text "bad luck, bad"
""",
    "UMD900_good_14": """# A member of 14 bytes.
base    good_minimal
verdict valid
passes  UMD900

let foo_path "System\\\\Foo.dat"
set foo text "fourteen bytes"
""",
}, [
    (1, "conformance/spec/umod.md", "", """
<a id="5.900"></a>
### 5.900 Members of 13 bytes

A member should not have 13 bytes.

Judged by UMD900.
"""),
    (1, "conformance/reference/uncovered.py", "NOT_COVERED = {\n", 'NOT_COVERED = {\n    "UMD900": "no engine asks it",\n'),
    (2, "src/formats/umod/umod.def", "DEFECTS_END(umod_member)\n",
     'DEFECT (UMOD_IS_THIRTEEN,    "it has 13 bytes")\nDEFECTS_END(umod_member)\n'),
    (2, "src/formats/umod/directory.c", "	if (m->size == 0)\n",
     "	if (m->size == 13)\n		m->traits |= UMOD_IS_THIRTEEN;\n	if (m->size == 0)\n"),
    (2, "src/formats/umod/umod_rules.c", "", """
DEFECT_RULE(UMD900, member_thirteen, NOTE, UMOD_MEMBERS, m, UMOD_IS_THIRTEEN,
     .class   = CLASS_HYGIENE,
     .title   = "A member should not have 13 bytes.",
     .message = "entry {0} has 13 bytes: {1}",
     .data    = "entry name",
     .why     = "It brings bad luck.",
     .fix     = "Add a byte.",
     .spec    = "umod.md#5.900")
{
	report_member(c, m, ENTRY_AT(c, m, size));
}
"""),
    (3, "src/rule/ids/umod.def", "RULE_ID(UMD027)\n", "RULE_ID(UMD027)\nRULE_ID(UMD900)\n"),
])
# What is forgotten: the fast path of the table has a definition of its own of what is plain.
FORGOTTEN = (CHUNKS, "	if (length > PACKAGE_MAX ||\n	    !last_is_plain(",
             "	if (length > PACKAGE_MAX || length < 16 ||\n	    !last_is_plain(")
GENERATED = {"conformance/rules.md", "conformance/details/iostore.txt", "conformance/details/umod.txt"}
ASSERTION = "a fast path takes for plain what has a defect"


def carry_out(copy, example):
    """The steps, without what is forgotten."""
    for name, text in example.vectors.items():
        copy.add(f"conformance/vectors/{example.folder}/{name}.vec", text.encode())
    for _, name, old, new in example.edits:
        copy.edit(name, old, new)
    comment, family, number = copy.wanted["src/rule/ids/all.def"].decode(), example.rule[:3], int(example.rule[3:])
    copy.edit("src/rule/ids/all.def", re.search(rf"\b{family}\d{{3}}\b", comment)[0], f"{family}{number + 1}")


def check_room(copy):
    """A defect that what keeps the set has no room for does not compile."""
    path = copy.tree / "src/formats/umod/umod.def"
    text = path.read_text()
    more = "".join(f'DEFECT (UMOD_IS_MORE_{i}, "one more")\n' for i in range(32))
    path.write_text(text.replace("DEFECTS_END(umod_member)\n", more + "DEFECTS_END(umod_member)\n"))
    said = run("cc", "-fsyntax-only", f"-I{copy.tree}/src", f"-I{copy.tree}/include", copy.tree / "src/formats/umod/umod_format.c", expect=1)
    demand("what keeps umod_member has no room for its last bit" in said, said)
    path.write_text(text)


def check_forgotten(copy, work):
    """A build that checks stops where a chunk with the defect is passed over, and names the place."""
    sample = work / "forgotten.utoc"
    copy.python("conformance/assemble.py", copy.tree / f"conformance/vectors/iostore/{CHUNK.rule}_bulk_tiny.vec", "-o", sample)
    said = run(copy.program("uvet"), "check", sample, expect=None)
    demand(ASSERTION in said and CHUNKS.rpartition("/")[2] in said, f"the fast path passes over the defect unnoticed:\n{said}")


def check_unsummed(copy, work):
    """A build that checks stops where the sum of a table lacks what a row has: no rule would be asked about it."""
    path = copy.tree / "src/formats/umod/directory.c"
    text, line, sample = path.read_text(), "	u->traits |= m->traits;\n", work / "unsummed.umod"
    demand(line in text, f"directory.c does not have {line}")
    path.write_text(text.replace(line, ""))
    copy.compile("uvet")
    copy.python("conformance/assemble.py", copy.tree / f"conformance/vectors/umod/{MEMBER.rule}_thirteen.vec", "-o", sample)
    said = run(copy.program("uvet"), "check", sample, expect=None)
    demand(ASSERTION in said and "are_summed_up" in said, f"the sum lacks the defect unnoticed:\n{said}")
    path.write_text(text)


def remember(copy):
    """Makes the edit that is forgotten."""
    copy.edit(*FORGOTTEN)
    (copy.tree / FORGOTTEN[0]).write_bytes(copy.wanted[FORGOTTEN[0]])


def check_vectors(copy):
    """Each rule fails where it shall, passes where it shall, and nothing else changes."""
    for example in CHUNK, MEMBER:
        copy.python("conformance/run.py", copy.program("uvet"), "--only", f"{example.folder}/{example.rule}*", "--update", "--no-schema")
        said = run(copy.program("uvet"), "explain", example.rule)
        demand(example.name in said, said)
