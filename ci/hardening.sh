#!/usr/bin/env bash
# The release build: hardened, without mutable globals, the same bytes from two folders.
set -eu
cd "$(dirname "$0")/.."
uvet=build/release/uvet
{ cmake --preset release && cmake --build build/release; } >/dev/null

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

# Control-flow enforcement, where the processor has it: the loader goes by the note, and the note has to be true.
library=build/release/libuvet.so
if [ "$(uname -m)" = x86_64 ]; then
	for file in $uvet $library; do
		readelf -nW $file | grep -q 'x86 feature:.*IBT.*SHSTK' || fail "$file has no IBT and SHSTK note"
	done
	python3 ci/branches.py $uvet $library || fail "the IBT note is not true"
fi
readelf -dW $library | grep -q NOOPEN && fail "$library cannot be loaded at run time"

# No mutable globals: nothing of the library lies in .data, .bss or thread storage. (.data.rel.ro is constant once it is linked.)
mutable=$(objdump -h build/release/libuvet.a |
	awk '/file format/ { file = $1 } $2 ~ /^\.(data|bss|tdata|tbss)/ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ { print file $2 }')
[ -z "$mutable" ] || fail "mutable globals: $mutable"

# A second build in another folder, of the program alone: both must be the same bytes.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
git ls-files -co --exclude-standard | tar -cf - -T - 2>/dev/null | tar -xf - -C "$tmp"
[ ! -d build/blake3 ] || { mkdir "$tmp/build" && ln -s "$PWD/build/blake3" "$tmp/build/blake3"; }
(cd "$tmp" && cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DUVET_TESTS=OFF -DUVET_BENCH=OFF &&
	cmake --build build --target uvet) >/dev/null
cmp $uvet "$tmp/build/uvet" || fail "two builds differ"
echo "hardening: position independent, RELRO, bound at start, no executable stack, stack protector, fortified, IBT and SHSTK, no mutable globals, reproducible"
