/* Messages: what the command line itself says, on standard error. */
#ifndef UVET_CLI_MESSAGE_H
#define UVET_CLI_MESSAGE_H

/* message writes one line, "uvet: " before it. In format, %s is a string from outside, whose
 * control characters, quotes and bytes beyond ASCII are shown as \xNN, and %t a string of our
 * own or one that is escaped already; nothing else is special. */
void message(const char *format, ...);

#endif
