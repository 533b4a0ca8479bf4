/* Letters of ASCII, whatever the locale. */
#ifndef UVET_CORE_ASCII_H
#define UVET_CORE_ASCII_H

/* ascii_lower gives a letter of ASCII in lower case; any other byte stays. */
static inline char ascii_lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

#endif
