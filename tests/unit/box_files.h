/* The files of the container in box.h, as a host reads them: its tables, its .ucas, and a .pak. */
#ifndef UVET_TESTS_BOX_FILES_H
#define UVET_TESTS_BOX_FILES_H

#include "box.h"
#include "uvet/uvet.h"

/* An index without files, and the footer of version 3. */
static const uint8_t pak[] = { 0x0A, 0,    0,    0,    '.',  '.',  '/',  '.',  '.',  '/',  '.',
			       '.',  '/',  0,    0,    0,    0,    0,    0xE1, 0x12, 0x6F, 0x5A,
			       3,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
			       0,    18,   0,    0,    0,    0,    0,    0,    0,    0x24, 0x06,
			       0x13, 0x1F, 0x7B, 0x4D, 0x8D, 0x4F, 0x57, 0x28, 0x59, 0x7B, 0xBF,
			       0xD3, 0x44, 0x98, 0x51, 0x07, 0xC9, 0x5E };
static size_t pak_len = sizeof pak;

/* sound_box is the verdict of the container when all is well: without SHA-1 in the build the index
 * of the .pak is undetermined, and so is what it lies in. needs_sha1 leaves out the rest of a test
 * there. */
static inline uvet_verdict sound_box(void)
{
	return sha1_is_available() ? UVET_VALID : UVET_UNDETERMINED;
}

static inline void needs_sha1(void)
{
	unit_needs(sha1_is_available(), "nettle");
}

/* read_box reads the file whose length is at ctx: &box.n_toc, &box.n_ucas or &pak_len. */
static inline int read_box(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const size_t n = *(const size_t *)ctx;
	const uint8_t *bytes = ctx == &box.n_toc ? box.toc : ctx == &pak_len ? pak : box.ucas;

	*n_read = at >= n ? 0 : len < n - at ? len : (size_t)(n - at);
	memcpy(buf, bytes + at, *n_read);
	return 0;
}

#endif
