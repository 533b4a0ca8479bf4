/* What tests of the engine begin with: an engine with its defaults, and a file in which nothing is
 * wrong. */
#ifndef UVET_TESTS_ENGINE_STATE_H
#define UVET_TESTS_ENGINE_STATE_H

#include "build.h"
#include "engine/engine.h"
#include "unit.h"

static struct engine engine;
static struct fault_memory memory;
static struct build file;
static atomic_bool is_cancelled; /* ends the checks that look at it */

static int begin(void **state)
{
	(void)state;
	memory = (struct fault_memory){ 0 };
	engine_init(&engine, (struct allocator){ fault_alloc, fault_release, &memory });
	build_good(&file);
	atomic_store(&is_cancelled, false);
	return 0;
}

/* Fails where memory was not given back. */
static int end(void **state)
{
	(void)state;
	return memory.n_live != 0;
}

#endif
