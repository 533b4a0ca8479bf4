"""The .utoc of a container, from conformance/spec/iostore.md: its header, its sections, and the rules of chapter 2."""
from assembler.hashes import cityhash64_bytes

from . import blocks, chunks, container_header, directory, fileset, metas, payload, scripts, seeds, signatures, targets
from .core import Cut, read_layout

MAGIC = b"-==--==--==--==-"
HEADER_SIZE = 144
HEADER = (("magic_first", 8), ("magic_last", 8), ("version", 1), ("reserved_0", 1), ("reserved_1", 2), ("header_size", 4), ("n_chunks", 4),
          ("n_blocks", 4), ("block_entry_size", 4), ("n_methods", 4), ("method_name_size", 4), ("block_size", 4), ("directory_size", 4),
          ("n_partitions", 4), ("container_id", 8), ("key_guid_a", 4), ("key_guid_b", 4), ("key_guid_c", 4), ("key_guid_d", 4), ("flags", 1),
          ("encryption_method", 1), ("reserved_4", 2), ("n_seeds", 4), ("partition_size", 8), ("n_overflow", 4), ("reserved_7", 4),
          ("reserved_8", 8), ("reserved_9", 8), ("reserved_10", 8), ("reserved_11", 8), ("reserved_12", 8))
COMPRESSED, ENCRYPTED, SIGNED, INDEXED, ON_DEMAND = 1, 2, 4, 8, 16
JUDGED_VERSIONS = {2, 3, 4, 5, 6, 7, 8, 10}
INT_MAX = 0x7FFFFFFF
ALL = (1 << 64) - 1
MAX_PARTITIONS = 1024
USUAL_BLOCK, LARGEST_BLOCK = 65536, (1 << 24) - 1

RULES = {f"UTH{n:03}" for n in range(1, 44)} | fileset.RULES | chunks.RULES | blocks.RULES | seeds.RULES | directory.RULES | metas.RULES \
    | targets.RULES | signatures.RULES | payload.RULES | container_header.RULES | scripts.RULES
LABELS = {"header", "chunk_id", "range", "seed", "overflow", "block", "method", "vector", "directory", "file", "meta", "metas", "chunk_ids",
          "ranges", "seeds", "blocks", "methods", "vectors", "signatures", "directory_index", "on_demand_metas"}


def looks_like(file):
    return file.data[:16] == MAGIC


class Container:
    """What the rules of all chapters ask of a container. A table is None where it cannot be read."""

    def __init__(self, judgement):
        self.j, self.file = judgement, judgement.file
        self.stem = self.file.name[:-5] if fileset.fold(self.file.name[-5:]) == ".utoc" else self.file.name
        self.is_global = fileset.fold(self.stem) == "global"
        self.is_patch = fileset.fold(self.stem).endswith(("_p", "_p.o"))
        self.sections, self.early = {}, False
        self.chunks = self.blocks = self.methods = self.metas = self.index = self.own_header = None
        self.index_key = None                   # which opens the index
        self.paths = {}                         # of chunks, by their number
        self.inside = []                        # the pak beside it, and packages in which something is found

    def flag(self, flag):
        return bool(self.h["flags"] & flag)

    @property
    def encrypted(self):
        return self.flag(ENCRYPTED)

    def stored(self):
        """Whether stored bytes can be read: every partition is there."""
        return bool(self.partitions) and None not in self.partitions

    def place(self, block):
        """The partition of a block and its offset there."""
        if self.version < 3:
            return 0, block.offset
        return divmod(block.offset, self.h["partition_size"] or 1 << 40)

    def partition_at(self, offset):
        """The partition of a byte, as of a block that begins there."""
        return 0 if self.version < 3 else offset // (self.h["partition_size"] or 1 << 40)

    # -- the header

    def read_header(self):
        """Whether there is a header that can be judged."""
        j, file = self.j, self.file
        if j.fire("UTH001", len(file) < HEADER_SIZE) or j.fire("UTH002", file.bytes(0, 16) != MAGIC):
            return False
        if j.fire("UTH003", file.u32(16) == 128 and file.u32(20) != HEADER_SIZE):
            return False
        self.h = read_layout(file, 0, HEADER)
        self.version = self.h["version"]
        if j.fire("UTH004", self.version < 2) or j.fire("UTH005", self.version not in JUDGED_VERSIONS):
            return False
        targets.judge_version(self)
        j.version = str(self.version)
        j.region("header", 0, HEADER_SIZE, self.h)
        return True

    def judge_beginning(self):
        """2.6 to 2.12, 2.16 and 2.17. Whether the rest of the header means anything."""
        j, h, v = self.j, self.h, self.version
        j.fire("UTH006", h["header_size"] != HEADER_SIZE)
        j.fire("UTH007", h["block_entry_size"] != 12)
        j.fire("UTH008", any(self.file.bytes(17, 3)))
        j.fire("UTH009", v <= 8 and any(self.file.bytes(81, 3)))
        j.fire("UTH010", v != 10 and any(self.file.bytes(100, 44)))
        j.fire("UTH011", v == 2 and (h["n_partitions"] or h["partition_size"]))
        j.fire("UTH012", h["block_size"] == 0)
        size = h["method_name_size"]
        j.fire("UTH016", size != 32 and (h["n_methods"] or size), lesser=not h["n_methods"] or 0 < size <= 64)
        j.fire("UTH017", h["n_methods"] > 255)
        if not {"UTH006", "UTH007", "UTH012", "UTH017"} & j.rules() and not (h["n_methods"] and size == 0):
            targets.judge_signed(self)
        return not {"UTH006", "UTH007", "UTH012", "UTH017"} & j.rules() and not (h["n_methods"] and size == 0)

    def judge_header(self):
        j, h, v = self.j, self.h, self.version
        j.fire("UTH013", h["block_size"] & (h["block_size"] - 1))
        j.fire("UTH014", h["block_size"] > LARGEST_BLOCK)
        j.fire("UTH015", h["block_size"] != USUAL_BLOCK and not {"UTH013", "UTH014"} & j.rules())
        j.fire("UTH024", h["flags"] & 0xE0)
        j.fire("UTH025", self.flag(ON_DEMAND) and v < 6)
        guid = any(self.file.bytes(64, 16))
        j.fire("UTH026", not self.encrypted and guid)
        j.fire("UTH027", self.encrypted and not guid)
        j.fire("UTH030", h["directory_size"] and not self.flag(INDEXED))
        j.fire("UTH031", self.flag(INDEXED) and not h["directory_size"])
        j.fire("UTH033", (v < 4 and h["n_seeds"]) or (v < 5 and h["n_overflow"]))
        empty = h["n_chunks"] == 0
        too_long = v >= 5 and h["n_overflow"] > h["n_chunks"]
        j.fire("UTH034", v >= 4 and (h["n_seeds"] > h["n_chunks"] or too_long), lesser=empty and not too_long)
        j.fire("UTH037", v <= 7 and not self.too_many_chunks and HEADER_SIZE + h["directory_size"] + 33 * h["n_chunks"] > len(self.file))
        j.fire("UTH040", v == 4)
        j.fire("UTH042", h["n_chunks"] == 0)
        self.judge_partitions()
        self.judge_id()

    def judge_partitions(self):
        j, h = self.j, self.h
        if self.version < 3:
            return
        j.fire("UTH018", (h["n_chunks"] and not h["n_partitions"]) or h["n_partitions"] > MAX_PARTITIONS)
        j.fire("UTH019", h["partition_size"] == 0)
        j.fire("UTH020", h["n_partitions"] > 1 and h["partition_size"] == ALL)

    def judge_id(self):
        h = self.h
        none = h["container_id"] in (0, ALL)
        self.j.fire("UTH022", none and not self.is_global)
        if not none and self.stem.isascii():
            self.j.fire("UTH023", h["container_id"] != cityhash64_bytes(self.stem.lower().encode("utf-16-le")))

    # -- the sections

    def meta_size(self):
        return 21 if self.early else 24 if self.version >= 8 else 33

    def counts_fit(self):
        """2.38."""
        j, h = self.j, self.h
        room = len(self.file) - HEADER_SIZE
        self.too_many_chunks = h["n_chunks"] > room // (22 + self.meta_size()) or h["n_chunks"] * 12 > INT_MAX
        return not j.fire("UTH038", self.too_many_chunks or h["n_blocks"] > room // 12)

    def layout(self):
        """The sections behind the header, (name, bytes), in their order; the signatures' size stands in them."""
        h, v = self.h, self.version
        at = HEADER_SIZE
        for name, size in (("chunk_ids", 12 * h["n_chunks"]), ("ranges", 10 * h["n_chunks"]),
                           ("seeds", 4 * h["n_seeds"] if v >= 4 else 0), ("overflow", 4 * h["n_overflow"] if v >= 5 else 0),
                           ("blocks", 12 * h["n_blocks"]),
                           ("vectors", 12 * (h["reserved_8"] & 0xFFFFFFFF) if v == 10 and self.encrypted else 0),
                           ("methods", h["n_methods"] * h["method_name_size"])):
            yield name, size
            at += size
        if self.flag(SIGNED):
            yield "signatures", signatures.size(self, at)
        yield "directory_index", h["directory_size"]
        yield "metas", self.meta_size() * h["n_chunks"]

    def read_sections(self):
        """Where the sections lie, as far as the file holds them. Its end is None where it is cut, or nobody knows."""
        at = HEADER_SIZE
        for name, size in self.layout():
            if size is None:
                return None
            if name == "metas" and self.are_early(at + size):
                size = 21 * self.h["n_chunks"]
            if at + size > len(self.file):
                return None
            self.sections[name] = at, size
            at += size
        return at

    def are_early(self, end):
        self.early = self.j.fire("UTH039", self.version == 8 and self.h["n_chunks"] and end - 3 * self.h["n_chunks"] == len(self.file))
        return self.early

    def judge_end(self, end):
        """2.35, 2.36 and 2.41. Whether all sections are there."""
        j, h = self.j, self.h
        if end is None:
            j.fire("UTH035", "SIG001" not in j.rules())
            return False
        size = 20 * (h["n_chunks"] + h["n_blocks"])
        left = len(self.file) - end
        if self.version == 6 and size and self.flag(ON_DEMAND) and not j.fire("UTH041", left == 0):
            if j.fire("UTH035", left < size):
                return False
            self.sections["on_demand_metas"] = end, size
            left -= size
        elif self.version == 6 and not self.flag(ON_DEMAND) and size and j.fire("UTH041", left == size):
            left = 0
        j.fire("UTH036", left)
        return True

    def judge_index_size(self, is_whole):
        """2.32. Whether the index is in plain text is found out where all sections are there."""
        is_odd = self.encrypted and self.h["directory_size"] % 16
        self.j.fire("UTH032", is_odd, lesser=is_odd and is_whole and self.flag(INDEXED) and directory.is_plain(self))

    def rows(self, name, size):
        """Where the rows of a section begin, or None if it is not there."""
        if name not in self.sections:
            return None
        at, total = self.sections[name]
        self.j.work.spend(total // size)
        return range(at, at + total, size)

    def read_tables(self):
        for name, (at, size) in self.sections.items():
            if size:
                self.j.region(name, at, size)
        self.chunks = chunks.read(self)
        self.blocks = blocks.read(self)
        self.methods = blocks.read_methods(self)
        self.metas = metas.read(self)
        for at in self.rows("vectors", 12):
            self.j.region("vector", at, 12)

    # -- what header and tables say of each other

    def judge_compression(self):
        """2.28, 2.29 and 2.43."""
        j = self.j
        if self.blocks is None:
            return
        used = any(b.method for b in self.blocks)
        j.fire("UTH028", used and not self.flag(COMPRESSED))
        j.fire("UTH029", self.flag(COMPRESSED) and not used)
        j.fire("UTH043", any(c.length for c in self.chunks) and not self.blocks)

    def judge_partition_count(self):
        """2.21: as many partitions as the end of the last block needs."""
        size = self.h["partition_size"]
        if self.version >= 3 and self.blocks and size not in (0, ALL) and self.h["n_partitions"]:
            needed = max(1, -(-max(b.offset + b.compressed for b in self.blocks) // size))
            self.j.fire("UTH021", needed != self.h["n_partitions"])

    def judge(self):
        if not self.read_header():
            return
        if not self.judge_beginning():
            return
        fits = self.counts_fit()
        if fits:
            end = self.read_sections()
        self.judge_header()
        is_whole = fits and self.judge_end(end)
        self.judge_index_size(is_whole)
        if not is_whole:
            return
        fileset.judge(self)
        self.read_tables()
        self.judge_compression()
        self.judge_partition_count()
        chunks.judge(self)
        if self.is_global and self.chunks is not None:
            scripts.judge_chunks(self)
        blocks.judge(self)
        seeds.judge(self)
        signatures.judge(self)
        directory.judge(self)
        metas.judge(self)
        self.inside += payload.judge(self, self.own_header) or []


def judge(judgement):
    container = Container(judgement)
    try:
        container.judge()
    except Cut:
        raise AssertionError("a reader of tables went past the end") from None
    return container.inside
