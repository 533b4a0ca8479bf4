/* The files of the container in box.h, as a host reads them: its tables, its .ucas, and a .pak. */
#ifndef UVET_TESTS_BOX_FILES_H
#define UVET_TESTS_BOX_FILES_H

#include "box.h"
#include "uvet/uvet.h"

/* An index that says nothing, and the footer of version 3. */
static const uint8_t pak[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0xE1, 0x12, 0x6F, 0x5A, 3, 0, 0, 0, 0, 0,
			       0, 0, 0, 0, 0, 0, 8, 0, 0,    0,    0,    0,    0, 0, 0, 0, 0, 0,
			       0, 0, 0, 0, 0, 0, 0, 0, 0,    0,    0,    0,    0, 0, 0, 0 };
static size_t pak_len = sizeof pak;

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
