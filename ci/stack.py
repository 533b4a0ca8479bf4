#!/usr/bin/env python3
"""The library's call graph: no function reaches itself, none has a stack frame of unknown size, and no path needs more than 64 KiB.

Compiled is what the release build compiles, by its own commands; what libraries use below it is theirs."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 64 * 1024
LIBRARIES = ("ISAL", "LIBDEFLATE", "LZMA", "NETTLE", "ZSTD", "BLAKE3")
NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
SIZE = re.compile(r"(\d+) bytes \(([^)]*)\)")


# What calls itself, and how often at most: a portion of 1 MiB (src/codec/blake3.c) is halved until a chunk of 1 KiB is left.
BOUNDED = {"blake3_compress_subtree_wide": 11}


def commands(build):
    """The compiler's commands for the objects of the library, as CMake noted them, with every library that there is."""
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    entries = json.loads((build / "compile_commands.json").read_text())
    found = [e for e in entries if "/uvet_objects.dir/" in e["command"] and not e["file"].endswith(".S")]
    lacking = [name for name in LIBRARIES if not all(f"-DUVET_WITH_{name} " in e["command"] for e in found)]
    if len(found) < 100 or lacking:
        sys.exit(f"stack: {len(found)} files of the library in {build}, without {', '.join(lacking) or 'most of it'}")
    return found


def compile_one(folder, number, entry):
    arguments = shlex.split(entry["command"])
    arguments[arguments.index("-o") + 1] = str(folder / f"{number}.o")
    subprocess.run([*arguments, "-fcallgraph-info=su"], cwd=entry["directory"], check=True)


def graph(folder, entries):
    """Each function's frame, what is said of its size, the layer that it lies in; and whom it calls."""
    frames, calls = {}, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda numbered: compile_one(folder, *numbered), enumerate(entries)))
    for ci in folder.glob("*.ci"):
        text = ci.read_text().replace(f"{ROOT}/", "")
        place = re.match(r"src/(\w+)/", os.path.relpath(entries[int(ci.stem)]["file"], ROOT))
        layer = place[1] if place else "codec"                  # the sources of others
        for title, label in NODE.findall(text):
            m = SIZE.search(label)
            if m:
                frames[title] = (int(m.group(1)), m.group(2), layer)
        for a, b in EDGE.findall(text):
            calls.setdefault(a, set()).add(b)
    return frames, calls


def unroll(frames, calls):
    """Gives what may call itself the frames of all its levels instead."""
    for title in list(frames):
        levels = BOUNDED.get(title.split(":")[-1])
        if levels:
            if title not in calls.get(title, ()):
                sys.exit(f"stack: {title} calls itself no more; it is no exception")
            calls[title].discard(title)
            frames[title] = (frames[title][0] * levels, *frames[title][1:])


def deepest(frames, calls):
    """The deepest path from each function, or the cycle that was met. Iterative: this script keeps the rule that it checks."""
    depth, state = {}, {}
    for root in frames:
        stack = [(root, iter(sorted(calls.get(root, ()))))]
        state.setdefault(root, 0)
        path = [root]
        if root in depth:
            continue
        state[root] = 1
        while stack:
            node, it = stack[-1]
            for callee in it:
                if callee == "__indirect_call" or callee not in frames:
                    continue
                if state.get(callee) == 1:
                    return None, path[path.index(callee):] + [callee]
                if callee not in depth:
                    state[callee] = 1
                    path.append(callee)
                    stack.append((callee, iter(sorted(calls.get(callee, ())))))
                    break
            else:
                depth[node] = frames[node][0] + max((depth.get(c, 0) for c in calls.get(node, ())), default=0)
                state[node] = 2
                stack.pop()
                path.pop()
    return depth, None


def with_callbacks(frames, calls, depth):
    """The most that five levels of callbacks take: engine -> format -> source -> sink -> writer, of which the last goes as deep as any function
    does, and the others as deep as they do before such a call. Each begins in another layer, since none calls those above it (layers.txt),
    but for the formats, whose work a thread pool gives back to them: the deepest function, which is theirs, counts beside them."""
    before, layers = {}, {}
    for title in depth:                                         # what is called stands before who calls it
        below = [before[callee] for callee in calls.get(title, ()) if before.get(callee)]
        if below or "__indirect_call" in calls.get(title, ()):
            before[title] = frames[title][0] + max(below, default=0)
            layers[frames[title][2]] = max(layers.get(frames[title][2], 0), before[title])
    return max(depth.values()) + sum(sorted(layers.values())[-4:])


def main():
    entries = commands(ROOT / "build/release")
    with tempfile.TemporaryDirectory() as tmp:
        frames, calls = graph(pathlib.Path(tmp), entries)
    unroll(frames, calls)
    dynamic = [f for f, (_, kind, _) in frames.items() if "dynamic" in kind and "bounded" not in kind]
    if dynamic:
        sys.exit("stack: frames of unknown size: " + ", ".join(dynamic))
    depth, cycle = deepest(frames, calls)
    if cycle:
        sys.exit("stack: recursion: " + " -> ".join(cycle))
    total = with_callbacks(frames, calls, depth)
    name = max(depth, key=depth.get)
    for f in sorted(depth, key=depth.get)[-8:]:
        print(f"  {depth[f]:6} bytes below {f}, {frames[f][0]} of its own")
    print(f"stack: {len(frames)} functions, no recursion, deepest direct path {depth[name]} bytes ({name}), "
          f"five levels of callbacks at most {total} bytes")
    return 0 if total <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
