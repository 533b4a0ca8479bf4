/* Oodle: one function of its library, called as Unreal calls it. */
#include "cli/oodle.h"

#include "cli/message.h"

/* What the function is called in every version of the library, and what it takes. */
typedef intptr_t decompress(const void *in, intptr_t in_len, void *out, intptr_t out_len,
			    int fuzz_safe, int check_crc, int verbosity, void *window,
			    intptr_t window_len, void *callback, void *callback_ctx, void *memory,
			    intptr_t memory_len, int thread_phase);

enum { FUZZ_SAFE = 1, NO_CRC = 0, SILENT = 0, ALL_PHASES = 3 };

/* ctx is the library rather than its function, because C has no cast from a pointer to a function
 * to one to an object. */
static int64_t decode(void *ctx, const void *in, size_t in_len, void *out, size_t out_len)
{
	const struct platform_library *library = ctx;
	decompress *function = (decompress *)library->function;

	if (in_len > INTPTR_MAX || out_len > INTPTR_MAX)
		return -1;
	return function(in, (intptr_t)in_len, out, (intptr_t)out_len, FUZZ_SAFE, NO_CRC, SILENT,
			NULL, 0, NULL, NULL, NULL, 0, ALL_PHASES);
}

/* Loading a FIFO would wait for ever, and the loader does not say why a file cannot be loaded. */
static bool is_file(const char *path)
{
	struct platform_file file;

	if (!platform_file_open(path, &file)) {
		message("--oodle: '%s' cannot be loaded: %t", path,
			platform_error_words(platform_error()));
		return false;
	}
	platform_file_close(&file);
	return true;
}

bool oodle_open(uvet_options *options, const char *path, struct platform_library *out)
{
	if (!is_file(path))
		return false;
	switch (platform_library_open(path, "OodleLZ_Decompress", out)) {
	case PLATFORM_LIBRARY_OPEN:
		uvet_options_oodle(options, decode, out);
		return true;
	case PLATFORM_LIBRARY_FOREIGN:
		message("--oodle: '%s' is not the Oodle library: it has no OodleLZ_Decompress",
			path);
		return false;
	default:
		message("--oodle: '%s' cannot be loaded", path);
		return false;
	}
}
