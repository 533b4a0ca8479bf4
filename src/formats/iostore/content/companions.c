/* The companions of a .utoc: their names, whether they are there, and how long they are. */
#include <string.h>

#include "core/ascii.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/iostore/content/parts.h"

/* What the names of companions are built from. */
struct names {
	struct held stem;
	char *buf; /* of stem.len + NAME_MORE bytes, and as many again until name_container */
};

enum { NAME_MORE = 32 }; /* "_s", 20 digits, an extension and a NUL */

enum spelling { AS_IT_IS, STEM_LOWER, EXTENSION_UPPER, N_SPELLINGS };

/* ---- Names ----------------------------------------------------------------------------------- */

/* Of an extension, which is a dot and small letters. */
static char upper(char c)
{
	return (char)(c >= 'a' ? c - ('a' - 'A') : c);
}

static char *put_number(char *p, uint64_t number)
{
	char digits[20];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	while (n > 0)
		*p++ = digits[--n];
	return p;
}

/* Partition 0 has no number. */
static const char *build_name(const struct names *names, uint64_t partition, const char *extension,
			      enum spelling spelling)
{
	char *p = names->buf;

	for (uint64_t i = 0; i < names->stem.len; i++) {
		char c = (char)held_u8(names->stem, i);

		if (spelling == STEM_LOWER)
			c = ascii_lower(c);
		*p++ = c;
	}
	if (partition > 0) {
		*p++ = '_';
		*p++ = 's';
		p = put_number(p, partition);
	}
	for (size_t i = 0; extension[i]; i++)
		*p++ = (char)(spelling == EXTENSION_UPPER ? upper(extension[i]) : extension[i]);
	*p = '\0';
	return names->buf;
}

static bool begin_names(struct decode *d, const struct utoc *u, struct names *names)
{
	const struct text stem = u->toc.name.stem;

	*names = (struct names){ .stem = { stem.data, stem.ref.n_units } };
	names->buf = decode_alloc(d, UTOC_SET, 2 * (names->stem.len + NAME_MORE), 1);
	return names->buf != NULL;
}

/* If the container itself is not called as it should be, keeps the name that it should have in the
 * first half of the buffer. */
static void name_container(struct utoc *u, struct names *names)
{
	if (u->content.own_other_case.ref.n_units == 0)
		return;
	u->content.own_wanted = build_name(names, 0, ".utoc",
					   u->toc.name.is_global ? STEM_LOWER : AS_IT_IS);
	names->buf += names->stem.len + NAME_MORE;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Where the host cannot list the folder, two likely spellings are tried. */
static struct companion *try_spellings(struct decode *d, const struct names *names,
				       const char *extension, struct companion *absent)
{
	struct companion *c = absent;

	for (enum spelling s = STEM_LOWER; s < N_SPELLINGS && c && c->state != COMPANION_OPEN; s++)
		c = decode_companion(d, build_name(names, 0, extension, s));
	return !c || c->state == COMPANION_OPEN ? c : absent;
}

/* A file that is absent may be there under a name that differs in the case of letters. */
static const struct companion *open_any(struct decode *d, const struct names *names, uint64_t i,
					const char *extension, const char **wanted)
{
	const char *name = build_name(names, i, extension, AS_IT_IS);
	struct companion *exact = i == 0 ? decode_companion(d, name)
					 : decode_new_companion(d, name),
			 *c = exact;

	if (exact && exact->state == COMPANION_ABSENT)
		c = d->siblings->find || i > 0 ? decode_companion_spelt(d, exact)
					       : try_spellings(d, names, extension, exact);
	*wanted = c != exact && c && c->state == COMPANION_OPEN ? exact->name : NULL;
	return c;
}

static bool open_partition(struct decode *d, const struct names *names, uint64_t i,
			   struct partition *p)
{
	*p = (struct partition){ .size = 0 };
	p->file = open_any(d, names, i, ".ucas", &p->wanted);
	if (p->file && p->file->state == COMPANION_OPEN)
		p->size = p->file->source.io.size;
	return p->file != NULL;
}

/* A container without chunks has no partition. Where no files are looked for, one stands for
 * all. */
static bool open_partitions(struct decode *d, struct utoc *u, const struct names *names)
{
	struct content *p = &u->content;
	const uint64_t most = d->limits->of[LIMIT_companions];
	const uint64_t n = u->toc.n_partitions <= PARTITIONS_MAX ? u->toc.n_partitions : 0;

	p->partitions = decode_alloc(d, UTOC_SET, n < most ? n : most, sizeof *p->partitions);
	if (!p->partitions)
		return false;
	for (; p->n_partitions < n && (d->siblings || p->n_partitions == 0); p->n_partitions++)
		if (p->n_partitions >= most ||
		    !open_partition(d, names, p->n_partitions, &p->partitions[p->n_partitions]))
			return false;
	return true;
}

static bool open_others(struct decode *d, struct utoc *u, const struct names *names)
{
	struct content *p = &u->content;

	const bool may_have_more = u->toc.version >= TOC_PARTITIONS;
	const char *sig_wanted; /* a game finds it by the .pak's name, in any case or not */

	p->pak = open_any(d, names, 0, ".pak", &p->pak_wanted);
	if (p->pak && may_have_more)
		p->more = decode_companion(
			d, build_name(names, u->toc.n_partitions > 0 ? u->toc.n_partitions : 1,
				      ".ucas", AS_IT_IS));
	if (p->pak && p->pak->state == COMPANION_OPEN && u->toc.is_signed) {
		p->sig = open_any(d, names, 0, ".sig", &sig_wanted);
		return p->sig && (p->more || !may_have_more);
	}
	return p->pak && (p->more || !may_have_more);
}

/* ---- What the name says ---------------------------------------------------------------------- */

/* What stands between `_` and `_P` in a name; empty: there is nothing. */
static struct text find_rank(const struct toc_name *name)
{
	const struct text stem = name->is_segment
					 ? text_sub(name->stem, 0, name->stem.ref.n_units - 2)
					 : name->stem;
	const uint32_t n = stem.ref.n_units;
	struct text number = { NULL, { .n_units = 0 } };

	if (!text_ends(stem, "_P"))
		return number;
	for (uint32_t i = n - 2; i > 0 && number.ref.n_units == 0; i--)
		if (text_unit(stem, i - 1) == '_')
			number = text_sub(stem, i, n - 2 - i);
	return number;
}

/* How that number is written, if it is one. */
static enum content_rank read_rank(struct text number)
{
	const uint32_t first = number.ref.n_units > 0 ? text_unit(number, 0) : 0;
	uint64_t value;

	if (!text_between(first, '0', '9') && first != '-' && first != '+')
		return RANK_NONE;
	if (!text_number(number, &value) || value > INT32_MAX ||
	    (first == '0' && number.ref.n_units > 1))
		return RANK_ODD;
	return RANK_PLAIN;
}

static bool is_exactly(struct text t, const char *word)
{
	return memcmp(t.data, word, t.ref.n_units) == 0;
}

/* Whether a text that equals a word without case equals it exactly. */
static void look_at_own_case(struct content *p, const struct toc *t, struct text name)
{
	if (!p->is_named)
		return;
	if (!is_exactly(path_extension(name), "utoc") ||
	    (t->name.is_global && !is_exactly(t->name.stem, "global")))
		p->own_other_case = path_last(name);
}

static bool has_word(struct text t, const char *word)
{
	for (uint32_t i = 0; i < t.ref.n_units; i++)
		if (text_starts(text_sub(t, i, t.ref.n_units), word))
			return true;
	return false;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* The first partition that is not open tells the reason of the stop. */
static void judge_partitions(struct decode *d, struct utoc *u)
{
	struct content *p = &u->content;

	p->all_open = u->toc.n_partitions == p->n_partitions &&
		      (p->n_partitions > 0 || u->toc.n_chunks == 0);
	if (!p->all_open)
		decode_stop(d, UTOC_PARTITIONS, STOP_MALFORMED, (struct span){ 0, 0 });
	/* mutant: the first may be missing */
	for (uint64_t i = MUTANT(121); i < p->n_partitions && p->all_open; i++) {
		const struct companion *c = p->partitions[i].file;

		p->all_open = c->state == COMPANION_OPEN;
		if (companion_is_refused(c->state))
			decode_stop(d, UTOC_PARTITIONS, STOP_INPUT, (struct span){ 0, 0 });
		else if (!p->all_open)
			decode_stop(d, UTOC_PARTITIONS, STOP_MALFORMED, (struct span){ 0, 0 });
	}
}

/* A file that was renamed and is not called .utoc any more need not have its companions under the
 * new name. */
static bool were_asked(const struct content *p)
{
	if (p->pak->state == COMPANION_NOT_ASKED)
		return false;
	return p->is_named || (p->pak->state == COMPANION_OPEN && p->n_partitions > 0 &&
			       p->partitions[0].file->state == COMPANION_OPEN);
}

static void open_all(struct decode *d, struct utoc *u)
{
	struct content *p = &u->content;
	struct names names;

	if (!begin_names(d, u, &names))
		return;
	name_container(u, &names);
	if (!open_partitions(d, u, &names) || !open_others(d, u, &names)) {
		decode_stop_companion(d, UTOC_SET, (struct span){ 0, 0 });
		return;
	}
	p->asked = were_asked(p);
	if (!p->asked) {
		decode_stop(d, UTOC_SET, STOP_COMPANION, (struct span){ 0, u->toc.end_of_blocks });
		return;
	}
	judge_partitions(d, u);
	content_open_pak(d, p);
}

void content_open(struct decode *d, struct utoc *u)
{
	u->content.rank_number = find_rank(&u->toc.name);
	u->content.rank = read_rank(u->content.rank_number);
	u->content.is_optional = has_word(u->toc.name.stem, "optional") || u->toc.name.is_segment;
	u->content.is_named = text_is(path_extension(text_from(d->source->name)), "utoc");
	if (d->source->role == SOURCE_MAIN)
		u->content.other_ending = path_other_ending(text_from(d->source->name), "utoc");
	look_at_own_case(&u->content, &u->toc, text_from(d->source->name));
	open_all(d, u);
	if (!decode_has(d, UTOC_SET))
		decode_stop_needs(d, UTOC_PARTITIONS, UTOC_SET);
}
