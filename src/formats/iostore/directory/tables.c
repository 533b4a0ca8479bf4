/* The tables of the directory index: where they lie, whether they are whole, and their rows. */
#include "formats/iostore/directory/parts.h"

#include "core/mutant.h"

/* ---- Where they lie -------------------------------------------------------------------------- */

UVET_COLD static bool note_break(struct directory *x, const struct cursor *c,
				 enum index_fault fault, const char *what, int64_t value)
{
	x->broken = (struct index_break){ fault, what, c->pos, cursor_left(c), value };
	return false;
}

bool directory_take_string(struct directory *x, struct cursor *c, const char *what,
			   struct text *text)
{
	int64_t length;

	if (index_string_read(c, text, &length))
		return true;
	return note_break(x, c, INDEX_STRING_CUT, what, length);
}

/* A table is its count and its rows, each of at least row_len bytes. */
static bool take_table(struct directory *x, struct cursor *c, const char *what, uint64_t row_len,
		       uint64_t *n)
{
	struct cursor here = *c;

	if (!cursor_u32(&here, n))
		return note_break(x, c, INDEX_BAD_COUNT, what, 0);
	/* mutant: one row may be missing */
	if (*n > INT32_MAX || !cursor_fits(&here, *n - MUTANT(95), row_len))
		return note_break(x, c, INDEX_BAD_COUNT, what, (int32_t)(uint32_t)*n);
	*c = here;
	return true;
}

static bool take_rows(struct directory *x, struct cursor *c, const char *what, uint64_t row_len,
		      uint64_t *n, struct span *at)
{
	return take_table(x, c, what, row_len, n) && cursor_skip(c, *n * row_len, at);
}

bool directory_read_head(struct directory *x, struct cursor *c)
{
	if (!directory_take_string(x, c, "the mount point", &x->mount) ||
	    !take_rows(x, c, "directories", utoc_directory_fixed_len, &x->n_directories,
		       &x->directories_at) ||
	    !take_rows(x, c, "files", utoc_file_fixed_len, &x->n_files, &x->files_at) ||
	    !take_table(x, c, "strings", utoc_count_fixed_len, &x->n_strings))
		return false;
	x->directories = utoc_directory_in(
		held_part(x->held, x->directories_at.at - x->at.at, x->directories_at.len));
	x->files = utoc_file_in(held_part(x->held, x->files_at.at - x->at.at, x->files_at.len));
	x->strings_at = (struct span){ cursor_at(c), cursor_left(c) };
	return true;
}

bool directory_parses(struct span at, struct held bytes)
{
	struct directory x = { .at = at, .held = bytes };
	struct cursor c = cursor_init(bytes.bytes, bytes.len, at.at);

	return directory_read_head(&x, &c);
}

struct text directory_string(const struct directory *x, uint64_t i)
{
	return string_text(x, i);
}

/* ---- What they refer to ---------------------------------------------------------------------- */

/* A link is TOC_NONE or below n. */
static inline bool is_bad_link(uint32_t link, uint64_t n)
{
	return link != TOC_NONE && link >= n;
}

static void check_directories(struct directory *x)
{
	for (uint64_t i = 0; i < x->n_directories; i++) {
		const struct directory_links l = directory_links(x, i);
		const bool bad_name = is_bad_link(l.name, x->n_strings);
		/* mutant: a file behind the last */
		const bool bad_link = is_bad_link(l.child, x->n_directories) ||
				      is_bad_link(l.sibling, x->n_directories) ||
				      is_bad_link(l.file, x->n_files + (uint64_t)MUTANT(96));

		if (bad_name || bad_link)
			mark_directory(x, i,
				       (bad_name ? DIRECTORY_BAD_NAME : 0u) |
					       (bad_link ? DIRECTORY_BAD_LINK : 0u));
	}
	if (x->n_directories > 0 &&
	    (directory_links(x, 0).name != TOC_NONE || directory_links(x, 0).sibling != TOC_NONE))
		mark_directory(x, 0, DIRECTORY_ODD_ROOT);
}

static void check_files(struct directory *x)
{
	const struct utoc_file_rows files = x->files;
	const uint64_t n_chunks = x->n_chunks;

	for (uint64_t i = 0; i < files.n; i++) {
		const struct file_links l = file_links(files, i);
		const bool bad_name = l.name >= x->n_strings,
			   bad_link = is_bad_link(l.next, x->n_files);
		const bool bad_chunk = l.chunk >= n_chunks;

		if (bad_name || bad_link || bad_chunk)
			mark_file(x, i,
				  (bad_name ? FILE_BAD_NAME : 0u) |
					  (bad_link ? FILE_BAD_LINK : 0u) |
					  (bad_chunk ? FILE_BAD_CHUNK : 0u));
	}
}

void directory_check_links(struct directory *x)
{
	check_directories(x);
	check_files(x);
}

/* ---- Rows for the rules ---------------------------------------------------------------------- */

void directory_view_directories(const struct directory *x, uint64_t first, uint64_t n, void *rows)
{
	struct directory_row *out = rows;

	for (uint64_t i = first; i < first + n; i++) {
		const struct directory_links l = directory_links(x, i);

		*out++ = (struct directory_row){
			{ x->directories_at.at + i * utoc_directory_fixed_len, l.name, l.child,
			  l.sibling, l.file },
			x->directory_traits[i],
		};
	}
}

void directory_view_files(const struct directory *x, uint64_t first, uint64_t n, void *rows)
{
	struct file_row *out = rows;

	for (uint64_t i = first; i < first + n; i++) {
		const struct file_links l = file_links(x->files, i);

		*out++ = (struct file_row){ { x->files_at.at + i * utoc_file_fixed_len, l.name,
					      l.next, l.chunk },
					    x->file_traits[i] };
	}
}

void directory_view_strings(const struct directory *x, uint64_t first, uint64_t n, void *rows)
{
	const uint32_t known = STRING_TRAITS & ~(x->uses_known ? 0u : (uint32_t)STRING_UNUSED);
	struct string_row *out = rows;

	for (uint64_t i = first; i < first + n; i++) {
		const bool is_mount = i == x->n_strings;
		const struct text text = is_mount ? x->mount : directory_string(x, i);
		const uint64_t at = text.ref.at - utoc_count_fixed_len - x->at.at;
		const uint64_t units = index_string_units(layout_signed(held_u32(x->held, at)));

		*out++ = (struct string_row){
			text.ref.at - utoc_count_fixed_len,
			utoc_count_fixed_len + units * text_width(text.ref.encoding),
			text,
			x->string_traits[i] & known,
			is_mount,
		};
	}
}

/* ---- The map --------------------------------------------------------------------------------- */

struct mapper {
	const struct directory *x;
	map_sink *sink;
	void *ctx;
};

static bool put_region(const struct mapper *m, struct region r)
{
	return r.span.len == 0 || m->sink(m->ctx, &r);
}

static bool map_part(const struct mapper *m, const char *kind, const char *label, struct span span)
{
	return put_region(m, (struct region){ .span = span,
					      .kind = kind,
					      .label = label,
					      .index = UINT64_MAX,
					      .depth = 1 });
}

/* The name of a row of an index that lies in the file as it is. */
static struct text_ref name_of(const struct directory *x, uint64_t string)
{
	return string < x->n_strings ? directory_string(x, string).ref : (struct text_ref){ 0 };
}

static bool map_directories(const struct mapper *m)
{
	const struct directory *x = m->x;

	if (!map_part(m, "index", "directories", x->directories_at))
		return false;
	for (uint64_t i = 0; !x->was_encrypted && i < x->n_directories; i++)
		if (!put_region(m,
				(struct region){ .span = { x->directories_at.at +
								   i * utoc_directory_fixed_len,
							   utoc_directory_fixed_len },
						 .kind = "index",
						 .label = "directory",
						 .index = i,
						 .depth = 2,
						 .layout = &utoc_directory_layout,
						 .name = name_of(x, directory_links(x, i).name) }))
			return false;
	return true;
}

static bool map_files(const struct mapper *m)
{
	const struct directory *x = m->x;

	if (!map_part(m, "index", "files", x->files_at))
		return false;
	for (uint64_t i = 0; !x->was_encrypted && i < x->n_files; i++)
		if (!put_region(
			    m, (struct region){ .span = { x->files_at.at + i * utoc_file_fixed_len,
							  utoc_file_fixed_len },
						.kind = "index",
						.label = "file",
						.index = i,
						.depth = 2,
						.layout = &utoc_file_layout,
						.name = name_of(x, file_links(x->files, i).name) }))
			return false;
	return true;
}

bool directory_map(const struct directory *x, map_sink *sink, void *ctx)
{
	const struct mapper m = { x, sink, ctx };
	struct span mount;

	if (!x->string_traits)
		return true;
	mount = (struct span){ x->at.at, x->directories_at.at - utoc_count_fixed_len - x->at.at };
	return map_part(&m, "text", "mount point", mount) && map_directories(&m) && map_files(&m) &&
	       map_part(&m, "text", "strings", x->strings_at) &&
	       map_part(&m, "padding", "index end",
			(struct span){ span_end(x->strings_at), x->n_left });
}
