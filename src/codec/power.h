/* Powers modulo a large odd number, which is all the arithmetic that verifying a signature
 * takes. */
#ifndef UVET_CODEC_POWER_H
#define UVET_CODEC_POWER_H

#include <stddef.h>
#include <stdint.h>

/* The longest modulus, in bytes. */
enum { POWER_MODULUS_MAX = 512 };

/* power_modulo raises a number to an exponent, in place, modulo a modulus of as many bytes; both
 * have their highest byte first. The modulus is odd and has 1 to POWER_MODULUS_MAX bytes, the
 * number is below it, the exponent is not 0. It allocates nothing and cannot fail. Its time
 * depends on the exponent, so it is for public keys only. */
void power_modulo(uint8_t *number, const uint8_t *modulus, size_t len, uint64_t exponent);

#endif
