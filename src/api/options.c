/* Options: names and values as the command line has them, read into an engine's settings. */
#include "api/option_targets.h"

#include <string.h>

#include "codec/sha256.h"
#include "engine/scripts.h"
#include "report/escape.h"

/* A choice is a word that an option may have as its value. */
struct choice {
	const char *word;
	int value;
};

static const struct choice levels[] = { { "structure", LEVEL_STRUCTURE },
					{ "content", LEVEL_CONTENT },
					{ "default", LEVEL_CONTENT },
					{ NULL, 0 } };
static const struct choice unknowns[] = { { "undetermined", UNKNOWN_UNDETERMINED },
					  { "skip", UNKNOWN_SKIP },
					  { NULL, 0 } };
static const struct choice uploads[] = { { "none", UPLOAD_ANY },
#define UPLOAD(id, word, meaning) { word, id },
#include "core/upload.def"
#undef UPLOAD
					 { NULL, 0 } };
static const struct choice fail_ons[] = { { "error", SEVERITY_ERROR },
					  { "warning", SEVERITY_WARNING },
					  { "note", SEVERITY_NOTE },
					  { "never", SEVERITY_NONE },
					  { NULL, 0 } };
static const struct choice siblings[] = { { "auto", false }, { "none", true }, { NULL, 0 } };
static const struct choice booleans[] = { { "yes", true }, { "no", false }, { NULL, 0 } };

size_t api_copy(const struct out *o, char *buf, size_t size)
{
	size_t n = o->n;

	if (size == 0)
		return (size_t)o->total;
	if (n > size - 1) {
		n = size - 1;
		while (n > 0 && (o->buf[n] & 0xC0) == 0x80)
			n--;
	}
	memcpy(buf, o->buf, n);
	buf[n] = '\0';
	return (size_t)o->total;
}

uvet_status uvet_options_new(uvet_options **out)
{
	uvet_options *o;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	o = platform_alloc(NULL, sizeof *o);
	if (!o)
		return UVET_NO_MEMORY;
	api_engine_init(&o->settings);
	o->error[0] = '\0';
	*out = o;
	return UVET_OK;
}

void uvet_options_free(uvet_options *options)
{
	if (!options)
		return;
	keys_wipe(&options->settings.keys);
	api_scripts_free(&options->settings.scripts,
			 (struct allocator){ platform_alloc, platform_release, NULL });
	platform_release(NULL, options, sizeof *options);
}

const char *uvet_options_error(const uvet_options *options)
{
	return options ? options->error : "";
}

void uvet_options_allocator(uvet_options *options, void *(*alloc)(void *ctx, size_t size),
			    void (*release)(void *ctx, void *memory, size_t size), void *ctx)
{
	if (options && alloc && release)
		options->settings.allocator = (struct allocator){ alloc, release, ctx };
}

enum { SHOWN_MAX = 64 };

static void write_shown(struct out *o, const char *text, size_t len)
{
	out_string(o, ": \"");
	escape_write(o, ESCAPE_QUOTED, text, len < SHOWN_MAX ? len : SHOWN_MAX);
	out_string(o, len > SHOWN_MAX ? "\"..." : "\"");
}

/* The error line reads: option: what was wrong: "the text". */
static uvet_status refuse(uvet_options *o, const char *name, struct profile_error error)
{
	struct out buffer, *line = out_init(&buffer, NULL, NULL);
	size_t len = strlen(name);

	escape_write(line, ESCAPE_LINE, name, len < SHOWN_MAX ? len : SHOWN_MAX);
	out_string(line, ": ");
	out_string(line, error.words);
	if (error.text)
		write_shown(line, error.text, error.text_len);
	api_copy(line, o->error, sizeof o->error);
	return UVET_BAD_OPTION;
}

/* choose finds the value of a word; the error names the words. */
static bool choose(const struct choice *choices, const char *word, int *out,
		   struct profile_error *error, const char *words)
{
	for (; choices->word; choices++) {
		if (strcmp(choices->word, word) == 0) {
			*out = choices->value;
			return true;
		}
	}
	*error = (struct profile_error){ words, word, strlen(word) };
	return false;
}

static bool set_level(struct engine *e, const char *value, struct profile_error *error)
{
	int chosen;

	if (!choose(levels, value, &chosen, error, "expected structure or content"))
		return false;
	e->level = (enum level)chosen;
	return true;
}

static bool set_unknown(struct engine *e, const char *value, struct profile_error *error)
{
	int chosen;

	if (!choose(unknowns, value, &chosen, error, "expected undetermined or skip"))
		return false;
	e->unknown = (enum unknown)chosen;
	return true;
}

static bool set_layout(struct engine *e, const char *value, struct profile_error *error)
{
	int chosen;

	if (!choose(uploads, value, &chosen, error,
		    "expected thunderstore, modio, nexus, ut99, ut2004, redirect, ue4-mods or "
		    "none"))
		return false;
	e->upload = (enum upload)chosen;
	return true;
}

static bool is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && memcmp(word, text, len) == 0;
}

/* Takes one word of fail-on. false: it is none, or a second level. */
static bool add_fail_on(struct fail_on *f, bool *has_level, const char *word, size_t len)
{
	for (int c = CLASS_CORRUPTION; c <= CLASS_RESOURCE; c++) {
		if (is_word(rule_class_name((enum rule_class)c), word, len)) {
			f->classes |= 1u << c;
			return true;
		}
	}
	for (const struct choice *l = fail_ons; l->word && !*has_level; l++) {
		if (is_word(l->word, word, len)) {
			f->level = (enum severity)l->value;
			*has_level = true;
			return true;
		}
	}
	return false;
}

/* Classes without a level take the place of the level. */
static bool set_fail_on(struct engine *e, const char *value, struct profile_error *error)
{
	struct fail_on f = { .level = SEVERITY_NONE };
	bool has_level = false;
	size_t len;

	for (const char *at = value;; at += len + 1) {
		len = strcspn(at, ",");
		if (!add_fail_on(&f, &has_level, at, len)) {
			*error = (struct profile_error){
				"expected one of error, warning, note and never, and classes of "
				"rules, separated by commas",
				value, strlen(value)
			};
			return false;
		}
		if (at[len] == '\0')
			break;
	}
	e->fail_on = f;
	return true;
}

static bool set_siblings(struct engine *e, const char *value, struct profile_error *error)
{
	int chosen;

	if (!choose(siblings, value, &chosen, error, "expected auto or none"))
		return false;
	e->no_siblings = chosen != 0;
	return true;
}

static bool set_show_passed(struct engine *e, const char *value, struct profile_error *error)
{
	return option_boolean(&e->show_passed, value, error);
}

static bool set_outline(struct engine *e, const char *value, struct profile_error *error)
{
	return option_boolean(&e->outlines, value, error);
}

static bool set_verbose(struct engine *e, const char *value, struct profile_error *error)
{
	return option_boolean(&e->verbose, value, error);
}

static bool set_sets(struct engine *e, const char *value, struct profile_error *error)
{
	return option_boolean(&e->sets, value, error);
}

static bool set_sha256(struct engine *e, const char *value, struct profile_error *error)
{
	int chosen;

	if (!choose(booleans, value, &chosen, error, "expected yes or no"))
		return false;
	e->sha256 = chosen != 0;
	if (!e->sha256 || sha256_is_available())
		return true;
	*error = (struct profile_error){ "this build has no nettle, which computes it", value,
					 strlen(value) };
	return false;
}

static bool set_select(struct engine *e, const char *value, struct profile_error *error)
{
	return profile_select(&e->profile, value, error);
}

static bool set_only(struct engine *e, const char *value, struct profile_error *error)
{
	return profile_only(&e->profile, value, error);
}

static bool set_ignore(struct engine *e, const char *value, struct profile_error *error)
{
	return profile_ignore(&e->profile, value, error);
}

static bool set_severity(struct engine *e, const char *value, struct profile_error *error)
{
	return profile_severity(&e->profile, value, error);
}

/* A number may end in K, M or G: 1024, its square, its cube. */
static bool parse_number(const char *s, uint64_t *out)
{
	static const char suffixes[] = "KMG";
	uint64_t v = 0, unit = 1;
	const char *digits = s;
	unsigned power = 0;

	for (; *s >= '0' && *s <= '9'; s++) {
		uint64_t digit = (uint64_t)(*s - '0');

		if (v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (s == digits)
		return false;
	while (suffixes[power] && suffixes[power] != *s)
		power++;
	if (suffixes[power]) {
		unit <<= 10 * (power + 1);
		s++;
	}
	if (*s || v > UINT64_MAX / unit)
		return false;
	*out = v * unit;
	return true;
}

/* The units of a time, in nanoseconds; without one it is seconds. */
static const struct unit {
	const char *name;
	uint64_t nanoseconds;
} units[] = { { "", 1000000000 },
	      { "s", 1000000000 },
	      { "ms", 1000000 },
	      { "m", 60000000000 },
	      { "h", 3600000000000 } };

/* The longest time: a year. */
#define TIMEOUT_MAX ((uint64_t)31536000 * 1000000000)

/* Reads the digits at *s and moves on past them; UINT64_MAX if the number is too large. */
static uint64_t read_digits(const char **s)
{
	uint64_t n = 0;

	for (; **s >= '0' && **s <= '9'; ++*s)
		n = n <= TIMEOUT_MAX ? n * 10 + (uint64_t)(**s - '0') : n;
	return n <= TIMEOUT_MAX ? n : UINT64_MAX;
}

static bool set_timeout(struct engine *e, const char *value, struct profile_error *error)
{
	const char *s = value;
	const uint64_t n = read_digits(&s);

	for (size_t i = 0; s != value && i < sizeof units / sizeof *units; i++) {
		if (strcmp(units[i].name, s) != 0 || n > TIMEOUT_MAX / units[i].nanoseconds)
			continue;
		e->timeout = n * units[i].nanoseconds;
		return true;
	}
	*error = (struct profile_error){
		"expected a time such as 60, 500ms, 2m or 1h, a year at most; 0 for none", value,
		strlen(value)
	};
	return false;
}

static bool set_jobs(struct engine *e, const char *value, struct profile_error *error)
{
	uint64_t n;

	if (!parse_number(value, &n) || n > API_JOBS_MAX) {
		*error = (struct profile_error){ "expected a number from 0 to 64", value,
						 strlen(value) };
		return false;
	}
	if (n == 0)
		n = platform_processors() < API_JOBS_MAX ? platform_processors() : API_JOBS_MAX;
	e->threads = n == 1 ? thread_pool_single
			    : (struct thread_pool){ (unsigned)n, api_threads_run, NULL };
	return true;
}

static bool set_width(struct engine *e, const char *value, struct profile_error *error)
{
	uint64_t n;

	if (parse_number(value, &n) && n <= API_WIDTH_MAX) {
		e->width = n;
		return true;
	}
	*error = (struct profile_error){ "expected a number from 0 to 1000", value, strlen(value) };
	return false;
}

static bool set_folder(char out[PATH_ROOT_MAX], const char *value, struct profile_error *error)
{
	const size_t len = strlen(value);

	if (len == 0 || len >= PATH_ROOT_MAX) {
		*error = (struct profile_error){ "expected a folder, of 4095 bytes at most", value,
						 len };
		return false;
	}
	memcpy(out, value, len + 1);
	return true;
}

static bool set_path_root(struct engine *e, const char *value, struct profile_error *error)
{
	return set_folder(e->path_root.typed, value, error);
}

static bool set_path_base(struct engine *e, const char *value, struct profile_error *error)
{
	return set_folder(e->path_root.base, value, error);
}

/* ---- What files are for ---------------------------------------------------------------------- */

static const struct option {
	const char *name;
	bool (*set)(struct engine *e, const char *value, struct profile_error *error);
} options_by_name[] = {
	{ "sets", set_sets },
	{ "siblings", set_siblings },
	{ "jobs", set_jobs },
	{ "timeout", set_timeout },
	{ "select", set_select },
	{ "only", set_only },
	{ "ignore", set_ignore },
	{ "severity", set_severity },
	{ "level", set_level },
	{ "layout", set_layout },
	{ "engine", option_engine },
	{ "game", option_game },
	{ "game-signs", option_game_signs },
	{ "unknown", set_unknown },
	{ "fail-on", set_fail_on },
	{ "show-passed", set_show_passed },
	{ "outline", set_outline },
	{ "verbose", set_verbose },
	{ "width", set_width },
	{ "sha256", set_sha256 },
	{ "path-root", set_path_root },
	{ "path-base", set_path_base },
};

static bool set_limit(struct engine *e, size_t limit, const char *value,
		      struct profile_error *error)
{
	if (parse_number(value, &e->limits.of[limit]))
		return true;
	*error = (struct profile_error){ "expected a number, perhaps with K, M or G", value,
					 strlen(value) };
	return false;
}

static uvet_status set_one(uvet_options *options, const char *name, const char *value)
{
	struct profile_error error = { "no such option", NULL, 0 };

	for (size_t i = 0; i < sizeof options_by_name / sizeof *options_by_name; i++) {
		if (strcmp(options_by_name[i].name, name) == 0)
			return options_by_name[i].set(&options->settings, value, &error)
				       ? UVET_OK
				       : refuse(options, name, error);
	}
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (strcmp(limit_infos[i].option, name) == 0)
			return set_limit(&options->settings, i, value, &error)
				       ? UVET_OK
				       : refuse(options, name, error);
	}
	return refuse(options, name, error);
}

static uvet_status set_profile(uvet_options *options, const char *name)
{
	uvet_status status = UVET_OK;
	const char *known = api_profile_named(name), *option, *value;

	if (!known)
		return refuse(
			options, "profile",
			(struct profile_error){ "expected author, hosting, redirect or archive",
						name, strlen(name) });
	options->settings.profile_name = known;
	for (size_t i = 0;
	     ALWAYS(status == UVET_OK) && uvet_profile_setting_at(name, i, &option, &value); i++)
		status = set_one(options, option, value);
	return status;
}

uvet_status uvet_options_set(uvet_options *options, const char *name, const char *value)
{
	if (!options || !name || !value)
		return UVET_BAD_CALL;
	options->error[0] = '\0';
	return strcmp(name, "profile") == 0 ? set_profile(options, value)
					    : set_one(options, name, value);
}

int uvet_options_limit(const uvet_options *options, const char *name, uint64_t *out)
{
	if (!options || !name || !out)
		return 0;
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (strcmp(limit_infos[i].option, name) != 0)
			continue;
		*out = options->settings.limits.of[i];
		return 1;
	}
	return 0;
}

uvet_status uvet_options_key(uvet_options *options, const uint8_t guid[16], const uint8_t key[32])
{
	struct keys *keys;
	struct key *k;

	if (!options || !key)
		return UVET_BAD_CALL;
	options->error[0] = '\0';
	keys = &options->settings.keys;
	if (keys->n == KEYS_MAX)
		return refuse(options, "key",
			      (struct profile_error){ "there are 64 already", NULL, 0 });
	k = &keys->of[keys->n++];
	*k = (struct key){ .for_any = !guid };
	if (guid)
		memcpy(k->guid, guid, sizeof k->guid);
	memcpy(k->bytes, key, sizeof k->bytes);
	return UVET_OK;
}

uvet_status uvet_options_signing_key(uvet_options *options, const uint8_t *modulus,
				     size_t modulus_len, const uint8_t *exponent,
				     size_t exponent_len)
{
	const char *trouble;

	if (!options || !modulus || !exponent)
		return UVET_BAD_CALL;
	options->error[0] = '\0';
	trouble = keys_sign(&options->settings.keys, modulus, modulus_len, exponent, exponent_len);
	return trouble ? refuse(options, "signing key", (struct profile_error){ trouble, NULL, 0 })
		       : UVET_OK;
}

uvet_status uvet_options_learn(uvet_options *options, const uvet_report *good)
{
	const char *trouble;

	if (!options || !good)
		return UVET_BAD_CALL;
	options->error[0] = '\0';
	trouble = reference_learn(&options->settings.reference, api_report(good));
	return trouble ? refuse(options, "policy-from", (struct profile_error){ trouble, NULL, 0 })
		       : UVET_OK;
}

uvet_status uvet_options_global(uvet_options *options, const uvet_report *global)
{
	const struct allocator a = { platform_alloc, platform_release, NULL };
	struct script_objects scripts;
	const char *trouble;

	if (!options || !global)
		return UVET_BAD_CALL;
	options->error[0] = '\0';
	trouble = scripts_refusal(api_report(global));
	if (trouble)
		return refuse(options, "global", (struct profile_error){ trouble, NULL, 0 });
	if (!api_scripts_copy(&scripts, &api_report(global)->scripts, a))
		return UVET_NO_MEMORY;
	api_scripts_free(&options->settings.scripts, a);
	options->settings.scripts = scripts;
	return UVET_OK;
}

void uvet_options_oodle(uvet_options *options, uvet_oodle_decoder *decode, void *ctx)
{
	if (options)
		options->settings.oodle = (struct oodle){ decode, ctx };
}
