/* The rules for dependencies and imported packages, since Unreal Engine 5.3. */
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

	report(c, AT(c, zen_dependency, &d->fields, index), DEC(d->index), SIGNED(d->fields.index),
	       DEC(z->n_exports + z->n_cells), DEC(z->n_imports));
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
