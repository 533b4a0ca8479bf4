/* Keys: finding those that may fit; taking a signing key. */
#include "core/keys.h"

#include <string.h>

#include "core/wipe.h"

static const struct key *next_of_kind(const struct keys *k, const uint8_t *guid, bool for_any,
				      size_t from)
{
	for (size_t i = from; i < k->n; i++)
		if (k->of[i].for_any == for_any &&
		    (for_any || memcmp(k->of[i].guid, guid, KEY_GUID_LEN) == 0))
			return &k->of[i];
	return NULL;
}

const struct key *keys_next(const struct keys *k, const uint8_t guid[KEY_GUID_LEN],
			    const struct key *after)
{
	size_t from = after ? (size_t)(after - k->of) + 1 : 0;
	const struct key *found;

	if (after && after->for_any)
		return next_of_kind(k, guid, true, from);
	found = next_of_kind(k, guid, false, from);
	return found ? found : next_of_kind(k, guid, true, 0);
}

static size_t without_zeros(const uint8_t *number, size_t len)
{
	while (len > 0 && number[len - 1] == 0)
		len--;
	return len;
}

const char *keys_sign(struct keys *k, const uint8_t *modulus, size_t modulus_len,
		      const uint8_t *exponent, size_t exponent_len)
{
	const size_t n = without_zeros(modulus, modulus_len),
		     n_exponent = without_zeros(exponent, exponent_len);
	uint64_t e = 0;

	if (n < SIGNING_KEY_MIN || n > SIGNING_KEY_MAX)
		return "a modulus has 64 to 512 bytes";
	if (modulus[0] % 2 == 0)
		return "a modulus is odd";
	if (n_exponent == 0 || n_exponent > sizeof e)
		return "a public exponent has 1 to 8 bytes";
	for (size_t i = n_exponent; i > 0; i--)
		e = e << 8 | exponent[i - 1];
	if (e % 2 == 0 || e == 1)
		return "a public exponent is odd and above 1";
	for (size_t i = 0; i < n; i++)
		k->signing.modulus[i] = modulus[n - 1 - i];
	k->signing.len = n;
	k->signing.exponent = e;
	return NULL;
}

void keys_wipe(struct keys *k)
{
	memory_wipe(k, sizeof *k);
}
