/* The oracle of a container header. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_CONTAINER_HEADER_H
#define UVET_FUZZ_ORACLE_ORACLE_CONTAINER_HEADER_H

#include "engine/report.h"
#include "reference/reference_utoc.h"

struct utoc;

/* oracle_container_header: a second, slow reading of a container header, whose bytes are given,
 * agrees with the rules. */
void oracle_container_header(const struct report *r, const struct reference_toc *t,
			     const uint8_t *bytes, uint64_t len);

/* oracle_container_header_facts: so it does with the facts. */
void oracle_container_header_facts(const struct utoc *u, const struct reference_toc *t,
				   const uint8_t *bytes, uint64_t len);

#endif
