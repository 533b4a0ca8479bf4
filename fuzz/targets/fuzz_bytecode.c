/* Code of UnrealScript: the input becomes the code of a function, state, struct or class in a
 * package that is sound otherwise. What the walk finds is held against a second walker, defect
 * by defect. */
#include <stdlib.h>
#include <string.h>

#include "formats/upkg/upkg.h"
#include "inputs/package.h"
#include "inputs/script_input.h"
#include "oracle/oracle.h"
#include "reference/reference.h"
#include "reference/reference_script.h"
#include "support/buffers.h"
#include "support/memory.h"
#include "support/must.h"
#include "targets/harness.h"

/* A package with the code, and where that is. */
struct build {
	struct package p;
	const struct script_input *input;
	size_t body_at[PACKAGE_EXPORTS], code_at;
	int64_t size; /* that the code is said to have in memory */
};

/* ---- The package ----------------------------------------------------------------------------- */

/* What stands before the code: its properties, super, next, text, children, name, place in the
 * text, and its size. */
static void add_head(struct build *b, int64_t size)
{
	static const uint8_t head[] = { 0, 0, 0, 0, 5, 1, 0, 0, 0, 2, 0, 0, 0 };

	if (b->input->class != PACKAGE_CLASS)
		package_add_number(&b->p, 1, PACKAGE_NONE);
	package_add(&b->p, head, sizeof head);
	package_add_number(&b->p, 4, (uint64_t)size);
}

static void add_state(struct build *b)
{
	package_add_number(&b->p, 8, 0);
	package_add_number(&b->p, 8, 0);
	package_add_number(&b->p, 2, 0xFFFF);
	package_add_number(&b->p, 4, 0);
}

static void add_tail(struct build *b)
{
	const unsigned version = b->input->version;

	switch (b->input->class) {
	case PACKAGE_FUNCTION:
		package_add_number(&b->p, version <= 63 ? 8 : 3, 0);
		package_add_number(&b->p, 4, 0x00020002);
		break;
	case PACKAGE_STATE:
		add_state(b);
		break;
	case PACKAGE_STRUCT:
		break;
	case PACKAGE_CLASS:
		add_state(b);
		package_add_number(&b->p, (version <= 61 ? 8 : 4) + 16, 0);
		/* counts of what it depends on and imports, and its defaults */
		package_add_number(&b->p, version <= 61 ? 3 : 5, 0);
		break;
	}
}

/* Another body with code stands before: a jump to its last token, a number, and that token. The
 * walk is to forget all of it. */
static void add_first(struct build *b)
{
	static const uint8_t code[] = { 0x06, 8, 0, 0x1D, 1, 0, 0, 0, 0x0B };

	add_head(b, sizeof code);
	package_add(&b->p, code, sizeof code);
	add_tail(b);
}

static void build(struct build *b)
{
	package_begin(&b->p, b->input->version);
	b->body_at[0] = b->p.n;
	add_first(b);
	b->body_at[1] = b->p.n;
	add_head(b, b->size);
	b->code_at = b->p.n;
	package_add(&b->p, b->input->code, b->input->n);
	if (!b->input->cut)
		add_tail(b);
	package_end(&b->p, b->input->version, b->input->class, b->body_at);
}

/* ---- The two walks --------------------------------------------------------------------------- */

/* What the second walker says of the code with all that follows it in the body. */
static void walk(struct reference_code *c, const struct build *b, const uint8_t *bytes,
		 uint64_t end)
{
	c->data = bytes + b->code_at;
	c->n = end - b->code_at;
	c->size = b->size;
	c->version = b->input->version;
	c->n_names = PACKAGE_NAMES;
	c->n_exports = PACKAGE_EXPORTS;
	c->n_imports = PACKAGE_IMPORTS;
	c->none = PACKAGE_NONE;
	reference_script(c);
}

static void compare_defect(const struct build *b, const struct reference_defect *s,
			   const struct upkg_flaw *f)
{
	static const enum upkg_flaw_kind kinds[] = {
		[REFERENCE_CODE_SIZE] = FLAW_SCRIPT_SIZE,
		[REFERENCE_CODE_CUT] = FLAW_SCRIPT_CUT,
		[REFERENCE_REFERENCE] = FLAW_SCRIPT_REFERENCE,
		[REFERENCE_TOKEN] = FLAW_TOKEN,
		[REFERENCE_TARGET] = FLAW_TARGET,
		[REFERENCE_LENGTH] = FLAW_SKIP,
		[REFERENCE_DEPTH] = FLAW_DEPTH,
		[REFERENCE_LABEL] = FLAW_LABEL,
		[REFERENCE_TABLE] = FLAW_LABEL_TABLE,
		[REFERENCE_PLACE_OF_TOKEN] = FLAW_TOKEN_PLACE,
	};
	uint64_t at = s->kind == REFERENCE_CODE_SIZE ? b->code_at - 4 : b->code_at + s->at;

	MUST(f->export == 1, "nothing is found in the code before");
	MUST(f->kind == kinds[s->kind] ||
		     (f->kind == FLAW_TOKEN_CASE && s->kind == REFERENCE_PLACE_OF_TOKEN),
	     "a second walk finds the same in the same order");
	MUST(f->second == s->second, "a second walk finds the same numbers");
	if (s->kind != REFERENCE_CODE_CUT)
		MUST(f->at == at && f->first == s->first,
		     "a second walk finds it at the same place");
}

/* The code ends where its input does, so that what follows it is what belongs there. */
static bool is_all(const struct build *b, const struct reference_code *c)
{
	return c->ended && c->at == b->input->n && !b->input->cut;
}

/* Both lists, when they differ. */
static void show(const struct build *b, const struct reference_code *c,
		 const struct upkg_flaws *flaws)
{
	fprintf(stderr, "version %u, class %d, code at %zu, size %lld\n", b->input->version,
		(int)b->input->class, b->code_at, (long long)b->size);
	for (size_t i = 0; i < c->n_defects; i++)
		fprintf(stderr, "reference: kind %d at %llu: %lld, %lld\n", (int)c->defects[i].kind,
			(unsigned long long)c->defects[i].at, (long long)c->defects[i].first,
			(long long)c->defects[i].second);
	for (size_t i = 0; i < flaws->n; i++)
		fprintf(stderr, "uvet: kind %d at %llu: %lld, %lld\n",
			flaws->rows[i].kind - FLAW_SCRIPT_SIZE,
			(unsigned long long)(flaws->rows[i].at - b->code_at),
			(long long)flaws->rows[i].first, (long long)flaws->rows[i].second);
}

/* What the second walk looks for, in the code. What stands around it, what it refers to and how it
 * ends is the reference reader's in Python. */
static bool is_walked(const struct upkg_flaw *f, uint64_t end)
{
	switch (f->kind) {
	case FLAW_SCRIPT_CUT:
		return true;
	case FLAW_SCRIPT_SIZE:
	case FLAW_SCRIPT_REFERENCE:
	case FLAW_TOKEN:
	case FLAW_TARGET:
	case FLAW_SKIP:
	case FLAW_DEPTH:
	case FLAW_LABEL:
	case FLAW_LABEL_TABLE:
	case FLAW_TOKEN_PLACE:
	case FLAW_TOKEN_CASE:
		return f->at < end;
	default:
		return false;
	}
}

/* Where nothing of the code is decoded nothing is found in it. */
static void compare(struct decode *d, const struct upkg *u, const struct build *b,
		    const struct reference_code *c)
{
	const struct upkg_flaws *flaws = &u->flaws[FLAWS_SCRIPTS];
	const uint64_t end = b->code_at + (c->ended ? c->at : c->n);
	size_t n = 0;

	MUST(decode_has(d, UPKG_BODIES) && u->era != UPKG_OTHER,
	     "the package around the code is sound");
	MUST(decode_has(d, UPKG_SCRIPTS) == (b->input->version <= 69),
	     "code is decoded in the versions that were measured");
	if (!decode_has(d, UPKG_SCRIPTS)) {
		MUST(flaws->n == 0, "what is not decoded has no flaws");
		return;
	}
	if (c->n_defects == REFERENCE_DEFECTS || c->n_tokens == REFERENCE_TOKENS)
		return;
	for (uint64_t i = 0; i < flaws->n; i++)
		n += is_walked(&flaws->rows[i], end);
	if (n != c->n_defects)
		show(b, c, flaws);
	MUST(n == c->n_defects, "a second walk finds as much");
	n = 0;
	for (uint64_t i = 0; i < flaws->n; i++)
		if (is_walked(&flaws->rows[i], end))
			compare_defect(b, &c->defects[n++], &flaws->rows[i]);
	if (!c->ended || is_all(b, c))
		MUST(u->n_long_indexes == c->n_odd, "a second walk finds as many odd indexes");
}

static void check_facts(const struct build *b, const uint8_t *bytes, const struct reference_code *c)
{
	struct memory memory;
	struct arena arena;
	struct source source;
	struct decode d = engine_decode(oracle_engine(), &source, &arena, NULL);
	struct limits limits = *d.limits;
	const struct upkg *u;

	memory_init(&memory, 0xA5);
	arena_init(&arena, memory_allocator(&memory), UINT64_MAX);
	source_init_memory(&source, bytes, b->p.n, "Mod.u", &arena);
	limits.of[LIMIT_rule_findings] = UINT64_MAX; /* a row for each flaw */
	d.limits = &limits;
	u = upkg_format.decode(&d);
	MUST(u, "decoding returns facts where there is memory");
	compare(&d, u, b, c);
	arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum {
		AFTER_CODE = 7
	}; /* the first of these, this many, are about what follows the code */
	static const char *const never[] = { "PRP001", "FUN001", "CLS001", "BYT008", "NAT001",
					     "NAT002", "NAT003", "HDR001", "HDR004", "HDR005",
					     "HDR008", "HDR014", "HDR020", "HDR022", "HDR023",
					     "PNM001", "PNM002", "PNM007", "IMP001", "IMP004",
					     "EXP001", "EXP002", "EXP004", "EXP006", "EXP012",
					     "BOD001", NULL };
	static struct reference_code code;
	struct script_input input;
	struct build b = { .input = &input };
	uint8_t *exact;

	if (!script_input_read(&input, data, size))
		return 0;
	b.p.bytes = malloc(input.n + PACKAGE_ROOM);
	MUST(b.p.bytes, "the machine has memory for a harness");
	b.size = script_input_size(&input, &code);
	build(&b);
	exact = buffer_copy(b.p.bytes, b.p.n);
	free(b.p.bytes);
	walk(&code, &b, exact, reference_u32(exact + 32));
	check_facts(&b, exact, &code);
	oracle_check_some(
		&(struct subject){ .format = &upkg_format,
				   .data = exact,
				   .size = b.p.n,
				   .name = "Mod.u",
				   .never = never + (is_all(&b, &code) ? 0 : AFTER_CODE) });
	free(exact);
	return 0;
}
