/* The lists of packed streams, folders, and what these are split into. Source:
 * conformance/spec/sevenzip.md, 3.1 to 3.4. */
#include "core/checked.h"
#include "formats/archive/sevenzip/graph.h"

/* ---- Packed streams -------------------------------------------------------------------------- */

static bool skip_sums(struct sevenzip_reader *r, uint64_t n)
{
	struct sevenzip_bits has;
	uint32_t sum;

	if (!reader_all_or_bits(r, n, &has))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (sevenzip_has(has, i) && !reader_u32(r, &sum))
			return false;
	return true;
}

static bool read_sizes(struct sevenzip_reader *r, uint64_t n, uint64_t **out)
{
	uint64_t *sizes = decode_alloc(r->d, r->group, n, sizeof *sizes);

	if (!sizes)
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (!reader_number(r, &sizes[i]))
			return false;
	*out = sizes;
	return true;
}

/* What begins in the first bytes of the packed streams lies behind the start header. */
static bool read_packs(struct sevenzip_reader *r, struct sevenzip_streams *s)
{
	uint64_t id, at;

	if (!reader_number(r, &at) || !reader_count(r, 1, &s->n_packs))
		return false;
	s->pack_at = capped_add(at, sevenzip_start_fixed_len);
	while (reader_number(r, &id)) {
		bool goes_on = true;

		if (id == ID_END)
			return s->packs || s->n_packs == 0 || reader_fails(r, SEVENZIP_NO_SIZES);
		if (id == ID_SIZE && !s->packs)
			goes_on = read_sizes(r, s->n_packs, &s->packs);
		else if (id == ID_CRC)
			goes_on = skip_sums(r, s->n_packs);
		else
			goes_on = reader_skip(r);
		if (!goes_on)
			return false;
	}
	return false;
}

/* ---- Folders --------------------------------------------------------------------------------- */

/* Passes over what is not known until the part of that id begins. */
static bool reach(struct sevenzip_reader *r, uint64_t wanted)
{
	uint64_t id;

	while (reader_number(r, &id)) {
		if (id == wanted)
			return true;
		if (id == ID_END)
			return reader_fails(r, SEVENZIP_UNKNOWN_ID);
		if (!reader_skip(r))
			return false;
	}
	return false;
}

/* What its coders are. The sizes of what they decode follow all folders, and do not matter here. */
static void look_at_coders(const struct sevenzip_reader *r, const struct sevenzip_graph *g,
			   struct sevenzip_folder *f)
{
	static const uint64_t no_sizes[SEVENZIP_CODERS_MAX];
	const struct sevenzip_plan plan = sevenzip_plan_folder(g, no_sizes);

	f->memory = plan.memory;
	f->strange = plan.strange;
	f->lacks = plan.lacks;
	if (plan.is_strange)
		f->traits |= FOLDER_UNKNOWN;
	if (plan.is_encrypted)
		f->traits |= FOLDER_ENCRYPTED;
	if (plan.route == ROUTE_COPY)
		f->traits |= FOLDER_STORED;
	if (plan.memory > r->d->limits->of[LIMIT_memory])
		f->traits |= FOLDER_MEMORY;
}

static bool read_folder(struct sevenzip_reader *r, struct sevenzip_graph *g,
			struct sevenzip_streams *s, struct sevenzip_folder *f)
{
	const uint64_t at = cursor_at(&r->c);
	const uint8_t *form = cursor_here(&r->c);

	if (!sevenzip_read_graph(r, g))
		return false;
	*f = (struct sevenzip_folder){
		.form = form,
		.form_at = at,
		.form_len = (uint32_t)(cursor_at(&r->c) - at),
		.first_size = (uint32_t)s->n_sizes,
		.n_sizes = g->n_coders,
		.n_packs = g->n_packs,
		.traits = g->is_tree ? 0 : FOLDER_GRAPH,
		/* which of its sizes is the folder's */
		.size = g->main,
	};
	s->n_sizes += g->n_coders;
	if (g->is_tree)
		look_at_coders(r, g, f);
	return true;
}

static bool read_all_folders(struct sevenzip_reader *r, struct sevenzip_streams *s)
{
	const struct arena_mark mark = arena_mark(r->d->arena);
	struct sevenzip_graph *g = decode_alloc(r->d, r->group, 1, sizeof *g);

	if (!g)
		return false;
	for (uint64_t i = 0; i < s->n_folders; i++)
		if (!read_folder(r, g, s, &s->folders[i]))
			return false;
	arena_rewind(r->d->arena, mark);
	return true;
}

static bool read_folder_sums(struct sevenzip_reader *r, struct sevenzip_streams *s)
{
	struct sevenzip_bits has;

	if (!reader_all_or_bits(r, s->n_folders, &has))
		return false;
	for (uint64_t i = 0; i < s->n_folders; i++) {
		struct sevenzip_folder *f = &s->folders[i];

		f->has_crc = sevenzip_has(has, i);
		if (f->has_crc && !reader_u32(r, &f->crc))
			return false;
	}
	return true;
}

/* Each folder takes as many packed streams as its coders need, one after the other. */
static bool place_folders(struct sevenzip_reader *r, struct sevenzip_streams *s)
{
	uint64_t at = s->pack_at, pack = 0;

	for (uint64_t i = 0; i < s->n_folders; i++) {
		struct sevenzip_folder *f = &s->folders[i];

		if (f->n_packs > s->n_packs - pack)
			return reader_fails_by(r, SEVENZIP_PACK_COUNT, s->n_packs,
					       pack + f->n_packs);
		f->size = f->n_sizes > 0 ? s->sizes[f->first_size + f->size] : 0;
		f->first_pack = (uint32_t)pack;
		f->packed.at = at;
		for (uint64_t k = 0; k < f->n_packs; k++)
			f->packed.len = capped_add(f->packed.len, s->packs[pack++]);
		at = span_end(f->packed);
	}
	return true;
}

static bool read_folders(struct sevenzip_reader *r, struct sevenzip_streams *s)
{
	uint64_t id, is_external;

	if (!reach(r, ID_FOLDER) || !reader_count(r, 1, &s->n_folders) ||
	    !reader_byte(r, &is_external))
		return false;
	if (is_external != 0)
		return reader_fails(r, SEVENZIP_EXTERNAL);
	s->folders = decode_alloc(r->d, r->group, s->n_folders, sizeof *s->folders);
	if (!s->folders || !read_all_folders(r, s) || !reach(r, ID_FOLDER_SIZES) ||
	    !read_sizes(r, s->n_sizes, &s->sizes) || !place_folders(r, s))
		return false;
	while (reader_number(r, &id)) {
		if (id == ID_END)
			return true;
		if (!(id == ID_CRC ? read_folder_sums(r, s) : reader_skip(r)))
			return false;
	}
	return false;
}

/* ---- What folders are split into ------------------------------------------------------------- */

/* Of the parts of a folder all but the last have a size of at least a byte in the header. */
static bool read_part_counts(struct sevenzip_reader *r, struct sevenzip_streams *s)
{
	const uint64_t most = cursor_left(&r->c) + s->n_folders;

	s->n_parts = 0;
	for (uint64_t i = 0; i < s->n_folders; i++) {
		uint64_t n;

		if (!reader_number(r, &n))
			return false;
		if (n > most - s->n_parts)
			return reader_fails_by(r, SEVENZIP_COUNT, n, most - s->n_parts);
		s->folders[i].n_rows = (uint32_t)n;
		s->n_parts += n;
	}
	if (s->n_parts > r->d->limits->of[LIMIT_entries] || s->n_parts >= UINT32_MAX)
		return decode_stop_limit(r->d, r->group, LIMIT_entries, r->z->header);
	return decode_spend(r->d, r->group, s->n_parts);
}

/* The last part has what the others leave. */
static bool split_folder(struct sevenzip_reader *r, const struct sevenzip_folder *f,
			 struct sevenzip_part *parts, bool has_sizes)
{
	uint64_t left = f->size;

	if (f->n_rows > 1 && !has_sizes)
		return reader_fails(r, SEVENZIP_NO_SIZES);
	for (uint32_t i = 0; i < f->n_rows; i++) {
		struct sevenzip_part *p = &parts[i];

		*p = (struct sevenzip_part){ .size = left };
		if (i + 1 < f->n_rows && !reader_number(r, &p->size))
			return false;
		if (p->size > left)
			return reader_fails_by(r, SEVENZIP_SIZES, p->size, left);
		left -= p->size;
	}
	return true;
}

static bool split_folders(struct sevenzip_reader *r, struct sevenzip_streams *s, bool has_sizes)
{
	uint64_t part = 0;

	s->parts = decode_alloc(r->d, r->group, s->n_parts, sizeof *s->parts);
	if (!s->parts)
		return false;
	for (uint64_t i = 0; i < s->n_folders; i++) {
		const struct sevenzip_folder *f = &s->folders[i];

		if (!split_folder(r, f, s->parts + part, has_sizes))
			return false;
		if (f->n_rows == 1 && f->has_crc) {
			s->parts[part].has_crc = true;
			s->parts[part].crc = f->crc;
		}
		part += f->n_rows;
	}
	return true;
}

/* Those of the parts that have none from their folder. */
static bool read_part_sums(struct sevenzip_reader *r, struct sevenzip_streams *s)
{
	struct sevenzip_bits has;
	uint64_t n = 0, bit = 0;

	for (uint64_t i = 0; i < s->n_parts; i++)
		n += !s->parts[i].has_crc;
	if (!reader_all_or_bits(r, n, &has))
		return false;
	for (uint64_t i = 0; i < s->n_parts; i++) {
		struct sevenzip_part *p = &s->parts[i];

		if (p->has_crc || !sevenzip_has(has, bit++))
			continue;
		if (!reader_u32(r, &p->crc))
			return false;
		p->has_crc = true;
	}
	return true;
}

/* What follows the sizes of the parts. */
static bool end_parts(struct sevenzip_reader *r, struct sevenzip_streams *s, uint64_t id)
{
	bool has_sums = false;

	while (id != ID_END) {
		const bool is_sums = id == ID_CRC && !has_sums;

		if (!(is_sums ? read_part_sums(r, s) : reader_skip(r)) || !reader_number(r, &id))
			return false;
		has_sums = has_sums || is_sums;
	}
	return true;
}

static bool read_parts(struct sevenzip_reader *r, struct sevenzip_streams *s)
{
	uint64_t id;
	bool has_sizes;

	if (!reader_number(r, &id))
		return false;
	if (id == ID_PART_COUNTS && (!read_part_counts(r, s) || !reader_number(r, &id)))
		return false;
	while (id != ID_SIZE && id != ID_CRC && id != ID_END)
		if (!reader_skip(r) || !reader_number(r, &id))
			return false;
	has_sizes = id == ID_SIZE;
	if (!split_folders(r, s, has_sizes) || (has_sizes && !reader_number(r, &id)))
		return false;
	return end_parts(r, s, id);
}

/* ---- All of them ----------------------------------------------------------------------------- */

bool sevenzip_read_streams(struct sevenzip_reader *r, struct sevenzip_streams *out)
{
	uint64_t id;

	*out = (struct sevenzip_streams){ .pack_at = sevenzip_start_fixed_len };
	if (!reader_number(r, &id) ||
	    (id == ID_PACKS && (!read_packs(r, out) || !reader_number(r, &id))) ||
	    (id == ID_FOLDERS && (!read_folders(r, out) || !reader_number(r, &id))))
		return false;
	out->n_parts = out->n_folders;
	for (uint64_t i = 0; i < out->n_folders; i++)
		out->folders[i].n_rows = 1;
	if (id == ID_PARTS) {
		if (!read_parts(r, out) || !reader_number(r, &id))
			return false;
	} else if (!split_folders(r, out, false)) {
		return false;
	}
	return id == ID_END || reader_fails_by(r, SEVENZIP_UNKNOWN_ID, id, ID_END);
}
