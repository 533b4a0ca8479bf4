"""Readers of the reports for pipelines: parsers that are not ours, held to what each format's own documentation says."""
import base64
import csv
import hashlib
import html.parser
import io
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

import jsonschema

try:
    import markdown_it
except ImportError:
    markdown_it = None

# The elements of JUnit's XML as Jenkins' junit plugin and GitLab read it: the attributes that must be there, those that may, and what lies inside.
JUNIT = {
    "testsuites": ({"name"}, set(), {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, set(), {"testcase"}),
    "testcase": ({"classname", "name"}, set(), {"failure", "error", "skipped", "system-out"}),
    "failure": ({"message", "type"}, set(), set()),
    "error": ({"message", "type"}, set(), set()),
    "skipped": ({"message"}, set(), set()),
    "system-out": (set(), set(), set()),
}
CHECKSTYLE = {
    "checkstyle": ({"version"}, set(), {"file"}),
    "file": ({"name"}, set(), {"error"}),
    "error": ({"line", "severity", "message", "source"}, {"column"}, set()),
}
# Source: GitLab's documentation of code quality reports.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!\./)"},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                },
            },
        },
    },
}
COLUMNS = ["path", "verdict", "rule", "name", "severity", "class", "offset", "length", "field", "message", "fix", "fingerprint",
           "accepted"]


def _tree(text, schema):
    """The root of a document whose every element is as the schema has it."""
    root = ElementTree.fromstring(text)
    for element in root.iter():
        required, optional, inside = schema[element.tag]
        assert required <= set(element.attrib) <= required | optional, (element.tag, element.attrib)
        assert {child.tag for child in element} <= inside, element.tag
    return root


def junit(text):
    """{suite: {case: outcome}}, with the counts of each suite compared with its cases."""
    suites = {}
    for suite in _tree(text, JUNIT):
        cases = {case.get("name"): case[0].tag if len(case) else "passed" for case in suite}
        assert len(cases) == len(suite), "two cases have one name"
        for attribute, tag in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]:
            assert int(suite.get(attribute)) == list(cases.values()).count(tag), (attribute, cases)
        assert int(suite.get("tests")) == len(cases)
        suites[suite.get("name")] = cases
    return suites


def checkstyle(text):
    """[(file, severity, source, message)]"""
    return [(file.get("name"), error.get("severity"), error.get("source"), error.get("message"))
            for file in _tree(text, CHECKSTYLE) for error in file]


def gitlab(text):
    """The issues, no two with one fingerprint."""
    issues = json.loads(text)
    jsonschema.validate(issues, GITLAB)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues), "two issues have one fingerprint"
    return issues


def table(text):
    """The rows, as dictionaries."""
    assert text.count("\r\n") == text.count("\n") == text.count("\r")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert rows[0] == COLUMNS and all(len(row) == len(COLUMNS) for row in rows)
    for row in rows[1:]:
        assert not any(re.match("[=+@\t\r\uff1d\uff0b\uff0d\uff20-]", cell) for cell in row), row
    return [dict(zip(COLUMNS, row)) for row in rows[1:]]


def _unescape(text, codes):
    for code, character in codes:
        text = text.replace(code, character)
    return text.replace("%25", "%")


def commands(text):
    """[(kind, properties, message)] and the last line, read as GitHub's runner does: a command is a line that begins with ::, its
    properties end at the next ::, are separated by commas, and are unescaped after that."""
    lines = text.split("\n")
    assert lines.pop() == ""
    found = []
    for line in lines[:-1]:
        assert line.startswith("::") and "##[" not in line, line
        head, message = line[2:].split("::", 1)
        kind, values = head.split(" ", 1)
        assert kind in ("error", "warning", "notice"), line
        properties = dict(pair.split("=", 1) for pair in values.split(","))
        codes = [("%0D", "\r"), ("%0A", "\n")]
        found.append((kind, {key: _unescape(value, [*codes, ("%3A", ":"), ("%2C", ",")]) for key, value in properties.items()},
                      _unescape(message, codes)))
    assert lines[-1].startswith("uvet: ")
    return found, lines[-1]


class _Page(html.parser.HTMLParser):
    """Whether elements are closed in order; the elements and what stands in each kind."""
    ALONE = {"meta"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.all, self.texts = [], [], {}

    def handle_starttag(self, tag, attrs):
        self.all.append((tag, dict(attrs)))
        if tag not in self.ALONE:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag, attrs):
        assert tag in self.ALONE | {"rect"}, tag
        self.all.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        for tag in set(self.open) - {"html", "body", "table", "tbody"}:
            self.texts[tag][-1] += data

    def handle_comment(self, data):
        raise AssertionError(data)


ELEMENTS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "strong",
            "section", "article", "span", "code", "pre", "a", "footer", "svg", "rect"}


def page(text):
    """[(file, verdict)] of the table, after the whole was read as HTML and as XML. Nothing in it runs or is loaded: only elements that
    do neither, links into the page only, and a policy under which a browser applies no style but its own."""
    assert text.startswith("<!DOCTYPE html>\n")
    root = ElementTree.fromstring(text.partition("\n")[2])
    reader = _Page()
    reader.feed(text)
    reader.close()
    assert not reader.open
    assert {tag for tag, _ in reader.all} <= ELEMENTS
    names = [attributes["id"] for _, attributes in reader.all if "id" in attributes]
    assert len(set(names)) == len(names)
    for tag, attributes in reader.all:
        assert not any(name.startswith("on") or name in ("src", "style", "srcset", "xlink:href") for name in attributes), attributes
        assert tag == "a" or "href" not in attributes
        assert tag != "a" or attributes["href"][1:] in names, attributes
    digest = base64.b64encode(hashlib.sha256(reader.texts["style"][0].encode()).digest()).decode()
    assert reader.all[3][1] == {"http-equiv": "Content-Security-Policy",
                                "content": f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"}
    return [("".join(row.find("th").itertext()), "".join(row.find("td").itertext())) for row in root.find("body/table/tbody")]


def comment(text):
    """[(file, verdict)] of the table, after it was read as GitHub does: with tables, and with HTML and bare links where they come through."""
    if markdown_it is None:
        raise unittest.SkipTest("no markdown-it")
    assert len(text) <= 65536
    tokens = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or []]
    kinds = {token.type for token in tokens + inline}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "blockquote_open", "fence", "code_block", "hr", "ordered_list_open"}, kinds
    for child in inline:
        assert child.type != "text" or not re.search(r"@|#\d|://|www\.", child.content), child.content
    rows, row = [], []
    for token, following in zip(tokens, tokens[1:]):
        if token.type == "tr_open":
            row = []
        if token.type == "td_open":
            row.append(following.children)
        if token.type == "tr_close" and row:
            assert len(row) == 4
            assert [cell.type for cell in row[1]] == ["code_inline"]
            rows.append((row[1][0].content, "".join(cell.content for cell in row[0])))
    return rows


READERS = {"junit": junit, "checkstyle": checkstyle, "github": commands, "gitlab": gitlab, "csv": table, "markdown": comment, "html": page}
