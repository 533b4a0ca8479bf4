/* CRC-32/BZIP2, the checksum that UMOD installers carry. */
#ifndef UVET_CODEC_CRC_H
#define UVET_CODEC_CRC_H

#include <stdint.h>

/* A crc is a running checksum. Polynomial 0x04C11DB7, most significant bit first, initial value
 * and final xor 0xFFFFFFFF; the engine calls it appMemCrc. Check value: that of "123456789" is
 * FC891918. */
struct crc {
	uint32_t value;                                    /* of all bytes so far; 0 for none */
	enum { CRC_NOT_ASKED, CRC_PLAIN, CRC_AVX2 } means; /* crc_add's own */
};

/* crc_add adds n bytes. */
void crc_add(struct crc *c, const uint8_t *bytes, uint64_t n);

/* crc_library is the name of the library that computes it. */
const char *crc_library(void);

#endif
