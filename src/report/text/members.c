/* Members of an archive that are sound, or broken like those before them, say nothing new. */
#include "report/text/members.h"

#include "report/describe.h"

/* How many with findings are shown, and how many lines of others, fewer where the findings of the
 * file itself fill the page. */
enum { WITH_FINDINGS_MAX = 3, LINES_MAX = 20, LINES_OF_INVALID_MAX = 8 };

static bool is_sound(const struct report *r)
{
	return r->verdict == VERDICT_VALID || r->verdict == VERDICT_NOT_APPLICABLE;
}

/* Members that are sound are listed where the file is, and their notes where it is not invalid. */
static struct view view_of_member(struct members *m, const struct entry *e, bool has_findings)
{
	const struct report *r = e->report;
	const bool is_invalid = e->top->verdict == VERDICT_INVALID;
	const bool is_note = r->n_found[SEVERITY_ERROR] + r->n_found[SEVERITY_UNDETERMINED] +
				     r->n_found[SEVERITY_WARNING] ==
			     0;

	if (has_findings && !(is_note && is_invalid) && m->n_with_findings < WITH_FINDINGS_MAX)
		return (struct view){ true, true,
				      m->n_with_findings++ == 0 ? FINDINGS_SOME : FINDINGS_ONE };
	if ((is_sound(r) && is_invalid) ||
	    m->n_lines == (is_invalid ? LINES_OF_INVALID_MAX : LINES_MAX)) {
		m->n_left[r->verdict]++;
		return (struct view){ .is_shown = false };
	}
	m->n_lines++;
	return (struct view){ .is_shown = true };
}

struct view members_view(struct members *m, const struct writer *w, const struct entry *e,
			 bool has_findings)
{
	if (w->engine->verbose || e->report == e->top)
		return (struct view){ true, has_findings, FINDINGS_PAGE };
	return view_of_member(m, e, has_findings);
}

static void write_verdicts(const struct members *m, struct out *o)
{
	const char *before = ": ";

	for (size_t i = 0; i < N_VERDICTS; i++) {
		if (m->n_left[i] == 0)
			continue;
		out_string(o, before);
		out_dec(o, m->n_left[i]);
		out_byte(o, ' ');
		out_string(o, verdict_name((enum verdict)i));
		before = ", ";
	}
}

void members_end(struct members *m, struct writer *w)
{
	uint64_t n = 0;

	for (size_t i = 0; i < N_VERDICTS; i++)
		n += m->n_left[i];
	if (n > 0) {
		out_string(&w->out, "... ");
		out_count(&w->out, n, "file");
		out_string(&w->out, " in it not listed");
		write_verdicts(m, &w->out);
		out_string(&w->out, n == 1 ? "; -v shows it\n" : "; -v shows them\n");
	}
	*m = (struct members){ .n_lines = 0 };
}
