/* Chunk types of Unreal Engine 4 and 5, which number them differently. Source:
 * conformance/spec/iostore.md, 3. */
#ifndef UVET_FORMATS_IOSTORE_TOC_CHUNK_TYPE_H
#define UVET_FORMATS_IOSTORE_TOC_CHUNK_TYPE_H

#include <stdint.h>

enum chunk_type {
	CHUNK_INVALID,
	CHUNK_INSTALL_MANIFEST,
	CHUNK_EXPORT_BUNDLE,      /* ExportBundleData: a package */
	CHUNK_BULK,               /* BulkData */
	CHUNK_OPTIONAL_BULK,      /* OptionalBulkData */
	CHUNK_MAPPED_BULK,        /* MemoryMappedBulkData */
	CHUNK_GLOBAL_META,        /* LoaderGlobalMeta; this and the next three only in UE4 */
	CHUNK_INITIAL_LOAD_META,  /* LoaderInitialLoadMeta */
	CHUNK_GLOBAL_NAMES,       /* LoaderGlobalNames */
	CHUNK_GLOBAL_NAME_HASHES, /* LoaderGlobalNameHashes */
	CHUNK_CONTAINER_HEADER,
	CHUNK_SHADER_LIBRARY, /* ShaderCodeLibrary */
	CHUNK_SHADER,         /* ShaderCode */
	CHUNK_SCRIPT_OBJECTS, /* this and the next only in UE5 */
	CHUNK_EXTERNAL_FILE,
	CHUNK_EDITOR, /* PackageStoreEntry, DerivedData, EditorDerivedData, PackageResource */
	CHUNK_UNKNOWN,
	CHUNK_N_TYPES
};

/* chunk_type_of says what the type byte of an id means in a .utoc of a version: up to version 4
 * that of UE4, since version 5 that of UE5. */
enum chunk_type chunk_type_of(uint64_t version, uint64_t byte);

/* chunk_type_byte is the reverse; 0 if the version has no such type. CHUNK_EDITOR gives the first
 * of its bytes. */
uint8_t chunk_type_byte(uint64_t version, enum chunk_type type);

/* chunk_type_name is Epic's name of it, for messages. */
const char *chunk_type_name(enum chunk_type type);

#endif
