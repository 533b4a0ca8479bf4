/* The whole check of a container: a .utoc with the files beside it, in one input (split.h). */
#include <stdlib.h>
#include <string.h>

#include "targets/harness.h"
#include "oracle/oracle.h"
#include "inputs/bundle.h"

extern const struct format utoc_format;

enum { GUID_AT = 64, UNPACKS = 1 << 20 };

static struct key take_key(const struct split *s, const uint8_t *toc)
{
	struct key k = { .for_any = true };

	memcpy(k.bytes, s->key, sizeof k.bytes);
	if (s->flags & SPLIT_KEY_NAMED && s->part[SPLIT_TOC].len >= GUID_AT + sizeof k.guid) {
		k.for_any = false;
		memcpy(k.guid, toc + GUID_AT, sizeof k.guid);
	}
	return k;
}

static struct neighbour take_file(const struct split *s, enum split_part part, const uint8_t *data)
{
	const char *name = split_name(part);

	return (struct neighbour){
		.ending = name + strlen("Mod"),
		.data = oracle_bytes(data + s->part[part].at, s->part[part].len),
		.size = s->part[part].len,
		.state = s->part[part].absent ? COMPANION_ABSENT : s->part[part].unreadable ? COMPANION_UNREADABLE : COMPANION_OPEN,
	};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct split s = split_read(data, size);
	uint8_t *toc = oracle_bytes(data + s.part[SPLIT_TOC].at, s.part[SPLIT_TOC].len);
	struct neighbour beside[SPLIT_PARTS - 1];
	struct subject subject = { .format = &utoc_format, .data = toc, .size = s.part[SPLIT_TOC].len, .unpacks = UNPACKS };
	struct key key;

	for (unsigned i = 1; i < SPLIT_PARTS; i++)
		beside[i - 1] = take_file(&s, (enum split_part)i, data);
	subject.has_folder = !(s.flags & SPLIT_NO_SIBLINGS);
	subject.beside = beside;
	subject.n_beside = subject.has_folder ? SPLIT_PARTS - 1 : 0;
	if (s.key) {
		key = take_key(&s, toc);
		subject.key = &key;
	}
	oracle_check(&subject);
	for (unsigned i = 1; i < SPLIT_PARTS; i++)
		free((void *)(uintptr_t)beside[i - 1].data);
	free(toc);
	return 0;
}
