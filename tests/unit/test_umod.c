/* Tests of decoding installers: facts and stops from bytes built by hand, and that the map covers
 * them. */
#include "formats/umod/umod.h"

#include "build.h"
#include "unit.h"

#undef fail /* cmocka's; rules have their own */

#include "rule/finding.h"

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct source source;
	struct limits limits;
	struct decode decode;
	const struct umod *u;
};

static struct build file;

static void decode_with(struct fixture *f, const char *name)
{
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	source_init_memory(&f->source, file.bytes, file.n, name, &f->arena);
	f->decode = (struct decode){ .source = &f->source,
				     .arena = &f->arena,
				     .limits = &f->limits,
				     .level = LEVEL_CONTENT,
				     .work = { .max = UINT64_MAX } };
	f->u = umod_format.decode(&f->decode);
	assert_non_null(f->u);
}

static void decode_named(struct fixture *f, const char *name)
{
	f->limits = limits_standard();
	decode_with(f, name);
}

static void decode(struct fixture *f)
{
	decode_named(f, "a.umod");
}

static void end_decode(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static enum stop_why why(const struct fixture *f, enum umod_group g)
{
	return f->decode.groups[g].why;
}

static void good_is_decoded_whole(void **state)
{
	struct fixture f;

	(void)state;
	build_good(&file);
	decode(&f);
	for (uint32_t g = 0; g < umod_n_groups; g++)
		assert_int_equal(why(&f, g), STOP_NOT);
	assert_int_equal(f.u->trailer.at, file.trailer_at);
	assert_int_equal(f.u->trailer.magic, UMOD_MAGIC);
	assert_int_equal(f.u->trailer.dir_offset, file.dir_at);
	assert_int_equal(f.u->trailer.file_size, file.n);
	assert_int_equal(f.u->trailer.version, 1);
	assert_int_equal(f.u->trailer.crc, f.u->crc);
	assert_int_equal(f.u->n_members, 3);
	assert_int_equal(f.u->directory_end, file.trailer_at);
	assert_true(text_is(umod_name(f.u, &f.u->members[2]), "System\\Mod.txt"));
	assert_int_equal(f.u->members[2].size, 4);
	assert_int_equal(f.u->manifest.sections.n, 3);
	assert_int_equal(f.u->manifest.copies.n, 3);
	assert_int_equal(f.u->n_gaps + f.u->overlaps.n + f.u->duplicates.n + f.u->n_odd_names +
				 f.u->n_long_indexes,
			 0);
	end_decode(&f);
}

static uint32_t find(struct fixture *f, const char *name)
{
	struct text t = text_from(name);

	assert_true(umod_index_names(&f->decode, (struct umod *)f->u));
	return umod_find(f->u, t, path_examine(t).hash);
}

static void members_are_found_by_name(void **state)
{
	struct fixture f;

	(void)state;
	build_good(&file);
	decode(&f);
	assert_int_equal(find(&f, "system/MANIFEST.INI"), 0);
	assert_int_equal(find(&f, "System\\Mod.txt"), 2);
	assert_int_equal(find(&f, "System\\Mod"), 3);
	assert_int_equal(find(&f, ""), 3);
	end_decode(&f);
}

/* Only what is spelt as the member is, in bytes of the same encoding, is known without a search. */
static void members_are_known_by_their_spelling(void **state)
{
	struct text same = text_from("System\\Mod.txt"), other = text_from("system\\Mod.txt"),
		    longer = text_from("System\\Mod.txtc");
	struct fixture f;

	(void)state;
	build_good(&file);
	decode(&f);
	assert_true(umod_is_spelt(f.u, 2, &same));
	assert_false(umod_is_spelt(f.u, 1, &same));
	assert_false(umod_is_spelt(f.u, 2, &other));
	assert_false(umod_is_spelt(f.u, 2, &longer));
	same.ref.encoding = TEXT_UTF16LE;
	same.ref.n_units /= 2;
	assert_false(umod_is_spelt(f.u, 2, &same));
	end_decode(&f);
}

/* The index is made when it is first needed, and once. */
static void an_index_without_memory_stops_the_manifest(void **state)
{
	static const struct build_member members[] = { { "b.u", "1", 0 }, { "a.u", "2", 0 } };
	struct fixture f;

	(void)state;
	build_installer(&file, members, LENGTH(members));
	decode(&f);
	assert_false(f.u->has_index);
	f.decode.groups[UMOD_MANIFEST].why = STOP_NOT;
	f.arena.budget = f.arena.held;
	assert_non_null(arena_alloc(&f.arena, 1, f.arena.left - MEMORY_GAP));
	assert_false(umod_index_names(&f.decode, (struct umod *)f.u));
	assert_int_equal(why(&f, UMOD_MANIFEST), STOP_MEMORY);
	f.arena.budget = UNIT_PLENTY;
	assert_int_equal(find(&f, "a.u"), 1);
	f.arena.budget = f.arena.held;
	assert_int_equal(find(&f, "b.u"), 0);
	end_decode(&f);
}

static void equal_names_are_duplicates_of_the_first(void **state)
{
	static const struct build_member members[] = {
		{ "a.u", "1", 0 }, { "b.u", "2", 0 },       { "A.U", "3", 0 },
		{ "a.u", "4", 0 }, { "System\\x", "5", 0 }, { "system/X", "6", 0 },
	};
	struct fixture f;

	(void)state;
	build_installer(&file, members, LENGTH(members));
	decode(&f);
	assert_int_equal(f.u->duplicates.n, 3);
	for (uint32_t i = 0; i < f.u->duplicates.n; i++)
		assert_true(f.u->duplicates.rows[i].first ==
			    (f.u->duplicates.rows[i].second == 5 ? 4u : 0u));
	assert_int_equal(find(&f, "a.u"), 0);
	assert_true(
		umod_is_spelt(f.u, 0, &(struct text){ (const uint8_t *)"a.u", { .n_units = 3 } }));
	assert_false(
		umod_is_spelt(f.u, 3, &(struct text){ (const uint8_t *)"a.u", { .n_units = 3 } }));
	end_decode(&f);
}

/* With no more rows than findings are kept for, the last one stands for the others; but every
 * member is marked. */
static void duplicates_that_are_not_kept_are_counted(void **state)
{
	struct build_member members[9];
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < LENGTH(members); i++)
		members[i] = (struct build_member){ "a.u", "1", 0 };
	build_installer(&file, members, LENGTH(members));
	for (uint64_t keep = 0; keep < 9; keep++) {
		f.limits = limits_standard();
		f.limits.of[LIMIT_rule_findings] = keep;
		decode_with(&f, "a.umod");
		assert_int_equal(f.u->duplicates.n, keep > 0 ? keep < 8 ? keep : 8 : 1);
		assert_int_equal(f.u->duplicates.rows[f.u->duplicates.n - 1].n_more,
				 8 - f.u->duplicates.n);
		for (uint32_t i = 1; i < LENGTH(members); i++)
			assert_true(f.u->members[i].traits & UMOD_NAME_REPEATED);
		end_decode(&f);
	}
}

/* Offset and size of member i of a file whose names all have three characters. */
static void place_member(size_t i, uint32_t offset, uint32_t size)
{
	size_t at = file.dir_at + 1 + i * 17 + 5;

	set_u32(&file, at, offset);
	set_u32(&file, at + 4, size);
}

static const struct build_member three[] = { { "a.u", "0123456789", 0 },
					     { "b.u", "0123456789", 0 },
					     { "c.u", "0123456789", 0 } };

static void gaps_and_overlaps_are_found(void **state)
{
	struct fixture f;

	(void)state;
	build_installer(&file, three, 3);
	place_member(0, 2, 10);
	place_member(1, 8, 4);
	place_member(2, 20, 5);
	decode(&f);
	assert_int_equal(f.u->n_gaps, 3);
	assert_int_equal(f.u->gaps[0].span.at, 0);
	assert_int_equal(f.u->gaps[0].span.len, 2);
	assert_true(f.u->gaps[0].nonzero);
	assert_int_equal(f.u->gaps[1].span.at, 12);
	assert_int_equal(f.u->gaps[1].span.len, 8);
	assert_false(f.u->gaps[1].last);
	assert_int_equal(f.u->gaps[2].span.at, 25);
	assert_true(f.u->gaps[2].last);
	assert_int_equal(f.u->overlaps.n, 1);
	assert_int_equal(f.u->overlaps.rows[0].first, 0);
	assert_int_equal(f.u->overlaps.rows[0].second, 1);
	assert_int_equal(f.u->first_out_of_order, 3);
	end_decode(&f);
}

static void members_outside_take_no_part(void **state)
{
	struct fixture f;

	(void)state;
	build_installer(&file, three, 3);
	place_member(0, 0, 31);
	place_member(1, 0xFFFFFFFF, 0xFFFFFFFF);
	place_member(2, 5, 0);
	decode(&f);
	assert_true(f.u->members[0].traits & UMOD_OUTSIDE);
	assert_true(f.u->members[1].traits & UMOD_OUTSIDE);
	assert_false(f.u->members[2].traits & UMOD_OUTSIDE);
	assert_int_equal(f.u->overlaps.n, 0);
	assert_int_equal(f.u->n_gaps, 1);
	assert_int_equal(f.u->gaps[0].span.len, 30);
	assert_int_equal(f.u->first_out_of_order, 2);
	end_decode(&f);
}

/* The count is believed up to what the bytes can hold, 15 an entry, and not beyond. */
static void counts_are_believed_as_far_as_they_fit(void **state)
{
	struct fixture f;

	(void)state;
	build_installer(&file, three, 3);
	file.bytes[file.dir_at] = 4;
	decode(&f);
	assert_int_equal(f.u->defects, UMOD_COUNT_IMPOSSIBLE);
	assert_int_equal(why(&f, UMOD_DIRECTORY), STOP_MALFORMED);
	assert_int_equal(f.u->entry_span.len, 51);
	end_decode(&f);
	file.bytes[file.dir_at] = 2;
	decode(&f);
	assert_int_equal(f.u->defects, 0);
	assert_int_equal(f.u->n_members, 2);
	assert_int_equal(f.u->directory_end, file.trailer_at - 17);
	end_decode(&f);
	file.bytes[file.dir_at] = 0x81;
	decode(&f);
	assert_int_equal(f.u->defects, UMOD_COUNT_IMPOSSIBLE);
	end_decode(&f);
	memcpy(file.bytes + file.dir_at, "\x7F\xFF\xFF\xFF\x10", 5);
	decode(&f);
	assert_int_equal(f.u->defects, UMOD_COUNT_UNREADABLE);
	end_decode(&f);
}

static void an_entry_that_is_cut_stops_the_directory(void **state)
{
	struct fixture f;

	(void)state;
	build_installer(&file, three, 3);
	file.bytes[file.dir_at + 1 + 17] = 16;
	decode(&f);
	assert_int_equal(why(&f, UMOD_DIRECTORY), STOP_MALFORMED);
	assert_int_equal(why(&f, UMOD_MANIFEST), STOP_NEEDS);
	assert_int_equal(why(&f, UMOD_CONTENT), STOP_NOT);
	assert_int_equal(f.u->n_odd_names, 1);
	assert_int_equal(f.u->odd_names[0].defect, UMOD_NAME_UNREADABLE);
	assert_int_equal(f.u->odd_names[0].entry, 2);
	end_decode(&f);
}

static void limits_stop_their_groups(void **state)
{
	struct fixture f;

	(void)state;
	build_good(&file);
	decode(&f);
	f.limits.of[LIMIT_entries] = 2;
	memset(f.decode.groups, 0, sizeof f.decode.groups);
	assert_non_null(umod_format.decode(&f.decode));
	assert_int_equal(why(&f, UMOD_DIRECTORY), STOP_LIMIT);
	assert_int_equal(f.decode.groups[UMOD_DIRECTORY].limit, LIMIT_entries);
	f.limits = limits_standard();
	f.limits.of[LIMIT_text] = 30;
	memset(f.decode.groups, 0, sizeof f.decode.groups);
	assert_non_null(umod_format.decode(&f.decode));
	assert_int_equal(why(&f, UMOD_MANIFEST), STOP_LIMIT);
	assert_int_equal(why(&f, UMOD_LOCALE), STOP_NOT);
	end_decode(&f);
}

/* Decodes the file, of which one byte cannot be read. */
static void decode_faulty(struct fixture *f, struct fault_input *input, uint64_t bad_offset)
{
	*f = (struct fixture){ .limits = limits_standard() };
	*input = (struct fault_input){
		.bytes = file.bytes, .size = file.n, .fails_over = true, .bad_offset = bad_offset
	};
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	source_init(
		&f->source,
		(struct source_io){ .read_at = fault_source_read, .ctx = input, .size = file.n },
		"a.umod", &f->arena, SOURCE_WINDOW);
	f->decode = (struct decode){ .source = &f->source,
				     .arena = &f->arena,
				     .limits = &f->limits,
				     .work = { .max = UINT64_MAX } };
	f->u = umod_format.decode(&f->decode);
	assert_non_null(f->u);
}

/* A Manifest.ini that cannot be read stops its group. Nothing is made of the other manifest
 * then: its lines would be taken for all. The installer is longer than what is read at once. */
static void a_manifest_that_cannot_be_read_is_not_interpreted(void **state)
{
	static char filler[SOURCE_WHOLE + 1];
	struct fault_input input;
	struct fixture f;

	(void)state;
	memset(filler, 'a', sizeof filler - 1);
	build_installer(&file,
			(const struct build_member[]){ { "System\\Mod.txt", filler, 0 },
						       { "System\\Manifest.ini", build_ini, 3 },
						       { "System\\Manifest.int", build_int, 3 } },
			3);
	decode_faulty(&f, &input, SOURCE_WHOLE);
	assert_int_equal(why(&f, UMOD_MANIFEST), STOP_INPUT);
	assert_int_equal(why(&f, UMOD_LOCALE), STOP_NOT);
	assert_int_equal(f.u->manifest.n_lines, 0);
	end_decode(&f);
	/* Where not even its beginning can be read, its end is not looked for. */
	decode_faulty(&f, &input, 0);
	assert_int_equal(why(&f, UMOD_FILE), STOP_INPUT);
	assert_int_equal(why(&f, UMOD_TRAILER), STOP_NEEDS);
	assert_int_equal(f.decode.groups[UMOD_TRAILER].on, UMOD_FILE);
	assert_int_equal(f.u->trailer.magic, 0);
	end_decode(&f);
}

/* Nor does one of another language stop more than its own group. */
static void a_manifest_of_another_language_that_cannot_be_read(void **state)
{
	static char filler[SOURCE_WHOLE + 1];
	struct fault_input input;
	struct fixture f;

	(void)state;
	memset(filler, 'a', sizeof filler - 1);
	build_installer(
		&file,
		(const struct build_member[]){ { "System\\Manifest.ini", build_ini, 3 },
					       { "System\\Manifest.int", build_int, 3 },
					       { "System\\Mod.txt", filler, 0 },
					       { "System\\Manifest.det", "[a]\n[a]\n", 3 },
					       { "System\\Manifest.frt", "[b]\n[b]\n", 3 } },
		5);
	decode_faulty(&f, &input, strlen(build_ini) + strlen(build_int) + SOURCE_WHOLE);
	assert_int_equal(why(&f, UMOD_TRANSLATIONS), STOP_INPUT);
	assert_int_equal(why(&f, UMOD_MANIFEST), STOP_NOT);
	end_decode(&f);
}

static void names_promise_the_format(void **state)
{
	static const char *const names[] = { "a.umod",   "A.UMOD", "x/a.ut2mod",
					     "a.ut4mod", "a.rmod", "a.umd" };
	struct fixture f;

	(void)state;
	build_good(&file);
	decode_named(&f, "none");
	assert_true(umod_format.sniff(&f.decode));
	file.bytes[file.trailer_at] = 0;
	assert_false(umod_format.sniff(&f.decode));
	for (size_t i = 0; i < LENGTH(names); i++) {
		f.source.name = names[i];
		assert_true(umod_format.sniff(&f.decode));
	}
	f.source.name = "umod";
	assert_false(umod_format.sniff(&f.decode));
	end_decode(&f);
}

/* ---- The map --------------------------------------------------------------------------------- */

struct mapped {
	uint8_t depth[BUILD_MAX]; /* how many regions of depth 0 cover each byte */
	unsigned n, stop_after;
};

static bool cover(void *ctx, const struct region *r)
{
	struct mapped *m = ctx;

	assert_true(span_end(r->span) <= file.n);
	assert_true(r->span.len > 0);
	for (uint64_t i = r->span.at; r->depth == 0 && i < span_end(r->span); i++)
		m->depth[i]++;
	return ++m->n != m->stop_after;
}

static uint64_t n_covered(const struct mapped *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < file.n; i++)
		n += m->depth[i] > 0;
	return n;
}

static void expect_map(uint64_t explained)
{
	struct mapped m = { .n = 0 };
	struct fixture f;

	decode(&f);
	assert_true(umod_format.map(f.u, &f.decode, cover, &m));
	assert_int_equal(n_covered(&m), explained);
	assert_int_equal(umod_format.explained(f.u), explained);
	for (unsigned stop = 1; stop <= m.n; stop++) {
		struct mapped part = { .stop_after = stop };

		assert_false(umod_format.map(f.u, &f.decode, cover, &part));
		assert_int_equal(part.n, stop);
	}
	end_decode(&f);
}

static void the_map_covers_what_is_explained(void **state)
{
	(void)state;
	build_good(&file);
	expect_map(file.n);
	build_installer(&file, three, 3);
	place_member(1, 12, 8);
	expect_map(file.n - 2);
	file.bytes[10] = file.bytes[11] = 0;
	place_member(0, 0, 10);
	place_member(1, 16, 4);
	memset(file.bytes + 10, 0, 6);
	expect_map(file.n);
	file.bytes[file.dir_at] = 0x3F;
	expect_map(20);
	file.bytes[file.trailer_at] = 0;
	expect_map(0);
	file.n = 10;
	expect_map(0);
}

/* A rule that tells defects of members finds one that has all of them, once. */
static void defects_are_found_once(void **state)
{
	(void)state;
	build_good(&file);
	for (size_t i = 0; umod_format.rules[i]; i++) {
		const struct rule *r = umod_format.rules[i];
		const struct rule_setting setting = { .severity = SEVERITY_ERROR };
		uint8_t status = RULE_PASS, why;
		struct rule_result result;
		struct results_notes notes = { .own = &result };
		struct fixture f;
		struct check c;
		struct umod_member *m;

		if (r->tells == 0 || r->table != UMOD_MEMBERS)
			continue;
		decode(&f);
		m = f.u->members + 1;
		c = (struct check){ .facts = f.u,
				    .source = &f.source,
				    .arena = &f.arena,
				    .rules = &r,
				    .results = { &status, &why, &notes },
				    .settings = &setting,
				    .keep_max = 9 };
		m->traits = UINT32_MAX;
		m[-1].traits = 0;
		r->judge_rows(&c, m, 1);
		assert_int_equal(result.n_found[SEVERITY_ERROR], 1);
		end_decode(&f);
	}
}

/* A defect of lines that no rule tells would be noted and kept quiet. MAN001 tells manifests that
 * cannot be read, whichever they are. */
static void each_defect_of_lines_has_a_rule(void **state)
{
#define LINE(defect, meaning) { UMOD_##defect, #defect },
	static const struct {
		uint32_t table;
		const char *name;
	} tables[] = {
#include "formats/umod/line_defects.def"
	};
#undef LINE

	(void)state;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		bool told = tables[i].table == UMOD_UNREADABLE;

		for (size_t k = 0; umod_format.rules[k]; k++)
			told = told || umod_format.rules[k]->table == tables[i].table;
		if (!told)
			print_error("no rule tells %s\n", tables[i].name);
		assert_true(told);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_is_decoded_whole),
		cmocka_unit_test(each_defect_of_lines_has_a_rule),
		cmocka_unit_test(members_are_found_by_name),
		cmocka_unit_test(members_are_known_by_their_spelling),
		cmocka_unit_test(an_index_without_memory_stops_the_manifest),
		cmocka_unit_test(equal_names_are_duplicates_of_the_first),
		cmocka_unit_test(duplicates_that_are_not_kept_are_counted),
		cmocka_unit_test(gaps_and_overlaps_are_found),
		cmocka_unit_test(members_outside_take_no_part),
		cmocka_unit_test(counts_are_believed_as_far_as_they_fit),
		cmocka_unit_test(an_entry_that_is_cut_stops_the_directory),
		cmocka_unit_test(limits_stop_their_groups),
		cmocka_unit_test(a_manifest_that_cannot_be_read_is_not_interpreted),
		cmocka_unit_test(a_manifest_of_another_language_that_cannot_be_read),
		cmocka_unit_test(names_promise_the_format),
		cmocka_unit_test(the_map_covers_what_is_explained),
		cmocka_unit_test(defects_are_found_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
