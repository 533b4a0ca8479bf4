#!/usr/bin/env bash
# Mutants: builds each planted bug, holds known inputs against it, hunts it with libFuzzer if they do not find it, and writes
# fuzz/mutants/MUTANTS.tsv.
#
#     fuzz/mutants/run.sh            all of them; fails if one survives
#     fuzz/mutants/run.sh 3 7        these only; their rows of the table are replaced
#
# "seed" means that a seed or a file of the corpus finds the bug, as a fuzzer begins or in a replay with all oracles: that proves the
# oracles. "search" means that none does, and that the fuzzer made an input which does, in at most 300 seconds of CPU time: that proves the
# search too. It begins anew, with another seed, at each third of that time: one that took a wrong turn seldom comes back.
#
# With UVET_MUTANT_REPLAY=no in the environment nothing is replayed, which needs a build of its own: the fuzzer finds the bug as it begins or
# in its search, or the bug survives.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=$PWD/build/fuzz
plain=$PWD/build/mutate
prepared=
work=$PWD/build/fuzz-work/mutants
budget=${UVET_MUTANT_SECONDS:-300}
export ASAN_OPTIONS=quarantine_size_mb=8:detect_stack_use_after_return=0
. fuzz/harnesses.sh

# Which harness hunts which mutant: the table says it. A new one needs a row with its number and its harness.
harness_of() { # MUTANT
	awk -F '\t' -v n="$1" '$1 == n { print $3 }' fuzz/mutants/MUTANTS.tsv
}

all_mutants() {
	grep -rhoE 'MUTANT\([0-9]+\)' src | grep -oE '[0-9]+' | sort -nu
}

source_of() {
	grep -rlE "MUTANT\($1\)" --include='*.c' src | head -n 1
}

# What a mutant does, as the comment says that stands after its statement or else before it.
what_is() { # MUTANT
	awk -v mutant="MUTANT[(]$1[)]" '
		function ends(text) { return text ~ /[;{}]$/ || text ~ /[;{}] *\/[*].*$/ }
		{ line[NR] = $0 }
		$0 ~ mutant && !at { at = NR }
		END {
			first = last = at
			while (first > 1 && !ends(line[first - 1]) && line[first - 1] !~ /[*]\/$/) { first-- }
			while (last < NR && !ends(line[last])) { last++ }
			if (line[at] ~ /mutant: /) {
				said = line[at]
			} else {
				for (i = first - 1; said !~ /mutant: / && i > 0 && i > first - 4; i--) { said = line[i] " " said }
				for (i = at; said !~ /mutant: / && i <= last; i++) { said = said " " line[i] }
			}
			sub(/.*mutant: /, "", said)
			sub(/ *[*]\/.*/, "", said)
			gsub(/[ \t]+[*]?[ \t]+/, " ", said)
			print said
		}' "$(source_of "$1")"
}

# Compiles the one file anew and links the harness with it, before the archive that has it too, by the commands of the build.
plant() { # FOLDER MUTANT HARNESS PROGRAM
	local object compile link
	object=$(source_of "$2").o
	case $object in src/cli/*) object=CMakeFiles/uvet_command.dir/$object ;; *) object=CMakeFiles/uvet_objects.dir/$object ;; esac
	compile=$(ninja -C "$1" -t commands "$object" | tail -n 1)
	link=$(ninja -C "$1" -t commands "fuzz/fuzz_$3" | tail -n 1)
	compile=${compile/-o $object/-DUVET_MUTANT=$2 -o $4.o}
	link=${link/-o fuzz\/fuzz_$3 /$4.o -o $4 }
	(cd "$1" && eval "$compile" && eval "$link") >"$work/$2.build" 2>&1 || { cat "$work/$2.build" >&2; exit 1; }
	rm -f "$4.o"
}

# What the log says of the end: a broken promise, or what a sanitizer saw.
found_by() {
	local words
	words=$(sed -n -E 's/.*broken promise: (.*)/oracle: \1/p; s/.*ERROR: AddressSanitizer: ([a-zA-Z-]+).*/AddressSanitizer: \1/p;
		s/.*: Assertion .*&& "(.*)".*/assertion: \1/p; s/.*runtime error: (.*)/UndefinedBehaviorSanitizer: \1/p; s/.*ERROR: LeakSanitizer.*/LeakSanitizer/p;
		s/.*ERROR: libFuzzer: (timeout|out-of-memory).*/libFuzzer: \1/p' "$1" | head -n 1)
	echo "${words:-nothing}"
}

# Runs a planted harness over its inputs; sets cpu and by.
run() { # MUTANT HARNESS PROGRAM ARGUMENTS
	local TIMEFORMAT='%U %S' n=$1 h=$2 program=$3
	local -a folders
	shift 3
	mapfile -t folders < <(inputs "$h")
	mkdir -p "$work/$n.files"
	{ time { (
		ulimit -t "$budget"
		TMPDIR=$work/$n.files exec "$program" "$@" "${folders[@]}" >"$work/$n.log" 2>&1
	) || true; }; } 2>"$work/time"
	cpu=$(awk 'NF == 2 { printf "%.1f", $1 + $2 }' "$work/time")
	by=$(found_by "$work/$n.log")
	rm -rf "$work/$n.files"
}

# Without sanitizers, which make a replay with all oracles slow: what they alone see the fuzzer has seen as it began.
replay() { # MUTANT HARNESS
	if [ -z "$prepared" ]; then
		cmake --preset fuzz -B "$plain" -DUVET_SANITIZE= -DUVET_FUZZ_ENGINE= >/dev/null
		cmake --build "$plain" --target fuzz/all >/dev/null
		prepared=yes
	fi
	plant "$plain" "$1" "$2" "$work/$1.replay"
	run "$1" "$2" "$work/$1.replay"
	rm -f "$work/$1.replay"
}

search() { # MUTANT HARNESS PROGRAM ARGUMENTS
	local n=$1 h=$2 program=$3 scratch seed sum=0 budget=$((budget / 3))
	shift 3
	for seed in 1 2 3; do
		scratch=$([ -w /dev/shm ] && mktemp -d /dev/shm/uvet-mutant-XXXXXX || mktemp -d "$work/scratch-XXXXXX")
		run "$n" "$h" "$program" "$scratch" "$@" -seed="$seed" -max_len="$(max_len "$h")"
		rm -rf "$scratch"
		sum=$(awk -v a="$sum" -v b="$cpu" 'BEGIN { printf "%.1f", a + b }')
		[ "$by" = nothing ] || break
	done
	cpu=$sum
}

# Inputs are replayed whole.
hunt() { # MUTANT HARNESS: sets cpu, by and how
	local program=$work/$1.fuzz
	local -a how_to=(-seed=1 -dict=fuzz/dict/uvet.dict -entropic=0 -timeout=25 -artifact_prefix="$work/$1.files/")
	how=seed
	plant "$build" "$1" "$2" "$program"
	run "$1" "$2" "$program" "${how_to[@]}" -runs=0 -max_len=4194304
	[ "$by" = nothing ] && [ "${UVET_MUTANT_REPLAY:-}" != no ] && replay "$1" "$2"
	if [ "$by" = nothing ]; then
		how=search
		search "$1" "$2" "$program" "${how_to[@]}"
	fi
	rm -f "$program"
}

# The rows of a table, but for those of these mutants.
other_rows() { # TABLE MUTANTS
	local file=$1
	shift
	awk -F '\t' -v gone=" $* " 'NR > 1 && !index(gone, " " $1 " ")' "$file"
}

summary() { # TABLE
	awk -F '\t' 'NR > 1 { n++; how[$5]++; if ($4 == "nothing") lost++; if ($5 == "search") { sum += $6; if ($6 > most) most = $6 } }
		END { printf "mutants: %d, %d found by seeds or corpus, %d by the search (%d s of CPU time on average, %d at most), %d survive\n",
			n, how["seed"], how["search"] - lost, how["search"] ? sum / how["search"] : 0, most, lost }' "$1"
}

mkdir -p "$work"
cmake --preset fuzz -B "$build" >/dev/null
cmake --build "$build" --target fuzz/all >/dev/null
rm -rf "$work/seeds"
python3 fuzz/seeds.py "$work/seeds"
table=$work/table rows=$work/rows
: >"$rows"
survivors=0
for n in ${*:-$(all_mutants)}; do
	h=$(harness_of "$n")
	[ -n "$h" ] || { echo "mutant $n has no row in fuzz/mutants/MUTANTS.tsv" >&2; exit 1; }
	hunt "$n" "$h"
	[ "$by" = nothing ] && survivors=$((survivors + 1))
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$n" "$(what_is "$n")" "$h" "$by" "$how" "$cpu" | tee -a "$rows"
done
printf 'mutant\twhat\tharness\tfound by\thow\tcpu seconds\n' >"$table"
{ [ $# -gt 0 ] && other_rows fuzz/mutants/MUTANTS.tsv "$@"; cat "$rows"; } | sort -n >>"$table"
[ "${UVET_MUTANT_TABLE:-}" = keep ] || cp "$table" fuzz/mutants/MUTANTS.tsv
summary "$table"
[ "$survivors" -eq 0 ] || { echo "$survivors mutants survive" >&2; exit 1; }
