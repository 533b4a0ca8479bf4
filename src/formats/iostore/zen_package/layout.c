/* Which layout a package has, and its summary. The container header's version tells, and where
 * several layouts have it, or there is none, the bytes do: the layout is the one whose sections
 * tile the header. Source: conformance/spec/zen.md, 1 and 2. */
#include "formats/iostore/zen_package/parts.h"

/* ---- How well the first bytes fit each family of layouts ------------------------------------- */

enum family { FAMILY_UE4, FAMILY_COUNTED, FAMILY_NAMED };

enum {
	UE5_HEADER_SIZE_AT = 4,
	UE4_GRAPH_AT = 52, /* where the graph data's offset and, after it, its size stand */
	ALGORITHM_AT = 8,  /* of a batch of names, in UE5 */
	NAME_LEN = 10,     /* bytes of a name besides its characters, in UE5 */
	NAMES_WEIGHT = 3,
	PERFECT = 1000,
	/* of the 8 conditions of UE4 one may fail, of the 8 to 13 of UE5 one or two; but not the
	 * batch of names, which counts three times */
	LIKELY = 800,
	POSSIBLE = 500, /* below it nothing is known of a file whose name promises a package */
};

/* A fit counts how many of the conditions hold. */
struct fit {
	uint64_t held, asked;
};

static void ask(struct fit *f, uint64_t weight, bool holds)
{
	f->asked += weight;
	f->held += holds ? weight : 0;
}

static void ask_rows(struct fit *f, uint64_t from, uint64_t to, uint64_t each)
{
	ask(f, 1, from <= to && (to - from) % each == 0);
}

static uint64_t score(const struct fit *f)
{
	return f->held * PERFECT / f->asked;
}

static uint64_t fit_ue4(struct held first, uint64_t length)
{
	struct cursor c = cursor_init(first.bytes, first.len, 0);
	struct zen_summary_initial s;
	struct fit f = { 0, 0 };
	uint64_t names_end;

	if (!zen_summary_initial_read(&c, 0, &s))
		return 0;
	names_end = s.names_at + s.names_size;
	ask(&f, 1, s.names_at == zen_summary_initial_fixed_len);
	ask(&f, 1, names_end <= s.hashes_at && s.hashes_at - names_end < 8);
	ask(&f, 1, s.hashes_at + s.hashes_size == s.imports_at);
	ask_rows(&f, s.imports_at, s.exports_at, zen_import_fixed_len);
	ask_rows(&f, s.exports_at, s.bundles_at, zen_export_fixed_len);
	ask_rows(&f, s.bundles_at, s.graph_at, zen_entry_fixed_len);
	ask(&f, 1, s.graph_size >= ZEN_COUNT_LEN && s.graph_at + s.graph_size <= length);
	ask(&f, 1, s.pad == 0);
	return score(&f);
}

/* Asks whether a batch of names lies at one of two places and ends before the hashes. */
static void ask_names(struct fit *f, struct held first, uint64_t at, uint64_t or_at,
		      uint64_t hashes_at)
{
	const uint64_t places[] = { at, or_at };
	bool holds = false;

	for (size_t i = 0; i < 2; i++) {
		const uint64_t n = held_u32(first, places[i]), len = held_u32(first, places[i] + 4),
			       head = held_has(first, places[i], 8) ? 16 : 4;

		holds |= n > 0 && places[i] + head + n * NAME_LEN + len <= hashes_at;
	}
	ask(f, NAMES_WEIGHT, holds);
}

static uint64_t fit_counted(struct held first, uint64_t length)
{
	struct cursor c = cursor_init(first.bytes, first.len, 0);
	struct zen_summary_counted s;
	struct fit f = { 0, 0 };

	if (!zen_summary_counted_read(&c, 0, &s))
		return 0;
	ask(&f, 1, s.has_versions <= 1);
	ask(&f, 1, s.header_size >= zen_summary_counted_fixed_len && s.header_size <= length);
	ask(&f, 1, s.hashes_at >= zen_summary_counted_fixed_len + ZEN_COUNT_LEN);
	ask_rows(&f, s.hashes_at, s.imports_at, zen_hash_fixed_len);
	ask_rows(&f, s.imports_at, s.exports_at, zen_import_fixed_len);
	ask_rows(&f, s.exports_at, s.entries_at, zen_export_fixed_len);
	ask_rows(&f, s.entries_at, s.graph_at, zen_entry_fixed_len);
	ask(&f, 1, s.graph_at <= s.header_size);
	if (s.has_versions == 0)
		ask_names(&f, first, zen_summary_counted_fixed_len, zen_summary_counted_fixed_len,
			  s.hashes_at);
	return score(&f);
}

/* Tables of cells may lie between exports and entries. */
static uint64_t fit_named(struct held first, uint64_t length)
{
	struct cursor c = cursor_init(first.bytes, first.len, 0);
	struct zen_summary_named s;
	struct fit f = { 0, 0 };

	if (!zen_summary_named_read(&c, 0, &s))
		return 0;
	ask(&f, 1, s.has_versions <= 1);
	ask(&f, 1, s.header_size >= zen_summary_named_fixed_len && s.header_size <= length);
	ask(&f, 1, s.hashes_at >= zen_summary_named_fixed_len + ZEN_COUNT_LEN);
	ask_rows(&f, s.hashes_at, s.imports_at, zen_hash_fixed_len);
	ask_rows(&f, s.imports_at, s.exports_at, zen_import_fixed_len);
	ask_rows(&f, s.exports_at, s.entries_at, zen_entry_fixed_len);
	ask_rows(&f, s.entries_at, s.dependency_heads, zen_entry_fixed_len);
	ask_rows(&f, s.dependency_heads, s.dependencies, zen_dependency_head_fixed_len);
	ask_rows(&f, s.dependencies, s.names_at, zen_dependency_fixed_len);
	ask(&f, 1, s.names_at + ZEN_COUNT_LEN <= s.header_size);
	if (s.has_versions == 0)
		ask_names(&f, first, zen_summary_named_fixed_len,
			  zen_summary_named_fixed_len + zen_cells_fixed_len, s.hashes_at);
	return score(&f);
}

/* A package with names of imported packages fits the older layout of UE5 too, whose offsets are
 * the same as far as it goes. */
static enum family best_family(struct held first, uint64_t length, uint64_t *best)
{
	const uint64_t ue4 = fit_ue4(first, length), counted = fit_counted(first, length),
		       named = fit_named(first, length);

	*best = named;
	if (ue4 > named && ue4 > counted) {
		*best = ue4;
		return FAMILY_UE4;
	}
	if (counted <= named)
		return FAMILY_NAMED;
	*best = counted;
	return FAMILY_COUNTED;
}

bool zen_is_likely(struct held first, uint64_t length, bool is_named)
{
	uint64_t best;

	best_family(first, length, &best);
	return best >= (is_named ? LIKELY : PERFECT);
}

static enum family claimed_family(const struct package_claims *claims)
{
	if (claims->version < 1)
		return FAMILY_UE4;
	return claims->version <= 2 ? FAMILY_COUNTED : FAMILY_NAMED;
}

/* *best is how well the bytes fit it, if nothing else says which it is. */
static enum family family_of(struct held first, uint64_t length,
			     const struct package_claims *claims, uint64_t *best)
{
	*best = PERFECT;
	if (claims && claims->version != CLAIMS_NO_VERSION)
		return claimed_family(claims);
	if (claims && claims->is_ue4)
		return FAMILY_UE4;
	if (claims)
		return fit_counted(first, length) > fit_named(first, length) ? FAMILY_COUNTED
									     : FAMILY_NAMED;
	return best_family(first, length, best);
}

uint64_t zen_header_size(struct held first, uint64_t length, const struct package_claims *claims)
{
	uint64_t best;
	const bool ue4 = family_of(first, length, claims, &best) == FAMILY_UE4;
	const uint64_t says = ue4 ? held_u32(first, UE4_GRAPH_AT) +
					      held_u32(first, UE4_GRAPH_AT + 4)
				  : held_u32(first, UE5_HEADER_SIZE_AT),
		       least = says < ZEN_SUMMARY_MOST ? ZEN_SUMMARY_MOST : says;

	return least < length ? least : length;
}

/* ---- Summaries ------------------------------------------------------------------------------- */

static void take_ue4(struct zen *z, const struct zen_summary_initial *s)
{
	struct zen_place *at = z->sections;

	z->summary = (struct zen_summary){
		.name = s->name,
		.number = s->number,
		.source_name = s->source_name,
		.source_number = s->source_number,
		.flags = s->flags,
		.cooked_header_size = s->cooked_header_size,
		.header_size = s->graph_at + s->graph_size,
		.pad = s->pad,
	};
	at[ZEN_AT_NAMES] = (struct zen_place){ s->names_at, s->names_size };
	at[ZEN_AT_NAME_HASHES] = (struct zen_place){ s->hashes_at, s->hashes_size };
	at[ZEN_AT_IMPORTS].at = s->imports_at;
	at[ZEN_AT_EXPORTS].at = s->exports_at;
	at[ZEN_AT_ENTRIES].at = s->bundles_at;
	at[ZEN_AT_GRAPH] = (struct zen_place){ s->graph_at, s->graph_size };
}

/* Takes what both summaries of Unreal Engine 5 have; s is a pointer to either record. */
#define TAKE_COMMON(z, s) \
	do { \
		(z)->summary = (struct zen_summary){ \
			.name = (s)->name, \
			.number = (s)->number, \
			.flags = (s)->flags, \
			.cooked_header_size = (s)->cooked_header_size, \
			.has_versions = (s)->has_versions, \
			.header_size = (s)->header_size, \
		}; \
		(z)->sections[ZEN_AT_HASHES].at = (s)->hashes_at; \
		(z)->sections[ZEN_AT_IMPORTS].at = (s)->imports_at; \
		(z)->sections[ZEN_AT_EXPORTS].at = (s)->exports_at; \
		(z)->sections[ZEN_AT_ENTRIES].at = (s)->entries_at; \
	} while (0)

static void take_counted(struct zen *z, const struct zen_summary_counted *s)
{
	TAKE_COMMON(z, s);
	z->sections[ZEN_AT_GRAPH].at = s->graph_at;
}

static void take_named(struct zen *z, const struct zen_summary_named *s)
{
	struct zen_place *at = z->sections;

	TAKE_COMMON(z, s);
	at[ZEN_AT_DEPENDENCY_HEADS].at = s->dependency_heads;
	at[ZEN_AT_DEPENDENCIES].at = s->dependencies;
	at[ZEN_AT_PACKAGES].at = s->names_at;
}

static bool read_summary_of(struct zen *z, enum family family)
{
	struct cursor c = cursor_init(z->in.header.bytes, z->in.header.len, 0);
	struct zen_summary_initial ue4;
	struct zen_summary_counted counted;
	struct zen_summary_named named;
	const bool whole = family == FAMILY_UE4       ? zen_summary_initial_read(&c, 0, &ue4)
			   : family == FAMILY_COUNTED ? zen_summary_counted_read(&c, 0, &counted)
						      : zen_summary_named_read(&c, 0, &named);

	if (!whole)
		return false;
	if (family == FAMILY_UE4)
		take_ue4(z, &ue4);
	else if (family == FAMILY_COUNTED)
		take_counted(z, &counted);
	else
		take_named(z, &named);
	z->sections[ZEN_AT_SUMMARY] = (struct zen_place){ 0, cursor_at(&c) };
	z->header_end = z->summary.header_size;
	return true;
}

/* ---- Which layout of a family ---------------------------------------------------------------- */

/* Reads the versioning info after the summary; *end is where its fixed part ends. false: there is
 * none. */
static bool read_versions(const struct zen *z, struct zen_versions *out, uint64_t *end)
{
	struct cursor c = cursor_init(z->in.header.bytes, z->in.header.len, 0);
	const bool has_summary = cursor_seek(&c, z->sections[ZEN_AT_SUMMARY].len);

	if (NEVER(!has_summary) || z->summary.has_versions == 0 || !zen_versions_read(&c, 0, out))
		return false;
	*end = cursor_at(&c);
	return true;
}

/* Where what follows the summary and the versioning info begins. */
static uint64_t after_versions(const struct zen *z)
{
	struct zen_versions v;
	uint64_t end;

	return read_versions(z, &v, &end) ? end + v.n_custom * zen_custom_version_fixed_len
					  : z->sections[ZEN_AT_SUMMARY].len;
}

/* Where a batch of names at `at` ends; 0: it does not fit. */
static uint64_t end_of_names(const struct zen *z, uint64_t at)
{
	struct name_batch b;

	if (at > z->in.header.len || !names_find(&b, z->in.header, at) || b.n == 0)
		return 0;
	return b.end;
}

/* Where a bulk data map ends whose size stands at `at`; 0: it has no whole rows. */
static uint64_t end_of_bulk(const struct zen *z, uint64_t at)
{
	const uint64_t len = held_u64(z->in.header, at);

	if (!held_has(z->in.header, at, zen_bulk_size_fixed_len) || len > z->header_end ||
	    len % zen_bulk_fixed_len != 0)
		return 0;
	return at + zen_bulk_size_fixed_len + len;
}

static bool cells_are_in_order(const struct zen *z, uint64_t at)
{
	const uint64_t imports = held_u32(z->in.header, at),
		       exports = held_u32(z->in.header, at + 4);

	return z->sections[ZEN_AT_EXPORTS].at <= imports && imports <= exports &&
	       exports <= z->sections[ZEN_AT_ENTRIES].at;
}

/* Tells whether a batch of names at `at` names the algorithm that all engines have. */
static bool has_algorithm(const struct zen *z, uint64_t at)
{
	return held_u64(z->in.header, at + ALGORITHM_AT) == NAME_ALGORITHM;
}

/* Tells whether there are two offsets of cells before the names: the batch of names is at `at` or
 * after them. In a container of 5.6 they are there, and only where there is versioning info the
 * bytes are asked. Where the algorithm of the batch is in both places or in neither, that info
 * tells, and of a loose package the offsets do. */
static bool has_cells(const struct zen *z, bool claimed, uint64_t at)
{
	const bool at_once = has_algorithm(z, at),
		   after_offsets = has_algorithm(z, at + zen_cells_fixed_len);
	struct zen_versions v;
	uint64_t end;

	if (claimed && (z->claims->version < CLAIMS_CELLS || !read_versions(z, &v, &end)))
		return z->claims->version >= CLAIMS_CELLS;
	if (at_once != after_offsets)
		return after_offsets;
	if (claimed)
		return zen_is_since(&v, ZEN_UE5_CELLS);
	return cells_are_in_order(z, at) && end_of_names(z, at) == 0;
}

static enum zen_version named_version(const struct zen *z)
{
	const bool claimed = z->claims && z->claims->version != CLAIMS_NO_VERSION;
	const uint64_t at = after_versions(z), end = end_of_names(z, at);

	if (has_cells(z, claimed, at))
		return ZEN_5_6;
	if (end > 0 && end_of_bulk(z, end) == z->sections[ZEN_AT_HASHES].at &&
	    !(z->claims && (z->claims->version > 3 || z->claims->is_since_5_4)))
		return ZEN_5_3;
	return ZEN_5_4;
}

static enum zen_version counted_version(const struct zen *z)
{
	const uint64_t end = end_of_names(z, after_versions(z));
	const bool is_first = z->claims && z->claims->version == 1;

	return !is_first && end > 0 && z->sections[ZEN_AT_HASHES].at > end ? ZEN_5_2 : ZEN_5_0;
}

/* The packages from which tools make zen packages begin with a tag, in either order of bytes. */
static bool is_older_form(struct held first)
{
	const uint64_t tag = held_u32(first, 0);

	return tag == PACKAGE_TAG || tag == PACKAGE_TAG_SWAPPED;
}

bool zen_read_summary(struct zen *z)
{
	const struct span all = { 0, z->size };
	const struct held header = z->in.header,
			  first = held_part(header, 0,
					    header.len < ZEN_SUMMARY_MOST ? header.len
									  : ZEN_SUMMARY_MOST);
	uint64_t best;
	const enum family family = family_of(first, z->size, z->claims, &best);

	if (!read_summary_of(z, family))
		return zen_malformed(z, ZEN_SUMMARY, ZEN_SUMMARY_SHORT, all);
	if (!z->claims && (best < POSSIBLE || z->header_end == 0 || is_older_form(first))) {
		z->defects |= ZEN_FORM_UNKNOWN;
		zen_note_stop(z, ZEN_SUMMARY, STOP_UNSUPPORTED, all);
		return false;
	}
	if (family == FAMILY_UE4)
		z->version = ZEN_UE4;
	else
		z->version = family == FAMILY_COUNTED ? counted_version(z) : named_version(z);
	return true;
}
