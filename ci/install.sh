#!/bin/sh
# Provides what uvet needs on Debian 12 and later; nothing is done for packages that are there. Other systems get the list.
#
#     ci/install.sh build      installs what builds it
#     ci/install.sh all        installs that, and what every test takes
#     ci/install.sh static     and what its static analysis takes
#     ci/install.sh foreign    what builds and runs it for other processors
#     ci/install.sh fetch      installs nothing and needs no root: what is missing to build it is unpacked into build/tools, without
#                              documentation and what no build runs; build/tools/settings says how to use it
#     ci/install.sh --size     prints what build and fetch would put on a Debian without anything, in MB
set -eu
cd "$(dirname "$0")/.."

compiler="gcc libc6-dev"
build="$compiler cmake ninja-build zlib1g-dev libdeflate-dev liblzma-dev libbz2-dev libzstd-dev libarchive-dev nettle-dev libinih-dev"
isal="libisal-dev"
all="python3 p7zip-full pkg-config codespell libarchive-tools xz-utils zstd bzip2 unzip zsh fish mandoc groff-base clang-format-14 liblz4-dev g++ git clang-14 clang-19 llvm-19 libclang-rt-19-dev lld-19 libcmocka-dev python3-jsonschema python3-markdown-it
	frama-c-base why3 z3 cvc4 afl++ valgrind binutils locales gcc-mingw-w64-x86-64 libz-mingw-w64-dev wine64"
static="clang-tidy-19"
foreign="python3 liblz4-dev gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user"
# Files of these packages and of what they depend on that no build of uvet runs, links or reads.
unread="usr/share/doc usr/share/man usr/share/info usr/share/locale usr/share/cmake-*/Help usr/bin/ctest usr/bin/cpack usr/bin/*-lto-dump-*
	usr/bin/*-gold usr/bin/*-dwp usr/bin/*-cpp-* usr/lib/gcc/*/*/lto1 usr/lib/gcc/*/*/*san* usr/lib/gcc/*/*/libgcov.a usr/lib/*/libc.a
	usr/lib/*/libm-*.a usr/lib/*/libmvec.a usr/lib/*/libgmp*.a usr/lib/*/libhogweed.a"
tools=$PWD/build/tools

case "${1:-build}" in
build | fetch | --size) want="$build" ;;
all) want="$build $all" ;;
static) want="$build $all $static" ;;
foreign) want="$build $foreign" ;;
*) echo "usage: ci/install.sh build|all|static|foreign|fetch|--size" >&2; exit 3 ;;
esac
if apt-cache show libblake3-dev >/dev/null 2>&1; then
	want="$want libblake3-dev"
fi
case "$(uname -m)" in
x86_64) want="$want $isal" ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
	echo "This is no Debian. Please install what these packages hold, and BLAKE3's C library:" $want >&2
	exit 0
fi

# What is there already needs no package: it may be another compiler, or a cmake of one's own.
is_there() {
	[ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null || true)" = "install ok installed" ] && return 0
	[ "$mode" = fetch ] || return 1
	case $1 in
	gcc | libc6-dev) can_compile ;;
	cmake) command -v cmake >/dev/null 2>&1 ;;
	ninja-build) command -v ninja >/dev/null 2>&1 ;;
	*) return 1 ;;
	esac
}

can_compile() {
	command -v cc >/dev/null 2>&1 && printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' | cc -x c -o /dev/null - 2>/dev/null
}

# apt with a package index of its own, because the machine's may be missing or not writable.
apt() {
	apt-get -q -o Dir::State::lists="$index/lists" -o Dir::Cache="$index/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

make_index() {
	index=$PWD/build/index
	rm -rf "$index"
	mkdir -p "$index/lists/partial" "$index/cache/archives/partial" "$index/debs"
	trap 'rm -rf "$index"' EXIT
	apt update >"$index/log" 2>&1 || { cat "$index/log" >&2; echo "No index of packages; what can be had is taken." >&2; }
}

# Downloads packages, each as the system's own sources sign it, and unpacks them into a folder.
unpack() {
	folder=$1
	shift
	(cd "$index/debs" && apt download "$@" >"$index/log" 2>&1) || { cat "$index/log" >&2; return 1; }
	mkdir -p "$folder"
	for package in "$index"/debs/*.deb; do
		dpkg-deb -x "$package" "$folder"
		rm "$package"
	done
}

# BLAKE3: the authors' library where Debian has it; else their sources, which are one folder of a package that would bring 28 others.
provide_blake3() {
	for folder in "$PWD/build/blake3" ""; do
		[ -z "$(find "$folder/usr/share/cargo/registry" -name blake3_impl.h 2>/dev/null | head -1)" ] || return 0
	done
	! pkg-config --exists libblake3 2>/dev/null || return 0
	[ -n "${index:-}" ] || make_index
	echo "Unpacking the sources of BLAKE3 into build/blake3"
	unpack "$PWD/build/blake3" librust-blake3-dev || echo "Without BLAKE3: newer containers are not judged as a whole." >&2
}

missing_of() {
	for p in $want; do
		is_there "$p" || printf ' %s' "$p"
	done
}

install_missing() {
	root=""
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null 2>&1 || { echo "Please run as root, or install:$missing" >&2; exit 1; }
		root="sudo"
	fi
	echo "Installing:$missing"
	$root env DEBIAN_FRONTEND=noninteractive apt-get update -q
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
}

# Leaves out packages of which no build uses anything.
read_by_builds() {
	grep -vE '^(lib([alt]|ub)san|libitm|libgprofng|libnsl|libtirpc|libcrypt-dev|rpcsvc|procps|libproc2|libgmpxx|libcc1|libquadmath|libgomp|libatomic|libc-dev-bin)'
}

# A package's links and the C library's link scripts name files by where they would be installed.
settle() {
	for folder in "$tools"/lib/*-linux-gnu; do
		[ ! -d "$folder" ] || { mkdir -p "$tools/usr$(expr "$folder" : "$tools\(.*\)")" && cp -a "$folder"/. "$tools/usr/lib/$(basename "$folder")/"; }
	done
	rm -rf "$tools/lib"
	(cd "$tools" && rm -rf $unread)
	for folder in "$tools"/usr/lib/*-linux-gnu; do
		for library in /usr/lib/"$(basename "$folder")"/*.so*; do
			[ -e "$folder/$(basename "$library")" ] || ln -sf "$library" "$folder/"
		done
		for script in libc.so libm.so; do
			[ ! -f "$folder/$script" ] || sed -i "s,/usr/lib/[^ ]*/\(lib[^ /]*\.a\),$folder/\1,g" "$folder/$script"
		done
	done
}

fetch_missing() {
	echo "Unpacking into build/tools:$missing"
	rm -rf "$tools"
	unpack "$tools" $(apt install -s --no-install-recommends $missing | awk '/^Inst / { print $2 }' | read_by_builds)
	settle
	folder=$(echo "$tools"/usr/lib/*-linux-gnu)
	{
		echo "PATH='$tools/usr/bin':\$PATH LD_LIBRARY_PATH='$folder'\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
		echo "export PATH LD_LIBRARY_PATH CMAKE_PREFIX_PATH='$tools/usr' UVET_TOOLS_LIBRARIES='$folder'"
		if ! can_compile; then
			echo "export CC='$(echo "$tools"/usr/bin/*-linux-gnu-gcc-[0-9]*)'"
			echo "export CFLAGS='-B$folder -isystem $tools/usr/include -isystem $tools/usr/include/$(basename "$folder")'"
			echo "export LDFLAGS='-B$folder -L$folder'"
		fi
	} >"$tools/settings"
}

# The schema of SARIF as Microsoft's validator has it (MIT), which a test of the command line holds reports against. Without npm the test
# is left out.
provide_sarif_schema() {
	[ ! -f build/sarif/sarif-2.1.0.json ] && command -v npm >/dev/null 2>&1 || return 0
	mkdir -p build/sarif
	(cd build/sarif && npm pack --silent @microsoft/sarif-multitool-linux@5.7.0 >/dev/null 2>&1 &&
		tar xzf microsoft-sarif-multitool-linux-5.7.0.tgz --strip-components=1 package/sarif-2.1.0.json) ||
		echo "The schema of SARIF cannot be had; its test is left out." >&2
	rm -f build/sarif/*.tgz
}

# A validator of JSON Schemas that refuses loose ones; a test of the command line asks it. Without npm the test is left out.
provide_ajv() {
	[ ! -d build/ajv/node_modules/ajv ] && command -v npm >/dev/null 2>&1 || return 0
	mkdir -p build/ajv
	timeout 120 npm install --silent --no-save --fetch-retries=0 --no-audit --no-fund --ignore-scripts --prefix build/ajv ajv@8.17.1 >/dev/null 2>&1 || {
		rm -rf build/ajv
		echo "ajv cannot be had; its test is left out." >&2
	}
}

# Packages that every Debian has are not counted.
print_sizes() {
	least="apt $(apt-cache -o Dir::State::lists="$index/lists" dumpavail |
		awk '/^Package:/ { name = $2 } /^(Priority: required|Essential: yes)/ { print name }' | sort -u)"
	of_nothing="-o Dir::State::status=/dev/null"
	apt install -s $of_nothing --no-install-recommends $least | awk '/^Inst / { print $2 }' | sort >"$index/least"
	apt install -s $of_nothing --no-install-recommends $least $want | awk '/^Inst / { print $2 }' | sort | comm -13 "$index/least" - >"$index/new"
	apt-cache -o Dir::State::lists="$index/lists" show --no-all-versions $(cat "$index/new") |
		awk '/^Installed-Size:/ { kib += $2; n++ } END { printf "build: %d packages, %d MB\n", n, kib * 1.024e-3 }'
	tools=$index/tools
	unpack "$tools" $(read_by_builds <"$index/new")
	settle
	du -sk "$tools" | awk '{ printf "fetch: %d MB\n", $1 * 1.024e-3 }'
}

mode=${1:-build}
if [ "$mode" = --size ]; then
	make_index
	print_sizes
	exit 0
fi
missing=$(missing_of)
if [ "$mode" != fetch ]; then
	[ -z "$missing" ] || install_missing
elif [ -n "$missing" ] && ! grep -qs "'$tools/usr'" "$tools/settings"; then
	make_index
	fetch_missing
fi
provide_blake3
case "$mode" in
all | static)
	provide_sarif_schema
	provide_ajv
	;;
esac
