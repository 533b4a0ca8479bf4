#!/usr/bin/env python3
"""All vectors as files, assembled once for every test that wants them: build/vectors/DIGEST has them, where DIGEST is that of all recipes
and of the assembler. Whoever takes them only reads them.

    assembled.py             prints the folder
"""
import contextlib
import fcntl
import hashlib
import os
import pickle
import shutil
import sys
import time
import typing

import assemble

HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = os.path.join(HERE, "vectors")
KEPT = os.path.join(os.path.dirname(HERE), "build", "vectors")
UNUSED = 24 * 3600          # seconds after which a set that nobody took is removed


class Assembled(typing.NamedTuple):
    """All vectors: the folder that has each as format/vector/file, in a fixed order what they say, and what is wrong with those that do
    not assemble. With a complaint there is no folder that stays."""
    folder: str
    vectors: list               # of assemble.Written
    complaints: list


def digest(vectors):
    """Of everything that the files follow from."""
    whole = hashlib.sha256(sys.version.encode())
    sources = [os.path.join(HERE, name) for name in ("assemble.py", "assembled.py")]
    own = os.path.join(HERE, "assembler")
    sources += [os.path.join(own, name) for name in sorted(os.listdir(own)) if name.endswith(".py")]
    for path in sources + sorted(assemble.find_vectors(vectors)):
        with open(path, "rb") as f:
            data = f.read()
        whole.update(f"{path}\0{len(data)}\0".encode() + data)
    return whole.hexdigest()[:32]


@contextlib.contextmanager
def locked(kept):
    """Tests begin together; the first assembles, the others wait."""
    os.makedirs(kept, exist_ok=True)
    with open(os.path.join(kept, "lock"), "w", encoding="ascii") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def remove_unused(kept):
    for entry in os.scandir(kept):
        if entry.is_dir() and entry.stat().st_mtime < time.time() - UNUSED:
            shutil.rmtree(entry.path)


def make(vectors, folder):
    """Assembles into a folder beside, which then gets its name: a set is whole or is not there."""
    scratch = folder + ".part"
    shutil.rmtree(scratch, ignore_errors=True)
    written, complaints = assemble.write_all(vectors, os.path.join(scratch, "files"))
    if complaints:
        shutil.rmtree(scratch, ignore_errors=True)
        return complaints
    with open(os.path.join(scratch, "written"), "wb") as f:
        pickle.dump(written, f)
    os.rename(scratch, folder)
    return []


def take(vectors=VECTORS, kept=KEPT):
    """The vectors below a folder, assembled now or earlier."""
    folder = os.path.join(kept, digest(vectors))
    with locked(kept):
        complaints = [] if os.path.isdir(folder) else make(vectors, folder)
        if complaints:
            return Assembled(os.path.join(folder, "files"), [], complaints)
        os.utime(folder)
        remove_unused(kept)
    with open(os.path.join(folder, "written"), "rb") as f:
        return Assembled(os.path.join(folder, "files"), pickle.load(f), [])


def take_or_exit():
    """As take, for a program that needs every vector."""
    all_of_them = take()
    if all_of_them.complaints:
        sys.exit("\n".join(all_of_them.complaints))
    return all_of_them


if __name__ == "__main__":
    print(take_or_exit().folder)
