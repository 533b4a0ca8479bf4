/* Measures a table of a million rows under twenty rules that judge each row, decoding included.
 *
 *     bench_rows ROUNDS
 *
 * prints one line a round: nanoseconds of one pass over the bytes in words of eight, nanoseconds
 * of the evaluation. */
#define RULE_LISTED(ID) .id = #ID /* rules of its own */

#include "bench.h"
#include "core/cursor.h"
#include "engine/evaluate.h"
#include "engine/profile.h"
#include "rule/finding.h"

#define LAYOUT_FILE "rows.def"
#include "core/layout_declare.h"
#include "core/layout_define.h"
#undef LAYOUT_FILE

enum { N_ROWS = 1000000, ROW_LEN = 24, ROWS = 1, N_TABLES = 2 };

#define ROWS_ROW struct bench_row
#define ROWS_GROUP 0

struct facts {
	struct cursor window;
};

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Twenty rules of the sorts that containers need; no row breaks one. */
#define ROW_RULE(ID, NAME, BROKEN) \
	EACH(ID, NAME, ERROR, ROWS, r, \
	     .class = CLASS_CORRUPTION, .title = "", .message = "{0}", .data = "id", \
	     .why = "", .fix = "", .spec = "") \
	{ \
		if (BROKEN) \
			report(c, AT(c, bench_row, r, id), HEX(r->id)); \
	}

ROW_RULE(ROW001, id_zero, r->id == 0)
ROW_RULE(ROW002, id_odd, r->id % 2 != 0)
ROW_RULE(ROW003, id_large, r->id > 0xFFFFFFFFFFu)
ROW_RULE(ROW004, id_reserved, r->id == 0xFFFFFFFFu)
ROW_RULE(ROW005, offset_unaligned, r->offset % 16 != 0)
ROW_RULE(ROW006, offset_large, r->offset > 0x7FFFFFFFu)
ROW_RULE(ROW007, offset_before_size, r->offset < r->size)
ROW_RULE(ROW008, end_outside, r->offset + r->size > 0x7FFFFFFFu)
ROW_RULE(ROW009, size_zero, r->size == 0)
ROW_RULE(ROW010, size_unaligned, r->size % 4 != 0)
ROW_RULE(ROW011, size_large, r->size > 65536)
ROW_RULE(ROW012, flags_unknown, (r->flags & ~(uint64_t)7) != 0)
ROW_RULE(ROW013, flags_contradict, (r->flags & 6) == 6)
ROW_RULE(ROW014, flags_without_size, r->flags != 0 && r->size < 4)
ROW_RULE(ROW015, count_zero, r->count == 0)
ROW_RULE(ROW016, count_large, r->count > 1000)
ROW_RULE(ROW017, count_beyond_size, r->count > r->size)
ROW_RULE(ROW018, check_wrong, r->check != (r->id & 0xFFFF))
ROW_RULE(ROW019, check_of_nothing, r->check == 1 && r->count == 0)
ROW_RULE(ROW020, id_beyond_offset, r->id > r->offset + 2 * N_ROWS)

static const struct rule *const rules[] = {
	&ROW001_rule, &ROW002_rule, &ROW003_rule, &ROW004_rule, &ROW005_rule,
	&ROW006_rule, &ROW007_rule, &ROW008_rule, &ROW009_rule, &ROW010_rule,
	&ROW011_rule, &ROW012_rule, &ROW013_rule, &ROW014_rule, &ROW015_rule,
	&ROW016_rule, &ROW017_rule, &ROW018_rule, &ROW019_rule, &ROW020_rule
};

enum { N_ROW_RULES = sizeof rules / sizeof rules[0] };

/* ---- The table ------------------------------------------------------------------------------- */

static void put(uint8_t *p, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint8_t *make_bytes(void)
{
	uint8_t *bytes = malloc((size_t)N_ROWS * ROW_LEN);

	if (!bytes)
		exit(1);
	for (uint64_t i = 0; i < N_ROWS; i++) {
		uint8_t *row = bytes + i * ROW_LEN;

		put(row, 2 * i + 2, 8);
		put(row + 8, 1024 + 16 * i, 4);
		put(row + 12, 16 + 4 * (i % 8), 4);
		put(row + 16, i % 6, 4);
		put(row + 20, 1 + i % 9, 2);
		put(row + 22, (2 * i + 2) & 0xFFFF, 2);
	}
	return bytes;
}

static void view_rows(const void *facts, uint64_t first, uint64_t n, void *rows_out)
{
	struct cursor c = ((const struct facts *)facts)->window;
	struct bench_row *rows = rows_out;

	if (!cursor_seek(&c, first * ROW_LEN))
		return;
	for (uint64_t i = 0; i < n; i++)
		if (!bench_row_read(&c, 0, &rows[i]))
			return;
}

/* ---- Measuring ------------------------------------------------------------------------------- */

static uint64_t time_touch(const uint8_t *bytes)
{
	volatile uint64_t sum_kept;
	uint64_t from = bench_now(), sum = 0;

	for (size_t i = 0; i < (size_t)N_ROWS * ROW_LEN; i += 8)
		sum += bytes_le64(bytes + i);
	sum_kept = sum;
	(void)sum_kept;
	return bench_now() - from;
}

static uint64_t time_rules(const struct facts *facts)
{
	static struct profile profile;
	static struct bench_row block[TABLE_BLOCK];
	static uint8_t status[N_ROW_RULES];
	static struct indexed_rule indexed[N_ROW_RULES];
	static uint8_t why[N_ROW_RULES];
	static struct rule_result own[N_ROW_RULES];
	struct results_notes notes = { .own = own };
	const struct table tables[N_TABLES] = {
		[ROWS] = { .record = "row",
			   .n = N_ROWS,
			   .row_len = sizeof(struct bench_row),
			   .view = view_rows },
	};
	struct work work = { .max = UINT64_MAX };
	struct source source = { .name = "" };
	struct evaluation e = {
		.check = { .facts = facts,
			   .source = &source,
			   .tables = tables,
			   .n_tables = N_TABLES,
			   .rules = rules,
			   .results = { status, why, &notes },
			   .settings = profile.rules },
		.work = &work,
		.block = block,
		.indexed = indexed,
		.initial = profile.initial,
	};
	struct rule_index index;
	uint64_t from;

	profile_init(&profile);
	rule_index_fill(&index, rules, 0, N_ROW_RULES, indexed);
	from = bench_now();
	evaluate_rules(&e, &index);
	for (size_t i = 0; i < N_ROW_RULES; i++)
		if (status[i] != RULE_PASS)
			exit(1);
	return bench_now() - from;
}

int main(int argc, char **argv)
{
	uint8_t *bytes = make_bytes();
	const struct facts facts = { cursor_init(bytes, (uint64_t)N_ROWS * ROW_LEN, 0) };

	for (long r = argc > 1 ? atol(argv[1]) : 1; r > 0; r--) {
		unsigned long long touch = time_touch(bytes);

		printf("%llu %llu\n", touch, (unsigned long long)time_rules(&facts));
	}
	free(bytes);
	return 0;
}
