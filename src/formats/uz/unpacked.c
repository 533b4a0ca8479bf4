/* What comes out of a compressed download: its name, and whether it is a package. */
#include "formats/uz/unpacked.h"

#include "core/path.h"

bool unpacked_has_extension(const struct source *s, const char *extension)
{
	return text_is(path_extension(text_from(s->name)), extension);
}

/* What is compressed in one form may be named as another. */
static bool is_named_compressed(struct text name)
{
	static const char *const forms[] = { "uz", "uz2", "uz3", "lzma" };
	const struct text extension = path_extension(name);

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (text_is(extension, forms[i]))
			return true;
	return false;
}

static struct text plain_name(struct text name)
{
	return is_named_compressed(name) ? path_stem(name) : path_last(name);
}

struct text unpacked_stem(const struct source *s)
{
	return plain_name(text_from(s->name));
}

/* Extensions of packages that other files have too. Sources: the Unreal Wiki's catalog (OWK), and installs of the games. */
static bool is_package_extension(struct text extension)
{
	static const char *const known[] = { "upx", "run" };

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (text_is(extension, known[i]))
			return true;
	return false;
}

static bool is_promise(struct text name)
{
	return format_promised(text_word8(path_extension(name)));
}

void unpacked_describe(struct unpacked *u, const struct source *s)
{
	struct cursor c = cursor_init(u->bytes, u->len, 0);
	uint64_t tag;

	if (!is_promise(u->name) && is_promise(unpacked_stem(s)))
		u->name = unpacked_stem(s);
	u->is_package = cursor_u32(&c, &tag) && (tag == PACKAGE_TAG || tag == PACKAGE_TAG_FLOOR);
	if (u->is_package)              /* nobody decompresses it once more, whatever its name says */
		u->name = plain_name(u->name);
	u->promised = is_promise(u->name);
	u->named_package = is_package_extension(path_extension(u->name));
}

void unpacked_nested(const struct unpacked *u, nested_sink *sink, void *ctx)
{
	sink(ctx, &(struct nested){ .name = u->name, .span = { 0, u->len }, .bytes = u->bytes });
}

bool unpacked_spend(struct decode *d, uint32_t group, uint64_t n)
{
	return decode_spend(d, group, n / UNPACKED_WORK + 1);
}
