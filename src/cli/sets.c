/* Sets: the game's files, which the others are held against. */
#include "cli/sets.h"

#include "cli/jobs.h"
#include "cli/message.h"

bool sets_find_game(const struct settings *settings)
{
	struct platform_identity unused;

	if (!settings->game || platform_path_look(settings->game, &unused) == PLATFORM_FOLDER)
		return true;
	message("'%s' is no folder of a game", settings->game);
	return false;
}

void sets_want(const struct settings *settings)
{
	(void)uvet_options_set(settings->options, "sets", settings->no_sets ? "no" : "yes");
}

static uvet_status take_game(void *ctx, const struct input *in, const uvet_report *report)
{
	(void)in;
	return report ? uvet_set_add(ctx, report, true) : UVET_OK;
}

/* Of the game's packages only the tables count. */
static uvet_status open_engines(struct engines *engines, const struct settings *settings,
				uint64_t memory)
{
	(void)uvet_options_set(settings->options, "level", "structure");
	(void)uvet_options_set(settings->options, "siblings", "none");
	return engines_open(engines, settings, true, memory);
}

uvet_status sets_add_game(uvet_set *set, const struct settings *settings, uint64_t memory)
{
	char *folder = (char *)(uintptr_t)settings->game;
	const struct settings own = { .options = settings->options,
				      .operands = &folder,
				      .n_operands = 1,
				      .no_siblings = true,
				      .memory = settings->memory };
	struct jobs_plan plan = { .n = 1 };
	struct engines engines;
	struct inputs inputs;
	uvet_status status;

	if (!settings->game)
		return UVET_OK;
	status = open_engines(&engines, settings, memory);
	if (status != UVET_OK)
		return status;
	plan.engines = &engines;
	status = inputs_open(&inputs, &own) == STATUS_DONE
			 ? jobs_run(&inputs, &plan, take_game, set)
			 : UVET_NO_MEMORY;
	inputs_close(&inputs);
	engines_close(&engines);
	return status;
}
