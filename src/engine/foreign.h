/* Files of formats that are not read: what they are, by their names. */
#ifndef UVET_ENGINE_FOREIGN_H
#define UVET_ENGINE_FOREIGN_H

/* foreign_name says what a file is, by the ending of its name: "a zip archive (.zip)". NULL: the
 * ending says nothing. The string is static. */
const char *foreign_name(const char *name);

#endif
