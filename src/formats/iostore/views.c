/* The tables of a container as rules see them: each part makes its own. */
#include "formats/iostore/views.h"

#include "formats/iostore/facts.h"

#define VIEW(name, part, make) \
	void utoc_view_##name(const void *facts, uint64_t first, uint64_t n, void *rows) \
	{ \
		make(&((const struct utoc *)facts)->part, first, n, rows); \
	}

VIEW(chunks, toc, toc_view_chunks)
VIEW(blocks, toc, toc_view_blocks)
VIEW(methods, toc, toc_view_methods)
VIEW(seeds, toc, toc_view_seeds)
VIEW(overflow, toc, toc_view_overflow)
VIEW(metas, toc, toc_view_metas)
VIEW(directories, directory, directory_view_directories)
VIEW(files, directory, directory_view_files)
VIEW(strings, directory, directory_view_strings)
VIEW(packages, container_header, container_view_packages)
VIEW(names, container_header.names, names_view)
VIEW(script_names, global.names, names_view)
VIEW(script_objects, global, global_view_objects)
VIEW(links, container_header, container_view_links)
VIEW(soft, container_header, container_view_soft)
