/* Runs commands by turns and tells what each run cost: CPU time in microseconds, the largest
 * memory in KiB, and microseconds on the wall.
 *
 *     bench_launch ROUNDS A... -- B... [-- C... & D...]
 *
 * prints one line a round: "cpu_a rss_a wall_a cpu_b rss_b wall_b ...". What & parts runs at
 * once, and counts as one. Outputs of the commands go nowhere. It is a small program of its own
 * because a process begins with the memory of the one that started it. */
#define _GNU_SOURCE 1

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { COMMANDS_MAX = 8 };

/* A command, or some that run at once. */
struct turn {
	char **commands[COMMANDS_MAX];
	int n;
};

static void die(const char *words)
{
	fprintf(stderr, "bench_launch: %s\n", words);
	exit(1);
}

static long microseconds(struct timeval t)
{
	return (long)t.tv_sec * 1000000 + (long)t.tv_usec;
}

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void start(char **command)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, command[0], &actions, NULL, command, environ) != 0)
		die("cannot start a command");
	posix_spawn_file_actions_destroy(&actions);
}

/* 0 to 2 are verdicts; anything else is trouble, which must not pass for speed. */
static void run(const struct turn *t)
{
	const long begin = now();
	long cpu = 0, memory = 0;
	struct rusage usage;
	int status;

	for (int i = 0; i < t->n; i++)
		start(t->commands[i]);
	for (int i = 0; i < t->n; i++) {
		if (wait4(-1, &status, 0, &usage) < 0 || !WIFEXITED(status) ||
		    WEXITSTATUS(status) > 2)
			die("a command failed");
		cpu += microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
		memory = usage.ru_maxrss > memory ? usage.ru_maxrss : memory;
	}
	printf("%ld %ld %ld ", cpu, memory, now() - begin);
}

static void add(struct turn *t, char **command)
{
	if (t->n == COMMANDS_MAX)
		die("too many commands");
	t->commands[t->n++] = command;
}

int main(int argc, char **argv)
{
	static struct turn turns[COMMANDS_MAX];
	int n = 1;
	long rounds = argc > 2 ? atol(argv[1]) : 0;

	if (rounds <= 0)
		die("usage: bench_launch ROUNDS A... -- B...");
	add(&turns[0], argv + 2);
	for (int i = 2; i < argc; i++) {
		const int is_next = strcmp(argv[i], "--") == 0;

		if (!is_next && strcmp(argv[i], "&") != 0)
			continue;
		argv[i] = NULL;
		if (is_next && n++ == COMMANDS_MAX)
			die("too many commands");
		add(&turns[n - 1], argv + i + 1);
	}
	for (long r = 0; r < rounds; r++) {
		for (int i = 0; i < n; i++)
			run(&turns[i]);
		putchar('\n');
	}
	return 0;
}
