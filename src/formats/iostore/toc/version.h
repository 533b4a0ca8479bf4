/* The versions of a .utoc. Source: conformance/spec/iostore.md, 2. */
#ifndef UVET_FORMATS_IOSTORE_TOC_VERSION_H
#define UVET_FORMATS_IOSTORE_TOC_VERSION_H

/* Versions in which something changed. */
enum toc_version {
	TOC_DIRECTORY_INDEX = 2,
	TOC_PARTITIONS = 3,
	TOC_PERFECT_HASH = 4,
	TOC_OVERFLOW = 5,
	TOC_ON_DEMAND_METAS = 6,
	TOC_SHORT_METAS = 8,
	TOC_SOURCE_HASHES = 9,
	TOC_VECTORS = 10
};

#endif
