/* The rules for dependencies and imported packages, since Unreal Engine 5.3. */
#include "formats/iostore/zen_package/parts.h"
#include "formats/iostore/zen_package/zen_rules.h"

FILE_DEFECT_RULE(
	ZEC001, header_end_mismatch, ERROR, ZEN_SECTIONS, zen, z, ZEN_NUMBERS_LONG | ZEN_HEADER_END,
	.class = CLASS_CORRUPTION, .explains = BIT(ZEN_NAMES),
	.title = "The header of a package since 5.3 shall end after the names of the packages that "
		 "it imports.",
	.message = "the header ends at byte {0}, the names of imported packages at {1}",
	.data = "end expected",
	.why = "The engine reads the payload from the end of the header on, and each export from "
	       "another place than where it is.",
	.fix = FIX_GET, .spec = SPEC(7.1))
{
	report(c, zen_offset(c, z, ZEN_AT_SUMMARY), DEC(z->header_end), DEC(z->packages_end));
}

FILE_DEFECT_RULE(
	ZEC002, dependency_count_mismatch, ERROR, ZEN_OBJECTS, zen, z, ZEN_DEPENDENCY_COUNT,
	.class = CLASS_SECURITY, .explains = BIT(ZEN_GRAPH),
	.title = "There shall be a dependency header of 20 bytes for each export and cell export.",
	.message =
		"the dependency headers have {0}, expected {1} for {2} {2:export|exports} and {3} "
		"{3:cell|cells}",
	.data = "length expected exports cells",
	.why = "The engine reads one for each export, and other bytes where there is none.",
	.fix = FIX_GET, .spec = SPEC(7.2))
{
	report(c, zen_offset(c, z, ZEN_AT_DEPENDENCY_HEADS),
	       SIZE(z->sections[ZEN_AT_DEPENDENCY_HEADS].len),
	       SIZE((z->n_exports + z->n_cells) * zen_dependency_head_fixed_len), DEC(z->n_exports),
	       DEC(z->n_cells));
}

DEFECT_RULE(ZEC003, dependency_range_out_of_range, ERROR, ZEN_DEPENDENCY_HEAD_ROWS, h,
	    ZEN_HEAD_FIRST | ZEN_HEAD_NEGATIVE | ZEN_HEAD_OUT,
     .class   = CLASS_SECURITY,
     .title   = "The dependencies of an export shall be among those of the package.",
     .message = "dependency header {0} has {1} {1:entry|entries} from {2} on, which is out of "
		"range{3}: the count of entries is {4}",
     .data    = "dependency_head entries first what count",
     .why     = "The engine reads them without a check, from foreign memory, and may crash.",
     .fix     = FIX_GET,
     .spec    = SPEC(7.3))
{
	report(c, AT(c, zen_dependency_head, &h->fields, first), DEC(h->index), DEC(h->sum),
	       SIGNED(h->fields.first),
	       either(h->traits & ZEN_HEAD_NEGATIVE, ", as one of its counts is negative", ""),
	       DEC(zen_of(c)->n_dependencies));
}

DEFECT_RULE(ZEC004, dependency_out_of_range, ERROR, ZEN_DEPENDENCY_ROWS, d,
	    ZEN_DEPENDENCY_ZERO | ZEN_DEPENDENCY_EXPORT_OUT | ZEN_DEPENDENCY_IMPORT_OUT,
     .class   = CLASS_SECURITY,
     .title   = "A dependency shall be an export or an import of the package.",
     .message = "dependency {0} is {1}; the package has {2} {2:export|exports} and {3} "
		"{3:import|imports}",
     .data    = "dependency value exports imports",
     .why     = "The engine takes it as an index without a check, reads foreign memory, and may "
		"crash.",
     .fix     = FIX_GET,
     .spec    = SPEC(7.4))
{
	const struct zen *z = zen_of(c);

	/* cells are counted after exports, and imports of cells after other imports */
	report(c, AT(c, zen_dependency, &d->fields, index), DEC(d->index), SIGNED(d->fields.index),
	       DEC(z->n_exports + z->n_cells), DEC(z->n_imports + z->n_cell_imports));
}

FILE_DEFECT_RULE(
	ZEC005, imported_names_extra, ERROR, ZEN_OBJECTS, zen, z, ZEN_PACKAGES_COUNT,
	.class = CLASS_CORRUPTION, .also = BIT(ZEN_NAMES),
	.title = "There shall be as many names of imported packages as imports refer to.",
	.message = "the package names {0} imported {0:package|packages}, but its imports refer to "
		   "{1}",
	.data = "names expected",
	.why = "A game loads the packages that the store entry lists, which packers take from "
	       "these "
	       "names. Names without imports, and imports that count otherwise, are of another "
	       "state of the package: what it imports is another object than what was meant.",
	.fix = FIX_GET, .spec = SPEC(7.5))
{
	report(c, zen_offset(c, z, ZEN_AT_PACKAGES), DEC(z->n_packages), DEC(z->packages_used));
}

DEFECT_RULE(ZEC013, dependency_missing, ERROR, ZEN_DEPENDENCY_ROWS, d, ZEN_DEPENDENCY_NOTHING,
     .class   = CLASS_SECURITY,
     .title   = "A dependency shall not be an import that is no object.",
     .message = "dependency {0} is import {1}, which is no object",
     .data    = "dependency import",
     .why     = "The engine takes the import for one of another package, and its bits as an index "
		"without a check: it reads foreign memory, and may crash.",
     .fix     = FIX_GET,
     .spec    = SPEC(7.6))
{
	report(c, AT(c, zen_dependency, &d->fields, index), DEC(d->index),
	       DEC((uint64_t)-d->fields.index - 1));
}

/* The dependency header of a step; two steps for each. */
static struct place head_place(struct check *c, const struct zen *z, uint64_t step)
{
	struct zen_dependency_head_item item;

	zen_view_dependency_heads(z, step / 2, 1, &item);
	return AT(c, zen_dependency_head, &item.fields, first);
}

FILE_DEFECT_RULE(ZEC010, dependency_cyclic, ERROR, ZEN_GRAPH, zen, z, ZEN_STEP_CYCLE,
		 .class = CLASS_SECURITY,
		 .title = "No export shall have to be created or serialized before itself.",
		 .message = "export {0}, {1}, waits for itself: it is {2} after a chain of {3} "
			    "{3:dependency|dependencies} that ends with the same step",
		 .data = "export path step length",
		 .why = "The engine does what a step waits for inside of that step, without end, "
			"and crashes; or it waits for ever.",
		 .fix = FIX_GET, .spec = SPEC(7.7))
{
	const uint64_t step = z->step_cycle.node;
	struct export_text text;

	report(c, head_place(c, z, step), DEC(step / 2), export_name(c, step / 2, &text),
	       either(step % 2, "serialized", "created"), DEC(z->step_cycle.length));
}

FILE_DEFECT_RULE(
	ZEC012, dependencies_shared, WARNING, ZEN_GRAPH, zen, z, ZEN_DEPENDENCIES_SHARED,
	.class = CLASS_SECURITY, .title = "No two exports should share a dependency.",
	.message =
		"the dependency headers list {0} {0:dependency|dependencies}, expected {1} at most",
	.data = "listed dependencies",
	.why = "Engines write each dependency for one export, so another tool made this package. "
	       "Whether an export waits for itself is not judged then.",
	.fix = FIX_IF_NEEDED, .spec = SPEC(7.8))
{
	report(c, zen_offset(c, z, ZEN_AT_DEPENDENCY_HEADS), DEC(z->dependency_sum),
	       DEC(z->n_dependencies));
}
