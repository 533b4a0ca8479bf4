/* Programs that are installers, by what they have in them. Source: conformance/spec/wrap.md, 2. */
#ifndef UVET_FORMATS_ARCHIVE_WRAP_INSTALLER_H
#define UVET_FORMATS_ARCHIVE_WRAP_INSTALLER_H

#include "formats/archive/wrap/wrap.h"

/* wrap_find_installer sets w->what to the kind of an installer, if the program is one. false: its
 * bytes cannot be read, or memory or work ended, which is noted. */
UVET_MUST_USE bool wrap_find_installer(struct decode *d, struct wrap *w);

#endif
