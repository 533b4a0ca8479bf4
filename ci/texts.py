#!/usr/bin/env python3
"""Looks for words in rules' texts that docs/STYLE.md has better ones for, and for sentences that begin as none.
It reads conformance/rules.md, which run.py holds against the program."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What is not said, and what is said instead.
WORDS = {
    "behind": "after",
    "beyond": "out of range, past, more than",
    "cut|cuts": "truncated",
    "gives": "decompresses to, has",
    "lie|lies|lying": "is in, is at, is within",
    "nobody|nobody's": "who it is that does not, or: it is not known",
    "so many|so much": "the number, or its name",
    "odd|oddly|wrong|wrongly|bad|badly|strange|strangely|dirty|unusual": "what is the matter with it",
    "crew|grab": "threads, a batch",
    "twice|once more": "duplicate, repeated",
    "deceived|deceive": "what was changed, and what reads it otherwise: a file does not say why",
}

# (rule, word): why it stays.
EXCEPTIONS = {
}

# What must be found in texts, and what must not.
BAD = {
    "title": ["It shall not lie here.", "it shall be.", "No file shall be cut."],
    "message": ["It is 1", "it is 1.", "the bytes behind it", "an Odd number of them: odd"],
    "why": ["The stream gives 4 bytes.", "nothing reads it.", "Nobody reads it", "This is so many bytes.", "It is there twice."],
    "fix": ["Repair the wrong number.", "get it again.", "Do not be deceived."],
}
GOOD = {
    "title": ["A file shall be here.", "`x` shall be here.", "A name shall be *short*."],
    "message": ["it is 1, expected 2", "{0} is cutlery, believe it", "CRC {0}, expected {1}", "Product is unknown"],
    "why": ["A later version may give it a meaning.", "0 stands for none.", "The address is of a behindhand server."],
    "fix": ["Players: get it again. Authors: pack it again."],
}


def rules(page):
    """(id, {kind: text}) of each rule of the page."""
    for section in re.split(r"(?m)^### ", page)[1:]:
        paragraphs = [p.strip() for p in section.split("\n\n")]
        texts = {"lesser_when": paragraphs[1], "title": paragraphs[2]}
        for paragraph in paragraphs[3:]:
            m = re.match(r"\*\*(Message|Why|Fix):\*\* (.*)", paragraph, re.S)
            if m:
                texts[m.group(1).lower()] = m.group(2)
        yield re.search(r"[A-Z]{3}\d{3}", section).group(), texts


def complaints_of(kind, text):
    """(word, what is the matter with it) of one text."""
    for words, instead in WORDS.items():
        for m in re.finditer(rf"\b({words})\b", text, re.I):
            yield m.group(1).lower(), f"say instead of {m.group(1)!r}: {instead}"
    if kind == "message":
        if re.match(r"(An?|The|It|Its|No|This|There|In|Of)\b", text) or text.endswith("."):
            yield "", "a message begins in lower case and ends without a full stop"
    elif kind != "lesser_when" and re.match(r"[a-z]", text):
        yield "", "a sentence begins with a capital"


def judge(page):
    """The complaints about all rules of a page, and about exceptions that are none any more."""
    unused = dict(EXCEPTIONS)
    for rule, texts in rules(page):
        for kind, text in texts.items():
            for word, complaint in complaints_of(kind, text):
                unused.pop((rule, word), None)
                if (rule, word) not in EXCEPTIONS:
                    yield f"{rule}: {kind}: {complaint}"
    for rule, word in unused:
        yield f"{rule}: {word!r} is no exception any more"


def test():
    """What the check misses, or finds where nothing is, in samples."""
    for kind, texts in BAD.items():
        yield from (f"{kind} passes: {text}" for text in texts if not list(complaints_of(kind, text)))
    for kind, texts in GOOD.items():
        yield from (f"{kind} does not pass: {text}" for text in texts if list(complaints_of(kind, text)))
    page = "# Rules\n\n### <a id=\"ABC001\"></a>ABC001 name\n\nerror; note when it is odd · class\n\nIt shall be.\n\n" \
           "**Message:** it is behind\n\n**Why:** It lies.\n\n**Fix:** Cut it.\n"
    if [c.split(": ")[1] for c in judge(page) if c.startswith("ABC001")] != ["lesser_when", "message", "why", "fix"]:
        yield "a page is not read whole"


def main():
    complaints = list(test())
    if complaints:
        print("\n".join(f"texts: {c}" for c in complaints), file=sys.stderr)
        return 1
    page = (ROOT / "conformance/rules.md").read_text()
    complaints = list(judge(page))
    print("".join(c + "\n" for c in complaints) + f"texts: {len(list(rules(page)))} rules, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
