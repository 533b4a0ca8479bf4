#!/bin/sh
# Installs what uvet needs on Debian 12: `ci/install.sh build` to build and run it, `ci/install.sh all` for every test,
# `ci/install.sh static` for its static analysis, `ci/install.sh foreign` for what compiles and runs it for other processors.
# Nothing is done for packages that are there. Other systems get the list.
set -eu

build="gcc libc6-dev cmake ninja-build pkg-config zlib1g-dev libdeflate-dev liblzma-dev liblz4-dev libzstd-dev nettle-dev
	librust-blake3-dev python3"
isal="libisal-dev"
all="g++ git clang-14 clang-19 llvm-19 libclang-rt-19-dev lld-19 libcmocka-dev python3-jsonschema
	frama-c-base why3 z3 cvc4 afl++ valgrind binutils locales gcc-mingw-w64-x86-64 libz-mingw-w64-dev wine64"
static="clang-tidy-19"
foreign="gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user"

case "${1:-build}" in
build) want="$build" ;;
all) want="$build $all" ;;
static) want="$build $all $static" ;;
foreign) want="$build $foreign" ;;
*) echo "usage: ci/install.sh build|all|static|foreign" >&2; exit 3 ;;
esac
case "$(uname -m)" in
x86_64) want="$want $isal" ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
	echo "This is no Debian. Please install what these packages hold:" $want >&2
	exit 0
fi
missing=""
for p in $want; do
	[ "$(dpkg-query -W -f '${Status}' "$p" 2>/dev/null || true)" = "install ok installed" ] || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

root=""
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null 2>&1 || { echo "Please run as root, or install:$missing" >&2; exit 1; }
	root="sudo"
fi
echo "Installing:$missing"
$root env DEBIAN_FRONTEND=noninteractive apt-get update -q
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
