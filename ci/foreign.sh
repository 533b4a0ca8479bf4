#!/usr/bin/env bash
# Fetches the libraries of another processor into build/foreign/ARCH, for cross-compiling: ci/foreign.sh i386|s390x
# They are unpacked there and never installed; the machine's own packages and their list stay as they are.
set -eu
cd "$(dirname "$0")/.."
arch=$1
folder=$PWD/build/foreign/$arch
packages="zlib1g-dev libdeflate-dev liblzma-dev libbz2-dev liblz4-dev libzstd-dev nettle-dev libinih-dev"
[ ! -e "$folder/complete" ] || exit 0

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/root"
apt() {
	apt-get -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::State::lists="$folder/apt/lists" \
		-o Dir::Cache="$folder/apt/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root "$@"
}
apt update || echo "foreign: a part of the index is missing; the download will say whether it is needed"
(cd "$folder/apt" && apt download $packages)
for package in "$folder"/apt/*.deb; do
	dpkg-deb -x "$package" "$folder/root"
done
rm -rf "$folder/apt"
touch "$folder/complete"
