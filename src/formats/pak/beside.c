/* What lies beside an archive: its signature, and a container. Source: conformance/spec/pak.md,
 * chapter 6. */
#include "codec/crc.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/pak/payload.h"

/* A .sig is this long without the signature and the sums. */
enum { SIG_FIXED = 16 };

/* A name of a file beside the archive: its stem and another extension, with a NUL. NULL: the
 * archive is not called .pak, or memory ended, which is noted. */
static const char *name_beside(struct decode *d, const char *extension)
{
	enum { EXTENSION_MAX = 8 };
	const struct text name = path_last(text_from(d->source->name)), stem = path_stem(name);
	const uint64_t len = stem.ref.n_units;
	char *out;

	if (!text_is(path_extension(name), "pak"))
		return NULL;
	/* mutant: no room for the extension */
	out = decode_alloc(d, PAK_BESIDE, len + (MUTANT(307) ? 1u : EXTENSION_MAX), 1);
	if (!out)
		return NULL;
	memcpy(out, stem.data, (size_t)len);
	for (uint64_t i = 0;; i++) {
		out[len + i] = extension[i];
		if (extension[i] == '\0')
			return out;
	}
}

/* Looks for a file, which need not be there. */
static struct companion *find_beside(struct decode *d, const char *extension)
{
	const char *name = name_beside(d, extension);
	struct companion *c;

	if (!name)
		return NULL;
	c = decode_companion(d, name);
	if (!c)
		decode_stop_companion(d, PAK_BESIDE, (struct span){ 0, 0 });
	return c;
}

/* false: the file ends before it, or cannot be read, which is noted. */
static bool read_u32(struct decode *d, struct source *s, uint64_t at, uint64_t *out)
{
	const struct span span = { at, 4 };
	uint8_t bytes[4];

	if (s->io.size < span.len || at > s->io.size - span.len)
		return false;
	if (!decode_spend(d, PAK_BESIDE, 1))
		return false;
	if (!source_copy(s, span, bytes))
		return decode_stop_in(d, PAK_BESIDE, STOP_INPUT, s, span);
	*out = held_u32((struct held){ bytes, sizeof bytes }, 0);
	return true;
}

static void read_signature(struct decode *d, struct companion *file, struct pak_signature *out)
{
	struct source *s = &file->source;

	out->file = file;
	out->source = s;
	(void)(read_u32(d, s, 0, &out->magic) && read_u32(d, s, 4, &out->version) &&
	       read_u32(d, s, 8, &out->n_bytes) && read_u32(d, s, 12 + out->n_bytes, &out->n_sums));
	out->sums_at = SIG_FIXED + out->n_bytes;
	out->needs = SIG_FIXED + out->n_bytes + out->n_sums * PAK_SIG_SUM_LEN;
}

static const struct pak_file *first_package(const struct pak *p)
{
	for (uint64_t i = 0; i < p->n_files; i++)
		if (pak_kind_of(p, &p->files[i]) == PAK_KIND_PACKAGE)
			return &p->files[i];
	return NULL;
}

/* Paks that packers bring, each by its size and the checksum of all of it. */
static const struct stub {
	uint32_t size, sum;
	const char *packer;
} stubs[] = {
	{ 232, 0xDC2DE3F6, "UnrealEssentials" },
	{ 339, 0xAB722555, "UnrealEssentials" },
	{ 347, 0x9FB8BF29, "retoc and UnrealReZen" },
	{ 387, 0x672E68D3, "UEcastoc" },
};

static const char *stub_of(struct decode *d, const struct pak *p)
{
	const struct stub *s = stubs, *end = stubs + sizeof stubs / sizeof *stubs;
	struct crc sum = { 0 };
	struct held all;

	while (s < end && s->size != p->size)
		s++;
	if (s == end || !decode_bytes(d, PAK_BESIDE, (struct span){ 0, p->size }, &all))
		return NULL;
	crc_add(&sum, all.bytes, all.len);
	return sum.value == s->sum ? s->packer : NULL;
}

/* An archive without files, or with that of its packer alone, is there for a container. */
static void miss_container(struct decode *d, struct pak *p, struct companion *absent)
{
	const struct companion *file;

	if (absent->state != COMPANION_ABSENT || !decode_has(d, PAK_NAMES) ||
	    (p->n_files > 0 && !stub_of(d, p)))
		return;
	file = decode_companion_spelt(d, absent);
	if (file && file->state == COMPANION_ABSENT)
		p->content.missing = absent->name;
}

/* Of an archive that is judged as a part of a container it is known that there is one. */
static bool has_container(struct decode *d, struct pak *p)
{
	struct companion *file;

	if (d->is_part)
		return true;
	file = find_beside(d, ".utoc");
	if (file && file->state == COMPANION_OPEN)
		p->content.container = file;
	else if (file)
		miss_container(d, p, file);
	return p->content.container != NULL;
}

void pak_check_beside(struct decode *d, struct pak *p)
{
	struct pak_signature *sig = &p->content.signature;
	struct companion *file = find_beside(d, ".sig");

	if (d->source->role == SOURCE_MAIN)
		p->content.other_ending = path_other_ending(text_from(d->source->name), "pak");
	sig->expected = p->size / PAK_SIG_PIECE + (p->size % PAK_SIG_PIECE > 0 ? 1 : 0);
	if (file && file->state == COMPANION_OPEN)
		read_signature(d, file, sig);
	else if (file && companion_is_refused(file->state))
		decode_stop(d, PAK_BESIDE, STOP_INPUT, (struct span){ 0, 0 });
	if (decode_has(d, PAK_BESIDE))
		pak_check_sums(d, p);
	if (!decode_has(d, PAK_BESIDE) || !has_container(d, p))
		return;
	p->content.is_beside_container = true;
	p->content.stub_of = stub_of(d, p);
	p->content.package = first_package(p);
}
