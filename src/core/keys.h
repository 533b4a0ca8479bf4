/* Keys: what the user has to open encrypted containers with. */
#ifndef UVET_CORE_KEYS_H
#define UVET_CORE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a key, which is one of AES-256, and of the GUID that names it. */
enum { KEY_LEN = 32, KEY_GUID_LEN = 16 };

struct key {
	bool for_any;                   /* it may be tried on whatever is encrypted; guid says nothing */
	uint8_t guid[KEY_GUID_LEN];     /* in the order of the file */
	uint8_t bytes[KEY_LEN];
};

enum { KEYS_MAX = 64 };

struct keys {
	struct key of[KEYS_MAX];
	size_t n;
};

/* keys_next goes through the keys that may open what is encrypted under a GUID: those that name it, then those for any. after NULL gives
 * the first; NULL is the end. */
const struct key *keys_next(const struct keys *k, const uint8_t guid[KEY_GUID_LEN], const struct key *after);

/* keys_wipe overwrites the keys and leaves none, in a way that compilers do not leave out. */
void keys_wipe(struct keys *k);

#endif
