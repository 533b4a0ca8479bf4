/* Telling: the rows, and how a diagnosis is put together. */
#include "diagnosis/tell.h"

static const struct diagnosis_kind kinds[] = {
#define DIAGNOSIS(number, id, explains, message, player, author) \
	[KIND_##number] = { id, message, player, author, EXPLAINS_##explains },
#include "diagnosis/diagnoses.def"
#undef DIAGNOSIS
};

const struct diagnosis_kind *tell_kind(enum tell_number number)
{
	return &kinds[number];
}

void tell_add_number(struct diagnosis *out, enum arg_kind kind, uint64_t number)
{
	out->args[out->n_args++] = (struct finding_arg){ .kind = kind, .number = number };
}

void tell_add_word(struct diagnosis *out, const char *word)
{
	out->args[out->n_args++] = (struct finding_arg){ .kind = ARG_WORD, .word = word };
}

bool tell_add_name(struct diagnosis *out, const struct patient *p, const char *name)
{
	const size_t len = strlen(name);
	uint8_t *copy = arena_alloc(p->arena, len, 1);

	*p->lost = *p->lost || !copy;
	if (!copy) {
		out->kind = NULL;
		return false;
	}
	memcpy(copy, name, len);
	out->args[out->n_args++] = (struct finding_arg){ .kind = ARG_TEXT,
							 .text = copy,
							 .text_len = len };
	return true;
}

/* A file that lies in another is named without that one: the name has both, and a "!" between. */
static size_t own_name_at(const struct source *s)
{
	size_t at = s->role == SOURCE_MEMBER ? strlen(s->name) : 0;

	while (at > 0 && s->name[at - 1] != '!')
		at--;
	return at;
}

bool tell_begin(const struct evidence *e, const struct part *part, enum tell_number number,
		enum confidence confidence, struct diagnosis *out)
{
	*out = (struct diagnosis){ .confidence = confidence, .escapes = e->escapes };
	if (part->source->number > 0)
		out->groups = e->patient->format->beside;
	if (part->source->number == 0 && part->source->role != SOURCE_MEMBER)
		tell_add_word(out, "the file");
	else if (!tell_add_name(out, e->patient, part->source->name + own_name_at(part->source)))
		return false;
	out->kind = &kinds[number];
	return true;
}

bool tell_one(const struct evidence *e, const struct part *part, enum tell_number number,
	      enum arg_kind kind, uint64_t value, struct diagnosis *out)
{
	if (!tell_begin(e, part, number, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_number(out, kind, value);
	return true;
}
