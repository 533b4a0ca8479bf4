#!/usr/bin/env python3
"""Holds builds of uvet against each other: for the same file, rules and options they give the same report, to the byte.

    determinism.py FOLDER [--environments LOCALES] BUILD...

BUILD is the folder of a build, behind its emulator if it needs one: "qemu-s390x build/s390x". With LOCALES, a folder for LOCPATH that has
tr_TR.UTF-8, the first build runs in other environments too. FOLDER gets the vectors, the reports of the first run, and those that differ
from them.

A report is what one run says in one format, with its exit code, of a container or a portion of them, of a portion of other files, or of
a vector with options of its own. All vectors are checked for their content and for their structure, and those without options with so
little work allowed that it ends somewhere. Ends with a line "determinism: ..."; exit 1 if a report differs, or if a run ends otherwise
than with a verdict.
"""
import argparse
import concurrent.futures
import difflib
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import typing

import assembled
import builds

FORMATS = ("text", "concise", "json", "ndjson", "sarif", "sarif-github", "junit", "checkstyle", "github", "gitlab", "csv", "markdown", "html")
PASSES = {"content": [], "structure": ["--level", "structure", "--show-passed"]}
LITTLE = ["--max-work", "100"]      # too little for more than half of the vectors
PORTION = 16                        # of containers: so few that 64 jobs are several threads for each
EVERY = 32                          # map and info take one file at a time
SHOWN = 40                          # lines of a difference
TIMEOUT = 1800                      # seconds; a portion takes one or two, of gigabytes under an emulator a minute
VERDICTS = (0, 1, 2)


class Task(typing.NamedTuple):
    """One run: its name, which program of a build, where, with which arguments, in which formats, and over which files. Whether it counts
    requests for memory, of which there are more where pointers are wider."""
    name: str
    program: str
    folder: str
    args: list
    formats: tuple = ()
    paths: tuple = ()
    counts: bool = False


class Subject(typing.NamedTuple):
    """A build in an environment."""
    name: str
    command: list               # what stands before the program, and the folder of the build
    env: dict = None            # None: as it is
    options: tuple = ()         # of every check
    place: str = "files"        # the folder with the vectors

    def is_narrow(self):
        """Whether its programs have pointers of 32 bits, as their header says."""
        with open(os.path.join(self.command[-1], "uvet"), "rb") as f:
            return f.read(5) == b"\x7fELF\1"


# ----------------------------------------------------------------------------------------------------------- what is run

def check_tasks(vectors, name, options):
    """Containers in portions small enough for several threads each, all others in large ones."""
    containers = [v for v in vectors if v.path.endswith(".utoc")]
    others = [v for v in vectors if not v.path.endswith(".utoc")]
    groups = builds.groups_of("", containers, PORTION) + builds.groups_of("", others)
    for i, (folder, own, paths) in enumerate(groups):
        alone = any(option.startswith("--max-memory") for option in own)        # writers need memory of the same budget
        for forms in ([(form,) for form in FORMATS] if alone else [FORMATS]):
            name_of = f"{name}-{i}" + "".join(f"-{form}" for form in forms if alone)
            yield Task(name_of, "uvet", folder, ["check", *own, *options, "--files0-from", "-"], forms, tuple(paths))


def show_tasks(vectors):
    """What other commands say."""
    for form in ("text", "json", "md", "layouts"):
        yield Task(f"rules-{form}", "uvet", "", ["rules", "-f", form])
    for v in [v for v in vectors if not v.options][::EVERY]:
        for command in ("map", "info"):
            for form in ("text", "json"):
                yield Task(f"{command}-{form}-{v.id.replace('/', '-')}", "uvet", "", [command, "-f", form, v.path])


def all_tasks(vectors):
    tasks = []
    sound = [v for v in vectors if not v.fault]
    for name, options in PASSES.items():
        tasks += check_tasks(sound, name, options)
    tasks += check_tasks([v for v in sound if not v.options], "work", LITTLE)
    for v in [v for v in vectors if v.fault]:
        tasks.append(Task("fault-" + v.id.replace("/", "-"), "tests/faultcheck", v.id, [v.fault, v.path[len(v.id) + 1:], *v.options],
                          counts=v.fault.startswith("memory:")))
    return tasks + list(show_tasks([v for v in sound if not v.missing]))


# ------------------------------------------------------------------------------------------------------------ running it

def run_task(root, subject, task):
    """Returns the reports of one run by their formats, with what it printed and its exit code; a format's goes to a descriptor of its own,
    which costs less than a file."""
    command = [*subject.command[:-1], os.path.join(subject.command[-1], task.program), *task.args]
    command += subject.options if task.formats else []
    files = [open(os.memfd_create(form), "w+b") for form in task.formats]   # closed below
    try:
        for form, f in zip(task.formats, files):
            command += ["-f", f"{form}=/dev/fd/{f.fileno()}"]
        done = subprocess.run(command, cwd=os.path.join(root, subject.place, task.folder), env=subject.env, check=False,
                              input=b"".join(os.fsencode(path) + b"\0" for path in task.paths), capture_output=True,
                              timeout=TIMEOUT, pass_fds=[f.fileno() for f in files])
        for f in files:
            f.seek(0)
        reports = {form: f.read() for form, f in zip(task.formats, files)}
    finally:
        for f in files:
            f.close()
    reports["printed"] = done.stdout + done.stderr + b"exit %d\n" % done.returncode
    return done.returncode, reports


class Held:
    """The reports of the first run, in a folder, and what differs from them."""

    def __init__(self, root):
        self.root, self.first, self.differences, self.trouble, self.n = root, None, [], [], 0

    def path(self, subject, task, form):
        return os.path.join(self.root, "reports", subject.name, f"{task.name}.{form}")

    def add(self, subject, task, form, report):
        """Keeps a report of the first run, and any that differs from it."""
        if self.first is subject:
            self.n += 1
        else:
            with open(self.path(self.first, task, form), "rb") as f:
                if f.read() == report:
                    return
            self.differences.append((subject, task, form))
        os.makedirs(os.path.dirname(self.path(subject, task, form)), exist_ok=True)
        with open(self.path(subject, task, form), "wb") as f:
            f.write(report)

    def run(self, subject, tasks):
        """Runs everything once; returns the digest over all reports, and the one over those that do not count requests for memory. Narrow
        programs have the second alone."""
        self.first = self.first or subject
        tasks = [task for task in tasks if not (task.counts and subject.is_narrow())]
        whole, rest = hashlib.sha256(), hashlib.sha256()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for task, (code, reports) in zip(tasks, pool.map(lambda task: run_task(self.root, subject, task), tasks)):
                if code not in VERDICTS:
                    self.trouble.append(f"{subject.name}: {task.name}: exit {code}: {reports['printed'][-300:].decode(errors='replace')}")
                for form, report in reports.items():
                    for digest in [whole] if task.counts else [whole, rest]:
                        digest.update(f"{task.name}.{form} {len(report)}\n".encode() + report)
                    self.add(subject, task, form, report)
        return None if subject.is_narrow() else whole.hexdigest(), rest.hexdigest()


def notices(held, tasks):
    """Whether the comparison sees one step of work more."""
    other = Held(held.root)
    other.first = held.first
    other.run(held.first._replace(name="control", options=("--max-work", "101")), [task for task in tasks if "--max-work" in task.args])
    return len(other.differences) > 0


# ------------------------------------------------------------------------------------------------------- what differs

def lines_of(form, report):
    text = report.decode(errors="backslashreplace")
    if "json" in form or "sarif" in form:
        try:
            text = "\n".join(json.dumps(json.loads(line), indent=1, sort_keys=True, ensure_ascii=False) for line in text.splitlines())
        except ValueError:
            pass
    return text.splitlines()


def smallest(held, subject, task, form):
    """The first file that alone gives another report, and both; or both of the whole run."""
    for path in task.paths if len(task.paths) > 1 else ():
        one = task._replace(paths=(path,), formats=(form,) if form in task.formats else task.formats)
        both = [run_task(held.root, who, one)[1][form] for who in (held.first, subject)]
        if both[0] != both[1]:
            return one, both
    both = []
    for who in (held.first, subject):
        with open(held.path(who, task, form), "rb") as f:
            both.append(f.read())
    return task, both


def show_first(held):
    """Shows the first report that differs, of one file if there is one."""
    subject, task, form = held.differences[0]
    one, both = smallest(held, subject, task, form)
    args = one.args + (["-f", form] if form in one.formats else [])
    print(f"{len(held.differences)} reports differ. The first, in {one.folder or '.'}: {shlex.join([one.program, *args])}")
    if one.paths:
        print(one.paths[0] if len(one.paths) == 1 else f"{len(one.paths)} files from {one.paths[0]} on; none of them alone")
    lines = list(difflib.unified_diff(*(lines_of(form, report) for report in both), held.first.name, subject.name, n=1, lineterm=""))
    print("\n".join(line[:300] for line in lines[:SHOWN]))
    print(f"{len(lines)} lines of difference; the whole reports are in {os.path.join(held.root, 'reports')}")


# ------------------------------------------------------------------------------------------------------------------ main

def subject_of(build):
    *emulator, folder = shlex.split(build)
    return Subject(os.path.basename(folder), [*emulator, os.path.abspath(folder)])


def can_fix_addresses():
    """Not every container lets a program have its addresses where they always are."""
    try:
        return subprocess.run(["setarch", "-R", "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def environments(first, root, locales):
    """The first build where people write numbers and letters in another way, where nothing is set, elsewhere, and with threads."""
    shutil.copytree(os.path.join(root, "files"), os.path.join(root, "an other place", "ş"), copy_function=os.link)
    turkish = {**os.environ, "LOCPATH": os.path.abspath(locales), "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "TZ": "UVT-13:45", "COLUMNS": "40"}
    said = subprocess.run(["locale", "decimal_point"], env=turkish, capture_output=True, check=False).stdout
    if said != b",\n":
        sys.exit(f"determinism.py: no Turkish locale in {locales}")
    fixed = ["setarch", "-R"] if can_fix_addresses() else []
    return [
        first._replace(name="turkish", env=turkish),
        first._replace(name="elsewhere", env={}, place=os.path.join("an other place", "ş")),
        first._replace(name="threads", options=("-j", "64")),
        first._replace(name="fixed" if fixed else "filled", command=[*fixed, *first.command], env={**os.environ, "MALLOC_PERTURB_": "165"}),
    ]


def run_all(held, subjects, tasks):
    """Runs every subject and shows its digest; returns the digests that there are, more than one if reports differ, and what was run."""
    wholes, rests, names = set(), set(), []
    for subject in subjects:
        whole, rest = held.run(subject, tasks)
        rests.add(rest)
        wholes.update({whole} - {None})
        names.append(subject.name if whole else f"{subject.name} but for {sum(t.counts for t in tasks)} that counts requests for memory")
        print(f"{whole or rest}  {names[-1]}", flush=True)
    return sorted(rests if len(rests) > len(wholes) else wholes), names


def main(argv):
    parser = argparse.ArgumentParser(description="Holds builds against each other: one report for the same file, rules and options.")
    parser.add_argument("folder")
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    parser.add_argument("--environments", metavar="LOCALES")
    args = parser.parse_args(argv)
    shutil.rmtree(args.folder, ignore_errors=True)
    everything = assembled.take_or_exit()
    vectors = everything.vectors
    shutil.copytree(everything.folder, os.path.join(args.folder, "files"), copy_function=os.link)
    subjects = [subject_of(build) for build in args.builds]
    if args.environments:
        subjects += environments(subjects[0], args.folder, args.environments)
    tasks, held = all_tasks(vectors), Held(args.folder)
    digests, names = run_all(held, subjects, tasks)
    if not notices(held, tasks):
        held.trouble.append("one step of work more gives the same reports: nothing is compared here")
    print("\n".join(held.trouble[:SHOWN]), end="\n" * (len(held.trouble) > 0))
    if held.differences:
        show_first(held)
    print(f"determinism: {len(vectors)} vectors, {held.n} reports, {len(digests)} digest{'s' * (len(digests) > 1)} over {len(subjects)} runs "
          f"({', '.join(names)}): {' '.join(digests)}")
    return 0 if len(digests) == 1 and len(subjects) > 1 and not held.trouble and not held.differences else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
