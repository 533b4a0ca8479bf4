/* Decoding a folder through libarchive, which is given an archive of this folder alone: a start
 * header, the packed streams as they lie in the file, and a header with one member. So nothing
 * but the coders and their streams is a stranger's, damage of one folder loses no other, and
 * what lists thousands of members is not read again for each folder. */
#include "formats/archive/sevenzip/library.h"

#include "codec/crc32.h"
#include "codec/libarchive.h"

/* The header has the folder's description, a size for each packed stream and coder, and what is
 * around them. Descriptions with longer properties than any coder has are not decoded. */
enum { HEADER_ROOM = 2048, FORM_MAX = 1024 };

/* What libarchive always takes: buffers, and the states of three decoders. */
#define LIBRARY_MEMORY ((uint64_t)4194304)

struct alone {
	struct sevenzip_unpack *u;
	uint8_t start[sevenzip_start_fixed_len];
	uint8_t header[HEADER_ROOM];
	size_t header_len;
	bool is_full;
};

/* ---- The archive ----------------------------------------------------------------------------- */

static void put(struct alone *a, const uint8_t *bytes, uint64_t n)
{
	if (n > HEADER_ROOM - a->header_len) {
		a->is_full = true;
		return;
	}
	memcpy(a->header + a->header_len, bytes, (size_t)n);
	a->header_len += (size_t)n;
}

static void put_byte(struct alone *a, unsigned byte)
{
	const uint8_t b = (uint8_t)byte;

	put(a, &b, 1);
}

static void write_le(uint8_t *out, uint64_t n, unsigned len)
{
	for (unsigned i = 0; i < len; i++)
		out[i] = (uint8_t)(n >> 8 * i);
}

/* In its longest form, which every reader takes. */
static void put_number(struct alone *a, uint64_t n)
{
	uint8_t bytes[9] = { 0xFF };

	write_le(bytes + 1, n, 8);
	put(a, bytes, sizeof bytes);
}

static void put_sizes(struct alone *a, enum sevenzip_id id, const uint64_t *sizes, uint64_t n)
{
	put_byte(a, id);
	for (uint64_t i = 0; i < n; i++)
		put_number(a, sizes[i]);
}

static void put_streams(struct alone *a)
{
	const struct sevenzip_streams *s = a->u->streams;
	const struct sevenzip_folder *f = a->u->folder;

	put_byte(a, ID_MAIN_STREAMS);
	put_byte(a, ID_PACKS);
	put_number(a, 0);
	put_number(a, f->n_packs);
	put_sizes(a, ID_SIZE, s->packs + f->first_pack, f->n_packs);
	put_byte(a, ID_END);
	put_byte(a, ID_FOLDERS);
	put_byte(a, ID_FOLDER);
	put_number(a, 1);
	put_byte(a, 0);
	put(a, f->form, f->form_len);
	put_sizes(a, ID_FOLDER_SIZES, s->sizes + f->first_size, f->n_sizes);
	put_byte(a, ID_END);
	put_byte(a, ID_PARTS); /* libarchive takes folders without it to have no members */
	put_byte(a, ID_END);
	put_byte(a, ID_END);
}

static bool build(struct alone *a)
{
	static const uint8_t files[] = {
		ID_FILES, 1, ID_NAMES, 5, 0, 'x', 0, 0, 0, ID_END, ID_END
	};

	a->header_len = 0;
	a->is_full = a->u->folder->form_len > FORM_MAX;
	put_byte(a, ID_HEADER);
	put_streams(a);
	put(a, files, sizeof files);
	write_le(a->start, SEVENZIP_MAGIC, 4);
	write_le(a->start + 4, SEVENZIP_MAGIC_END, 2);
	write_le(a->start + 6, 4 << 8, 2);
	write_le(a->start + 12, a->u->folder->packed.len, 8);
	write_le(a->start + 20, a->header_len, 8);
	write_le(a->start + 28, crc32_add(0, a->header, a->header_len), 4);
	write_le(a->start + 8, crc32_add(0, a->start + 12, 20), 4);
	return !a->is_full;
}

/* ---- Reading it ------------------------------------------------------------------------------ */

/* How many of n bytes from `at` on lie in a part that begins at `begin` and has len bytes. */
static size_t overlap(uint64_t at, size_t n, uint64_t begin, uint64_t len)
{
	const uint64_t left = at - begin < len ? len - (at - begin) : 0;

	return left < n ? (size_t)left : n;
}

/* One of the three parts after the other. */
static bool read_alone(void *ctx, uint64_t at, uint8_t *buf, size_t n)
{
	struct alone *a = ctx;
	const struct span packed = a->u->folder->packed;

	while (n > 0) {
		const uint64_t header_at = sizeof a->start + packed.len;
		size_t done;

		if (at < sizeof a->start) {
			done = overlap(at, n, 0, sizeof a->start);
			memcpy(buf, a->start + at, done);
		} else if (at < header_at) {
			done = overlap(at, n, sizeof a->start, packed.len);
			if (!decode_copy(a->u->d, a->u->group,
					 (struct span){ packed.at + (at - sizeof a->start), done },
					 buf))
				return false;
		} else {
			done = overlap(at, n, header_at, a->header_len);
			memcpy(buf, a->header + (at - header_at), done);
		}
		buf += done;
		at += done;
		n -= done;
	}
	return true;
}

static enum sevenzip_outcome outcome_of(struct sevenzip_unpack *u, enum unarchive_result result)
{
	switch (result) {
	case UNARCHIVE_END:
		return u->n_out < u->folder->size ? OUTCOME_BROKEN : OUTCOME_WHOLE;
	case UNARCHIVE_NO_MEMORY:
		decode_stop(u->d, u->group, STOP_MEMORY, u->folder->packed);
		return OUTCOME_FAILED;
	case UNARCHIVE_STOPPED:
		return OUTCOME_FAILED;
	case UNARCHIVE_UNSUPPORTED:
	case UNARCHIVE_UNAVAILABLE:
		return OUTCOME_LACKS;
	default:
		return OUTCOME_BROKEN;
	}
}

static enum sevenzip_outcome read_member(struct sevenzip_unpack *u, struct unarchive *library)
{
	struct unarchive_member member;
	enum unarchive_result result = unarchive_next(library, &member);

	while (result == UNARCHIVE_FINE) {
		const uint64_t left = u->folder->size - u->n_out;
		const uint8_t *bytes;
		uint64_t n, zeros;

		result = unarchive_read(library, &bytes, &n, &zeros);
		if (result != UNARCHIVE_FINE)
			break;
		if (zeros > 0 || n > left)
			return OUTCOME_LONG;
		if (!sevenzip_take_output(u, bytes, n))
			return OUTCOME_FAILED;
	}
	return outcome_of(u, result);
}

enum sevenzip_outcome sevenzip_ask_library(struct sevenzip_unpack *u)
{
	struct alone *a = decode_alloc(u->d, u->group, 1, sizeof *a);
	struct unarchive *library = NULL;
	enum unarchive_result result;
	enum sevenzip_outcome outcome;

	if (!a)
		return OUTCOME_FAILED;
	a->u = u;
	if (!build(a))
		return OUTCOME_LACKS;
	result = unarchive_open(
		u->d->arena, UNARCHIVE_7Z,
		(struct unarchive_input){ read_alone, a,
					  sizeof a->start + u->folder->packed.len + a->header_len },
		u->folder->memory + LIBRARY_MEMORY, &library);
	if (result != UNARCHIVE_FINE)
		return outcome_of(u, result);
	outcome = read_member(u, library);
	unarchive_close(library);
	return outcome;
}
