/* The manifests: the input becomes Manifest.ini and Manifest.int of an installer that is sound
 * otherwise. */
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "reference/reference.h"
#include "support/buffers.h"
#include "support/formats.h"
#include "targets/harness.h"

#define SEPARATOR "[[INT]]\n"

enum { ROOM = 4096 };

/* An installer in the making. */
struct build {
	uint8_t *bytes;
	size_t n;
};

static void add(struct build *b, const void *bytes, size_t n)
{
	if (n > 0)
		memcpy(b->bytes + b->n, bytes, n);
	b->n += n;
}

static void add_u32(struct build *b, uint64_t v)
{
	reference_put_u32(b->bytes + b->n, v);
	b->n += 4;
}

static void add_entry(struct build *b, const char *name, uint64_t at, uint64_t size, uint64_t flags)
{
	uint8_t count = (uint8_t)(strlen(name) + 1);

	add(b, &count, 1);
	add(b, name, count);
	add_u32(b, at);
	add_u32(b, size);
	add_u32(b, flags);
}

/* The members beside the manifests, one byte each. */
static const char *const others[] = { "System\\Foo.u", "Help\\Foo.txt", "System\\Foo.det",
				      "Maps\\CTF-Foo.unr" };

static void add_directory(struct build *b, uint64_t ini_len, uint64_t int_len)
{
	uint8_t count = 2 + sizeof others / sizeof *others;

	add(b, &count, 1);
	add_entry(b, "System\\Manifest.ini", 0, ini_len, 3);
	add_entry(b, "System\\Manifest.int", ini_len, int_len, 3);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		add_entry(b, others[i], ini_len + int_len + i, 1, 0);
}

static void build_installer(struct build *b, const uint8_t *ini, size_t ini_len, const uint8_t *loc,
			    size_t int_len)
{
	uint64_t directory;

	add(b, ini, ini_len);
	add(b, loc, int_len);
	add(b, "FHDM", sizeof others / sizeof *others);
	directory = b->n;
	add_directory(b, ini_len, int_len);
	add_u32(b, 0x9FE3C5A3u);
	add_u32(b, directory);
	add_u32(b, b->n + 12);
	add_u32(b, 1);
	add_u32(b, reference_crc(b->bytes, b->n - 16));
}

static const uint8_t *find_separator(const uint8_t *data, size_t size)
{
	size_t n = strlen(SEPARATOR);

	for (size_t i = 0; i + n <= size; i++)
		if (data[i] == SEPARATOR[0] && memcmp(data + i, SEPARATOR, n) == 0)
			return data + i;
	return NULL;
}

/* An executable's stub would move the data; no manifest starts like one. */
static bool looks_like_program(const uint8_t *data, size_t size)
{
	return size >= 2 && data[0] == 'M' && data[1] == 'Z';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const never[] = { "UMD001", "UMD002", "UMD003", "UMD004", "UMD005",
					     "UMD006", "UMD007", "UMD008", "UMD009", "UMD010",
					     "UMD011", "UMD012", "UMD013", "UMD014", "UMD016",
					     "UMD017", "UMD021", "UMD022", "UMD029", "UMD032",
					     NULL };
	const uint8_t *separator = find_separator(data, size);
	size_t ini_len = separator ? (size_t)(separator - data) : size,
	       skip = separator ? strlen(SEPARATOR) : 0;
	struct build b = { .bytes = malloc(size + ROOM) };
	uint8_t *exact;

	if (b.bytes && !looks_like_program(data, size)) {
		build_installer(&b, data, ini_len, data + ini_len + skip, size - ini_len - skip);
		exact = buffer_copy(b.bytes, b.n);
		oracle_check(&(struct subject){ .format = &umod_format,
						.data = exact,
						.size = b.n,
						.name = "Mod.umod",
						.never = never });
		free(exact);
	}
	free(b.bytes);
	return 0;
}
