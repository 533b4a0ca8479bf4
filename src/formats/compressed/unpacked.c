/* What a compressed download decompresses to: its name, and whether it is a package. */
#include "formats/compressed/unpacked.h"

#include "core/path.h"

bool unpacked_has_extension(const struct source *s, const char *extension)
{
	return text_is(path_extension(text_from(s->name)), extension);
}

/* A file compressed in one form may have the extension of another. */
static bool is_named_compressed(struct text name)
{
	static const char *const forms[] = { "uz", "uz2", "uz3", "lzma" };

	return text_is_one(path_extension(name), forms, sizeof forms / sizeof forms[0]);
}

static struct text plain_name(struct text name)
{
	return is_named_compressed(name) ? path_stem(name) : path_last(name);
}

struct text unpacked_stem(const struct source *s)
{
	return plain_name(text_from(s->name));
}

static uint32_t promise_of(struct text name)
{
	return format_set(path_extension(name));
}

/* A game goes by the source's own name, whatever name is stored inside. */
static void name_as_games_do(struct unpacked *u, struct text own)
{
	if (promise_of(u->name) == 0 && promise_of(own) != 0)
		u->name = own;
	else if (promise_of(own) & ~(unsigned)promise_of(u->name))
		u->further = own;
}

bool unpacked_is_tag(uint64_t signature)
{
	return signature == PACKAGE_TAG || signature == PACKAGE_TAG_FLOOR;
}

uint64_t unpacked_signature(struct cursor c)
{
	const uint64_t left = cursor_left(&c);
	uint64_t v = 0;

	if (!cursor_uint(&c, left < 4 ? (unsigned)left : 4, &v))
		v = 0;
	return v;
}

void unpacked_describe(struct unpacked *u, const struct source *s)
{
	struct cursor c = cursor_init(u->bytes, u->len, 0);
	struct text own = unpacked_stem(s);
	uint64_t tag;

	u->is_package = cursor_u32(&c, &tag) && unpacked_is_tag(tag);
	if (u->is_package) { /* it is not compressed a second time, whatever its name says */
		u->name = plain_name(u->name);
		own = plain_name(own);
	}
	name_as_games_do(u, own);
	u->promised = promise_of(u->name) & ~FORMATS_SHARED;
	u->named_package = (promise_of(u->name) | promise_of(own)) & FORMATS_SHARED;
}

bool unpacked_next(const struct unpacked *u, struct nested_walk *walk, struct nested *out)
{
	if (walk->file >= (u->further.ref.n_units > 0 ? 2 : 1))
		return false;
	*out = (struct nested){
		.name = u->name, .decoded = true, .content = u, .span = { 0, u->len }
	};
	if (walk->file++ > 0)
		out->installed_as = u->further;
	return true;
}

const uint8_t *unpacked_open(const void *facts, struct decode *d, const struct nested *n,
			     struct arena *arena)
{
	const struct unpacked *u = n->content;

	(void)facts;
	(void)d;
	(void)arena;
	return u->bytes;
}

bool unpacked_map(const struct layout *header, uint64_t header_len, uint64_t n, map_sink *sink,
		  void *ctx)
{
	const struct region first = { .span = { 0, header_len },
				      .kind = "header",
				      .label = "header",
				      .index = UINT64_MAX,
				      .layout = header };
	const struct region stream = {
		.span = { header_len, n }, .kind = "payload", .label = "stream", .index = UINT64_MAX
	};

	return sink(ctx, &first) && (n == 0 || sink(ctx, &stream));
}

bool unpacked_spend(struct decode *d, uint32_t group, uint64_t n)
{
	return decode_spend(d, group, n / UNPACKED_WORK + 1);
}

bool unpacked_take(struct decode *d, uint32_t group, struct span packed)
{
	return decode_may_take(d, group, packed) && unpacked_spend(d, group, packed.len);
}
