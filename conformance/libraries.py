"""Which libraries a build of uvet has, as `uvet version` says, and what a build that lacks one may leave unjudged. Used by run.py, the reference
reader and the tests of the command line: what needs a library is left out where it is missing, and nowhere else."""
import functools
import subprocess

# Those that a build may lack, and the codecs that RUN007 then names.
LIBRARIES = {"liblzma": {"liblzma"}, "libzstd": {"Zstd"}, "libarchive": {"libarchive"}, "nettle": {"AES", "SHA-1", "RSA with SHA-1"}, "blake3": {"BLAKE3"},
             "inih": set()}


@functools.cache
def missing(uvet):
    """The libraries that the program lacks."""
    said = subprocess.run([uvet, "version"], capture_output=True, check=True, text=True).stdout
    there = {word.split(": ")[-1] for line in said.splitlines() for word in line.split(", ")}
    return frozenset(LIBRARIES.keys() - there)


def lacking(uvet):
    """The codecs that the program lacks for want of a library."""
    return frozenset(codec for library in missing(uvet) for codec in LIBRARIES[library])
