#!/usr/bin/env bash
# Canaries: builds each planted bug, hunts it with libFuzzer from the vectors, and writes fuzz/CANARIES.tsv.
#
#     fuzz/canaries.sh            all of them; fails if one survives
#     fuzz/canaries.sh 3 7        these only; the table is left alone
#
# A hunt has one seed of chance and at most 300 seconds of CPU time.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$PWD/build/fuzz
work=$PWD/build/fuzz-work/canaries
budget=${UVET_CANARY_SECONDS:-300}
export ASAN_OPTIONS=quarantine_size_mb=8:detect_stack_use_after_return=0

# Which harness hunts which canary; the others are the format's.
harness_of() {
	case $1 in
		1) echo layout ;;
		2 | 3 | 4 | 5) echo path ;;
		6) echo order ;;
		11 | 14) echo manifest ;;
		23) echo options ;;
		24 | 25) echo report ;;
		4[0-6]) echo uzcodec ;;
		4[7-9] | 5[0-4]) echo uz ;;
		5[5-9] | 6[0-6] | 7[6-9] | 8[0-3]) echo upkg ;;
		6[7-9] | 7[0-5]) echo bytecode ;;
		8[5-9] | 9[0-4]) echo conthdr ;;
		9[5-9] | 10[0-4]) echo dirindex ;;
		105 | 11[1-9] | 131) echo utoc ;;
		12[0-9] | 130 | 19?) echo container ;;
		16? | 17[01] | 18?) echo codecs ;;
		*) echo umod ;;
	esac
}

max_len() {
	case $1 in
		path) echo 300 ;;
		layout) echo 400 ;;
		order) echo 384 ;;
		options) echo 512 ;;
		umod) echo 8192 ;;
		bytecode | conthdr) echo 2048 ;;
		dirindex) echo 4608 ;;
		uz) echo 8192 ;;
		*) echo 4096 ;;
	esac
}

all_canaries() {
	grep -rhoE 'CANARY\([0-9]+\)' src | grep -oE '[0-9]+' | sort -nu
}

source_of() {
	grep -rlE "CANARY\($1\)" --include='*.c' src | head -n 1
}

what_is() {
	grep -hE "CANARY\($1\)" "$(source_of "$1")" | sed -E 's/.*canary: ([^*]*[^* ]) *\*\/.*/\1/' | head -n 1
}

# Compiles the one file anew and links the harness with it, before the archive that has it too, by the commands of the build.
plant() { # CANARY HARNESS
	local object compile link
	object=CMakeFiles/uvet_objects.dir/$(source_of "$1").o
	compile=$(ninja -C "$build" -t commands "$object" | tail -n 1)
	link=$(ninja -C "$build" -t commands "fuzz/fuzz_$2" | tail -n 1)
	compile=${compile/-o $object/-DUVET_CANARY=$1 -o $work/$1.o}
	link=${link/-o fuzz\/fuzz_$2 /$work/$1.o -o $work/$1.fuzz }
	(cd "$build" && eval "$compile" && eval "$link") >"$work/$1.build" 2>&1
}

# What the log says of the end: a broken promise, or what a sanitizer saw.
found_by() {
	local words
	words=$(sed -n -E 's/.*broken promise: (.*)/oracle: \1/p; s/.*ERROR: AddressSanitizer: ([a-zA-Z-]+).*/AddressSanitizer: \1/p;
		s/.*runtime error: (.*)/UndefinedBehaviorSanitizer: \1/p; s/.*ERROR: LeakSanitizer.*/LeakSanitizer/p;
		s/.*ERROR: libFuzzer: (timeout|out-of-memory).*/libFuzzer: \1/p' "$1" | head -n 1)
	echo "${words:-nothing}"
}

hunt() { # CANARY HARNESS: sets cpu and by
	local TIMEFORMAT='%U %S' scratch=$work/$1.scratch
	local -a seeds=("$work/seeds/$2")
	rm -rf "$scratch"
	mkdir -p "$scratch"
	{ time { (
		ulimit -t $budget
		exec "$work/$1.fuzz" "$scratch" "${seeds[@]}" -seed=1 -max_len="$(max_len "$2")" -dict=fuzz/dict/umod.dict -entropic=0 -timeout=25 \
			-artifact_prefix="$scratch/" >"$work/$1.log" 2>&1
	) || true; }; } 2>"$work/time"
	cpu=$(awk 'NF == 2 { printf "%.1f", $1 + $2 }' "$work/time")
	by=$(found_by "$work/$1.log")
	rm -rf "$scratch"
}

mkdir -p "$work"
cmake --preset fuzz -B "$build" >/dev/null
cmake --build "$build" --target fuzz/all >/dev/null
rm -rf "$work/seeds"
python3 fuzz/seeds.py "$work/seeds"
table=$work/table
printf 'canary\twhat\tharness\tfound by\tcpu seconds\n' >"$table"
survivors=0
for n in ${*:-$(all_canaries)}; do
	h=$(harness_of "$n")
	plant "$n" "$h" || { cat "$work/$n.build" >&2; exit 1; }
	hunt "$n" "$h"
	[ "$by" = nothing ] && survivors=$((survivors + 1))
	printf '%s\t%s\t%s\t%s\t%s\n' "$n" "$(what_is "$n")" "$h" "$by" "$cpu" | tee -a "$table"
	rm -f "$work/$n.fuzz" "$work/$n.o"
done
[ $# -eq 0 ] && cp "$table" fuzz/CANARIES.tsv
[ "$survivors" -eq 0 ] || { echo "$survivors canaries survive" >&2; exit 1; }
