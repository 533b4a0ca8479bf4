#!/usr/bin/env bash
# The build without any library but zlib: its short tests pass or are left out by name, the vectors are judged as they say or are undetermined for
# want of a library, and so is every vector and every real file as by the full build.
set -euo pipefail
cd "$(dirname "$0")/.."
data=${UVET_REAL_DATA:-../shared/data}

cmake --preset nolibs >/dev/null
cmake --build build/nolibs --target uvet_quick
# Those that take longest try memory, writes and limits, and are the same with all libraries.
ctest --no-tests=error --test-dir build/nolibs -j "$(nproc)" -R '^(unit|cli)[.]' -E 'test_cli_(memory|faults)$|unit[.](manifest_limits|report_writer)$'
skips=$(python3 ci/skips.py build/nolibs) || { echo "$skips"; exit 1; }
echo "$skips"
python3 conformance/run.py build/nolibs/uvet --faultcheck build/nolibs/tests/faultcheck --no-schema
[ -x build/release/uvet ] || { cmake --preset release >/dev/null && cmake --build build/release; }
# The target of a link is in the bytes of its member, which this build does not decode.
said=$(python3 conformance/builds.py build/release/uvet build/nolibs/uvet --but zip/ARC047_member_link_bzip2) || { echo "$said"; exit 1; }
if [ -d "$data" ]; then
	data=$(cd "$data" && pwd -P)
	# Files beside a container are read with it.
	find "$data" -type f ! -name '*.ucas' ! -name '*.pak' -print0 >build/nolibs/real
	real=$(python3 conformance/builds.py build/release/uvet build/nolibs/uvet --list build/nolibs/real) || { echo "$real"; exit 1; }
	said="$said; real files, ${real#builds: }"
fi
echo "nolibs: ${said#builds: }; $(echo "${skips#skips: }" | sed 's/;.*//')"
