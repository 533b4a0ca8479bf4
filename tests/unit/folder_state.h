/* What tests of the engine with files beside the input begin with: a folder of files, and a check
 * with whose decoder a test meddles. */
#ifndef UVET_TESTS_FOLDER_STATE_H
#define UVET_TESTS_FOLDER_STATE_H

#include "engine/members.h"
#include "engine/session_open.h"
#include "engine_state.h"

/* ---- A folder of files ----------------------------------------------------------------------- */

static struct {
	struct fault_input file; /* what each name opens */
	enum companion_state state;
	unsigned n_asked, n_closed;
} folder;

static enum companion_state open_file(void *ctx, const char *name, void *room,
				      struct source_io *out)
{
	(void)ctx;
	(void)name;
	folder.n_asked++;
	memset(room, 0x5A, COMPANION_ROOM);
	*out = (struct source_io){ fault_source_read, fault_source_unchanged, &folder.file,
				   folder.file.size };
	return folder.state;
}

static void close_file(void *ctx, const struct source_io *io)
{
	(void)ctx;
	assert_ptr_equal(io->ctx, &folder.file);
	folder.n_closed++;
}

static const struct siblings siblings = { .open = open_file, .close = close_file };
static struct source source;
static struct arena arena;

static int begin_folder(void **state)
{
	static const uint8_t bytes[] = "these bytes lie in a file beside the input";

	begin(state);
	memset(&folder, 0, sizeof folder);
	folder.file = (struct fault_input){ .bytes = bytes, .size = sizeof bytes };
	arena_init(&arena, engine.allocator, UNIT_PLENTY);
	source_init_memory(&source, file.bytes, file.n, "a.umod", &arena);
	return 0;
}

static int end_folder(void **state)
{
	arena_free(&arena);
	return end(state) != 0 || folder.n_closed > folder.n_asked;
}

/* ---- A check --------------------------------------------------------------------------------- */

static struct session session;

/* Opens and judges an installer whose decoder, as it were, also asked for files beside it and then
 * did what `meddle` does. */
static void judge_with(struct tree *t, const struct check_input *in,
		       void (*meddle)(struct decode *d))
{
	*t = (struct tree){ .engine = &engine,
			    .work = { .max = UINT64_MAX },
			    .root = report_new(&engine, in) };
	session_open(&session, t, t->root, in);
	assert_true(session_decode(&session));
	meddle(&session.decode);
	assert_true(session_judge(&session));
}

static struct report *check_input_with(const struct check_input *in,
				       void (*meddle)(struct decode *d))
{
	struct tree t;

	judge_with(&t, in, meddle);
	assert_true(session_close(&session));
	assert_int_equal(folder.n_closed, folder.state == COMPANION_OPEN ? folder.n_asked : 0);
	return t.root;
}

static struct check_input installer(void)
{
	return (struct check_input){
		.io.size = file.n, .memory = file.bytes, .name = "a.umod", .siblings = &siblings
	};
}

static struct report *check_with(void (*meddle)(struct decode *d))
{
	struct check_input in = installer();

	return check_input_with(&in, meddle);
}

static const struct finding *only_finding(const struct report *r, const char *id)
{
	assert_int_equal(r->n_findings, 1);
	assert_string_equal(r->findings[0]->rule->id, id);
	return r->findings[0];
}

#endif
