/* The rules for what members are: links, devices, programs. member_rules.h includes it, and says
 * what is defined before. */

MEMBERS_RULE(MEMBERS_ID(ARC047), member_link, ERROR, MEMBERS_ROWS, m, ARC_LINK | ARC_LINK_OUT,
	     .class = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_WARNING,
	     .lesser_when = "it does not lead out of the folder, as far as its target was read",
	     .title = "No member should be a link, and a link shall not lead out of the folder.",
	     .message = "{0} is a link that leads {1} {2}", .data = "name where target",
	     .why = "No mod needs links. What is unpacked later is written to where a link leads, "
		    "and programs that unpack treat links in different ways.",
	     .fix = "Players: do not unpack the archive, if a link leads out of it. Authors: pack "
		    "the files themselves.",
	     .spec = "archive.md#2.18")
{
	const bool leaves = m->traits & ARC_LINK_OUT;
	const char *where = m->target.ref.n_units > 0 ? "to" : "to what was not read,";

	report_as(c, !leaves, MEMBERS_PLACE(c, m), TEXT_OF(m->name),
		  WORD(leaves ? "out of the folder that it is unpacked to" : where),
		  TEXT_OF(m->target));
}

#ifndef MEMBERS_OPENS
#define MEMBERS_OPENS(c, m) false
#endif

/* A link to a file, whose name promises a format. */
static inline bool is_promising_link(const struct check *c, const struct arc_member *m)
{
	(void)c;
	return m->traits & ARC_LINK && m->kind != ARC_FILE && !MEMBERS_OPENS(c, m) &&
	       members_promises(m->name);
}

#define MEMBERS_ROWS_RULE(ID, NAME, SEVERITY, TABLE, ...) \
	RULE_OF_ROWS(ID, NAME, SEVERITY, TABLE, __VA_ARGS__)

MEMBERS_ROWS_RULE(
	MEMBERS_ID(ARC200), member_link_promising, UNDETERMINED, MEMBERS_ROWS, m,
	is_promising_link(c, row), .class = CLASS_SECURITY, .sign = SIGN_INTENT,
	.title = "A link should not have the name of a file that is checked.",
	.message = "{0} is a link to {1}, which was not checked under this name",
	.data = "name target",
	.why = "A game opens what the link leads to by the name of the link. Under its own "
	       "name that may be a file which is not looked at.",
	.fix = "Players: do not use the mod, unless you know its author. Authors: pack the "
	       "file itself.",
	.spec = "archive.md#2.18")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name), TEXT_OF(m->target));
}

MEMBERS_ROWS_RULE(MEMBERS_ID(ARC202), member_promise_hidden, UNDETERMINED, MEMBERS_ROWS, m,
		  members_hides_promise(row), .class = CLASS_SECURITY, .sign = SIGN_INTENT,
		  .title = "A member of which programs make a file that is checked should be a "
			   "file of that name.",
		  .message = "{0} is {1}, and was not checked as one", .data = "name what",
		  .why = "Who unpacks it has a file that a game opens, and which was not checked.",
		  .fix = "Players: do not use the mod, unless you know its author. Authors: rename "
			 "the file.",
		  .spec = "archive.md#2.25")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name),
	       either(m->kind == ARC_FILE,
		      "the name of a file that is checked without what programs drop of it",
		      "a pipe or a socket, of which programs make a file that is checked"));
}

MEMBERS_RULE(MEMBERS_ID(ARC048), member_device, ERROR, MEMBERS_ROWS, m, ARC_NODE | ARC_PIPE,
	     .class = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_WARNING,
	     .lesser_when = "it is a pipe or a socket, as zip programs store their standard input",
	     .title = "A member shall be a file or a folder, and no device.",
	     .message = "{0} is a {1}, not a file", .data = "name kind",
	     .why = "Unpacked by an administrator it opens the device, as a disk; other programs "
		    "fail or wait for ever.",
	     .fix = "Players: do not unpack the archive. Authors: pack files only.",
	     .spec = "archive.md#2.19")
{
	report_as(c, m->traits & ARC_PIPE, MEMBERS_PLACE(c, m), TEXT_OF(m->name),
		  either(m->traits & ARC_PIPE, "pipe or socket", "device"));
}

MEMBERS_RULE(MEMBERS_ID(ARC049), member_program, NOTE, MEMBERS_ROWS, m, ARC_PROGRAM,
	     .class = CLASS_SECURITY, .title = "What a mod has in it should not run by itself.",
	     .message = "{0} is a program", .data = "name",
	     .why = "It can do on a computer what the player can. Mods that are loaded by a "
		    "library of their own need one; sites have somebody look at them.",
	     .fix = "Players: run it only if you trust its author. Authors: say what it is for, "
		    "or leave it out.",
	     .spec = "archive.md#2.20")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(
	MEMBERS_ID(ARC050), member_runs_as_owner, NOTE, MEMBERS_ROWS, m, ARC_SETS_USER,
	.class = CLASS_HYGIENE,
	.title = "No file should run with the rights of its owner, or be a reparse point.",
	.message = "{0} has the bit that runs it with the rights of its owner or group, or is "
		   "a reparse point",
	.data = "name",
	.why = "Unpacked by an administrator it runs with these rights, whoever starts it. Old "
	       "build tools set the bit for all files.",
	.fix = "Players: do not unpack the archive as an administrator. Authors: take the bit "
	       "away.",
	.spec = "archive.md#2.21")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_ROWS_RULE(
	MEMBERS_ID(ARC201), member_program_disguised, WARNING, MEMBERS_ROWS, m,
	row->is_disguised && !(row->traits & ARC_PROGRAM), .class = CLASS_SECURITY,
	.sign = SIGN_INTENT, .also = MEMBERS_SEEN, .lesser = SEVERITY_NOTE,
	.lesser_when = "its name is not that of a text, a picture, a sound or a file of "
		       "a game",
	.title = "A program should have the name of one.",
	.message = "{0} begins as a program or a script does, and its name is that of {1}",
	.data = "name what",
	.why = "Who looks through the names does not see it, and a program that renames or "
	       "starts it needs no more.",
	.fix = "Players: do not start it, unless you trust its author. Authors: name it as "
	       "what it is, or leave it out.",
	.spec = "archive.md#2.24")
{
	const bool is_data = members_is_data(m->name);

	report_as(c, !is_data, MEMBERS_PLACE(c, m), TEXT_OF(m->name),
		  either(is_data, "data", "no program"));
}
