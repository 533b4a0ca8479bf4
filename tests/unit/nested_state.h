/* What tests of files within files begin with: files to put together, and checks of the outermost
 * one, `file`. */
#ifndef UVET_TESTS_NESTED_STATE_H
#define UVET_TESTS_NESTED_STATE_H

#include "engine/members.h"
#include "engine_state.h"

static struct build inner;

static inline struct report *check(void)
{
	return engine_check(&engine, &(struct check_input){
					     .io.size = file.n,
					     .memory = file.bytes,
					     .name = "a.umod",
					     .cancel = &is_cancelled,
				     });
}

static inline uint64_t n_found(const struct report *r, const char *id)
{
	uint64_t n = 0;

	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		n += report_result(r, catalog_find(id, 6))->n_found[s];
	return n;
}

static inline uint64_t n_found_in_tree(const struct report *top, const char *id)
{
	uint64_t n = 0;

	for (const struct report *r = top; r; r = report_next(top, r))
		n += n_found(r, id);
	return n;
}

static inline size_t n_reports(const struct report *top)
{
	size_t n = 0;

	for (const struct report *r = top; r; r = report_next(top, r)) {
		assert_int_equal(r->number, n);
		n++;
	}
	return n;
}

/* break_crc damages an installer's last field. */
static inline void break_crc(struct build *b)
{
	b->bytes[b->trailer_at + 16] ^= 1;
}

/* put_in makes a file with one in it, which is damaged where asked. */
static inline void put_in(void (*damage)(struct build *b))
{
	build_good(&inner);
	if (damage)
		damage(&inner);
	build_around(&file, &(struct build_inner){ "System\\Inner.umod", &inner }, 1);
}

/* build_bomb makes twenty entries for the same bytes, in which twenty do the same, in which twenty
 * do the same. */
static inline void build_bomb(void)
{
	struct build_inner list[20];

	build_good(&file);
	for (int level = 0; level < 3; level++) {
		inner = file;
		for (size_t i = 0; i < LENGTH(list); i++)
			list[i] = (struct build_inner){ "b.umod", &inner };
		build_around(&file, list, LENGTH(list));
	}
}

#endif
