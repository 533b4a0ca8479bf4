/* Tests of the ids that packages have by their paths. */
#include "codec/cityhash.h"
#include "core/text.h"
#include "formats/iostore/directory/parts.h"
#include "unit.h"

static struct text narrow(const char *s)
{
	return (struct text){ (const uint8_t *)s,
			      { .n_units = (uint32_t)strlen(s), .encoding = TEXT_CP1252 } };
}

static uint64_t id_of(const char *mount, const char *name, uint32_t n_extension)
{
	uint8_t bytes[2 * PACKAGE_PATH_MAX];
	const struct text m = narrow(mount), all = narrow(name),
			  stem = text_sub(all, 0, all.ref.n_units - n_extension);
	const struct package_path path = package_path_mount(&m, bytes);

	return path.state == PACKAGE_INSIDE ? package_path_id(path, &stem, bytes) : 0;
}

/* The text with two bytes a character, which are put to buf. */
static struct text widened(const char *s, uint8_t *buf)
{
	const uint32_t n = (uint32_t)strlen(s);

	for (uint32_t i = 0; i < n; i++) {
		buf[2 * i] = (uint8_t)s[i];
		buf[2 * i + 1] = 0;
	}
	return (struct text){ buf, { .n_units = n, .encoding = TEXT_UTF16LE } };
}

static void packages_have_ids_whatever_the_width_of_their_paths(void **state)
{
	uint8_t bytes[2 * PACKAGE_PATH_MAX], buf[64], other[64];
	const struct text mount = widened("../../../P/Content/A/", buf),
			  name = widened("Bc", other);
	const struct package_path path = package_path_mount(&mount, bytes);
	const struct text strange = { (const uint8_t *)"\x61\x01",
				      { .n_units = 1, .encoding = TEXT_UTF16LE } };

	(void)state;
	assert_int_equal(path.state, PACKAGE_INSIDE);
	assert_int_equal(package_path_id(path, &name, bytes),
			 cityhash64_wide((const uint8_t *)"/game/a/bc", 10));
	assert_int_equal(package_path_id(path, &strange, bytes), 0);
	assert_int_equal(package_path_enter(path, &strange, bytes).state, PACKAGE_OUTSIDE);
}

static void packages_have_the_ids_of_their_paths(void **state)
{
	const uint64_t id = cityhash64_wide((const uint8_t *)"/game/a/bc", 10);

	(void)state;
	assert_int_equal(id_of("../../../P/Content/A/", "Bc.uasset", 7), id);
	assert_int_equal(id_of("../../../P/Content/A/", "Bc.o.uasset", 7), id);
	assert_int_not_equal(id_of("../../../P/Content/A/", "Bc.p.uasset", 7), id);
	assert_int_equal(id_of("../../../P/Content/A/", "Bc\xE9.uasset", 7), 0);
	assert_int_equal(id_of("../../../P/Content/\xE9/", "Bc.uasset", 7), 0);
	assert_int_equal(id_of("../../../Engine/Plugins/A/", "Bc.uasset", 7), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages_have_the_ids_of_their_paths),
		cmocka_unit_test(packages_have_ids_whatever_the_width_of_their_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
