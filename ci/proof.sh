#!/bin/sh
# Proves the cursor with Frama-C's WP plugin: no run-time error, and every contract in the source.
set -eu
cd "$(dirname "$0")/.."

# The floor keeps a proof from passing because its annotations went away. Raise it with the contracts.
floor=467
timeout=60                  # seconds by the clock; by itself no goal takes more than two, but other steps run beside

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
	echo "proof: $*" >&2
	exit 1
}

# prove NAME SRC [OPTION...] runs WP on SRC/core/cursor.c, logs to NAME.log and leaves the two numbers of
# "Proved goals: N / N" in $proved and $goals. The session is scratch: nothing is replayed from an earlier run.
# Without the filter off, WP drops hypotheses about structures that are copied; wp:bitshift turns shifts by a
# constant into products, which is all that the solvers lack.
prove() {
	log="$scratch/$1.log"
	src=$2
	shift 2
	frama-c -wp -wp-rte -machdep x86_64 -cpp-extra-args="-I$src" \
		-wp-no-filter -wp-auto wp:bitshift -wp-session "$scratch/session" -wp-cache none \
		-wp-prover tip,cvc4,z3 -wp-timeout "$timeout" -wp-par 2 "$@" "$src/core/cursor.c" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		fail "frama-c failed"
	}
	figure=$(sed -n 's|^\[wp\] Proved goals: *\([0-9]*\) / \([0-9]*\)$|\1 \2|p' "$log")
	proved=${figure% *}
	goals=${figure#* }
	[ -n "$figure" ] || fail "no figure in the output of frama-c"
}

# control EXPRESSION breaks the comparison in a copy, which must then not prove.
control() {
	rm -rf "$scratch/broken"
	cp -R src "$scratch/broken"
	sed "s/if (n > c->len - c->pos)/if ($1)/" src/core/cursor.h >"$scratch/broken/core/cursor.h"
	[ "$(diff src/core/cursor.h "$scratch/broken/core/cursor.h" | grep -c '^>')" -eq 1 ] ||
		fail "the comparison to break was not found exactly once"
	prove control "$scratch/broken" -wp-fct cursor_take -wp-timeout 3
	[ "$goals" -gt 0 ] || fail "the control had no goals"
	[ "$proved" -lt "$goals" ] || fail "proves with the comparison broken: $1"
	echo "proof: control: $proved / $goals goals with $1"
}

for tool in frama-c why3 cvc4 z3; do
	command -v "$tool" >/dev/null || fail "$tool is not installed"
done
export WHY3CONFIG="$scratch/why3.conf"
why3 config detect >"$scratch/why3.log" 2>&1 || fail "why3 config detect failed"

prove cursor src
echo "proof: $proved / $goals goals"
if [ "$proved" -ne "$goals" ]; then
	grep -A4 'Failed\] Goal' "$log" >&2 || true
	fail "$((goals - proved)) goals are not proved"
fi
[ "$goals" -ge "$floor" ] || fail "$goals goals, fewer than the floor of $floor"

control 'n > c->len'
control 'n > c->len - c->pos + 1'
control 'n >= c->len - c->pos'
control 'c->pos + n > c->len'
