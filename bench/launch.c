/* Runs commands by turns and tells what each run cost: CPU time in microseconds and the largest memory in KiB.
 *
 *     bench_launch ROUNDS A... -- B... [-- C...]
 *
 * prints one line a round: "cpu_a rss_a cpu_b rss_b ...". Outputs of the commands go nowhere. It is a small program of its own
 * because a process begins with the memory of the one that started it. */
#define _GNU_SOURCE 1

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COMMANDS_MAX = 8 };

static void die(const char *words)
{
	fprintf(stderr, "bench_launch: %s\n", words);
	exit(1);
}

static long microseconds(struct timeval t)
{
	return (long)t.tv_sec * 1000000 + (long)t.tv_usec;
}

/* 0 to 2 are verdicts; anything else is trouble, which must not pass for speed. */
static void run(char **command)
{
	posix_spawn_file_actions_t actions;
	struct rusage usage;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, command[0], &actions, NULL, command, environ) != 0)
		die("cannot start a command");
	posix_spawn_file_actions_destroy(&actions);
	if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) || WEXITSTATUS(status) > 2)
		die("a command failed");
	printf("%ld %ld ", microseconds(usage.ru_utime) + microseconds(usage.ru_stime), usage.ru_maxrss);
}

int main(int argc, char **argv)
{
	char **commands[COMMANDS_MAX];
	int n = 0;
	long rounds = argc > 2 ? atol(argv[1]) : 0;

	if (rounds <= 0)
		die("usage: bench_launch ROUNDS A... -- B...");
	commands[n++] = argv + 2;
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		argv[i] = NULL;
		if (n == COMMANDS_MAX)
			die("too many commands");
		commands[n++] = argv + i + 1;
	}
	for (long r = 0; r < rounds; r++) {
		for (int i = 0; i < n; i++)
			run(commands[i]);
		putchar('\n');
	}
	return 0;
}
