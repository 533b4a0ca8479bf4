/* The whole public interface: a program of calls, one input, and what a host may expect of each.
 *
 * The input is a byte that says how long the program is, the program, and the files in the form
 * of bundle.h. */
#include "targets/api_calls.h"
#include "targets/harness.h"

static void (*const calls[N_CALLS])(struct world *w) = {
	call_options,       call_key,           call_signing_key, call_oodle,      call_engine,
	call_sizes,         call_cancellation,  call_check,       call_compare,    call_show,
	call_writer_new,    call_writer_output, call_writer_add,  call_writer_end, call_look,
	call_free,          call_rules,         call_limits,      call_names,      call_badly,
	call_writer_accept, call_learn
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct world w;

	world_start(&w, data, size);
	while (w.calls.at < w.calls.end)
		calls[calls_next(&w.calls) % N_CALLS](&w);
	world_end(&w);
	return 0;
}
