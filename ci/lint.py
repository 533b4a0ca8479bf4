#!/usr/bin/env python3
"""The house rules that a script can check. Each check first proves on a bad sample that it can fail."""

import ast
import fnmatch
import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FREESTANDING = {"stdint.h", "stddef.h", "stdbool.h", "stdatomic.h", "string.h", "assert.h", "stdarg.h", "limits.h"}
FUNCTION_MAX, FILE_MAX, NESTING_MAX, LINE_MAX = 50, 600, 4, 100
ROW_LINE_MAX = 140              # where a row is a line: in a .def, and in what clang-format is told to leave alone

BANNED = re.compile(
    r"\b(strcpy|strcat|sprintf|vsprintf|strncpy|strncat|gets|strtok|atoi|atol|alloca|setlocale|qsort|bsearch|rand|srand"
    r"|setjmp|longjmp|system|popen|mktemp|tmpnam)\s*\(")
LIBRARY_BANNED = re.compile(r"\b(malloc|calloc|realloc|free|printf|fprintf|fopen|exit|abort|getenv|signal|time|clock)\s*\(")
WORDS = re.compile(r"\b(TODO|FIXME|XXX|HACK|for now)\b")
MACHINE = re.compile(r"(/home/|/work/|/root/|/Users/|/tmp/[a-z])")
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.M)


def public_headers():
    """The text of what hosts include."""
    return "".join(path.read_text() for path in sorted((ROOT / "include/uvet").glob("*.h")))


def tracked():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / p for p in out.stdout.splitlines() if (ROOT / p).is_file()]


def strip(text):
    """The code without comments and with empty strings, lines kept."""
    def blank(m):
        s = m.group(0)
        if s.startswith("/"):
            return re.sub(r"[^\n]", " ", s)
        return s[0] + s[-1]
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def layers():
    rules = []
    for line in (ROOT / "ci/layers.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            where, *allowed = line.split()
            pattern = fnmatch.translate(where if "*" in where else where + "*").replace(r"\{format\}", "(?P<format>[a-z0-9]+)")
            rules.append((where, re.compile(pattern), allowed))
    return rules


def check_layers(path, text, rules):
    for where, pattern, allowed in rules:
        if belongs := pattern.match(path):
            allowed = [a.replace("{format}", belongs.groupdict().get("format", "")) for a in allowed]
            break
    else:
        if path.startswith(("src/", "include/", "fuzz/")):
            yield 1, "no line of ci/layers.txt covers this file"
        return
    for m in INCLUDE.finditer(text):
        name = m.group(1) or "<" + m.group(2)
        line = text.count("\n", 0, m.start()) + 1
        if name.startswith("<") and name[1:] in FREESTANDING:
            continue
        if "LAYOUT_FILE" in name or any(name.startswith(a.rstrip(">")) for a in allowed):
            continue
        yield line, f"{where} may not include {name}"
    for m in re.finditer(r'#include "([^"]*_rules\.h)"', text):
        if path.startswith("src/formats/") and not re.search(r"_rules\.[ch]$", path):
            yield text.count("\n", 0, m.start()) + 1, f"{m.group(1)} is for rules alone"


def check_opening(path, text):
    first = text.lstrip()
    if not re.match(r"/\*.*?[.:]", first, re.S):
        yield 1, "a file opens with one sentence that says what it is for"


def check_length(path, text):
    n = text.count("\n")
    rows = path.endswith(".def")
    if n > FILE_MAX:
        yield n, f"{n} lines, at most {FILE_MAX}"
    for i, line in enumerate(text.splitlines(), 1):
        rows = path.endswith(".def") or "clang-format off" in line or rows and "clang-format on" not in line
        longest = ROW_LINE_MAX if rows else LINE_MAX
        if len(line.expandtabs(8)) > longest:
            yield i, f"line of {len(line.expandtabs(8))} columns, at most {longest}"
        if line != line.rstrip():
            yield i, "white space at the end"


def check_functions(path, text):
    """Length and nesting of functions: from a line that is `{` alone to the next that is `}` alone."""
    lines = strip(text).splitlines()
    start = None
    depth = worst = 0
    for i, line in enumerate(lines, 1):
        if line == "{":
            start, depth, worst = i, 1, 1
        elif line == "}" and start:
            if i - start - 1 > FUNCTION_MAX:
                yield start, f"function of {i - start - 1} lines, at most {FUNCTION_MAX}"
            if worst > NESTING_MAX:
                yield start, f"nested {worst - 1} deep, at most {NESTING_MAX - 1}"
            start = None
        elif start:
            indent = len(line) - len(line.lstrip("\t"))
            if re.match(r"\t+(if|for|while|switch|do)\b", line):
                worst = max(worst, indent + 1)


def check_words(path, text):
    code = strip(text)
    for m in BANNED.finditer(code) if path.startswith(("src/", "include/")) else ():
        yield code.count("\n", 0, m.start()) + 1, f"{m.group(1)} is not used here"
    if path.startswith("src/") and not path.startswith(("src/platform/", "src/cli/")):
        for m in LIBRARY_BANNED.finditer(code):
            yield code.count("\n", 0, m.start()) + 1, f"the library does not call {m.group(1)}"


def check_prose(path, text):
    for i, line in enumerate(text.splitlines(), 1):
        if WORDS.search(line):
            yield i, "unfinished business: " + WORDS.search(line).group(1)
        if MACHINE.search(line):
            yield i, "a path of one machine: " + MACHINE.search(line).group(1)


def check_paths(path, text):
    """A page names files and folders that are there; those of what a reader is to add have names that stand for others."""
    if not path.endswith(".md") or path.startswith("conformance/spec/"):
        return
    for i, line in enumerate(text.splitlines(), 1):
        for name in re.findall(r"`((?:src|include|ci|conformance|fuzz|tests|docs|bench|cmake|corpus)/[\w./-]+)`", line):
            if not re.search("foo|toy|900", name) and not (ROOT / name).exists():
                yield i, f"{name} is not there"


# What a comment has after the name of a page: "chapters 2 and 3", or the numbers alone.
SOURCE = re.compile(r"conformance/spec/(\w+\.md)((?:,?[\s*]+(?:(?:chapters?|clauses?|and|to)\b|\d+(?:\.\d+)*))*)")


@functools.cache
def chapters(page):
    """The numbers of a page's chapters and clauses; None: there is no such page."""
    path = ROOT / "conformance/spec" / page
    return set(re.findall(r"(?m)^#+ (\d+(?:\.\d+)*) ", path.read_text())) if path.exists() else None


def check_sources(path, text):
    """What a comment of the source cites of a page of conformance/spec is there."""
    if not path.startswith("src/"):
        return
    for m in SOURCE.finditer(text):
        line, there = text.count("\n", 0, m.start()) + 1, chapters(m[1])
        if there is None:
            yield line, f"conformance/spec has no {m[1]}"
        for number in re.findall(r"\d+(?:\.\d+)*", m[2]) if there is not None else ():
            if number not in there:
                yield line, f"{m[1]} has no {number}"


def check_folders(page, paths):
    """docs/DESIGN.md says under "Where things are" what each folder of src is for; the folder of the sample has a page of its own."""
    named = page.partition("## Where things are")[2]
    for folder in sorted({path.rpartition("/")[0] for path in paths if path.startswith("src/")} - {"src", "src/formats/toy"}):
        if not re.search(rf"(?<![\w/]){folder.rpartition('/')[2]}/", named):
            yield page.count("\n"), f"{folder} is not among where things are"


def check_names_in_python(path, text):
    """A function or method with the name of one before it in its class or module replaces that: a test of this name is never run."""
    for scope in ast.walk(ast.parse(text)):
        if isinstance(scope, (ast.Module, ast.ClassDef)):
            lines = {}
            for item in scope.body:
                if isinstance(item, (ast.FunctionDef, ast.ClassDef)) and lines.setdefault(item.name, item) is not item and not item.decorator_list:
                    yield item.lineno, f"'{item.name}' replaces that of line {lines[item.name].lineno}"


def check_bytes(path, text):
    """Bytes of an input are read by cursor and text alone; no other code indexes .data or casts to a wider pointer."""
    if not path.startswith(("src/formats/", "src/rule/", "src/engine/")):
        return
    code = strip(text)
    for m in re.finditer(r"(->|\.)data\[|\(const (uint16_t|uint32_t|uint64_t) \*\)", code):
        yield code.count("\n", 0, m.start()) + 1, "raw bytes are read by core/cursor and core/text only"


def check_pointers(path, text):
    """Numbers become places in core/cursor, core/rows and core/text alone: a decoder neither indexes bytes of a file nor adds to a pointer
    at them, nor reads a number from one. Bytes that a file declares as its own, written by it, are none of the input's."""
    if not path.startswith("src/formats/"):
        return
    code = strip(text)
    parts = re.split(r"(?m)^(?=\})", code)                # a function, or a struct, and what stands before it
    in_structs = "".join(part for part in parts if re.search(r"(?m)^(static const )?(struct|enum|union)\b[^()]*\{", part))
    at = 0
    for part in parts:
        own = set(re.findall(r"(?:(?<!const )\buint8_t|\bchar) (?:\*(?:const )?)?(\w+)", in_structs + part))
        theirs = set(re.findall(r"\bconst uint8_t \*(?:const )?(\w+)", in_structs + part)) | {"bytes", "data"}
        for name in sorted(theirs - own):
            for m in re.finditer(rf"\b{name}(\[| [+-] |\+\+|--| [+-]=)|(?<=[\w)\]] [+-] ){name}\b", part):
                yield code.count("\n", 0, at + m.start()) + 1, f"{name} is a pointer at bytes: core/rows.h reads them by number"
        at += len(part)
    for m in re.finditer(r"\bbytes_[lb]e\d+\(", code):
        yield code.count("\n", 0, m.start()) + 1, "a number is read by a cursor or core/rows.h"


def check_ids(path, text):
    """The comment that names the next free id of each family is right."""
    if path != "src/rule/ids/all.def":
        return
    highest = {}
    for file in sorted((ROOT / "src/rule/ids").glob("*.def")):
        for family, number in re.findall(r"(?m)^RULE_ID\(([A-Z]{3})(\d{3})\)", file.read_text()):
            highest[family] = max(highest.get(family, 0), int(number))
    named = set(re.findall(r"\b[A-Z]{3}\d{3}\b", text))
    right = {f"{family}{number + 1:03}" for family, number in highest.items()}
    if named != right:
        yield 1, f"the next free ids are not {' '.join(sorted(named - right))}, but {' '.join(sorted(right - named))}"


def check_reading(path, text):
    """Bytes that decoders read are work, which decode_window, decode_copy and decode_stream charge. What is read otherwise is paid for
    in advance, or a first look of fixed length."""
    if not path.startswith("src/formats/") or path in ("src/formats/decode.c", "src/formats/decode.h"):
        return
    code = strip(text)
    for m in re.finditer(r"\b(source_(window|copy|stream))\(", code):
        line = code.count("\n", 0, m.start()) + 1
        if not is_paid(path, code, m.start()):
            yield line, f"{m.group(1)} is not charged: decode_{m.group(2)} is"


def check_guards(path, text):
    """The conditions of ALWAYS and NEVER have no side effects: builds that count branches do not evaluate them."""
    if not path.startswith("src/"):
        return
    code = strip(text)
    for m in re.finditer(r"\b(ALWAYS|NEVER)\((?!x\))", code):
        end, depth = m.end(), 1
        while depth > 0 and end < len(code):
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        if re.search(r"[(,]\s*&\w|\+\+|--|[^=!<>]=[^=]", code[m.end():end]):
            yield code.count("\n", 0, m.start()) + 1, f"what {m.group(1)} asks has an effect, and is not done where branches are counted"


# Where modules form no circle: the folder that includes begin at, and the part of it that is held to this. A module is a .c with its .h.
WITHOUT_CIRCLES = (("fuzz/", ""), ("src/", "rule/"), ("src/", "formats/umod/"), ("src/", "formats/upkg/"),
                   ("src/", "formats/compressed/"), ("src/", "formats/iostore/"), ("src/", "engine/"), ("src/", "report/"),
                   ("src/", "api/"))
DEFINED = re.compile(r"^(static )?(?:const struct \w+ (\w+)(?:\[\w*\])? =|[a-z][\w *]*?\b(\w+)\([^;{}]*\)\n\{)", re.M)


def definitions(text):
    """The names that a file defines, of functions and of constant structs, for others and for itself alone."""
    found = {False: set(), True: set()}
    for static, constant, function in DEFINED.findall(strip(text)):
        found[bool(static)].add(constant or function)
    return found[False], found[True]


def dependencies(files, root):
    """Which modules each module needs: those whose headers it includes, and those that define what it names."""
    owners = {}
    for path, text in files.items():
        for name in definitions(text)[0] if path.endswith(".c") else ():
            owners.setdefault(name, set()).add(path)
    needs = {path.rpartition(".")[0]: set() for path in files}
    for path, text in files.items():
        included = [root + m.group(1) for m in INCLUDE.finditer(text) if m.group(1)]
        needs[path.rpartition(".")[0]].update(name.rpartition(".")[0] for name in included if name.endswith(".h") and name in files)
        code = strip(text) + "".join(strip(files[name]) for name in included if name.endswith(".def") and name in files)
        names = set(re.findall(r"(?<!struct )(?<![.>\w])[a-z]\w*", code)) - definitions(text)[1]
        for name in names if path.endswith(".c") else ():
            needs[path.rpartition(".")[0]].update(owner[:-2] for owner in owners.get(name, ()) if len(owners[name]) == 1)
    return {module: {n for n in names if n != module and n in needs} for module, names in needs.items()}


def check_circles(files, root):
    """Gives one circle of modules, if there is any."""
    needs = dependencies(files, root)
    while True:
        bare = [module for module, names in needs.items() if not names]
        if not bare:
            break
        needs = {module: names.difference(bare) for module, names in needs.items() if names}
    if needs:
        way = [min(needs)]
        while way[-1] not in way[:-1]:
            way.append(min(needs[way[-1]]))
        yield way[-1], "modules need each other: " + " -> ".join(way[way.index(way[-1]):])


def check_decoders(files):
    """Every decoder that the rows of a .def generate is called somewhere, and every fast one."""
    code = "".join(strip(text) for path, text in sorted(files.items()) if path.endswith((".c", ".h")) and path.startswith("src/"))
    called = set(re.findall(r"\b(\w+_(?:read|fast))\(", code))
    for path, text in sorted(files.items()):
        if not path.startswith("src/formats/") or not path.endswith(".def"):
            continue
        for m in re.finditer(r"(?m)^(FAST_)?RECORD *\((\w+),", text):
            for name in [m[2] + "_read"] + [m[2] + "_fast"] * bool(m[1]):
                if name not in called:
                    yield path, text.count("\n", 0, m.start()) + 1, f"nobody calls {name}"


# Functions that read without being charged, and why. What a format's sniff itself reads is a first look.
PAID = {
    ("src/formats/upkg/body/reader.c", "load"): "a body's bytes are charged when it is begun",
    ("src/formats/blocks/block_reader.c", "read_ahead"): "who reads blocks charges them before",
    ("src/formats/iostore/content/pak.c", "content_open_pak"): "charged above",
    ("src/formats/iostore/content/pak.c", "look_at_index"): "charged above",
    ("src/formats/pak/beside.c", "read_u32"): "charged above",
    ("src/formats/pak/signature.c", "end_piece"): "charged above",
    ("src/formats/pak/reach.c", "take_look"): "some bytes of each of 65536 files at most, for a diagnosis",
    ("src/formats/umod/umod_format.c", "umod_marked_end"): "a look of fixed length, after judging",
    ("src/formats/archive/zip/stream.c", "fill_input"): "charged above, to the file that reads",
    ("src/formats/archive/tar/sparse.c", "tar_sparse_copy"): "whoever reads the content pays for it",
    ("src/formats/archive/zip/zip_format.c", "zip_marked_end"): "a look of fixed length, after judging",
    ("src/formats/iostore/zen_package/zen_format.c", "has_tag_at_end"): "four bytes, for a diagnosis",
    ("src/formats/iostore/content/pak.c", "content_likeness"): "the last bytes of a file, for a diagnosis",
    ("src/formats/iostore/extent.c", "read_begin"): "the first bytes of 64 blocks at most, for a diagnosis",
    ("src/formats/upkg/header/file.c", "upkg_recognise"): "a first look",
    ("src/formats/archive/members/signature.c", "arc_source_signature"): "a first look",
    ("src/formats/archive/zip/find_end.c", "has_central"): "a first look",
    ("src/formats/archive/zip/find_end.c", "zip_has_directory"): "a first look",
    ("src/formats/archive/zip/zip_format.c", "stub_of"): "a first look",
    ("src/formats/umod/stub.c", "read_first_bytes"): "a first look",
    ("src/formats/umod/umod_format.c", "begins_well"): "a look of fixed length, after judging",
    ("src/formats/umod/umod_format.c", "is_there_twice"): "a look of fixed length, after judging",
    ("src/formats/upkg/extent.c", "begins_a_tag"): "a look of fixed length, after judging",
}


def is_paid(path, code, at):
    names = re.findall(r"^[a-z].*?\b(\w+)\([^;]*\)\n\{", code[:at], re.M)
    if not names:
        return False
    return (path, names[-1]) in PAID or (path.count("/") > 2 and names[-1] == path.rpartition("/")[2][:-2].removesuffix("_format") + "_sniff")


BAD = {
    check_names_in_python: ("tests/x.py", "class A:\n    def test_a(self):\n        pass\n\n    def test_a(self):\n        pass\n"),
    check_opening: ("src/core/x.c", "int x;\n"),
    check_length: [
        ("src/core/x.c", "int x; \n"),
        ("src/core/x.c", "/* X. */\n" * 601),
        ("tests/x.c", "/* X. */\n" * 601),
        ("tests/x.c", "int " + "x" * 97 + ";\n"),
        ("src/core/x.h", "/* clang-format off */\nint x;\n/* clang-format on */\nint " + "x" * 97 + ";\n"),
        ("src/core/x.def", "ROW(" + "x" * 140 + ")\n"),
    ],
    check_functions: [
        ("src/core/x.c", "int f(void)\n{\n" + "\tx();\n" * 51 + "}\n"),
        ("tests/x.c", "int f(void)\n{\n" + "\tx();\n" * 51 + "}\n"),
    ],
    check_words: ("src/core/x.c", "\tstrcpy(a, b);\n"),
    check_prose: ("README.md", "TODO: more\n"),
    check_bytes: ("src/engine/x.c", "\treturn w->data[3];\n"),
    check_pointers: [
        ("src/formats/x/x.c", "static int f(const uint8_t *p)\n{\n\treturn p[3];\n}\n"),
        ("src/formats/x/x.c", "static int f(const uint8_t *p)\n{\n\treturn g(p + 3);\n}\n"),
        ("src/formats/x/x.c", "static int f(const struct x *x)\n{\n\treturn g(x->held.bytes + 3);\n}\n"),
        ("src/formats/x/x.c", "static int f(const struct x *x)\n{\n\treturn x->bytes[3];\n}\n"),
        ("src/formats/x/x.c", "static uint64_t f(const struct x *x)\n{\n\treturn bytes_le32(x->at);\n}\n"),
        ("src/formats/x/x.c", "static uint64_t f(const uint8_t *p, uint64_t n)\n{\n\treturn g(n + p);\n}\n"),
    ],
    check_paths: ("docs/x.md", "It is in `src/nowhere/`.\n"),
    check_sources: [
        ("src/formats/x/x.c", "/* X. Source: conformance/spec/zen.md, 99. */\n"),
        ("src/formats/x/x.c", "/* X. Source:\n * conformance/spec/zen.md,\n * 1 and 99. */\n"),
        ("src/formats/x/x.c", "/* X. Source: conformance/spec/zen.md, chapters 1 to 99. */\n"),
        ("src/formats/x/x.def", "/* X. Source: conformance/spec/zen.md, 1.1 and 1.99. */\n"),
        ("src/formats/x/x.c", "/* X. Source: conformance/spec/nowhere.md. */\n"),
    ],
    check_ids: ("src/rule/ids/all.def", "/* The next: UMD001 */\n"),
    check_reading: ("src/formats/x.c", "bool f(struct decode *d)\n{\n\treturn source_copy(d->source, s, b);\n}\n"),
    check_guards: ("src/core/x.c", "\tif (NEVER(!read_it(c, &n)))\n\t\treturn;\n"),
}


def self_test(rules):
    for check, samples in BAD.items():
        for path, text in samples if isinstance(samples, list) else [samples]:
            if not list(check(path, text)):
                sys.exit(f"lint: {check.__name__} does not find its bad sample: {text}")
    for path, bad, good in (("src/core/x.c", "rule/rule.h", "core/y.h"), ("src/formats/new/x.c", "formats/umod/umod.h", "formats/new/y.h"),
                            ("src/formats/new/x_rules.c", "codec/lz4.h", "rule/rule.h"),
                            ("src/formats/new/x.c", "formats/new/y_rules.h", "formats/new/y.h")):
        if not list(check_layers(path, f'#include "{bad}"\n', rules)) or list(check_layers(path, f'#include "{good}"\n', rules)):
            sys.exit(f"lint: check_layers does not find its bad sample: {path} with {bad}")
    for root, folder in WITHOUT_CIRCLES:
        at = root + folder
        circle = {at + "a.c": f'#include "{folder}b.h"\nvoid a_run(void)\n{{\n\tb_go();\n}}\n', at + "b.h": "void b_run(void);\n",
                  at + "b.c": "void b_run(void)\n{\n\ta_run();\n}\n"}
        if not list(check_circles(circle, root)) or list(check_circles(circle | {at + "b.c": "void b_run(void)\n{\n}\n"}, root)):
            sys.exit(f"lint: check_circles does not find its bad sample in {at}")


    rows = {"src/formats/x/x.def": 'RECORD(x_head, "")\nFAST_RECORD(x_row, "")\n', "src/formats/x/x.c": "x_head_read(c);\nx_row_read(c);\n"}
    if len(list(check_decoders(rows))) != 1 or list(check_decoders(rows | {"src/formats/x/y.c": "x_row_fast(c);\n"})):
        sys.exit("lint: check_decoders does not find its bad sample")


    page, folders = "src/\n## Where things are\nx/ y/\n", ["src/x/a.c", "src/x/y/b.c", "fuzz/z/c.c"]
    if list(check_folders(page, folders)) or len(list(check_folders(page, [*folders, "src/z/d.c", "src/x/src/e.c"]))) != 2:
        sys.exit("lint: check_folders does not find its bad sample")
    for good in ("conformance/spec/zen.md. */", "conformance/spec/zen.md, 2.10 and\n * 3 to 5. 99 bytes */", "conformance/spec/zen.md, 2, for 99 */"):
        if list(check_sources("src/formats/x/x.c", "/* X. Source: " + good)):
            sys.exit(f"lint: check_sources takes a good sample for a bad one: {good}")


def main():
    rules = layers()
    self_test(rules)
    bad = 0
    files = tracked()
    modules = {}
    for file in files:
        path = str(file.relative_to(ROOT))
        if path.startswith("ci/lint.py") or file.suffix in (".vec", ".tsv") or path.startswith("corpus/"):
            continue
        try:
            text = file.read_text()
        except UnicodeDecodeError:
            continue
        found = list(check_prose(path, text)) + list(check_paths(path, text))
        if file.suffix in (".c", ".h", ".def"):
            modules[path] = text
            found += list(check_length(path, text)) + list(check_opening(path, text)) + list(check_words(path, text))
            found += list(check_layers(path, text, rules)) + list(check_bytes(path, text)) + list(check_pointers(path, text))
            found += list(check_reading(path, text)) + list(check_guards(path, text)) + list(check_ids(path, text))
            found += list(check_sources(path, text))
            if file.suffix == ".c":
                found += list(check_functions(path, text))
        if file.suffix == ".py":
            found += list(check_names_in_python(path, text))
        for line, what in found:
            print(f"{path}:{line}: {what}")
            bad += 1
    for path, line, what in check_decoders(modules):
        print(f"{path}:{line}: {what}")
        bad += 1
    for line, what in check_folders((ROOT / "docs/DESIGN.md").read_text(), modules):
        print(f"docs/DESIGN.md:{line}: {what}")
        bad += 1
    for root, part in WITHOUT_CIRCLES:
        for module, what in check_circles({path: text for path, text in modules.items() if path.startswith(root + part)}, root):
            print(f"{module}.c:1: {what}")
            bad += 1
    print(f"lint: {len(files)} files, {bad} complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
