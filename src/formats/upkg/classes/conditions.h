/* Conditions of what the network carries. */
#ifndef UVET_FORMATS_UPKG_CLASSES_CONDITIONS_H
#define UVET_FORMATS_UPKG_CLASSES_CONDITIONS_H

#include "formats/upkg/body/reader.h"

/* script_keep keeps where the tokens begin of a class's code, which was read; script_condition
 * notes a condition at a place of the code of the class that this body's object lies in.
 * script_examine_conditions compares them, when all bodies were read. */
UVET_MUST_USE bool script_keep(struct body *b);
UVET_MUST_USE bool script_condition(struct body *b, uint64_t to);
void script_examine_conditions(struct decode *d, struct upkg *u, struct scratch *scratch);

#endif
