#!/usr/bin/env bash
# The release build: hardened, without mutable globals, the same bytes from two folders.
set -eu
cd "$(dirname "$0")/.."
uvet=build/release/uvet
[ -x $uvet ] || { cmake --preset release && cmake --build build/release; } >/dev/null

fail() { echo "hardening: $1" >&2; exit 1; }

header=$(readelf -hW $uvet)
dynamic=$(readelf -dW $uvet)
segments=$(readelf -lW $uvet)
grep -q 'DYN' <<<"$header" || fail "$uvet is not position independent"
grep -q 'BIND_NOW\|NOW' <<<"$dynamic" || fail "$uvet is not bound at start"
grep -q 'GNU_RELRO' <<<"$segments" || fail "$uvet has no RELRO"
grep 'GNU_STACK' <<<"$segments" | grep -qv 'RWE' || fail "$uvet has an executable stack"
readelf -sW $uvet | grep -q '__stack_chk_fail' || fail "$uvet has no stack protector"
readelf -sW $uvet | grep -q '_chk@' || fail "$uvet is not fortified"

# No mutable globals: no symbol of the library lies in .data or .bss. What gcc adds for coverage or dispatch would show here.
mutable=$(nm --defined-only build/release/libuvet.a 2>/dev/null | awk '$2 ~ /^[bBdDC]$/ { print $3 }' | sort -u)
[ -z "$mutable" ] || fail "mutable globals: $mutable"

# Two folders, two builds, one library.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for side in one two; do
	mkdir -p "$tmp/$side"
	git ls-files -co --exclude-standard | tar -cf - -T - 2>/dev/null | tar -xf - -C "$tmp/$side"
	(cd "$tmp/$side" && cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DUVET_TESTS=OFF -DUVET_BENCH=OFF &&
		cmake --build build --target uvet) >/dev/null
done
cmp "$tmp/one/build/uvet" "$tmp/two/build/uvet" || fail "two builds differ"
echo "hardening: position independent, RELRO, bound at start, no executable stack, stack protector, fortified, no mutable globals, reproducible"
