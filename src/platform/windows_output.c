/* Outputs on Windows: a file is written to a temporary file, which is moved over the old one. */
#define _CRT_RAND_S
#include <stdlib.h>

#include "platform/windows.h"

#include <string.h>
#include <wchar.h>

/* How an interrupted report is called. */
#define TEMPORARY_NAME L".uvet-unfinished-"
enum {
	RANDOM_DIGITS = 16,
	TEMPORARY_LEN = sizeof TEMPORARY_NAME / sizeof(wchar_t) + RANDOM_DIGITS
};

/* A file that is to be replaced. */
struct platform_target {
	wchar_t *path, *temporary; /* temporary: NULL if there is none, or no longer */
	bool exists;
	struct platform_identity written;
};

/* ---- Opening --------------------------------------------------------------------------------- */

/* Closes the handle unless it is a device's. */
static enum platform_output_result take(HANDLE handle, struct platform_target *b,
					struct platform_output *out)
{
	const DWORD other = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT |
			    FILE_ATTRIBUTE_DEVICE,
		    type = GetFileType(handle);
	enum platform_output_result result = PLATFORM_OUTPUT_OPEN;
	BY_HANDLE_FILE_INFORMATION info;

	if (type == FILE_TYPE_CHAR || type == FILE_TYPE_PIPE) {
		*out = (struct platform_output){ .handle = (intptr_t)handle, .is_device = true };
		return PLATFORM_OUTPUT_OPEN;
	}
	*out = (struct platform_output){ .handle = (intptr_t)INVALID_HANDLE_VALUE, .target = b };
	if (!GetFileInformationByHandle(handle, &info) || !windows_identity(handle, &out->identity))
		result = PLATFORM_OUTPUT_FAILED;
	else if (type != FILE_TYPE_DISK || info.dwFileAttributes & other)
		result = PLATFORM_OUTPUT_NOT_A_FILE;
	else if (info.nNumberOfLinks > 1)
		result = PLATFORM_OUTPUT_SHARED;
	CloseHandle(handle);
	b->exists = true;
	return result;
}

static enum platform_output_result look(struct platform_target *b, struct platform_output *out)
{
	const DWORD flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT;
	const DWORD attributes = GetFileAttributesW(b->path);
	HANDLE handle;

	if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY)
		return PLATFORM_OUTPUT_NOT_A_FILE;
	handle = CreateFileW(b->path, GENERIC_WRITE | FILE_READ_ATTRIBUTES, FILE_SHARE_READ, NULL,
			     OPEN_EXISTING, flags, NULL);
	if (handle != INVALID_HANDLE_VALUE)
		return take(handle, b, out);
	*out = (struct platform_output){ .handle = (intptr_t)INVALID_HANDLE_VALUE, .target = b };
	return GetLastError() == ERROR_FILE_NOT_FOUND ? PLATFORM_OUTPUT_OPEN
						      : PLATFORM_OUTPUT_FAILED;
}

/* The temporary file is gone already if closing it deleted it. */
static void target_free(struct platform_target *b)
{
	const DWORD error = GetLastError();

	if (b->temporary)
		DeleteFileW(b->temporary);
	free(b->temporary);
	free(b->path);
	free(b);
	SetLastError(error);
}

enum platform_output_result platform_output_open(const char *path, struct platform_output *out)
{
	struct platform_target *b = calloc(1, sizeof *b);
	enum platform_output_result result;

	if (!b) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return PLATFORM_OUTPUT_FAILED;
	}
	b->path = windows_path(path);
	result = b->path ? look(b, out) : PLATFORM_OUTPUT_FAILED;
	if (result != PLATFORM_OUTPUT_OPEN || !out->target)
		target_free(b);
	return result;
}

struct platform_output platform_output_stdout(void)
{
	HANDLE handle = GetStdHandle(STD_OUTPUT_HANDLE);
	struct platform_output o = { .handle = (intptr_t)handle };

	o.is_device = GetFileType(handle) != FILE_TYPE_DISK ||
		      !windows_identity(handle, &o.identity);
	return o;
}

/* ---- Beginning ------------------------------------------------------------------------------- */

/* The path of a new name in the folder of a path. */
static wchar_t *temporary_path(const wchar_t *path)
{
	const wchar_t *slash = wcsrchr(path, L'\\');
	size_t len = slash ? (size_t)(slash - path) + 1 : 0, n = wcslen(TEMPORARY_NAME);
	wchar_t *made = malloc((len + TEMPORARY_LEN) * sizeof *made);
	unsigned value;

	if (!made) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	memcpy(made, path, len * sizeof *made);
	memcpy(made + len, TEMPORARY_NAME, n * sizeof *made);
	for (size_t i = 0; i < RANDOM_DIGITS; i++) {
		if (rand_s(&value) != 0) {
			SetLastError(ERROR_GEN_FAILURE);
			free(made);
			return NULL;
		}
		made[len + n + i] = L"0123456789abcdef"[value % 16];
	}
	made[len + n + RANDOM_DIGITS] = L'\0';
	return made;
}

/* Whether the system deletes a file when its last handle is closed, however the process ends. If it
 * cannot, we do. */
static void mark_for_deletion(HANDLE handle, bool yes)
{
	FILE_DISPOSITION_INFO info = { .DeleteFile = yes };

	(void)SetFileInformationByHandle(handle, FileDispositionInfo, &info, sizeof info);
}

bool platform_output_begin(struct platform_output *o)
{
	struct platform_target *b = o->target;
	wchar_t *path = b ? temporary_path(b->path) : NULL;
	HANDLE handle;

	if (!b)
		return true;
	if (!path)
		return false;
	handle = CreateFileW(path, GENERIC_WRITE | FILE_READ_ATTRIBUTES | DELETE,
			     FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, CREATE_NEW,
			     FILE_ATTRIBUTE_NORMAL, NULL);
	if (handle == INVALID_HANDLE_VALUE) {
		free(path);
		return false;
	}
	b->temporary = path;
	o->handle = (intptr_t)handle;
	mark_for_deletion(handle, true);
	return windows_identity(handle, &b->written);
}

bool platform_output_same(const struct platform_output *a, const struct platform_output *b)
{
	if (a->target && b->target && !a->target->exists && !b->target->exists)
		return CompareStringOrdinal(a->target->path, -1, b->target->path, -1, TRUE) ==
		       CSTR_EQUAL;
	if (a->is_device || b->is_device || (a->target && !a->target->exists) ||
	    (b->target && !b->target->exists))
		return false;
	return platform_same_file(&a->identity, &b->identity);
}

bool platform_output_is(const struct platform_output *o, const struct platform_identity *file)
{
	const struct platform_target *b = o->target;

	return b && ((b->exists && platform_same_file(&o->identity, file)) ||
		     platform_same_file(&b->written, file));
}

/* ---- Writing --------------------------------------------------------------------------------- */

bool platform_output_write(struct platform_output *o, const void *bytes, size_t len)
{
	const size_t most = (size_t)1 << 20;
	const char *p = bytes;
	DWORD n = 0;

	for (; len > 0; p += n, len -= n)
		if (!WriteFile((HANDLE)o->handle, p, (DWORD)(len > most ? most : len), &n, NULL) ||
		    n == 0)
			return false;
	return true;
}

bool platform_output_finish(struct platform_output *o)
{
	HANDLE handle = (HANDLE)o->handle;
	bool ok;

	if (!o->target)
		return true;
	ok = FlushFileBuffers(handle);
	mark_for_deletion(handle, false);
	o->handle = (intptr_t)INVALID_HANDLE_VALUE;
	return CloseHandle(handle) && ok;
}

/* ---- Replacing ------------------------------------------------------------------------------- */

/* Whether the file that has the name now is the one that was there before. If no file has it, the
 * answer is yes: nothing is replaced. */
static bool is_as_before(const struct platform_output *o, bool *is_there)
{
	struct platform_target now = { .path = o->target->path };
	struct platform_output found;
	enum platform_output_result result = look(&now, &found);

	*is_there = now.exists;
	if (result != PLATFORM_OUTPUT_OPEN)
		return false;
	if (!found.target) {
		CloseHandle((HANDLE)found.handle);
		return false;
	}
	return !now.exists ||
	       (o->target->exists && platform_same_file(&found.identity, &o->identity));
}

bool platform_output_replace(struct platform_output *o, bool *is_another)
{
	struct platform_target *b = o->target;
	bool is_there;

	*is_another = false;
	if (!b)
		return true;
	if (!is_as_before(o, &is_there)) {
		*is_another = true;
		return false;
	}
	if (!MoveFileExW(b->temporary, b->path,
			 MOVEFILE_WRITE_THROUGH | (is_there ? MOVEFILE_REPLACE_EXISTING : 0))) {
		*is_another = !is_there && GetLastError() == ERROR_ALREADY_EXISTS;
		return false;
	}
	free(b->temporary);
	b->temporary = NULL;
	return true;
}

void platform_output_discard(struct platform_output *o)
{
	HANDLE handle = (HANDLE)o->handle;

	if (handle != INVALID_HANDLE_VALUE && handle != GetStdHandle(STD_OUTPUT_HANDLE))
		CloseHandle(handle);
	o->handle = (intptr_t)INVALID_HANDLE_VALUE;
	if (o->target)
		target_free(o->target);
	o->target = NULL;
}
