/* Reports and findings of uvet: what a check found, and how much of the file was judged. A part of
 * uvet.h, which includes it, and whose opening says what holds for all of its functions. */
#ifndef UVET_REPORT_H
#define UVET_REPORT_H

#include "uvet/uvet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reports --------------------------------------------------------------------------------- */

/* uvet_report_free frees a report and those nested in it. A nested one is not freed by itself:
 * nothing happens. */
UVET_API void uvet_report_free(uvet_report *report);
UVET_API uvet_verdict uvet_report_verdict(const uvet_report *report);

/* uvet_report_name is how reports call the file: as it was named, or by its path below path-root.
 * On Windows it has / for each \. */
UVET_API const char *uvet_report_name(const uvet_report *report);
UVET_API const char *uvet_report_format(const uvet_report *report); /* "umod"; "" if unknown */

/* uvet_report_scope says what the verdict does not cover: UVET_SCOPE_ flags, or 0. A scope is no
 * wider than that of any nested report. */
UVET_API unsigned uvet_report_scope(const uvet_report *report);

/* A uvet_unjudged is a reason why something that was asked for was not judged. Its strings live as
 * long as the report.
 *
 * reason is "codec", "companion", "key", "limit", "memory", "unreadable", "changed", "cancelled",
 * "time" (it took too long), "worker" (its process ended), "format" (it is of none that is known),
 * "rules" (none was asked that can find an error), or "rule" (its finding says why). what has the
 * details: "Oodle", "max-work", "a read failed", the id of the rule; "" if there are none. */
typedef struct uvet_unjudged {
	size_t struct_size; /* UVET_UNJUDGED_INIT sets it */
	const char *reason;
	const char *what;
	const char *file; /* the companion that it is about; "": the input, or all
					   companions */
	uint64_t bytes;   /* that were not judged; 0 if they cannot be counted */
} uvet_unjudged;

#define UVET_UNJUDGED_INIT \
	{ \
		sizeof(uvet_unjudged), NULL, NULL, NULL, 0 \
	}

/* uvet_report_unjudged_count counts the reasons, uvet_report_unjudged_at fills *out with one and
 * returns 1; 0 past the end. A report that is UVET_UNDETERMINED has one at least, or a nested
 * report that has; one that is UVET_VALID has none. */
UVET_API size_t uvet_report_unjudged_count(const uvet_report *report);
UVET_API int uvet_report_unjudged_at(const uvet_report *report, size_t index, uvet_unjudged *out);

/* uvet_report_diagnosis names what explains the findings of a file as a whole, by an id of clause
 * 5.1 of conformance/spec/run.md ("truncated", "transferred_as_text", ...); NULL: nothing does.
 * uvet_report_diagnosis_certain returns 1 if nothing else makes a file like that, else 0.
 * uvet_report_diagnosis_message writes what happened to buf as uvet_finding_message does.
 * uvet_report_diagnosis_fix says what to do, for whoever got the file, or (for_author not 0) who
 * made it; static, NULL without a diagnosis. */
UVET_API const char *uvet_report_diagnosis(const uvet_report *report);
UVET_API int uvet_report_diagnosis_certain(const uvet_report *report);
UVET_API size_t uvet_report_diagnosis_message(const uvet_report *report, char *buf, size_t size);
UVET_API const char *uvet_report_diagnosis_fix(const uvet_report *report, int for_author);

/* uvet_report_companion_at gives the name of a companion, a file beside the input that belongs to
 * it and that the check opened, or tried to open and reports on; NULL past the end. The check has
 * not looked at any other file there. */
UVET_API const char *uvet_report_companion_at(const uvet_report *report, size_t index);

/* uvet_report_shortages says what the check of a file, or of any file in it, ran out of:
 * UVET_SHORT_ flags, or 0. If any is set, a host that makes several checks at a time may make
 * this one again by itself, and may get more judged. */
enum {
	UVET_SHORT_OF_MEMORY = 1, /* max-memory was reached, or the allocator refused */
	UVET_SHORT_OF_FILES = 2   /* too many files were open to open it, or a companion */
};
UVET_API unsigned uvet_report_shortages(const uvet_report *report);

/* uvet_report_count counts the findings that were kept, uvet_report_found all findings of one
 * severity. uvet_report_at gives the kept ones, NULL past the end; those about the check itself
 * come first, because they say what was not judged. */
UVET_API size_t uvet_report_count(const uvet_report *report);
UVET_API uint64_t uvet_report_found(const uvet_report *report, uvet_severity severity);
UVET_API const uvet_finding *uvet_report_at(const uvet_report *report, size_t index);

/* Files that lie in a file, such as members of an installer, have reports of their own where uvet
 * knows their format. They are nested in the report of the file around them, belong to it, and are
 * named after both: "Mod.umod!System\Foo.umod". One that the file around it installs under the name
 * of another format is checked as such too: "Mod.umod!System\Foo.dat -> System\Foo.umod". The .pak
 * beside a container is judged as a part of it, and nested in its report; it is named by its own
 * path. The verdict of a report is the worst of its file's own and of those nested in it; its
 * findings are its own, and places count from the start of the nested file.
 *
 * uvet_report_nested_count and uvet_report_nested_at give the reports directly below one, in the
 * order of its file; NULL past the end. uvet_report_parent is the one above; NULL: there is none.
 * uvet_report_next goes through a tree: from `top` to what is nested in it, each report before
 * those below it; NULL after the last. */
UVET_API size_t uvet_report_nested_count(const uvet_report *report);
UVET_API const uvet_report *uvet_report_nested_at(const uvet_report *report, size_t index);
UVET_API const uvet_report *uvet_report_parent(const uvet_report *report);
UVET_API const uvet_report *uvet_report_next(const uvet_report *top, const uvet_report *report);

/* uvet_report_place gives the bytes that a nested file takes in the file around it, and returns
 * 1; 0 if it is not nested, was decompressed, or lies beside that file, and has no place there. */
UVET_API int uvet_report_place(const uvet_report *report, uint64_t *offset, uint64_t *length);

/* uvet_report_memory is the most memory that the check held at a time, in bytes; for a nested file,
 * the most that its own facts took. */
UVET_API uint64_t uvet_report_memory(const uvet_report *report);

/* uvet_report_held is the memory that a report and those nested in it hold until it is freed, in
 * bytes. */
UVET_API uint64_t uvet_report_held(const uvet_report *report);

/* ---- Findings -------------------------------------------------------------------------------- */

UVET_API const char *uvet_finding_rule(const uvet_finding *finding); /* "UMD005" */
UVET_API const char *uvet_finding_name(const uvet_finding *finding); /* "crc_mismatch" */
UVET_API uvet_severity uvet_finding_severity(const uvet_finding *finding);

/* uvet_finding_place gives the bytes that the finding is about, and returns 1; 0 if there are
 * none. */
UVET_API int uvet_finding_place(const uvet_finding *finding, uint64_t *offset, uint64_t *length);

/* uvet_finding_file names the companion that the place is in; "": the input itself. */
UVET_API const char *uvet_finding_file(const uvet_finding *finding);

/* uvet_finding_message writes the message, with the file's own text escaped as for a terminal, and
 * a NUL to buf; it returns the length that the whole message has. */
UVET_API size_t uvet_finding_message(const uvet_finding *finding, char *buf, size_t size);

/* uvet_finding_field does the same with the path of the field ("trailer.crc", "entry[3].size"),
 * which is "" if there is none. */
UVET_API size_t uvet_finding_field(const uvet_finding *finding, char *buf, size_t size);

/* These are the finding's class ("security"), why it matters, and what to do about it. What the
 * diagnosis of the report explains is "corruption" where it would be "security" else; report is the
 * one that the finding belongs to. */
UVET_API const char *uvet_finding_class(const uvet_report *report, const uvet_finding *finding);
UVET_API const char *uvet_finding_why(const uvet_finding *finding);
UVET_API const char *uvet_finding_fix(const uvet_finding *finding);

/* uvet_finding_fingerprint writes 16 hexadecimal digits and a NUL, as uvet_finding_message does,
 * which are the same for the same finding in the same bytes, wherever the file lies and however it
 * is called. report is the one that the finding belongs to. Findings that are alike in rule, field
 * and values have the same; report writers tell them apart by a count. */
UVET_API size_t uvet_finding_fingerprint(const uvet_report *report, const uvet_finding *finding,
					 char *buf, size_t size);

/* uvet_finding_data_count counts the values of a finding's message. uvet_finding_data_name and
 * uvet_finding_data_value write the name of one ("stored") and the value as it stands in the
 * message, as uvet_finding_message does; both are "" past the end. */
UVET_API size_t uvet_finding_data_count(const uvet_finding *finding);
UVET_API size_t uvet_finding_data_name(const uvet_finding *finding, size_t index, char *buf,
				       size_t size);
UVET_API size_t uvet_finding_data_value(const uvet_finding *finding, size_t index, char *buf,
					size_t size);

/* uvet_finding_related_at gives what else a finding points at: it returns what is there in a few
 * words, or NULL past the end, and sets *file to the companion that the place is in ("": the
 * input), and *offset and *length to its bytes. Both are 0 if there are none. report is the one
 * that the finding belongs to. */
UVET_API const char *uvet_finding_related_at(const uvet_report *report, const uvet_finding *finding,
					     size_t index, const char **file, uint64_t *offset,
					     uint64_t *length);

#ifdef __cplusplus
}
#endif

#endif
