/* The names of compression methods. */
#include "core/mutant.h"
#include "formats/iostore/toc/toc.h"

/* Whether it is a codec that the engine knows. Source: conformance/spec/iostore.md, 4.27. */
static bool is_known(struct text name)
{
	const enum method method = method_of(name.data, name.ref.n_units);

	return method != METHOD_NONE && method != METHOD_UNKNOWN;
}

/* Whether all readers have it, and the engine without a plugin. */
static bool is_portable(struct text name)
{
	return text_is(name, "Oodle");
}

static struct text name_of(const struct toc *t, uint64_t i)
{
	const struct toc_section *s = &t->sections[SECTION_METHODS];
	const struct held name = rows_at(t->methods, i);

	return (struct text){ name.bytes,
			      { .at = s->at.at + i * s->row_len,
				.n_units = (uint32_t)held_find(name, 0),
				.encoding = TEXT_CP1252 } };
}

/* The bytes after the NUL should be 0, and a name is ASCII. */
static bool is_dirty(const struct toc *t, uint64_t i, struct text name)
{
	const struct held bytes = rows_at(t->methods, i);

	for (uint64_t k = 0; k < bytes.len - MUTANT(116); k++) /* mutant: not the last byte */
		if (k < name.ref.n_units ? held_u8(bytes, k) >= 0x80 : held_u8(bytes, k) != 0)
			return true;
	return false;
}

static bool is_repeated(const struct toc *t, uint64_t i, struct text name)
{
	for (uint64_t k = 0; k < i; k++)
		if (text_compare(name, name_of(t, k)) == 0)
			return true;
	return false;
}

void toc_method_at(const struct toc *t, uint64_t method, struct toc_method *out)
{
	const struct toc_section *s = &t->sections[SECTION_METHODS];
	const struct text name = name_of(t, method);

	*out = (struct toc_method){ .at = { name.ref.at, s->row_len },
				    .name = name.ref,
				    .number = method + 1 };
	out->traits |= name.ref.n_units == s->row_len ? METHOD_UNTERMINATED : 0;
	out->traits |= name.ref.n_units == 0 ? METHOD_EMPTY : 0;
	out->traits |= text_is(name, "None") ? METHOD_SAYS_NONE : 0;
	out->traits |= is_repeated(t, method, name) ? METHOD_REPEATED : 0;
	out->traits |= !is_known(name) && name.ref.n_units > 0 && !text_is(name, "None")
			       ? METHOD_NOT_KNOWN
			       : 0;
	out->traits |= is_known(name) && !is_portable(name) ? METHOD_NOT_PORTABLE : 0;
	out->traits |= is_dirty(t, method, name) ? METHOD_DIRTY : 0;
	if (!(t->methods_used[(method + 1) / 64] >> (method + 1) % 64 & 1))
		out->traits |= METHOD_UNUSED;
}

void toc_decode_methods(struct decode *d, struct toc *t)
{
	struct toc_method m;

	if (!decode_spend(d, UTOC_METHODS, t->n_methods))
		return;
	for (uint64_t i = 0; i < t->n_methods; i++) {
		toc_method_at(t, i, &m);
		t->method_traits |= m.traits;
		t->methods_unknown[m.number / 64] |= (uint64_t)((m.traits & METHOD_NOT_KNOWN) != 0)
						     << m.number % 64;
	}
}
