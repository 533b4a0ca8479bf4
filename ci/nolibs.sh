#!/usr/bin/env bash
# The build without any library but zlib: every vector and every real file is judged as by the full build, or is undetermined for want of one.
set -euo pipefail
cd "$(dirname "$0")/.."
data=${UVET_REAL_DATA:-../shared/data}

cmake --preset nolibs >/dev/null
cmake --build build/nolibs
[ -x build/release/uvet ] || { cmake --preset release >/dev/null && cmake --build build/release; }
said=$(python3 conformance/builds.py build/release/uvet build/nolibs/uvet) || { echo "$said"; exit 1; }
if [ -d "$data" ]; then
	data=$(cd "$data" && pwd -P)
	# Files beside a container are read with it.
	find "$data" -type f ! -name '*.ucas' ! -name '*.pak' -print0 >build/nolibs/real
	real=$(python3 conformance/builds.py build/release/uvet build/nolibs/uvet --list build/nolibs/real) || { echo "$real"; exit 1; }
	said="$said; real files, ${real#builds: }"
fi
echo "nolibs: ${said#builds: }"
