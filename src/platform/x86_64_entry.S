/* Where the loader enters the program: the landing that an indirect jump needs, then the C library's _start, which has none on many systems. */
	.section .note.GNU-stack,"",@progbits
	.section .note.gnu.property,"a",@note
	.p2align 3
	.long 4, 16, 5          /* lengths of name and body; NT_GNU_PROPERTY_TYPE_0 */
	.asciz "GNU"
	.long 0xc0000002, 4, 3, 0       /* GNU_PROPERTY_X86_FEATURE_1_AND: IBT and SHSTK */

	.text
	.globl uvet_entry
	.hidden uvet_entry
	.type uvet_entry, @function
uvet_entry:
	endbr64
	jmp _start
	.size uvet_entry, . - uvet_entry
