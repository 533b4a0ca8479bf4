"""Rules that the reference reader does not know, each with its reason, and those that it knows and that no vector breaks. compare.py demands
that every rule of uvet's is covered or stands here, that none stands here that is covered or does not exist, and that the vectors break
what is said to be broken."""

CHECK = "it is about the check and the machine that it runs on, not about the bytes"

NOT_COVERED = {
    "BLK034": "it is a limit of a check",
    "PNM012": "it asks for every byte of every body",
    "RUN001": CHECK, "RUN002": CHECK, "RUN003": CHECK, "RUN005": CHECK, "RUN006": CHECK,
    "RUN010": CHECK, "RUN011": CHECK, "RUN012": CHECK,
    "ENG001": "it is about what uvet says of itself",
}

TOO_LARGE = "files of more than 2 GiB are not compared without --large"
OTHER_LIMITS = "the vectors that break it set limits of their own, and are about uvet itself"
UNBROKEN = {"FIL009": TOO_LARGE, "UMD020": TOO_LARGE, "UZC010": OTHER_LIMITS}


def complaints(rules, covered, broken):
    """What is wrong with these lists; broken are the rules that some vector broke, or None if not all vectors were compared."""
    out = [f"{rule} is neither covered nor among the rules that are not" for rule in sorted(rules - covered - NOT_COVERED.keys())]
    out += [f"{rule} is covered, and stands among the rules that are not" for rule in sorted(NOT_COVERED.keys() & covered)]
    out += [f"uvet has no rule {rule}" for rule in sorted((NOT_COVERED.keys() | covered | UNBROKEN.keys()) - rules)]
    if broken is not None:
        out += [f"no vector breaks {rule} in both readings" for rule in sorted((covered & rules) - broken - UNBROKEN.keys())]
        out += [f"{rule} is broken by a vector, and stands among the rules that are not" for rule in sorted(UNBROKEN.keys() & broken)]
    return out
