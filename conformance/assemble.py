#!/usr/bin/env python3
"""Assembles vectors: text recipes (.vec) that say, byte by byte, what a test file holds.

The assembler knows integers, strings, labels, sums, repeats and digests. It knows no file format, so it cannot share a
mistake with a reader of one. The language is described in README.md beside this file.

    assemble.py FILE.vec -o OUT          one vector to one file
    assemble.py --all DIR -o OUTDIR      every vector below DIR, each as OUTDIR/format/vector/file
    assemble.py --list DIR               name, verdict and first sentence of every vector below DIR
"""
import argparse
import functools
import multiprocessing
import os
import sys
import typing

from assembler.errors import VecError
from assembler.layout import assemble
from assembler.vector import find_vectors, id_of, load


class Written(typing.NamedTuple):
    """A vector whose files lie in a folder: what it says of itself, without its statements."""
    v: object                   # the Vector
    path: str                   # what the command line names, in the folder of all
    fault: str                  # with a number for a label; None if there is none
    expects: list               # with numbers for labels
    companions: list            # the names of the files beside it

    @property
    def id(self):
        return self.v.id

    @property
    def options(self):
        return self.v.options

    @property
    def missing(self):
        return self.v.missing


def resolve_fault(v, image):
    """A fault's number may be a label of the vector."""
    if not v.fault:
        return None
    kind, colon, where = v.fault.partition(":")
    return kind + colon + str(image.labels.get(where, where))


def write_vector(folder, path):
    """Assembles one vector into a folder of all; it as written, and None, or None and what is wrong with it."""
    try:
        v = load(path)
        image = assemble(v)
        out = os.path.join(folder, *v.id.split("/"), *v.file.split("/"))
        os.makedirs(os.path.dirname(out), exist_ok=True)
        image.write_companions(os.path.dirname(out), v.absent)
        if not v.missing:
            image.write(out)
        v.nodes, v.lets, v.edits = [], {}, []
        beside = sorted(set(image.companions) - set(v.absent))
        return Written(v, f"{v.id}/{v.target or v.file}", resolve_fault(v, image), image.expects, beside), None
    except VecError as e:
        return None, str(e)


def write_all(vectors, folder):
    """Assembles every vector, on all processors; all of them in a fixed order, and what is wrong with those that do not assemble."""
    with multiprocessing.Pool() as pool:
        done = list(pool.imap(functools.partial(write_vector, folder), find_vectors(vectors), chunksize=32))
    return [written for written, _ in done if written], [complaint for _, complaint in done if complaint]


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
                print(f"{v.id}\t{v.verdict}\t{v.description}")
        elif args.all and args.output:
            _, complaints = write_all(args.all, args.output)
            if complaints:
                print("\n".join(complaints), file=sys.stderr)
                return 1
        elif args.vector and args.output:
            v = load(args.vector)
            assemble(v).write_with_companions(args.output, v.absent)
        else:
            parser.error("give a vector and -o OUT, or --all DIR and -o OUTDIR, or --list DIR")
    except VecError as e:
        print(e, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
