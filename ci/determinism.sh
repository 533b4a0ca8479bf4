#!/usr/bin/env bash
# One report for the same file, rules and options, whatever compiled uvet and wherever it runs: one digest over the reports of all vectors.
#
#     ci/determinism.sh native     gcc and clang, -O0 and -O3, plain char signed and unsigned, with ISA-L, with libdeflate and with neither; and
#                                  other environments
#     ci/determinism.sh foreign    32-bit x86, and s390x, which is big-endian, under qemu where this machine does not run them
set -euo pipefail
cd "$(dirname "$0")/.."
here=build/determinism
mkdir -p $here

build() { # NAME OPTION...
	local folder=$here/$1
	shift
	{ cmake -S . -B "$folder" -G Ninja "$@" && cmake --build "$folder" --target uvet faultcheck; } >"$folder.log" 2>&1 ||
		{ tail -n 40 "$folder.log"; echo "determinism: $folder does not build"; exit 1; }
}

# Builds of other steps are used if they are up to date.
build_preset() { # PRESET
	{ cmake --preset "$1" && cmake --build build/"$1" --target uvet faultcheck; } >$here/"$1".log 2>&1 ||
		{ tail -n 40 $here/"$1".log; echo "determinism: $1 does not build"; exit 1; }
}

build_foreign() { # ARCH
	ci/foreign.sh "$1" >$here/"$1"-libraries.log 2>&1 || { tail -n 20 $here/"$1"-libraries.log; echo "determinism: no libraries for $1"; exit 1; }
	build "$1" -DCMAKE_TOOLCHAIN_FILE=cmake/"$1".cmake -DCMAKE_BUILD_TYPE=Release
}

behind_emulator() { # ARCH
	if $here/"$1"/uvet version >/dev/null 2>&1; then echo $here/"$1"; else echo "qemu-$1 $here/$1"; fi
}

case "${1:-}" in
native)
	build_preset release
	build_preset zlib
	build_preset clang19
	# Variables that are not initialised are neither zero, as in releases, nor what happens to be in memory.
	build clang-O0 -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=Debug \
		-DCMAKE_C_FLAGS_DEBUG="-O0 -fsigned-char -ftrivial-auto-var-init=pattern"
	mkdir -p $here/locales
	localedef -i tr_TR -f UTF-8 $here/locales/tr_TR.UTF-8
	python3 conformance/determinism.py $here/native --environments $here/locales build/release build/zlib $here/clang-O0 build/clang19
	;;
foreign)
	build_preset release
	build_foreign i386
	build_foreign s390x
	python3 conformance/determinism.py $here/foreign build/release "$(behind_emulator i386)" "$(behind_emulator s390x)"
	;;
*)
	echo "usage: ci/determinism.sh native|foreign" >&2
	exit 3
	;;
esac
