#!/usr/bin/env bash
# Static analysis: gcc's analyzer over src, clang-tidy (.clang-tidy) over src, tests and harnesses. Nothing is kept from an earlier run.
set -euo pipefail
cd "$(dirname "$0")/.."
here=build/static
unset CMAKE_C_COMPILER_LAUNCHER         # with a compiler cache, the commands would not be the compiler's

configure() { # NAME ARGUMENTS...
	cmake -S . -B "$here/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "${@:2}" >/dev/null
}
rm -rf "$here"
CC=gcc configure gcc
CC=clang-19 configure clang -DUVET_FUZZ=ON
configure windows -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DUVET_TESTS=OFF
python3 ci/static.py "$here/gcc" "$here/clang" "$here/windows"
