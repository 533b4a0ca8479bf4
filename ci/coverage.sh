#!/usr/bin/env bash
# Measures coverage with clang 19, and fails unless everything below src is covered to the last line and branch, but for what
# ci/coverage_exclusions.txt explains. What this system does not compile is not measured: src/platform/windows_*.c, which
# ci/windows.sh builds and runs. MC/DC is printed.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/coverage
profiles=$PWD/$build/profiles

# Only our own code for the CRC can be measured, so ISA-L is off.
cmake --preset coverage -DUVET_ISAL=OFF >/dev/null
cmake --build $build
rm -rf $profiles
mkdir -p $profiles

# Counters are not locked, which would take an hour. So each process runs on one processor: threads that take turns lose no count.
n_processors=$(nproc)
on_each() { # COMMAND...: on each processor, with its number from 1 on behind it
	local i status=0
	local -a running=()
	for ((i = 1; i <= n_processors; i++)); do
		taskset -c $((i - 1)) bash -c '"$@"' - "$@" "$i" &
		running+=($!)
	done
	for i in "${running[@]}"; do
		wait "$i" || status=$?
	done
	return "$status"
}

run_tests() { # PROCESSOR: every n-th test
	ctest --test-dir $build -j 1 --output-on-failure -E '^(real|install|symbols|seeds)$' -FA '.*' -I "$1,,$n_processors"
}

run_harnesses() { # PROCESSOR: every n-th harness
	local harness name inputs i=0 status=0
	local -a folders
	for harness in "$build"/fuzz/fuzz_*; do
		[ -x "$harness" ] && [ -f "$harness" ] && [ $((i++ % n_processors)) -eq $(($1 - 1)) ] || continue
		name=$(basename "$harness")
		folders=("corpus/${name#fuzz_}" "corpus/regress/${name#fuzz_}")
		export LLVM_PROFILE_FILE=$profiles/$name-%4m.profraw       # as for tests (tests/CMakeLists.txt)
		# The corpora of containers are left out: an input takes half a second here, and the vectors cover the same code.
		[[ " $containers " != *" ${name#fuzz_} "* ]] || folders=("${folders[1]}")
		for inputs in "${folders[@]}"; do
			if [ -d "$inputs" ]; then
				find "$inputs" -type f -print0 | xargs -0 -r -n 32 "$harness" >/dev/null || status=$?
			fi
		done
	done
	return "$status"
}

. fuzz/harnesses.sh
containers=$(harnesses_of utoc)
export build profiles containers n_processors
export -f run_tests run_harnesses
status=0
ctest --test-dir $build -R '^seeds$' || status=$?
on_each run_tests || status=$?
on_each run_harnesses || status=$?
unset LLVM_PROFILE_FILE

llvm-profdata-19 merge -sparse $profiles/*.profraw -o $build/all.profdata
programs=($build/uvet)
for program in $build/tests/test_* $build/tests/sweep_* $build/tests/faultcheck $build/fuzz/fuzz_*; do
	if [ -x "$program" ] && [ -f "$program" ]; then
		programs+=(-object "$program")
	fi
done
llvm-cov-19 export -format=lcov -instr-profile=$build/all.profdata "${programs[@]}" >$build/all.lcov &
lcov=$!
llvm-cov-19 export -format=text -instr-profile=$build/all.profdata "${programs[@]}" >$build/all.json
wait $lcov
python3 ci/coverage.py $build/all.lcov $build/all.json ci/coverage_exclusions.txt || status=$?
exit $status
