"""Mutants: one change of one source, with a name that stays the same while its function does; and which of them are drawn."""
import collections
import hashlib
import os
import re

from .changes import find_sites
from .source import Source

FOLDERS = ("formats", "engine", "core", "codec", "report", "api", "cli", "platform")
LEAST_SHARE = 15                # no folder gets less than one mutant in so many


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def squeeze(text):
    """The lines of a piece of code as one, with single spaces."""
    return " ".join(text.split())


class Mutant:
    """One choice at one site. `before` and `after` are the lines that the change touches."""

    def __init__(self, source, site, choice, nth):
        self.path, self.kind, self.start, self.end, self.choice = source.path, site.kind, site.start, site.end, choice
        self.function = source.name_at(site.start)
        first, last = source.lines(site.start, site.end)
        self.line = source.line_of(site.start)
        self.before = squeeze(source.text[first:last])
        self.after = squeeze(source.text[first:site.start] + choice + source.text[site.end:last])
        self.id = digest(*self.key(), str(nth))[:10]

    def key(self):
        """What identifies it in a list; numbers of lines would go stale."""
        return self.path, self.function, self.before, self.after

    def apply(self, text):
        return text[:self.start] + self.choice + text[self.end:]

    def show(self):
        return f"{self.path}:{self.line}: {self.function}   [{self.id}]\n    - {self.before}\n    + {self.after}"


def read_source(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return Source(path, f.read())


def mutants_of(source):
    """The mutants of each site of a source. Equal ones of a function differ in their number."""
    seen = collections.Counter()
    for site in find_sites(source):
        out = []
        for choice in site.choices:
            m = Mutant(source, site, choice, 0)
            seen[m.key()] += 1
            if seen[m.key()] > 1:
                m = Mutant(source, site, choice, seen[m.key()] - 1)
            out.append(m)
        yield out


def folder_of(path):
    return path.split("/")[1]


def draw_order(root, paths, seed):
    """For each folder its mutants in the order in which they are drawn, one of each site. A mutant's turn depends on the seed and on
    itself alone, so that a change elsewhere leaves the sample as it is."""
    out = {folder: [] for folder in FOLDERS}
    for path in paths:
        for choices in mutants_of(read_source(root, path)):
            chosen = min(choices, key=lambda m: digest(seed, m.id))
            out[folder_of(path)].append(chosen)
    for mutants in out.values():
        mutants.sort(key=lambda m: digest("turn", seed, m.id))
    return {folder: mutants for folder, mutants in out.items() if mutants}


def quotas(order, n):
    """How many of n mutants each folder gets: a minimum, and a share of the rest by its number of sites."""
    least = min(n // LEAST_SHARE, n // len(order))
    rest, sites = n - least * len(order), sum(map(len, order.values()))
    out = {folder: least + rest * len(mutants) // sites for folder, mutants in order.items()}
    largest = max(order, key=lambda folder: len(order[folder]))
    out[largest] += n - sum(out.values())
    return {folder: min(k, len(order[folder])) for folder, k in out.items()}


def compiled_sources(commands, root):
    """The C sources of the folders that this build compiles."""
    pattern = re.compile(r"src/(%s)/.*\.c$" % "|".join(FOLDERS))
    paths = {os.path.relpath(c["file"], root) for c in commands}
    return sorted(p for p in paths if pattern.match(p))
