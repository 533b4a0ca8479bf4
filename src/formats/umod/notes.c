/* What is kept of manifests: rows that grow, and notes of what is wrong with lines. */
#include "formats/umod/install.h"

void *manifest_add_block(struct decode *d, struct manifest_rows *rows, size_t size)
{
	const uint32_t block = rows->n / ROWS_BLOCK;
	void **blocks = decode_grow(d, UMOD_MANIFEST, rows->blocks, block, &rows->max_blocks,
				    sizeof *blocks);

	if (!blocks)
		return NULL;
	rows->blocks = blocks;
	if (block == rows->n_blocks) {
		blocks[block] = decode_alloc(d, UMOD_MANIFEST, ROWS_BLOCK, size);
		if (!blocks[block])
			return NULL;
		rows->n_blocks++;
	}
	rows->n++;
	return blocks[block];
}

bool manifest_note_line(struct decode *d, struct manifest *m, enum manifest_defect defect,
			const struct manifest_note *note)
{
	struct manifest_notes *list = &m->notes[defect];
	struct keep *keep = manifest_keep(list, note->kind);
	struct manifest_note *rows = decode_grow(d, UMOD_MANIFEST, list->rows, list->n, &list->max,
						 sizeof *rows);

	if (!rows)
		return false;
	list->rows = rows;
	if (keep_row(d, keep, list->n))
		rows[list->n++] = *note;
	else
		rows[keep->last].n_more++;
	return true;
}

bool install_differ_beyond_ascii(struct text a, struct text b)
{
	for (uint32_t i = 0; i < a.ref.n_units; i++)
		if (text_unit(a, i) >= 0x80 && text_unit(a, i) != text_unit(b, i))
			return true;
	return false;
}

bool install_note_case(struct decode *d, struct manifest *m, uint32_t unit)
{
	struct manifest_line line;

	if (manifest_only_counts(d, m, DEFECT_READ_VARIOUSLY, UMOD_OTHER_CASE))
		return true;
	line = manifest_line_around(m, MANIFEST_INI, unit);
	return install_note_kind(d, m, DEFECT_READ_VARIOUSLY, UMOD_OTHER_CASE, &line, line.whole);
}

bool install_note_repeated(struct decode *d, struct manifest *m, struct text_ref first,
			   struct text_ref value)
{
	struct manifest_note note;

	if (manifest_only_counts(d, m, DEFECT_KEY_REPEATED, 0))
		return true;
	note = (struct manifest_note){
		.line = manifest_line_around(m, MANIFEST_INI, manifest_unit(m, MANIFEST_INI, value))
	};
	note.at = value;
	note.first = first;
	note.first_number = manifest_number(m, MANIFEST_INI, manifest_unit(m, MANIFEST_INI, first));
	return manifest_note_line(d, m, DEFECT_KEY_REPEATED, &note);
}
