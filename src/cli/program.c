/* The program: reads the settings, runs the command, returns the exit code. */
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/policy.h"
#include "platform/platform.h"

static int run_command(const struct settings *settings)
{
	switch (settings->command) {
	case COMMAND_check:
		return settings->show_settings ? policy_show(settings) : check_command(settings);
	case COMMAND_baseline:
		return check_command(settings);
	case COMMAND_explain:
		return explain_command(settings);
	case COMMAND_rules:
		return rules_command(settings);
	case COMMAND_map:
		return map_command(settings);
	case COMMAND_info:
		return info_command(settings);
	case COMMAND_deps:
		return deps_command(settings);
	case COMMAND_conflicts:
		return conflicts_command(settings);
	case COMMAND_profile:
		return profile_command(settings);
	case COMMAND_completion:
		return completion_command(settings);
	case COMMAND_schema:
		return schema_command(settings);
	case COMMAND_version:
		return version_command(settings);
	default:
		return help_command(settings);
	}
}

int program_run(int argc, char **argv)
{
	struct platform_process process;
	struct settings settings;
	int code;

	if (!platform_start(argc, argv, &process)) {
		message("the arguments or the standard streams cannot be used");
		return STATUS_TROUBLE;
	}
	code = settings_parse(process.argc, process.argv, &settings);
	if (code == STATUS_DONE)
		code = run_command(&settings);
	settings_free(&settings);
	platform_end(&process);
	return code;
}
