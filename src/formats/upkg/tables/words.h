/* Words: the names that decoders and rules know. */
#ifndef UVET_FORMATS_UPKG_TABLES_WORDS_H
#define UVET_FORMATS_UPKG_TABLES_WORDS_H

enum upkg_word {
	WORD_OTHER,
#define UPKG_WORD(id, text, ...) WORD_##id,
#include "formats/upkg/tables/words.def"
#undef UPKG_WORD
	N_WORDS
};

#endif
