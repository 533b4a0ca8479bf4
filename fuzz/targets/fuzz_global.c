/* The global container: its script objects and their names, in a container that is made around
 * them. */
#include <stdlib.h>
#include <string.h>

#include "inputs/made.h"
#include "oracle/oracle.h"
#include "reference/reference_global.h"
#include "reference/reference_utoc.h"
#include "support/buffers.h"
#include "support/formats.h"
#include "targets/harness.h"

/* The input: the version of the .utoc, counted from 2; flags; how many bytes at the end are names,
 * and how many behind these are hashes, in UE4; and the bytes, script objects first. */
enum { HINTS = 6, VERSIONS = 7 };
enum hint {
	SMALL_BLOCKS = 1,
	RIGHT_NAMES = 2,
	RIGHT_IDS = 4,
	OTHER_NAME = 8,
	WITHOUT_ONE = 16,
	OTHER_ID = 32,
	BEHIND_ANOTHER = 64,
	OTHER_CASE = 128
};

/* The parts of the input. */
struct parts {
	uint8_t *bytes;
	uint64_t objects, names, hashes;
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct parts take_parts(uint8_t *bytes, uint64_t n, const uint8_t *hints, bool is_ue4)
{
	struct parts p = { .bytes = bytes, .objects = n };

	if (is_ue4) {
		p.hashes = least(reference_read(hints + 4, 2), n);
		p.names = least(reference_read(hints + 2, 2), n - p.hashes);
		p.objects = n - p.hashes - p.names;
	}
	return p;
}

static void read_global(struct reference_global *g, const struct parts *p, bool is_ue4)
{
	const struct reference_chunk objects = { p->bytes, p->objects };

	if (is_ue4)
		reference_global_read_old(g, objects, p->bytes + p->objects, p->names, p->hashes);
	else
		reference_global_read(g, objects);
}

/* Hashes that are made right lead to what comes after them. */
static void repair(const struct parts *p, bool is_ue4, uint8_t flags)
{
	static struct reference_global g;

	read_global(&g, p, is_ue4);
	if (flags & RIGHT_NAMES && g.has_names)
		reference_batch_repair(&g.names, p->bytes + (is_ue4 ? p->objects : 0));
	if (flags & RIGHT_IDS)
		reference_global_repair(&g, p->bytes);
}

static void add_chunks(struct made *m, const struct parts *p, uint8_t flags)
{
	const bool is_ue4 = m->version < 5;
	const uint64_t id = flags & OTHER_ID ? 1 : 0;

	if (flags & BEHIND_ANOTHER)
		made_add(m, 0, 1, is_ue4 ? 7 : 5, (struct made_bytes){ p->bytes, p->objects });
	made_add(m, id, 0, is_ue4 ? 7 : 5, (struct made_bytes){ p->bytes, p->objects });
	if (!is_ue4)
		return;
	made_add(m, 0, 0, 8, (struct made_bytes){ p->bytes + p->objects, p->names });
	if (!(flags & WITHOUT_ONE))
		made_add(m, 0, 0, 9,
			 (struct made_bytes){ p->bytes + p->objects + p->names, p->hashes });
}

static const char *name_of(uint8_t flags)
{
	if (flags & OTHER_NAME)
		return "Mod_P.utoc";
	return flags & OTHER_CASE ? "a/Global.UTOC" : "global.utoc";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made m;
	struct fake_file cas_file = { .ending = ".ucas", .state = COMPANION_OPEN };
	struct subject subject = { .format = &utoc_format,
				   .has_folder = true,
				   .companions = &cas_file,
				   .n_companions = 1 };
	struct parts parts;
	uint8_t *bytes, *toc, *cas, flags;

	if (size < HINTS || size - HINTS > MADE_BYTES_MAX / 2)
		return 0;
	flags = data[1];
	m = (struct made){
		.version = 2 + data[0] % VERSIONS,
		.block_size = flags & SMALL_BLOCKS ? MADE_SMALL_BLOCK : MADE_LARGE_BLOCK,
	};
	bytes = buffer_copy(data + HINTS, size - HINTS);
	parts = take_parts(bytes, size - HINTS, data, m.version < 5);
	repair(&parts, m.version < 5, flags);
	add_chunks(&m, &parts, flags);
	toc = made_toc(&m, 0, &subject.size);
	cas = made_cas(&m);
	subject.name = name_of(flags);
	subject.data = toc;
	cas_file.data = cas;
	cas_file.size = m.stored;
	oracle_check(&subject);
	free(bytes);
	free(toc);
	free(cas);
	return 0;
}
