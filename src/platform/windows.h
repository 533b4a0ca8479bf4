/* What the Windows parts of the platform share. */
#ifndef UVET_PLATFORM_WINDOWS_H
#define UVET_PLATFORM_WINDOWS_H

#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0601
#endif
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include "platform/platform.h"

/* windows_path makes an absolute wide path of a UTF-8 one, in the form that has no limit of
 * length and no device names; free gives it back. NULL: the path is no UTF-8, or memory ended. */
wchar_t *windows_path(const char *path);

/* windows_join makes a path of a folder's wide path and a UTF-8 name in it. */
wchar_t *windows_join(const wchar_t *folder, const char *name);

/* windows_utf8 makes a UTF-8 string of a wide one; free gives it back. */
char *windows_utf8(const wchar_t *wide);

/* windows_file_take makes a file of a handle that was just opened; it closes what is no regular
 * file, or has one of the refused attributes. */
UVET_MUST_USE bool windows_file_take(HANDLE handle, DWORD refused, struct platform_file *out);

/* windows_identity fills *out; false if the system does not say. */
UVET_MUST_USE bool windows_identity(HANDLE handle, struct platform_identity *out);

#endif
