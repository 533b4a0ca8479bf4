/* CRC-32 through libdeflate, which uses what the processor has, or through zlib. */
#include "codec/crc32.h"

#if defined(UVET_WITH_LIBDEFLATE)
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

uint32_t crc32_add(uint32_t crc, const uint8_t *bytes, uint64_t n)
{
	if (n == 0)
		return crc;
#if defined(UVET_WITH_LIBDEFLATE)
	return libdeflate_crc32(crc, bytes, (size_t)n);
#else
	return (uint32_t)crc32_z(crc, bytes, (z_size_t)n);
#endif
}
