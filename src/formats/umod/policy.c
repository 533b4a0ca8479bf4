/* Policy: looking things up in the rows of policy.def. */
#include "formats/umod/policy.h"

bool policy_is_program(uint32_t extension)
{
	switch (extension) {
#define PROGRAM(a, b, c) case TEXT_WORD(a, b, c, 0):
#include "formats/umod/policy.def"
#undef PROGRAM
		return true;
	default:
		return false;
	}
}

bool policy_is_stock_folder(struct text folder)
{
#define STOCK_FOLDER(name) name,
	static const char *const folders[] = {
#include "formats/umod/policy.def"
	};
#undef STOCK_FOLDER

	return text_is_one(folder, folders, sizeof folders / sizeof folders[0]);
}

bool policy_is_settings(struct text extension)
{
#define SETTINGS(name) name,
	static const char *const settings[] = {
#include "formats/umod/policy.def"
	};
#undef SETTINGS

	return text_is_one(extension, settings, sizeof settings / sizeof settings[0]);
}

const struct policy_product *policy_product(struct text name)
{
#define PRODUCT(name, last_version, is_game) { name, sizeof(name) - 1, last_version, is_game },
	static const struct policy_product products[] = {
#include "formats/umod/policy.def"
	};
#undef PRODUCT

	for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
		if (name.ref.n_units == products[i].len && text_starts(name, products[i].name))
			return &products[i];
	return NULL;
}
