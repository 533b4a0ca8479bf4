/* A reference reading of a package's tables, slow and from the specification, and what the rules
 * must say of them. */
#include <stdio.h>
#include <string.h>

#include "oracle/oracle_format.h"
#include "oracle/oracle_properties.h"
#include "oracle/oracle_results.h"
#include "reference/reference.h"
#include "support/must.h"

enum { ROWS_MAX = 256, COVER_MAX = 1 << 16, NOBODY = -1 };

struct name {
	uint64_t at, n_units; /* without the NUL at its end */
	bool wide, no_nul, count_0, plain;
};

struct import {
	int64_t class_package, class_name, outer, name;
};

struct export
{
	int64_t class, super, outer, name, flags, size, offset;
};

/* A table of the summary. */
struct room {
	int64_t n, at;
	uint64_t least, end;
	bool complete; /* all rows could be read, and there are not too many for us */
};

struct reading {
	const uint8_t *data;
	uint64_t size, version, header_end;
	struct room names, imports, exports;
	int64_t heritage_n, heritage_at, n_generations;
	bool history; /* generations or heritage are where they may be */
	struct name name[ROWS_MAX];
	struct import import[ROWS_MAX];
	struct export export[ROWS_MAX];
};

/* ---- Reading --------------------------------------------------------------------------------- */

static int64_t i32_at(const struct reading *u, uint64_t at)
{
	return (int64_t)(int32_t)reference_u32(u->data + at);
}

static bool take_i32(const struct reading *u, uint64_t *at, int64_t *v)
{
	if (u->size - *at < 4)
		return false;
	*v = i32_at(u, *at);
	*at += 4;
	return true;
}

static bool take_index(const struct reading *u, uint64_t *at, int64_t *v)
{
	uint64_t n = reference_index(u->data + *at, u->size - *at, v);

	*at += n;
	return n > 0;
}

static bool read_old_name(const struct reading *u, uint64_t *at, struct name *n)
{
	n->at = *at;
	while (*at < u->size && u->data[*at] != 0)
		++*at;
	n->n_units = *at - n->at;
	return (*at)++ < u->size;
}

static bool read_new_name(const struct reading *u, uint64_t *at, struct name *n)
{
	int64_t count = 0;
	uint64_t width;

	if (!take_index(u, at, &count))
		return false;
	n->wide = count < 0;
	n->count_0 = count == 0;
	width = n->wide ? 2 : 1;
	n->at = *at;
	n->n_units = (uint64_t)(count < 0 ? -count : count);
	if (n->n_units > (u->size - *at) / width)
		return false;
	*at += n->n_units * width;
	if (n->n_units > 0 && u->data[*at - 1] == 0 && u->data[*at - width] == 0)
		n->n_units--;
	else
		n->no_nul = !n->count_0;
	return true;
}

/* A name that holds ASCII without a NUL inside, and ends in one. */
static bool is_plain(const struct reading *u, const struct name *n)
{
	for (uint64_t i = 0; i < n->n_units; i++)
		if (n->wide || u->data[n->at + i] == 0 || u->data[n->at + i] >= 0x80)
			return false;
	return !n->no_nul && !n->count_0;
}

static bool read_name(struct reading *u, uint64_t i, uint64_t *at)
{
	struct name *n = &u->name[i];
	int64_t flags;

	*n = (struct name){ .at = *at };
	if (!(u->version < 64 ? read_old_name(u, at, n) : read_new_name(u, at, n)) ||
	    !take_i32(u, at, &flags))
		return false;
	n->plain = is_plain(u, n);
	return true;
}

static bool read_import(struct reading *u, uint64_t i, uint64_t *at)
{
	struct import *m = &u->import[i];

	return take_index(u, at, &m->class_package) && take_index(u, at, &m->class_name) &&
	       take_i32(u, at, &m->outer) && take_index(u, at, &m->name);
}

static bool read_export(struct reading *u, uint64_t i, uint64_t *at)
{
	struct export *e = &u->export[i];

	e->offset = 0;
	return take_index(u, at, &e->class) && take_index(u, at, &e->super) &&
	       take_i32(u, at, &e->outer) && take_index(u, at, &e->name) &&
	       take_i32(u, at, &e->flags) && take_index(u, at, &e->size) &&
	       (e->size == 0 || take_index(u, at, &e->offset));
}

static bool has_room(const struct reading *u, const struct room *t)
{
	return t->n > 0 && t->at >= (int64_t)u->header_end && t->at < (int64_t)u->size &&
	       (uint64_t)t->n <= (u->size - (uint64_t)t->at) / t->least;
}

static void read_table(struct reading *u, struct room *t,
		       bool (*read)(struct reading *u, uint64_t i, uint64_t *at))
{
	t->complete = t->n == 0;
	t->end = (uint64_t)t->at;
	if (!has_room(u, t) || t->n > ROWS_MAX)
		return;
	for (int64_t i = 0; i < t->n; i++)
		if (!read(u, (uint64_t)i, &t->end))
			return;
	t->complete = true;
}

static void read_history(struct reading *u)
{
	if (u->version < 68) {
		u->heritage_n = i32_at(u, 36);
		u->heritage_at = i32_at(u, 40);
		u->history = u->heritage_n == 0 ||
			     (u->heritage_n > 0 && u->heritage_at >= 44 &&
			      u->heritage_at < (int64_t)u->size &&
			      (uint64_t)u->heritage_n <= (u->size - (uint64_t)u->heritage_at) / 16);
		return;
	}
	u->n_generations = i32_at(u, 52);
	u->history = u->n_generations > 0 && (uint64_t)u->n_generations <= (u->size - 56) / 8;
	if (u->history)
		u->header_end += 8 * (uint64_t)u->n_generations;
}

static void read_all(struct reading *u)
{
	u->header_end = u->version < 68 ? 44 : 56;
	u->names = (struct room){ .n = i32_at(u, 12),
				  .at = i32_at(u, 16),
				  .least = u->version < 64 ? 6 : 7 };
	u->exports = (struct room){ .n = i32_at(u, 20), .at = i32_at(u, 24), .least = 12 };
	u->imports = (struct room){ .n = i32_at(u, 28), .at = i32_at(u, 32), .least = 7 };
	read_history(u);
	read_table(u, &u->names, read_name);
	read_table(u, &u->imports, read_import);
	read_table(u, &u->exports, read_export);
}

/* ---- What the rules must say ----------------------------------------------------------------- */

static void check_rooms(const struct reading *u, const struct report *r)
{
	const struct room *const all[] = { &u->names, &u->imports, &u->exports };
	uint64_t negative = 0, inside = 0, outside = 0, small = 0;

	for (size_t i = 0; i < 3; i++) {
		const struct room *t = all[i];

		negative += t->n < 0;
		inside += t->n > 0 && t->at < (int64_t)u->header_end;
		outside += t->n > 0 && t->at >= (int64_t)u->header_end && t->at >= (int64_t)u->size;
		small += t->n > 0 && t->at >= (int64_t)u->header_end && t->at < (int64_t)u->size &&
			 !has_room(u, t);
	}
	oracle_expect(r, "HDR005", negative);
	oracle_expect(r, "HDR006", inside);
	oracle_expect(r, "HDR007", outside);
	oracle_expect(r, "HDR008", small);
	oracle_expect(r, "HDR021", u->names.n == 0 && u->imports.n == 0 && u->exports.n == 0);
	oracle_expect(r, u->version < 68 ? "HDR014" : "HDR009", !u->history);
	if (u->version < 68)
		oracle_expect(r, "HDR013", u->heritage_n != 1);
}

/* A table that has room and cannot be read to its end is cut, in one of the ways in which one can
 * be. */
static void check_cuts(const struct reading *u, const struct report *r)
{
	static const char *const cuts[] = { "PNM001", "PNM016", "IMP011", "EXP017",
					    "CIX001", "CIX002", "CIX003" };
	const struct room *const all[] = { &u->names, &u->imports, &u->exports };
	uint64_t n = 0, found = 0;

	for (size_t i = 0; i < 3; i++) {
		if (all[i]->n > ROWS_MAX)
			return;
		n += has_room(u, all[i]) && !all[i]->complete;
	}
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		if (!oracle_was_judged(r, cuts[i]) &&
		    report_result(r, oracle_rule(cuts[i]))->status != RULE_OTHER_VERSION)
			return;
		found += oracle_found(r, cuts[i]);
	}
	MUST(n == found, "a table is cut, or it is not");
}

static uint8_t fold(uint8_t c)
{
	return c >= 'a' && c <= 'z' ? (uint8_t)(c - 32) : c;
}

static bool same_name(const struct reading *u, const struct name *a, const struct name *b)
{
	if (a->n_units != b->n_units)
		return false;
	for (uint64_t i = 0; i < a->n_units; i++)
		if (fold(u->data[a->at + i]) != fold(u->data[b->at + i]))
			return false;
	return true;
}

static int64_t first_name(const struct reading *u, int64_t i)
{
	int64_t first = 0;

	if (i < 0 || i >= u->names.n)
		return i;
	while (!same_name(u, &u->name[first], &u->name[i]))
		first++;
	return first;
}

static bool is_none(const struct reading *u, int64_t i)
{
	return i >= 0 && i < u->names.n && u->name[i].n_units == 4 &&
	       fold(u->data[u->name[i].at]) == 'N' && fold(u->data[u->name[i].at + 1]) == 'O' &&
	       fold(u->data[u->name[i].at + 2]) == 'N' && fold(u->data[u->name[i].at + 3]) == 'E';
}

static bool all_plain(const struct reading *u)
{
	for (int64_t i = 0; i < u->names.n; i++)
		if (!u->name[i].plain)
			return false;
	return true;
}

static void check_names(const struct reading *u, const struct report *r)
{
	uint64_t lengths = 0, empty = 0, no_nul = 0, twice = 0, none = 0;

	for (int64_t i = 0; i < u->names.n; i++) {
		const struct name *n = &u->name[i];

		lengths += n->n_units > 63 || n->wide || n->count_0;
		empty += n->n_units == 0 && !n->count_0;
		no_nul += n->no_nul;
	}
	oracle_expect(r, "PNM002", lengths);
	oracle_expect(r, "PNM004", empty);
	if (!all_plain(u))
		return;
	oracle_expect(r, "PNM003", no_nul);
	for (int64_t i = 0; i < u->names.n; i++) {
		none += is_none(u, i);
		twice += !is_none(u, i) && first_name(u, i) < i;
	}
	oracle_expect(r, "PNM007", twice);
	oracle_expect(r, "PNM005", none == 0 && (u->names.n | u->imports.n | u->exports.n) != 0);
}

/* ---- References ------------------------------------------------------------------------------ */

static bool refers(const struct reading *u, int64_t v)
{
	return v <= u->exports.n && -v <= u->imports.n;
}

static bool is_name(const struct reading *u, int64_t v)
{
	return v >= 0 && v < u->names.n;
}

enum chain { OUTERS, SUPERS, CLASSES };

/* The next reference of a chain: 0 at its end. Supers and classes go by exports only. */
static int64_t next_of(const struct reading *u, int64_t v, enum chain chain)
{
	int64_t next;

	if (v > 0)
		next = chain == OUTERS   ? u->export[v - 1].outer
		       : chain == SUPERS ? u->export[v - 1].super
					 : u->export[v - 1].class;
	else
		next = u->import[-v - 1].outer;
	return refers(u, next) && (next > 0 || chain == OUTERS) ? next : 0;
}

static bool is_in_cycle(const struct reading *u, int64_t v, enum chain chain)
{
	int64_t at = next_of(u, v, chain);

	for (int64_t steps = u->exports.n + u->imports.n; at != 0 && at != v && steps > 0; steps--)
		at = next_of(u, at, chain);
	return at == v;
}

static bool same_import(const struct reading *u, const struct import *a, const struct import *b)
{
	return a->outer == b->outer && first_name(u, a->name) == first_name(u, b->name) &&
	       first_name(u, a->class_name) == first_name(u, b->class_name) &&
	       first_name(u, a->class_package) == first_name(u, b->class_package);
}

static void check_imports(const struct reading *u, const struct report *r)
{
	uint64_t names = 0, outers = 0, exports = 0, cycles = 0, twice = 0;
	const bool plain = all_plain(u);

	for (int64_t i = 0; i < u->imports.n; i++) {
		const struct import *m = &u->import[i];
		int64_t first = 0;

		names += !is_name(u, m->class_package) || !is_name(u, m->class_name) ||
			 !is_name(u, m->name);
		outers += !refers(u, m->outer);
		exports += m->outer > 0 && refers(u, m->outer);
		cycles += is_in_cycle(u, -i - 1, OUTERS);
		while (plain && !same_import(u, &u->import[first], m))
			first++;
		twice += first < i;
	}
	oracle_expect(r, "IMP001", names);
	oracle_expect(r, "IMP002", outers);
	oracle_expect(r, "IMP003", exports);
	oracle_expect(r, "IMP004", cycles);
	if (plain)
		oracle_expect(r, "IMP006", twice);
}

static bool is_placeholder(const struct reading *u, const struct export *e)
{
	return e->class == 0 && e->super == 0 && e->outer == 0 && e->flags == 0 && e->size == 0 &&
	       is_none(u, e->name);
}

/* How many exports there are with an outer and name that one before them has. */
static uint64_t count_pairs(const struct reading *u)
{
	uint64_t n = 0;

	for (int64_t i = 0; i < u->exports.n; i++) {
		const struct export *e = &u->export[i];
		bool met = is_placeholder(u, e);

		for (int64_t k = 0; k < i && !met; k++) {
			const struct export *f = &u->export[k];

			met = !is_placeholder(u, f) && f->outer == e->outer &&
			      first_name(u, f->name) == first_name(u, e->name);
			n += met;
		}
	}
	return n;
}

static bool is_outside(const struct reading *u, const struct export *e)
{
	return e->size > 0 &&
	       (e->offset < (int64_t)u->header_end || e->offset + e->size > (int64_t)u->size);
}

static void check_exports(const struct reading *u, const struct report *r)
{
	uint64_t references = 0, names = 0, negative = 0, outside = 0, cycles = 0, in_imports = 0,
		 never = 0;

	for (int64_t i = 0; i < u->exports.n; i++) {
		const struct export *e = &u->export[i];

		names += !is_name(u, e->name);
		references += (uint64_t)!refers(u, e->class) + !refers(u, e->super) +
			      !refers(u, e->outer);
		negative += e->size < 0;
		outside += is_outside(u, e);
		cycles += (uint64_t)is_in_cycle(u, i + 1, OUTERS) + is_in_cycle(u, i + 1, SUPERS) +
			  is_in_cycle(u, i + 1, CLASSES);
		in_imports += e->outer < 0 && refers(u, e->outer);
		never += e->size > 0 && (e->flags & 0x00070000) == 0;
	}
	oracle_expect(r, "EXP001", names);
	oracle_expect(r, "EXP002", references);
	oracle_expect(r, "EXP003", negative);
	oracle_expect(r, "EXP004", outside);
	oracle_expect(r, "EXP006", cycles);
	oracle_expect(r, "EXP007", in_imports);
	oracle_expect(r, "EXP015", never);
	if (all_plain(u) && oracle_was_judged(r, "EXP010") && oracle_was_judged(r, "EXP011") &&
	    oracle_was_judged(r, "EXP019"))
		MUST(oracle_found(r, "EXP010") + oracle_found(r, "EXP011") +
				     oracle_found(r, "EXP019") ==
			     count_pairs(u),
		     "a reference reading finds as many pairs of exports");
}

/* ---- How it lies in the file ----------------------------------------------------------------- */

static void paint(uint8_t *canvas, uint64_t at, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (canvas[at + i] < 2)
			canvas[at + i]++;
}

static void check_regions(const struct reading *u, const struct report *r)
{
	static uint8_t canvas[COVER_MAX];
	const struct room *const all[] = { &u->names, &u->imports, &u->exports };
	uint64_t covered = 0, gaps = 0, last = 0;
	bool twice = false;

	if (u->size > COVER_MAX || !oracle_was_judged(r, "HDR022") ||
	    !oracle_was_judged(r, "EXP012"))
		return;
	memset(canvas, 0, (size_t)u->size);
	paint(canvas, 0, u->header_end);
	if (u->heritage_n > 0)
		paint(canvas, (uint64_t)u->heritage_at, 16 * (uint64_t)u->heritage_n);
	for (size_t i = 0; i < 3; i++)
		if (all[i]->n > 0)
			paint(canvas, (uint64_t)all[i]->at, all[i]->end - (uint64_t)all[i]->at);
	for (int64_t i = 0; i < u->exports.n; i++)
		if (u->export[i].size > 0 && !is_outside(u, &u->export[i]))
			paint(canvas, (uint64_t)u->export[i].offset, (uint64_t)u->export[i].size);
	for (uint64_t i = 0; i < u->size; i++) {
		covered += canvas[i] > 0;
		twice = twice || canvas[i] == 2;
		gaps += canvas[i] == 0 && canvas[i - 1] > 0;
	}
	last = canvas[u->size - 1] == 0;
	MUST((oracle_found(r, "HDR022") + oracle_found(r, "EXP012") > 0) == twice,
	     "parts overlap where they share bytes");
	MUST(r->explained == covered, "a reference reading explains as many bytes");
	if (u->version != 156) /* Duke Nukem Forever has its own byte */
		oracle_expect(r, "HDR023", gaps - last);
	oracle_expect(r, "HDR024", last);
}

static void compare_report(const struct trial *t, const struct report *r)
{
	static struct reading u;

	if (!t->default_limits || !oracle_was_judged(r, "HDR005"))
		return;
	memset(&u, 0, offsetof(struct reading, name));
	u.data = t->subject->data;
	u.size = t->subject->size;
	u.version = reference_u32(u.data + 4) & 0xFFFF;
	read_all(&u);
	check_rooms(&u, r);
	check_cuts(&u, r);
	if (!u.names.complete || !u.imports.complete || !u.exports.complete ||
	    !oracle_was_judged(r, "IMP001"))
		return;
	check_names(&u, r);
	check_imports(&u, r);
	check_exports(&u, r);
	if (u.history)
		check_regions(&u, r);
}

static void compare_facts(const struct trial *t, const void *facts)
{
	oracle_properties(facts, t->subject->data);
}

const struct oracle_format oracle_upkg = {
	.names = { "Mod.u", "Mod.u", "DM-Mod.unr", "Mo d%n.utx", "a/Mod Music.umx", "download",
		   "b.txt" },
	.compare_report = compare_report,
	.compare_facts = compare_facts,
};
