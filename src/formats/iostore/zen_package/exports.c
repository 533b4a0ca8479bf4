/* How many exports and export bundles a package has. Source: conformance/spec/iostore.md, 8.21. */
#include "core/mutant.h"
#include "formats/iostore/zen_package/zen_package.h"

enum { EXPORT_LEN = 72, ENTRY_LEN = 8, ENTRIES_PER_EXPORT = 2, OLD_BUNDLE_LEN = 8 };

/* How many rows of row_len bytes lie between two offsets; false: not a whole number. */
static bool rows_between(uint64_t from, uint64_t to, uint64_t row_len, uint64_t *n)
{
	if (to < from || (to - from) % row_len != 0)
		return false;
	*n = (to - from) / row_len + (uint64_t)MUTANT(127); /* mutant: a row more */
	return true;
}

/* In Unreal Engine 4 the offsets alone tell the numbers. */
static void count_initial(struct cursor c, uint64_t length, struct zen_counts *out)
{
	struct zen_summary_initial s;
	uint64_t entries;

	if (!zen_summary_initial_read(&c, 0, &s) || s.graph_at > length ||
	    s.bundles_at > s.graph_at)
		return;
	out->has_exports = rows_between(s.exports_at, s.bundles_at, EXPORT_LEN, &out->exports);
	if (!out->has_exports)
		return;
	entries = out->exports * ENTRIES_PER_EXPORT * ENTRY_LEN;
	out->has_bundles = rows_between(s.bundles_at + entries, s.graph_at, OLD_BUNDLE_LEN,
					&out->bundles);
}

/* The bundles together have all entries, in order and without gaps. */
static void take_bundle(struct zen_bundles *w, struct zen_counts *out)
{
	struct cursor c = cursor_init(w->row, sizeof w->row, 0);
	struct zen_bundle b;
	const bool is_read = zen_bundle_read(&c, 0, &b);

	if (NEVER(!is_read) || b.first != w->entries || b.entries == 0) {
		w->wanted = 0;
		return;
	}
	w->entries += b.entries;
	out->bundles++;
	out->has_bundles = w->entries == w->wanted;
}

void zen_count_bundles(struct zen_bundles *w, struct held bytes, struct zen_counts *out)
{
	const uint64_t n = bytes.len, skipped = w->before < n ? w->before : n;

	w->before -= skipped;
	for (uint64_t i = skipped, some; i < n && w->entries < w->wanted; i += some) {
		some = sizeof w->row - w->held < n - i ? sizeof w->row - w->held : n - i;
		memcpy(w->row + w->held, held_part(bytes, i, some).bytes, (size_t)some);
		w->held = (w->held + some) % sizeof w->row;
		if (w->held == 0)
			take_bundle(w, out);
	}
}

/* The bundles may go on in the blocks that follow. */
static void count_counted(struct cursor c, uint64_t length, struct zen_counts *out,
			  struct zen_bundles *w)
{
	struct zen_summary_counted s;
	uint64_t n_entries;

	if (!zen_summary_counted_read(&c, 0, &s) || s.graph_at > length ||
	    s.entries_at > s.graph_at)
		return;
	out->has_exports = rows_between(s.exports_at, s.entries_at, EXPORT_LEN, &out->exports);
	if (!out->has_exports || !rows_between(s.entries_at, s.graph_at, ENTRY_LEN, &n_entries) ||
	    n_entries != out->exports * ENTRIES_PER_EXPORT)
		return;
	w->before = s.graph_at;
	w->wanted = n_entries;
}

void zen_count_exports(enum zen_form form, const uint8_t *bytes, uint64_t n, uint64_t length,
		       struct zen_counts *out, struct zen_bundles *w)
{
	const struct cursor c = cursor_init(bytes, n, 0);

	*out = (struct zen_counts){ .has_exports = false };
	*w = (struct zen_bundles){ .wanted = 0 };
	if (form == ZEN_INITIAL)
		count_initial(c, length, out);
	else
		count_counted(c, length, out, w);
	zen_count_bundles(w, (struct held){ bytes, n }, out);
}
