/* Chunk types: the two lists of type bytes. */
#include "formats/iostore/chunk_type.h"

#include <stddef.h>

#include "formats/iostore/toc/toc.h"

static const uint8_t unreal_4[] = {
	CHUNK_INVALID, CHUNK_INSTALL_MANIFEST, CHUNK_EXPORT_BUNDLE, CHUNK_BULK, CHUNK_OPTIONAL_BULK, CHUNK_MAPPED_BULK, CHUNK_GLOBAL_META,
	CHUNK_INITIAL_LOAD_META, CHUNK_GLOBAL_NAMES, CHUNK_GLOBAL_NAME_HASHES, CHUNK_CONTAINER_HEADER, CHUNK_SHADER_LIBRARY, CHUNK_SHADER,
};

static const uint8_t unreal_5[] = {
	CHUNK_INVALID, CHUNK_EXPORT_BUNDLE, CHUNK_BULK, CHUNK_OPTIONAL_BULK, CHUNK_MAPPED_BULK, CHUNK_SCRIPT_OBJECTS,
	CHUNK_CONTAINER_HEADER, CHUNK_EXTERNAL_FILE,
	CHUNK_SHADER_LIBRARY, CHUNK_SHADER, CHUNK_EDITOR, CHUNK_EDITOR, CHUNK_EDITOR, CHUNK_EDITOR,
};

static size_t list_of(uint64_t version, const uint8_t **list)
{
	const int is_5 = version >= TOC_OVERFLOW;

	*list = is_5 ? unreal_5 : unreal_4;
	return is_5 ? sizeof unreal_5 : sizeof unreal_4;
}

enum chunk_type chunk_type_of(uint64_t version, uint64_t byte)
{
	const uint8_t *list;
	size_t n = list_of(version, &list);

	return byte < n ? (enum chunk_type)list[byte] : CHUNK_UNKNOWN;
}

uint8_t chunk_type_byte(uint64_t version, enum chunk_type type)
{
	const uint8_t *list;
	size_t n = list_of(version, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i] == type)
			return (uint8_t)i;
	return 0;
}

const char *chunk_type_name(enum chunk_type type)
{
	static const char *const names[CHUNK_N_TYPES] = {
		[CHUNK_INVALID] = "Invalid", [CHUNK_INSTALL_MANIFEST] = "InstallManifest", [CHUNK_EXPORT_BUNDLE] = "ExportBundleData",
		[CHUNK_BULK] = "BulkData", [CHUNK_OPTIONAL_BULK] = "OptionalBulkData", [CHUNK_MAPPED_BULK] = "MemoryMappedBulkData",
		[CHUNK_GLOBAL_META] = "LoaderGlobalMeta", [CHUNK_INITIAL_LOAD_META] = "LoaderInitialLoadMeta",
		[CHUNK_GLOBAL_NAMES] = "LoaderGlobalNames", [CHUNK_GLOBAL_NAME_HASHES] = "LoaderGlobalNameHashes",
		[CHUNK_CONTAINER_HEADER] = "ContainerHeader", [CHUNK_SHADER_LIBRARY] = "ShaderCodeLibrary", [CHUNK_SHADER] = "ShaderCode",
		[CHUNK_SCRIPT_OBJECTS] = "ScriptObjects", [CHUNK_EXTERNAL_FILE] = "ExternalFile", [CHUNK_EDITOR] = "an editor's type",
		[CHUNK_UNKNOWN] = "an unknown type",
	};

	return names[type];
}
