/* Files, memory and error texts on Windows. */
#include "platform/windows.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* ---- Errors ---------------------------------------------------------------------------------- */

int platform_error(void)
{
	return (int)GetLastError();
}

void platform_error_text(int code, char *buf, size_t size)
{
	const DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS |
			    FORMAT_MESSAGE_MAX_WIDTH_MASK;
	const DWORD english = MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US);
	DWORD room = size > 0xffff ? 0xffff : (DWORD)size, n;

	if (size == 0)
		return;
	buf[0] = '\0';
	n = FormatMessageA(flags, NULL, (DWORD)code, english, buf, room, NULL);
	if (n == 0)
		n = FormatMessageA(flags, NULL, (DWORD)code, 0, buf, room, NULL);
	while (n > 0 && (buf[n - 1] == ' ' || buf[n - 1] == '.'))
		buf[--n] = '\0';
}

bool platform_is_crowded(int code)
{
	return code == ERROR_TOO_MANY_OPEN_FILES;
}

bool platform_is_absent(int code)
{
	return code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ||
	       code == ERROR_INVALID_NAME;
}

bool platform_is_hung_up(int code)
{
	return code == ERROR_BROKEN_PIPE || code == ERROR_NO_DATA;
}

const char *platform_error_words(int code)
{
	switch (code) {
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
	case ERROR_INVALID_NAME:
		return "there is no such file";
	case ERROR_ACCESS_DENIED:
	case ERROR_SHARING_VIOLATION:
	case ERROR_LOCK_VIOLATION:
		return "access is denied";
	case ERROR_DIRECTORY:
		return "it is a folder";
	case ERROR_BAD_FILE_TYPE:
		return "it is no regular file";
	case ERROR_TOO_MANY_OPEN_FILES:
		return SOURCE_CROWDED;
	case ERROR_CANT_RESOLVE_FILENAME:
		return "its path leads through too many links, or in a circle";
	case ERROR_FILENAME_EXCED_RANGE:
	case ERROR_BUFFER_OVERFLOW:
		return "its path or a name in it is too long";
	case ERROR_NOT_ENOUGH_MEMORY:
	case ERROR_OUTOFMEMORY:
		return "memory ran out";
	case ERROR_IO_DEVICE:
	case ERROR_CRC:
		return "the device reported an error";
	default:
		return "the system refused";
	}
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static wchar_t *widen(const char *path)
{
	int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
	wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof *wide) : NULL;

	if (!wide) {
		if (n > 0)
			SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, n);
	return wide;
}

/* The prefix that turns an absolute path into one that is taken literally. *skip says how much of
 * the path it replaces. */
static const wchar_t *literal_prefix(const wchar_t *absolute, size_t *skip)
{
	*skip = 0;
	if (wcsncmp(absolute, L"\\\\?\\", 4) == 0 || wcsncmp(absolute, L"\\\\.\\", 4) == 0)
		return L"";
	if (wcsncmp(absolute, L"\\\\", 2) == 0) {
		*skip = 2;
		return L"\\\\?\\UNC\\";
	}
	return L"\\\\?\\";
}

static wchar_t *make_literal(const wchar_t *absolute)
{
	size_t skip, prefix_len, len;
	const wchar_t *prefix = literal_prefix(absolute, &skip);
	wchar_t *literal;

	prefix_len = wcslen(prefix);
	len = wcslen(absolute + skip);
	literal = malloc((prefix_len + len + 1) * sizeof *literal);
	if (!literal)
		return NULL;
	memcpy(literal, prefix, prefix_len * sizeof *literal);
	memcpy(literal + prefix_len, absolute + skip, (len + 1) * sizeof *literal);
	return literal;
}

static wchar_t *absolute_of(const wchar_t *wide)
{
	DWORD n = GetFullPathNameW(wide, 0, NULL, NULL);
	wchar_t *absolute = n > 0 ? malloc(n * sizeof *absolute) : NULL;

	if (absolute && GetFullPathNameW(wide, n, absolute, NULL) >= n) {
		free(absolute);
		return NULL;
	}
	return absolute;
}

wchar_t *windows_path(const char *path)
{
	wchar_t *wide = widen(path), *absolute, *literal;

	if (!wide)
		return NULL;
	absolute = absolute_of(wide);
	free(wide);
	if (!absolute)
		return NULL;
	literal = make_literal(absolute);
	free(absolute);
	return literal;
}

wchar_t *windows_join(const wchar_t *folder, const char *name)
{
	wchar_t *wide = widen(name), *joined;
	size_t folder_len = wcslen(folder), name_len;

	if (!wide)
		return NULL;
	name_len = wcslen(wide);
	joined = malloc((folder_len + 1 + name_len + 1) * sizeof *joined);
	if (joined) {
		memcpy(joined, folder, folder_len * sizeof *joined);
		joined[folder_len] = L'\\';
		memcpy(joined + folder_len + 1, wide, (name_len + 1) * sizeof *joined);
	}
	free(wide);
	return joined;
}

char *windows_utf8(const wchar_t *wide)
{
	int n = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
	char *utf8 = n > 0 ? malloc((size_t)n) : NULL;

	if (utf8)
		WideCharToMultiByte(CP_UTF8, 0, wide, -1, utf8, n, NULL, NULL);
	return utf8;
}

/* ---- Files ----------------------------------------------------------------------------------- */

bool windows_identity(HANDLE handle, struct platform_identity *out)
{
	BY_HANDLE_FILE_INFORMATION info;
	FILE_BASIC_INFO times;

	if (!GetFileInformationByHandle(handle, &info))
		return false;
	if (!GetFileInformationByHandleEx(handle, FileBasicInfo, &times, sizeof times))
		return false;
	*out = (struct platform_identity){
		.device = info.dwVolumeSerialNumber,
		.number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
		.size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow,
		.modified = (uint64_t)times.LastWriteTime.QuadPart,
		.changed = (uint64_t)times.ChangeTime.QuadPart,
	};
	return true;
}

bool platform_same_file(const struct platform_identity *a, const struct platform_identity *b)
{
	return a->device == b->device && a->number == b->number;
}

static bool is_regular(HANDLE handle, DWORD refused)
{
	BY_HANDLE_FILE_INFORMATION info;
	const DWORD other = refused | FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE;

	return GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, &info) &&
	       (info.dwFileAttributes & other) == 0;
}

bool windows_file_take(HANDLE handle, DWORD refused, struct platform_file *out)
{
	if (handle == INVALID_HANDLE_VALUE)
		return false;
	if (is_regular(handle, refused) && windows_identity(handle, &out->identity)) {
		out->handle = (intptr_t)handle;
		return true;
	}
	CloseHandle(handle);
	SetLastError(ERROR_BAD_FILE_TYPE);
	return false;
}

bool platform_file_open(const char *path, struct platform_file *out)
{
	const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
	wchar_t *wide = windows_path(path);
	HANDLE handle;

	if (!wide)
		return false;
	handle = CreateFileW(wide, GENERIC_READ, share, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL,
			     NULL);
	free(wide);
	return windows_file_take(handle, 0, out);
}

size_t platform_folder_len(const char *path)
{
	size_t len = strlen(path);

	while (len > 0 && !strchr("/\\:", path[len - 1]))
		len--;
	return len;
}

bool platform_file_open_stdin(struct platform_file *out)
{
	HANDLE handle = GetStdHandle(STD_INPUT_HANDLE);
	LARGE_INTEGER at, zero = { .QuadPart = 0 };

	if (handle == NULL || handle == INVALID_HANDLE_VALUE || !is_regular(handle, 0))
		return false;
	if (!SetFilePointerEx(handle, zero, &at, FILE_CURRENT) || at.QuadPart != 0)
		return false;
	if (!windows_identity(handle, &out->identity))
		return false;
	out->handle = (intptr_t)handle;
	return true;
}

bool platform_file_is_own(const struct platform_file *f)
{
	(void)f;
	return false;
}

void platform_file_close(struct platform_file *f)
{
	CloseHandle((HANDLE)f->handle);
	f->handle = (intptr_t)INVALID_HANDLE_VALUE;
}

#define READ_MAX ((size_t)1 << 30)

static bool file_read_at(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct platform_file *f = ctx;
	OVERLAPPED where = { .Offset = (DWORD)(at & 0xffffffff), .OffsetHigh = (DWORD)(at >> 32) };
	DWORD n = 0;

	if (!ReadFile((HANDLE)f->handle, buf, (DWORD)(len > READ_MAX ? READ_MAX : len), &n,
		      &where)) {
		if (GetLastError() != ERROR_HANDLE_EOF)
			return false;
	}
	*n_read = n;
	return true;
}

static bool file_unchanged(void *ctx)
{
	const struct platform_file *f = ctx;
	const struct platform_identity *then = &f->identity;
	struct platform_identity now;

	return windows_identity((HANDLE)f->handle, &now) && platform_same_file(&now, then) &&
	       now.size == then->size && now.modified == then->modified &&
	       now.changed == then->changed;
}

struct source_io platform_file_io(struct platform_file *f)
{
	return (struct source_io){ .read_at = file_read_at,
				   .unchanged = file_unchanged,
				   .ctx = f,
				   .size = f->identity.size };
}

/* ---- Memory ---------------------------------------------------------------------------------- */

void *platform_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

void platform_release(void *ctx, void *memory, size_t size)
{
	(void)ctx;
	(void)size;
	free(memory);
}
