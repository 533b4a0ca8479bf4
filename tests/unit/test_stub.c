/* Tests of the executable that an installer may begin with: headers at every edge of the first 4096
 * bytes. */
#include "build.h"
#include "formats/umod/umod.h"
#include "unit.h"

enum { FILE_LEN = 6000, HEAD_LEN = 4096, PE_LEN = 24, PE32 = 0x10B, PE32_PLUS = 0x20B };

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct source source;
	struct limits limits;
	struct decode decode;
	struct umod u;
};

static struct build file;

static void set_u16(size_t at, unsigned v)
{
	file.bytes[at] = (uint8_t)v;
	file.bytes[at + 1] = (uint8_t)(v >> 8);
}

/* make_pe makes a file of FILE_LEN bytes with an executable's headers at pe_at and an optional
 * header of optional_len bytes. */
static void make_pe(size_t pe_at, unsigned optional_magic, unsigned optional_len,
		    unsigned n_sections)
{
	file = (struct build){ .n = FILE_LEN };
	memcpy(file.bytes, "MZ", 2);
	set_u32(&file, 0x3C, (uint32_t)pe_at);
	memcpy(file.bytes + pe_at, "PE", 2);
	set_u16(pe_at + 6, n_sections);
	set_u16(pe_at + 20, optional_len);
	set_u16(pe_at + PE_LEN, optional_magic);
}

/* Section i of an executable whose headers lie at pe_at. */
static void set_section(size_t pe_at, unsigned optional_len, size_t i, uint32_t offset,
			uint32_t size)
{
	size_t at = pe_at + PE_LEN + optional_len + i * 40;

	set_u32(&file, at + 16, size);
	set_u32(&file, at + 20, offset);
}

static const struct umod *decode(struct fixture *f, const char *name)
{
	*f = (struct fixture){ .u = { 0 } };
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	source_init_memory(&f->source, file.bytes, file.n, name, &f->arena);
	f->decode = (struct decode){ .source = &f->source,
				     .arena = &f->arena,
				     .work.max = UINT64_MAX };
	assert_true(umod_decode_stub(&f->decode, &f->u));
	return &f->u;
}

static void an_executable_is_known_by_its_headers(void **state)
{
	struct fixture f;

	(void)state;
	make_pe(0x80, PE32, 224, 0);
	assert_true(decode(&f, "a.umod")->stub.is_pe);
	assert_false(f.u.stub.named_exe);
	assert_true(decode(&f, "a.EXE")->stub.named_exe);
	assert_false(decode(&f, "exe")->stub.named_exe);
	file.bytes[0x81] = 'X';
	assert_false(decode(&f, "a.umod")->stub.is_pe);
	make_pe(0x80, PE32, 224, 0);
	file.bytes[1] = 'X';
	assert_false(decode(&f, "a.umod")->stub.is_pe);
	make_pe(0x80, PE32, 224, 0);
	file.n = HEAD_LEN;
	assert_false(decode(&f, "a.umod")->stub.is_pe);
	file.n = HEAD_LEN + 1;
	assert_true(decode(&f, "a.umod")->stub.is_pe);
}

static void expect_program(enum umod_program expected)
{
	struct fixture f;

	assert_int_equal(decode(&f, "a.umod")->stub.program, expected);
	arena_free(&f.arena);
}

/* Whatever the engine takes it for. */
static void windows_looks_at_all_of_the_file(void **state)
{
	(void)state;
	make_pe(HEAD_LEN, PE32, 224, 0);
	expect_program(PROGRAM_WINDOWS);
	file.n = HEAD_LEN + 4;
	expect_program(PROGRAM_WINDOWS);
	file.n--;
	expect_program(PROGRAM_DOS);
	file.n = 0x40;
	expect_program(PROGRAM_DOS);
	make_pe(0x40, PE32, 224, 0);
	file.n = 0x44;
	expect_program(PROGRAM_WINDOWS);
	file.bytes[0x43] = 1;
	expect_program(PROGRAM_DOS);
	set_u32(&file, 0x3C, 0xFFFFFFFF);
	expect_program(PROGRAM_DOS);
	for (file.n = 0x3F; file.n > 0; file.n--)
		expect_program(file.n < 2 ? PROGRAM_NONE : PROGRAM_DOS);
	expect_program(PROGRAM_NONE);
}

static void work_may_end_at_each_header(void **state)
{
	struct fixture f;
	uint64_t n = 0;
	bool done;

	(void)state;
	make_pe(0x80, PE32, 224, 0);
	file.n = HEAD_LEN;
	do {
		f = (struct fixture){ .u = { 0 } };
		f.arena = unit_arena(&f.memory, UNIT_PLENTY);
		source_init_memory(&f.source, file.bytes, file.n, "a.umod", &f.arena);
		f.decode = (struct decode){ .source = &f.source, .arena = &f.arena, .work.max = n };
		done = umod_decode_stub(&f.decode, &f.u);
		assert_int_equal(f.u.stub.program, done ? PROGRAM_WINDOWS : PROGRAM_DOS);
		n += !done;
	} while (!done);
	assert_int_equal(n, 2);
}

/* The COFF header may end where the first 4096 bytes end, and no later. */
static void headers_lie_in_the_first_bytes(void **state)
{
	struct fixture f;

	(void)state;
	make_pe(HEAD_LEN - PE_LEN, 0, 0, 3);
	assert_true(decode(&f, "a.umod")->stub.is_pe);
	assert_int_equal(f.u.stub.image_end, HEAD_LEN);
	assert_false(f.u.stub.is_signed);
	make_pe(HEAD_LEN - PE_LEN + 1, 0, 0, 3);
	assert_false(decode(&f, "a.umod")->stub.is_pe);
	set_u32(&file, 0x3C, 0xFFFFFFFF);
	assert_false(decode(&f, "a.umod")->stub.is_pe);
}

static void the_image_ends_with_its_last_section(void **state)
{
	struct fixture f;

	(void)state;
	make_pe(0x80, PE32, 224, 3);
	set_section(0x80, 224, 0, 1024, 512);
	set_section(0x80, 224, 1, 2048, 1000);
	set_section(0x80, 224, 2, 5000, 0);
	assert_int_equal(decode(&f, "a.umod")->stub.image_end, 3048);
	set_section(0x80, 224, 2, 1100, 10);
	assert_int_equal(decode(&f, "a.umod")->stub.image_end, 3048);
	set_section(0x80, 224, 2, 0xFFFFFFFF, 0xFFFFFFFF);
	assert_int_equal(decode(&f, "a.umod")->stub.image_end, FILE_LEN);
}

static void sections_beyond_the_first_bytes_do_not_count(void **state)
{
	struct fixture f;

	(void)state;
	make_pe(0x80, PE32, 224, 0xFFFF);
	assert_true(decode(&f, "a.umod")->stub.is_pe);
	assert_int_equal(f.u.stub.image_end, 0x80 + PE_LEN);
	make_pe(0x80, PE32, 0xFFFF, 1);
	assert_true(decode(&f, "a.umod")->stub.is_pe);
	assert_int_equal(f.u.stub.image_end, 0x80 + PE_LEN);
}

/* The entry of the security directory: the fifth of those that begin 96 or 112 bytes into the
 * optional header. */
static size_t security_at(size_t pe_at, unsigned magic)
{
	return pe_at + PE_LEN + (magic == PE32 ? 96 : 112) + 32;
}

static void signatures_are_found_in_both_forms(void **state)
{
	static const unsigned magics[] = { PE32, PE32_PLUS };
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < LENGTH(magics); i++) {
		make_pe(0x80, magics[i], 240, 0);
		assert_false(decode(&f, "a.umod")->stub.is_signed);
		set_u32(&file, security_at(0x80, magics[i]), 5000);
		set_u32(&file, security_at(0x80, magics[i]) + 4, 1000);
		assert_true(decode(&f, "a.umod")->stub.is_signed);
		assert_int_equal(f.u.stub.security.offset, 5000);
		assert_int_equal(f.u.stub.security.size, 1000);
		set_u32(&file, security_at(0x80, magics[i]), FILE_LEN);
		assert_true(decode(&f, "a.umod")->stub.is_signed);
		set_u32(&file, security_at(0x80, magics[i]), FILE_LEN + 1);
		assert_false(decode(&f, "a.umod")->stub.is_signed);
	}
}

static void signatures_elsewhere_are_not_looked_for(void **state)
{
	static const size_t places[] = { HEAD_LEN - PE_LEN - 1, HEAD_LEN - PE_LEN - 100,
					 HEAD_LEN - PE_LEN - 130 };
	struct fixture f;

	(void)state;
	make_pe(0x80, 0x107, 240, 0); /* the engine asks for no magic, and is of 32 bits */
	set_u32(&file, security_at(0x80, PE32_PLUS), 5000);
	assert_false(decode(&f, "a.umod")->stub.is_signed);
	set_u32(&file, security_at(0x80, PE32), 5000);
	assert_true(decode(&f, "a.umod")->stub.is_signed);
	for (size_t i = 0; i < LENGTH(places); i++) {
		make_pe(places[i], PE32, 240, 0);
		set_u32(&file, security_at(places[i], PE32), 5000);
		assert_true(decode(&f, "a.umod")->stub.is_pe);
		assert_false(f.u.stub.is_signed);
	}
}

/* make_installer puts a directory without entries and a trailer after the headers, with the given
 * padding before a signature. */
static void make_installer(size_t padding, bool sign)
{
	make_pe(0x80, PE32, 224, 0);
	file.n = file.dir_at = 5000;
	put_uint(&file, 0, 1);
	put_trailer(&file);
	if (sign)
		set_u32(&file, security_at(0x80, PE32), (uint32_t)(file.n + padding));
	build_put_crc(&file);
	if (sign)
		file.n += padding + 64;
}

static void expect_trailer(bool found)
{
	struct fixture f;

	decode(&f, "a.umod");
	assert_int_equal(umod_decode_trailer(&f.decode, &f.u), found);
	assert_true(umod_format.sniff(&f.decode));
	f.source.name = "a";
	assert_int_equal(umod_format.sniff(&f.decode), found);
	if (found)
		assert_int_equal(f.u.end, file.trailer_at + BUILD_TRAILER);
	arena_free(&f.arena);
}

static void the_trailer_stands_before_the_signature(void **state)
{
	(void)state;
	make_installer(0, false);
	expect_trailer(true);
	for (size_t padding = 0; padding <= 9; padding++) {
		make_installer(padding, true);
		expect_trailer(padding <= 7);
	}
}

/* A signature that begins within the first bytes leaves no room for 27 bytes before it. */
static void a_signature_at_the_start(void **state)
{
	struct fixture f;

	(void)state;
	for (uint32_t at = 1; at < 40; at++) {
		make_installer(0, true);
		set_u32(&file, security_at(0x80, PE32), at);
		decode(&f, "a.umod");
		assert_false(umod_decode_trailer(&f.decode, &f.u));
		assert_int_equal(f.decode.groups[UMOD_TRAILER].why, STOP_MALFORMED);
		arena_free(&f.arena);
	}
}

static void padding_before_the_signature_is_looked_at(void **state)
{
	struct fixture f;

	(void)state;
	make_installer(7, true);
	decode(&f, "a.umod");
	assert_true(umod_decode_trailer(&f.decode, &f.u));
	assert_int_equal(f.u.defects & UMOD_PADDING_NONZERO, 0);
	file.bytes[file.trailer_at + BUILD_TRAILER + 6] = 1;
	decode(&f, "a.umod");
	assert_true(umod_decode_trailer(&f.decode, &f.u));
	assert_int_not_equal(f.u.defects & UMOD_PADDING_NONZERO, 0);
	arena_free(&f.arena);
}

static bool count_region(void *ctx, const struct region *r)
{
	unsigned *left = ctx;

	assert_true(r->span.len > 0);
	return --*left > 0;
}

static void the_map_stops_where_it_is_told(void **state)
{
	struct fixture f;
	const void *u;
	unsigned left = 100, n;

	(void)state;
	make_installer(7, true);
	decode(&f, "a.umod");
	f.limits = limits_standard();
	f.decode.limits = &f.limits;
	f.decode.work.max = UINT64_MAX;
	u = umod_format.decode(&f.decode);
	assert_true(umod_format.map(u, &f.decode, count_region, &left));
	n = 100 - left;
	assert_true(n >= 4);
	for (unsigned stop = 1; stop <= n; stop++) {
		left = stop;
		assert_false(umod_format.map(u, &f.decode, count_region, &left));
	}
	arena_free(&f.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_executable_is_known_by_its_headers),
		cmocka_unit_test(windows_looks_at_all_of_the_file),
		cmocka_unit_test(work_may_end_at_each_header),
		cmocka_unit_test(headers_lie_in_the_first_bytes),
		cmocka_unit_test(the_image_ends_with_its_last_section),
		cmocka_unit_test(sections_beyond_the_first_bytes_do_not_count),
		cmocka_unit_test(signatures_are_found_in_both_forms),
		cmocka_unit_test(signatures_elsewhere_are_not_looked_for),
		cmocka_unit_test(the_trailer_stands_before_the_signature),
		cmocka_unit_test(a_signature_at_the_start),
		cmocka_unit_test(the_map_stops_where_it_is_told),
		cmocka_unit_test(padding_before_the_signature_is_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
