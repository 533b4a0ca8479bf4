/* Folders on Windows, by wide path; a reparse point of any kind counts as a link and is not
 * followed. */
#include "platform/windows.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* An open folder keeps its path, and a handle that stops others from renaming or replacing it while
 * it is listed. */
struct folder {
	wchar_t *path;
	HANDLE handle;
	HANDLE search; /* INVALID_HANDLE_VALUE before the first entry */
	bool ended;
	WIN32_FIND_DATAW found;
	char name[4 * MAX_PATH]; /* of the last entry; three bytes at most for each unit */
};

static enum platform_kind kind_of_attributes(DWORD attributes)
{
	if (attributes & FILE_ATTRIBUTE_REPARSE_POINT)
		return PLATFORM_LINK;
	if (attributes & FILE_ATTRIBUTE_DEVICE)
		return PLATFORM_OTHER;
	return attributes & FILE_ATTRIBUTE_DIRECTORY ? PLATFORM_FOLDER : PLATFORM_FILE;
}

static HANDLE open_for_attributes(const wchar_t *path, DWORD flags)
{
	return CreateFileW(path, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
			   OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
}

/* The kind of the file that was opened, with links followed. */
static enum platform_kind look(HANDLE handle, struct platform_identity *out)
{
	BY_HANDLE_FILE_INFORMATION info;

	if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &info) ||
	    !windows_identity(handle, out))
		return PLATFORM_OTHER;
	return kind_of_attributes(info.dwFileAttributes & ~(DWORD)FILE_ATTRIBUTE_REPARSE_POINT);
}

enum platform_kind platform_path_look(const char *path, struct platform_identity *out)
{
	wchar_t *wide = windows_path(path);
	enum platform_kind kind;
	HANDLE handle;

	if (!wide)
		return PLATFORM_OTHER;
	handle = open_for_attributes(wide, 0);
	free(wide);
	if (handle == INVALID_HANDLE_VALUE)
		return PLATFORM_OTHER;
	kind = look(handle, out);
	CloseHandle(handle);
	return kind;
}

/* Takes ownership of path. */
static bool folder_take(wchar_t *path, DWORD flags, struct platform_folder *out)
{
	struct folder *f = path ? malloc(sizeof *f) : NULL;
	BY_HANDLE_FILE_INFORMATION info;

	if (!f) {
		free(path);
		return false;
	}
	*f = (struct folder){ .path = path, .search = INVALID_HANDLE_VALUE };
	f->handle = open_for_attributes(path, flags);
	*out = (struct platform_folder){ .handle = f };
	if (f->handle != INVALID_HANDLE_VALUE && GetFileInformationByHandle(f->handle, &info)) {
		DWORD kept = flags ? info.dwFileAttributes
				   : info.dwFileAttributes & ~(DWORD)FILE_ATTRIBUTE_REPARSE_POINT;

		out->device = info.dwVolumeSerialNumber;
		if (kind_of_attributes(kept) == PLATFORM_FOLDER)
			return true;
		SetLastError(ERROR_DIRECTORY);
	}
	platform_folder_close(out);
	return false;
}

bool platform_folder_open(const char *path, struct platform_folder *out)
{
	return folder_take(windows_path(path), 0, out);
}

bool platform_folder_enter(const struct platform_folder *parent, const char *name,
			   struct platform_folder *out)
{
	const struct folder *f = parent->handle;

	return folder_take(windows_join(f->path, name), FILE_FLAG_OPEN_REPARSE_POINT, out);
}

bool platform_folder_open_file(const struct platform_folder *f, const char *name,
			       struct platform_file *out)
{
	const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
	const struct folder *folder = f->handle;
	wchar_t *path = windows_join(folder->path, name);
	HANDLE handle;

	if (!path)
		return false;
	handle = CreateFileW(path, GENERIC_READ, share, NULL, OPEN_EXISTING,
			     FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	free(path);
	return windows_file_take(handle, FILE_ATTRIBUTE_REPARSE_POINT, out);
}

/* The first call starts the search. false: the search ended, or failed, and then *failed is set. */
static bool folder_step(struct folder *f, bool *failed)
{
	wchar_t *pattern;

	if (f->search != INVALID_HANDLE_VALUE) {
		if (FindNextFileW(f->search, &f->found))
			return true;
		*failed = GetLastError() != ERROR_NO_MORE_FILES;
		return false;
	}
	pattern = windows_join(f->path, "*");
	if (pattern)
		f->search = FindFirstFileExW(pattern, FindExInfoBasic, &f->found,
					     FindExSearchNameMatch, NULL, 0);
	*failed = f->search == INVALID_HANDLE_VALUE &&
		  (!pattern || GetLastError() != ERROR_FILE_NOT_FOUND);
	free(pattern);
	return f->search != INVALID_HANDLE_VALUE;
}

bool platform_folder_next(struct platform_folder *folder, struct platform_entry *out, bool *failed)
{
	struct folder *f = folder->handle;

	*failed = false;
	do {
		if (f->ended || !folder_step(f, failed)) {
			f->ended = true;
			return false;
		}
	} while (wcscmp(f->found.cFileName, L".") == 0 || wcscmp(f->found.cFileName, L"..") == 0);
	WideCharToMultiByte(CP_UTF8, 0, f->found.cFileName, -1, f->name, (int)sizeof f->name, NULL,
			    NULL);
	*out = (struct platform_entry){ .name = f->name,
					.kind = kind_of_attributes(f->found.dwFileAttributes) };
	return true;
}

void platform_folder_close(struct platform_folder *folder)
{
	struct folder *f = folder->handle;
	DWORD error = GetLastError();

	if (f->search != INVALID_HANDLE_VALUE)
		FindClose(f->search);
	if (f->handle != INVALID_HANDLE_VALUE)
		CloseHandle(f->handle);
	free(f->path);
	free(f);
	folder->handle = NULL;
	SetLastError(error);
}
