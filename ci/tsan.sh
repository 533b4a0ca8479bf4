#!/usr/bin/env bash
# The thread sanitizer over the unit tests, over containers with several threads in each, and over all vectors as the inputs of several jobs.
#
#     ci/tsan.sh          a third of the containers among the vectors, and not the tests of reports, which one thread writes
#     ci/tsan.sh rest     the other two thirds, and those tests; together they take minutes more
set -euo pipefail
cd "$(dirname "$0")/.."
here=build/tsan
export TSAN_OPTIONS=halt_on_error=1:exitcode=66:suppressions=$PWD/ci/tsan_suppressions.txt

cmake --preset tsan
cmake --build $here --target uvet_quick
# Manifests are read by one thread, and their tests take longer than all the others.
reports='^unit[.](report_writer|writers)$'
case "${1:-}" in
rest) chosen="NR % 3 != 0" tests=(-R "$reports|^seeds\$") ;;
*) chosen="NR % 3 == 0" tests=(-R '^unit[.]|^seeds$' -E "^unit[.]manifest|$reports") ;;
esac
ctest --no-tests=error --preset tsan "${tests[@]}"

seeds=$here/tests/seeds
list=$here/inputs
failed=0
run() { # WHAT COMMAND...: its report may say anything, but not that it failed
	local what=$1 status=0 errors
	shift
	errors=$("$@" 2>&1 >/dev/null) || status=$?
	[ "$status" -le 2 ] && return
	printf '%s\n' "tsan: $what: exit $status" "$(head -n 40 <<<"$errors")"
	return 1
}
export -f run
export here

# Each container by itself: its threads share its blocks. As many at once as there are processors: threads that wait meet more often.
cut -f 2 "$seeds/list.txt" | grep '[.]utoc$' | awk "$chosen" | tr '\n' '\0' >$list
n=$(tr -cd '\0' <$list | wc -c)
[ "$n" -gt 0 ] || { echo "tsan: no container among the vectors"; exit 1; }
xargs -0 -P "$(nproc)" -n 1 bash -c 'run "$0" "$here"/uvet check -j 4 -f json "$0"' <$list || failed=1

# All vectors: the jobs share the engine and the outputs.
cut -f 2 "$seeds/list.txt" | tr '\n' '\0' >$list
run "all vectors with four jobs" $here/uvet check -j 4 --files0-from $list -f json -f "sarif=$here/report.sarif" || failed=1
# With so little memory that many checks are made again by themselves. A report as one JSON document keeps all findings to its end, which
# takes more than that for all vectors; one in lines keeps none.
run "all vectors with four jobs and little memory" $here/uvet check -j 4 --max-memory 4M --files0-from $list -f ndjson || failed=1

[ "$failed" -eq 0 ] || exit 1
echo "tsan: unit tests and $((n + 2)) runs with four threads, no race"
