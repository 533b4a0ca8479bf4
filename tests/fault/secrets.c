/* secrets KEY KEYFILE TOC...: what is left of keys. KEY is 64 hexadecimal digits, KEYFILE holds
 * it; each TOC is a container that is encrypted with it. Memory is searched when it is given
 * back, and the stack of every thread when it has ended, for bytes of the key, of its text and
 * of the keys that AES makes of it. What others write over a stack hides what was left there: so
 * each expanded key is followed from its making to its wiping, too. Any that is left is a leak,
 * and the exit code 1. Before that the search proves that it finds. */
#define _GNU_SOURCE 1

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <uvet/uvet.h>

#include "cli/keys.h"
#include "codec/aes.h"
#include "faults.h"

enum { PATTERN_LEN = 16, PATTERNS_MAX = 64, STACK_LEN = 1 << 20, STACKS_MAX = 128, KEY_LEN = 32 };

void __real_free(void *p);
void *__real_realloc(void *p, size_t size);
int __real_munmap(void *at, size_t size);
void __real_aes_for_ecb(struct aes *a, const uint8_t *key);
void __real_aes_for_ctr(struct aes *a, const uint8_t *key);
void __real_aes_wipe(struct aes *a);
void __wrap_aes_for_ecb(struct aes *a, const uint8_t *key);
void __wrap_aes_for_ctr(struct aes *a, const uint8_t *key);
void __wrap_aes_wipe(struct aes *a);
int __real_pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*run)(void *),
			  void *ctx);
void __wrap_free(void *p);
void *__wrap_realloc(void *p, size_t size);
int __wrap_munmap(void *at, size_t size);
int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*run)(void *),
			  void *ctx);

/* ---- The search ------------------------------------------------------------------------------ */

static struct {
	char what[PATTERNS_MAX][24];
	unsigned char bytes[PATTERNS_MAX][PATTERN_LEN];
	int n;
} patterns;

static struct {
	unsigned long n_hits;
	char first[96];
	const char *stage;
	pthread_mutex_t lock;
} search = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void add_pattern(const char *what, const void *bytes)
{
	if (patterns.n == PATTERNS_MAX)
		abort();
	snprintf(patterns.what[patterns.n], sizeof patterns.what[0], "%s", what);
	memcpy(patterns.bytes[patterns.n++], bytes, PATTERN_LEN);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define UNWATCHED __attribute__((no_sanitize("address", "memory")))
#endif
#endif
#if !defined(UNWATCHED)
#define UNWATCHED __attribute__((no_sanitize("address")))
#endif

/* The words are compared first; the bytes are anybody's, so no sanitizer looks. */
UNWATCHED static void look_for(const char *where, const unsigned char *bytes, size_t n, int i)
{
	const unsigned char *wanted = patterns.bytes[i];

	for (size_t at = 0; at + PATTERN_LEN <= n; at++) {
		size_t k = 0;

		while (k < PATTERN_LEN && bytes[at + k] == wanted[k])
			k++;
		if (k < PATTERN_LEN)
			continue;
		pthread_mutex_lock(&search.lock);
		if (search.n_hits++ == 0)
			snprintf(search.first, sizeof search.first, "%s in %s", patterns.what[i],
				 where);
		pthread_mutex_unlock(&search.lock);
		return;
	}
}

static void look_in(const char *where, const void *bytes, size_t n)
{
	for (int i = 0; i < patterns.n; i++)
		look_for(where, bytes, n, i);
}

/* ---- Between the code and the system --------------------------------------------------------- */

void __wrap_free(void *p)
{
	if (p)
		look_in("memory that is given back", p, malloc_usable_size(p));
	__real_free(p);
}

/* Growing leaves the old place as it was. */
void *__wrap_realloc(void *p, size_t size)
{
	if (p)
		look_in("memory that grows", p, malloc_usable_size(p));
	return __real_realloc(p, size);
}

int __wrap_munmap(void *at, size_t size)
{
	look_in("pages that are given back", at, size);
	return __real_munmap(at, size);
}

/* ---- Expanded keys --------------------------------------------------------------------------- */

static struct {
	const struct aes *of[STACKS_MAX];
	int n;
} expanded;

static void follow(const struct aes *a)
{
	pthread_mutex_lock(&search.lock);
	for (int i = 0; i < expanded.n && a; i++)
		if (expanded.of[i] == a)
			a = NULL;
	if (a && expanded.n == STACKS_MAX)
		abort();
	if (a)
		expanded.of[expanded.n++] = a;
	pthread_mutex_unlock(&search.lock);
}

void __wrap_aes_for_ecb(struct aes *a, const uint8_t *key)
{
	follow(a);
	__real_aes_for_ecb(a, key);
}

void __wrap_aes_for_ctr(struct aes *a, const uint8_t *key)
{
	follow(a);
	__real_aes_for_ctr(a, key);
}

void __wrap_aes_wipe(struct aes *a)
{
	__real_aes_wipe(a);
	look_in("an expanded key that was wiped", a, sizeof *a);
	pthread_mutex_lock(&search.lock);
	for (int i = 0; i < expanded.n; i++)
		if (expanded.of[i] == a)
			expanded.of[i--] = expanded.of[--expanded.n];
	pthread_mutex_unlock(&search.lock);
}

static void *stacks[STACKS_MAX];
static int n_stacks;

static void *new_stack(void)
{
	void *p = mmap(NULL, STACK_LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || n_stacks == STACKS_MAX)
		abort();
	return stacks[n_stacks++] = p;
}

int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*run)(void *),
			  void *ctx)
{
	pthread_attr_t own;
	int error;

	(void)attr;
	pthread_attr_init(&own);
	pthread_attr_setstack(&own, new_stack(), STACK_LEN);
	error = __real_pthread_create(out, &own, run, ctx);
	pthread_attr_destroy(&own);
	return error;
}

/* ---- Stages ---------------------------------------------------------------------------------- */

static struct job {
	unsigned char key[KEY_LEN];
	const char *text, *key_file, *toc;
	char twice[160];  /* KEY=KEY */
	char damaged[80]; /* KEY, but for the last digit, which is none */
	const char *jobs;
	bool is_second;   /* a key that does not fit is tried before */
	uint64_t fail_at; /* the request for memory that is refused; 0: none */
	uint64_t n_asked;
	int n_threads; /* of the last stage, its own included */
} job;

static void *leave_in_memory(void *ctx)
{
	unsigned char *p = malloc(100);
	volatile unsigned char *bytes = p; /* else a compiler leaves out what is never read */

	(void)ctx;
	if (!p)
		abort();
	for (size_t i = 0; i < KEY_LEN; i++)
		bytes[13 + i] = job.key[i];
	free(p);
	return NULL;
}

static void *leave_on_stack(void *ctx)
{
	volatile unsigned char frame[4096]; /* the end of a thread uses what lies above */

	(void)ctx;
	for (size_t i = 0; i < KEY_LEN; i++)
		frame[i] = job.key[i];
	return frame[0] == job.key[0] ? NULL : ctx;
}

static void *leave_expanded(void *ctx)
{
	struct aes *a = malloc(sizeof *a);

	(void)ctx;
	if (!a)
		abort();
	__real_aes_for_ecb(a, job.key);
	free(a);
	return NULL;
}

static void *leave_unwiped(void *ctx)
{
	static struct aes a;

	aes_for_ctr(&a, job.key);
	return ctx;
}

static void *leave_text(void *ctx)
{
	(void)ctx;
	free(strdup(job.text));
	return NULL;
}

static void require(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "secrets: %s: %s\n", search.stage, what);
	exit(1);
}

/* A check as a host does it. */
static void *check(void *ctx)
{
	struct fault_memory memory = { .fail_at = job.fail_at };
	unsigned char wrong[KEY_LEN] = { 1 };
	uvet_options *options;
	uvet_engine *engine = NULL;
	uvet_report *report = NULL;

	(void)ctx;
	require(uvet_options_new(&options) == UVET_OK, "no options");
	uvet_options_allocator(options, fault_alloc, fault_release, &memory);
	require(!job.is_second || uvet_options_key(options, NULL, wrong) == UVET_OK,
		"no wrong key");
	require(uvet_options_key(options, NULL, job.key) == UVET_OK, "no key");
	require(uvet_options_set(options, "jobs", job.jobs) == UVET_OK, "no jobs");
	if (uvet_engine_new(options, &engine) == UVET_OK)
		uvet_check_path(engine, job.toc, NULL, &report);
	uvet_options_free(options);
	if (job.fail_at == 0 && !job.is_second)
		require(report && uvet_report_verdict(report) == UVET_VALID,
			"the container is not valid");
	uvet_report_free(report);
	uvet_engine_free(engine);
	require(memory.n_live == 0, "memory was not given back");
	job.n_asked = memory.n_asked;
	return NULL;
}

/* As the command does it. The text of the file stands in the folder, the variable in the
 * environment. */
static void *read_keys(void *ctx)
{
	const char *variable = getenv("UVET_SECRET");
	uvet_options *options;

	(void)ctx;
	require(uvet_options_new(&options) == UVET_OK, "no options");
	require(variable && strcmp(variable, job.text) == 0, "there is no variable");
	require(keys_from_file(options, job.key_file), "the key file was not read");
	require(keys_from_env(options, "UVET_SECRET"), "the variable was not read");
	look_in("the environment", variable, strlen(job.text));
	uvet_options_free(options);
	return NULL;
}

/* A file that is no file of keys fails in the middle. */
static void *read_no_keys(void *ctx)
{
	uvet_options *options;
	unsigned line;

	(void)ctx;
	require(uvet_options_new(&options) == UVET_OK, "no options");
	require(!signing_key_from_file(options, job.key_file),
		"a key of AES was taken for one that signs");
	require(keys_add_text(options, job.twice, &line) != NULL, "a key was taken for a GUID");
	uvet_options_free(options);
	return NULL;
}

static void *read_damaged_key(void *ctx)
{
	unsigned line;

	(void)ctx;
	require(keys_add_text(NULL, job.damaged, &line) != NULL, "a damaged key was taken");
	return NULL;
}

/* Runs a stage in a thread, and returns how often something was found. */
static unsigned long stage(const char *name, void *(*run)(void *))
{
	pthread_t thread;

	search.stage = name;
	search.n_hits = 0;
	n_stacks = expanded.n = 0;
	require(__wrap_pthread_create(&thread, NULL, run, NULL) == 0, "no thread");
	pthread_join(thread, NULL);
	job.n_threads = n_stacks;
	for (int i = 0; i < n_stacks; i++) {
		look_in("the stack of a thread", stacks[i], STACK_LEN);
		__real_munmap(stacks[i], STACK_LEN);
	}
	if (expanded.n > 0 && search.n_hits++ == 0)
		snprintf(search.first, sizeof search.first, "an expanded key that nobody wiped");
	return search.n_hits;
}

static void expect_found(const char *name, void *(*run)(void *))
{
	if (stage(name, run) > 0)
		return;
	fprintf(stderr, "secrets: the search does not find what was left: %s\n", name);
	exit(1);
}

static void expect_clean(const char *name, void *(*run)(void *))
{
	if (stage(name, run) == 0)
		return;
	fprintf(stderr, "secrets: %s left %s, %lu times (%s)\n", name, search.first, search.n_hits,
		job.toc ? job.toc : "");
	exit(1);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void add_expanded(const char *what, void (*expand)(struct aes *a, const uint8_t *key))
{
	char name[24];
	struct aes a;

	expand(&a, job.key);
	for (size_t at = 0; at + PATTERN_LEN <= sizeof a; at += PATTERN_LEN) {
		snprintf(name, sizeof name, "%s at %zu", what, at);
		add_pattern(name, (const unsigned char *)&a + at);
	}
}

static void prepare(const char *text)
{
	for (size_t i = 0; i < KEY_LEN; i++) {
		char digits[3] = { text[2 * i], text[2 * i + 1], '\0' };

		job.key[i] = (unsigned char)strtoul(digits, NULL, 16);
	}
	add_pattern("the key", job.key);
	add_pattern("the key's end", job.key + PATTERN_LEN);
	for (size_t at = 0; at < 64; at += PATTERN_LEN)
		add_pattern("the key's text", text + at);
	add_expanded("keys of ECB", __real_aes_for_ecb);
	add_expanded("keys of CTR", __real_aes_for_ctr);
}

static void prove_search(void)
{
	expect_found("a key in memory", leave_in_memory);
	expect_found("a key on a stack", leave_on_stack);
	expect_found("expanded keys", leave_expanded);
	expect_found("a text", leave_text);
	expect_found("expanded keys that stay", leave_unwiped);
}

static int n_workers;

/* Refuses every request in turn: what leaves a check half way wipes too. */
static void check_container(const char *toc)
{
	job.toc = toc;
	job.jobs = "4";
	expect_clean("a check with workers", check);
	n_workers += job.n_threads - 1;
	job.jobs = "1";
	expect_clean("a check", check);
	job.is_second = true;
	expect_clean("a check with two keys", check);
	for (uint64_t n = job.n_asked; n > 0; n--) {
		job.fail_at = n;
		expect_clean("a check without memory", check);
	}
	job.fail_at = 0;
	job.is_second = false;
}

int main(int argc, char **argv)
{
	if (argc < 4 || strlen(argv[1]) != 2 * KEY_LEN || !aes_is_available()) {
		fprintf(stderr, aes_is_available()
					? "usage: secrets KEY KEYFILE TOC...\n"
					: "secrets: skipped, this build has no nettle\n");
		return aes_is_available() ? 3 : 77;
	}
	job.text = argv[1];
	job.key_file = argv[2];
	snprintf(job.twice, sizeof job.twice, "%s=%s", argv[1], argv[1]);
	snprintf(job.damaged, sizeof job.damaged, "%.*sx", 2 * KEY_LEN - 1, argv[1]);
	prepare(argv[1]);
	prove_search();
	expect_clean("reading keys", read_keys);
	expect_clean("reading what is no key", read_no_keys);
	expect_clean("reading a damaged key", read_damaged_key);
	for (int i = 3; i < argc; i++)
		check_container(argv[i]);
	search.stage = "all containers";
	require(n_workers > 0, "no worker was started");
	printf("secrets: nothing is left of keys, after %d containers\n", argc - 3);
	return 0;
}
