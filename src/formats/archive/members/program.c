/* Programs for Windows and Linux, as far as it takes to see where they end. Source:
 * conformance/spec/wrap.md, 3. */
#include "formats/archive/members/program.h"

#include <string.h>

#include "core/checked.h"
#include "core/rows.h"

/* Copies up to `len` bytes from `at` on; what is beyond the end of the file reads as none. */
static bool copy(struct decode *d, uint32_t group, uint64_t at, uint8_t *buf, struct held *out)
{
	const uint64_t size = d->source->io.size, left = at < size ? size - at : 0;

	if (left < out->len)
		out->len = left;
	out->bytes = buf;
	return out->len == 0 || decode_copy(d, group, (struct span){ at, out->len }, buf);
}

/* ---- Windows --------------------------------------------------------------------------------- */

enum { HEAD_LEN = 64, PE_LEN = 256, OPTIONAL_AT = 24, SECTION_LEN = 40, SECTIONS_MAX = 96 };

/* The certificates stand behind all that they are for. */
static struct span signature_of(struct held pe)
{
	enum { PLUS = 0x20B, DIRECTORIES = 96, PLUS_MORE = 16, SECURITY = 4 };
	const uint64_t more = held_u16(pe, OPTIONAL_AT) == PLUS ? PLUS_MORE : 0,
		       at = OPTIONAL_AT + DIRECTORIES + more;

	if (held_u32(pe, at - 4) <= SECURITY)
		return (struct span){ 0, 0 };
	return (struct span){ held_u32(pe, at + SECURITY * 8),
			      held_u32(pe, at + SECURITY * 8 + 4) };
}

static bool read_sections(struct decode *d, uint32_t group, uint64_t at, uint64_t n,
			  struct arc_program *out)
{
	for (uint64_t i = 0; i < n; i++) {
		uint8_t bytes[SECTION_LEN];
		struct held section = { bytes, sizeof bytes };
		uint64_t end;

		if (!copy(d, group, at + i * SECTION_LEN, bytes, &section))
			return false;
		end = held_u32(section, 16) + held_u32(section, 20);
		if (held_u32(section, 16) > 0 && end > out->end)
			out->end = end;
	}
	return true;
}

static bool read_windows(struct decode *d, uint32_t group, uint64_t pe_at, struct arc_program *out)
{
	uint8_t bytes[PE_LEN];
	struct held pe = { bytes, sizeof bytes };
	uint64_t n;

	if (!copy(d, group, pe_at, bytes, &pe))
		return false;
	n = held_u16(pe, 6);
	if (held_u32(pe, 0) != 0x4550 || n > SECTIONS_MAX)
		return true;
	out->signature = signature_of(pe);
	return read_sections(d, group, pe_at + OPTIONAL_AT + held_u16(pe, 20), n, out);
}

/* ---- Linux ----------------------------------------------------------------------------------- */

/* The table of sections is the last of it, where it is not left out. */
static void read_linux(struct held head, struct arc_program *out)
{
	const bool is_wide = held_u8(head, 4) == 2;
	const uint64_t at = is_wide ? held_u64(head, 40) : held_u32(head, 32),
		       len = held_u16(head, is_wide ? 58 : 46) * held_u16(head, is_wide ? 60 : 48);
	uint64_t end;

	if (at > 0 && len > 0 && held_u8(head, 5) == 1 && checked_add(at, len, &end))
		out->end = end;
}

bool arc_program_read(struct decode *d, uint32_t group, struct arc_program *out)
{
	uint8_t bytes[HEAD_LEN];
	struct held head = { bytes, sizeof bytes };

	*out = (struct arc_program){ .system = NULL };
	if (!copy(d, group, 0, bytes, &head))
		return false;
	if (held_u32(head, 0) == 0x464C457F) {
		out->system = "Linux";
		read_linux(head, out);
	} else if (held_u16(head, 0) == 0x5A4D) {
		out->system = "Windows";
		return read_windows(d, group, held_u32(head, 60), out);
	}
	return true;
}

/* ---- The archive ----------------------------------------------------------------------------- */

/* How many zeros may stand between. */
enum { BETWEEN_ZEROS = 512 };

/* An archive may have a text before it that says what is to be run when it is unpacked. */
bool arc_program_join(struct decode *d, uint32_t group, uint64_t at, struct arc_program *p)
{
	static const char config[] = ";!@Install@!UTF-8!";
	uint8_t bytes[BETWEEN_ZEROS];
	struct held between = { bytes, at > p->end ? at - p->end : 0 };
	const uint64_t len = between.len;

	p->archive_at = at;
	if (p->end == 0 || len == 0)
		return true;
	between.len = len < sizeof bytes ? len : sizeof bytes;
	if (!copy(d, group, p->end, bytes, &between))
		return false;
	p->is_apart = !(len <= sizeof bytes && held_is_zero(between)) &&
		      !(between.len >= sizeof config - 1 &&
			memcmp(bytes, config, sizeof config - 1) == 0);
	return true;
}
