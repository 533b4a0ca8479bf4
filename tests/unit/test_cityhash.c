/* Tests of CityHash64: values of its authors' code at every form's edges, names as the engine
 * hashes them, and wide texts. */
#include <stdlib.h>

#include "codec/cityhash.h"
#include "unit.h"

/* Source: CityHash64 of https://github.com/google/cityhash, over bytes that count up modulo 251. */
static void values_at_the_edges(void **state)
{
	static const struct {
		size_t n;
		uint64_t hash;
	} values[] = { { 0, 0x9AE16A3B2F90404F },   { 1, 0xBE6056EDF5E94B54 },
		       { 2, 0xC2A04665ED038D75 },   { 3, 0x94A13D22E9EBA49A },
		       { 4, 0x82BFFD898958E540 },   { 7, 0xA2E0BFF20DB0A6A1 },
		       { 8, 0xAD5A13E1E8E93B98 },   { 9, 0x81371E150E4AD84F },
		       { 15, 0x862A51555943BD9D },  { 16, 0x0EFD25A0A34156D4 },
		       { 17, 0xBBB6A6F8F20D1F1C },  { 24, 0x3F3B313DCBD16EC7 },
		       { 31, 0xFBD950AF27EF6941 },  { 32, 0x1A9D8199972CDF49 },
		       { 33, 0x46E1378CBC22DABA },  { 40, 0x36F7DD7A65E93D1C },
		       { 47, 0xB7F64877A70EE14A },  { 48, 0xC7099EAC443F4625 },
		       { 63, 0xAF30927A77ADA6EF },  { 64, 0xE99AB80F5EC7DCA5 },
		       { 65, 0xAC589C990483DD2E },  { 80, 0x4FEEDC7DADA54816 },
		       { 127, 0xEFD614390A7B1D95 }, { 128, 0x10B153630AF1F395 },
		       { 129, 0x46BE8F236F918770 }, { 191, 0x214EFE903049AAC9 },
		       { 192, 0xD5BA92662E2D5074 }, { 193, 0xE56476A1931C992A },
		       { 255, 0x84A6D471DAF4BB5C }, { 256, 0xA6DC1D9A6CEAF871 },
		       { 1000, 0xC7B11BAAB7F2974A } };

	(void)state;
	for (size_t i = 0; i < LENGTH(values); i++) {
		uint8_t *p = malloc(values[i].n + 1);

		assert_non_null(p);
		for (size_t k = 0; k < values[i].n; k++)
			p[1 + k] = (uint8_t)(k % 251);
		assert_true(cityhash64(p + 1, values[i].n) == values[i].hash);
		free(p);
	}
}

static void names(void **state)
{
	static const char start[] = "/game/maps/start", engine[] = "/script/engine";

	(void)state;
	assert_true(cityhash64((const uint8_t *)start, 16) == 0xAF35D8823F7E5101);
	assert_true(cityhash64_wide((const uint8_t *)start, 16) == 0x045990181C1F0065);
	assert_true(cityhash64((const uint8_t *)engine, 14) == 0xED817B8AE25383A8);
	assert_true(cityhash64_wide((const uint8_t *)engine, 14) == 0xD1ACCED3DC7C0922);
}

/* A wide hash is that of the text made wide, at every length and with every byte. */
static void wide_texts(void **state)
{
	uint8_t wide[2 * 300];
	uint64_t seed = 9;

	(void)state;
	for (size_t n = 0; n <= 300; n++) {
		uint8_t *latin = malloc(n + 1);

		assert_non_null(latin);
		for (size_t i = 0; i < n; i++) {
			latin[1 + i] = wide[2 * i] = (uint8_t)unit_random(&seed);
			wide[2 * i + 1] = 0;
		}
		assert_true(cityhash64_wide(latin + 1, n) == cityhash64(wide, 2 * n));
		free(latin);
	}
}

/* What is lowered on the way is lowered as it is beforehand, at every length: letters, what lies
 * beside them, bytes of 0x80 and more, and units whose upper byte is not 0. */
static void letters_are_lowered(void **state)
{
	static const uint8_t near[] = { 'A', 'Z',  '@',  '[',  'a',  'z',  '`',  '{',
					0,   0x80, 0xC1, 0xDA, 0xFF, 0x41, 0x5A, 0x5F };
	uint8_t plain[600], lower[600], units[600];
	uint64_t seed = 5;

	(void)state;
	for (size_t n = 0; n <= 300; n++) {
		uint8_t *text = malloc(2 * n + 1);

		assert_non_null(text);
		for (size_t i = 0; i < 2 * n; i++) {
			const uint8_t c = near[unit_random(&seed) % sizeof near];

			text[1 + i] = plain[i] = c;
			lower[i] = units[i] = c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
		}
		for (size_t i = 0; i < n; i++)
			if (plain[2 * i + 1] != 0)
				units[2 * i] = plain[2 * i];
		for (size_t i = 1; i < 2 * n; i += 2)
			units[i] = plain[i];
		assert_true(cityhash64_lower(text + 1, n) == cityhash64(lower, n));
		assert_true(cityhash64_lower_wide(text + 1, n) == cityhash64_wide(lower, n));
		assert_true(cityhash64_lower_units(text + 1, n) == cityhash64(units, 2 * n));
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_at_the_edges),
		cmocka_unit_test(names),
		cmocka_unit_test(wide_texts),
		cmocka_unit_test(letters_are_lowered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
