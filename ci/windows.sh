#!/usr/bin/env bash
# Cross-compiles for Windows without warnings, and runs the good and the broken sample under wine: the reports are those of Linux.
set -eu
cd "$(dirname "$0")/.."
cmake -S . -B build/windows -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release -DUVET_TESTS=OFF >/dev/null
cmake --build build/windows
[ -x build/release/uvet ] || { cmake --preset release && cmake --build build/release; } >/dev/null

samples=build/windows/samples
mkdir -p $samples
python3 conformance/assemble.py --all conformance/vectors -o $samples
export WINEDEBUG=-all WINEPREFIX=$PWD/build/windows/wine
wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)

cd $samples
n=0
# The build for Windows lacks the codecs of containers: of those the tables are judged, and the files beside them are opened.
for f in umod/good_*/* umod/UMD0*/* upkg/good_*/* upkg/HDR0*/* iostore/good_*/*.utoc iostore/SET00*/*.utoc; do
	[ "$(stat -c %s "$f")" -lt 1000000 ] || continue        # gigabytes through an emulated disk prove nothing new
	[ $((n % 8)) -eq 0 ] || { n=$((n + 1)); continue; }
	case $f in *.utoc) level=structure ;; *) level=default ;; esac
	set +e
	"$OLDPWD/build/release/uvet" check --level $level -f json "$f" >linux.json; linux=$?
	"$wine" "$OLDPWD/build/windows/uvet.exe" check --level $level -f json "$f" >windows.json; windows=$?
	set -e
	[ $linux -eq $windows ] || { echo "windows: $f: exit $windows, expected $linux" >&2; exit 1; }
	cmp linux.json windows.json || { diff linux.json windows.json | cut -c 1-2000; echo "windows: $f: another report" >&2; exit 1; }
	n=$((n + 1))
done
n=$(((n + 7) / 8))
[ $n -ge 2 ] || { echo "windows: no samples" >&2; exit 1; }
set +e
"$wine" "$OLDPWD/build/windows/uvet.exe" check missing.umod >/dev/null; [ $? -eq 2 ] || { echo "windows: a missing file should give 2" >&2; exit 1; }
"$wine" "$OLDPWD/build/windows/uvet.exe" check --nonsense >/dev/null 2>&1; [ $? -eq 3 ] || { echo "windows: bad usage should give 3" >&2; exit 1; }
echo "windows: compiled without warnings, $n samples give the same report and exit code under wine"
