/* Uploads: what a mod is packed for, which chooses rules about how its files lie. */
#ifndef UVET_CORE_UPLOAD_H
#define UVET_CORE_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define UPLOAD(id, word, meaning) id,
enum upload {
	UPLOAD_INSIDE, /* nobody asks it of a file that lies in another */
	UPLOAD_ANY,    /* the user does not say */
#include "core/upload.def"
	N_UPLOADS
};
#undef UPLOAD

/* Longer ones are not read: what they can be is no text and no picture that a site takes. */
enum { UPLOAD_READ_MAX = 8388608 };

/* What a site reads of an upload's root, by its exact name. */
enum upload_read {
	UPLOAD_READ_MANIFEST,
	UPLOAD_READ_ICON,
	UPLOAD_READ_README,
	UPLOAD_READ_CHANGELOG,
	N_UPLOAD_READS
};

/* upload_read_name is the name of such a file. */
static inline const char *upload_read_name(enum upload_read r)
{
	static const char *const names[] = {
		[UPLOAD_READ_MANIFEST] = "manifest.json",
		[UPLOAD_READ_ICON] = "icon.png",
		[UPLOAD_READ_README] = "README.md",
		[UPLOAD_READ_CHANGELOG] = "CHANGELOG.md",
	};

	return names[r];
}

/* upload_reads tells whether the site of an upload reads a file of its root. */
static inline bool upload_reads(enum upload u, const char *name)
{
	for (int i = 0; u == UPLOAD_THUNDERSTORE && i < N_UPLOAD_READS; i++)
		if (strcmp(name, upload_read_name((enum upload_read)i)) == 0)
			return true;
	return false;
}

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
