/* Messages: arguments become words here, and nowhere else. */
#include "report/message.h"

#include "report/escape.h"

static void write_text(struct out *o, const struct finding_arg *a)
{
	out_byte(o, '"');
	escape_write(o, ESCAPE_QUOTED, a->text, a->text_len);
	out_byte(o, '"');
	if (a->cut)
		out_string(o, "...");
}

static void write_arg(struct out *o, const struct finding_arg *a)
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

static bool is_placeholder(const char *s)
{
	return s[0] == '{' && s[1] >= '0' && s[1] < '0' + ARG_MAX && s[2] == '}';
}

void message_write(struct out *o, const struct finding *f)
{
	const char *s = f->rule->message;

	while (*s) {
		const char *from = s;
		size_t arg;

		while (*s && !is_placeholder(s))
			s++;
		out_bytes(o, from, (size_t)(s - from));
		if (!*s)
			return;
		arg = (size_t)(s[1] - '0');
		if (arg < f->n_args)
			write_arg(o, &f->args[arg]);
		s += 3;
	}
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
