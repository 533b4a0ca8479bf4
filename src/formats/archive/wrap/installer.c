/* Installers of NSIS and Inno Setup, by the marks of their data. Source: conformance/spec/wrap.md,
 * 2. */
#include "formats/archive/wrap/installer.h"

#include <string.h>

#include "core/rows.h"

/* How much of a program is searched. */
#define SEARCHED_MAX ((uint64_t)8 << 20)

enum { PIECE_LEN = 65536, MARK_MAX = 24, NSIS_AT = 4, NSIS_STEP = 512 };

/* A mark that `step` is given for stands at `at` after a multiple of it. */
static const struct mark {
	const char *name;
	uint8_t len;
	uint16_t step, at;
	const char *bytes;
} marks[] = {
	{ "NSIS", 16, NSIS_STEP, NSIS_AT, "\xEF\xBE\xAD\xDENullsoftInst" },
	{ "Inno Setup", 23, 1, 0, "Inno Setup Setup Data (" },
};

static const char *mark_at(struct held piece, uint64_t i, uint64_t at)
{
	for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
		const struct held here = held_part(piece, i, marks[k].len);

		if (here.len > 0 && (at + i) % marks[k].step == marks[k].at &&
		    memcmp(here.bytes, marks[k].bytes, marks[k].len) == 0)
			return marks[k].name;
	}
	return NULL;
}

bool wrap_find_installer(struct decode *d, struct wrap *w)
{
	const uint64_t len = w->size < SEARCHED_MAX ? w->size : SEARCHED_MAX;
	const uint64_t longest = (len < PIECE_LEN ? len : PIECE_LEN) + MARK_MAX;
	uint8_t *bytes = decode_alloc(d, WRAP_FILE, longest, 1);

	for (uint64_t at = 0; bytes && at < len && !w->what; at += PIECE_LEN) {
		const uint64_t left = w->size - at, want = PIECE_LEN + MARK_MAX;
		const struct held piece = { bytes, left < want ? left : want };

		if (!decode_copy(d, WRAP_FILE, (struct span){ at, piece.len }, bytes))
			return false;
		for (uint64_t i = 0; i < piece.len && i < PIECE_LEN && !w->what; i++)
			w->what = mark_at(piece, i, at);
	}
	return bytes != NULL;
}
