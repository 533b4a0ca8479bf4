/* A reference reading of a UMOD installer, slow and from the specification, and what the rules must
 * say of it. */
#include <stdio.h>
#include <string.h>

#include "core/ending.h"
#include "oracle/oracle_format.h"
#include "oracle/oracle_results.h"
#include "reference/reference.h"
#include "support/must.h"

enum { TRAILER = 20, ENTRIES_MAX = 256, COVER_MAX = 1 << 16 };

struct entry {
	uint64_t name_at, n_units, offset, size, flags;
	bool wide;
};

struct reading {
	const uint8_t *data;
	uint64_t size, dir_offset, file_size, version, crc, trailer_at;
	uint64_t n_entries, dir_end;
	bool complete; /* all entries could be read, and there are not too many for us */
	struct entry entries[ENTRIES_MAX];
};

/* Reads one entry at *at; it must end before the trailer. */
static bool read_entry(const struct reading *r, uint64_t *at, struct entry *e)
{
	int64_t count = 0;
	uint64_t len = reference_index(r->data + *at, r->trailer_at - *at, &count), n, bytes;

	if (len == 0)
		return false;
	n = count < 0 ? (uint64_t)-count : (uint64_t)count;
	bytes = count < 0 ? 2 * n : n;
	if (len + bytes + 12 > r->trailer_at - *at)
		return false;
	*e = (struct entry){ .name_at = *at + len, .n_units = n, .wide = count < 0 };
	*at += len + bytes;
	e->offset = reference_u32(r->data + *at);
	e->size = reference_u32(r->data + *at + 4);
	e->flags = reference_u32(r->data + *at + 8);
	*at += 12;
	return true;
}

static void read_entries(struct reading *r)
{
	int64_t count = 0;
	uint64_t at = r->dir_offset,
		 len = reference_index(r->data + at, r->trailer_at - at, &count);

	if (len == 0 || count < 0 || count > ENTRIES_MAX)
		return;
	at += len;
	while (r->n_entries < (uint64_t)count && read_entry(r, &at, &r->entries[r->n_entries]))
		r->n_entries++;
	r->complete = r->n_entries == (uint64_t)count;
	r->dir_end = at;
}

static void read_all(struct reading *r)
{
	const uint8_t *p = r->data + r->size - TRAILER;

	r->trailer_at = r->size - TRAILER;
	r->dir_offset = reference_u32(p + 4);
	r->file_size = reference_u32(p + 8);
	r->version = reference_u32(p + 12);
	r->crc = reference_u32(p + 16);
	if (r->dir_offset < r->trailer_at)
		read_entries(r);
}

/* ---- What the rules must say ----------------------------------------------------------------- */

static void check_trailer(const struct reading *u, const struct report *r)
{
	bool foreign = u->version == 2;

	oracle_expect(r, "UMD003", u->version != 1);
	oracle_expect(r, "UMD004", !foreign && u->file_size != u->size);
	oracle_expect(r, "UMD005", !foreign && u->dir_offset >= u->trailer_at);
	if (oracle_was_judged(r, "UMD006"))
		oracle_expect(r, "UMD006", reference_crc(u->data, u->trailer_at) != u->crc);
}

static bool is_outside(const struct reading *u, const struct entry *e)
{
	return e->size > 0x7FFFFFFF || e->offset + e->size > u->dir_offset;
}

static void check_entries(const struct reading *u, const struct report *r)
{
	uint64_t outside = 0, empty = 0, compressed = 0, backward = 0;

	for (uint64_t i = 0; i < u->n_entries; i++) {
		const struct entry *e = &u->entries[i];

		outside += is_outside(u, e);
		empty += e->size == 0;
		compressed += e->flags >> 2 & 1;
		backward += i > 0 && e->offset < e[-1].offset;
	}
	oracle_expect(r, "UMD010", outside);
	oracle_expect(r, "UMD027", empty);
	oracle_expect(r, "UMD029", compressed);
	oracle_expect(r, "UMD021", backward > 0);
	oracle_expect(r, "UMD008", u->dir_end != u->trailer_at);
}

static uint8_t fold(uint8_t c)
{
	return c >= 'a' && c <= 'z' ? (uint8_t)(c - 32) : c == '/' ? '\\' : c;
}

static uint64_t name_len(const struct reading *u, const struct entry *e)
{
	return e->n_units > 0 && u->data[e->name_at + e->n_units - 1] == 0 ? e->n_units - 1
									   : e->n_units;
}

static bool same_name(const struct reading *u, const struct entry *a, const struct entry *b)
{
	uint64_t n = name_len(u, a);

	if (n != name_len(u, b))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (fold(u->data[a->name_at + i]) != fold(u->data[b->name_at + i]))
			return false;
	return true;
}

/* Names beyond ASCII are left to the harness of paths. */
static bool is_plain(const struct reading *u, const struct entry *e)
{
	for (uint64_t i = 0; i < e->n_units; i++)
		if (e->wide || u->data[e->name_at + i] >= 0x80)
			return false;
	return true;
}

/* Each name that was there before is a duplicate, of the first that has it. */
static void check_duplicates(const struct reading *u, const struct report *r)
{
	const struct rule_result *result = report_result(r, oracle_rule("UMD013"));
	uint64_t n = 0;

	if (u->n_entries > 64)
		return;
	for (uint64_t i = 0; i < u->n_entries; i++) {
		uint64_t first = 0;

		if (!is_plain(u, &u->entries[i]))
			return;
		while (!same_name(u, &u->entries[first], &u->entries[i]))
			first++;
		n += first < i;
	}
	oracle_expect(r, "UMD013", n);
	for (const struct finding *f = result->first; f; f = f->next)
		MUST(f->args[1].number < f->args[0].number, "the later of two entries is to blame");
}

/* Gaps by painting bytes. */
static void check_gaps(const struct reading *u, const struct report *r)
{
	static uint8_t paint[COVER_MAX];
	uint64_t n_gaps = 0, sum = 0, painted = 0;

	if (u->dir_offset > COVER_MAX || !oracle_was_judged(r, "UMD006"))
		return;
	memset(paint, 0, u->dir_offset);
	for (uint64_t i = 0; i < u->n_entries; i++) {
		const struct entry *e = &u->entries[i];

		if (is_outside(u, e))
			continue;
		memset(paint + e->offset, 1, e->size);
		sum += e->size;
	}
	for (uint64_t i = 0, end; i < u->dir_offset; i = end) {
		bool zero = true;

		for (end = i; end < u->dir_offset && paint[end] == paint[i]; end++)
			zero = zero && u->data[end] == 0;
		painted += paint[i] ? end - i : 0;
		n_gaps += !paint[i] &&
			  !(zero && end - i < 16 && (end == u->dir_offset || end % 16 == 0));
	}
	oracle_expect(r, "UMD012", n_gaps);
	if (oracle_was_judged(r, "UMD011"))
		MUST((oracle_found(r, "UMD011") > 0) == (sum > painted),
		     "members overlap where they share bytes");
}

static bool ends_in(const struct reading *u, const struct entry *e, const char *extension)
{
	uint64_t n = name_len(u, e), len = strlen(extension);

	for (uint64_t i = 0; i < len; i++)
		if (n < len ||
		    fold(u->data[e->name_at + n - len + i]) != fold((uint8_t)extension[i]))
			return false;
	return true;
}

static bool promises(const struct reading *u, const struct entry *e)
{
	static const char *const all[] = { ".umod", ".ut2mod", ".ut4mod", ".rmod", ".umd",
					   ".u",    ".unr",    ".utx",    ".uax",  ".umx",
					   ".ut2",  ".usx",    ".ukx",    ".uxx",  ".dx",
					   ".rom",  ".un2",    ".umf",    ".uz",   ".uz2",
					   ".uz3",  ".lzma",   ".utoc",   ".pak",  ".uzenasset" };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (ends_in(u, e, all[i]))
			return true;
	return false;
}

/* Packages share these extensions with other files. */
static const char *const shared[] = { ".run", ".upx", ".uasset", ".umap" };
enum { N_SHARED = sizeof shared / sizeof *shared };

static bool is_shared(const struct reading *u, const struct entry *e)
{
	for (size_t i = 0; i < N_SHARED; i++)
		if (ends_in(u, e, shared[i]))
			return true;
	return false;
}

static bool begins_as_package(const struct reading *u, const struct entry *e)
{
	return e->size >= 4 && reference_u32(u->data + e->offset) - 0x9E2A83C1u <= 1;
}

static bool lies_there(const struct report *nested, const struct entry *e)
{
	return nested->at.at == e->offset && nested->at.len == e->size;
}

/* Whether what has a shared extension was checked although it is no package: its bytes may be those
 * of something else. Another member may have the same place. */
static bool is_something_else(const struct report *nested, const struct entry *e)
{
	for (size_t i = 0; i < N_SHARED; i++)
		if (ending_is(nested->own_name, shared[i]))
			return lies_there(nested, e) && !strstr(nested->own_name, " -> ");
	return false;
}

/* After the members under their own names come those that are installed under others. */
static void check_aliases(const struct reading *u, const struct report *r, size_t first)
{
	for (size_t i = first; i < r->n_nested; i++) {
		const struct span *at = &r->nested[i]->at;
		uint64_t e = 0;

		while (e < u->n_entries &&
		       (u->entries[e].offset != at->at || u->entries[e].size != at->len))
			e++;
		MUST(e < u->n_entries && strstr(r->nested[i]->own_name, " -> "),
		     "only members are nested");
	}
}

/* What a line with Ref names is a file like any other if it does not begin as a delta does. If the
 * rule that reports patches is off, there may be some. */
static bool may_be_patch(const struct reading *u, const struct report *r, const struct entry *e)
{
	const bool may_be = oracle_found(r, "MAN036") > 0 || !oracle_was_judged(r, "MAN036");

	return may_be && e->size >= 4 && reference_u32(u->data + e->offset) == 0x92F92912u;
}

/* Members whose names promise a format are checked, each at its place, or something says why
 * not. */
static void check_nested(const struct reading *u, const struct report *r)
{
	static const char *const reasons[] = { "RUN001", "RUN002", "RUN003", "RUN005", "RUN006" };
	uint64_t missing = 0;
	size_t n = 0;

	for (uint64_t i = 0; i < u->n_entries; i++) {
		const struct entry *e = &u->entries[i];

		if (!is_plain(u, e))
			return;
		if (is_outside(u, e) || !(promises(u, e) || is_shared(u, e)))
			continue;
		if (is_shared(u, e) && !begins_as_package(u, e)) {
			n += n < r->n_nested && is_something_else(r->nested[n], e);
			continue;
		}
		if (n < r->n_nested && lies_there(r->nested[n], e))
			n++;
		else
			missing += !may_be_patch(u, r, e);
	}
	check_aliases(u, r, n);
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		missing = oracle_found(r, reasons[i]) > 0 ? 0 : missing;
	MUST(missing == 0, "what was not looked at is told");
}

static void compare_report(const struct trial *t, const struct report *r)
{
	static struct reading u;

	memset(&u, 0, offsetof(struct reading, entries));
	u.data = t->subject->data;
	u.size = t->subject->size;
	oracle_expect(r, "UMD001", u.size < TRAILER);
	/* Executables are left to the vectors: where the trailer is depends on them. */
	if (u.size < TRAILER || (u.size > 4096 && u.data[0] == 'M' && u.data[1] == 'Z'))
		return;
	oracle_expect(r, "UMD002", reference_u32(u.data + u.size - TRAILER) != 0x9FE3C5A3u);
	if (!oracle_was_judged(r, "UMD003"))
		return;
	read_all(&u);
	check_trailer(&u, r);
	if (u.version == 2 || !u.complete || !oracle_was_judged(r, "UMD008"))
		return;
	check_entries(&u, r);
	check_duplicates(&u, r);
	check_gaps(&u, r);
	check_nested(&u, r);
}

const struct oracle_format oracle_umod = {
	.names = { "Mod.umod", "Mod.umod", "Mod.umod", "mod.UT4MOD", "Setup.exe", "download",
		   "a/b.txt" },
	.compare_report = compare_report,
};
