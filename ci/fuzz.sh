#!/usr/bin/env bash
# Fuzzing: every harness for a while, one for longer, or all known inputs once more.
#
#     ci/fuzz.sh smoke [SECONDS]                      all harnesses with libFuzzer and with AFL++, 90 seconds in all, on as many processors as
#                                                     there are
#     ci/fuzz.sh afl [SECONDS]                        all harnesses with AFL++, 180 seconds in all
#     ci/fuzz.sh run HARNESS SECONDS [libfuzzer|afl]  one harness; adds a line to fuzz/LEDGER.tsv
#     ci/fuzz.sh replay [BUILD]                       seeds, corpus and regress files, with every oracle, in that build
#     ci/fuzz.sh merge HARNESS                        adds to the corpus what the last run found and the seeds do not reach
#     ci/fuzz.sh dict                                 says whether the dictionary is stale
#     ci/fuzz.sh reach                                says whether the seeds of fuzz_api enter every public function
#
# Harnesses: fuzz/harnesses.def.
# Crashes are left in build/fuzz-work/crashes.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/fuzz
work=build/fuzz-work
total=0
export ASAN_OPTIONS=quarantine_size_mb=8:detect_stack_use_after_return=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1

. fuzz/harnesses.sh

fail() {
	echo "fuzz: $*" >&2
	exit 1
}

# The sources may have changed since the last build; if not, building again costs nothing.
configure() { # PRESET FOLDER [ARGUMENTS]
	local preset=$1 folder=$2
	shift 2
	cmake --preset "$preset" -B "$folder" "$@" >"$work/configure.log" 2>&1 || { cat "$work/configure.log" >&2; fail "cannot configure $folder"; }
}

compile() { # FOLDER TARGETS
	local folder=$1
	shift
	cmake --build "$folder" --target "$@" >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log" >&2; fail "cannot build $*"; }
}

seeds() {
	rm -rf "$work/seeds"
	python3 fuzz/seeds.py "$work/seeds"
}

number() { # NAME FILE: a number that the engine prints at its end
	awk -v name="$1" '$1 == name { print $2 }' "$2" | tail -n 1
}

show_crashes() { # FOLDER HARNESS
	local file
	for file in "$1"/*; do
		[ -f "$file" ] && [ "${file##*/}" != README.txt ] || continue      # AFL++ writes that one
		echo "crash of fuzz_$2: $file; again: UVET_FUZZ_THOROUGH=1 $build/fuzz/fuzz_$2 $file"
		echo "its bytes, base64 of gzip:"
		gzip -9 <"$file" | base64 | head -n 40     # with the error after it, ci/check shows all of this
	done
	return 0
}

# Prints a crash in one piece, whatever other harnesses print at the same time, and keeps it for the end.
found() {
	flock "$work/found" tee -a "$work/found"
}

# The folder that libFuzzer writes to. It keeps thousands of small files a minute: in memory where there is such a folder.
scratch_of() { # HARNESS
	if [ -w /dev/shm ]; then
		mktemp -d "/dev/shm/uvet-fuzz-$1-XXXXXX"
	else
		mkdir -p "$work/scratch-$1"
		echo "$work/scratch-$1"
	fi
}

# The folder of files that a harness writes for checks by their paths; those of a run that ended early go with it.
start_files() {
	TMPDIR=$([ -w /dev/shm ] && mktemp -d /dev/shm/uvet-files-XXXXXX || mktemp -d "$PWD/$work/files-XXXXXX")
	export TMPDIR
}

end_files() {
	rm -rf "$TMPDIR"
	unset TMPDIR
}

# Runs libFuzzer and leaves its log in $work/HARNESS.log, new inputs in $work/HARNESS, crashes in $work/crashes/HARNESS.
libfuzzer() { # HARNESS SECONDS
	local h=$1 crashes=$work/crashes/$1 status=0 scratch
	local -a folders
	rm -rf "${work:?}/$1" "$crashes"
	mkdir -p "$crashes"
	scratch=$(scratch_of "$1")
	mapfile -t folders < <(inputs "$h")
	start_files
	"$build/fuzz/fuzz_$h" "$scratch" "${folders[@]}" -max_total_time="$2" -max_len="$(max_len "$h")" -dict=fuzz/dict/uvet.dict \
		-entropic=0 -timeout=25 -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix="$crashes/" >"$work/$h.log" 2>&1 || status=$?
	end_files
	mv "$scratch" "$work/$1"
	echo "fuzz_$h: $(number stat::number_of_executed_units: "$work/$h.log") executions, $(number stat::average_exec_per_sec: "$work/$h.log") a second, $(edges "$h") edges"
	[ "$status" -eq 0 ] && return
	{
		show_crashes "$crashes" "$h"
		grep -m 3 -A 1 -E 'broken promise|ERROR|runtime error' "$work/$h.log" || tail -n 5 "$work/$h.log"
	} | found
	return 1
}

edges() { # HARNESS, of libFuzzer's last line
	grep -oE 'cov: [0-9]+' "$work/$1.log" | tail -n 1 | cut -d ' ' -f 2
}

# Mutators are the same for both engines: nobody instruments them.
build_afl() { # TARGET
	command -v afl-clang-fast >/dev/null || fail "AFL++ is not installed: ci/install.sh all"
	configure afl build/afl
	compile build/afl "$1"
	configure fuzz $build
	compile $build mutate_afl
}

# AFL++ takes one folder of inputs.
afl() { # HARNESS SECONDS
	local h=$1 in=$work/afl-in/$1 out=$work/afl-out/$1 folder n
	rm -rf "$in" "$out"
	mkdir -p "$in" "$work/afl-out"
	inputs "$h" | while read -r folder; do
		find "$folder" -type f ! -name '*.txt' -size -17 -exec cp {} "$in" \;
	done
	export AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/$build/fuzz/libmutate_afl.so UVET_FUZZ_HARNESS=$h
	UVET_FUZZ_MAX=$(max_len "$h")
	export UVET_FUZZ_MAX
	start_files
	env -u ASAN_OPTIONS -u UBSAN_OPTIONS AFL_FAST_CAL=1 afl-fuzz -m none -V "$2" -x fuzz/dict/uvet.dict -i "$in" -o "$out" -- "build/afl/fuzz/fuzz_$h" >"$work/afl-$h.log" 2>&1 ||
		{ end_files; tail -n 20 "$work/afl-$h.log" >&2; return 1; }
	end_files
	n=$(afl_number saved_crashes "$h")
	echo "fuzz_$h with AFL++: $(afl_number execs_done "$h") executions, $(afl_number execs_per_sec "$h") a second, $(afl_number edges_found "$h") edges"
	[ "$n" -eq 0 ] && return
	show_crashes "$out/default/crashes" "$h" | found
	return 1
}

afl_number() { # NAME HARNESS
	awk -v name="$1" '$1 == name { print $3 }' "$work/afl-out/$2/default/fuzzer_stats"
}

# The time that a command's processes took, in seconds, in $cpu. Runs side by side have a file each.
timed() {
	local status=0 TIMEFORMAT='%U %S' file=$work/time-$$
	{ time { "$@" >&3 2>&4 || status=$?; }; } 3>&1 4>&2 2>"$file"
	cpu=$(awk '{ printf "%d", $1 + $2 }' "$file")
	rm -f "$file"
	return "$status"
}

commit() {
	local id
	id=$(git rev-parse --short=12 HEAD 2>/dev/null || echo none)
	git diff --quiet HEAD -- src fuzz 2>/dev/null || id=$id+
	echo "$id"
}

add_to_ledger() { # HARNESS ENGINE SANITIZER EXECUTIONS EDGES FINDINGS
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$(commit)" "$1" "$2" "$3" "$cpu" "$4" "$5" "$6" >>fuzz/LEDGER.tsv
}

do_run() { # HARNESS SECONDS ENGINE
	local status=0
	seeds
	if [ "$3" = afl ]; then
		build_afl "fuzz_$1"
		timed afl "$1" "$2" || status=1
		add_to_ledger "$1" afl none "$(afl_number execs_done "$1")" "$(afl_number edges_found "$1")" "$(afl_number saved_crashes "$1")"
	else
		configure fuzz $build
		compile $build "fuzz_$1"
		timed libfuzzer "$1" "$2" || status=1
		add_to_ledger "$1" libfuzzer address,undefined "$(number stat::number_of_executed_units: "$work/$1.log")" "$(edges "$1")" \
			"$(find "$work/crashes/$1" -type f | wc -l)"
	fi
	return "$status"
}

do_dict() {
	compile $build make_dict
	$build/fuzz/make_dict | cmp -s - fuzz/dict/uvet.dict || fail "fuzz/dict/uvet.dict is stale: $build/fuzz/make_dict > fuzz/dict/uvet.dict"
}

# Asks the counters of the code itself: a harness may have a call that no input reaches.
do_reach() {
	local -a folders
	mapfile -t folders < <(inputs api)
	compile $build fuzz_api
	start_files
	"$build/fuzz/fuzz_api" "${folders[@]}" -runs=0 -max_len=65536 -print_coverage=1 >"$work/reach.log" 2>&1 ||
		{ end_files; tail -n 20 "$work/reach.log" >&2; fail "the seeds of fuzz_api"; }
	end_files
	python3 ci/harness_reach.py "$work/reach.log" || fail "the seeds of fuzz_api do not reach everything"
}

# Fuzzers have one thread each: as many run side by side as there are processors. Waits for a place among them.
await_place() {
	while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
		wait -n || true
	done
}

# Runs a fuzzer with every harness, each for its share of that time on one processor; running jobs are waited for too, if they are given.
all_of() { # libfuzzer|afl SECONDS [JOB...]
	local engine=$1 time=$2 h len share seconds job n status=0
	shift 2
	local -a running=("$@")
	while read -r h len share; do
		seconds=$((time * share / 100))
		await_place
		"$engine" "$h" $((seconds > 0 ? seconds : 1)) </dev/null &
		running+=($!)
	done <<<"$harnesses"
	for job in "${running[@]}"; do
		wait "$job" || status=1
	done
	while read -r h len share; do
		case $engine in
			afl) n=$(afl_number execs_done "$h") ;;
			*) n=$(number stat::number_of_executed_units: "$work/$h.log") ;;
		esac
		total=$((total + ${n:-0}))
	done <<<"$harnesses"
	return "$status"
}

do_afl() { # SECONDS
	seeds
	: >"$work/found"
	build_afl fuzz/all
	all_of afl "$1" || { cat "$work/found"; fail "something was found"; }
	echo "fuzz: $(wc -l <<<"$harnesses") harnesses with AFL++, $total executions, nothing found"
}

# Everything that a run could have written to; none of it may change.
tree_state() {
	git status --porcelain -uall -- fuzz corpus conformance 2>/dev/null || true
}

do_smoke() { # SECONDS
	local h len share status=0 before rest=100
	before=$(tree_state)
	seeds
	configure fuzz $build
	compile $build fuzz/all
	do_dict
	do_reach
	: >"$work/found"
	# A memory error, one that only an oracle sees, one in what is written, and one in code of packages.
	UVET_MUTANT_TABLE=keep UVET_MUTANT_REPLAY=no fuzz/mutants/run.sh 13 19 24 67 &
	all_of libfuzzer "$1" $! || status=1
	while read -r h len share; do
		rest=$((rest - share))
	done <<<"$harnesses"
	build_afl fuzz/all
	all_of afl $(($1 * rest / 100)) || status=1
	[ "$before" = "$(tree_state)" ] || fail "the run changed the tree"
	if [ "$status" -ne 0 ]; then
		cat "$work/found"
		fail "something was found"
	fi
	echo "fuzz: $(wc -l <<<"$harnesses") harnesses, $total executions, nothing found"
}

do_replay() { # BUILD
	local h len share said
	local -a folders
	[ -f "$1/CMakeCache.txt" ] || configure fuzz "$1" -DUVET_FUZZ_ENGINE=
	compile "$1" fuzz/all
	seeds
	while read -r h len share; do
		mapfile -t folders < <(inputs "$h")
		said=$(UVET_FUZZ_THOROUGH=1 "$1/fuzz/fuzz_$h" "${folders[@]}") || fail "fuzz_$h"
		echo "fuzz_$h: $said"
	done <<<"$harnesses"
}

do_merge() { # HARNESS
	local fresh=$work/merged file
	seeds
	rm -rf "$fresh"
	mkdir -p "$fresh" "corpus/$1"
	cp -r "$work/seeds/$1/." "$fresh"
	"$build/fuzz/fuzz_$1" -set_cover_merge=1 -use_counters=0 -max_len="$(max_len "$1")" "$fresh" "corpus/$1" "$work/$1" >"$work/merge.log" 2>&1
	for file in "$fresh"/*; do
		[ -e "$work/seeds/$1/${file##*/}" ] || cp "$file" "corpus/$1/"
	done
	echo "corpus/$1: $(find "corpus/$1" -type f | wc -l) files"
}

mkdir -p "$work"
case ${1:-smoke} in
	smoke) do_smoke "${2:-90}" ;;
	afl) do_afl "${2:-180}" ;;
	run) do_run "${2:?harness}" "${3:?seconds}" "${4:-libfuzzer}" ;;
	replay) do_replay "${2:-build/replay}" ;;
	merge) do_merge "${2:?harness}" ;;
	dict) configure fuzz $build; do_dict ;;
	reach) seeds; configure fuzz $build; do_reach ;;
	*) fail "smoke, afl, run, replay, merge, dict or reach" ;;
esac
