# What ci/fuzz.sh and fuzz/mutants/run.sh know of the harnesses. To be sourced from the root of the tree; work is the folder with seeds/.

# Harness, the longest input, and its share of a smoke run in percent; AFL++ takes the rest.
harnesses="umod 8192 8
upkg 4096 8
utoc 4096 7
container 4096 8
dirindex 4608 5
conthdr 2048 4
bytecode 2048 6
uz 8192 4
uz2 4096 3
uzcodec 2048 3
codecs 2048 4
manifest 2048 4
path 300 4
cursor 512 3
layout 400 3
order 384 3
report 2048 4
options 512 4
api 4096 4"

max_len() { # HARNESS
	awk -v h="$1" '$1 == h { print $2 }' <<<"$harnesses"
}

# The folders of inputs that a harness starts from, one on each line; none of them is written to.
inputs() { # HARNESS
	local folder
	for folder in "$work/seeds/$1" "corpus/$1" "corpus/regress/$1"; do
		[ -d "$folder" ] && echo "$folder"
	done
	return 0
}
