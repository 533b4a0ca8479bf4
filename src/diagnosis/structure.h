/* What stands in files whose first bytes say too little of what they are: each tells whether the
 * rest is as the format has it. */
#ifndef UVET_DIAGNOSIS_STRUCTURE_H
#define UVET_DIAGNOSIS_STRUCTURE_H

#include "diagnosis/glimpse.h"

typedef bool structure(const struct glimpse *g);

structure structure_gzip, structure_bzip2, structure_zlib, structure_lzma, structure_program,
	structure_jpeg, structure_bmp, structure_riff, structure_id3, structure_mp3;

/* Formats of ours, and those that lie beside them. */
structure structure_uz2, structure_umod, structure_uasset, structure_zen, structure_pak;

#endif
