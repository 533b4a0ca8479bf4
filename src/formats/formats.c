/* The list of formats, one line each. */
#include "formats/format.h"

#include "formats/umod/umod.h"

const struct format *const formats[] = {
	&umod_format,
	NULL,
};
