/* Chunk types: what type bytes mean in Unreal Engine 4 and in 5. */
#include "formats/iostore/toc/chunk_type.h"

#include <stddef.h>

#include "formats/iostore/toc/version.h"

/* The types of an engine, in the order of their bytes. */
struct list {
	unsigned n;
	uint8_t types[14];
};
static const struct list lists[] = {
	{ 13,
	  { CHUNK_INVALID, CHUNK_INSTALL_MANIFEST, CHUNK_EXPORT_BUNDLE, CHUNK_BULK,
	    CHUNK_OPTIONAL_BULK, CHUNK_MAPPED_BULK, CHUNK_GLOBAL_META, CHUNK_INITIAL_LOAD_META,
	    CHUNK_GLOBAL_NAMES, CHUNK_GLOBAL_NAME_HASHES, CHUNK_CONTAINER_HEADER,
	    CHUNK_SHADER_LIBRARY, CHUNK_SHADER } },
	{ 14,
	  { CHUNK_INVALID, CHUNK_EXPORT_BUNDLE, CHUNK_BULK, CHUNK_OPTIONAL_BULK, CHUNK_MAPPED_BULK,
	    CHUNK_SCRIPT_OBJECTS, CHUNK_CONTAINER_HEADER, CHUNK_EXTERNAL_FILE, CHUNK_SHADER_LIBRARY,
	    CHUNK_SHADER, CHUNK_EDITOR, CHUNK_EDITOR, CHUNK_EDITOR, CHUNK_EDITOR } },
};

static const struct list *list_of(uint64_t version)
{
	return &lists[version >= TOC_OVERFLOW];
}

enum chunk_type chunk_type_of(uint64_t version, uint64_t byte)
{
	const struct list *l = list_of(version);

	return byte < l->n ? (enum chunk_type)l->types[byte] : CHUNK_UNKNOWN;
}

uint8_t chunk_type_byte(uint64_t version, enum chunk_type type)
{
	const struct list *l = list_of(version);

	for (unsigned i = 0; i < l->n; i++)
		if (l->types[i] == type)
			return (uint8_t)i;
	return 0;
}

const char *chunk_type_name(enum chunk_type type)
{
	static const char *const names[CHUNK_N_TYPES] = {
		[CHUNK_INVALID] = "Invalid",
		[CHUNK_INSTALL_MANIFEST] = "InstallManifest",
		[CHUNK_EXPORT_BUNDLE] = "ExportBundleData",
		[CHUNK_BULK] = "BulkData",
		[CHUNK_OPTIONAL_BULK] = "OptionalBulkData",
		[CHUNK_MAPPED_BULK] = "MemoryMappedBulkData",
		[CHUNK_GLOBAL_META] = "LoaderGlobalMeta",
		[CHUNK_INITIAL_LOAD_META] = "LoaderInitialLoadMeta",
		[CHUNK_GLOBAL_NAMES] = "LoaderGlobalNames",
		[CHUNK_GLOBAL_NAME_HASHES] = "LoaderGlobalNameHashes",
		[CHUNK_CONTAINER_HEADER] = "ContainerHeader",
		[CHUNK_SHADER_LIBRARY] = "ShaderCodeLibrary",
		[CHUNK_SHADER] = "ShaderCode",
		[CHUNK_SCRIPT_OBJECTS] = "ScriptObjects",
		[CHUNK_EXTERNAL_FILE] = "ExternalFile",
		[CHUNK_EDITOR] = "an editor's type",
		[CHUNK_UNKNOWN] = "an unknown type",
	};

	return names[type];
}
