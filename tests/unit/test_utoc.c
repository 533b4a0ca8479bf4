/* Tests of the tables of a container over bytes that are put together here, and of the check of
 * a container through the public interface with the files beside it served by a host. */
#include "codec/blake3.h"
#include "codec/sha1.h"
#include "engine/engine.h"
#include "formats/iostore/utoc.h"
#include "unit.h"
#include "uvet/uvet.h"

enum { CHUNKS = 100, CHUNK_LEN = 50, STORED = 64, TOC_MAX = 8192, CAS_LEN = CHUNKS * STORED };

/* A container of raw chunks, one block each. */
struct image {
	uint8_t toc[TOC_MAX], cas[CAS_LEN];
	size_t n;
};

static void put(struct image *i, uint64_t v, unsigned width)
{
	for (unsigned k = 0; k < width; k++)
		i->toc[i->n++] = k < 8 ? (uint8_t)(v >> 8 * k) : 0;
}

static void put_be(struct image *i, uint64_t v, unsigned width)
{
	for (unsigned k = width; k > 0; k--)
		i->toc[i->n++] = (uint8_t)(v >> 8 * (k - 1));
}

static void put_header(struct image *i, unsigned version, unsigned n)
{
	const uint64_t numbers[] = { 144, n, n, 12, 0, 32, 65536, 0, version >= 3 };

	memcpy(i->toc, "-==--==--==--==-", 16);
	i->n = 16;
	put(i, version, 4);
	for (size_t k = 0; k < LENGTH(numbers); k++)
		put(i, numbers[k], 4);
	put(i, 0x1234, 8);     /* the container's id */
	put(i, 0, 16 + 4 + 4); /* no key, no flags, no seeds */
	put(i, version >= 3 ? UINT64_MAX : 0, 8);
	put(i, 0, 48);
}

/* Of the hashes, which are BLAKE3 from version 5 on, all are wrong. */
static void make(struct image *i, unsigned version, unsigned n)
{
	put_header(i, version, n);
	for (unsigned k = 0; k < n; k++) {
		put(i, k + 1, 8);
		put(i, (uint64_t)(version >= 5 ? 1 : 2) << 24, 4);
	}
	for (unsigned k = 0; k < n; k++) {
		put_be(i, k * (uint64_t)65536, 5);
		put_be(i, CHUNK_LEN, 5);
	}
	for (unsigned k = 0; k < n; k++) {
		put(i, k * STORED, 5);
		put(i, CHUNK_LEN, 3);
		put(i, CHUNK_LEN, 4);
	}
	for (unsigned k = 0; k < n; k++) {
		put(i, k + 1, 20);
		put(i, 0, version >= 8 ? 4 : 13);
	}
	memset(i->cas, 'x', sizeof i->cas);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct source source;
	struct decode decode;
	struct engine engine;
	const struct utoc *facts;
};

static void decode_image(struct fixture *f, const struct image *i, size_t n, const char *name)
{
	engine_init(&f->engine, (struct allocator){ fault_alloc, fault_release, &f->memory });
	source_init_memory(&f->source, i->toc, n, name, &f->arena);
	f->decode = engine_decode(&f->engine, &f->source, &f->arena, NULL);
	f->facts = utoc_format.decode(&f->decode);
	assert_non_null(f->facts);
}

static void open_named(struct fixture *f, const struct image *i, size_t n, const char *name)
{
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	decode_image(f, i, n, name);
}

static void open_image(struct fixture *f, const struct image *i, size_t n)
{
	open_named(f, i, n, "Mod_P.utoc");
}

static void close_image(struct fixture *f)
{
	decode_close(&f->decode);
	arena_free(&f->arena);
}

/* What a file's name says of its container: only of a short ASCII one is the hash known. */
static void test_names(void **state)
{
	static char long_name[300 + sizeof ".utoc"];
	static const struct {
		const char *name;
		bool is_ascii, is_patch, is_global;
	} names[] = {
		{ "Mod_P.utoc", true, true, false },
		{ "mod_p.utoc", true, true, false },
		{ "Mod_PP.utoc", true, false, false },
		{ "P.utoc", true, false, false },
		{ "Mod_P.o.utoc", true, true, false },
		{ "Mod_P.O.utoc", true, true, false },
		{ "_P.o.o.utoc", true, false, false },
		{ ".o.utoc", true, false, false },
		{ "Mod_P.oo.utoc", true, false, false },
		{ "Global.utoc", true, false, true },
		{ "M\xC3\xB6"
		  "d_P.utoc",
		  false, true, false },
		{ long_name, false, false, false },
	};
	static struct image i;
	static struct fixture f;

	(void)state;
	memset(long_name, 'a', 300);
	memcpy(long_name + 300, ".utoc", sizeof ".utoc");
	make(&i, 5, 3);
	for (size_t k = 0; k < LENGTH(names); k++) {
		open_named(&f, &i, i.n, names[k].name);
		assert_int_equal(f.facts->toc.name.is_ascii, names[k].is_ascii);
		assert_int_equal(f.facts->toc.name.is_patch, names[k].is_patch);
		assert_int_equal(f.facts->toc.name.is_global, names[k].is_global);
		close_image(&f);
	}
}

/* Chunks that share a block take memory of their own; where that ends, at whichever request, the
 * chunks are missing and it is said why. */
static void test_memory(void **state)
{
	static struct image i;
	static struct fixture f;
	unsigned n_without = 0;
	bool whole = false;

	(void)state;
	make(&i, 3, CHUNKS);
	for (unsigned k = 1; k < CHUNKS; k++) /* all chunks' ranges are the first's */
		memcpy(i.toc + 144 + CHUNKS * 12 + k * 10, i.toc + 144 + CHUNKS * 12, 10);
	for (uint64_t at = 2; !whole; at++) {
		f.arena = unit_arena(&f.memory, UNIT_PLENTY);
		f.arena.chunk_len = 1; /* whatever is taken is asked for */
		f.memory = (struct fault_memory){ .fail_at = at, .forever = true };
		decode_image(&f, &i, i.n, "Mod_P.utoc");
		whole = f.memory.n_asked < at;
		n_without += !decode_has(&f.decode, UTOC_CHUNKS);
		assert_true(!whole ||
			    (decode_has(&f.decode, UTOC_CHUNKS) && f.facts->toc.overlapping));
		assert_int_equal(f.arena.refused, !whole);
		close_image(&f);
	}
	assert_true(n_without > 3); /* blocks, what chunks own, and those that overlap */
}

static bool count_region(void *ctx, const struct region *r)
{
	unsigned *n = ctx;

	assert_int_equal(r->file, 0);
	++*n;
	return true;
}

static void test_tables(void **state)
{
	static struct image i;
	static struct fixture f;

	(void)state;
	for (unsigned version = 2; version <= 8; version++) {
		const struct toc *t;
		unsigned n_regions = 0;

		make(&i, version, CHUNKS);
		open_image(&f, &i, i.n);
		t = &f.facts->toc;
		assert_true(decode_has(&f.decode, UTOC_CHUNKS) &&
			    decode_has(&f.decode, UTOC_BLOCKS) &&
			    decode_has(&f.decode, UTOC_METAS));
		assert_int_equal(t->version, version);
		assert_int_equal(t->expected, i.n);
		assert_int_equal(t->n_chunks, CHUNKS);
		assert_int_equal(t->sections[SECTION_METAS].row_len, version >= 8 ? 24 : 33);
		assert_int_equal(t->header_chunk, TOC_NONE);
		assert_int_equal(t->n_unowned, 0);
		assert_int_equal(toc_type(t, 7), CHUNK_EXPORT_BUNDLE);
		assert_int_equal(toc_id(t, 7), 8);
		assert_int_equal(toc_offset(t, 7), 7 * 65536);
		assert_int_equal(toc_block(t, 7).offset, 7 * STORED);
		assert_int_equal(toc_block_count(t, 7), 1);
		assert_true(utoc_format.map(f.facts, &f.decode, count_region, &n_regions));
		/* the header; ids, ranges, blocks, metas; nothing beside them */
		assert_int_equal(n_regions, 1 + 4 * (1 + CHUNKS));
		decode_close(&f.decode);
		arena_free(&f.arena);
	}
}

/* A file that ends before its tables has none, wherever it ends. */
static void test_cut(void **state)
{
	static struct image i;
	static struct fixture f;

	(void)state;
	make(&i, 5, 3);
	for (size_t n = 0; n < i.n; n++) {
		open_image(&f, &i, n);
		assert_false(decode_has(&f.decode, UTOC_CHUNKS));
		assert_int_equal(decode_has(&f.decode, UTOC_HEADER), n >= 144);
		decode_close(&f.decode);
		arena_free(&f.arena);
	}
}

/* ---- A host's files -------------------------------------------------------------------------- */

struct folder {
	struct fault_input toc; /* the first: the input's read_at is given the folder */
	struct fault_input cas;
	int state; /* of the .ucas */
};

static int open_sibling(void *ctx, const char *name, uvet_io *out)
{
	struct folder *f = ctx;

	if (strcmp(name, "Mod_P.ucas") != 0)
		return UVET_SIBLING_ABSENT;
	*out = (uvet_io){ .read_at = fault_read_at,
			  .unchanged = fault_unchanged,
			  .ctx = &f->cas,
			  .size = f->cas.size };
	return f->state;
}

static uvet_report *check(struct folder *f, const char *jobs)
{
	uvet_io io = { .struct_size = sizeof(uvet_io),
		       .read_at = fault_read_at,
		       .unchanged = fault_unchanged,
		       .ctx = f,
		       .size = f->toc.size,
		       .open_sibling = open_sibling };
	uvet_options *options;
	uvet_engine *engine;
	uvet_report *report;

	assert_int_equal(uvet_options_new(&options), UVET_OK);
	assert_int_equal(uvet_options_set(options, "jobs", jobs), UVET_OK);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_check_io(engine, "Mod_P.utoc", &io, NULL, &report), UVET_OK);
	uvet_engine_free(engine);
	uvet_options_free(options);
	return report;
}

static size_t count(const uvet_report *r, const char *rule)
{
	const struct report *report = (const void *)r;
	size_t n = 0;

	for (size_t i = 0; i < report->n_findings; i++)
		n += strcmp(report->findings[i]->rule->id, rule) == 0;
	return n;
}

static struct folder make_folder(const struct image *i)
{
	return (struct folder){ .toc = { .bytes = i->toc, .size = i->n },
				.cas = { .bytes = i->cas, .size = sizeof i->cas } };
}

static void test_files_beside(void **state)
{
	/* a hash is wrong only if it is so by either digest */
	const bool has_digests = blake3_is_available() && sha1_is_available();
	static struct image i;
	struct folder f;
	uvet_report *r;

	(void)state;
	make(&i, 8, CHUNKS);
	f = make_folder(&i);
	r = check(&f, "1");
	assert_int_equal(count(r, "MET005"), has_digests ? CHUNKS : 0);
	assert_int_equal(count(r, "SET002") + count(r, "RUN002"), 0);
	uvet_report_free(r);
	f.state = UVET_SIBLING_ABSENT;
	r = check(&f, "1");
	assert_int_equal(count(r, "SET002"), 1);
	assert_int_equal(uvet_report_verdict(r), UVET_INVALID);
	uvet_report_free(r);
	f = make_folder(&i);
	f.cas.fails_over = true;
	f.cas.bad_offset = 99;
	r = check(&f, "1");
	assert_int_equal(count(r, "RUN002"), 1);
	assert_int_not_equal(uvet_report_verdict(r), UVET_VALID);
	uvet_report_free(r);
}

static int read_image_and_zeros(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct image *i = ctx;

	memset(buf, 0, len);
	if (at < i->n)
		memcpy(buf, i->toc + at, len < i->n - at ? len : (size_t)(i->n - at));
	*n_read = len;
	return 0;
}

/* As many chunks as the file has room for, and more than the engine has for their ids, which then
 * have 2^31 bytes. */
static void test_ids_of_two_gigabytes(void **state)
{
	static const struct {
		uint64_t n;
		size_t n_found;
	} rows[] = { { 178956971, 1 }, { 178956970, 0 } };
	static struct image i;

	(void)state;
	for (size_t k = 0; k < LENGTH(rows); k++) {
		uvet_io io = { .struct_size = sizeof(uvet_io),
			       .read_at = read_image_and_zeros,
			       .ctx = &i,
			       .size = 144 + 46 * rows[k].n };
		uvet_engine *engine;
		uvet_report *r;

		make(&i, 8, 0);
		i.n = 24;
		put(&i, rows[k].n, 4);
		i.n = 144;
		assert_int_equal(uvet_engine_new(NULL, &engine), UVET_OK);
		assert_int_equal(uvet_check_io(engine, "Mod_P.utoc", &io, NULL, &r), UVET_OK);
		assert_int_equal(count(r, "UTH038"), rows[k].n_found);
		/* the memory for such tables is not given */
		assert_int_equal(count(r, "RUN005"), 1);
		uvet_report_free(r);
		uvet_engine_free(engine);
	}
}

/* However many threads share the work, the findings and their order are the same. */
static void test_jobs(void **state)
{
	static const char *const jobs[] = { "2", "3", "64" };
	static struct image i;
	struct folder f;

	(void)state;
	make(&i, 8, CHUNKS);
	for (size_t k = 0; k < LENGTH(jobs); k++) {
		uvet_report *one, *many;
		const struct report *a, *b;

		f = make_folder(&i);
		one = check(&f, "1");
		f = make_folder(&i);
		many = check(&f, jobs[k]);
		a = (const void *)one;
		b = (const void *)many;
		assert_int_equal(a->n_findings, b->n_findings);
		for (size_t n = 0; n < a->n_findings; n++) {
			assert_ptr_equal(a->findings[n]->rule, b->findings[n]->rule);
			assert_int_equal(a->findings[n]->place.span.at,
					 b->findings[n]->place.span.at);
			assert_int_equal(a->findings[n]->args[0].number,
					 b->findings[n]->args[0].number);
		}
		uvet_report_free(one);
		uvet_report_free(many);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),       cmocka_unit_test(test_names),
		cmocka_unit_test(test_memory),       cmocka_unit_test(test_cut),
		cmocka_unit_test(test_files_beside), cmocka_unit_test(test_ids_of_two_gigabytes),
		cmocka_unit_test(test_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
