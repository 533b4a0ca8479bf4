/* Keys that the user gives: to decrypt containers, and to verify their signatures. */
#ifndef UVET_CORE_KEYS_H
#define UVET_CORE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes a key, of AES-256, has, and the GUID that names it. */
enum { KEY_LEN = 32, KEY_GUID_LEN = 16 };

struct key {
	bool for_any; /* it may be tried on anything that is encrypted; guid is not used */
	uint8_t guid[KEY_GUID_LEN]; /* in the order of the file */
	uint8_t bytes[KEY_LEN];
};

/* The fewest and the most bytes of a public key's modulus: 512 to 4096 bits. */
enum { SIGNING_KEY_MIN = 64, SIGNING_KEY_MAX = 512 };

/* A signing key is a public key of RSA, with which signatures are verified. The modulus is odd
 * and its first byte not 0; the exponent is odd and above 1. */
struct signing_key {
	uint8_t modulus[SIGNING_KEY_MAX]; /* its highest byte first */
	size_t len;                       /* 0: there is no key */
	uint64_t exponent;
};

enum { KEYS_MAX = 64 };

struct keys {
	struct key of[KEYS_MAX];
	size_t n;
	struct signing_key signing;
};

/* keys_next goes through the keys that may decrypt what names this GUID: first those with the
 * same GUID, then those for any. `after` is the key before, or NULL for the first; it returns
 * NULL after the last. */
const struct key *keys_next(const struct keys *k, const uint8_t guid[KEY_GUID_LEN],
			    const struct key *after);

/* keys_sign sets the signing key. Both numbers have their lowest byte first; zeros at their ends
 * do not count. It returns NULL, or, if it cannot be such a key, a constant text that says why;
 * then nothing changes. */
const char *keys_sign(struct keys *k, const uint8_t *modulus, size_t modulus_len,
		      const uint8_t *exponent, size_t exponent_len);

/* keys_wipe overwrites the keys and leaves none. */
void keys_wipe(struct keys *k);

#endif
