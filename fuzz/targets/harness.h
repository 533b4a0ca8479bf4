/* What every harness has. */
#ifndef UVET_FUZZ_TARGETS_HARNESS_H
#define UVET_FUZZ_TARGETS_HARNESS_H

#include <stddef.h>
#include <stdint.h>

/* LLVMFuzzerTestOneInput runs one input and returns 0; it stops the process where a promise is
 * broken. The name is libFuzzer's, and AFL++ and our replay know it too. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
