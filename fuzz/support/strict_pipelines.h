/* Strict readers of what uvet writes for pipelines: XML, CSV, and workflow commands. */
#ifndef UVET_FUZZ_SUPPORT_STRICT_PIPELINES_H
#define UVET_FUZZ_SUPPORT_STRICT_PIPELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* strict_xml tells whether the bytes are a declaration and one element whose tags match, whose
 * attributes are quoted, and whose entities are those that each reader of XML knows. */
bool strict_xml(const uint8_t *bytes, size_t n);

/* strict_html does so for a page of HTML that is written as XML is. */
bool strict_html(const uint8_t *bytes, size_t n);

/* strict_csv tells whether each row ends in CR LF and has as many fields as the first, none of
 * which a spreadsheet would compute. */
bool strict_csv(const uint8_t *bytes, size_t n);

/* strict_commands tells whether each line is a workflow command that annotates a file, and the last
 * one a summary; no line holds an older command. */
bool strict_commands(const uint8_t *bytes, size_t n);

#endif
