/* The executable at the start of a self-extracting installer: where it ends, and where its
 * signature lies. */
#include "formats/umod/umod.h"

#define DOS_MAGIC 0x5A4Du       /* "MZ" */
#define DOS_NEW_HEADER_AT 0x3Cu /* e_lfanew */
#define PE_SIGNATURE 0x4550u    /* "PE", 0, 0 */
#define PE32_PLUS_MAGIC 0x20Bu
#define PE32_DIRECTORIES 96u /* where the data directories start in the optional header */
#define PE32_PLUS_DIRECTORIES 112u
#define PE_SECURITY_ENTRY 4u /* IMAGE_DIRECTORY_ENTRY_SECURITY */

/* The engine looks for an executable's headers in the first 4096 bytes of a larger file. Source:
 * FFileManagerArc.h. */
#define STUB_HEAD_LEN 4096u

static bool read_pe_header(const struct cursor *head, struct cursor *c, struct umod_pe_header *pe)
{
	uint64_t at;

	*c = *head;
	if (!cursor_seek(c, DOS_NEW_HEADER_AT) || !cursor_u32(c, &at))
		return false;
	return cursor_seek(c, at) && umod_pe_header_read(c, 0, pe) && pe->signature == PE_SIGNATURE;
}

static bool security_at(struct cursor optional, bool is_wide, struct umod_security_directory *s)
{
	const uint64_t from = is_wide ? PE32_PLUS_DIRECTORIES : PE32_DIRECTORIES;

	return cursor_skip(&optional, from + (uint64_t)8 * PE_SECURITY_ENTRY,
			   &(struct span){ 0, 0 }) &&
	       umod_security_directory_read(&optional, 0, s);
}

/* The security directory's "virtual address" is an offset in the file, unlike those of its
 * neighbours. An engine looks for it where a program of the engine's own width has it, whatever the
 * magic of the optional header. */
static void read_security(struct umod *u, struct cursor optional)
{
	struct cursor c = optional;
	struct umod_security_directory s;
	uint64_t magic;
	bool is_wide;

	if (!cursor_u16(&c, &magic))
		return;
	is_wide = magic == PE32_PLUS_MAGIC;
	if (security_at(optional, !is_wide, &s) && s.offset <= u->size)
		u->stub.other_offset = s.offset;
	if (!security_at(optional, is_wide, &s))
		return;
	u->stub.security = s;
	u->stub.is_signed = s.offset != 0 && s.offset <= u->size;
}

static void read_sections(struct umod *u, struct cursor c, uint64_t n)
{
	struct umod_pe_section s;

	for (uint64_t i = 0; i < n && umod_pe_section_read(&c, 0, &s); i++)
		if (s.raw_size > 0 && s.raw_offset + s.raw_size > u->stub.image_end)
			u->stub.image_end = s.raw_offset + s.raw_size;
	if (u->stub.image_end > u->size)
		u->stub.image_end = u->size;
}

static void read_stub(struct umod *u, struct cursor head)
{
	struct cursor c = head;
	struct span skipped;
	struct umod_pe_header pe;

	if (u->stub.program == PROGRAM_NONE || !read_pe_header(&head, &c, &pe))
		return;
	u->stub.is_pe = true;
	read_security(u, c);
	u->stub.image_end = cursor_at(&c);
	if (cursor_skip(&c, pe.optional_len, &skipped))
		read_sections(u, c, pe.n_sections);
}

static bool named_exe(const char *name)
{
	size_t n = 0;

	while (name[n])
		n++;
	return n >= 4 && text_is(text_from(name + n - 4), ".exe");
}

static bool read_first_bytes(struct decode *d, struct umod *u)
{
	const struct span first = { 0, umod_dos_header_fixed_len };
	struct cursor c;
	bool is_read;

	if (u->size < first.len)
		return true;
	if (!source_window(d->source, first, &c))
		return decode_stop(d, UMOD_FILE,
				   d->source->trouble != SOURCE_FINE ? STOP_INPUT : STOP_MEMORY,
				   first);
	is_read = umod_dos_header_read(&c, 0, &u->stub.dos);
	if (ALWAYS(is_read) && u->stub.dos.magic == DOS_MAGIC)
		u->stub.program = PROGRAM_DOS;
	return true;
}

/* Windows follows the headers to anywhere in a file, whatever its size. A file that only begins
 * with MZ is a program for DOS. */
static bool look_as_windows_does(struct decode *d, struct umod *u)
{
	const struct span new_header_at = { DOS_NEW_HEADER_AT, 4 };
	struct span signature = { .len = 4 };
	struct cursor c;
	uint64_t found;

	if (!read_first_bytes(d, u))
		return false;
	if (u->stub.program == PROGRAM_NONE || u->size < span_end(new_header_at))
		return true;
	if (!decode_window(d, UMOD_FILE, new_header_at, &c) || !cursor_u32(&c, &signature.at))
		return false;
	if (signature.at > u->size - signature.len)
		return true;
	if (!decode_window(d, UMOD_FILE, signature, &c) || !cursor_u32(&c, &found))
		return false;
	if (found == PE_SIGNATURE)
		u->stub.program = PROGRAM_WINDOWS;
	return true;
}

bool umod_decode_stub(struct decode *d, struct umod *u)
{
	struct cursor head;

	u->size = u->end = d->source->io.size;
	u->stub.named_exe = named_exe(d->source->name);
	if (!look_as_windows_does(d, u))
		return false;
	if (u->size <= STUB_HEAD_LEN)
		return true;
	if (!decode_window(d, UMOD_FILE, (struct span){ 0, STUB_HEAD_LEN }, &head))
		return false;
	read_stub(u, head);
	return true;
}
