# What ci/fuzz.sh and fuzz/mutants/run.sh know of the harnesses. To be sourced from the root of the tree; work is the folder with seeds/.

# Harness, its longest input, and its share of a smoke run: rows of harnesses.def, and what formats have without a row there.
harnesses=$({
	sed -nE 's/^HARNESS \((\w+), .* ([0-9]+), ([0-9]+)\)$/\1 \2 \3/p' fuzz/harnesses.def
	sed -nE 's/^FORMAT \((\w+), "([a-z0-9_ ]* )?\1( [a-z0-9_ ]*)?",.*$/\1 4096 3/p' fuzz/formats.def
} | awk '!seen[$1]++')

# The harnesses of a format.
harnesses_of() { # FORMAT
	sed -nE "s/^FORMAT \\($1, \"([^\"]*)\".*/\\1/p" fuzz/formats.def
}

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
