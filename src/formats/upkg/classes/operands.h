/* The operands of each token of UnrealScript. */
#ifndef UVET_FORMATS_UPKG_CLASSES_OPERANDS_H
#define UVET_FORMATS_UPKG_CLASSES_OPERANDS_H

/* script_operands says what follows a token, one letter an operand; NULL: there is no such token.
 *     o object   V variable   F function   C class   S struct
 *     n name   b byte   w word   d dword   v twelve bytes   z text   u text of words
 *     e expression   p expressions up to token 0x16   x pairs of bytes up to 0
 *     j target of a jump   c target of a case, or 0xFFFF and nothing after it   l table of labels
 *     k length of the last expression   s that length and one more */
extern const char *const script_operands[256];

#endif
