"""Reading recipes: tokens, expressions, and texts with what stands in braces."""
import re

from .crc import DIGESTS
from .errors import VecError

INTEGERS = {f"{sign}{bits}{order}": (bits // 8, sign == "i", "big" if order else "little")
            for sign in "ui" for bits in (8, 16, 24, 32, 40, 48, 64) for order in ("", "be")}
INTEGERS |= {f"oct{n}": (n, False, "octal") for n in (8, 12)}      # digits, and a NUL
RAW = ("base", "file", "verdict", "passes", "options", "fault", "input", "target", "instead", "nested", "codec", "absent", "reference", "scope",
       "unjudged")
TEXT_HASHES = {"city_text": (1, False), "city_utf16": (2, False), "script_object": (2, False), "package_object": (2, False),
               "fnv_utf16": (2, True), "fnv_utf16_swapped": (2, True)}  # the width of a character, whether it takes a seed

RAW_BYTE = 0xF700           # \xNN in a text is kept as this private code point plus NN

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
        return parse_digest(t, text)
    if text in TEXT_HASHES:
        t.take("(")
        items, seed = parse_text(t), ("int", 0)
        if TEXT_HASHES[text][1]:
            t.take(",")
            seed = parse_expr(t)
        t.take(")")
        return ("text_hash", text, items, seed)
    if t.is_mark("["):
        t.take("[")
        inner = parse_expr(t)
        t.take("]")
        after = ""
        if t.peek()[0] == "word" and t.peek()[1] == ".end":
            after = t.next()[1]
        return ("element", text, inner, after)
    return ("name", text)


def parse_digest(t, name):
    """name(label) for a labelled stretch, or name(from, to)."""
    t.take("(")
    start = parse_expr(t)
    end = None
    if t.is_mark(","):
        t.take(",")
        end = parse_expr(t)
    t.take(")")
    return ("digest", name, start, end)


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
