/* Messages: arguments become words here, and nowhere else. */
#include "report/message.h"

#include <string.h>

#include "report/escape.h"

static void write_text(struct out *o, const struct finding_arg *a)
{
	out_byte(o, '"');
	escape_write(o, ESCAPE_QUOTED, a->text, a->text_len);
	out_byte(o, '"');
	if (a->cut)
		out_string(o, "...");
}

void message_value(struct out *o, const struct finding_arg *a)
{
	switch (a->kind) {
	case ARG_HEX:
		out_address(o, a->number);
		return;
	case ARG_DEC:
		out_dec(o, a->number);
		return;
	case ARG_SIZE:
		out_count(o, a->number, "byte");
		return;
	case ARG_SIGNED:
		out_signed(o, (int64_t)a->number);
		return;
	case ARG_WORD:
		out_string(o, a->word);
		return;
	case ARG_BYTES:
		out_hex_bytes(o, a->text, a->text_len);
		return;
	case ARG_TEXT:
		write_text(o, a);
		return;
	}
}

static bool is_one(const struct finding_arg *a)
{
	return a->kind <= ARG_SIGNED && a->number == 1;
}

/* {2:one|many} is the first word where the argument is the number 1, else the second; s is behind
 * the colon. NULL: it is no such thing. */
static const char *write_choice(struct out *o, const struct finding_arg *a, const char *s)
{
	const size_t one = strcspn(s, "|}"), many = s[one] == '|' ? strcspn(s + one + 1, "}") : 0;
	const char *end = s + one + (s[one] == '|') + many;

	if (s[one] != '|' || *end != '}')
		return NULL;
	if (a && is_one(a))
		out_bytes(o, s, one);
	else if (a)
		out_bytes(o, s + one + 1, many);
	return end + 1;
}

/* Writes the placeholder at s and returns what follows it; NULL: there is none. */
static const char *write_placeholder(struct out *o, const struct finding_arg *args, size_t n,
				     const char *s)
{
	const struct finding_arg *a;

	if (s[0] != '{' || s[1] < '0' || s[1] >= '0' + ARG_MAX)
		return NULL;
	a = (size_t)(s[1] - '0') < n ? &args[s[1] - '0'] : NULL;
	if (s[2] == ':')
		return write_choice(o, a, s + 3);
	if (s[2] != '}')
		return NULL;
	if (a)
		message_value(o, a);
	return s + 3;
}

void message_write_words(struct out *o, const char *words, const struct finding_arg *args,
			 size_t n_args)
{
	for (const char *s = words, *next; *s; s = next) {
		next = write_placeholder(o, args, n_args, s);
		if (next)
			continue;
		next = s + 1 + strcspn(s + 1, "{");
		out_bytes(o, s, (size_t)(next - s));
	}
}

void message_write(struct out *o, const struct finding *f)
{
	message_write_words(o, f->rule->message, f->args, f->n_args);
}

void message_write_diagnosis(struct out *o, const struct diagnosis *d)
{
	message_write_words(o, d->kind->message, d->args, d->n_args);
}

void message_render(struct out *o, const struct finding *f)
{
	out_init(o, NULL, NULL);
	message_write(o, f);
}

bool message_has_field(const struct place *p)
{
	return p->known && p->record;
}

void message_field(struct out *o, const struct place *p)
{
	out_string(o, p->record);
	if (p->index != PLACE_NO_INDEX) {
		out_byte(o, '[');
		out_dec(o, p->index);
		out_byte(o, ']');
	}
	if (p->field) {
		out_byte(o, '.');
		out_string(o, p->field);
	}
}
