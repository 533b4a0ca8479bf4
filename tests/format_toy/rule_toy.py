"""Adds a rule to a copy of the tree by the four steps of CONTRIBUTING.md and nothing else, and shows that it fires; docs/ADDING_A_RULE.md
explains it. The id is one that no rule will have."""
import re

from sandbox import demand, run

RULE = "TOC900"
CHUNKS = "src/formats/iostore/toc/chunks.c"
BULK = """before head_chunk bulk_chunk: {{ bulk_chunk_id: u64 foo_id; bulk_index: u16be 0; bulk_pad: u8 0; bulk_type: u8 {type} }}
before head_entry bulk_entry: {{ bulk_offset: u40be bulk_place * unit; bulk_length: u40be bulk_size }}
before head_block bulk_block: {{ bulk_at: u40 bulk; bulk_stored: u24 bulk_size; bulk_unpacked: u24 bulk_size; bulk_method: u8 0 }}
before head_meta  bulk_meta: {{ bulk_hash: {hash}; bulk_meta_flags: u8 0{pad} }}
before head {{ bulk: text "{text}"; bulk_gap: align 16 }}
let bulk_place (bulk_block - blocks) / 12
let bulk_size  bulk.end - bulk
"""
NEW = {"type": 2, "hash": "blake3_160(bulk)", "pad": "; bulk_meta_pad: fill 3"}
OLD = {"type": 3, "hash": "sha1(bulk); fill 12", "pad": ""}

# New files, by the step that they belong to.
VECTORS = {
    f"{RULE}_bulk_tiny": f"""# Bulk data of 15 bytes, one too few.
base    good_minimal
verdict valid
expect  {RULE} span bulk_length

""" + BULK.format(text="x" * 15, **NEW),
    f"{RULE}_bulk_tiny_v3": f"""# Bulk data of one byte, in version 3.
base    good_v3
verdict valid
expect  {RULE} span bulk_length

""" + BULK.format(text="x", **OLD),
    f"{RULE}_good_16": f"""# Bulk data of 16 bytes.
base    good_minimal
verdict valid
passes  {RULE}

""" + BULK.format(text="x" * 16, **NEW),
}
# Edits, by the step that they belong to: the file, what stands there, and what stands there then.
EDITS = [
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
]
# What is forgotten: the fast path of the table has a definition of its own of what is plain.
FORGOTTEN = (CHUNKS, "	if (length > PACKAGE_MAX ||\n	    !last_is_plain(",
             "	if (length > PACKAGE_MAX || length < 16 ||\n	    !last_is_plain(")
GENERATED = {"conformance/rules.md", "conformance/details/iostore.txt"}
ASSERTION = "a fast path takes for plain what has a defect"


def carry_out(copy):
    """The steps, without what is forgotten."""
    for name, text in VECTORS.items():
        copy.add(f"conformance/vectors/iostore/{name}.vec", text.encode())
    for _, name, old, new in EDITS:
        copy.edit(name, old, new)
    comment = copy.wanted["src/rule/ids/all.def"].decode()
    copy.edit("src/rule/ids/all.def", re.search(r"\bTOC\d{3}\b", comment)[0], "TOC901")


def check_forgotten(copy, work):
    """A build that checks stops where a chunk with the defect is passed over, and names the place."""
    sample = work / "forgotten.utoc"
    copy.python("conformance/assemble.py", copy.tree / f"conformance/vectors/iostore/{RULE}_bulk_tiny.vec", "-o", sample)
    said = run(copy.program("uvet"), "check", sample, expect=None)
    demand(ASSERTION in said and CHUNKS.rpartition("/")[2] in said, f"the fast path passes over the defect unnoticed:\n{said}")


def remember(copy):
    """Makes the edit that is forgotten."""
    copy.edit(*FORGOTTEN)
    (copy.tree / FORGOTTEN[0]).write_bytes(copy.wanted[FORGOTTEN[0]])


def check_vectors(copy):
    """The rule fails where it shall, passes where it shall, and nothing else changes."""
    copy.python("conformance/run.py", copy.program("uvet"), "--only", f"iostore/{RULE}*", "--update", "--no-schema")
    said = run(copy.program("uvet"), "explain", RULE)
    demand("bulk_tiny" in said, said)
