"""Readers of the reports for pipelines: parsers that are not ours, held to what each format's own documentation says."""
import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree

import jsonschema

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
COLUMNS = ["path", "verdict", "rule", "name", "severity", "class", "offset", "length", "field", "message", "fix", "fingerprint"]


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


READERS = {"junit": junit, "checkstyle": checkstyle, "github": commands, "gitlab": gitlab, "csv": table}
