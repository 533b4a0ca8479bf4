#!/usr/bin/env python3
"""The library's call graph: no function reaches itself, none has a stack frame of unknown size, and no path needs more than 64 KiB."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 64 * 1024
# Calls through these are indirect: who may stand behind them is every function whose address is taken, and none of those
# calls back (the layers forbid it), so each is a root of its own here and the roots' depths are added up below.
NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
SIZE = re.compile(r"(\d+) bytes \(([^)]*)\)")


def compile_one(folder, source):
    out = folder / (source.replace("/", "_") + ".o")
    subprocess.run(["gcc", "-std=c11", "-O1", "-fcallgraph-info=su", "-Isrc", "-Iinclude", "-DUVET_BUILDING", "-c", source,
                    "-o", str(out)], cwd=ROOT, check=True)


def graph(folder, sources):
    frames, calls = {}, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda source: compile_one(folder, source), sources))
    for ci in folder.glob("*.ci"):
        text = ci.read_text()
        for title, label in NODE.findall(text):
            m = SIZE.search(label)
            if m:
                frames[title] = (int(m.group(1)), m.group(2))
        for a, b in EDGE.findall(text):
            calls.setdefault(a, set()).add(b)
    return frames, calls


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


def main():
    cmake = (ROOT / "CMakeLists.txt").read_text()
    sources = sorted(set(re.findall(r"src/[\w/]+\.c", cmake)) - {s for s in re.findall(r"src/cli/[\w/]+\.c", cmake)})
    sources = [s for s in sources if (ROOT / s).exists()] + ["src/platform/posix_file.c", "src/platform/posix_sibling.c"]
    with tempfile.TemporaryDirectory() as tmp:
        frames, calls = graph(pathlib.Path(tmp), sorted(set(sources)))
    dynamic = [f for f, (_, kind) in frames.items() if "dynamic" in kind and "bounded" not in kind]
    if dynamic:
        sys.exit("stack: frames of unknown size: " + ", ".join(dynamic))
    depth, cycle = deepest(frames, calls)
    if cycle:
        sys.exit("stack: recursion: " + " -> ".join(cycle))
    # Indirect calls: a caller of unknown functions may have the deepest of all below it, once for each level of callbacks
    # that the design has: engine -> format -> source -> sink -> writer.
    worst = sorted(depth.values())[-5:]
    total = sum(worst)
    name = max(depth, key=depth.get)
    for f in sorted(depth, key=depth.get)[-8:]:
        print(f"  {depth[f]:6} bytes below {f}, {frames[f][0]} of its own")
    print(f"stack: {len(frames)} functions, no recursion, deepest direct path {depth[name]} bytes ({name}), "
          f"five levels of callbacks at most {total} bytes")
    return 0 if total <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
