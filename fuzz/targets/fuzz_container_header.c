/* The container header: its bytes, in a container that is made around them. */
#include <stdlib.h>

#include "inputs/made.h"
#include "oracle/oracle.h"
#include "reference/reference_container_header.h"
#include "reference/reference_utoc.h"
#include "support/formats.h"
#include "targets/harness.h"

/* The input: the version of the .utoc, counted from 2; flags; for how many packages there is a
 * chunk; a byte for their length; and the header. */
enum { HINTS = 4, VERSIONS = 7, CHUNKS_MAX = 32 };
enum hint {
	OTHER_ID = 1,
	SMALL_BLOCKS = 2,
	STRAY_CHUNKS = 4,
	OTHER_LENGTHS = 8,
	SEGMENTS = 16,
	BEHIND_ANOTHER = 32
};

/* Chunks of packages that the header lists, in turn from both of its lists; they are of at most one
 * block. */
static void add_packages(struct made *m, uint8_t flags, const struct reference_container_header *h,
			 uint64_t n, uint8_t length)
{
	const uint8_t type = m->version >= 5 ? 1 : 2;

	for (uint64_t i = 0; i < n && i < CHUNKS_MAX; i++) {
		const bool optional = flags & SEGMENTS && i % 2 == 1;
		const struct reference_packages *l = optional ? &h->optional : &h->packages;
		uint64_t k = flags & SEGMENTS ? i / 2 : i, len = length % MADE_SMALL_BLOCK;

		if (k >= l->ids.n)
			continue;
		if (h->has_packages && h->form == 0 && 32 * (k + 1) <= l->entries.n &&
		    !(flags & OTHER_LENGTHS))
			len = reference_read(h->p + l->entries.at + 32 * k, 8) %
			      (MADE_SMALL_BLOCK + 1);
		made_add(m,
			 reference_read(h->p + l->ids.at + 8 * k, 8) +
				 (flags & STRAY_CHUNKS && k % 3 == 2),
			 optional, type, (struct made_bytes){ NULL, len });
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made m;
	static struct reference_container_header h;
	struct fake_file cas_file = { .ending = ".ucas", .state = COMPANION_OPEN };
	struct subject subject = { .format = &utoc_format,
				   .has_folder = true,
				   .companions = &cas_file,
				   .n_companions = 1 };
	const uint8_t *bytes = data + HINTS;
	uint8_t *toc, *cas, flags, type;
	uint64_t container;

	if (size < HINTS || size - HINTS > MADE_BYTES_MAX)
		return 0;
	flags = data[1];
	m = (struct made){
		.version = 2 + data[0] % VERSIONS,
		.block_size = flags & SMALL_BLOCKS ? MADE_SMALL_BLOCK : MADE_LARGE_BLOCK,
	};
	type = m.version >= 5 ? 6 : 10;
	reference_container_header_read(&h, bytes, size - HINTS, m.version);
	container = h.container + (flags & OTHER_ID);
	made_add(&m, container, 0, type, (struct made_bytes){ bytes, size - HINTS });
	if (flags & BEHIND_ANOTHER)
		made_add(&m, container + 1, 0, type, (struct made_bytes){ NULL, MADE_SMALL_BLOCK });
	if (h.has_packages)
		add_packages(&m, flags, &h, data[2], data[3]);
	toc = made_toc(&m, container, &subject.size);
	cas = made_cas(&m);
	subject.data = toc;
	cas_file.data = cas;
	cas_file.size = m.stored;
	oracle_check(&subject);
	free(toc);
	free(cas);
	return 0;
}
