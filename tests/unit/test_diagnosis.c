/* Tests of what explains findings: the census of bytes, what other formats look like, and whom a
 * diagnosis keeps from being suspected. conformance/damage tests the diagnoses themselves. */
#include "diagnosis/census.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/other_format.h"
#include "unit.h"

static struct census take(const void *bytes, size_t n, uint32_t mark, struct probe *probes,
			  size_t n_probes)
{
	struct census c;
	struct source s;
	struct fault_memory memory;
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);

	source_init_memory(&s, bytes, n, "a file", &arena);
	assert_true(census_take(&s, mark, probes, n_probes, &c));
	arena_free(&arena);
	return c;
}

static struct census take_text(const char *text, size_t n)
{
	return take(text, n, 0, NULL, 0);
}
#define TAKE(text) take_text(text, sizeof(text) - 1)

static void line_ends_are_counted(void **state)
{
	struct census c = TAKE("a\r\nb\rc\nd\n\r\n");

	(void)state;
	assert_int_equal(c.n, 11);
	assert_int_equal(c.n_cr, 3);
	assert_int_equal(c.n_lf, 4);
	assert_int_equal(c.n_pairs, 2);
	assert_int_equal(c.n_binary_lf, 0);
	assert_int_equal(c.n_controls, 0);
	c = TAKE("\x01\n\x02"
		 "\x80\r\n\xFF"
		 "x\n\x03"
		 "\x04\n"
		 "y"
		 "\n");
	assert_int_equal(c.n_lf, 5);
	assert_int_equal(c.n_binary_lf, 2);
	assert_int_equal(c.n_controls, 4);
	/* of two CRs before a LF, the first is no end of what stands before */
	c = TAKE("\x01\r\r\n\x02"
		 "\r\r\n\x03\r\n");
	assert_int_equal(c.n_lf, 3);
	assert_int_equal(c.n_pairs, 3);
	assert_int_equal(c.n_twice, 2);
	assert_int_equal(c.n_binary_lf, 2);
	/* a LF that is the first byte has nothing before it */
	c = TAKE("\n\x01");
	assert_int_equal(c.n_lf, 0);
	assert_int_equal(c.n_binary_lf, 0);
}

static void lines_are_counted(void **state)
{
	static uint8_t bytes[2100];

	(void)state;
	memset(bytes, 'x', sizeof bytes);
	for (size_t n = 10; n < sizeof bytes - 3; n += n == 40 ? 860 : 1) {
		memcpy(bytes + n, "\r\r\n", 3);
		assert_int_equal(take(bytes, n + 3, 0, NULL, 0).n_lines, n >= 16);
		memset(bytes + n, 'x', 3);
	}
	assert_int_equal(
		TAKE("sixteen bytes so\nsixteen bytes so\r\nsixteen bytes so\r\r\n").n_lines, 3);
	assert_int_equal(TAKE("fifteen bytes o\n").n_lines, 0);
	assert_int_equal(TAKE("and\x01twelve bytes\n").n_lines, 0);
}

/* What is there tells how much there should be of what is not. */
static void what_is_due_is_known(void **state)
{
	struct census c = TAKE("\x08\x0B\x0B\x0C\x0C\x0E\x0E\x0E\x0F\x0F?>@@\x80\xFF");

	(void)state;
	assert_int_equal(c.cr_due.least, 2);
	assert_int_equal(c.cr_due.most, 3);
	assert_int_equal(c.lf_due.least, 1);
	assert_int_equal(c.lf_due.most, 3);
	assert_int_equal(c.n_control_kinds, 5);
	assert_int_equal(c.n_high, 2);
	assert_int_equal(c.n_questions, 1);
	assert_int_equal(c.n_by_questions, 3);
	c = TAKE("\0\0\1\1\1\2\2\3\3\xFF");
	assert_int_equal(c.n_zeros, 2);
	assert_int_equal(c.zeros_due, 1);
	assert_int_equal(c.pairs_due, 0);
	/* a CR and another byte than a LF, a LF after another one than a CR, and neither */
	c = TAKE("\r\t \r\x0B \r\t \r\t \x0C\n \x0E\n \x0C\n \x0E\n \x0C\t \x0E\x0B");
	assert_int_equal(c.pairs_due, 2);
	c = TAKE("\r\t \r\x0B \x0C\n \x0E\n \x0C\t \x0C\t \x0E\x0B \x0E\t");
	assert_int_equal(c.pairs_due, 1);
}

static void utf8_is_known(void **state)
{
	static const struct {
		const char *text;
		bool is_utf8;
		unsigned n_sequences, n_replaced;
	} rows[] = {
		{ "plain", true, 0, 0 },
		{ "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", true, 3, 0 },
		{ "\xEF\xBF\xBD\xEF\xBF\xBD", true, 2, 2 },
		{ "\xEF\xBF\xBC", true, 1, 0 },
		{ "\xC3\xA9\xC3", true, 1, 0 },             /* truncated */
		{ "\xC3x", false, 0, 0 },                   /* not continued */
		{ "\x80", false, 0, 0 },                    /* continues nothing */
		{ "\xC1\x81", false, 0, 0 },                /* two bytes where one is enough */
		{ "\xE0\x80\x80", false, 1, 0 },            /* likewise three */
		{ "\xED\xA0\x80", false, 1, 0 },            /* half of a surrogate pair */
		{ "\xED\x9F\xBF\xEE\x80\x80", true, 2, 0 }, /* around these */
		{ "\xF4\x8F\xBF\xBF", true, 1, 0 },         /* the last character */
		{ "\xF4\x90\x80\x80", false, 0, 0 },        /* after it */
		{ "\xF5\x80\x80\x80", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct census c = take_text(rows[i].text, strlen(rows[i].text));

		assert_int_equal(c.is_utf8, rows[i].is_utf8);
		assert_int_equal(c.n_sequences, rows[i].n_sequences);
		assert_int_equal(c.n_replaced, rows[i].n_replaced);
	}
}

static void zeros_are_found_where_probes_are(void **state)
{
	static uint8_t bytes[40000];
	struct probe probes[] = {
		{ .place = { 0, 4 } },        /* before any zeros */
		{ .place = { 999, 1 } },      /* ends where they begin */
		{ .place = { 1200, 8 } },     /* in the middle */
		{ .place = { 1512, 4 } },     /* right after them */
		{ .place = { 1513, 4 } },     /* one byte farther */
		{ .place = { 20000, 19000 } } /* in front of the tail */
	};
	struct census c;

	(void)state;
	memset(bytes, 'x', sizeof bytes);
	memset(bytes + 1000, 0, CENSUS_RUN_MIN);
	memset(bytes + 3000, 0, CENSUS_RUN_MIN - 1);
	memset(bytes + 39000, 0, 1000);
	c = take(bytes, sizeof bytes, 0, probes, sizeof probes / sizeof *probes);
	assert_int_equal(c.head_zeros, 0);
	assert_int_equal(c.tail_zeros, 1000);
	assert_int_equal(probes[0].zeros.len, 0);
	for (size_t i = 1; i < 4; i++) {
		assert_int_equal(probes[i].zeros.at, 1000);
		assert_int_equal(probes[i].zeros.len, CENSUS_RUN_MIN);
	}
	assert_int_equal(probes[4].zeros.len, 0);
	assert_int_equal(probes[5].zeros.at, 39000);
	memset(bytes, 0, sizeof bytes);
	c = take(bytes, sizeof bytes, 0, NULL, 0);
	assert_int_equal(c.head_zeros, sizeof bytes);
	assert_int_equal(c.tail_zeros, sizeof bytes);
	assert_int_equal(c.n_odd_zeros, sizeof bytes / 2);
}

/* A sector's worth of zeros is a hole or is not, as the place is of a stream or may have zeros. */
static void holes_are_told_from_padding(void **state)
{
	static uint8_t bytes[20480];
	static const struct {
		const char *what;
		struct span zeros, place;
		enum probe_of of;
		bool is_data, is_hole;
	} rows[] = {
		{ "right before a place", { 1024, 512 }, { 1536, 512 }, PROBE_NEAR, false, true },
		{ "a stream's padding", { 1024, 1024 }, { 512, 512 }, PROBE_STREAM, true, false },
		{ "and its last byte", { 1023, 1025 }, { 512, 512 }, PROBE_STREAM, true, false },
		{ "a part of a stream", { 901, 256 }, { 512, 1000 }, PROBE_STREAM, true, true },
		{ "less of it", { 901, 255 }, { 512, 1000 }, PROBE_STREAM, true, false },
		{ "all of a short one", { 900, 300 }, { 1000, 100 }, PROBE_STREAM, true, true },
		{ "zeros of payload", { 1100, 700 }, { 512, 8192 }, PROBE_HASHED, true, false },
		{ "a sector of it", { 1024, 512 }, { 512, 8192 }, PROBE_HASHED, true, true },
		{ "15 more", { 1009, 542 }, { 512, 8192 }, PROBE_HASHED, true, true },
		{ "16 more", { 1008, 528 }, { 512, 8192 }, PROBE_HASHED, true, false },
		{ "16 more after", { 1024, 528 }, { 512, 8192 }, PROBE_HASHED, true, false },
		{ "less than one", { 1020, 500 }, { 512, 8192 }, PROBE_HASHED, true, false },
		{ "all of a chunk", { 1000, 300 }, { 1010, 200 }, PROBE_HASHED, true, true },
		{ "all of a field", { 1000, 300 }, { 1010, 200 }, PROBE_HASHED, false, false },
		{ "up to the end", { 19900, 580 }, { 512, 19968 }, PROBE_HASHED, true, true },
		{ "not enough", { 19970, 510 }, { 512, 19968 }, PROBE_HASHED, true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct probe probe = { .place = rows[i].place,
				       .of = rows[i].of,
				       .is_data = rows[i].is_data };

		memset(bytes, 'x', sizeof bytes);
		memset(bytes + rows[i].zeros.at, 0, (size_t)rows[i].zeros.len);
		take(bytes, sizeof bytes, 0, &probe, 1);
		if ((probe.zeros.len > 0) != rows[i].is_hole)
			fail_msg("%s", rows[i].what);
	}
}

static void long_zeros_are_rare(void **state)
{
	static uint8_t bytes[2 * CENSUS_RUN_RARE];
	struct probe probe = { .place = { 50, sizeof bytes - 50 }, .of = PROBE_HASHED };
	struct census c;

	(void)state;
	memset(bytes, 'x', sizeof bytes);
	memset(bytes + 100, 0, CENSUS_RUN_RARE - 1);
	c = take(bytes, sizeof bytes, 0, &probe, 1);
	assert_int_equal(probe.zeros.len, 0);
	assert_int_equal(c.sector_zeros.len, 0);
	bytes[99] = 0;
	take(bytes, sizeof bytes, 0, &probe, 1);
	assert_int_equal(probe.zeros.len, CENSUS_RUN_RARE);
	bytes[1023] = bytes[2048] = 'x';
	c = take(bytes, sizeof bytes, 0, NULL, 0);
	assert_int_equal(c.sector_zeros.at, 1024);
	assert_int_equal(c.sector_zeros.len, 1024);
}

static void a_mark_is_found_last(void **state)
{
	const uint8_t bytes[] = { 0xA3, 0xC5, 0xE3, 0x9F, 1, 0xA3, 0xC5, 0xE3, 0x9F, 2 };
	struct census c = take(bytes, sizeof bytes, 0x9FE3C5A3, NULL, 0);

	(void)state;
	assert_int_equal(c.mark_at, 5);
	c = take(bytes, 4, 0x9FE3C5A3, NULL, 0);
	assert_int_equal(c.mark_at, 0);
	c = take(bytes + 1, 3, 0x9FE3C5A3, NULL, 0);
	assert_true(c.mark_at == UINT64_MAX);
}

/* The same bytes have the same census wherever they lie: runs, ends of lines, characters and
 * marks go on over the end of what is read at once. */
static void pieces_do_not_matter(void **state)
{
	static const uint8_t pattern[] = { 0xC3, 0xA9, '\r', '\n', 1,    0,    0,
					   0,    'x',  '\n', 2,    0xE2, 0x82, 0xAC,
					   0xA3, 0xC5, 0xE3, 0x9F, 0,    '\n' };
	enum { ROOM = 4096 + 64 };
	static uint8_t bytes[2 * ROOM];

	(void)state;
	for (size_t at = 1; at + sizeof pattern + 5 <= 2 * ROOM; at += at == 40 ? 4030 : 1) {
		const size_t n = at + sizeof pattern + 5;
		struct census c;

		memset(bytes, 'x', n);
		memcpy(bytes + at, pattern, sizeof pattern);
		c = take(bytes, n, 0x9FE3C5A3, NULL, 0);
		assert_false(c.is_utf8);
		assert_int_equal(c.n_cr, 1);
		assert_int_equal(c.n_lf, 3);
		assert_int_equal(c.n_pairs, 1);
		assert_int_equal(c.n_binary_lf, 1);
		assert_int_equal(c.n_controls, 6);
		assert_int_equal(c.most_zeros.at, at + 5);
		assert_int_equal(c.most_zeros.len, 3);
		assert_int_equal(c.n_odd_zeros,
				 (at + 8) / 2 - (at + 5) / 2 + (at + 19) / 2 - (at + 18) / 2);
		assert_int_equal(c.mark_at, at + 14);
		assert_int_equal(c.tail_zeros, 0);
		/* up to the mark it is UTF-8 */
		c = take(bytes, at + 14, 0, NULL, 0);
		assert_true(c.is_utf8);
		assert_int_equal(c.n_sequences, 2);
	}
}

/* Asks about bytes as about a file; returns what is found. */
static const char *named(const void *bytes, size_t n, const struct other_question *q)
{
	struct source s;
	struct glimpse g;
	struct fault_memory memory;
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	const char *name;

	source_init_memory(&s, bytes, n, "a file", &arena);
	assert_true(glimpse_take(&s, &g));
	name = other_format(&g, q).name;
	arena_free(&arena);
	return name;
}

static void assert_named(const char *name, const char *expected)
{
	assert_int_equal(!name, !expected);
	if (name)
		assert_string_equal(name, expected);
}

static const struct {
	const char *bytes;
	size_t n;
	enum texts texts;
	const char *own, *name;
} beginnings[] = {
#define ROW(bytes, texts, own, name) \
	{ \
		bytes, sizeof(bytes) - 1, texts, own, name \
	}
	ROW("PK\x03\x04rest", TEXTS_NONE, "upkg", "a zip archive"),
	ROW("PK\x03", TEXTS_NONE, "upkg", NULL),
	ROW("RIFF\x10\0\0\0WAVEfmt ", TEXTS_NONE, "upkg", "a WAV file"),
	ROW("RIFX\x10\0\0\0WAVEfmt ", TEXTS_NONE, "upkg", NULL),
	ROW("RIFF\x10\0\0\0AVI LIST", TEXTS_NONE, "upkg", "an AVI file"),
	ROW("\xC1\x83\x2A\x9E\x45\0", TEXTS_NONE, "umod", "an Unreal package"),
	ROW("\xC1\x83\x2A\x9E\x45\0", TEXTS_NONE, "upkg", NULL),
	ROW("\xC1\x83\x2A\x9E\xF9\xFF\xFF\xFF\x60\x03\0\0", TEXTS_NONE, "upkg",
	    "a package of Unreal Engine 4 or 5 (.uasset)"),
	ROW("\xC1\x83\x2A\x9E\xF9\xFF\xFF\xFF\x60\x03\0\1", TEXTS_NONE, "upkg", NULL),
	ROW("\x2E\x16\0\0\x05", TEXTS_NONE, "upkg", "a .uz download"),
	ROW("\x2E\x16\0\0\x05", TEXTS_NONE, "uz3", NULL),
	ROW("\xEF\xBB\xBF \r\n<!DOCTYPE HTML><html>", TEXTS_ALL, NULL, "an HTML page"),
	ROW("<!DOCTYPE HTML><html>", TEXTS_NONE, NULL, NULL),
	ROW("{\"error\": \"not found\"}", TEXTS_KNOWN, NULL, "a JSON document"),
	ROW("{\\rtf1\\ansi", TEXTS_KNOWN, NULL, "an RTF document"),
	ROW("[Setup]\nProduct=Mod", TEXTS_KNOWN, NULL, NULL),
	ROW("[Setup]\nProduct=Mod", TEXTS_NO_SETTINGS, NULL, NULL),
	ROW("[Setup]\nProduct=Mod", TEXTS_ALL, NULL, "a text file"),
	ROW("[InternetShortcut]\r\nURL=", TEXTS_KNOWN, NULL, "an Internet shortcut (.url)"),
	ROW("[\"a\", \"b\", \"c\", 1]", TEXTS_KNOWN, NULL, "a JSON document"),
	ROW("wYMqnkUAHAAAAAAAQAAAAGAA", TEXTS_KNOWN, NULL,
	    "base64, the text form of a binary file"),
	ROW("wYMqnkUAHAAAAAAAQAAA\0GAA", TEXTS_KNOWN, NULL, NULL),
	ROW("[\0\0\0", TEXTS_KNOWN, NULL, NULL),
	ROW("[", TEXTS_KNOWN, NULL, NULL),
	ROW("c1832a9e 45000000\r\n", TEXTS_KNOWN, NULL,
	    "hexadecimal digits, the text form of a binary file"),
	ROW("Not found", TEXTS_ALL, NULL, "a text file"),
	ROW("Not found", TEXTS_NO_SETTINGS, NULL, "a text file"),
	ROW("Not found", TEXTS_KNOWN, NULL, NULL),
	ROW("4.4", TEXTS_ALL, NULL, NULL),
	ROW("", TEXTS_ALL, NULL, NULL),
	ROW("<!doc", TEXTS_KNOWN, NULL, NULL),
	ROW("<?xml version=\"1.0\"?>", TEXTS_KNOWN, NULL, "an XML document"),
	/* cut short it is no text */
	ROW("-==--==-", TEXTS_ALL, "utoc", NULL),
	ROW("-==--==-", TEXTS_ALL, "upkg", "a text file"),
	/* the codes of a block are 286 and 30 at most, and 257 and 1 are added to these */
	ROW("\x78\x9C\xED\x5D\0\0\0\0", TEXTS_NONE, "upkg", "a zlib stream"),
	ROW("\x78\x9C\xF5\x5D\0\0\0\0", TEXTS_NONE, "upkg", NULL),
	ROW("\x78\x9C\xED\x5E\0\0\0\0", TEXTS_NONE, "upkg", NULL),
	ROW("SQLite format 3", TEXTS_NONE, "upkg", NULL),
	ROW("SQLite format 3\0\x10", TEXTS_NONE, "upkg", "an SQLite database"),
	ROW("d8:announce30:udp://", TEXTS_NONE, "upkg", "a torrent"),
	ROW("HTTP/1.1 404 Not Found\r\n", TEXTS_ALL, "upkg", "an HTTP response with its header"),
	ROW("------WebKit7MA4\r\nContent-Disposition: form-data", TEXTS_NONE, "upkg",
	    "the body of a web form (multipart)"),
	ROW("------ a line ------\r\nContent-", TEXTS_NONE, "upkg", NULL),
	ROW("<br />\n<b>Notice</b>: Undefined", TEXTS_NONE, "upkg", "a message of PHP"),
#undef ROW
};

static void formats_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
		const struct other_question q = { beginnings[i].own, beginnings[i].texts,
						  METHOD_PAYLOAD };

		assert_named(named(beginnings[i].bytes, beginnings[i].n, &q), beginnings[i].name);
	}
}

/* A signature of two or three bytes is held against what must stand elsewhere: each row as the
 * format has it, and then with one byte changed. */
static void weak_signatures_are_checked(void **state)
{
	static const struct {
		const char *bytes;
		size_t n, changed, fill; /* the file has so many bytes, zeros at the end */
		const char *name;
	} rows[] = {
#define ROW(bytes, changed, fill, name) { bytes, sizeof(bytes) - 1, changed, fill, name }
		ROW("\x1F\x8B\x08\x08", 3, 20, "a gzip file"),
		ROW("BZh91AY&SY", 3, 20, "a bzip2 file"),
		ROW("BZh91AY&SY", 6, 20, "a bzip2 file"),
		ROW("BZh9\x17\x72\x45\x38\x50\x90", 9, 20, "a bzip2 file"),
		ROW("\x78\x9C\xED\x5D", 1, 20, "a zlib stream"),
		ROW("\x78\x9C\x01\x05\0\xFA\xFF", 5, 20, "a zlib stream"),
		ROW("\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 2, 20, "an LZMA stream"),
		ROW("\x5D\0\0\x80\0\x10\0\0\0\0\0\0\0", 12, 20, "an LZMA stream"),
		ROW("MZ\x90\0\x03\0\0\0", 4, 100, "a Windows program"),
		ROW("MZ\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0PE",
		    60, 100, "a Windows program"),
		ROW("MZ\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0NE",
		    65, 100, "a Windows program"),
		ROW("\xFF\xD8\xFF\xE0", 3, 20, "a JPEG image"),
		ROW("BM\x40\0\0\0\0\0\0\0\x36\0\0\0\x28", 6, 64, "a BMP image"),
		ROW("BM\x30\0\0\0\0\0\0\0\x36\0\0\0\x28", 14, 64, "a BMP image"),
		ROW("BM\x40\0\0\0\0\0\0\0\x36\0\0\0\x00", 2, 64, "a BMP image"),
		ROW("ID3\x03\0\0\0\0\0\x23", 3, 20, "an MP3 file"),
		ROW("ID3\x03\0\0\0\0\0\x23", 9, 20, "an MP3 file"),
		ROW("\x10\0\0\0\x20\0\0\0\x78\x9C", 9, 24, "a .uz2 download"),
		ROW("\x10\0\0\0\x20\0\0\0\x78\x9C", 0, 24, "a .uz2 download"),
#undef ROW
	};
	static const struct other_question q = { "upkg", TEXTS_NONE, METHOD_PAYLOAD };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint8_t bytes[128] = { 0 };

		memcpy(bytes, rows[i].bytes, rows[i].n);
		assert_named(named(bytes, rows[i].fill, &q), rows[i].name);
		bytes[rows[i].changed] ^= 0xA5;
		assert_named(named(bytes, rows[i].fill, &q), NULL);
		/* nor is one that ends right after it */
		assert_named(named(bytes, 3, &q), NULL);
	}
}

static void put_le32(uint8_t *at, uint32_t number)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(number >> 8 * i);
}

/* What stands at the end of a file, or after a frame, says what it is. */
static void formats_are_known_by_other_places(void **state)
{
	static const struct other_question upkg = { "upkg", TEXTS_NONE, METHOD_PAYLOAD },
					   umod = { "umod", TEXTS_NONE, METHOD_PAYLOAD };
	static const uint16_t footers[] = { 44, 172, 204, 205 };
	uint8_t bytes[3000];

	(void)state;
	memset(bytes, 1, sizeof bytes);
	put_le32(bytes + sizeof bytes - 20, 0x9FE3C5A3);
	put_le32(bytes + sizeof bytes - 12, sizeof bytes);
	assert_named(named(bytes, sizeof bytes, &upkg), "a UMOD installer");
	assert_named(named(bytes, sizeof bytes, &umod), NULL);
	assert_named(named(bytes + 1, sizeof bytes - 1, &upkg), NULL);
	for (size_t i = 0; i < sizeof footers / sizeof *footers; i++) {
		memset(bytes, 1, sizeof bytes);
		put_le32(bytes + sizeof bytes - footers[i], 0x5A6F12E1);
		put_le32(bytes + sizeof bytes - footers[i] + 4, 11);
		assert_named(named(bytes, sizeof bytes, &upkg),
			     "an archive of Unreal Engine 4 or 5 (.pak)");
		assert_named(named(bytes, sizeof bytes - 2, &upkg), NULL);
	}
	memset(bytes, 1, sizeof bytes);
	memcpy(bytes + 257, "ustar", 5);
	assert_named(named(bytes, sizeof bytes, &umod), "a tar archive");
	assert_named(named(bytes, 261, &umod), NULL);
	bytes[257] = 0;
	for (unsigned i = 0; i < 3; i++)
		memcpy(bytes + 417 * i, "\xFF\xFB\x90\x64", 4);
	assert_named(named(bytes, 1000, &upkg), "an MP3 file");
	assert_named(named(bytes, 837, &upkg), NULL);
	bytes[834] = 0;
	assert_named(named(bytes, 1000, &upkg), NULL);
}

/* Compressed payload is no file of its method, and some is a picture. */
static void payload_is_no_stream(void **state)
{
	static const struct {
		const char *bytes;
		enum in_payload in_payload;
	} rows[] = { { "\x28\xB5\x2F\xFD\x60\x0F\x55\x09", METHOD_PAYLOAD },
		     { "\x78\x9C\xED\x5D\x60\x0F\x55\x09", METHOD_PAYLOAD },
		     { "\x89PNG\r\n\x1A\n", SOME_PAYLOAD },
		     { "Rar!\x1A\x07\1\2", NO_PAYLOAD } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned k = NO_PAYLOAD; k <= METHOD_PAYLOAD; k++) {
			const struct other_question q = { NULL, TEXTS_NONE, (enum in_payload)k };

			assert_int_equal(!named(rows[i].bytes, 8, &q), k < rows[i].in_payload);
		}
}

/* A file is found behind what was put before it. */
static void a_file_is_found_behind_another(void **state)
{
	uint8_t bytes[4000];
	struct source s;
	struct glimpse g;
	struct fault_memory memory;
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);

	(void)state;
	memset(bytes, 'x', sizeof bytes);
	memcpy(bytes + 91, "\xC1\x83\x2A\x9E", 4);
	source_init_memory(&s, bytes, sizeof bytes, "a file", &arena);
	assert_true(glimpse_take(&s, &g));
	assert_int_equal(g.n, GLIMPSE_MAX);
	assert_int_equal(other_format_begin(&g, "upkg"), 91);
	assert_int_equal(other_format_begin(&g, "utoc"), 0);
	assert_int_equal(other_format_begin(&g, "umod"), 0);
	/* nor where the file begins as it should: a later engine's has the tag at its end, too */
	memcpy(g.head, "\xC1\x83\x2A\x9E", 4);
	assert_int_equal(other_format_begin(&g, "upkg"), 0);
	/* but not right before the end */
	source_init_memory(&s, bytes, 91 + 23, "a file", &arena);
	assert_true(glimpse_take(&s, &g));
	assert_int_equal(other_format_begin(&g, "upkg"), 0);
	source_init_memory(&s, bytes, 91 + 25, "a file", &arena);
	assert_true(glimpse_take(&s, &g));
	assert_int_equal(other_format_begin(&g, "upkg"), 91);
	arena_free(&arena);
}

static void accidents_suspect_nobody(void **state)
{
	static const struct diagnosis_kind all = { .id = "truncated", .explains = EXPLAINS_ALL },
					   data = { .id = "damaged", .explains = EXPLAINS_DATA },
					   none = { .id = "appended", .explains = EXPLAINS_NONE };
	static const enum rule_sign signs[] = { SIGN_NONE,   SIGN_DATA, SIGN_PATH,  SIGN_ATTACK,
						SIGN_INTENT, SIGN_NAME, SIGN_MOUNT, SIGN_SUM };
	static const bool expected[4][8] = {
		{ true, true, false, false, false, true, true, true },
		{ true, true, false, false, false, false, false, true },
		{ false, true, false, false, false, false, false, true },
		{ false }
	};
	const struct diagnosis of[4] = { { .kind = &all },
					 { .kind = &all, .escapes = true },
					 { .kind = &data },
					 { .kind = &none } };

	(void)state;
	for (size_t i = 0; i < LENGTH(signs); i++) {
		const struct rule r = { .class = CLASS_SECURITY, .sign = signs[i] };

		for (size_t k = 0; k < 4; k++)
			assert_int_equal(diagnosis_explains(&of[k], &r), expected[k][i]);
		assert_false(diagnosis_explains(NULL, &r));
	}
}

/* What became of a file beside the input explains what is found in it, and in nothing else. */
static void companions_excuse_themselves(void **state)
{
	static const struct diagnosis_kind all = { .id = "truncated", .explains = EXPLAINS_ALL };
	const struct diagnosis of_input = { .kind = &all },
			       of_companion = { .kind = &all, .groups = BIT(4) | BIT(5) };
	const struct rule of_table = { .class = CLASS_SECURITY, .needs = BIT(1) },
			  of_payload = { .class = CLASS_SECURITY, .needs = BIT(4) },
			  of_both = { .class = CLASS_SECURITY, .needs = BIT(1), .also = BIT(5) };

	(void)state;
	assert_true(diagnosis_explains(&of_input, &of_table));
	assert_true(diagnosis_explains(&of_input, &of_payload));
	assert_false(diagnosis_explains(&of_companion, &of_table));
	assert_true(diagnosis_explains(&of_companion, &of_payload));
	assert_true(diagnosis_explains(&of_companion, &of_both));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_ends_are_counted),
		cmocka_unit_test(lines_are_counted),
		cmocka_unit_test(what_is_due_is_known),
		cmocka_unit_test(utf8_is_known),
		cmocka_unit_test(zeros_are_found_where_probes_are),
		cmocka_unit_test(holes_are_told_from_padding),
		cmocka_unit_test(long_zeros_are_rare),
		cmocka_unit_test(a_mark_is_found_last),
		cmocka_unit_test(pieces_do_not_matter),
		cmocka_unit_test(formats_are_named),
		cmocka_unit_test(weak_signatures_are_checked),
		cmocka_unit_test(formats_are_known_by_other_places),
		cmocka_unit_test(payload_is_no_stream),
		cmocka_unit_test(a_file_is_found_behind_another),
		cmocka_unit_test(accidents_suspect_nobody),
		cmocka_unit_test(companions_excuse_themselves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
