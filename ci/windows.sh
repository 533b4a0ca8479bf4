#!/usr/bin/env bash
# Cross-compiles for Windows without warnings, and runs samples under wine: the reports are those of Linux.
#
#     ci/windows.sh [N]       the contents of every Nth vector; of every 8th without N
set -eu
cd "$(dirname "$0")/.."
cmake -S . -B build/windows -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release -DUVET_TESTS=OFF >/dev/null
cmake --build build/windows
[ -x build/release/uvet ] || { cmake --preset release && cmake --build build/release; } >/dev/null
[ -x build/nolibs/uvet ] || { cmake --preset nolibs && cmake --build build/nolibs --target uvet; } >/dev/null

# The DLL exports what the header declares, and nothing else.
x86_64-w64-mingw32-objdump -p build/windows/libuvet.dll | sed -n '/^\[Ordinal\/Name Pointer\] Table/,/^$/s/.*\] //p' | grep -v Table |
	LC_ALL=C sort >build/windows/exports
[ -s build/windows/exports ] || { echo "windows: the DLL exports nothing" >&2; exit 1; }
LC_ALL=C sort tests/api.symbols | diff - build/windows/exports >&2 ||
	{ echo "windows: the DLL's exports are not those of tests/api.symbols" >&2; exit 1; }
exports=$(wc -l <build/windows/exports)

samples=build/windows/vectors
ln -sfn "$(python3 conformance/assembled.py)" $samples
export WINEDEBUG=-all WINEPREFIX=$PWD/build/windows/wine
wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)

# A host that links the DLL.
x86_64-w64-mingw32-gcc -Wall -Wextra -Werror -Iinclude tests/install/use.c build/windows/libuvet.dll.a -o build/windows/use.exe
"$wine" build/windows/use.exe $samples/umod/UMD004_size_mismatch/UMD004_size_mismatch.umod | grep -q '^UMD004 ' ||
	{ echo "windows: a program with the DLL does not find what is wrong" >&2; exit 1; }

cd build/windows
n=0
# The reports about the tables of a sample are the same bytes as those of a build without libraries: this one has no SHA-1, by which the
# index of the .pak beside a container is judged.
for f in vectors/umod/good_*/* vectors/umod/UMD0*/* vectors/upkg/good_*/* vectors/upkg/HDR0*/* vectors/iostore/good_*/*.utoc \
	vectors/iostore/SET00[1-4]*/*.utoc; do
	[ "$(stat -c %s "$f")" -lt 1000000 ] || continue        # gigabytes through an emulated disk prove nothing new
	case $f in *_encrypted*) continue ;; esac               # this build has no cipher, and says so
	[ $((n % 32)) -eq 0 ] || { n=$((n + 1)); continue; }
	case $f in *.utoc) level=structure ;; *) level=content ;; esac
	set +e
	"$OLDPWD/build/nolibs/uvet" check --level $level -f json "$f" >linux.json; linux=$?
	"$wine" "$OLDPWD/build/windows/uvet.exe" check --level $level -f json "$f" >windows.json; windows=$?
	set -e
	[ $linux -eq $windows ] || { echo "windows: $f: exit $windows, expected $linux" >&2; exit 1; }
	cmp linux.json windows.json || { diff linux.json windows.json | cut -c 1-2000; echo "windows: $f: another report" >&2; exit 1; }
	n=$((n + 1))
done
n=$(((n + 31) / 32))
[ $n -ge 2 ] || { echo "windows: no samples" >&2; exit 1; }
# The contents of vectors: this build lacks the codecs of containers, and may say less for that, but nothing else. SET005 is about
# names that Windows finds whatever their case is, and no file is called as its devices are.
contents=$(cd "$OLDPWD" && python3 conformance/builds.py build/release/uvet "$wine build/windows/uvet.exe" --every "${1:-8}" --most 1000000 \
	--but 'iostore/SET005*' --but 'upkg/FIL010_file_name_not_portable_device' --but 'upkg/FIL010_file_name_not_portable_port' --but zip/ARC047_member_link_bzip2) ||
	{ echo "$contents" >&2; exit 1; }
# Backslashes in paths are slashes in reports, and a root is compared without regard to case and to how it was typed.
good=$(ls vectors/umod/good_*/* | head -1)
for root in VECTORS "$(echo "Z:$PWD/vectors" | tr / '\\')"; do
	path=$("$wine" "$OLDPWD/build/windows/uvet.exe" check -f json --path-root "$root" "$(echo "$good" | tr / '\\')" |
		grep -o '"path":"[^"!]*"' | head -1)
	[ "$path" = "\"path\":\"${good#vectors/}\"" ] || { echo "windows: from $root on, $good is called $path" >&2; exit 1; }
done
set +e
"$wine" "$OLDPWD/build/windows/uvet.exe" check missing.umod >/dev/null; [ $? -eq 2 ] || { echo "windows: a missing file should give 2" >&2; exit 1; }
"$wine" "$OLDPWD/build/windows/uvet.exe" check --nonsense >/dev/null 2>&1; [ $? -eq 3 ] || { echo "windows: bad usage should give 3" >&2; exit 1; }
# A report replaces the old one only when it is complete: a run that is killed leaves the old one.
mkdir -p reports; rm -f reports/.uvet* reports/*; good=$(ls vectors/umod/good_*/* | head -1)
set -e
for old in none one; do
	"$wine" "$OLDPWD/build/windows/uvet.exe" check -f json=reports/out "$good"
	cmp reports/out <("$OLDPWD/build/release/uvet" check -f json "$good") || { echo "windows: another report ($old)" >&2; exit 1; }
	[ "$(ls -A reports)" = out ] || { echo "windows: a temporary file was left" >&2; exit 1; }
done
set +e
sleep 60 | "$wine" "$OLDPWD/build/windows/uvet.exe" check -f text=reports/out - &
for _ in $(seq 100); do [ "$(ls -A reports | wc -l)" -eq 2 ] && break; sleep 0.1; done
[ "$(ls -A reports | wc -l)" -eq 2 ] || { echo "windows: no report was begun" >&2; exit 1; }
kill -9 $!; wait $! 2>/dev/null
for _ in $(seq 100); do [ "$(ls -A reports)" = out ] && break; sleep 0.1; done
[ "$(ls -A reports)" = out ] || { echo "windows: a killed run leaves $(ls -A reports)" >&2; exit 1; }
cmp reports/out <("$OLDPWD/build/release/uvet" check -f json "$good") || { echo "windows: a killed run changes the report" >&2; exit 1; }
echo "windows: compiled without warnings, $exports exports, $n samples give the same report and exit code under wine; contents of ${contents#builds: }"
