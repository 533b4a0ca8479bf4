"""The changes of one place that a mutation may make: operators, constants, conditions, statements, flags."""
import collections
import re

# One place and what may stand there instead: start and end in the text, and the texts to choose from.
Site = collections.namedtuple("Site", "kind start end choices")

OPERATORS = {
    "<": ("<=", ">="), ">": (">=", "<="), "<=": ("<", ">"), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",), "<<": (">>",), ">>": ("<<",),
    "&": ("|",), "|": ("&",), "^": ("|",), "&&": ("||",), "||": ("&&",),
    "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "/=": ("*=",), "%=": ("/=",), "<<=": (">>=",), ">>=": ("<<=",),
    "&=": ("|=",), "|=": ("&=",), "^=": ("|=",), "++": ("--",), "--": ("++",),
}
STEPS = {"++", "--", "+=", "-="}            # in the head of a loop they only make it endless
UNARY = {"!", "~"}
JOINS = {"&&", "||"}
FLAG = re.compile(r"[A-Z][A-Z0-9_]*$")
# What a condition reaches to, at its own depth of brackets.
BOUNDS = {",", ";", "?", ":", "=", "return", "{", "}", "+=", "-=", "|=", "&="}
TYPES = {"const", "static", "struct", "enum", "union", "unsigned", "signed", "extern", "typedef", "volatile", "register"}
LEADS = {"if", "for", "while", "switch"}
LEAVES = {"return", "break", "continue", "goto"}
DOCUMENTED = {"SPEC"}                       # numbers of clauses, which no program acts on


def find_sites(source):
    """Every place of a source that can be changed, in order."""
    sites = [*operators(source), *constants(source), *conditions(source), *operands(source), *flags(source), *statements(source)]
    found = {(s.kind, s.start, s.end): s for s in sites if s.choices and source.may_change(s.start, s.end)}
    return sorted(found.values(), key=lambda s: (s.start, s.end, s.kind))


# ---- Operators, constants, flags ----------------------------------------------------------------------------------------------

def loop_steps(source):
    """Indices of the tokens in the third part of every for."""
    out = set()
    for i, token in enumerate(source.tokens):
        if token.text == "for" and source.tokens[i + 1].mate:
            last = source.tokens[i + 1].mate
            semicolon = max((k for k in range(i + 1, last) if source.tokens[k].text == ";"), default=last)
            out.update(range(semicolon, last))
    return out


def is_spaced(source, token):
    """The house style has spaces around what takes two operands, and none around what takes one or declares a pointer."""
    return source.code[token.start - 1].isspace() and source.code[token.end:token.end + 1].isspace()


def operators(source):
    steps = loop_steps(source)
    for i, token in enumerate(source.tokens[1:], 1):
        before = source.tokens[i - 1]
        if token.text in ("++", "--"):
            good = i not in steps
        elif token.text in OPERATORS:
            good = is_spaced(source, token) and before.ends_operand() and not (i in steps and token.text in STEPS)
        else:
            good = token.text in UNARY and not before.ends_operand()
        if good:
            yield Site("operator", token.start, token.end, OPERATORS.get(token.text, ("",)))


def constants(source):
    for i, token in enumerate(source.tokens):
        if not token.is_number() or (i > 1 and source.tokens[i - 2].text in DOCUMENTED):
            continue
        digits = token.text.rstrip("uUlL")
        base = 16 if digits[:2].lower() == "0x" else 8 if digits[0] == "0" < digits else 10
        value, form = int(digits, base), {16: "0x{:X}", 8: "0{:o}", 10: "{}"}[base] + token.text[len(digits):]
        others = sorted({value + 1, value - 1, 0} - {value, -1} - ({value + 1} if is_room(source, i) else set()))
        yield Site("constant", token.start, token.end, tuple(form.format(n) if n else "0" for n in others))


def is_room(source, i):
    """Whether a number is the length of an array: a longer one changes nothing."""
    around = [t.text for t in source.tokens[i - 1:i + 3]]
    if len(around) < 4 or around[0] != "[" or around[2] != "]" or around[3] not in (";", ",", "="):
        return False
    first, before = i, set()
    while first > 0 and source.tokens[first - 1].text not in (";", "{", "}"):
        first -= 1
        before |= {source.tokens[first].text} if "," not in before else set()
    return is_declaration(source, first) and "=" not in before


def flags(source):
    """`a | FLAG` without the flag."""
    for i, token in enumerate(source.tokens[:-1]):
        after = source.tokens[i + 1]
        if token.text == "|" and FLAG.match(after.text):
            yield Site("flag", source.tokens[i - 1].end, after.end, ("",))


# ---- Conditions -----------------------------------------------------------------------------------------------------------------

def conditions(source):
    """The conditions of if, while, for and ?: become true, false, or their opposite; not true where that only makes a loop endless."""
    for i, token in enumerate(source.tokens):
        if token.text in ("if", "while") and source.tokens[i + 1].mate:
            start, end = source.tokens[i + 1].end, source.tokens[source.tokens[i + 1].mate].start
            choices = ("true", "false") if token.text == "if" else ("false",)
            yield Site("condition", start, end, (*choices, f"!({source.text[start:end]})"))
        elif token.text == "for" and source.tokens[i + 1].mate:
            parts = [k for k in range(i + 1, source.tokens[i + 1].mate) if source.tokens[k].text == ";"]
            if len(parts) == 2 and parts[1] > parts[0] + 1:
                yield Site("condition", source.tokens[parts[0] + 1].start, source.tokens[parts[1] - 1].end, ("false",))
        elif token.text == "?":
            start = source.tokens[backward(source, i, set())].start
            yield Site("condition", start, source.tokens[i - 1].end, ("true", "false"))


def backward(source, i, more):
    """The first token of what ends before token i, at its depth."""
    i -= 1
    while i >= 0:
        token = source.tokens[i]
        if token.text in (")", "]", "}") and token.mate is not None:
            i = token.mate
        elif token.text in ("(", "[") or token.text in BOUNDS or token.text in more:
            return i + 1
        i -= 1
    return 0


def forward(source, i, more):
    """The last token of what begins after token i, at its depth."""
    i += 1
    while i < len(source.tokens):
        token = source.tokens[i]
        if token.text in ("(", "[", "{") and token.mate is not None:
            i = token.mate
        elif token.text in (")", "]") or token.text in BOUNDS or token.text in more:
            return i - 1
        i += 1
    return len(source.tokens) - 1


def operands(source):
    """`a && b` without a, and without b."""
    for i, token in enumerate(source.tokens):
        if token.text in JOINS:
            first, last = source.tokens[backward(source, i, JOINS)], source.tokens[forward(source, i, JOINS)]
            yield Site("operand", first.start, source.tokens[i + 1].start, ("",))
            yield Site("operand", source.tokens[i - 1].end, last.end, ("",))


# ---- Statements -------------------------------------------------------------------------------------------------------------------

def statements(source):
    for function in source.functions:
        i = function.first + 1
        while i < function.last:
            i, site = statement(source, function, i)
            if site:
                yield site


def end_of(source, i):
    """The semicolon that ends the statement at token i."""
    while i < len(source.tokens) and source.tokens[i].text != ";":
        i = source.tokens[i].mate if source.tokens[i].text in ("(", "[", "{") and source.tokens[i].mate else i
        i += 1
    return i


def statement(source, function, i):
    """Steps over the statement, or the head of one, at token i; the index of the next, and a site or None."""
    token, after = source.tokens[i], source.tokens[i + 1]
    if token.text in LEADS and after.mate:
        return after.mate + 1, None
    if token.text in ("{", "}", ";", "else", "do"):
        return i + 1, None
    if token.text in ("case", "default") or after.text == ":":
        while source.tokens[i].text != ":":
            i += 1
        return i + 1, None
    if after.text == "(" and after.mate and source.tokens[after.mate + 1].text == "{":
        return after.mate + 1, None             # a macro that leads a block
    end = end_of(source, i)
    if token.text == "return":
        return end + 1, result(source, function, i, end)
    if token.text in LEAVES or is_declaration(source, i) or (token.text == "(" and after.text == "void"):
        return end + 1, None
    return end + 1, Site("statement", token.start, source.tokens[min(end, len(source.tokens) - 1)].end, ("{}",))


def is_declaration(source, i):
    first, second, third = (t.text for t in source.tokens[i:i + 3])
    word = re.compile(r"[A-Za-z_]\w*$")
    return first in TYPES or bool(word.match(first) and (word.match(second) or (second == "*" and (word.match(third) or third == "*"))))


def result(source, function, i, end):
    """`return x;` with another result."""
    if end == i + 1 or function.returns is None:
        return None
    start, stop = source.tokens[i + 1].start, source.tokens[end - 1].end
    value = source.text[start:stop]
    if function.returns == "bool":
        other = {"true": "false", "false": "true"}.get(value, f"!({value})")
        return Site("result", start, stop, (other,))
    return None if value in ("0", "NULL") else Site("result", start, stop, ("0",))
