#!/usr/bin/env python3
"""Assembles vectors: text recipes (.vec) that say, byte by byte, what a test file holds.

The assembler knows integers, strings, labels, sums, repeats and digests. It knows no file format, so it cannot share a
mistake with a reader of one. The language is described in README.md beside this file.

    assemble.py FILE.vec -o OUT          one vector to one file
    assemble.py --all DIR -o OUTDIR      every vector below DIR, each under its own file name
    assemble.py --list DIR               name, verdict and first sentence of every vector below DIR
"""
import argparse
import os
import re
import sys
import zlib

MAX_PASSES = 40
SPARSE = 1 << 16            # zero runs at least this long become holes in the file

INTEGERS = {f"{sign}{bits}{order}": (bits // 8, sign == "i", "big" if order else "little")
            for sign in "ui" for bits in (8, 16, 24, 32, 40, 48, 64) for order in ("", "be")}
RAW = ("base", "file", "verdict", "passes", "options", "fault", "input", "target", "instead")
SEVERITIES = ("error", "warning", "note", "undetermined")
VERDICTS = ("valid", "invalid", "undetermined")
RAW_BYTE = 0xF700           # \xNN in a text is kept as this private code point plus NN


class VecError(Exception):
    """A mistake in a recipe, with its place."""

    def __init__(self, where, message):
        super().__init__(f"{where[0]}:{where[1]}: {message}")


# ---------------------------------------------------------------------------------------------------- CRC-32/BZIP2

def crc_table():
    table = []
    for n in range(256):
        r = n << 24
        for _ in range(8):
            r = (r << 1 ^ 0x04C11DB7 if r & 0x80000000 else r << 1) & 0xFFFFFFFF
        table.append(r)
    return table


CRC_TABLE = crc_table()


def crc_bytes(r, data):
    table = CRC_TABLE
    for b in data:
        r = (r << 8 & 0xFFFFFFFF) ^ table[r >> 24 ^ b]
    return r


def crc_zeros(r, n):
    """Advances the register over n zero bytes. One zero byte is a linear map of the register's 32 bits, so n of them
    are that map's n-th power, reached by squaring."""
    power = [crc_bytes(1 << bit, b"\0") for bit in range(32)]
    while n:
        if n & 1:
            r = apply_map(power, r)
        n >>= 1
        if n:
            power = [apply_map(power, column) for column in power]
    return r


def apply_map(columns, r):
    out = 0
    for column in columns:
        if r & 1:
            out ^= column
        r >>= 1
    return out


def crc32_bzip2(pieces):
    r = 0xFFFFFFFF
    for piece in pieces:
        if isinstance(piece, Run) and piece.byte == 0:
            r = crc_zeros(r, piece.n)
        else:
            for block in blocks(piece):
                r = crc_bytes(r, block)
    return r ^ 0xFFFFFFFF


def crc32(pieces):
    r = 0
    for piece in pieces:
        for block in blocks(piece):
            r = zlib.crc32(block, r)
    return r


DIGESTS = {"crc32_bzip2": crc32_bzip2, "crc32": crc32}


# ----------------------------------------------------------------------------------------------------------- image

class Run:
    """n equal bytes that are not written out."""

    def __init__(self, n, byte):
        self.n, self.byte = n, byte

    def __len__(self):
        return self.n


def blocks(piece):
    if not isinstance(piece, Run):
        yield bytes(piece)
        return
    left = piece.n
    while left:
        n = min(left, 1 << 20)
        yield bytes([piece.byte]) * n
        left -= n


class Image:
    """The assembled bytes: pieces in order, the labels' values, and the expectations with their places."""

    def __init__(self):
        self.pieces, self.starts, self.size = [], [], 0
        self.labels, self.expects = {}, []

    def add(self, piece):
        if len(piece):
            self.pieces.append(piece)
            self.starts.append(self.size)
            self.size += len(piece)

    def slice(self, start, end):
        for at, piece in zip(self.starts, self.pieces):
            a, b = max(start, at), min(end, at + len(piece))
            if a < b:
                yield Run(b - a, piece.byte) if isinstance(piece, Run) else piece[a - at:b - at]

    def patch(self, at, data):
        for start, piece in zip(self.starts, self.pieces):
            if start <= at < start + len(piece):
                piece[at - start:at - start + len(data)] = data
                return

    def write(self, path):
        with open(path, "wb") as out:
            for piece in self.pieces:
                if isinstance(piece, Run) and piece.byte == 0 and piece.n >= SPARSE:
                    out.seek(piece.n, os.SEEK_CUR)
                    continue
                for block in blocks(piece):
                    out.write(block)
            out.truncate(self.size)

    def to_bytes(self):
        return b"".join(block for piece in self.pieces for block in blocks(piece))


# ---------------------------------------------------------------------------------------------------------- parser

TOKEN = re.compile(r"""(?P<space>[ \t]+)|(?P<comment>\#.*)|(?P<text>"(?:\\.|[^"\\])*")
                       |(?P<word>[A-Za-z0-9_.]+)|(?P<mark>[-+*/(){}\[\],:;@])""", re.X)


class Tokens:
    """The tokens of a recipe: (kind, text, where). Kinds: word, text, mark, end (of a statement), raw."""

    def __init__(self, name, lines):
        self.items, self.i = [], 0
        for number, line in enumerate(lines, 1):
            self.scan((name, number), line)
        self.items.append(("end", "", (name, len(lines))))
        self.items.append(("eof", "", (name, len(lines))))

    def scan(self, where, line):
        raw = re.match(r"\s*(%s)\b[ \t]*(.*?)\s*$" % "|".join(RAW), line)
        if raw and not re.match(r"\s*\w+\s*:", line):
            value = re.sub(r"\s+#.*$", "", raw.group(2))
            self.items.append(("raw", (raw.group(1), value), where))
            self.items.append(("end", "", where))
            return
        at = 0
        while at < len(line):
            m = TOKEN.match(line, at)
            if not m:
                raise VecError(where, f"cannot read {line[at:]!r}")
            at = m.end()
            if m.lastgroup in ("space", "comment"):
                continue
            kind = "end" if m.group() == ";" else m.lastgroup
            self.items.append((kind, m.group(), where))
        self.items.append(("end", "", where))

    def peek(self, ahead=0):
        return self.items[min(self.i + ahead, len(self.items) - 1)]

    def next(self):
        item = self.peek()
        self.i += 1
        return item

    def is_mark(self, *marks):
        kind, text, _ = self.peek()
        return kind == "mark" and text in marks

    def take(self, mark):
        kind, text, where = self.next()
        if kind != "mark" or text != mark:
            raise VecError(where, f"expected {mark!r}, found {text or 'the end of the line'!r}")

    def word(self, what):
        kind, text, where = self.next()
        if kind != "word":
            raise VecError(where, f"expected {what}, found {text or 'the end of the line'!r}")
        return text

    def skip_ends(self):
        while self.peek()[0] == "end":
            self.i += 1


class Node:
    """One statement: an operation, its arguments, its label, and for blocks the statements in it."""

    def __init__(self, op, args, where, children=None):
        self.op, self.args, self.where, self.children = op, args, where, children
        self.label, self.label_index = None, None

    def copy(self):
        node = Node(self.op, self.args, self.where,
                    [c.copy() for c in self.children] if self.children is not None else None)
        node.label, node.label_index = self.label, self.label_index
        return node


def parse_expr(t):
    left = parse_term(t)
    while t.is_mark("+", "-"):
        op = t.next()[1]
        left = (op, left, parse_term(t))
    return left


def parse_term(t):
    left = parse_factor(t)
    while t.is_mark("*", "/"):
        op = t.next()[1]
        left = (op, left, parse_factor(t))
    return left


def parse_factor(t):
    kind, text, where = t.next()
    if kind == "mark" and text == "-":
        return ("neg", parse_factor(t))
    if kind == "mark" and text == "(":
        inner = parse_expr(t)
        t.take(")")
        return inner
    if kind != "word":
        raise VecError(where, f"expected a number or a label, found {text or 'the end of the line'!r}")
    if text[0].isdigit():
        try:
            return ("int", int(text, 0))
        except ValueError:
            raise VecError(where, f"{text!r} is not a number") from None
    if text in DIGESTS:
        t.take("(")
        start = parse_expr(t)
        t.take(",")
        end = parse_expr(t)
        t.take(")")
        return ("digest", text, start, end)
    if t.is_mark("["):
        t.take("[")
        inner = parse_expr(t)
        t.take("]")
        after = ""
        if t.peek()[0] == "word" and t.peek()[1] == ".end":
            after = t.next()[1]
        return ("element", text, inner, after)
    return ("name", text)


def parse_text(t):
    """One or more strings, each optionally repeated: "ab" "c"*3."""
    parts = []
    while t.peek()[0] == "text":
        _, text, where = t.next()
        part = parse_string(text[1:-1], where)
        times = None
        if t.is_mark("*"):
            t.next()
            times = parse_factor(t)
        parts.append(part if times is None else [("times", part, times)])
    if not parts:
        raise VecError(t.peek()[2], "expected a text in double quotes")
    return [item for part in parts for item in part]


ESCAPES = {"r": "\r", "n": "\n", "t": "\t", "0": "\0", '"': '"', "\\": "\\"}


def parse_string(s, where):
    """The items of a string: ("chars", text), ("value", expr), ("mark", name), ("span", name, items)."""
    items, at = string_items(s, 0, where, False)
    return items


def string_items(s, at, where, nested):
    items, chars = [], []

    def flush():
        if chars:
            items.append(("chars", "".join(chars)))
            chars.clear()

    while at < len(s):
        c = s[at]
        if c == "\\":
            char, at = escape(s, at + 1, where)
            chars.append(char)
        elif s.startswith("{{", at) or (not nested and s.startswith("}}", at)):
            chars.append(c)
            at += 2
        elif c == "}" and nested:
            flush()
            return items, at + 1
        elif c == "{":
            flush()
            item, at = string_value(s, at + 1, where)
            items.append(item)
        elif c == "}":
            raise VecError(where, "a single } in a text; write }}")
        else:
            chars.append(c)
            at += 1
    if nested:
        raise VecError(where, "a { in a text is not closed; write {{ for the character")
    flush()
    return items, at


def escape(s, at, where):
    if at >= len(s):
        raise VecError(where, "a text ends in a lone backslash")
    c = s[at]
    if c in ESCAPES:
        return ESCAPES[c], at + 1
    width = {"x": 2, "u": 4}.get(c)
    digits = s[at + 1:at + 1 + width] if width else ""
    if not width or not re.fullmatch("[0-9A-Fa-f]{%d}" % width, digits):
        raise VecError(where, f"unknown escape \\{c}")
    value = int(digits, 16)
    return chr(RAW_BYTE + value if c == "x" else value), at + 1 + width


def string_value(s, at, where):
    m = re.compile(r"@([A-Za-z_][A-Za-z0-9_]*)([:}])").match(s, at)
    if m and m.group(2) == "}":
        return ("mark", m.group(1)), m.end()
    if m:
        inner, end = string_items(s, m.end(), where, True)
        return ("span", m.group(1), inner), end
    end = s.find("}", at)
    if end < 0:
        raise VecError(where, "a { in a text is not closed; write {{ for the character")
    t = Tokens(where[0], [s[at:end]])
    t.items = [(kind, text, where) for kind, text, _ in t.items]
    expr = parse_expr(t)
    if t.peek()[0] != "end":
        raise VecError(where, f"cannot read {s[at:end]!r}")
    return ("value", expr), end + 1


class Vector:
    """A parsed recipe: what it says of itself, and its statements."""

    def __init__(self, path):
        self.path, self.name = path, os.path.splitext(os.path.basename(path))[0]
        self.description, self.nodes, self.lets = "", [], {}
        self.file = self.verdict = self.fault = self.target = self.instead = self.base = None
        self.expects, self.passes, self.options = [], [], []
        self.missing = False
        self.edits = []


def load(path, seen=()):
    """Reads a recipe and, if it has a base, applies its edits to the base's statements."""
    if path in seen:
        raise VecError((path, 1), "a vector is its own base")
    try:
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
    except OSError as e:
        raise VecError((path, 0), e.strerror) from None
    v = Vector(path)
    v.description = leading_comment(lines)
    t = Tokens(path, lines)
    statements = parse_block(t, v, top=True)
    if v.base:
        base = load(find_base(v, path), seen + (path,))
        v.nodes, v.lets = base.nodes, {**base.lets, **v.lets}
        v.file = v.file or v.name + os.path.splitext(base.file)[1]
        for edit in v.edits:
            apply_edit(v.nodes, edit)
        if statements:
            raise VecError(statements[0].where, "a vector with a base only edits it: set, before, after, drop")
    elif v.edits:
        raise VecError(v.edits[0][2], "an edit needs a base")
    else:
        v.nodes = statements
    v.file = v.file or v.name + ".umod"
    return v


def leading_comment(lines):
    out = []
    for line in lines:
        if not line.startswith("#"):
            break
        out.append(line[1:].strip())
    return " ".join(out)


def find_base(v, path):
    name, where = v.base
    here = os.path.dirname(path)
    for folder in (here, os.path.dirname(here)):
        candidate = os.path.join(folder, *name.split("/")) + ".vec"
        if os.path.isfile(candidate):
            return candidate
    raise VecError(where, f"no vector {name}.vec here or one folder up")


def parse_block(t, v, top=False):
    nodes = []
    while True:
        t.skip_ends()
        kind, _, where = t.peek()
        if kind == "eof":
            if not top:
                raise VecError(where, "a block is not closed")
            return nodes
        if t.is_mark("}") and not top:
            t.next()
            return nodes
        node = parse_statement(t, v, top)
        if node:
            nodes.append(node)


def parse_statement(t, v, top):
    kind, text, where = t.peek()
    if kind == "raw":
        t.next()
        if not top:
            raise VecError(where, f"{text[0]} may not stand in a block")
        parse_raw(v, text[0], text[1], where)
        return None
    if kind == "word" and top and text in ("set", "before", "after", "drop"):
        parse_edit(t, v)
        return None
    if kind == "word" and top and text == "let":
        parse_let(t, v)
        return None
    if kind == "word" and top and text == "expect":
        parse_expect(t, v)
        return None
    label, index = parse_label(t)
    node = parse_operation(t, v)
    node.label, node.label_index = label, index
    return node


def parse_label(t):
    if t.peek()[0] != "word":
        return None, None
    if t.peek(1)[:2] == ("mark", ":"):
        name = t.next()[1]
        t.take(":")
        return name, None
    if t.peek(1)[:2] == ("mark", "["):
        name = t.next()[1]
        t.take("[")
        index = parse_expr(t)
        t.take("]")
        t.take(":")
        return name, index
    return None, None


def parse_operation(t, v):
    kind, op, where = t.next()
    if kind == "mark" and op == "{":
        return Node("group", (), where, parse_block(t, v))
    if kind != "word":
        raise VecError(where, f"expected a statement, found {op or 'the end of the line'!r}")
    if op == "repeat":
        count = parse_expr(t)
        variable = t.next()[1] if t.peek()[0] == "word" else "i"
        t.take("{")
        return Node(op, (count, variable), where, parse_block(t, v))
    if op in INTEGERS or op == "index":
        args = (parse_expr(t),)
    elif op == "index_long":
        args = (parse_expr(t), parse_expr(t))
    elif op in ("fill", "align"):
        first = parse_expr(t)
        args = (first, ("int", 0) if t.peek()[0] == "end" or t.is_mark("}") else parse_expr(t))
    elif op in ("text", "utf16", "string", "wstring"):
        args = (parse_text(t),)
    elif op == "bytes":
        args = (parse_hex(t, where),)
    else:
        raise VecError(where, f"unknown statement {op!r}")
    end_statement(t)
    return Node(op, args, where)


def end_statement(t):
    if t.peek()[0] not in ("end", "eof") and not t.is_mark("}"):
        raise VecError(t.peek()[2], f"unexpected {t.peek()[1]!r}")


def parse_hex(t, where):
    digits = ""
    while t.peek()[0] == "word":
        digits += t.next()[1]
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise VecError(where, f"{digits!r} is not an even number of hexadecimal digits") from None


def parse_edit(t, v):
    kind, where = t.next()[1:]
    label = t.word("a label")
    node = None
    if kind != "drop":
        node = parse_statement(t, v, False)
    v.edits.append((kind, label, where, node))


def parse_let(t, v):
    where = t.next()[2]
    name = t.word("a name")
    value = ("text", parse_text(t)) if t.peek()[0] == "text" else ("expr", parse_expr(t))
    end_statement(t)
    if name in v.lets and v.lets[name][1][0] == v.path:
        raise VecError(where, f"{name} is defined twice")
    v.lets[name] = (value, where)


def parse_raw(v, op, value, where):
    if op == "base":
        v.base = (value, where)
    elif op == "verdict":
        if value not in VERDICTS:
            raise VecError(where, f"a verdict is one of {', '.join(VERDICTS)}")
        v.verdict = value
    elif op == "passes":
        v.passes += value.split()
    elif op == "options":
        v.options += value.split()
    elif op == "input":
        if value != "missing":
            raise VecError(where, "the only word after input is missing")
        v.missing = True
    else:
        setattr(v, op, value)


def parse_expect(t, v):
    where = t.next()[2]
    e = {"rule": t.word("a rule"), "severity": None, "at": None, "len": None, "times": 1, "related": None, "where": where}
    while t.peek()[0] not in ("end", "eof"):
        if t.is_mark("@"):
            t.next()
            e["at"] = parse_expr(t)
            continue
        word = t.word("@place, len, span, times, related or a severity")
        if word in SEVERITIES:
            e["severity"] = word
        elif word == "len":
            skip_at(t)
            e["len"] = parse_expr(t)
        elif word == "span":
            skip_at(t)
            e["at"] = parse_expr(t)
            e["len"] = ("span", e["at"])
        elif word == "times":
            e["times"] = parse_expr(t)[1]
        elif word == "related":
            skip_at(t)
            e["related"] = parse_expr(t)
        else:
            raise VecError(where, f"unexpected {word!r} in expect")
    v.expects.append(e)


def skip_at(t):
    if t.is_mark("@"):
        t.next()


def apply_edit(nodes, edit):
    kind, label, where, node = edit
    place = find_label(nodes, label)
    if not place:
        raise VecError(where, f"the base has no statement labelled {label!r}")
    siblings, i = place
    if kind == "drop":
        del siblings[i]
    elif kind == "set":
        node = node.copy()
        node.label = node.label or label
        siblings[i] = node
    else:
        siblings.insert(i if kind == "before" else i + 1, node.copy())


def find_label(nodes, label):
    for i, node in enumerate(nodes):
        if node.label == label:
            return nodes, i
        if node.children is not None:
            found = find_label(node.children, label)
            if found:
                return found
    return None


# ------------------------------------------------------------------------------------------------------- assembler

class NeedsBytes(Exception):
    """A digest was asked for before the bytes exist."""


class Assembler:
    """Lays a vector out again and again until every label keeps its value, then writes its bytes once."""

    def __init__(self, vector):
        self.v = vector
        self.labels, self.fresh = {}, {}
        self.variables = []
        self.evaluating = []
        self.first = True           # labels may still be unknown
        self.final = False          # sizes have settled, bytes are written
        self.defining = True        # labels are being given their places

    def run(self):
        for _ in range(MAX_PASSES):
            before = dict(self.labels)
            self.fresh = {}
            self.fresh["size"] = self.place(self.v.nodes, 0)
            self.labels = self.fresh
            if self.labels == before and not self.first:
                break
            self.first = False
        else:
            raise VecError((self.v.path, 1), "the sizes do not settle")
        self.final, self.defining = True, False
        image = Image()
        waiting = []
        self.emit(self.v.nodes, image, waiting)
        self.resolve(image, waiting)
        image.labels = self.labels
        image.expects = [self.expectation(e) for e in self.v.expects]
        return image

    # -- values

    def value(self, expr, where, digest=None):
        kind = expr[0]
        if kind == "int":
            return expr[1]
        if kind == "neg":
            return -self.value(expr[1], where, digest)
        if kind == "digest":
            if digest is None:
                raise VecError(where, "a digest may only stand in an integer of fixed width")
            return digest(expr[1], self.value(expr[2], where), self.value(expr[3], where))
        if kind == "element":
            return self.name(f"{expr[1]}[{self.value(expr[2], where)}]{expr[3]}", where)
        if kind == "name":
            return self.name(expr[1], where, digest)
        left, right = self.value(expr[1], where, digest), self.value(expr[2], where, digest)
        if kind == "+":
            return left + right
        if kind == "-":
            return left - right
        if kind == "*":
            return left * right
        if right == 0:
            if self.first:
                return 0
            raise VecError(where, "division by zero")
        return left // right

    def name(self, name, where, digest=None):
        for variable, number in reversed(self.variables):
            if variable == name:
                return number
        if name in self.v.lets:
            return self.let(name, where, digest)
        if name in self.labels:
            return self.labels[name]
        if self.first:
            return 0
        raise VecError(where, f"nothing is called {name!r}")

    def let(self, name, where, digest):
        (kind, value), defined = self.v.lets[name]
        if kind == "text":
            raise VecError(where, f"{name} is a text, not a number")
        if name in self.evaluating:
            raise VecError(defined, f"{name} is defined by itself")
        self.evaluating.append(name)
        try:
            return self.value(value, defined, digest)
        finally:
            self.evaluating.pop()

    def count(self, expr, where):
        n = self.value(expr, where)
        if n < 0 and self.final:
            raise VecError(where, f"{n} is a negative count")
        return max(n, 0)

    def chars(self, items, where, at, width):
        """The characters of a text. Marks and spans define labels at their place."""
        out, n = [], 0
        for item in items:
            piece = self.item_chars(item, where, at + n, width)
            out.append(piece)
            n += self.encoded_length(piece, width, where)
        return "".join(out)

    def item_chars(self, item, where, at, width):
        kind = item[0]
        if kind == "chars":
            return item[1]
        if kind == "times":
            return self.chars(item[1], where, at, width) * self.count(item[2], where)
        if kind == "mark":
            self.define(item[1], at, where)
            return ""
        if kind == "span":
            self.define(item[1], at, where)
            inner = self.chars(item[2], where, at, width)
            self.define(item[1] + ".end", at + self.encoded_length(inner, width, where), where)
            return inner
        expr = item[1]
        if expr[0] == "name" and expr[1] in self.v.lets and self.v.lets[expr[1]][0][0] == "text":
            return self.chars(self.v.lets[expr[1]][0][1], where, at, width)
        return str(self.value(expr, where))

    def encoded_length(self, s, width, where):
        return len(self.encode(s, width, where))

    @staticmethod
    def encode(s, width, where):
        out = bytearray()
        for c in s:
            n = ord(c)
            if RAW_BYTE <= n <= RAW_BYTE + 255:
                out += (n - RAW_BYTE).to_bytes(width, "little")
            elif width == 1:
                try:
                    out += c.encode("cp1252")
                except UnicodeEncodeError:
                    raise VecError(where, f"U+{n:04X} is not in CP1252; write \\xNN") from None
            elif n < 0x10000:
                out += n.to_bytes(2, "little")
            else:
                out += c.encode("utf-16-le")
        return out

    # -- layout

    def define(self, name, at, where):
        if not self.defining:
            return
        if name in self.fresh:
            raise VecError(where, f"the label {name!r} is used twice")
        if name in self.v.lets:
            raise VecError(where, f"{name!r} is a label and also defined by let")
        self.fresh[name] = at

    def label(self, node):
        if node.label is None or node.label_index is None:
            return node.label
        return f"{node.label}[{self.value(node.label_index, node.where)}]"

    def place(self, nodes, at):
        for node in nodes:
            name = self.label(node)
            if name:
                self.define(name, at, node.where)
            at = self.place_one(node, at)
            if name:
                self.define(name + ".end", at, node.where)
        return at

    def place_one(self, node, at):
        if node.op == "group":
            return self.place(node.children, at)
        if node.op == "repeat":
            for n in range(self.count(node.args[0], node.where)):
                self.variables.append((node.args[1], n))
                at = self.place(node.children, at)
                self.variables.pop()
            return at
        if node.op in INTEGERS:
            return at + INTEGERS[node.op][0]
        if node.op == "fill":
            return at + self.count(node.args[0], node.where)
        if node.op == "align":
            return at + self.padding(node, at)
        return at + len(self.encoded(node, at))

    def padding(self, node, at):
        n = self.value(node.args[0], node.where)
        if n < 1:
            raise VecError(node.where, f"cannot align to {n}")
        return -at % n

    def encoded(self, node, at):
        """The bytes of a statement whose length depends on its value."""
        op, where = node.op, node.where
        if op == "bytes":
            return node.args[0]
        if op == "index":
            return encode_index(self.value(node.args[0], where), where)
        if op == "index_long":
            return encode_index(self.value(node.args[0], where), where, self.value(node.args[1], where))
        if op in ("text", "utf16"):
            width = 1 if op == "text" else 2
            return self.encode(self.chars(node.args[0], where, at, width), width, where)
        width = 1 if op == "string" else 2
        defining, self.defining = self.defining, False      # measured first, labelled behind the length
        body = self.encode(self.chars(node.args[0], where, at, width), width, where) + bytes(width)
        self.defining = defining
        n = len(body) // width
        head = encode_index(n if width == 1 else -n, where)
        self.chars(node.args[0], where, at + len(head), width)
        return head + body

    # -- bytes

    def emit(self, nodes, image, waiting):
        for node in nodes:
            self.emit_one(node, image, waiting)

    def emit_one(self, node, image, waiting):
        if node.op == "group":
            self.emit(node.children, image, waiting)
        elif node.op == "repeat":
            for n in range(self.count(node.args[0], node.where)):
                self.variables.append((node.args[1], n))
                self.emit(node.children, image, waiting)
                self.variables.pop()
        elif node.op in INTEGERS:
            self.emit_integer(node, image, waiting)
        elif node.op in ("fill", "align"):
            n = self.count(node.args[0], node.where) if node.op == "fill" else self.padding(node, image.size)
            byte = self.value(node.args[1], node.where)
            if not 0 <= byte <= 255:
                raise VecError(node.where, f"{byte} is not a byte")
            image.add(Run(n, byte))
        else:
            image.add(bytearray(self.encoded(node, image.size)))

    def emit_integer(self, node, image, waiting):
        width = INTEGERS[node.op][0]

        def later(*_):
            raise NeedsBytes

        try:
            data = self.integer(node, self.value(node.args[0], node.where, later))
        except NeedsBytes:
            waiting.append((image.size, width, node, list(self.variables)))
            data = bytes(width)
        image.add(bytearray(data))

    @staticmethod
    def integer(node, n):
        width, signed, order = INTEGERS[node.op]
        bits = 8 * width
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (-(1 << bits - 1), (1 << bits) - 1)
        if not low <= n <= high:
            raise VecError(node.where, f"{n} does not fit {node.op}")
        return (n % (1 << bits)).to_bytes(width, order)

    def resolve(self, image, waiting):
        """Fills in the digests, those whose range holds no other open digest first."""
        while waiting:
            done = next((w for w in waiting if self.fill_in(image, w, waiting)), None)
            if done is None:
                raise VecError(waiting[0][2].where, "this digest is over its own bytes")
            waiting.remove(done)

    def fill_in(self, image, item, waiting):
        at, _, node, self.variables = item

        def digest(name, start, end):
            if not 0 <= start <= end <= image.size:
                raise VecError(node.where, f"the range {start}..{end} is not inside the {image.size} bytes")
            if any(start < a + w and a < end for a, w, _, _ in waiting):
                raise NeedsBytes
            return DIGESTS[name](image.slice(start, end))

        try:
            image.patch(at, self.integer(node, self.value(node.args[0], node.where, digest)))
        except NeedsBytes:
            return False
        finally:
            self.variables = []
        return True

    def expectation(self, e):
        out = dict(e)
        where = e["where"]
        for key in ("at", "related"):
            if e[key] is not None:
                out[key] = self.value(e[key], where)
        if e["len"] is not None and e["len"][0] == "span":
            out["len"] = self.span_end(e["at"], where) - out["at"]
        elif e["len"] is not None:
            out["len"] = self.value(e["len"], where)
        return out

    def span_end(self, expr, where):
        if expr[0] == "element":
            return self.value((expr[0], expr[1], expr[2], ".end"), where)
        if expr[0] == "name":
            return self.name(expr[1] + ".end", where)
        raise VecError(where, "span needs one label")


def encode_index(value, where, width=None):
    """Unreal's compact index: sign, more, six bits; then seven bits a byte; the fifth byte has eight."""
    magnitude = abs(value)
    if magnitude > 0xFFFFFFFF >> 1 and value != -(1 << 31):
        raise VecError(where, f"{value} does not fit a compact index")
    groups = [magnitude & 0x3F]
    magnitude >>= 6
    while magnitude or (width is not None and len(groups) < width):
        if len(groups) == 5:
            raise VecError(where, "a compact index has at most 5 bytes")
        last = len(groups) == 4
        groups.append(magnitude & (0xFF if last else 0x7F))
        magnitude >>= 8 if last else 7
    if width is not None and len(groups) != width:
        raise VecError(where, f"{value} needs {len(groups)} bytes, not {width}")
    out = bytearray([groups[0] | (0x80 if value < 0 else 0) | (0x40 if len(groups) > 1 else 0)])
    for i, group in enumerate(groups[1:], 1):
        out.append(group | (0x80 if i < len(groups) - 1 else 0))
    return bytes(out)


def assemble(vector):
    """Returns the Image of a loaded Vector."""
    return Assembler(vector).run()


def find_vectors(folder):
    """All .vec files below a folder, in a fixed order."""
    out = []
    for here, folders, files in os.walk(folder):
        folders.sort()
        out += [os.path.join(here, f) for f in sorted(files) if f.endswith(".vec")]
    return out


def main(argv):
    parser = argparse.ArgumentParser(description="Assembles conformance vectors.")
    parser.add_argument("vector", nargs="?", help="one .vec file")
    parser.add_argument("-o", "--output", help="the file, or with --all the folder, to write")
    parser.add_argument("--all", metavar="DIR", help="assemble every vector below DIR")
    parser.add_argument("--list", metavar="DIR", help="list the vectors below DIR")
    args = parser.parse_args(argv)
    try:
        if args.list:
            for path in find_vectors(args.list):
                v = load(path)
                print(f"{v.name}\t{v.verdict}\t{v.description}")
        elif args.all and args.output:
            for path in find_vectors(args.all):
                v = load(path)
                if not v.missing:
                    out = os.path.join(args.output, v.name, *v.file.split("/"))
                    os.makedirs(os.path.dirname(out), exist_ok=True)
                    assemble(v).write(out)
        elif args.vector and args.output:
            assemble(load(args.vector)).write(args.output)
        else:
            parser.error("give a vector and -o OUT, or --all DIR and -o OUTDIR, or --list DIR")
    except VecError as e:
        print(e, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
