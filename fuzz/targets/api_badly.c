/* Calls with arguments that are not allowed, and names of everything. */
#include <stdlib.h>
#include <string.h>

#include "support/must.h"
#include "targets/api_calls.h"

/* ---- Names ----------------------------------------------------------------------------------- */

static void check_name(const char *name, bool exists)
{
	MUST(name && (*name != '\0') == exists, "what exists has a name, and nothing else");
}

void call_names(struct world *w)
{
	static const char *const tasks[] = { "crc",  "deflate", "lzma", "lz4",   "zstd",
					     "sha1", "aes",     "rsa",  "blake3" };
	const int i = (int)(calls_next(&w->calls) % 256) - 128;
	const size_t n_tasks = sizeof tasks / sizeof *tasks;

	check_name(uvet_status_name((uvet_status)i), i >= UVET_OK && i <= UVET_CUT);
	check_name(uvet_verdict_name((uvet_verdict)i), i >= UVET_VALID && i <= UVET_NOT_APPLICABLE);
	check_name(uvet_severity_name((uvet_severity)i),
		   i >= UVET_SEVERITY_NONE && i <= UVET_SEVERITY_ERROR);
	check_name(uvet_library(tasks[(size_t)(uint8_t)i % n_tasks]), true);
	MUST(!uvet_library("") && !uvet_library(NULL) && !uvet_library("CRC"),
	     "other tasks have no library");
	MUST(strcmp(uvet_version(), UVET_VERSION) == 0 &&
		     uvet_version_number() == UVET_VERSION_NUMBER && strlen(uvet_ruleset()) > 0,
	     "versions are told");
}

/* ---- What is not allowed --------------------------------------------------------------------- */

static int no_sink(void *ctx, const void *bytes, size_t len)
{
	(void)ctx;
	(void)bytes;
	(void)len;
	MUST(false, "a call that is refused writes nothing");
	return 1;
}

#define REFUSED(call) \
	MUST((call) == UVET_BAD_CALL, "an argument that is not allowed is refused: " #call)

static void refuse_settings(struct world *w)
{
	static const uint8_t bytes[64] = { 1 };
	uint64_t value = 7;

	REFUSED(uvet_options_new(NULL));
	REFUSED(uvet_options_set(NULL, "level", "content"));
	REFUSED(uvet_options_set(w->options, NULL, "content"));
	REFUSED(uvet_options_set(w->options, "level", NULL));
	REFUSED(uvet_options_key(NULL, NULL, bytes));
	REFUSED(uvet_options_key(w->options, bytes, NULL));
	REFUSED(uvet_options_signing_key(NULL, bytes, sizeof bytes, bytes, 1));
	REFUSED(uvet_options_signing_key(w->options, NULL, sizeof bytes, bytes, 1));
	REFUSED(uvet_options_signing_key(w->options, bytes, sizeof bytes, NULL, 1));
	REFUSED(uvet_options_learn(w->options, NULL));
	REFUSED(uvet_options_global(w->options, NULL));
	REFUSED(uvet_engine_new(w->options, NULL));
	REFUSED(uvet_cancellation_new(NULL));
	MUST(!uvet_options_limit(NULL, "max-work", &value) &&
		     !uvet_options_limit(w->options, NULL, &value) &&
		     !uvet_options_limit(w->options, "max-work", NULL) && value == 7,
	     "a limit is told to who asks for one");
	MUST(*uvet_options_error(NULL) == '\0', "no options have no error");
	uvet_options_allocator(NULL, NULL, NULL, NULL);
	uvet_options_allocator(w->options, NULL, NULL, NULL);
	uvet_options_oodle(NULL, NULL, NULL);
}

static int take_none(void *ctx, size_t index, uvet_report *report)
{
	(void)ctx, (void)index, (void)report;
	MUST(false, "a set that is refused has no reports");
	return 1;
}

static void refuse_sets(struct world *w)
{
	uvet_report *none = NULL;
	uvet_set *set = NULL;

	REFUSED(uvet_set_new(NULL, &set));
	REFUSED(uvet_set_new(w->engine, NULL));
	REFUSED(uvet_set_add(NULL, NULL, 0));
	REFUSED(uvet_set_list(NULL, "a", 0, NULL));
	REFUSED(uvet_set_check(NULL, NULL, &none));
	REFUSED(uvet_set_imports(NULL, NULL, "json", no_sink, NULL));
	MUST(!set && !none, "a call that is refused returns nothing");
	uvet_set_free(NULL);
}

static void refuse_checks(struct world *w)
{
	const uvet_io io = UVET_IO_INIT, *odd = &io, *const unopened = NULL;
	uvet_report *none = NULL;
	const char *path = w->host.path;

	REFUSED(uvet_check_path(NULL, path, NULL, &none));
	REFUSED(uvet_check_path(w->engine, NULL, NULL, &none));
	REFUSED(uvet_check_path(w->engine, path, NULL, NULL));
	REFUSED(uvet_check_memory(NULL, path, "", 0, NULL, &none));
	REFUSED(uvet_check_memory(w->engine, NULL, "", 0, NULL, &none));
	REFUSED(uvet_check_memory(w->engine, path, NULL, 1, NULL, &none));
	REFUSED(uvet_check_memory(w->engine, path, "", 0, NULL, NULL));
	REFUSED(uvet_check_io(NULL, path, NULL, NULL, &none));
	REFUSED(uvet_check_io(w->engine, NULL, NULL, NULL, &none));
	REFUSED(uvet_check_io(w->engine, path, &io, NULL, &none));
	REFUSED(uvet_check_io(w->engine, path, NULL, NULL, NULL));
	REFUSED(uvet_check_set(NULL, &path, &unopened, 1, NULL, take_none, NULL));
	REFUSED(uvet_check_set(w->engine, NULL, &unopened, 1, NULL, take_none, NULL));
	REFUSED(uvet_check_set(w->engine, &path, NULL, 1, NULL, take_none, NULL));
	REFUSED(uvet_check_set(w->engine, &path, &odd, 1, NULL, take_none, NULL));
	REFUSED(uvet_check_set(w->engine, &path, &unopened, 1, NULL, NULL, NULL));
	refuse_sets(w);
	REFUSED(uvet_check_lost(NULL, path, 0, &none));
	REFUSED(uvet_check_lost(w->engine, NULL, 0, &none));
	REFUSED(uvet_check_lost(w->engine, path, 0, NULL));
	REFUSED(uvet_check_link(NULL, path, &none));
	REFUSED(uvet_check_link(w->engine, NULL, &none));
	REFUSED(uvet_check_link(w->engine, path, NULL));
	MUST(!none, "a call that is refused returns no report");
}

static int no_claim(void *ctx, uvet_claim kind, const void *bytes, size_t len)
{
	(void)ctx, (void)kind, (void)bytes, (void)len;
	MUST(false, "a call that is refused claims nothing");
	return 1;
}

static void refuse_showings(struct world *w)
{
	const uvet_io io = UVET_IO_INIT;
	unsigned gaps = 0;
	const char *path = w->host.path;

	REFUSED(uvet_claims_path(NULL, path, NULL, no_claim, NULL, &gaps));
	REFUSED(uvet_claims_path(w->engine, NULL, NULL, no_claim, NULL, &gaps));
	REFUSED(uvet_claims_path(w->engine, path, NULL, NULL, NULL, &gaps));
	REFUSED(uvet_claims_path(w->engine, path, NULL, no_claim, NULL, NULL));
	REFUSED(uvet_claims_io(w->engine, path, &io, NULL, no_claim, NULL, &gaps));
	REFUSED(uvet_claims_io(w->engine, path, NULL, NULL, no_claim, NULL, NULL));
	REFUSED(uvet_map_path(NULL, path, NULL, "json", no_sink, NULL));
	REFUSED(uvet_map_path(w->engine, NULL, NULL, "json", no_sink, NULL));
	REFUSED(uvet_map_path(w->engine, path, NULL, NULL, no_sink, NULL));
	REFUSED(uvet_map_path(w->engine, path, NULL, "json", NULL, NULL));
	REFUSED(uvet_map_io(NULL, path, NULL, NULL, "json", no_sink, NULL));
	REFUSED(uvet_map_io(w->engine, path, &io, NULL, "json", no_sink, NULL));
	REFUSED(uvet_info_path(NULL, path, NULL, "json", no_sink, NULL));
	REFUSED(uvet_info_path(w->engine, path, NULL, "json", NULL, NULL));
	REFUSED(uvet_info_io(w->engine, NULL, NULL, NULL, "json", no_sink, NULL));
	REFUSED(uvet_info_io(w->engine, path, &io, NULL, "json", no_sink, NULL));
}

static void refuse_writers(struct world *w)
{
	uvet_writer *writer = NULL;
	uvet_rule rule = UVET_RULE_INIT;

	REFUSED(uvet_writer_new(NULL, &writer));
	REFUSED(uvet_writer_new(w->engine, NULL));
	REFUSED(uvet_writer_output(NULL, "json", no_sink, NULL));
	REFUSED(uvet_writer_add(NULL, NULL));
	REFUSED(uvet_writer_add_alone(NULL, NULL));
	REFUSED(uvet_writer_left_out(NULL, 1, 2, 3));
	REFUSED(uvet_writer_accept(NULL, NULL, NULL));
	REFUSED(uvet_writer_end(NULL));
	REFUSED(uvet_report_write(w->engine, NULL, "json", no_sink, NULL));
	if (w->writer) {
		REFUSED(uvet_writer_output(w->writer, NULL, no_sink, NULL));
		REFUSED(uvet_writer_output(w->writer, "json", NULL, NULL));
		REFUSED(uvet_writer_add(w->writer, NULL));
		REFUSED(uvet_writer_add_alone(w->writer, NULL));
	}
	REFUSED(uvet_rules_write(NULL, no_sink, NULL));
	REFUSED(uvet_rules_write("json", NULL, NULL));
	REFUSED(uvet_schema_write(NULL, no_sink, NULL));
	REFUSED(uvet_schema_write("report", NULL, NULL));
	REFUSED(uvet_explain(NULL, no_sink, NULL));
	REFUSED(uvet_explain("UMD001", NULL, NULL));
	MUST(uvet_rules_write("xml", no_sink, NULL) == UVET_BAD_OPTION, "there is no such format");
	MUST(!uvet_rule_at(0, NULL) && !uvet_rule_find("UMD001", NULL) &&
		     !uvet_rule_find(NULL, &rule),
	     "a rule is told to who asks for one");
	MUST(!uvet_rule_at(SIZE_MAX, &rule) && !uvet_limit_at(0, NULL),
	     "nothing stands past the end");
}

/* ---- Structs of other sizes ------------------------------------------------------------------ */

/* A struct of the size that a caller states, in an exact-size block, followed by bytes that are not
 * its own. */
struct sized {
	uint8_t *bytes;
	size_t size; /* that is there, sizeof(size_t) at least */
};

static struct sized sized_new(size_t said, size_t size, uint8_t fill)
{
	struct sized s = { malloc(size), size };

	MUST(s.bytes && size >= sizeof said, "there is memory");
	memset(s.bytes, fill, size);
	memcpy(s.bytes, &said, sizeof said);
	return s;
}

static void check_filled(const struct sized *s, size_t said, size_t own, int status)
{
	size_t filled;

	memcpy(&filled, s->bytes, sizeof filled);
	MUST((status != 0) == (said >= own && said <= UVET_STRUCT_SIZE_MAX),
	     "a struct of a size that can be is filled, and no other");
	MUST(filled == (status != 0 ? own : said), "it is told how much was filled");
	for (size_t i = status != 0 ? own : sizeof said; i < s->size; i++)
		MUST(s->bytes[i] == 0x5A, "nothing else is written");
}

/* Sizes that are impossible say nothing of the memory there is: only the size itself may be
 * read. */
void call_sizes(struct world *w)
{
	const uint64_t drawn = calls_number(&w->calls);
	const size_t said = drawn % 2 ? (size_t)(drawn / 2 % (2 * UVET_STRUCT_SIZE_MAX))
				      : (size_t)drawn;
	const size_t size = said > UVET_STRUCT_SIZE_MAX || said < sizeof said ? sizeof said : said;
	struct sized rule = sized_new(said, size, 0x5A), limit = sized_new(said, size, 0x5A);
	struct sized hooks = sized_new(said, size, 0), io = sized_new(said, size, 0),
		     odd = sized_new(said, size, 0x5A);
	uvet_report *r = NULL;
	const bool can = said >= sizeof(uvet_hooks) && said <= UVET_STRUCT_SIZE_MAX;

	check_filled(&rule, said, sizeof(uvet_rule), uvet_rule_at(0, (void *)rule.bytes));
	check_filled(&limit, said, sizeof(uvet_limit), uvet_limit_at(0, (void *)limit.bytes));
	world_engine(w);
	MUST((uvet_check_io(w->engine, w->host.path, NULL, (void *)hooks.bytes, &r) == UVET_OK) ==
		     can,
	     "hooks of any size that can be are read");
	MUST(can == (r != NULL), "a call that is refused returns no report");
	uvet_report_free(r);
	/* it has no read_at */
	REFUSED(uvet_check_io(w->engine, w->host.path, (void *)io.bytes, NULL, &r));
	if (said != sizeof(uvet_hooks))
		/* it asks for something unknown */
		REFUSED(uvet_check_io(w->engine, w->host.path, NULL, (void *)odd.bytes, &r));
	free(rule.bytes);
	free(limit.bytes);
	free(hooks.bytes);
	free(io.bytes);
	free(odd.bytes);
}

/* What is NULL may be freed, set and cancelled. */
static void free_nothing(void)
{
	uvet_options_free(NULL);
	uvet_engine_free(NULL);
	uvet_cancellation_set(NULL);
	uvet_cancellation_free(NULL);
	uvet_report_free(NULL);
	uvet_writer_free(NULL);
}

void call_badly(struct world *w)
{
	const uint64_t n_live = w->memory.n_live;

	switch (calls_next(&w->calls) % 5) {
	case 0:
		refuse_settings(w);
		break;
	case 1:
		if (w->engine)
			refuse_checks(w);
		break;
	case 2:
		if (w->engine)
			refuse_showings(w);
		break;
	case 3:
		if (w->engine)
			refuse_writers(w);
		break;
	default:
		free_nothing();
		break;
	}
	MUST(w->memory.n_live == n_live, "a call that is refused takes no memory");
}
