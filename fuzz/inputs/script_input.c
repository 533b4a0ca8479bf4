/* Reading the inputs of fuzz_bytecode. */
#include "inputs/script_input.h"

bool script_input_read(struct script_input *t, const uint8_t *data, size_t size)
{
	static const unsigned versions[] = { 69, 61, 68, 63, 62, 64, 69, 118, 128, 69 };

	if (size < SCRIPT_HEAD)
		return false;
	*t = (struct script_input){
		.version = versions[data[0] % (sizeof versions / sizeof *versions)],
		.class = (enum package_class)(data[1] % 4),
		.cut = data[1] & SCRIPT_CUT,
		.how = data[2],
		.number = data[3],
		.code = data + SCRIPT_HEAD,
		.n = size - SCRIPT_HEAD,
	};
	return true;
}

void script_input_walk(const struct script_input *t, struct reference_code *c)
{
	c->data = t->code;
	c->n = t->n;
	c->size = REFERENCE_NO_SIZE;
	c->version = t->version;
	c->n_names = PACKAGE_NAMES;
	c->n_exports = PACKAGE_EXPORTS;
	c->n_imports = PACKAGE_IMPORTS;
	c->none = PACKAGE_NONE;
	reference_script(c);
}

int64_t script_input_size(const struct script_input *t, struct reference_code *c)
{
	script_input_walk(t, c);
	switch (t->how % 32) {
	case 1:
		return (int64_t)c->memory + t->number;
	case 2:
		return (int64_t)c->memory - t->number;
	case 3:
		return t->number;
	case 4:
		return INT32_MAX - t->number;
	case 5:
		return INT32_MIN + t->number;
	default:
		return (int64_t)c->memory;
	}
}
