/* Profiles: sets of options for one kind of user each, read from a table. */
#include "api/api.h"

#include <string.h>

#include "codec/sha256.h"

static const struct named_profile {
	const char *name, *meaning;
} named_profiles[] = {
#define PROFILE(name, meaning) { #name, meaning },
#define SETTING(profile, option, value)
#include "api/profiles.def"
#undef PROFILE
#undef SETTING
};

static const struct profile_setting {
	const char *profile, *option, *value;
} profile_settings[] = {
#define PROFILE(name, meaning)
#define SETTING(profile, option, value) { #profile, option, value },
#include "api/profiles.def"
#undef PROFILE
#undef SETTING
};

enum {
	N_PROFILES = sizeof named_profiles / sizeof *named_profiles,
	N_SETTINGS = sizeof profile_settings / sizeof *profile_settings
};

const char *uvet_profile_at(size_t index)
{
	return index < N_PROFILES ? named_profiles[index].name : NULL;
}

static const struct named_profile *find(const char *name)
{
	for (size_t i = 0; name && i < N_PROFILES; i++)
		if (strcmp(named_profiles[i].name, name) == 0)
			return &named_profiles[i];
	return NULL;
}

const char *api_profile_named(const char *name)
{
	const struct named_profile *p = find(name);

	return p ? p->name : NULL;
}

const char *uvet_profile_meaning(const char *profile)
{
	const struct named_profile *p = find(profile);

	return p ? p->meaning : NULL;
}

/* A build that cannot compute SHA-256 judges no less for it. */
static bool is_of(const struct profile_setting *s, const char *profile)
{
	return strcmp(s->profile, profile) == 0 &&
	       (strcmp(s->option, "sha256") != 0 || sha256_is_available());
}

int uvet_profile_setting_at(const char *profile, size_t index, const char **option,
			    const char **value)
{
	for (size_t i = 0; profile && option && value && i < N_SETTINGS; i++) {
		if (!is_of(&profile_settings[i], profile))
			continue;
		if (index > 0) {
			index--;
			continue;
		}
		*option = profile_settings[i].option;
		*value = profile_settings[i].value;
		return 1;
	}
	return 0;
}
