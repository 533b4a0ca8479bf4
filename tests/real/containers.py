"""Checks containers made by real engines and packers, each with the files beside it: containers.check_all(uvet, folder, rows).

No good container may have an error but for files that were not gathered; the defects of a third-party packer's must be found. What is
compressed by Oodle, which no build decodes, is undetermined with its bytes counted, and its tables by themselves are valid. Copies of which the .ucas was cut or a byte changed must be judged so, by the paths of the chunks that this hits; a wrong key must be called one.
"""
import json
import os
import shutil
import subprocess
import tempfile

# The keys of the collection's README.
KEYS = [b"CUE4ParseFixtureAESKey0123456789".hex(), "4355453450617273654669787475726541455300" + "00" * 12]
PACKER = "_generated+UEcastoc/"
# What that packer does wrong, by a word in the file's name.
LISTED_ITSELF = {"CHD023", "TOC021"}     # the container's own id among the packages, with an entry of zeros
DEFECTS = {"_none_": LISTED_ITSELF | {"MET002"}, "_zlib_P": LISTED_ITSELF, "_zlib_aes_": LISTED_ITSELF | {"DIR001"}}


def check(uvet, path, keys, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as f:
        f.write("".join(key + "\n" for key in keys))
    try:
        done = subprocess.run([uvet, "check", "--format", "json", "--aes-key-file", f.name, *options, path], capture_output=True, check=False)
    finally:
        os.unlink(f.name)
    report = json.loads(done.stdout)
    return report["artifacts"][0], report["findings"]


def rules(findings, severity=None):
    return {f["rule"] for f in findings if severity in (None, f["severity"])}


def not_gathered(path):
    """The errors that stand for files of which the collection has no copy."""
    stem = os.path.splitext(path)[0]
    with open(path, "rb") as f:
        head = f.read(144)
    out = set() if os.path.exists(stem + ".pak") else {"SET001"}
    n_partitions = int.from_bytes(head[52:56], "little") if head[16] >= 3 else 1
    return out if n_partitions == 0 or os.path.exists(stem + ".ucas") else out | {"SET002"}


def is_oodle(path):
    with open(path, "rb") as f:
        return b"Oodle" in f.read() and os.path.exists(os.path.splitext(path)[0] + ".ucas")


def problems_of_verdict(artifact, findings, errors, doubts):
    """The rules that give an error, and those that leave something undetermined, are exactly these."""
    verdict = "invalid" if errors else "undetermined" if doubts else "valid"
    out = [] if artifact["verdict"] == verdict else [f"verdict {artifact['verdict']}, not {verdict}"]
    for severity, expected in (("error", errors), ("undetermined", doubts)):
        found = rules(findings, severity)
        out += [f"{severity} {f['rule']}: {f['message']}" for f in findings if f["severity"] == severity and f["rule"] not in expected]
        out += [f"no {severity} of {rule}" for rule in expected - found]
    return out


def problems_of_container(uvet, path, row):
    artifact, findings = check(uvet, path, KEYS)
    out = problems_of_verdict(artifact, findings, not_gathered(path), {"RUN007"} if is_oodle(path) else set())
    out += [f"RUN007 is about {f['data']}" for f in findings if f["rule"] == "RUN007" and (f["data"]["codec"], f["data"]["length"] > 0) != ("Oodle", True)]
    out += problems_of_verdict(*check(uvet, path, KEYS, "--level", "structure"), not_gathered(path), set())
    if PACKER in row["path"]:
        for word, defects in DEFECTS.items():
            if word in os.path.basename(path):
                out += [f"no {rule}" for rule in defects - rules(findings)]
    return out


def copy_set(path, folder):
    """The files of a container under their own names; the .ucas and its bytes."""
    stem = os.path.splitext(path)[0]
    for extension in (".utoc", ".ucas", ".pak"):
        shutil.copy(stem + extension, os.path.join(folder, "Copy_P" + extension))
    target = os.path.join(folder, "Copy_P.ucas")
    with open(target, "rb") as f:
        return os.path.join(folder, "Copy_P.utoc"), target, f.read()


def named(findings, rule):
    return [f["message"] for f in findings if f["rule"] == rule and ".uasset" in f["message"]]


def problems_of_cut(uvet, path, n):
    """The last n bytes of the .ucas are missing."""
    with tempfile.TemporaryDirectory() as folder:
        utoc, ucas, data = copy_set(path, folder)
        with open(ucas, "wb") as f:
            f.write(data[:-n])
        artifact, findings = check(uvet, utoc, KEYS)
    whole = [f for f in findings if f["rule"] == "BLK008" and f["message"].startswith("the container lacks")]
    out = [] if artifact["verdict"] == "invalid" and len(whole) == 1 else ["a cut .ucas is not said to be cut"]
    return out if named(findings, "BLK008") else out + ["a cut .ucas is said to hit no path"]


def problems_of_change(uvet, path, at, rule):
    """A byte of the .ucas is another; one chunk at most has it."""
    with tempfile.TemporaryDirectory() as folder:
        utoc, ucas, data = copy_set(path, folder)
        with open(ucas, "wb") as f:
            f.write(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:])
        _, findings = check(uvet, utoc, KEYS)
    return [] if len(named(findings, rule)) == 1 else [f"a changed byte at {at} leads to {len(named(findings, rule))} findings of {rule}"]


def problems_of_keys(uvet, path):
    """Encrypted: a wrong key is called one, and none is missed."""
    out = []
    for keys, expected in (([KEYS[0]], {"BLK033", "RUN009"}), ([], {"RUN009"})):
        artifact, findings = check(uvet, path, keys)
        out += [f"no {rule} with {len(keys)} keys" for rule in expected - rules(findings)]
        out += [] if artifact["verdict"] == "undetermined" else [f"verdict {artifact['verdict']} with {len(keys)} keys"]
        out += [f"{rule} with {len(keys)} keys" for rule in rules(findings) & {"BLK022", "BLK023", "MET004"}]
    artifact, _ = check(uvet, path, KEYS)
    return out if artifact["verdict"] == "valid" else out + [f"verdict {artifact['verdict']} with the key"]


def problems_of_copies(uvet, path):
    name = os.path.basename(path)
    if name == "Demo_zlib_aes_P.utoc":
        return problems_of_keys(uvet, path) + problems_of_cut(uvet, path, 15712)
    if name == "Demo_zlib_P.utoc":
        return problems_of_cut(uvet, path, 15712) + problems_of_change(uvet, path, 100000, "BLK022")
    if name == "Demo_none_P.utoc":
        return problems_of_cut(uvet, path, 15712) + problems_of_change(uvet, path, 100000, "MET004")
    return []


def check_all(uvet, folder, rows):
    """How many containers there are, and the problems of each that has some."""
    containers = [r for r in rows if r["kind"] == "utoc"]
    problems = {}
    for row in containers:
        path = os.path.join(folder, row["path"])
        found = problems_of_container(uvet, path, row)
        if PACKER in row["path"]:
            found += problems_of_copies(uvet, path)
        if found:
            problems[row["path"]] = found
    return len(containers), problems
