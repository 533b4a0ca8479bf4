/* Tests of the directory index where vectors do not reach: memory and work that end at each
 * step, limits, keys, and paths that are cut. */
#include "codec/aes.h"
#include "formats/iostore/directory/parts.h"
#include "formats/iostore/utoc.h"
#include "unit.h"

enum { INDEX_MAX = 2048, N_CHUNKS = 4 };

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct limits limits;
	struct source source;
	struct keys keys;
	struct decode decode;
	struct utoc utoc;
	uint8_t bytes[INDEX_MAX], ids[N_CHUNKS * utoc_chunk_id_fixed_len], vectors[24];
	uint64_t n;
};

/* ---- An index -------------------------------------------------------------------------------- */

static void put_u32(struct fixture *f, uint64_t v)
{
	for (unsigned i = 0; i < 4; i++)
		f->bytes[f->n++] = (uint8_t)(v >> 8 * i);
}

static void put_string(struct fixture *f, const char *s)
{
	put_u32(f, strlen(s) + 1);
	memcpy(f->bytes + f->n, s, strlen(s) + 1);
	f->n += strlen(s) + 1;
}

static void put_wide(struct fixture *f, const uint16_t *units, size_t n)
{
	put_u32(f, UINT32_MAX - n); /* -(n + 1) */
	for (size_t i = 0; i <= n; i++) {
		f->bytes[f->n++] = i < n ? (uint8_t)units[i] : 0;
		f->bytes[f->n++] = i < n ? (uint8_t)(units[i] >> 8) : 0;
	}
}

static void put_row(struct fixture *f, uint32_t a, uint32_t b, uint32_t c)
{
	put_u32(f, a);
	put_u32(f, b);
	put_u32(f, c);
}

/* Four files in one directory below the root; two of one name, two of one chunk; a name in
 * UTF-16. */
static void put_index(struct fixture *f)
{
	static const uint16_t wide[] = { 'd', 0xF6, 0xD83D, 0xDE00, 0x4E2D, '.', 'x' };

	put_string(f, "../../../P/Plugins/");
	put_u32(f, 2);
	put_row(f, TOC_NONE, 1, TOC_NONE);
	put_u32(f, TOC_NONE);
	put_row(f, 0, TOC_NONE, TOC_NONE);
	put_u32(f, 0);
	put_u32(f, 4);
	put_row(f, 1, 1, 0);
	put_row(f, 2, 2, 1);
	put_row(f, 3, 3, 2);
	put_row(f, 4, TOC_NONE, 2);
	put_u32(f, 5);
	put_string(f, "Mods");
	put_string(f, "One.uasset");
	put_string(f, "oNE.uasset");
	put_string(f, "Three.ubulk");
	put_wide(f, wide, LENGTH(wide));
}

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	f->limits = limits_standard();
	put_index(f);
	for (unsigned i = 0; i < N_CHUNKS; i++)
		f->ids[i * utoc_chunk_id_fixed_len + 11] = i == 2 ? 2 : 1;
	f->decode = (struct decode){ .source = &f->source,
				     .arena = &f->arena,
				     .limits = &f->limits,
				     .keys = &f->keys,
				     .threads = &thread_pool_single,
				     .level = LEVEL_CONTENT,
				     .work = { .max = UINT64_MAX } };
	f->utoc.groups = f->decode.groups;
	f->utoc.toc = (struct toc){ .version = 8,
				    .n_chunks = N_CHUNKS,
				    .header.flags = TOC_INDEXED };
	f->utoc.toc.types[1] = CHUNK_EXPORT_BUNDLE;
	f->utoc.toc.types[2] = CHUNK_BULK;
	f->utoc.toc.n_of_type[CHUNK_EXPORT_BUNDLE] = N_CHUNKS - 1;
	f->utoc.toc.n_of_type[CHUNK_BULK] = 1;
	f->utoc.toc.ids = (struct utoc_chunk_id_rows){ f->ids, N_CHUNKS };
	f->utoc.toc.sections[SECTION_DIRECTORY] = (struct toc_section){
		{ 1000, f->n }, 1, f->n, { f->bytes, f->n }
	};
}

static void decode_index(struct fixture *f)
{
	f->utoc.toc.sections[SECTION_DIRECTORY].at.len =
		f->utoc.toc.sections[SECTION_DIRECTORY].held.len = f->n;
	directory_decode(&f->decode, &f->utoc.toc, &f->utoc.directory);
}

static void end_fixture(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static enum stop_why why(const struct fixture *f, enum utoc_group group)
{
	return f->decode.groups[group].why;
}

static bool is_whole(const struct fixture *f)
{
	return why(f, UTOC_INDEX) == STOP_NOT && why(f, UTOC_INDEX_TABLES) == STOP_NOT &&
	       why(f, UTOC_TREE) == STOP_NOT;
}

/* ---- What is decoded, and when it ends ------------------------------------------------------- */

static void the_index_is_read(void **state)
{
	struct fixture f;
	const struct directory *x = &f.utoc.directory;

	(void)state;
	open_fixture(&f);
	decode_index(&f);
	assert_true(is_whole(&f));
	assert_int_equal(x->n_directories, 2);
	assert_int_equal(x->n_files, 4);
	assert_int_equal(x->n_strings, 5);
	assert_int_equal(x->n_left, 0);
	assert_int_equal(x->n_pairs, 2);
	assert_int_equal(x->all_pairs, PAIR_FILES | PAIR_ONE_CHUNK);
	assert_int_equal(x->pathless.n, 1);
	assert_int_equal(x->pathless.first, 3);
	assert_int_equal(x->same_name[2], 1);
	assert_int_equal(x->all_string_traits, 0);
	assert_int_equal(x->parent[1], 0);
	assert_int_equal(x->directory_of_file[3], 1);
	assert_int_equal(x->file_of_chunk[2], 2);
	end_fixture(&f);
}

/* Gives the second file a name of its own, so that the first pair has one chunk. */
static void rename_second(struct fixture *f)
{
	size_t at = 0;

	while (memcmp(f->bytes + at, "oNE", 3) != 0)
		at++;
	f->bytes[at] = 'x';
}

static void expect_memory_to_end(void (*change)(struct fixture *f))
{
	struct fixture f;
	uint64_t fail_at = 1;
	bool done;

	do {
		char path[64];

		open_fixture(&f);
		if (change)
			change(&f);
		f.arena.chunk_len = 64;
		f.memory.fail_at = fail_at++;
		f.memory.forever = true;
		decode_index(&f);
		done = is_whole(&f);
		assert_true(done || why(&f, UTOC_INDEX_TABLES) == STOP_MEMORY ||
			    why(&f, UTOC_TREE) == STOP_MEMORY);
		assert_true(done || directory_path(&f.utoc.directory, 0, path, sizeof path) == 0);
		end_fixture(&f);
	} while (!done);
	assert_in_range(fail_at, 8, 40);
}

static void memory_ends_at_each_step(void **state)
{
	(void)state;
	expect_memory_to_end(NULL);
	expect_memory_to_end(rename_second);
}

static void work_ends_at_each_step(void **state)
{
	struct fixture f;
	uint64_t max = 0;
	bool done;

	(void)state;
	do {
		open_fixture(&f);
		f.decode.work.max = max++;
		decode_index(&f);
		done = is_whole(&f);
		assert_true(done || why(&f, UTOC_INDEX_TABLES) == STOP_LIMIT ||
			    why(&f, UTOC_TREE) == STOP_LIMIT);
		end_fixture(&f);
	} while (!done);
	assert_int_equal(max - 1, 2 + 4 + 5 + 2 + 4 + N_CHUNKS);
}

static void rows_are_limited(void **state)
{
	struct fixture f;

	(void)state;
	for (uint64_t most = 1; most <= 5; most++) {
		open_fixture(&f);
		f.limits.of[LIMIT_entries] = most;
		decode_index(&f);
		assert_int_equal(why(&f, UTOC_INDEX_TABLES), most < 5 ? STOP_LIMIT : STOP_NOT);
		end_fixture(&f);
	}
}

static void a_cut_index_stops(void **state)
{
	struct fixture f;
	struct table tables[TABLES_MAX];

	(void)state;
	open_fixture(&f);
	for (uint64_t n = f.n - 1; n > 0; n--) {
		end_fixture(&f);
		open_fixture(&f);
		f.n = n;
		decode_index(&f);
		assert_int_equal(why(&f, UTOC_INDEX_TABLES), STOP_MALFORMED);
		assert_int_equal(why(&f, UTOC_TREE), STOP_NEEDS);
		assert_int_not_equal(f.utoc.directory.broken.fault, INDEX_SOUND);
		utoc_format.tables(&f.utoc, tables);
		assert_int_equal(tables[UTOC_STRING_ROWS].n, 0);
	}
	end_fixture(&f);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static void give_key(struct fixture *f, uint8_t byte)
{
	struct key *k = &f->keys.of[f->keys.n++];

	k->for_any = true;
	memset(k->bytes, byte, sizeof k->bytes);
}

/* Encrypts as version 10 does: to add the counter's stream once more takes it away. */
static void encrypt(struct fixture *f, uint8_t byte)
{
	uint8_t key[AES_KEY_LEN], counter[AES_BLOCK_LEN] = { 0 };
	struct aes aes;

	memset(key, byte, sizeof key);
	memset(f->vectors, 7, sizeof f->vectors);
	memset(f->vectors + 12, 9, 12);
	memset(counter, 9, 12);
	aes_for_ctr(&aes, key);
	aes_ctr(&aes, counter, f->bytes, f->n);
	if (!aes_is_available()) /* it cannot be read all the same */
		f->bytes[3] ^= 0x55;
	f->utoc.toc.version = TOC_VECTORS;
	f->utoc.toc.encrypted = true;
	f->utoc.toc.header.encryption_method = 2;
	f->utoc.toc.sections[SECTION_VECTORS] = (struct toc_section){
		{ 500, sizeof f->vectors }, 2, 12, { f->vectors, sizeof f->vectors }
	};
}

static void a_key_that_fits_is_found(void **state)
{
	struct fixture f;

	(void)state;
	unit_needs(aes_is_available(), "nettle");
	open_fixture(&f);
	encrypt(&f, 3);
	give_key(&f, 2);
	give_key(&f, 3);
	decode_index(&f);
	assert_true(is_whole(&f));
	assert_true(f.utoc.directory.was_encrypted);
	assert_int_equal(f.utoc.directory.n_files, 4);
	end_fixture(&f);
}

static void keys_that_do_not_fit_are_told(void **state)
{
	struct fixture f;
	const char *words[5];

	(void)state;
	for (unsigned n = 0; n < 5; n++) {
		open_fixture(&f);
		encrypt(&f, 3);
		for (unsigned i = 0; i < n; i++)
			give_key(&f, n < 2 ? 4 : 3);
		if (n == 2) /* a key that fits needs the vector and the method too */
			f.utoc.toc.sections[SECTION_VECTORS].held.len = 0;
		if (n == 3)
			f.utoc.toc.sections[SECTION_VECTORS].held.len = 11;
		if (n == 4)
			f.utoc.toc.header.encryption_method = 1;
		decode_index(&f);
		if (n > 0 && !aes_is_available()) {
			assert_int_equal(why(&f, UTOC_INDEX), STOP_CODEC);
		} else {
			assert_int_equal(why(&f, UTOC_INDEX), STOP_KEY);
			words[n] = f.decode.groups[UTOC_INDEX].key;
			assert_non_null(
				strstr(words[n], n == 0 ? "no key" : "no key that was given fits"));
		}
		assert_int_equal(why(&f, UTOC_TREE), STOP_NEEDS);
		end_fixture(&f);
	}
}

static void plain_text_in_an_encrypted_container(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.utoc.toc.encrypted = true;
	decode_index(&f);
	assert_true(is_whole(&f));
	assert_true(f.utoc.directory.clear_in_encrypted);
	assert_false(f.utoc.directory.was_encrypted);
	end_fixture(&f);
}

/* ---- What is not there ----------------------------------------------------------------------- */

static void without_its_bytes_there_is_no_index(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.utoc.toc.sections[SECTION_DIRECTORY].held.len = 0;
	directory_decode(&f.decode, &f.utoc.toc, &f.utoc.directory);
	assert_int_equal(f.utoc.directory.held.len, 0);
	end_fixture(&f);
	open_fixture(&f);
	assert_false(decode_stop(&f.decode, UTOC_SECTIONS, STOP_MALFORMED, (struct span){ 0, 0 }));
	decode_index(&f);
	assert_int_equal(why(&f, UTOC_INDEX), STOP_NEEDS);
	end_fixture(&f);
}

static void without_ids_files_have_no_chunks(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.utoc.toc.ids.n = 0;
	decode_index(&f);
	assert_true(is_whole(&f));
	assert_int_equal(f.utoc.directory.n_pairs, 1);
	assert_int_equal(f.utoc.directory.pathless.n, 0);
	for (unsigned i = 0; i < N_CHUNKS; i++)
		assert_int_equal(f.utoc.directory.file_of_chunk[i], TOC_NONE);
	end_fixture(&f);
}

/* The last file of the chain is cut off, and its name has half a pair. */
static void a_file_in_no_directory_has_its_name_for_a_path(void **state)
{
	struct fixture f;
	char buf[64];

	(void)state;
	open_fixture(&f);
	f.n = 4 + 20 + 4 + 32 + 4 + 2 * 12 + 4;
	put_u32(&f, TOC_NONE); /* what follows file 2 */
	f.n = f.utoc.toc.sections[SECTION_DIRECTORY].at.len;
	f.bytes[f.n - 12] = 'a';
	f.bytes[f.n - 11] = 0;
	decode_index(&f);
	assert_int_equal(f.utoc.directory.lost_files.n, 1);
	assert_int_equal(directory_file_path(&f.utoc.directory, 3, buf, sizeof buf), 12);
	assert_string_equal(buf, "d\xC3\xB6"
				 "a\xEF\xBF\xBD\xE4\xB8\xAD.x");
	assert_int_equal(directory_file_path(&f.utoc.directory, 0, buf, 3), 2);
	assert_string_equal(buf, "..");
	end_fixture(&f);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static void paths_are_cut_at_their_front(void **state)
{
	static const char one[] = "../../../P/Plugins/Mods/One.uasset";
	static const char wide[] =
		"../../../P/Plugins/Mods/d\xC3\xB6\xF0\x9F\x98\x80\xE4\xB8\xAD.x";
	struct fixture f;
	char buf[64];

	(void)state;
	open_fixture(&f);
	decode_index(&f);
	assert_int_equal(directory_path(&f.utoc.directory, 0, buf, sizeof buf), sizeof one - 1);
	assert_string_equal(buf, one);
	assert_int_equal(directory_path(&f.utoc.directory, 0, buf, sizeof one), sizeof one - 1);
	assert_int_equal(directory_path(&f.utoc.directory, 0, buf, sizeof one - 1), sizeof one - 2);
	assert_memory_equal(buf, "...", 3);
	assert_string_equal(buf + 3, one + 4);
	assert_int_equal(directory_path(&f.utoc.directory, 3, buf, sizeof buf), 0);
	assert_int_equal(directory_path(&f.utoc.directory, N_CHUNKS, buf, sizeof buf), 0);
	assert_int_equal(directory_file_path(&f.utoc.directory, 3, buf, sizeof buf),
			 sizeof wide - 1);
	assert_string_equal(buf, wide);
	for (size_t size = 8; size < sizeof wide; size++) {
		size_t n = directory_file_path(&f.utoc.directory, 3, buf, size);

		assert_in_range(n, size > 12 ? size - 4 : 3, size - 1);
		assert_memory_equal(buf, "...", 3);
		assert_true(((uint8_t)buf[3] & 0xC0) != 0x80);
		assert_int_equal(strlen(buf), n);
	}
	end_fixture(&f);
}

/* A path of a file in no tree is its name. */
static void without_a_tree_a_path_is_a_name(void **state)
{
	struct fixture f;
	char buf[64];

	(void)state;
	open_fixture(&f);
	f.decode.work.max = 2 + 4 + 5;
	decode_index(&f);
	assert_int_equal(why(&f, UTOC_TREE), STOP_LIMIT);
	assert_int_equal(directory_path(&f.utoc.directory, 0, buf, sizeof buf), 0);
	assert_int_equal(directory_file_path(&f.utoc.directory, 0, buf, sizeof buf), 10);
	assert_string_equal(buf, "One.uasset");
	end_fixture(&f);
}

static bool count_regions(void *ctx, const struct region *r)
{
	uint64_t *left = ctx;

	assert_in_range(r->span.at, 1000, 1000 + INDEX_MAX);
	if (*left == 0)
		return false;
	--*left;
	return true;
}

static void a_map_ends_where_its_sink_does(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	decode_index(&f);
	for (uint64_t most = 0; most < 12; most++) {
		uint64_t left = most;

		assert_int_equal(directory_map(&f.utoc.directory, count_regions, &left),
				 most >= 10);
	}
	end_fixture(&f);
	open_fixture(&f);
	put_u32(&f, 0); /* after the index */
	decode_index(&f);
	assert_int_equal(f.utoc.directory.n_left, 4);
	assert_false(directory_map(&f.utoc.directory, count_regions, &(uint64_t){ 10 }));
	assert_true(directory_map(&f.utoc.directory, count_regions, &(uint64_t){ 11 }));
	end_fixture(&f);
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Names of one hash are the same only if their letters are; what a hash is of makes no
 * difference. */
static void names_of_one_hash_are_compared(void **state)
{
	static const uint32_t hashes[5];
	struct fixture f;
	struct directory *x = &f.utoc.directory;

	(void)state;
	open_fixture(&f);
	decode_index(&f);
	x->same_name = NULL;
	assert_true(directory_same_names(&f.decode, x, hashes));
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(x->same_name[i], i == 2 ? 1 : i);
	x->same_name = NULL;
	x->n_strings = 2;
	assert_true(directory_same_names(&f.decode, x, hashes));
	assert_null(x->same_name);
	end_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_index_is_read),
		cmocka_unit_test(memory_ends_at_each_step),
		cmocka_unit_test(work_ends_at_each_step),
		cmocka_unit_test(rows_are_limited),
		cmocka_unit_test(a_cut_index_stops),
		cmocka_unit_test(a_key_that_fits_is_found),
		cmocka_unit_test(keys_that_do_not_fit_are_told),
		cmocka_unit_test(plain_text_in_an_encrypted_container),
		cmocka_unit_test(without_its_bytes_there_is_no_index),
		cmocka_unit_test(without_ids_files_have_no_chunks),
		cmocka_unit_test(a_file_in_no_directory_has_its_name_for_a_path),
		cmocka_unit_test(paths_are_cut_at_their_front),
		cmocka_unit_test(without_a_tree_a_path_is_a_name),
		cmocka_unit_test(a_map_ends_where_its_sink_does),
		cmocka_unit_test(names_of_one_hash_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
