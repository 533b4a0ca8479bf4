/* The rules for the global container: its chunks, and the script objects in them. */
#include "core/mutant.h"
#include "formats/iostore/global/place_rules.h"
#include "formats/iostore/names/object_path.h"

/* ---- The chunks ------------------------------------------------------------------------------ */

RULE(GLB001, script_objects_missing, ERROR, UTOC_CHUNKS,
     .class   = CLASS_CORRUPTION, .versions = SINCE(TOC_OVERFLOW),
     .title   = "The global container of Unreal Engine 5 shall have the chunk ScriptObjects.",
     .message = "none of {0} {0:chunk|chunks} is ScriptObjects with the id 0",
     .data    = "chunks",
     .why     = "The engine looks for this chunk when it starts, and no package can be loaded "
                "without it; tools that read packages stop, too.",
     .fix     = "Players: have the store repair the game; if a mod brought the file, remove it. "
                "Authors: take the file from a cooked build.",
     .spec    = "iostore.md#11.1")
{
	const struct utoc *u = c->facts;

	if (u->global.is_global && u->global.n_missing > 0)
		report(c, AT(c, utoc_header, &u->toc.header, n_chunks), DEC(u->toc.n_chunks));
}

/* Whether the count of script objects and their chunk do not agree; a form of the other engine has
 * no count. */
static bool is_misfit(const struct global *g)
{
	/* mutant: 16 zeros may follow */
	return g->is_cut || g->trailing.len > GLOBAL_PAD_MAX + MUTANT(335) || !g->trailing_zero;
}

/* The count if the chunk is too short for it, else what follows the script objects. */
static struct place misfit_place(const struct check *c)
{
	const struct global *g = global_of(c);
	const uint64_t len = script_object_count_fixed_len;

	if (!g->is_cut)
		return global_place(c, GLOBAL_PART_OBJECTS, g->trailing.at, g->trailing.len);
	return global_place(c, GLOBAL_PART_OBJECTS, g->count_at,
			    g->cut_left < len && g->cut_wants == len ? g->cut_left : len);
}

RULE(GLB002, script_objects_size_mismatch, ERROR, GLOBAL_NAMES,
     .class   = CLASS_SECURITY, .versions = SINCE(TOC_OVERFLOW), .explains = BIT(GLOBAL_OBJECTS),
     .title   = "The chunk ScriptObjects shall have 32 bytes for each script object that it "
                "counts, and after them at most 15 zeros.",
     .message = "{0} script {0:object takes|objects take} {1} from byte {2} of the chunk on, which "
                "has {3} from there on",
     .data    = "objects wanted at left",
     .why     = "Engines make room for the count without a check, and read past the end.",
     .fix     = "Players: have the store repair the game; if a mod brought the file, remove it. "
                "Authors: take the file from a cooked build.",
     .spec    = "iostore.md#11.2")
{
	const struct global *g = global_of(c);

	if (g->is_read && is_misfit(g))
		report(c, misfit_place(c), DEC(g->claimed), SIZE(g->cut_wants), DEC(g->cut_at),
		       SIZE(g->cut_left));
}

static struct arg part_name(enum global_part_name part)
{
	static const char *const names[] = { "LoaderInitialLoadMeta", "LoaderGlobalNames",
					     "LoaderGlobalNameHashes" };

	return WORD(names[part]);
}

static const char *misfit_words(const struct global *g)
{
	if (g->is_cut)
		return "is too short for its count of script objects";
	return g->trailing_zero ? "has more than 15 zeros after its script objects"
				: "has other bytes after its script objects";
}

RULE(GLB003, loader_chunk_invalid, ERROR, UTOC_CHUNKS,
     .class   = CLASS_SECURITY, .versions = UNTIL(TOC_PERFECT_HASH),
     .explains = BIT(GLOBAL_OBJECTS),
     .title   = "The global container of Unreal Engine 4 shall have the chunks LoaderGlobalNames, "
                "LoaderGlobalNameHashes and LoaderInitialLoadMeta, and the last 32 bytes for each "
                "script object that it counts.",
     .message = "{0} {1}",
     .data    = "chunk defect",
     .why     = "The engine reads all three when it starts, and no package can be loaded without "
                "them; it makes room for the count without a check.",
     .fix     = "Players: have the store repair the game; if a mod brought the file, remove it. "
                "Authors: take the file from a cooked build.",
     .spec    = "iostore.md#11.3")
{
	const struct utoc *u = c->facts;
	const struct global *g = &u->global;

	for (unsigned i = 0; g->is_global && i < g->n_parts; i++)
		if (g->parts[i].chunk == TOC_NONE)
			report(c, AT(c, utoc_header, &u->toc.header, n_chunks),
			       part_name((enum global_part_name)i), WORD("is missing"));
	if (g->is_read && is_misfit(g))
		report(c, misfit_place(c), part_name(GLOBAL_PART_OBJECTS), WORD(misfit_words(g)));
}

/* ---- Script objects -------------------------------------------------------------------------- */

static struct place object_place(const struct check *c, const struct script_object_view *o,
				 enum script_object_places at, enum script_object_places last,
				 const char *field)
{
	struct place p = global_place(c, GLOBAL_PART_OBJECTS, o->at + (uint64_t)at,
				      (uint64_t)last - (uint64_t)at + 1);

	p.record = "script_object";
	p.field = field;
	p.index = o->index;
	return p;
}

#define AT_OBJECT(c, o, field) \
	object_place(c, o, script_object_place_##field, script_object_last_##field, #field)

DEFECT_RULE(GLB004, script_name_out_of_range, ERROR, GLOBAL_OBJECT_ROWS, o, SCRIPT_NAME_OUT,
     .class   = CLASS_SECURITY,
     .title   = "The name of a script object shall be one of the global container's.",
     .message = "script object {0} has the name {1} of type {2}, which is out of range: the count "
                "of names of type 2 is {3}",
     .data    = "object name type names",
     .why     = "The engine uses the number as an index without a check, reads foreign memory, "
                "and may crash when it starts.",
     .fix     = "Players: have the store repair the game; if a mod brought the file, remove it. "
                "Authors: take the file from a cooked build.",
     .spec    = "iostore.md#11.4")
{
	report(c, AT_OBJECT(c, o, name), DEC(o->index), DEC(mapped_index(o->name)),
	       DEC(mapped_owner(o->name)), DEC(global_of(c)->names.n));
}

static const char *id_defect(uint32_t traits)
{
	if (traits & SCRIPT_ID_KIND)
		return "is not one of a script object";
	return traits & SCRIPT_ID_REPEATED ? "is that of an earlier one"
					   : "is not the hash of its path";
}

DEFECT_RULE(GLB005, script_object_id_mismatch, ERROR, GLOBAL_OBJECT_ROWS, o,
     SCRIPT_ID_KIND | SCRIPT_ID_REPEATED | SCRIPT_HASH_DIFFERS,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA,
     .title   = "The id of a script object shall be the hash of its path, and no two shall have "
                "the same.",
     .message = "script object {0} has the id {1}, which {2}",
     .data    = "object id defect",
     .why     = "Packages import a script object by its id alone: they get another one or none, "
                "and do not load.",
     .fix     = "Players: have the store repair the game; if a mod brought the file, remove it. "
                "Authors: take the file from a cooked build.",
     .spec    = "iostore.md#11.5")
{
	report(c, AT_OBJECT(c, o, id), DEC(o->index), HEX(o->id), WORD(id_defect(o->traits)));
}

DEFECT_RULE(GLB006, script_outer_unknown, ERROR, GLOBAL_OBJECT_ROWS, o,
     SCRIPT_OUTER_UNKNOWN | SCRIPT_OUTER_CYCLE | SCRIPT_CLASS_UNKNOWN,
     .class   = CLASS_CORRUPTION,
     .title   = "The outer and the class of a script object shall be script objects of the global "
                "container or none, and no outer shall lead back.",
     .message = "script object {0} has the {1} {2}, which {3}",
     .data    = "object field id defect",
     .why     = "The engine follows these numbers when it starts, and does not find the object; a "
                "cycle never ends.",
     .fix     = "Players: have the store repair the game; if a mod brought the file, remove it. "
                "Authors: take the file from a cooked build.",
     .spec    = "iostore.md#11.6")
{
	if (o->traits & SCRIPT_CLASS_UNKNOWN)
		report(c, AT_OBJECT(c, o, class), DEC(o->index), WORD("class"), HEX(o->class),
		       WORD("is no script object of the container"));
	if (o->traits & (SCRIPT_OUTER_UNKNOWN | SCRIPT_OUTER_CYCLE))
		report(c, AT_OBJECT(c, o, outer), DEC(o->index), WORD("outer"), HEX(o->outer),
		       either(o->traits & SCRIPT_OUTER_CYCLE, "leads back to it",
			      "is no script object of the container"));
}
