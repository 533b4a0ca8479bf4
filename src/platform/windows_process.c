/* Streams and the process itself on Windows. */
#include "platform/windows.h"

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Streams --------------------------------------------------------------------------------- */

bool platform_stream_open(const char *path, struct platform_stream *out)
{
	wchar_t *wide = path ? windows_path(path) : NULL;
	HANDLE handle;

	if (path && !wide)
		return false;
	handle = path ? CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
				    OPEN_EXISTING, 0, NULL)
		      : GetStdHandle(STD_INPUT_HANDLE);
	free(wide);
	out->handle = (intptr_t)handle;
	return handle != NULL && handle != INVALID_HANDLE_VALUE;
}

bool platform_stream_open_file(const char *path, struct platform_stream *out)
{
	struct platform_file file;

	if (!platform_file_open(path, &file))
		return false;
	out->handle = file.handle;
	return true;
}

/* A pipe whose writer is gone is at its end. */
bool platform_stream_read(struct platform_stream *s, void *buf, size_t len, size_t *n_read)
{
	const size_t most = (size_t)1 << 30;
	DWORD n = 0;

	if (!ReadFile((HANDLE)s->handle, buf, (DWORD)(len > most ? most : len), &n, NULL)) {
		if (GetLastError() != ERROR_BROKEN_PIPE && GetLastError() != ERROR_HANDLE_EOF)
			return false;
	}
	*n_read = n;
	return true;
}

void platform_stream_close(struct platform_stream *s)
{
	if ((HANDLE)s->handle != GetStdHandle(STD_INPUT_HANDLE))
		CloseHandle((HANDLE)s->handle);
	s->handle = (intptr_t)INVALID_HANDLE_VALUE;
}

/* ---- The process ----------------------------------------------------------------------------- */

#ifndef ENABLE_VIRTUAL_TERMINAL_PROCESSING
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 4
#endif

bool platform_stdout_is_terminal(void)
{
	HANDLE out = GetStdHandle(STD_OUTPUT_HANDLE);
	DWORD mode;

	return GetConsoleMode(out, &mode) &&
	       SetConsoleMode(out, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

bool platform_stderr_is_terminal(void)
{
	DWORD mode;

	return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode);
}

static unsigned columns_of(HANDLE out)
{
	CONSOLE_SCREEN_BUFFER_INFO info;

	if (!GetConsoleScreenBufferInfo(out, &info) || info.srWindow.Right < info.srWindow.Left)
		return 0;
	return (unsigned)(info.srWindow.Right - info.srWindow.Left) + 1;
}

unsigned platform_stdout_columns(void)
{
	return columns_of(GetStdHandle(STD_OUTPUT_HANDLE));
}

unsigned platform_stderr_columns(void)
{
	return columns_of(GetStdHandle(STD_ERROR_HANDLE));
}

static void arguments_free(char **argv)
{
	for (int i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}

static char **arguments_from(wchar_t **wide, int argc)
{
	char **argv = calloc((size_t)argc + 1, sizeof *argv);

	for (int i = 0; argv && i < argc; i++) {
		argv[i] = windows_utf8(wide[i]);
		if (!argv[i]) {
			arguments_free(argv);
			return NULL;
		}
	}
	return argv;
}

bool platform_start(int argc, char **argv, struct platform_process *out)
{
	wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &argc);

	(void)argv;
	if (!wide)
		return false;
	*out = (struct platform_process){ .argc = argc,
					  .argv = arguments_from(wide, argc),
					  .console = GetConsoleOutputCP() };
	LocalFree(wide);
	out->memory = out->argv;
	_setmode(_fileno(stdout), _O_BINARY);
	_setmode(_fileno(stderr), _O_BINARY);
	if (out->console)
		SetConsoleOutputCP(CP_UTF8);
	return out->argv != NULL;
}

bool platform_working_folder(char *buf, size_t size)
{
	wchar_t *wide = _wgetcwd(NULL, 0);
	char *folder = wide ? windows_utf8(wide) : NULL;
	const size_t len = folder ? strlen(folder) + 1 : 0;

	if (folder && len <= size)
		memcpy(buf, folder, len);
	free(wide);
	free(folder);
	return folder && len <= size;
}

/* getopt may have reordered argv, but it has the same strings. */
void platform_end(struct platform_process *p)
{
	if (p->console)
		SetConsoleOutputCP(p->console);
	arguments_free(p->memory);
	*p = (struct platform_process){ 0 };
}

/* A crash is not handed to Windows Error Reporting, which writes dumps. */
void platform_guard_secrets(void)
{
	SetErrorMode(GetErrorMode() | SEM_NOGPFAULTERRORBOX);
}
