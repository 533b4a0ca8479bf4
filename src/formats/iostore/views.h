/* The tables of a container as rules see them, made from its facts. See struct table, view. */
#ifndef UVET_FORMATS_IOSTORE_VIEWS_H
#define UVET_FORMATS_IOSTORE_VIEWS_H

#include <stdint.h>

void utoc_view_chunks(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_blocks(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_methods(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_seeds(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_overflow(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_metas(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_directories(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_files(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_strings(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_packages(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_names(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_links(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_soft(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_script_names(const void *facts, uint64_t first, uint64_t n, void *rows);
void utoc_view_script_objects(const void *facts, uint64_t first, uint64_t n, void *rows);

#endif
