"""Rules that the reference reader does not know, each with its reason, and those that it knows and that no vector breaks. compare.py demands
that every rule of uvet's is covered or stands here, that none stands here that is covered or does not exist, and that the vectors break
what is said to be broken."""

BETWEEN = "it compares containers with each other, of which the reference reader reads one at a time"
CHECK = "it is about the check and the machine that it runs on, not about the bytes"

# Three letters are all rules of that family: those of a format that the reference reader does not read.
NOT_COVERED = {
    "BLK034": "it is a limit of a check",
    "PNM012": "it asks for every byte of every body",
    "RUN001": CHECK, "RUN002": CHECK, "RUN003": CHECK, "RUN005": CHECK, "RUN006": CHECK,
    "RUN014": "containers in archives are judged there without what lies beside them",
    "RUN010": CHECK, "RUN011": CHECK, "RUN012": CHECK,
    "ZEN026": "it compares a package with a game that the user names",
    "SET010": BETWEEN, "SET011": BETWEEN, "SET012": BETWEEN,
    "XFL": "it compares files with each other; tests/real/deps.py reads imports a second time",
    "LAY": "it is about what the names in an archive mean to games and sites, which the reference reader does not know",
    "REF": "it compares a file with another that the user names, and no engine asks it",
    "ENG001": "it is about what uvet says of itself",
}

TOO_LARGE = "files of more than 2 GiB are not compared without --large"
OTHER_LIMITS = "the vectors that break it set limits of their own, and are about uvet itself"
UNBROKEN = {"FIL009": TOO_LARGE, "UMD020": TOO_LARGE, "UZC010": OTHER_LIMITS}


def not_covered(rules):
    """The rules that are not covered, with their reasons: those that are listed, and those of a family that is."""
    out = {rule: reason for rule, reason in NOT_COVERED.items() if len(rule) > 3 or not any(r.startswith(rule) for r in rules)}
    out.update((rule, NOT_COVERED[rule[:3]]) for rule in rules if rule[:3] in NOT_COVERED)
    return out


def complaints(rules, covered, broken):
    """What is wrong with these lists; broken are the rules that some vector broke, or None if not all vectors were compared."""
    left_out = not_covered(rules)
    out = [f"{rule} is neither covered nor among the rules that are not" for rule in sorted(rules - covered - left_out.keys())]
    out += [f"{rule} is covered, and stands among the rules that are not" for rule in sorted(left_out.keys() & covered)]
    out += [f"uvet has no rule {rule}" for rule in sorted((left_out.keys() | covered | UNBROKEN.keys()) - rules)]
    if broken is not None:
        out += [f"no vector breaks {rule} in both readings" for rule in sorted((covered & rules) - broken - UNBROKEN.keys())]
        out += [f"{rule} is broken by a vector, and stands among the rules that are not" for rule in sorted(UNBROKEN.keys() & broken)]
    return out
