/* The oracle of what is written: each format is well-formed, safe to show, and the same for the
 * same report. */
#include "oracle/oracle_render.h"

#include "report/map.h"
#include "report/report_writer.h"
#include "support/capture.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/thorough.h"

static void render(struct engine *e, const struct report *r, const char *format, struct capture *p)
{
	struct report_writer writer;

	p->n = 0;
	report_writer_init(&writer, e, (struct tool){ "0.0.0", "0", NULL });
	MUST(report_writer_output(&writer, format, capture_sink, p) == WRITER_OK,
	     "the format exists");
	MUST(report_writer_add(&writer, r) == WRITER_OK && report_writer_end(&writer) == WRITER_OK,
	     "a report can be written");
	report_writer_free(&writer);
}

static const char *const outputs[] = { "json",       "text",   "text-color",   "concise",
				       "ndjson",     "sarif",  "sarif-github", "junit",
				       "checkstyle", "github", "gitlab",       "csv",
				       "markdown",   "html" };

/* The number of the one output that is drawn. SARIF tells of every rule each time and takes twenty
 * times as long as the others. */
static size_t draw_output(uint64_t which)
{
	static const uint8_t drawn[32] = {
		0, 0, 0, 0, 1,  1,  1,  1,  2,  2,  3,  3,  4,  4,  7, 7,
		8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 13, 13, 5, 6
	};

	return drawn[which % 32];
}

void oracle_render(const struct engine *e, const struct report *r, uint64_t which)
{
	static struct capture captured, again;
	struct memory memory;
	static struct engine own;

	memory_init(&memory, 0x99);
	oracle_copy_engine(&own, e);
	own.allocator = memory_allocator(&memory);
	own.limits.of[LIMIT_memory] = limit_infos[LIMIT_memory].standard;
	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
		if (i != draw_output(which) && !thorough_is_on())
			continue;
		render(&own, r, outputs[i], &captured);
		capture_check(&captured, outputs[i]);
	}
	if (which / 32 % 32 == 0 || thorough_is_on()) {
		render(&own, r, "json", &captured);
		memory.fill = 0x66;
		render(&own, r, "json", &again);
		MUST(capture_is_same(&captured, &again), "the same report is written alike");
	}
	MUST(memory.n_live == 0, "a report writer gives its memory back");
}

/* What a map or an info writes. */
typedef void writing(struct engine *e, const struct trial *t, const struct report *r,
		     struct out *o);

static void write_map_text(struct engine *e, const struct trial *t, const struct report *r,
			   struct out *o)
{
	struct check_input in = oracle_input(t);

	(void)r;
	(void)map_text(e, &in, o);
}

static void write_map_json(struct engine *e, const struct trial *t, const struct report *r,
			   struct out *o)
{
	struct check_input in = oracle_input(t);

	(void)r;
	(void)map_json(e, &in, o);
}

static void write_info_text(struct engine *e, const struct trial *t, const struct report *r,
			    struct out *o)
{
	(void)e;
	(void)t;
	info_text(r, r->format ? MAP_OK : MAP_CUT, o);
}

static void write_info_json(struct engine *e, const struct trial *t, const struct report *r,
			    struct out *o)
{
	(void)e;
	(void)t;
	info_json(r, r->format ? MAP_OK : MAP_CUT, o);
}

void oracle_render_maps(const struct trial *t, const struct report *r)
{
	static const struct {
		writing *write;
		const char *format;
	} all[] = {
		{ write_map_text, "text" },
		{ write_map_json, "json" },
		{ write_info_text, "text" },
		{ write_info_json, "json" },
	};
	static struct capture captured;
	struct memory memory;
	static struct engine own;
	struct out o;

	memory_init(&memory, 0x99);
	oracle_copy_engine(&own, t->engine);
	own.allocator = memory_allocator(&memory);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		captured.n = 0;
		out_init(&o, capture_sink, &captured);
		all[i].write(&own, t, r, &o);
		out_flush(&o);
		capture_check(&captured, all[i].format);
	}
	MUST(memory.n_live == 0, "a map gives its memory back");
}
