/* What an archive claims: the paths of its files. */
#include "formats/pak/claims.h"

#include <string.h>

#include "formats/pak/pak.h"

/* What of the names is not told, if they were not decoded. */
static unsigned gap_of(const struct decode *d)
{
	for (uint32_t g = PAK_FILE; g <= PAK_NAMES; g++)
		if (d->groups[g].why == STOP_KEY)
			return CLAIMS_LOCKED;
	return CLAIMS_UNREAD;
}

/* Where paths are put together: the mount point comes first. */
struct joint {
	size_t mount_len;
	char path[CLAIM_PATH_MAX + 1];
};

/* false: the mount point is too long to be told with a path behind it. */
static bool begin_path(const struct pak *p, struct joint *j)
{
	bool whole;

	j->mount_len = text_utf8(p->mount, CLAIM_PATH_MAX / 8, (uint8_t *)j->path, &whole);
	if (j->mount_len > 0 && j->path[j->mount_len - 1] != '/')
		j->path[j->mount_len++] = '/';
	return whole;
}

enum { BYTES_A_STEP = 64 };

static bool is_told(const struct pak *p, const struct pak_file *row, unsigned *gaps)
{
	if (row->traits & PAK_DELETED)
		return false;
	if (pak_is_nameless(p, row))
		*gaps |= CLAIMS_HASHED;
	return !pak_is_nameless(p, row);
}

unsigned pak_claims(const void *facts, struct decode *d, claim_sink *sink, void *ctx)
{
	UVET_FILLED_LATER struct joint j;
	const struct pak *p = facts;
	unsigned gaps = 0;
	size_t n, room;

	if (p->content.stub_of) /* what a packer puts beside each container is no mod's */
		return 0;
	if (!decode_has(d, PAK_NAMES))
		return gap_of(d);
	if (!begin_path(p, &j))
		return CLAIMS_UNREAD;
	room = sizeof j.path - j.mount_len;
	for (uint64_t i = 0; i < p->n_files; i++) {
		if (!is_told(p, &p->files[i], &gaps))
			continue;
		n = pak_file_path(p, &p->files[i], j.path + j.mount_len, room);
		if (!decode_spend(d, PAK_NAMES, 1 + n / BYTES_A_STEP))
			return gaps | CLAIMS_UNREAD;
		if (n + 5 > room) /* its end may be cut off */
			gaps |= CLAIMS_UNREAD;
		else if (!sink(ctx, CLAIM_PATH, (const uint8_t *)j.path, j.mount_len + n))
			return gaps;
	}
	return gaps;
}
