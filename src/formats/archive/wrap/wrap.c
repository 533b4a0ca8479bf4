/* What else archives come as: sniffing, the archive behind a program, and the format as the engine
 * sees it. */
#include "formats/archive/wrap/wrap.h"

#include <string.h>

#include "core/path.h"
#include "core/rows.h"
#include "formats/archive/wrap/installer.h"

#define FORMAT wrap
#define FORMAT_DEF "formats/archive/wrap/wrap.def"
#define FORMAT_RULES "rule/ids/wrap.def"
#include "formats/define.h"

/* ---- What it is ------------------------------------------------------------------------------ */

static bool read_first(struct decode *d, const struct wrap *w, uint8_t *buf, struct held *out)
{
	*out = (struct held){ buf, w->size < ARC_SIGNATURE_LEN ? w->size : ARC_SIGNATURE_LEN };
	return decode_copy(d, WRAP_FILE, (struct span){ 0, out->len }, buf);
}

/* The volume descriptors of ISO 9660 follow sixteen sectors that are free for anything. */
static bool look_for_iso(struct decode *d, struct wrap *w)
{
	enum { AT = 0x8001, LEN = 5 };
	uint8_t bytes[LEN];

	if (w->size < AT + LEN || !text_is(path_extension(text_from(d->source->name)), "iso"))
		return true;
	if (!decode_copy(d, WRAP_FILE, (struct span){ AT, LEN }, bytes))
		return false;
	if (memcmp(bytes, "CD001", LEN) == 0)
		w->what = "disc image (.iso)";
	return true;
}

static bool is_msi(struct decode *d, struct held first)
{
	static const uint8_t ole[] = { 0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1 };

	return first.len >= sizeof ole && memcmp(first.bytes, ole, sizeof ole) == 0 &&
	       text_is(path_extension(text_from(d->source->name)), "msi");
}

static bool look_at_first(struct decode *d, struct wrap *w)
{
	uint8_t bytes[ARC_SIGNATURE_LEN];
	struct held first;

	if (!read_first(d, w, bytes, &first))
		return false;
	w->what = arc_unread_name(first);
	if (!w->what && !look_for_iso(d, w))
		return false;
	if (w->what) {
		w->defects |= WRAP_UNREAD;
		if (w->file.promised != ARC_NO_ARCHIVE)
			w->defects |= WRAP_MISNAMED;
	} else if (is_msi(d, first)) {
		w->what = "Windows Installer";
		w->defects |= WRAP_INSTALLER;
	}
	return true;
}

/* Up to a signature of the program that ends the file. */
static void take_archive(struct wrap *w, const struct arc_second *found)
{
	const struct span s = w->program.signature;

	w->inner = found->is;
	w->archive = (struct span){ found->at.at, w->size - found->at.at };
	if (s.len > 0 && s.at > found->at.at && s.at < w->size && s.len == w->size - s.at)
		w->archive.len = s.at - found->at.at;
	else
		w->program.signature = (struct span){ 0, 0 };
}

static bool look_behind(struct decode *d, struct wrap *w)
{
	struct arc_second found = { .is = ARC_NO_ARCHIVE };

	if (!arc_program_read(d, WRAP_FILE, &w->program))
		return false;
	if (!w->program.system)
		return true;
	if (!arc_second_within(d, WRAP_FILE, (struct span){ 0, w->size }, &found))
		return false;
	if (found.is != ARC_NO_ARCHIVE) {
		w->defects |= WRAP_UNPACKS;
		take_archive(w, &found);
		return true;
	}
	if (!wrap_find_installer(d, w))
		return false;
	w->defects |= w->what ? WRAP_INSTALLER : 0;
	return true;
}

/* false: the bytes cannot be read. */
static bool look(struct decode *d, struct wrap *w)
{
	arc_file_look(&w->file, d->source);
	if (w->file.is != ARC_NO_ARCHIVE && w->file.is != ARC_IS_UNREAD)
		return true;
	return look_at_first(d, w) && (w->what || look_behind(d, w));
}

static bool wrap_sniff(struct decode *d)
{
	struct wrap w = { .size = d->source->io.size };

	return look(d, &w) && w.defects != 0;
}

/* ---- Decoding -------------------------------------------------------------------------------- */

/* x.exe has x.7z in it. */
static bool name_archive(struct decode *d, struct wrap *w)
{
	const struct text stem = path_stem(path_last(text_from(d->source->name)));
	const char *ending = w->inner == ARC_IS_7Z ? ".7z" : ".rar";
	const size_t len = strlen(ending);
	uint8_t *name = decode_alloc(d, WRAP_CONTENT, stem.ref.n_units + len, 1);

	if (!name)
		return false;
	memcpy(name, stem.data, stem.ref.n_units);
	memcpy(name + stem.ref.n_units, ending, len);
	w->name = stem;
	w->name.data = name;
	w->name.ref.n_units += (uint32_t)len;
	return true;
}

static void decode_all(struct decode *d, struct wrap *w)
{
	const struct span whole = { 0, w->size };

	if (!look(d, w))
		return;
	if (w->defects & WRAP_UNPACKS)
		(void)(name_archive(d, w) &&
		       arc_program_join(d, WRAP_CONTENT, w->archive.at,
					&w->program)); /* a failure is noted */
	else
		(void)decode_stop(d, WRAP_CONTENT, STOP_UNSUPPORTED, whole);
}

static const void *wrap_decode(struct decode *d)
{
	struct wrap *w = arena_alloc(d->arena, 1, sizeof *w);

	if (!w)
		return NULL;
	*w = (struct wrap){ .groups = d->groups, .size = d->source->io.size };
	decode_all(d, w);
	decode_spread(d, wrap_groups, wrap_n_groups);
	return w;
}

/* ---- For the engine -------------------------------------------------------------------------- */

static uint64_t wrap_version(const void *facts)
{
	(void)facts;
	return 0;
}

static uint64_t wrap_explained(const void *facts)
{
	const struct wrap *w = facts;

	return w->defects & WRAP_UNPACKS ? w->size : 0;
}

static bool tell(map_sink *sink, void *ctx, const char *kind, const char *label, struct span at)
{
	const struct region r = { .span = at, .kind = kind, .label = label, .index = UINT64_MAX };

	return at.len == 0 || sink(ctx, &r);
}

static bool wrap_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct wrap *w = facts;
	const uint64_t end = span_end(w->archive);

	(void)d;
	if (!(w->defects & WRAP_UNPACKS))
		return true;
	return tell(sink, ctx, "code", "program", (struct span){ 0, w->archive.at }) &&
	       tell(sink, ctx, "payload", "archive", w->archive) &&
	       tell(sink, ctx, "signature", "signature", (struct span){ end, w->size - end });
}

static void wrap_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct wrap *w = facts;

	if (w->what)
		sink(ctx, &(struct info){ .name = "form", .word = w->what });
	else if (w->defects & WRAP_UNPACKS)
		sink(ctx,
		     &(struct info){ .name = "unpacks", .word = arc_signature_name(w->inner) });
}

static bool wrap_next(const void *facts, const struct decode *d, struct nested_walk *walk,
		      struct nested *out)
{
	const struct wrap *w = facts;

	if (walk->row > 0 || !(w->defects & WRAP_UNPACKS) || !decode_has(d, WRAP_CONTENT))
		return false;
	walk->row++;
	*out = (struct nested){ .name = w->name, .is_seen = true, .span = w->archive };
	return true;
}

static const struct nested_files wrap_nested_files = { .next = wrap_next };

const struct format wrap_format = {
	.name = "wrap",
	.title = "installer or other archive",
	.groups = wrap_groups,
	.n_groups = wrap_n_groups,
	.traits = wrap_traits,
	.n_tables = wrap_n_tables,
	.layouts = wrap_layouts,
	.rules = wrap_rules,
	.extensions = wrap_extensions,
	.shared = wrap_shared,
	.sniff = wrap_sniff,
	.decode = wrap_decode,
	.version = wrap_version,
	.tables = wrap_tables,
	.explained = wrap_explained,
	.map = wrap_map,
	.info = wrap_info,
	.nested = &wrap_nested_files,
};
