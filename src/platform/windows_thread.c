/* Threads, monitors and the clock on Windows. */
#include "platform/windows.h"

#include <stdlib.h>

struct platform_thread {
	HANDLE handle;
	void (*run)(void *ctx);
	void *ctx;
};

static DWORD WINAPI thread_main(void *arg)
{
	struct platform_thread *t = arg;

	t->run(t->ctx);
	return 0;
}

bool platform_thread_start(void (*run)(void *ctx), void *ctx, struct platform_thread **out)
{
	struct platform_thread *t = malloc(sizeof *t);

	if (!t)
		return false;
	*t = (struct platform_thread){ .run = run, .ctx = ctx };
	t->handle = CreateThread(NULL, 0, thread_main, t, 0, NULL);
	if (!t->handle) {
		free(t);
		return false;
	}
	*out = t;
	return true;
}

void platform_thread_join(struct platform_thread *t)
{
	WaitForSingleObject(t->handle, INFINITE);
	CloseHandle(t->handle);
	free(t);
}

struct platform_monitor {
	SRWLOCK lock;
	CONDITION_VARIABLE conditions[PLATFORM_CONDITIONS];
};

bool platform_monitor_new(struct platform_monitor **out)
{
	struct platform_monitor *m = malloc(sizeof *m);

	if (!m)
		return false;
	InitializeSRWLock(&m->lock);
	for (int i = 0; i < PLATFORM_CONDITIONS; i++)
		InitializeConditionVariable(&m->conditions[i]);
	*out = m;
	return true;
}

void platform_monitor_free(struct platform_monitor *m)
{
	free(m);
}

void platform_monitor_enter(struct platform_monitor *m)
{
	AcquireSRWLockExclusive(&m->lock);
}

void platform_monitor_leave(struct platform_monitor *m)
{
	ReleaseSRWLockExclusive(&m->lock);
}

void platform_monitor_wait(struct platform_monitor *m, int condition)
{
	SleepConditionVariableSRW(&m->conditions[condition], &m->lock, INFINITE, 0);
}

void platform_monitor_wake_all(struct platform_monitor *m, int condition)
{
	WakeAllConditionVariable(&m->conditions[condition]);
}

unsigned platform_processors(void)
{
	SYSTEM_INFO info;

	GetSystemInfo(&info);
	return info.dwNumberOfProcessors > 0 ? info.dwNumberOfProcessors : 1;
}

/* Ticks are counted since the system started, some millions a second: seconds and the rest are
 * widened one by one, so that neither wraps. */
uint64_t platform_now(void)
{
	LARGE_INTEGER ticks, per_second;
	uint64_t n, unit;

	QueryPerformanceCounter(&ticks);
	QueryPerformanceFrequency(&per_second);
	n = (uint64_t)ticks.QuadPart;
	unit = (uint64_t)per_second.QuadPart;
	return n / unit * 1000000000u + n % unit * 1000000000u / unit;
}

uint32_t platform_today(void)
{
	SYSTEMTIME day;

	GetSystemTime(&day);
	return (uint32_t)day.wYear * 10000 + (uint32_t)day.wMonth * 100 + (uint32_t)day.wDay;
}
