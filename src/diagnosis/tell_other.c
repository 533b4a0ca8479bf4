/* Telling what else a file is: one of another kind, one with something before its first byte, or
 * what should lie beside it. */
#include "core/container_parts.h"
#include "core/path.h"
#include "diagnosis/beside.h"
#include "diagnosis/other_format.h"
#include "diagnosis/tell.h"

/* ---- What it should be ----------------------------------------------------------------------- */

#define ASSET "package of Unreal Engine 4 or 5"

/* A promise is what a part should be: the format by its name, and by its title. */
struct promise {
	const char *own, *title;
};

static bool is_payload(const struct part *part)
{
	return part->source->number != 0 && !ending_is(part->source->name, PART_PAK);
}

static struct promise promise_of(const struct evidence *e, const struct part *part)
{
	const struct format *f = e->patient->format;

	if (is_payload(part))
		return (struct promise){ NULL, "payload of an IoStore container (.ucas)" };
	if (part->source->number != 0)
		return (struct promise){ "pak", "archive (.pak)" };
	if (f)
		return (struct promise){ f->name, f->title };
	return (struct promise){ NULL, e->patient->is_no_package ? ASSET : NULL };
}

/* A name that promises no format of ours may be the right one of what a file is. */
static bool is_promised(const struct format *f, const struct part *part)
{
	const struct text extension = path_extension(text_from(part->source->name));

	return format_has_extension(f, extension) || format_shares(f, extension);
}

/* ---- Whether it may be something else -------------------------------------------------------- */

/* A text has no controls, and is UTF-8 or mostly ASCII. */
static bool is_text(const struct part *part)
{
	uint32_t n_high = 0;

	for (uint32_t i = 0; i < part->n_head; i++)
		n_high += part->head[i] >= 0x80;
	return part->census.n_controls == 0 && (part->census.is_utf8 || n_high <= part->n_head / 6);
}

/* Payload may begin as anything does, but then it has the length that it must have. */
static bool may_be_other_payload(const struct part *part)
{
	return part->extent.is_end && !beside_has_length(part);
}

/* Where a chunk of a container is right, a file of it is likely to be only damaged; and where none
 * was compared, as of a file whose container is not there. */
static enum in_payload payload_of(const struct part *part)
{
	const struct extent *x = &part->extent;
	const bool may_be_damaged = x->n_same > 0 || (x->n_differ == 0 && part->n_probes == 0);

	if (part->source->number == 0 && ending_is(part->source->name, PART_DATA))
		return NO_PAYLOAD;
	return is_payload(part) ? (may_be_damaged ? NO_PAYLOAD : SOME_PAYLOAD) : METHOD_PAYLOAD;
}

static bool may_be_other(const struct evidence *e, const struct part *part)
{
	const struct format *f = e->patient->format;

	if (part->source->number == 0)
		return !f || (evidence_has(e, SIGN_OTHER_FILE) && is_promised(f, part));
	if (ending_is(part->source->name, PART_PAK))
		return part->n_probes > 0;
	return ending_is(part->source->name, PART_DATA) && may_be_other_payload(part);
}

/* An installer has its signature at its end, and begins with its settings; a text need not be of
 * any format. */
static enum texts texts_of(const struct evidence *e, const struct part *part)
{
	const struct format *f = e->patient->format;

	enum { PAYLOAD_MIN = 9 };

	/* the first few bytes of payload may look like a text */
	if (!is_text(part) || (is_payload(part) && part->n_head < PAYLOAD_MIN))
		return TEXTS_NONE;
	if (part->source->number != 0 || e->patient->is_no_package)
		return TEXTS_ALL;
	return !f ? TEXTS_KNOWN : f->end_magic != 0 ? TEXTS_NO_SETTINGS : TEXTS_ALL;
}

/* ---- Telling --------------------------------------------------------------------------------- */

static bool tell_wrapped(const struct evidence *e, const struct part *part, const char *before,
			 uint64_t at, struct diagnosis *out)
{
	if (!tell_begin(e, part, before ? KIND_WRAPPED : KIND_PREFIXED, CONFIDENCE_CERTAIN, out))
		return false;
	tell_add_number(out, ARG_SIZE, at);
	if (before)
		tell_add_word(out, before);
	tell_add_word(out, promise_of(e, part).title);
	return true;
}

static enum tell_number number_of(enum other_kind kind, bool is_promised)
{
	return (enum tell_number)((is_promised ? KIND_OTHER_FORMAT : KIND_NOT_READ) + (int)kind);
}

bool tell_other_format(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct promise promise = promise_of(e, part);
	const struct other_question question = { promise.own, texts_of(e, part), payload_of(part) };
	const struct wrapper *wrapper;
	struct glimpse g;
	struct other other;
	size_t at;

	if (!may_be_other(e, part) || !glimpse_take(part->source, &g))
		return false;
	wrapper = text_wrapper(&g);
	at = wrapper ? other_format_begin(&g, promise.own) : 0;
	if (at > 0)
		return tell_wrapped(e, part, wrapper->before, at, out);
	other = other_format(&g, &question);
	if (!other.name ||
	    !tell_begin(e, part, number_of(other.kind, promise.title != NULL),
			other.kind == OTHER_STREAM ? CONFIDENCE_LIKELY : CONFIDENCE_CERTAIN, out))
		return false;
	tell_add_word(out, other.name);
	if (promise.title)
		tell_add_word(out, promise.title);
	return true;
}

bool tell_prefixed(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	struct glimpse g;
	size_t at;

	if (part->source->number != 0 || !may_be_other(e, part) || !glimpse_take(part->source, &g))
		return false;
	at = other_format_begin(&g, promise_of(e, part).own);
	return at > 0 && tell_wrapped(e, part, NULL, at, out);
}

/* ---- Exchanged ------------------------------------------------------------------------------- */

/* Tells whether the file of that name begins as the tables of a container do. */
static bool has_tables(const struct decode *d, const char *name)
{
	static const char magic[] = "-==--==--==--==-";
	_Alignas(max_align_t) unsigned char room[COMPANION_ROOM];
	uint8_t head[sizeof magic - 1];
	struct source_io io;
	struct source s;
	bool has;

	if (d->siblings->open(d->siblings->ctx, name, room, &io) != COMPANION_OPEN)
		return false;
	source_init(&s, io, name, d->arena, d->source->window_len);
	has = source_copy(&s, (struct span){ 0, sizeof head }, head) &&
	      memcmp(head, magic, sizeof head) == 0;
	source_take_trouble(d->source, &s);
	d->siblings->close(d->siblings->ctx, &io);
	return has;
}

/* The name of the .ucas that belongs beside a .utoc, without its folder. false: the file is none,
 * or its name is too long. */
static bool data_beside(const struct decode *d, char name[SPELLING_SIZE])
{
	const char *own = beside_own_name(d);
	const size_t len = strlen(own);
	size_t stem;

	if (!ending_is(own, PART_CONTAINER) || len >= SPELLING_SIZE)
		return false;
	stem = len - (sizeof PART_CONTAINER - 1);
	memcpy(name, own, stem);
	memcpy(name + stem, PART_DATA, sizeof PART_DATA);
	return true;
}

bool tell_exchanged(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct decode *d = e->patient->decode;
	char name[SPELLING_SIZE];

	if (part->source->number != 0 || !evidence_has(e, SIGN_OTHER_FILE) || !d->siblings ||
	    !data_beside(d, name) || !has_tables(d, name))
		return false;
	return tell_begin(e, part, KIND_EXCHANGED, CONFIDENCE_LIKELY, out) &&
	       tell_add_name(out, e->patient, name);
}
