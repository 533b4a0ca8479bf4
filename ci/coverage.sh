#!/usr/bin/env bash
# Measures coverage with clang 19, and fails unless everything below src is covered to the last line and branch, but for what
# ci/coverage_exclusions.txt explains. What this system does not compile is not measured: src/platform/windows_*.c, which
# ci/windows.sh builds and runs. MC/DC is printed.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/coverage
profiles=$build/profiles

# Only our own code for the CRC can be measured, so ISA-L is off.
cmake --preset coverage -DUVET_ISAL=OFF >/dev/null
cmake --build $build
rm -rf $profiles
mkdir -p $profiles

# All processes of a program add to the same four files (%4m). Unit tests have files of their own.
status=0
export LLVM_PROFILE_FILE=$PWD/$profiles/unit-%4m.profraw
ctest --test-dir $build -j "$(nproc)" --output-on-failure -R '^unit[.]' || status=$?
export LLVM_PROFILE_FILE=$PWD/$profiles/%4m.profraw
ctest --test-dir $build -j "$(nproc)" --output-on-failure -E '^(unit[.].*|real|install|symbols)$' || status=$?
. fuzz/harnesses.sh
containers=$(harnesses_of utoc)
# The corpora of containers are left out: an input takes half a second here, and the vectors cover the same code.
for harness in "$build"/fuzz/fuzz_*; do
	[ -x "$harness" ] && [ -f "$harness" ] || continue
	name=$(basename "$harness")
	folders=("corpus/${name#fuzz_}" "corpus/regress/${name#fuzz_}")
	export LLVM_PROFILE_FILE=$PWD/$profiles/$name-%4m.profraw       # the digest of %m was the same for two of them
	[[ " $containers " != *" ${name#fuzz_} "* ]] || folders=("${folders[1]}")
	for inputs in "${folders[@]}"; do
		if [ -d "$inputs" ]; then
			find "$inputs" -type f -print0 | xargs -0 -r -n 32 -P "$(nproc)" "$harness" >/dev/null || status=$?
		fi
	done
done
unset LLVM_PROFILE_FILE

objects() { # PROGRAM...
	local program
	for program in "$@"; do
		if [ -x "$program" ] && [ -f "$program" ]; then
			echo -object
			echo "$program"
		fi
	done
}

# The lines and branches of a profile, as NAME.lcov and NAME.json.
show() { # NAME PROFILES PROGRAMS
	local name=$1 lcov
	local -n raw=$2 programs=$3
	llvm-profdata-19 merge -sparse "${raw[@]}" -o $build/"$name".profdata
	llvm-cov-19 export -format=lcov -instr-profile=$build/"$name".profdata "${programs[@]}" >$build/"$name".lcov &
	lcov=$!
	llvm-cov-19 export -format=text -instr-profile=$build/"$name".profdata "${programs[@]}" >$build/"$name".json
	wait $lcov
}

all=($profiles/*.profraw) units=($profiles/unit-*.profraw)
mapfile -t programs < <(objects $build/uvet $build/tests/test_* $build/tests/sweep_* $build/tests/faultcheck $build/fuzz/fuzz_*)
mapfile -t tests < <(objects $build/tests/test_*)
show all all programs
show unit units tests
python3 ci/coverage.py ci/coverage_exclusions.txt $build/all.lcov $build/all.json $build/unit.lcov $build/unit.json || status=$?
exit $status
