/* Pages: texts of the command's own that go to standard output, as help and manual. */
#ifndef UVET_CLI_PAGE_H
#define UVET_CLI_PAGE_H

#include "cli/outputs.h"

/* A page is standard output and what is not yet written to it. */
struct page {
	struct output out;
	size_t n;
	char buf[4096];
};

/* page_open begins a page. page_add adds len bytes, page_print a text, page_print_all the texts up
 * to a NULL. page_finish writes what is left and returns the exit code, as output_close does. */
void page_open(struct page *p);
void page_add(struct page *p, const char *text, size_t len);
void page_print(struct page *p, const char *text);
void page_print_all(struct page *p, const char *const *texts);
int page_finish(struct page *p);

/* page_may_show tells whether a text from outside can be a part of a line as it is: it is UTF-8,
 * and no character of it controls a terminal, hides or reorders others, or is a command to a build
 * server. */
bool page_may_show(const char *text);

#endif
