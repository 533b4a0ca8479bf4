"""Differences that are known, each with its reason. A difference that no entry fits fails the comparison."""


class Explained:
    def __init__(self, rules, reason, when):
        self.rules, self.reason, self.when = set(rules.split()), reason, when


# when(case, judgement) says whether the entry fits a file.
EXPLAINED = ()
