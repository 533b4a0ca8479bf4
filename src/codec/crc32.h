/* CRC-32 as zip, gzip, 7z and rar have it (ISO 3309): polynomial 0x04C11DB7, least significant bit
 * first, initial value and final xor 0xFFFFFFFF. */
#ifndef UVET_CODEC_CRC32_H
#define UVET_CODEC_CRC32_H

#include <stdint.h>

/* crc32_add returns the checksum of n bytes that follow others whose checksum is `crc`, 0 if there
 * are none. That of "123456789" is CBF43926. */
uint32_t crc32_add(uint32_t crc, const uint8_t *bytes, uint64_t n);

#endif
