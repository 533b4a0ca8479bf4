"""Every page that the command writes, word for word: help, explanations, reports in every form, maps and facts.

pages/ has what is expected. With UVET_UPDATE in the environment it is written instead: what has changed there, users will see.
"""
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from case import CONFORMANCE, FORMATS, UVET, Case, assemble, has, libraries, load, need

PAGES = pathlib.Path(__file__).resolve().parent / "pages"
COMMANDS = ["check", "explain", "rules", "map", "info", "baseline", "profile", "completion", "schema", "version", "help"]

# A rule for each kind of paragraph: plain, security, heuristic, with a milder case, of some versions, mandatory.
RULES = ["UMD006", "UMD014", "BYT002", "UTH032", "UTH033", "RUN007", "PRP001"]

# What lies in one file, and in which form reports say it: (vectors, options).
REPORTS = {
    "good": (["umod/good_minimal", "upkg/good_minimal", "iostore/good_partitions", "iostore/SET004_good_v2", "uz/good_uz"], []),
    "one_error": (["umod/UMD006_crc_mismatch"], ["--show-passed"]),
    "nested": (["umod/FIL002_header_truncated_nested_twice", "umod/good_nested_download"], []),
    "newer": (["iostore/UTH005_version_unknown_9"], []),
    "control": (["umod/UMD014_path_unsafe_control_01"], []),
    "package": (["upkg/BYT002_script_reference_variable", "upkg/EXP019_class_repeated", "upkg/HDR026_licensee_tables_143_59"], []),
    "beside": (["iostore/MET004_sha1_mismatch", "iostore/SET004_partition_extra"], []),
    "alone": (["iostore/good_partitions", "iostore/good_v8"], ["--siblings", "none", "--level", "structure"]),
    "without_key": (["iostore/good_v10_encrypted"], []),
    "stopped": (["upkg/FIL002_header_truncated", "run/RUN004_format_unknown", "umod/good_minimal"], ["--max-text", "10"]),
    "verbose": (["upkg/FIL002_header_truncated", "iostore/good_v10_encrypted"], ["-v"]),
    "download": (["uz/UZC004_huffman_tree_malformed_total_cut", "uz/good_lzma"], ["--max-unpacked", "15"]),
    "some_rules": (["umod/UMD006_crc_mismatch"], ["--only", "UMD006,UMD018", "--severity", "UMD006=warning"]),
    "fewer": (["umod/MAN023_dest_shared", "umod/UMD014_path_unsafe_control_01"], ["--max-per-rule", "1", "--max-findings", "2", "--fail-on", "warning"]),
}
# What builds that lack a library say otherwise. Facts of files have a line that needs nettle, without which the rest is compared.
NEEDS = {"report_good.txt": ["blake3", "nettle"], "report_beside.txt": ["blake3", "nettle"], "report_without_key.txt": ["nettle"],
         "report_verbose.txt": ["nettle"], "map_uz_good_lzma.txt": ["liblzma"]}
SHA256 = re.compile(r'(?m)^sha256 +[0-9a-f]{64}\n|"sha256":"[0-9a-f]{64}",')
MAPS = ["umod/good_nested", "umod/good_pe_stub", "umod/UMD012_gap_between_members_nonzero", "upkg/good_level_ue2", "upkg/good_v61", "upkg/good_mesh",
        "upkg/EXP012_bodies_overlap_several", "iostore/good_v8_header_5_full", "iostore/good_v2", "iostore/good_partitions", "iostore/good_signed",
        "iostore/good_encrypted", "uz/good_uz", "uz/good_uz2", "uz/good_uz3", "uz/good_lzma", "uz/good_uz_epic_5678"]


def shown(text, version):
    """Without what changes with every release, or with every rule that is added."""
    text = re.sub(rf"\b{re.escape(version)}\b", "VERSION", text)
    text = re.sub(r'"rules_(passed|skipped)":\[[^]]*\]', r'"rules_\1":[...]', text)
    text = re.sub(r'"rules_(run|off)":\d+', r'"rules_\1":...', text)
    text = re.sub(r'"ignored":\[[^]]{200,}\]', '"ignored":[...]', text)
    return re.sub(r"\d+ rules off", "some rules off", text)


def shorter(text):
    """SARIF with its files, results, and those rules that have one, each on a line; rules.md has all rules."""
    log = json.loads(text)
    run = log["runs"][0]
    results, artifacts, rules = run.pop("results", []), run.pop("artifacts", []), run["tool"]["driver"].pop("rules")
    wanted = {result["ruleId"] for result in results}
    lines = [log, *artifacts, *results, *(rule for rule in rules if rule["id"] in wanted)]
    return "".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines)


def one_page(text):
    """HTML without what is the same on each page."""
    return re.sub("<style>.*?</style>", "<style>...</style>", re.sub("'sha256-[^']*'", "'sha256-...'", text), flags=re.S)


def sections(parts):
    """Texts on one page, each under its name."""
    return "".join(f"==== {name}\n{text}" + ("" if text.endswith("\n") else "\n") for name, text in parts.items())


class Pages(Case):
    """The vectors are assembled once for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.vectors = pathlib.Path(tempfile.mkdtemp(prefix="uvet-pages-"))
        cls.addClassCleanup(shutil.rmtree, cls.vectors, True)
        cls.files = {}
        for vector in {v for vectors, _ in REPORTS.values() for v in vectors} | set(MAPS):
            v = load(os.path.join(CONFORMANCE, "vectors", *vector.split("/")) + ".vec")
            path = cls.vectors / vector / v.file
            path.parent.mkdir(parents=True)
            assemble(v).write_with_companions(path, v.absent)
            cls.files[vector] = f"{vector}/{v.target or v.file}"

    def setUp(self):
        super().setUp()
        self.folder = self.vectors
        self.version = self.run_uvet("version").stdout.split()[1].decode().rstrip(",")

    def expect_page(self, name, text):
        path, text = PAGES / name, shown(text, self.version)
        if "UVET_UPDATE" in os.environ:
            self.assertFalse(libraries.missing(UVET), "pages are those of a build with all libraries")
            PAGES.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        with self.subTest(name):
            self.assertTrue(path.exists(), "nothing is expected there yet")
            for library in NEEDS.get(name, []):
                need(library)
            expected = path.read_text(encoding="utf-8")
            self.assertMultiLineEqual(expected if has("nettle") else SHA256.sub("", expected), text)

    def said(self, *args):
        return self.run_uvet(*args).stdout.decode("utf-8")

    def test_help(self):
        self.expect_page("help.txt", sections({"help": self.said("help"), **{f"help {c}": self.said("help", c) for c in COMMANDS}}))

    def test_explanations(self):
        self.expect_page("explain.txt", sections({f"explain {rule}": self.said("explain", rule) for rule in RULES}))

    def test_rules(self):
        """The list has what rules as JSON have, in columns; what is too long for its own is followed by a space."""
        def column(text, width):
            return text.ljust(width) if len(text) < width else text + " "

        listed = json.loads(self.said("rules", "-f", "json"))["rules"]
        lines = [column(r["id"], 8) + column(r["severity"], 14) + column(r["class"], 15) + column(r["name"], 28) + r["title"] for r in listed]
        self.assertEqual(self.said("rules").split("\n"), [*lines, ""])

    def test_reports(self):
        """In each form; of SARIF for GitHub what is not the same in SARIF."""
        for name, (vectors, options) in REPORTS.items():
            said = {form: self.said("check", "-f", form, *options, *(self.files[v] for v in vectors)) for form in FORMATS}
            sarif, github = (shorter(said[form]).splitlines(True) for form in ["sarif", "sarif-github"])
            said |= {"html": one_page(said["html"]), "csv": said["csv"].replace("\r\n", "\n")}
            said |= {"sarif": "".join(sarif), "sarif-github": "".join(line for line in github if line not in sarif)}
            self.expect_page(f"report_{name}.txt", sections(said))

    def test_the_example_of_the_readme(self):
        """What the README shows of a check is what the command says of that sample."""
        root = pathlib.Path(__file__).resolve().parents[2]
        command, shown = re.search(r"```\n\$ uvet (.+)\n([^`]*)```", (root / "README.md").read_text(encoding="utf-8")).groups()
        name = command.split()[-1]
        shutil.copy(root / "conformance/samples" / name, self.folder / name)
        self.assertEqual(self.run_uvet(*command.split()).stdout.decode(), shown)

    def test_maps(self):
        for vector in MAPS:
            ways = [(command, *form) for command in ["map", "info"] for form in [[], ["-f", "json"]]]
            self.expect_page(f"map_{vector.replace('/', '_')}.txt", sections({" ".join(way): self.said(*way, self.files[vector]) for way in ways}))

    def test_nothing_is_left_over(self):
        """Each file in pages/ is one that is compared."""
        pages = {"help.txt", "explain.txt", *(f"report_{name}.txt" for name in REPORTS), *(f"map_{v.replace('/', '_')}.txt" for v in MAPS)}
        self.assertEqual({p.name for p in PAGES.iterdir()}, pages)


if __name__ == "__main__":
    unittest.main()
