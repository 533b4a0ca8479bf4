/* A library with Oodle's function, which looks at how it is called: what it decompresses is written
 * backwards. */
#include <stddef.h>
#include <stdint.h>

intptr_t OodleLZ_Decompress(const void *in, intptr_t in_len, void *out, intptr_t out_len,
			    int fuzz_safe, int check_crc, int verbosity, void *window,
			    intptr_t window_len, void *callback, void *callback_ctx, void *memory,
			    intptr_t memory_len, int thread_phase);

intptr_t OodleLZ_Decompress(const void *in, intptr_t in_len, void *out, intptr_t out_len,
			    int fuzz_safe, int check_crc, int verbosity, void *window,
			    intptr_t window_len, void *callback, void *callback_ctx, void *memory,
			    intptr_t memory_len, int thread_phase)
{
	const unsigned char *from = in;
	unsigned char *to = out;

	if (fuzz_safe != 1 || check_crc != 0 || verbosity != 0 || window || window_len != 0 ||
	    callback || callback_ctx || memory || memory_len != 0 || thread_phase != 3)
		return -1;
	if (in_len < 0 || out_len < 0)
		return 1;
	if (out_len < in_len)
		return 0;
	for (intptr_t i = 0; i < in_len; i++)
		to[i] = from[in_len - 1 - i];
	return in_len;
}
