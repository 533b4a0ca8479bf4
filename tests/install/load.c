/* What a host does that learns of uvet at run time only: loads the library, checks bytes in memory,
 * and prints the findings. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <uvet/uvet.h>

static struct {
	uvet_status (*engine_new)(const uvet_options *, uvet_engine **);
	void (*engine_free)(uvet_engine *);
	uvet_status (*check_memory)(uvet_engine *, const char *, const void *, size_t,
				    const uvet_hooks *, uvet_report **);
	size_t (*count)(const uvet_report *);
	const uvet_finding *(*at)(const uvet_report *, size_t);
	const char *(*rule)(const uvet_finding *);
	size_t (*message)(const uvet_finding *, char *, size_t);
	uvet_verdict (*verdict)(const uvet_report *);
	const char *(*verdict_name)(uvet_verdict);
	void (*report_free)(uvet_report *);
	const char *(*version)(void);
} uvet;

static int find(void *library, const char *name, void *function, size_t size)
{
	void *found = dlsym(library, name);

	if (!found) {
		fprintf(stderr, "load: %s\n", dlerror());
		return 0;
	}
	memcpy(function, &found, size);
	return 1;
}

#define FIND(member, name) find(library, #name, &uvet.member, sizeof uvet.member)

static int find_all(void *library)
{
	return FIND(engine_new, uvet_engine_new) && FIND(engine_free, uvet_engine_free) &&
	       FIND(check_memory, uvet_check_memory) && FIND(count, uvet_report_count) &&
	       FIND(at, uvet_report_at) && FIND(rule, uvet_finding_rule) &&
	       FIND(message, uvet_finding_message) && FIND(verdict, uvet_report_verdict) &&
	       FIND(verdict_name, uvet_verdict_name) && FIND(report_free, uvet_report_free) &&
	       FIND(version, uvet_version);
}

static int check(const char *name, const void *bytes, size_t len)
{
	uvet_engine *engine = NULL;
	uvet_report *report = NULL;
	char message[256];
	size_t i;

	if (uvet.engine_new(NULL, &engine) != UVET_OK ||
	    uvet.check_memory(engine, name, bytes, len, NULL, &report) != UVET_OK)
		return 4;
	for (i = 0; i < uvet.count(report); i++) {
		const uvet_finding *finding = uvet.at(report, i);

		uvet.message(finding, message, sizeof message);
		printf("%s %s\n", uvet.rule(finding), message);
	}
	printf("%s %s\n", uvet.version(), uvet.verdict_name(uvet.verdict(report)));
	uvet.report_free(report);
	uvet.engine_free(engine);
	return 0;
}

/* load LIBRARY FILE. The library is loaded, used and unloaded twice: nothing of the first time may
 * be left. */
int main(int argc, char **argv)
{
	static char bytes[1 << 20];
	FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
	size_t len;
	int status = 0;
	int round;

	if (!file)
		return 3;
	len = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	for (round = 0; round < 2 && status == 0; round++) {
		void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);

		if (!library)
			fprintf(stderr, "load: %s\n", dlerror());
		status = library && find_all(library) ? check(argv[2], bytes, len) : 4;
		if (library)
			dlclose(library);
	}
	return status;
}
