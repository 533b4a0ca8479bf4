/* Trials: their engine, and the input with the files beside it. */
#include "oracle/oracle_trial.h"

#include "reference/reference_rsa.h"

void oracle_open_folder(struct trial *t)
{
	t->folder = (struct fake_folder){ .input = t->name,
					  .of = t->subject->companions,
					  .n = t->subject->n_companions };
	t->siblings = fake_folder_siblings(&t->folder);
}

struct check_input oracle_input(const struct trial *t)
{
	struct check_input in = { .io.size = t->subject->size,
				  .memory = t->subject->data,
				  .name = t->name };

	if (t->subject->has_folder)
		in.siblings = &t->siblings;
	return in;
}

/* engine_init walks the catalog for each rule: once is enough. */
const struct engine *oracle_engine(void)
{
	static struct engine e;

	if (e.n_rules == 0) {
		engine_init(&e, (struct allocator){ NULL, NULL, NULL });
		e.keys.signing = reference_signing_key();
	}
	return &e;
}

void oracle_copy_engine(struct engine *e, const struct engine *of)
{
	const struct allocator own = e->allocator;

	*e = *of;
	e->allocator = own;
	e->threads.ctx = &e->threads;
}
