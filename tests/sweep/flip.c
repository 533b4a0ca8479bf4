/* Bit flips: every bit of every good seed, and which fields notice. flip LIST TABLE
 *
 * Every flip of an installer must be reported, since a checksum covers it. A package has none,
 * and a container has some for its chunks only: there the table shows what structure gives away.
 *
 * A flip is reported if some rule finds more than before as a warning or worse, and refused if
 * the verdict is no longer valid: the CRC of a self-extracting installer is only a warning.
 * "Without the CRC" counts what a rule other than the CRC's reports, so it shows how much the
 * structure alone gives away. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/formats.h"
#include "sweep.h"

enum { SEED_MAX = 65536, FIELDS_MAX = 1024, NAME_LEN = 40, SMALL = 2048, PAYLOAD_STEP = 31 };

#if defined(UVET_COVERAGE)
enum { BAD_STEP = 257 };
#else
enum { BAD_STEP = SWEEP_STEP > 1 ? 101 : 37 };
#endif

struct field {
	char name[NAME_LEN];
	bool is_covered; /* of a format of which a checksum covers every byte */
	uint64_t n_flips, n_reported, n_refused, n_otherwise;
};

struct table_of_flips {
	struct field of[FIELDS_MAX];
	size_t n;
	struct page missed; /* flips of the directory's offset that nothing noticed */
	uint64_t n_checks;
	size_t n_rules, crc_rule; /* numbers of the catalogue, which take long to find */
};

/* The field that each byte of a seed, or of a file beside it, belongs to; 0 is "unexplained". */
struct labels {
	struct table_of_flips *table;
	const struct seed *seed;
	bool is_covered;
	uint16_t *of[1 + BESIDE_MAX];
	uint16_t *now; /* those of the file that is labelled */
};

static uint16_t field_number(struct table_of_flips *t, bool is_covered, const char *record,
			     const char *field)
{
	char name[NAME_LEN];

	snprintf(name, sizeof name, "%s%s%s", record, field ? "." : "", field ? field : "");
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->of[i].name, name) == 0)
			return (uint16_t)i;
	if (t->n == FIELDS_MAX)
		sweep_give_up("more fields than FIELDS_MAX, at", name);
	memcpy(t->of[t->n].name, name, sizeof name);
	t->of[t->n].is_covered = is_covered;
	return (uint16_t)t->n++;
}

static void label(struct labels *l, struct span span, uint16_t number)
{
	for (uint64_t i = 0; i < span.len; i++)
		l->now[span.at + i] = number;
}

static void label_record(struct labels *l, struct decode *d, uint64_t version,
			 const struct region *r)
{
	struct layout_value v;
	struct cursor c;
	size_t i = 0;

	if (!source_window(source_numbered(d->source, r->file), r->span, &c))
		return;
	while (layout_walk(r->layout, version, &c, &i, &v))
		label(l, v.at, field_number(l->table, l->is_covered, r->label, v.field->name));
}

static bool is_manifest(const struct labels *l, const struct region *r)
{
	static const char name[] = "System\\Manifest.";

	return r->name.n_units >= sizeof name - 1 &&
	       memcmp(l->seed->bytes + r->name.at, name, sizeof name - 1) == 0;
}

static bool is_covered(const struct format *f)
{
#define FORMAT(name, harnesses, oracle, mutator, metadata, payload, words, covered) \
	if (f == &name##_format) \
		return covered;
#include "formats.def"
#undef FORMAT
	return false;
}

static bool label_region(void *ctx, struct decode *d, const struct format *f, uint64_t version,
			 const struct region *r)
{
	struct labels *l = ctx;

	l->is_covered = is_covered(f);
	l->now = l->of[sweep_file(l->seed, d, r)];
	if (r->layout)
		label_record(l, d, version, r);
	else if (strcmp(r->kind, "index") != 0)
		label(l, r->span,
		      field_number(l->table, l->is_covered,
				   is_manifest(l, r) ? "manifest" : r->label, NULL));
	return true;
}

/* What a rule found in a file and in those that lie in it. */
static uint64_t n_found(const struct report *top, size_t rule, size_t severity)
{
	uint64_t n = 0;

	for (const struct report *r = top; r; r = report_next(top, r))
		n += report_result(r, rule)->n_found[severity];
	return n;
}

/* Whether a rule found more than before, as a warning or worse. */
static bool found_more(const struct report *now, const struct report *before, size_t rule)
{
	for (size_t s = SEVERITY_WARNING; s <= SEVERITY_ERROR; s++)
		if (n_found(now, rule, s) > n_found(before, rule, s))
			return true;
	return false;
}

static void count_flip(struct table_of_flips *t, struct field *f, const struct report *before,
		       const struct report *now)
{
	bool otherwise = false, crc = found_more(now, before, t->crc_rule);

	for (size_t i = 0; i < t->n_rules && !otherwise; i++)
		otherwise = i != t->crc_rule && found_more(now, before, i);
	f->n_flips++;
	f->n_reported += crc || otherwise;
	f->n_refused += now->verdict != VERDICT_VALID;
	f->n_otherwise += otherwise;
	t->n_checks++;
}

static void note_missed(struct table_of_flips *t, const struct field *f, const struct seed *s,
			size_t bit, enum verdict verdict)
{
	if (verdict == VERDICT_VALID && strcmp(f->name, "trailer.dir_offset") == 0)
		page_print(&t->missed, "#   %s, bit %zu of byte %zu\n", s->name, bit % 8, bit / 8);
}

/* Payload is all alike: in larger files every 31st byte of it stands for the rest. */
static bool is_left_out(const struct field *f, size_t n, size_t at)
{
	return n > SMALL && at % PAYLOAD_STEP != 0 &&
	       (strcmp(f->name, "executable") == 0 || strcmp(f->name, "member") == 0 ||
		strcmp(f->name, "manifest") == 0 || strcmp(f->name, "chunk") == 0);
}

/* Flips each bit of n bytes of a seed or of a file beside it. */
static void flip_all(struct engine *e, struct seed *s, uint8_t *bytes, size_t n,
		     const struct report *before, const uint16_t *labels, struct table_of_flips *t)
{
	for (size_t bit = 0; bit < 8 * n; bit++) {
		struct field *f = &t->of[labels[bit / 8]];
		struct report *now;

		if (is_left_out(f, n, bit / 8) || (bit + n) % SWEEP_STEP != 0)
			continue;
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		now = sweep_check(e, s, s->bytes, s->n);
		count_flip(t, f, before, now);
		note_missed(t, f, s, bit, now->verdict);
		report_free(now);
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static uint16_t *new_labels(size_t n)
{
	uint16_t *labels = calloc(n + 1, sizeof *labels);

	if (!labels)
		sweep_give_up("no memory", "labels");
	return labels;
}

static void sweep(struct engine *e, struct seed *s, struct table_of_flips *t)
{
	struct report *before = sweep_check(e, s, s->bytes, s->n);
	struct labels l = { .table = t, .seed = s, .of[0] = new_labels(s->n) };

	for (size_t i = 0; i < s->n_beside; i++)
		l.of[1 + i] = new_labels(s->beside[i].n);
	if (before->verdict != VERDICT_VALID)
		sweep_fail(s, "it is not valid");
	sweep_map(e, s, label_region, &l);
	flip_all(e, s, s->bytes, s->n, before, l.of[0], t);
	for (size_t i = 0; i < s->n_beside; i++)
		if (sweep_is_stored(&s->beside[i]))
			flip_all(e, s, s->beside[i].bytes, s->beside[i].n, before, l.of[1 + i], t);
	for (size_t i = 0; i <= s->n_beside; i++)
		free(l.of[i]);
	report_free(before);
}

/* Seeds with a defect are only checked for what flips might break in us. */
static void sweep_bad(struct engine *e, struct seed *s, struct table_of_flips *t)
{
	size_t first = s->n > 700 ? s->n - 700 : 0;

	for (size_t bit = 8 * first; bit < 8 * s->n; bit += BAD_STEP) {
		s->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		report_free(sweep_check(e, s, s->bytes, s->n));
		s->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		t->n_checks++;
	}
}

/* Where a flip may pass: nothing but the bytes themselves says what they should be. The codes of
 * a .uz have no checksum, nor has an LZMA stream, and a zlib stream may have bits of no meaning
 * before its own. */
static bool has_redundancy(const struct field *f)
{
	static const char *const without[] = { "trailer.dir_offset",
					       "signature",
					       "unexplained",
					       "original.name",
					       "data",
					       "stream",
					       "header.properties",
					       "header.dictionary" };

	for (size_t i = 0; i < sizeof without / sizeof *without; i++)
		if (strcmp(f->name, without[i]) == 0)
			return false;
	return f->is_covered;
}

static int compare_fields(const void *a, const void *b)
{
	return strcmp(((const struct field *)a)->name, ((const struct field *)b)->name);
}

static void print_field(struct page *p, const struct field *f)
{
	page_print(p, "%-24s %8llu %9llu %8.2f %8llu %8.2f %12llu %8.2f\n", f->name,
		   (unsigned long long)f->n_flips, (unsigned long long)f->n_reported,
		   100.0 * (double)f->n_reported / (double)f->n_flips,
		   (unsigned long long)f->n_refused,
		   100.0 * (double)f->n_refused / (double)f->n_flips,
		   (unsigned long long)f->n_otherwise,
		   100.0 * (double)f->n_otherwise / (double)f->n_flips);
}

static void print(struct page *p, struct table_of_flips *t)
{
	page_print(p, "# Every single bit of each good seed, flipped: how often some rule reports "
		      "it as a warning or worse, how often the\n"
		      "# file is refused, and how often a rule other than UMD006 (the CRC) reports "
		      "it.\n");
	page_print(p, "%-24s %8s %9s %8s %8s %8s %12s %8s\n", "field", "flips", "reported",
		   "percent", "refused", "percent", "without crc", "percent");
	qsort(t->of, t->n, sizeof *t->of, compare_fields);
	for (size_t i = 0; i < t->n; i++) {
		const struct field *f = &t->of[i];

		if (f->n_flips > 0)
			print_field(p, f);
		if (has_redundancy(f) && f->n_reported < f->n_flips)
			sweep_fail(NULL, "%s: not every flip is reported", f->name);
	}
	page_print(p, "# Flips of trailer.dir_offset that leave the file valid:\n");
	page_sink(p, t->missed.n > 0 ? t->missed.text : "#   none\n",
		  t->missed.n > 0 ? t->missed.n : 9);
}

int main(int argc, char **argv)
{
	static struct table_of_flips t;
	static struct engine e;
	struct seeds seeds;
	struct page p;

	if (argc != 3)
		return 3;
	sweep_engine(&e);
	seeds = seeds_load(argv[1], SEED_MAX);
	page_init(&p);
	page_init(&t.missed);
	t.n_rules = catalog_count();
	t.crc_rule = catalog_find("UMD006", 6);
	field_number(&t, false, "unexplained", NULL);
	for (size_t i = 0; i < seeds.n; i++) {
		if (seed_is_good(&seeds.of[i]))
			sweep(&e, &seeds.of[i], &t);
		else
			sweep_bad(&e, &seeds.of[i], &t);
	}
	print(&p, &t);
	if (SWEEP_STEP == 1)
		page_compare(&p, argv[2]);
	page_free(&p);
	page_free(&t.missed);
	seeds_free(&seeds);
	return sweep_end("flip", t.n_checks);
}
