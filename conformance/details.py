"""What reports say beyond rule and place, kept beside the vectors: where exactly, about what, with which values.

details/<folder>.txt has each vector that has a finding or is called good_*: its name on a line, and below, each after a tab, a line for
every finding, in the order of the report, and for the diagnosis of each file. A good_* one has also a line for each file with what was counted in it, and the least work that
is enough to decode all of it, whatever the rules cost. Wording is not kept: rules.md has that.
"""
import json
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "details")
WORK, WORK_MOST = "work ", 1 << 24


def show_place(place):
    if not place:
        return "nowhere"
    at = f"{place['offset']}+{place['length']}" if "offset" in place else "?"
    return " ".join([at, *(place[key] for key in ("file", "field") if key in place)])


def show_values(values):
    return json.dumps(values, ensure_ascii=True, sort_keys=True)


def finding_line(f, artifacts):
    inside = artifacts[f["artifact"]].name
    parts = [f["rule"], f["severity"], f["confidence"], *([f"in {inside}"] if inside else []), "at", show_place(f.get("location"))]
    parts += [f"and {show_place(r)}" for r in f.get("related", [])]
    return " ".join(parts) + " " + show_values(f.get("data", {}))


def artifact_line(a, name):
    coverage = a["coverage"]
    read = " ".join(f"{key[6:]} {coverage[key]}" for key in ("bytes_explained", "bytes_unexplained", "bytes_not_read"))
    beside = "".join(f" {c['state']} {c['path']} {c.get('size', '-')}" for c in a.get("companions", []))
    return f"{a.get('format')} {a.get('format_version')}{f' in {name}' if name else ''} {read}{beside} {show_values(a.get('info', {}))}"


def diagnosis_line(d, name):
    return f"diagnosis {d['id']} {d['confidence']}{f' in {name}' if name else ''}"


def is_good(v):
    return v.name.startswith("good_")


def work_ended(answer):
    """Whether an answer says that --max-work was reached."""
    return any(f["rule"] == "RUN001" and f["data"].get("limit") == "max-work" for f in answer.findings)


def least_work(check):
    """The least work with which check(work), an answer, does not end for want of it."""
    low, high = 0, WORK_MOST
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if work_ended(check(middle)) else (low, middle)
    return low


def work_of(lines):
    """The kept work among the lines of a vector."""
    return next((int(line[len(WORK):]) for line in lines if line.startswith(WORK)), None)


def without_work(lines):
    return [line for line in lines if not line.startswith(WORK)]


def lines_of(v, answer):
    """What is kept of an answer to a vector, but for the work."""
    artifacts = answer.artifacts
    out = [finding_line(f, artifacts) for f in answer.findings]
    out += [diagnosis_line(a["diagnosis"], artifacts[a["id"]].name) for a in answer.report["artifacts"] if "diagnosis" in a]
    if is_good(v):
        out += [artifact_line(a, artifacts[a["id"]].name) for a in answer.report["artifacts"]]
    return out


def load():
    """The kept lines by vector."""
    out = {}
    for name in sorted(os.listdir(FOLDER)) if os.path.isdir(FOLDER) else ():
        with open(os.path.join(FOLDER, name), encoding="utf-8", newline="") as f:
            lines = None
            for line in f.read().splitlines():
                if line.startswith("\t"):
                    lines.append(line[1:])
                else:
                    lines = out[f"{name[:-4]}/{line}"] = []
    return out


def write(kept):
    """Writes the lines of all vectors."""
    os.makedirs(FOLDER, exist_ok=True)
    for folder in sorted({name.split("/")[0] for name in kept}):
        with open(os.path.join(FOLDER, f"{folder}.txt"), "w", encoding="utf-8", newline="") as f:
            f.write("".join("\n\t".join([name.split("/")[1], *lines]) + "\n"
                            for name, lines in sorted(kept.items()) if name.split("/")[0] == folder))


def difference(kept, said):
    """The first line in which what was kept and what is said now differ, as two lines."""
    for i in range(max(len(kept), len(said))):
        a, b = kept[i] if i < len(kept) else "nothing", said[i] if i < len(said) else "nothing"
        if a != b:
            return f"kept {a}", f"now  {b}"
    return None
