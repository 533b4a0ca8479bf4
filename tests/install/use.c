/* What a host does: checks a file and prints the findings. Compiled as C and as C++ against the
 * installed library. */
#include <stdio.h>
#include <uvet/claims.h>
#include <uvet/report.h>
#include <uvet/uvet.h>

int main(int argc, char **argv)
{
	uvet_options *options = NULL;
	uvet_engine *engine = NULL;
	uvet_report *report = NULL;
	uvet_hooks hooks = UVET_HOOKS_INIT;
	uvet_unjudged unjudged = UVET_UNJUDGED_INIT;
	uvet_limit limit = UVET_LIMIT_INIT;
	uvet_rule rule = UVET_RULE_INIT;
	uvet_io io = UVET_IO_INIT;
	char message[256];
	size_t i;

	if (argc != 2 || uvet_options_new(&options) != UVET_OK ||
	    uvet_options_set(options, "ignore", "UMD018") != UVET_OK ||
	    uvet_engine_new(options, &engine) != UVET_OK ||
	    uvet_check_path(engine, argv[1], &hooks, &report) != UVET_OK)
		return 4;
	if (uvet_version_number() != UVET_VERSION_NUMBER ||
	    uvet_report_unjudged_at(report, 0, &unjudged) || !uvet_limit_at(0, &limit) ||
	    !uvet_rule_at(0, &rule) ||
	    uvet_map_io(engine, argv[1], &io, &hooks, "text", NULL, NULL) != UVET_BAD_CALL)
		return 4;
	for (i = 0; i < uvet_report_count(report); i++) {
		const uvet_finding *finding = uvet_report_at(report, i);

		uvet_finding_message(finding, message, sizeof message);
		printf("%s %s\n", uvet_finding_rule(finding), message);
	}
	printf("%s %s\n", uvet_version(), uvet_verdict_name(uvet_report_verdict(report)));
	uvet_report_free(report);
	uvet_engine_free(engine);
	uvet_options_free(options);
	return 0;
}
