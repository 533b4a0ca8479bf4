/* Options: lines of name=value from a stranger, then a check with whatever they made of the
 * engine, all through the public interface. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "formats/umod/umod.h"
#include "oracle/oracle_trial.h"
#include "reference/reference.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "support/strict.h"
#include "support/thorough.h"
#include "targets/harness.h"

enum { LINE_MAX_LEN = 512, LINES_MAX = 16 };

/* An installer of two empty manifests; its CRC is wrong, so that there is something to report. */
static const uint8_t installer[] = "\x02"
				   "\x14System\\Manifest.ini\0\0\0\0\0\0\0\0\0\3\0\0\0"
				   "\x14System\\Manifest.int\0\0\0\0\0\0\0\0\0\3\0\0\0"
				   "\xA3\xC5\xE3\x9F\0\0\0\0\x57\0\0\0\1\0\0\0\0\0\0";

static int no_sink(void *ctx, const void *bytes, size_t len)
{
	size_t *n = ctx;

	(void)bytes;
	*n += len;
	return 0;
}

static void check_error(const uvet_options *o, uvet_status status)
{
	const char *error = uvet_options_error(o);
	size_t n = strlen(error);

	MUST((status == UVET_OK) == (n == 0), "an error has words, and only an error");
	MUST(!strchr(error, '\n') && !strict_text((const uint8_t *)error, n, false),
	     "an error is one harmless line");
}

/* Sets one option; a refusal leaves everything as it was, which takes long to see: a line in eight
 * is looked at so. */
static void set_option(uvet_options *o, const char *name, const char *value)
{
	static struct engine before;
	const bool looks = thorough_is_turn(random_hash((const uint8_t *)name, strlen(name)), 0, 8);
	uvet_status status;

	if (looks)
		memcpy(&before, &o->settings, sizeof before);
	status = uvet_options_set(o, name, value);
	MUST(status == UVET_OK || status == UVET_BAD_OPTION, "an option is taken or refused");
	MUST(!looks || status == UVET_OK || reference_same(&before, &o->settings, sizeof before),
	     "a refused option changes nothing");
	check_error(o, status);
	for (size_t i = 0; looks && i < o->settings.n_rules; i++)
		MUST(!(before.rules[i]->flags & RULE_MANDATORY) ||
			     profile_counts(&o->settings.profile, i),
		     "a mandatory rule stays");
}

static void set_line(uvet_options *o, const uint8_t *line, size_t n)
{
	char name[LINE_MAX_LEN + 1], *equals;

	if (n > LINE_MAX_LEN)
		n = LINE_MAX_LEN;
	memcpy(name, line, n);
	name[n] = '\0';
	equals = strchr(name, '=');
	if (equals)
		*equals = '\0';
	set_option(o, name, equals ? equals + 1 : "");
}

static void set_lines(uvet_options *o, const uint8_t *data, size_t size)
{
	for (int i = 0; i < LINES_MAX && size > 0; i++) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t n = end ? (size_t)(end - data) : size;

		set_line(o, data, n);
		if (!end)
			return;
		data += n + 1;
		size -= n + 1;
	}
}

static void read_findings(const uvet_report *r)
{
	uint64_t at, len;
	char buf[64];

	for (size_t i = 0; i < uvet_report_count(r); i++) {
		const uvet_finding *f = uvet_report_at(r, i);
		size_t n = uvet_finding_message(f, buf, sizeof buf);

		MUST(n > 0 && strlen(buf) <= n && strict_utf8((uint8_t *)buf, strlen(buf)),
		     "a message is cut between characters");
		(void)uvet_finding_field(f, buf, sizeof buf);
		if (uvet_finding_place(f, &at, &len))
			MUST(at <= sizeof installer && len <= sizeof installer - at,
			     "a finding points into its source");
	}
	MUST(!uvet_report_at(r, uvet_report_count(r)), "nothing stands past the end");
}

/* The format of the output is a stranger's word too; without one it is json. */
static void write_run(uvet_engine *e, const uvet_report *r, const char *format)
{
	uvet_writer *writer = NULL;
	size_t written = 0;
	uvet_status status;

	MUST(uvet_writer_new(e, &writer) == UVET_OK, "a writer can be made");
	status = uvet_writer_output(writer, format, no_sink, &written);
	if (status == UVET_BAD_OPTION)
		status = uvet_writer_output(writer, "json", no_sink, &written);
	MUST(status == UVET_OK || status == UVET_NO_MEMORY, "json exists");
	/* A limit on memory may be too low for a report writer. */
	if (status == UVET_OK && uvet_writer_add(writer, r) == UVET_OK &&
	    uvet_writer_end(writer) == UVET_OK)
		MUST(written > 0, "a report writer writes something");
	MUST(uvet_writer_exit_code(writer) <= 2, "an exit code is 0, 1 or 2");
	uvet_writer_free(writer);
}

/* Whether no rule of installers is left that can find an error, where such files are to be passed
 * over. */
static bool asks_nothing(const uvet_options *o)
{
	const struct engine *e = &o->settings;
	size_t first, end;

	catalog_range(&umod_format, &first, &end);
	for (size_t i = first; i < end; i++)
		if (profile_counts(&e->profile, i) &&
		    e->profile.rules[i].severity == SEVERITY_ERROR)
			return false;
	return e->unknown == UNKNOWN_SKIP;
}

static void check(const uvet_options *o, const char *format)
{
	uvet_engine *e = NULL;
	uvet_report *r = NULL;
	uvet_status status;

	MUST(uvet_engine_new(o, &e) == UVET_OK, "an engine can be made");
	status = uvet_check_memory(e, "Mod.umod", installer, sizeof installer, NULL, &r);
	MUST(status == UVET_OK && r, "a check returns a report");
	MUST(uvet_report_verdict(r) != UVET_NOT_APPLICABLE || asks_nothing(o),
	     "an installer is an installer");
	read_findings(r);
	write_run(e, r, format);
	uvet_report_free(r);
	uvet_engine_free(e);
}

/* The other questions that take a stranger's word. */
static void ask(const char *word)
{
	uvet_rule rule = UVET_RULE_INIT;
	size_t n = 0;
	int known = uvet_rule_find(word, &rule);

	MUST((uvet_explain(word, no_sink, &n) == UVET_OK) == (known != 0),
	     "a rule that is known is explained");
	MUST(uvet_rules_write(word, no_sink, &n) != UVET_OK || n > 0, "rules are written");
}

/* New options are the same each time, and take longer than most of what is asked of them: one
 * input in eight gets some, and others those of before, put back to what new ones are. */
static uvet_options *make_options(bool anew)
{
	static uvet_options *made, kept;
	uvet_options *o = NULL;

	if (anew || !made)
		MUST(uvet_options_new(&o) == UVET_OK, "options can be made");
	if (anew)
		return o;
	if (!made)
		made = o;
	oracle_copy_engine(&kept.settings, &made->settings);
	memcpy(kept.error, made->error, sizeof kept.error);
	return &kept;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint64_t hash = random_hash(data, size);
	const bool anew = thorough_is_turn(hash / 2, 0, 8);
	uvet_options *o = make_options(anew);
	struct memory memory;
	struct allocator a;
	char word[33] = { 0 };

	memory_init(&memory, 0xA5);
	a = memory_allocator(&memory);
	memcpy(word, data, size < 32 ? size : 32);
	uvet_options_allocator(o, a.alloc, a.release, a.ctx);
	set_lines(o, data, size);
	if (thorough_is_turn(hash, 0, 3))
		check(o, word);
	if (anew)
		uvet_options_free(o);
	MUST(memory.n_live == 0, "what was allocated is given back");
	word[strcspn(word, "\n")] = '\0';
	if (thorough_is_turn(hash, 1, 3))
		ask(word);
	return 0;
}
