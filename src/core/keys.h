/* Keys: what the user has to open encrypted containers with, and to verify signatures. */
#ifndef UVET_CORE_KEYS_H
#define UVET_CORE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a key, which is one of AES-256, and of the GUID that names it. */
enum { KEY_LEN = 32, KEY_GUID_LEN = 16 };

struct key {
	bool for_any; /* it may be tried on whatever is encrypted; guid says nothing */
	uint8_t guid[KEY_GUID_LEN]; /* in the order of the file */
	uint8_t bytes[KEY_LEN];
};

/* How long the modulus of a public key may be: of 512 to 4096 bits. */
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

/* keys_next goes through the keys that may open what is encrypted under a GUID: those that name
 * it, then those for any. after NULL gives the first; NULL is the end. */
const struct key *keys_next(const struct keys *k, const uint8_t guid[KEY_GUID_LEN],
			    const struct key *after);

/* keys_sign gives keys a signing key of two numbers, their lowest bytes first; zeros at their
 * ends do not count. On failure it returns what is wrong, in a few words of ours, and changes
 * nothing; else NULL. */
const char *keys_sign(struct keys *k, const uint8_t *modulus, size_t modulus_len,
		      const uint8_t *exponent, size_t exponent_len);

/* keys_wipe overwrites the keys and leaves none. */
void keys_wipe(struct keys *k);

#endif
