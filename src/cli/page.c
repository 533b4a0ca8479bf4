/* Pages: gathered into blocks, so that a page takes few writes. */
#include "cli/page.h"

#include <string.h>

#include "core/mutant.h"
#include "core/text.h"
#include "core/utf8.h"

void page_open(struct page *p)
{
	p->out = output_open_stdout();
	p->n = 0;
}

static void page_flush(struct page *p)
{
	output_sink(&p->out, p->buf, p->n);
	p->n = 0;
}

void page_add(struct page *p, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (p->n == sizeof p->buf)
			page_flush(p);
		p->buf[p->n++] = text[i];
	}
}

void page_print(struct page *p, const char *text)
{
	page_add(p, text, strlen(text));
}

void page_print_all(struct page *p, const char *const *texts)
{
	for (; *texts; texts++)
		page_print(p, *texts);
}

int page_finish(struct page *p)
{
	page_flush(p);
	return output_close(&p->out);
}

bool page_may_show(const char *text)
{
	const uint8_t *at = (const uint8_t *)text;
	size_t left = strlen(text), n;
	uint32_t c;

	for (; left > 0; at += n, left -= n) {
		n = utf8_next(at, left, &c);
		/* mutant: what reorders text passes */
		if (n == 0 || (text_is_unseen(c) && !(MUTANT(253) && c >= 0x2000)) ||
		    (c == '#' && at[1] == '#'))
			return false;
	}
	return true;
}
