/* Files in which macOS keeps what it knows of another file: AppleDouble. */
#ifndef UVET_ENGINE_SIDECAR_H
#define UVET_ENGINE_SIDECAR_H

#include "core/source.h"

/* sidecar_is tells whether a file is one, by its name and its bytes: it has the name of the other
 * after `._`, and with that an extension that promises nothing. Where its bytes cannot be read it
 * is none. Source: conformance/spec/run.md, 1.4. */
bool sidecar_is(struct source *s);

#endif
