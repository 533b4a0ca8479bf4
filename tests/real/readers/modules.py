"""Readers that are libraries: Python's own modules, and libarchive."""
import bz2
import ctypes
import ctypes.util
import gzip
import io
import lzma
import platform
import stat
import tarfile
import zipfile
import zlib

import views
from views import FILE, FOLDER, HARD_LINK, LINK, OTHER, Member, View


class Reader:
    """Something that reads archives of some forms. exact: it tells names as they are."""
    name, forms, exact = "", (), True

    def version(self):
        """None: it is not installed."""
        return None

    def takes(self, form, data):
        """Whether it reads files of this form at all."""
        return form in self.forms

    def read(self, form, path, data):
        raise NotImplementedError


# ---- Python ---------------------------------------------------------------------------------------------------------------------

class Python(Reader):
    name, forms = "python", ("tar", "zip", "stream")

    def version(self):
        return platform.python_version()

    def takes(self, form, data):
        return form in self.forms and (form != "stream" or any(data.startswith(magic) for magic in MODULES))

    def read(self, form, path, data):
        try:
            return View(members=tuple({"tar": of_tar, "zip": of_zip, "stream": of_stream}[form](data)))
        except Exception as e:  # noqa: BLE001 - any of them is how it refuses
            return View(f"{type(e).__name__} {e}"[:70])


def raw(text):
    return text.encode("utf-8", "surrogateescape")


def of_tar(data):
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for m in archive:
            kind = FILE if m.isreg() else FOLDER if m.isdir() else LINK if m.issym() else HARD_LINK if m.islnk() else OTHER
            content = archive.extractfile(m).read() if kind == FILE else b""
            yield Member(raw(m.name), kind, len(content), zlib.crc32(content), raw(m.linkname) if kind in (LINK, HARD_LINK) else None)


def of_zip(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for m in archive.infolist():
            content = b"" if m.is_dir() else archive.read(m)
            name = m.filename.encode("utf-8" if m.flag_bits & 0x800 else "cp437")
            if m.create_system == 3 and stat.S_ISLNK(m.external_attr >> 16) and not m.is_dir():
                yield Member(name, LINK, 0, 0, content)
            else:
                yield Member(name, FOLDER if m.is_dir() else FILE, len(content), zlib.crc32(content))


MODULES = {b"\x1f\x8b": gzip, b"BZh": bz2, b"\xfd7zXZ\0": lzma}


def of_stream(data):
    module = next(module for magic, module in MODULES.items() if data.startswith(magic))
    content = module.decompress(data)
    return [Member(b"", FILE, len(content), zlib.crc32(content))]


# ---- libarchive -----------------------------------------------------------------------------------------------------------------

# What is none of these becomes a file when it is unpacked.
KINDS = {stat.S_IFDIR: FOLDER, stat.S_IFLNK: LINK, stat.S_IFCHR: OTHER, stat.S_IFBLK: OTHER, stat.S_IFIFO: OTHER, stat.S_IFSOCK: OTHER}
AT_END, FATAL_FROM = 1, -20
A, B, C = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
FUNCTIONS = {
    "archive_version_string": (B, []), "archive_read_new": (A, []), "archive_read_support_filter_all": (C, [A]),
    "archive_read_support_format_all": (C, [A]), "archive_read_support_format_raw": (C, [A]), "archive_read_support_format_zip_streamable": (C, [A]),
    "archive_read_open_memory": (C, [A, B, ctypes.c_size_t]), "archive_read_next_header": (C, [A, ctypes.POINTER(A)]),
    "archive_entry_pathname": (B, [A]), "archive_entry_filetype": (ctypes.c_uint, [A]), "archive_entry_hardlink": (B, [A]),
    "archive_entry_symlink": (B, [A]), "archive_read_data": (ctypes.c_ssize_t, [A, B, ctypes.c_size_t]), "archive_read_free": (C, [A]),
    "archive_error_string": (B, [A])}


def load():
    found = ctypes.util.find_library("archive")
    if not found:
        return None
    library = ctypes.CDLL(found)
    for name, (result, arguments) in FUNCTIONS.items():
        getattr(library, name).restype, getattr(library, name).argtypes = result, arguments
    return library


class Libarchive(Reader):
    """From memory, where it may go to any place."""
    name, forms = "libarchive", ("tar", "zip", "7z", "rar", "stream")

    def __init__(self):
        self.library = load()
        self.buffer = ctypes.create_string_buffer(1 << 16)

    def version(self):
        return self.library and self.library.archive_version_string().decode().split()[-1]

    def support(self, archive, form):
        self.library.archive_read_support_filter_all(archive)
        if form == "stream":
            self.library.archive_read_support_format_raw(archive)
        else:
            self.library.archive_read_support_format_all(archive)

    def read(self, form, path, data):
        archive = self.library.archive_read_new()
        self.support(archive, form)
        try:
            if self.library.archive_read_open_memory(archive, data, len(data)):
                raise ValueError(self.error(archive))
            return View(members=tuple(self.members(archive, form)))
        except ValueError as e:
            return View(f"{e}"[:70])
        finally:
            self.library.archive_read_free(archive)

    def error(self, archive):
        return (self.library.archive_error_string(archive) or b"no reason").decode(errors="replace")

    def members(self, archive, form):
        entry = A()
        while (status := self.library.archive_read_next_header(archive, ctypes.byref(entry))) != AT_END:
            if status < FATAL_FROM:
                raise ValueError(self.error(archive))
            yield self.member(archive, entry, form)

    def member(self, archive, entry, form):
        hard, link = self.library.archive_entry_hardlink(entry), self.library.archive_entry_symlink(entry)
        kind = HARD_LINK if hard else KINDS.get(self.library.archive_entry_filetype(entry), FILE)
        name = self.library.archive_entry_pathname(entry) or b""
        size, digest = self.content(archive)
        return Member(b"" if form == "stream" else name, kind, size, digest, (hard or link or b"") if kind in (LINK, HARD_LINK) else None)

    def content(self, archive):
        size = digest = 0
        while (n := self.library.archive_read_data(archive, self.buffer, len(self.buffer))) != 0:
            if n < 0:
                raise ValueError(self.error(archive))
            size, digest = size + n, zlib.crc32(self.buffer.raw[:n], digest)
            if size > views.LARGEST:
                raise ValueError("too long")
        return size, digest


class LibarchiveStreaming(Libarchive):
    """From the beginning to the end, by local headers alone, as from a pipe."""
    name, forms = "libarchive streaming", ("zip",)

    def support(self, archive, form):
        self.library.archive_read_support_format_zip_streamable(archive)
