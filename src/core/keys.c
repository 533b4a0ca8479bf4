/* Keys: finding those that may fit. */
#include "core/keys.h"

#include <string.h>

static const struct key *next_of_kind(const struct keys *k, const uint8_t *guid, bool for_any, size_t from)
{
	for (size_t i = from; i < k->n; i++)
		if (k->of[i].for_any == for_any && (for_any || memcmp(k->of[i].guid, guid, KEY_GUID_LEN) == 0))
			return &k->of[i];
	return NULL;
}

const struct key *keys_next(const struct keys *k, const uint8_t guid[KEY_GUID_LEN], const struct key *after)
{
	size_t from = after ? (size_t)(after - k->of) + 1 : 0;
	const struct key *found;

	if (after && after->for_any)
		return next_of_kind(k, guid, true, from);
	found = next_of_kind(k, guid, false, from);
	return found ? found : next_of_kind(k, guid, true, 0);
}

void keys_wipe(struct keys *k)
{
	volatile uint8_t *p = (volatile uint8_t *)k;

	for (size_t i = 0; i < sizeof *k; i++)
		p[i] = 0;
}
