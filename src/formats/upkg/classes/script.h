/* Code of UnrealScript: tokens with operands. */
#ifndef UVET_FORMATS_UPKG_CLASSES_SCRIPT_H
#define UVET_FORMATS_UPKG_CLASSES_SCRIPT_H

#include "formats/upkg/body/reader.h"

/* body_script reads code of `size` bytes in memory, and body_code_end examines how that ended. */
bool body_script(struct body *b, int64_t size);
void body_code_end(struct body *b, bool is_state);

#endif
