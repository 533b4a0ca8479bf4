/* What a container says of one of its packages. A package that lies in none has no claims, and
 * nothing is judged that only its container knows. */
#ifndef UVET_FORMATS_IOSTORE_ZEN_PACKAGE_CLAIMS_H
#define UVET_FORMATS_IOSTORE_ZEN_PACKAGE_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

/* The version of a container header that there is not, or that could not be read; and the one since
 * which packages have offsets of cells. */
enum { CLAIMS_NO_VERSION = -2, CLAIMS_CELLS = 5 };

/* The files of bulk data that a package can have. */
enum claims_bulk { CLAIMS_BULK, CLAIMS_OPTIONAL_BULK, CLAIMS_MAPPED_BULK, CLAIMS_N_BULK };
#define CLAIMS_NO_CHUNK UINT64_MAX

struct package_claims {
	uint64_t id; /* of the chunk */
	/* of the container header, enum container_version; below 1: Unreal Engine 4. Without one
	 * (CLAIMS_NO_VERSION) is_ue4 tells, and the layout follows from the bytes */
	int version;
	bool is_ue4;
	bool is_since_5_4; /* no engine before 5.4 reads the version of the .utoc */
	bool has_counts;   /* the store entry has the next two numbers */
	uint64_t exports, bundles;
	bool has_imports; /* there is a store entry */
	uint64_t n_imports, n_shader_maps;
	/* how long the chunks of its bulk data with the index 0 are; CLAIMS_NO_CHUNK: there is none
	 */
	bool has_bulk; /* these are known */
	uint64_t bulk[CLAIMS_N_BULK];
};

#endif
