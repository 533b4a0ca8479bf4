#!/usr/bin/env python3
"""Measures how much memory uvet holds at a time for a million of the worst rows of each format, and fails where that is more than 1 MiB,
four times the metadata, and what fuzz/oracle/memory_bound.c names besides.

The files are those of complexity.py, larger: below some hundred kilobytes the mebibyte hides all else."""
import argparse
import os
import subprocess
import sys
import tempfile

from complexity import list_kinds

ROWS = 1 << 20

# Lines and entries as short as they can be first; then longer ones, of which more is kept.
INSTALLERS = ["line_shortest", "section_empty", "section_short", "file_empty", "file_short", "file_dest_short", "group_short", "ini_short",
              "logo_short", "comment", "section_other", "dest_clash", "add_ini", "requirements", "group_chain", "odd_names", "long_indexes",
              "duplicates", "gaps", "overlap", "listed", "aliases", "namesakes"]
PACKAGES = ["names_same", "names_short", "names", "colliding_names", "imports_same", "imports", "exports_same", "exports", "outer_chain",
            "super_chain", "bodies_reversed", "bodies_apart", "bodies_overlapping", "structs"]
CONTAINERS = ["tables", "packages", "packages_ue4", "packages_soft", "same_ids", "overflow", "siblings", "cycle", "shared", "depth",
              "same_names", "colliding_siblings", "distinct_ids", "colliding_ids", "zen_small"]
ARCHIVES = ["pak_8", "pak_11", "pak_same_range_8", "pak_same_range_11", "pak_nested_ranges", "pak_deep_folder", "pak_equal_hashes", "pak_unlisted",
            "pak_equal_names", "pak_overlapping_blocks"]
# Of downloads the number is kilobytes, and what comes out of them is payload.
DOWNLOADS = {"uz": 8192, "uz_5678": 8192, "uz_one_leaf": 8192, "uz_deep_tree": 8192, "uz_tiny_blocks": 8192, "uz_long_runs": 8192,
             "uz2": 8192, "uz2_tiny_chunks": 8192, "uz2_dense_chunks": 8192, "uz2_broken_chunks": 8192}


def options_of(options):
    """Those of the command as those of the library, and such that no limit is reached."""
    pairs = [f"{name}={value}" for name, value in zip(options[::2], options[1::2])]
    return pairs + ["--max-ratio=1000000", "--max-text=4294967295", "--max-work=1000000000000", "--max-memory=4294967296"]


def measure(build, kind, number):
    """Prints what one file takes, and tells whether that is within the bound."""
    program, extension, options = list_kinds(build)[kind]
    with tempfile.TemporaryDirectory(dir=build) as own:
        path = os.path.join(own, f"{kind}_P.{extension}")
        subprocess.run([program, kind, str(number), path], check=True)
        done = subprocess.run([os.path.join(build, "bench", "bench_room"), *options_of(options), path], check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{kind}: exit {done.returncode}")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release", help="a build folder with UVET_BENCH=ON (default %(default)s)")
    parser.add_argument("--rows", type=int, default=ROWS, help="of each file (default %(default)s)")
    parser.add_argument("kinds", nargs="*", help="what to measure (default: everything)")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    kinds = args.kinds or [*INSTALLERS, *PACKAGES, *CONTAINERS, *ARCHIVES, *DOWNLOADS]
    met = sum(measure(build, kind, DOWNLOADS.get(kind, args.rows)) for kind in kinds)
    print(f"memory: {met} of {len(kinds)} within the bound")
    return 0 if met == len(kinds) else 1


if __name__ == "__main__":
    sys.exit(main())
