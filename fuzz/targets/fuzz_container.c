/* The whole check of a container: a .utoc with the files beside it, in one input (bundle.h). */
#include <stdlib.h>
#include <string.h>

#include "inputs/bundle.h"
#include "oracle/oracle.h"
#include "support/buffers.h"
#include "support/formats.h"
#include "targets/harness.h"

enum { GUID_AT = 64, UNPACKS = 1 << 20 };

static struct key take_key(const struct bundle *s, const uint8_t *toc)
{
	struct key k = { .for_any = true };

	memcpy(k.bytes, s->key, sizeof k.bytes);
	if (s->flags & BUNDLE_KEY_NAMED && s->part[BUNDLE_TOC].len >= GUID_AT + sizeof k.guid) {
		k.for_any = false;
		memcpy(k.guid, toc + GUID_AT, sizeof k.guid);
	}
	return k;
}

static struct fake_file take_file(const struct bundle *s, enum bundle_part part,
				  const uint8_t *data)
{
	const char *name = bundle_name(part);

	return (struct fake_file){
		.ending = name + strlen("Mod"),
		.data = buffer_copy(data + s->part[part].at, s->part[part].len),
		.size = s->part[part].len,
		.state = s->part[part].absent       ? COMPANION_ABSENT
			 : s->part[part].unreadable ? COMPANION_UNREADABLE
						    : COMPANION_OPEN,
	};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bundle s = bundle_read(data, size);
	uint8_t *toc = buffer_copy(data + s.part[BUNDLE_TOC].at, s.part[BUNDLE_TOC].len);
	struct fake_file companions[BUNDLE_PARTS - 1];
	struct subject subject = { .format = &utoc_format,
				   .data = toc,
				   .size = s.part[BUNDLE_TOC].len,
				   .unpacks = UNPACKS };
	struct key key;

	for (unsigned i = 1; i < BUNDLE_PARTS; i++)
		companions[i - 1] = take_file(&s, (enum bundle_part)i, data);
	subject.has_folder = !(s.flags & BUNDLE_NO_SIBLINGS);
	subject.companions = companions;
	subject.n_companions = subject.has_folder ? BUNDLE_PARTS - 1 : 0;
	if (s.key) {
		key = take_key(&s, toc);
		subject.key = &key;
	}
	oracle_check(&subject);
	for (unsigned i = 1; i < BUNDLE_PARTS; i++)
		free((void *)(uintptr_t)companions[i - 1].data);
	free(toc);
	return 0;
}
