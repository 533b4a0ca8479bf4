"""One C source as a mutation sees it: tokens, functions, and the lines that are left alone."""
import bisect
import re

TOKEN = re.compile(r"0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|[A-Za-z_]\w*|<<=|>>=|->|\.\.\.|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|<<|>>"
                   r"|[-+*/%&|^~!<>=?:;,.(){}\[\]]|\"[^\"]*\"|'[^']*'")
HIDDEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
ASSERTION = re.compile(r"\b(?:_Static_assert|static_assert)\s*\(.*?\)\s*;", re.S)
# A planted bug has tests of its own; a guard against what is believed impossible, and memory that is fetched early, can have none.
LEFT_ALONE = re.compile(r"\b(?:MUTANT|NEVER|ALWAYS|memory_fetch|toc_fetch_chunks)\s*\(")
GUARDS = ("NEVER", "ALWAYS")
PARAGRAPH = re.compile(r"^(RULE|EACH|VIEW)\((\w+)", re.M)
NOT_A_NAME = {"if", "for", "while", "switch", "return", "sizeof"}
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def blank_inside(m):
    """A comment becomes spaces, a string keeps its quotes; places stay."""
    s = m.group(0)
    return blank(s) if s[0] == "/" else s[0] + " " * (len(s) - 2) + s[0]


class Token:
    """A piece of code and its place; `mate` is the index of the other bracket."""
    __slots__ = ("text", "start", "end", "mate")

    def __init__(self, text, start, end):
        self.text, self.start, self.end, self.mate = text, start, end, None

    def is_word(self):
        return self.text[0].isalpha() or self.text[0] == "_"

    def is_number(self):
        return self.text[0].isdigit()

    def ends_operand(self):
        return self.text[-1] in ")]\"'" or self.is_number() or (self.is_word() and self.text not in ("return", "case", "sizeof"))


class Function:
    """A body, by its tokens; `returns` is "bool", "number" (pointers too) or None."""

    def __init__(self, name, returns, first, last):
        self.name, self.returns, self.first, self.last = name, returns, first, last


class Source:
    """A file's text, its code (comments, strings and directives blanked), tokens and functions."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        code = HIDDEN.sub(blank_inside, text)
        code = DIRECTIVE.sub(lambda m: blank(m.group(0)), code)
        self.code = ASSERTION.sub(lambda m: blank(m.group(0)), code)
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]
        self.tokens = [Token(m.group(0), m.start(), m.end()) for m in TOKEN.finditer(self.code)]
        self.match_brackets()
        self.functions = list(self.find_functions())
        self.left_alone = self.find_left_alone()

    def match_brackets(self):
        stack = []
        for i, token in enumerate(self.tokens):
            if token.text in OPEN:
                stack.append(i)
            elif token.text in CLOSE and stack:
                token.mate = stack.pop()
                self.tokens[token.mate].mate = i

    def line_of(self, at):
        """The number of a place's line, from 1."""
        return bisect.bisect_right(self.starts, at)

    def lines(self, start, end):
        """The whole lines from one place to another, without the last line end."""
        last = self.line_of(max(start, end - 1))
        stop = self.starts[last] - 1 if last < len(self.starts) else len(self.text)
        return self.starts[self.line_of(start) - 1], stop

    def find_functions(self):
        """By the house style a body begins with a line that is { alone."""
        for i, token in enumerate(self.tokens):
            if token.text == "{" and token.mate and self.starts[self.line_of(token.start) - 1] == token.start:
                head = i - 1
                while head >= 0 and self.tokens[head].text not in (";", "}"):
                    head -= 1
                name, returns = self.read_head(head + 1, i)
                if name:
                    yield Function(name, returns, i, token.mate)

    def read_head(self, first, body):
        """Name and kind of result of a function or paragraph whose head is the tokens from first to the body."""
        paragraph = None
        for paragraph in PARAGRAPH.finditer(self.code, self.tokens[first].start, self.tokens[body].start):
            pass
        if paragraph:
            return f"{paragraph[1]} {paragraph[2]}", None
        at = body - 1
        if self.tokens[at].text != ")" or self.tokens[at].mate is None:
            return None, None
        at = self.tokens[at].mate - 1
        words = [t.text for t in self.tokens[first:at]]
        if "bool" in words:
            returns = "bool"
        elif "*" in words or not {"void", "struct", "union"} & set(words):
            returns = "number"
        else:
            returns = None
        return self.tokens[at].text, returns

    def find_left_alone(self):
        """Numbers of lines with a planted mutant or a guard, and of the line that such a guard leads to."""
        out = set()
        for m in LEFT_ALONE.finditer(self.code):
            line = self.line_of(m.start())
            out.add(line)
            if m.group(0).startswith(GUARDS) and self.code[self.starts[line - 1]:m.start()].lstrip().startswith("if"):
                out.add(line + 1)
        return out

    def may_change(self, start, end):
        return not self.left_alone.intersection(range(self.line_of(start), self.line_of(max(start, end - 1)) + 1))

    def name_at(self, at):
        """What a place belongs to: a function, or what is declared or called there outside of any."""
        function = self.function_at(at)
        if function:
            return function.name
        i = bisect.bisect_right(self.tokens, at, key=lambda t: t.start) - 1
        while i > 0 and (self.tokens[i - 1].text != ";" and not self.ends_function(i - 1)):
            i = self.tokens[i - 1].mate if self.tokens[i - 1].text in CLOSE and self.tokens[i - 1].mate is not None else i - 1
        name = "-"
        for token in self.tokens[i:]:
            if token.text in ("=", "[", "{", "(", ";"):
                break
            name = token.text if token.is_word() else name
        return f"{name} {self.tokens[i + 2].text}" if PARAGRAPH.match(self.code, self.tokens[i].start) else name

    def ends_function(self, i):
        return any(f.last == i for f in self.functions)

    def function_at(self, at):
        """The function around a place, or None."""
        i = bisect.bisect_right(self.functions, at, key=lambda f: self.tokens[f.first].start) - 1
        if i >= 0 and at < self.tokens[self.functions[i].last].end:
            return self.functions[i]
        return None
