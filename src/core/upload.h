/* Uploads: what a mod is packed for, which chooses rules about how its files lie. */
#ifndef UVET_CORE_UPLOAD_H
#define UVET_CORE_UPLOAD_H

#include <stddef.h>

#define UPLOAD(id, word, meaning) id,
enum upload {
	UPLOAD_INSIDE, /* nobody asks it of a file that lies in another */
	UPLOAD_ANY,    /* the user does not say */
#include "core/upload.def"
	N_UPLOADS
};
#undef UPLOAD

/* upload_word is the word for it in options and reports; NULL for the first two. */
static inline const char *upload_word(enum upload u)
{
	static const char *const words[] = {
		NULL,
		NULL,
#define UPLOAD(id, word, meaning) word,
#include "core/upload.def"
#undef UPLOAD
	};

	return words[u];
}

#endif
