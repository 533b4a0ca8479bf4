/* Quoted texts from outside, on a page. */
#ifndef UVET_CLI_QUOTED_H
#define UVET_CLI_QUOTED_H

#include "cli/page.h"

/* quoted_bytes writes bytes between double quotes, those that are no UTF-8, and characters that
 * control a terminal or are not seen, as \xNN; quoted_text a text that ends in NUL. */
void quoted_bytes(struct page *p, const char *bytes, size_t len);
void quoted_text(struct page *p, const char *text);

/* quoted_json writes a string of JSON: bytes that are no UTF-8 become U+FFFD. quoted_path_json
 * writes the member "path", and "path_b64" where the path has such bytes. */
void quoted_json(struct page *p, const char *bytes, size_t len);
void quoted_path_json(struct page *p, const char *path);

#endif
