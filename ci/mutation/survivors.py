"""The list of mutants that no test can kill, and why: ci/mutate_survivors.txt."""
import re

HEAD = re.compile(r"(\S+): (.+)$")
SAME, UNSEEN = "Same", "Unseen"
REASON = re.compile(rf"({SAME}|{UNSEEN}): \S")
ANY = "*"                       # in place of both lines: every change of the function that survives


class ListError(Exception):
    pass


class Reasons:
    """Why mutants survive. `Same` is one that does what the original does, but for time or memory: it says nothing about the tests, and is
    drawn again. `Unseen` does something else that no test can see; it counts as a survivor."""

    def __init__(self, text):
        self.of = {}
        for number, paragraph in enumerate(re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", text, flags=re.M)), 1):
            lines = [line for line in paragraph.split("\n") if line.strip()]
            if lines:
                self.add(number, lines)

    def add(self, number, lines):
        """An entry: `FILE: FUNCTION`, pairs of a line before as `- TEXT` and after as `+ TEXT`, and the reason for all of them."""
        head = HEAD.match(lines[0])
        n = next((i for i in range(1, len(lines)) if lines[i][:2] != ("- " if i % 2 else "+ ")), len(lines))
        reason = " ".join(line.strip() for line in lines[n:])
        if not head or n < 3 or n % 2 == 0 or not REASON.match(reason):
            raise ListError(f"entry {number} is not FILE: FUNCTION, - TEXT, + TEXT and a reason, Same: or Unseen: {lines[0]}")
        for i in range(1, n, 2):
            key = head[1], head[2], lines[i][2:].strip(), lines[i + 1][2:].strip()
            if key in self.of:
                raise ListError(f"entry {number} says again what another does: {lines[0]}: {key[2]}")
            self.of[key] = reason

    def get(self, mutant):
        """The reason for a mutant, or None."""
        return self.of.get(mutant.key()) or self.of.get((mutant.path, mutant.function, ANY, ANY))

    def is_same(self, mutant):
        return (self.get(mutant) or "").startswith(SAME)

    def is_known_to_be_same(self, mutant):
        """Whether the mutant itself is listed, not its whole function, so that it need not be tried."""
        return self.of.get(mutant.key(), "").startswith(SAME)

    def stale(self, mutants):
        """The keys that belong to none of the mutants."""
        known = {m.key() for m in mutants} | {(m.path, m.function, ANY, ANY) for m in mutants}
        return [key for key in self.of if key not in known]
