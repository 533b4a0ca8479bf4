/* The tree of the directory index: what is reached from its root, once and no more, and which chunk
 * gets which file. */
#include "core/mutant.h"
#include "formats/iostore/directory/parts.h"

/* Marks that a name was last seen in a directory and not in a file. */
#define SEEN_DIRECTORY 0x80000000u

/* How many files ahead memory is fetched for. */
#define FETCH_AHEAD 16u

/* A directory that was found and is still to be entered. */
struct pending {
	uint32_t directory, depth;
};

/* What the loop over files reads and writes. */
struct hands {
	struct utoc_chunk_id_rows ids;
	struct utoc_file_rows files;
	const uint8_t (*types)[256]; /* struct toc */
	uint32_t *directory_of_file, *file_of_chunk;
	uint16_t *strings; /* traits */
	/* for each string the file or directory that was last found with it, or TOC_NONE */
	uint32_t *seen;
	const uint32_t *same_name;
};

struct walk {
	struct decode *d;
	const struct toc *toc;
	struct directory *x;
	struct hands hands;
	uint32_t *parent;
	struct pending *stack;
	uint64_t n_stack, n_found, n_files, n_used, n_packages;
	struct package_path paths[DIRECTORY_DEPTH_MAX + 1];
	/* characters of the path down to each level, with all its separators */
	uint64_t lengths[DIRECTORY_DEPTH_MAX + 1];
	uint8_t package[2 * PACKAGE_PATH_MAX];
};

/* ---- Names ----------------------------------------------------------------------------------- */

/* Where the last row with this name is noted; strings that are equal without case share it. */
static inline uint32_t *last_seen(const struct hands *h, uint32_t name)
{
	return &h->seen[h->same_name ? h->same_name[name] : name];
}

static inline void use_string(struct walk *w, uint32_t name, uint16_t traits)
{
	w->n_used += traits & STRING_UNUSED ? 1 : 0;
	w->hands.strings[name] = traits & (uint16_t) ~(uint32_t)STRING_UNUSED;
}

/* Notes the name of a directory, and whether it has a sibling of the same name. Siblings are found
 * right after one another. */
static bool name_directory(struct walk *w, uint32_t i, uint32_t name)
{
	uint32_t *last = last_seen(&w->hands, name);
	const uint32_t other = *last & ~SEEN_DIRECTORY;

	if (w->hands.strings[name] & STRING_EMPTY)
		count_row(&w->x->nameless_directories, i);
	use_string(w, name, w->hands.strings[name]);
	if (*last != TOC_NONE && *last & SEEN_DIRECTORY && w->parent[other] == w->parent[i])
		return directory_add_pair(w->d, w->x,
					  (struct directory_pair){ PAIR_DIRECTORIES, other, i });
	*last = i | SEEN_DIRECTORY;
	return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* The type of chunk that an extension promises. */
static const uint8_t types_of[] = {
	[NAME_OF_ASSET] = CHUNK_EXPORT_BUNDLE, [NAME_OF_MAP] = CHUNK_EXPORT_BUNDLE,
	[NAME_OF_BULK] = CHUNK_BULK,           [NAME_OF_OPTIONAL] = CHUNK_OPTIONAL_BULK,
	[NAME_OF_MAPPED] = CHUNK_MAPPED_BULK,  [NAME_OF_SHADERS] = CHUNK_SHADER_LIBRARY,
};

/* Types of chunks that belong to the container and to no asset. */
static const bool is_no_asset[CHUNK_N_TYPES] = {
	[CHUNK_INSTALL_MANIFEST] = true,   [CHUNK_GLOBAL_META] = true,
	[CHUNK_INITIAL_LOAD_META] = true,  [CHUNK_GLOBAL_NAMES] = true,
	[CHUNK_GLOBAL_NAME_HASHES] = true, [CHUNK_CONTAINER_HEADER] = true,
	[CHUNK_SCRIPT_OBJECTS] = true,     [CHUNK_EDITOR] = true,
};

/* Tells whether the package of this path is known to have another id than the chunk. */
static inline bool is_other_package(struct walk *w, struct package_path path, uint32_t name,
				    enum name_class class, uint64_t chunk_id)
{
	const struct text t = string_text(w->x, name);
	const uint32_t n_extension = class == NAME_OF_MAP ? 5 : 7; /* with its dot */
	const struct text stem = text_sub(t, 0, t.ref.n_units - n_extension);
	const uint64_t id = package_path_id(path, &stem, w->package);

	/* mutant: another id is expected */
	return id != 0 && id != chunk_id + (uint64_t)MUTANT(98);
}

/* Compares the type that a file's name promises with its chunk's. */
static inline void compare_type(struct walk *w, uint32_t i, enum name_class class,
				enum chunk_type type)
{
	if (class != NAME_OF_ANY && types_of[class] != type)
		mark_file(w->x, i, FILE_OTHER_TYPE);
	if (is_no_asset[type])
		mark_file(w->x, i, FILE_OF_NO_ASSET);
}

UVET_INLINE static inline bool take_chunk(struct walk *w, const struct hands *h, uint32_t i,
					  const struct file_links *l,
					  const struct package_path *path, uint16_t traits)
{
	const enum name_class class = (enum name_class)(traits >> STRING_CLASS_SHIFT);
	const struct utoc_chunk_id_row id = utoc_chunk_id_at(h->ids, l->chunk);
	const enum chunk_type type = (enum chunk_type)(*h->types)[utoc_chunk_id_get_type(id)];
	const uint32_t other = h->file_of_chunk[l->chunk];

	compare_type(w, i, class, type);
	if (type == CHUNK_EXPORT_BUNDLE && path->state == PACKAGE_INSIDE &&
	    (class == NAME_OF_ASSET || class == NAME_OF_MAP) &&
	    is_other_package(w, *path, l->name, class, utoc_chunk_id_get_id(id)))
		mark_file(w->x, i, FILE_OTHER_PACKAGE);
	if (other != TOC_NONE)
		return directory_add_pair(w->d, w->x,
					  (struct directory_pair){ PAIR_ONE_CHUNK, other, i });
	h->file_of_chunk[l->chunk] = i;
	w->n_packages += type == CHUNK_EXPORT_BUNDLE;
	return true;
}

static void mark_length(struct walk *w, uint32_t i, uint64_t length)
{
	if (length > DIRECTORY_PATH_MAX)
		mark_file(w->x, i, FILE_TOO_LONG);
	else if (length > DIRECTORY_PATH_LONG)
		mark_file(w->x, i, FILE_LONG);
}

UVET_INLINE static inline bool take_name(struct walk *w, const struct hands *h, uint32_t i,
					 uint32_t directory, uint32_t name, uint16_t traits)
{
	uint32_t *last = last_seen(h, name);
	const uint32_t other = *last;

	use_string(w, name, traits);
	if (traits & STRING_EMPTY)
		count_row(&w->x->nameless_files, i);
	if (other < SEEN_DIRECTORY && h->directory_of_file[other] == directory)
		return directory_add_pair(w->d, w->x,
					  (struct directory_pair){ PAIR_FILES, other, i });
	*last = i;
	return true;
}

/* Chunks are in no order in their table, and neither are files: engines link each file to the
 * one that was added to its directory before. So the memory of a file that comes soon is
 * prefetched. Returns the file after it. */
UVET_INLINE static inline uint32_t fetch_file(const struct hands *h, const struct directory *x,
					      uint32_t file)
{
	struct file_links l;

	if (file >= h->files.n)
		return file;
	l = file_links(h->files, file);
	memory_fetch(h->directory_of_file + file);
	if (l.name < x->n_strings)
		held_fetch(x->held, x->strings[l.name]);
	if (l.chunk < h->ids.n) {
		utoc_chunk_id_fetch_one(h->ids, l.chunk);
		memory_fetch(h->file_of_chunk + l.chunk);
	}
	return l.next;
}

/* Prefetches for the next directory, which is on top of the stack. Returns its first file that was
 * not prefetched. */
UVET_INLINE static inline uint32_t fetch_next(const struct walk *w)
{
	uint32_t file;

	if (w->n_stack == 0)
		return TOC_NONE;
	file = directory_links(w->x, w->stack[w->n_stack - 1].directory).file;
	for (uint32_t k = 0; k < FETCH_AHEAD; k++)
		file = fetch_file(&w->hands, w->x, file);
	return file;
}

/* Reads the files of a directory, from `first` on; those before `ahead` were prefetched. */
static bool take_files(struct walk *w, uint32_t directory, uint32_t depth, uint32_t first,
		       uint32_t ahead)
{
	struct directory *x = w->x;
	const struct hands h = w->hands;
	const uint64_t length = w->lengths[depth];
	const bool may_be_long = length + x->longest > DIRECTORY_PATH_LONG;
	const struct package_path path = w->paths[depth];
	struct file_links l;

	for (uint32_t i = first; i < h.files.n; i = l.next) {
		uint16_t traits = 0;

		l = file_links(h.files, i);
		ahead = fetch_file(&h, x, ahead);
		if (h.directory_of_file[i] != TOC_NONE) {
			mark_file(x, i, FILE_AGAIN);
			break;
		}
		h.directory_of_file[i] = directory;
		if (!decode_goes_on(w->d, UTOC_TREE, w->n_files++))
			return false;
		if (l.name < x->n_strings) {
			traits = h.strings[l.name];
			if (may_be_long)
				mark_length(w, i, length + directory_string(x, l.name).ref.n_units);
			if (!take_name(w, &h, i, directory, l.name, traits))
				return false;
		}
		if (l.chunk < h.ids.n && !take_chunk(w, &h, i, &l, &path, traits))
			return false;
	}
	return true;
}

/* ---- Directories ----------------------------------------------------------------------------- */

/* A directory is found once: then it has a parent, or is the root. */
static bool was_found(const struct walk *w, uint32_t i)
{
	return i == 0 || w->parent[i] != TOC_NONE;
}

/* Puts the subdirectories of a directory on the stack. */
static bool find_children(struct walk *w, uint32_t directory, uint32_t depth, uint32_t first)
{
	struct directory *x = w->x;
	struct directory_links l;

	for (uint32_t i = first; i < x->n_directories; i = l.sibling) {
		l = directory_links(x, i);
		if (was_found(w, i)) {
			/* mutant: deep down a later one may come again */
			if (!(MUTANT(239) && i != first && depth > 1))
				mark_directory(x, i, DIRECTORY_AGAIN);
			break;
		}
		w->parent[i] = directory;
		if (!decode_goes_on(w->d, UTOC_TREE, w->n_found++ - 1))
			return false;
		if (l.name == TOC_NONE)
			count_row(&x->nameless_directories, i);
		else if (l.name < x->n_strings && !name_directory(w, i, l.name))
			return false;
		/* mutant: one level more */
		if (depth >= DIRECTORY_DEPTH_MAX + (uint32_t)MUTANT(99))
			mark_directory(x, i, DIRECTORY_DEEP);
		else
			w->stack[w->n_stack++] = (struct pending){ i, depth + 1 };
	}
	return true;
}

/* Notes the path of a directory, from that of its parent one level up. */
static void enter_directory(struct walk *w, uint32_t i, uint32_t depth, uint32_t name)
{
	struct text t = { 0 };

	if (i == 0)
		return;
	if (name < w->x->n_strings)
		t = directory_string(w->x, name);
	w->lengths[depth] = w->lengths[depth - 1] + t.ref.n_units + 1;
	w->paths[depth] = package_path_enter(w->paths[depth - 1], &t, w->package);
}

static bool walk_all(struct walk *w)
{
	uint32_t ahead = TOC_NONE, next;

	w->stack[w->n_stack++] = (struct pending){ 0, 0 };
	w->n_found++;
	while (w->n_stack > 0) {
		const struct pending p = w->stack[--w->n_stack];
		const struct directory_links l = directory_links(w->x, p.directory);

		enter_directory(w, p.directory, p.depth, l.name);
		if (!find_children(w, p.directory, p.depth, l.child))
			return false;
		next = fetch_next(w);
		if (!take_files(w, p.directory, p.depth, l.file, ahead))
			return false;
		ahead = next;
	}
	return true;
}

/* ---- Around it ------------------------------------------------------------------------------- */

/* Counts what was not reached from the root. */
static void find_lost(struct walk *w)
{
	for (uint32_t i = 1; w->n_found < w->x->n_directories && i < w->x->n_directories; i++)
		if (w->parent[i] == TOC_NONE)
			count_row(&w->x->lost_directories, i);
	/* mutant: the first is never lost */
	for (uint32_t i = MUTANT(104); w->n_files < w->x->n_files && i < w->x->n_files; i++)
		if (w->hands.directory_of_file[i] == TOC_NONE)
			count_row(&w->x->lost_files, i);
}

static void find_pathless(struct walk *w)
{
	if (w->n_packages == w->toc->n_of_type[CHUNK_EXPORT_BUNDLE])
		return;
	for (uint32_t i = 0; i < w->toc->n_chunks; i++)
		if (w->hands.file_of_chunk[i] == TOC_NONE &&
		    toc_type(w->toc, i) == CHUNK_EXPORT_BUNDLE)
			count_row(&w->x->pathless, i);
}

static uint32_t *alloc_none(struct decode *d, uint64_t n)
{
	uint32_t *p = decode_alloc(d, UTOC_TREE, n, sizeof *p);

	if (p)
		memset(p, 0xFF, (size_t)n * sizeof *p);
	return p;
}

static bool prepare(struct walk *w, struct decode *d)
{
	struct directory *x = w->x;
	const struct text *mount = &x->mount;
	const uint32_t n = mount->ref.n_units;

	w->parent = alloc_none(d, x->n_directories);
	w->hands.directory_of_file = alloc_none(d, x->n_files);
	w->hands.file_of_chunk = alloc_none(d, w->toc->n_chunks);
	w->hands.seen = alloc_none(d, x->n_strings);
	w->stack = decode_alloc(d, UTOC_TREE, x->n_directories, sizeof *w->stack);
	if (!w->parent || !w->hands.directory_of_file || !w->hands.file_of_chunk ||
	    !w->hands.seen || !w->stack)
		return false;
	w->lengths[0] = n > 0 && text_unit(*mount, n - 1) == '/' ? n : (uint64_t)n + 1;
	w->paths[0] = package_path_mount(mount, w->package);
	return true;
}

static bool is_broken(const struct directory *x)
{
	return ((x->all_directory_traits & DIRECTORY_BROKEN) |
		(x->all_file_traits & FILE_BROKEN)) != 0;
}

static bool walk_tree(struct walk *w, struct decode *d)
{
	struct directory *x = w->x;
	const struct span tables = { x->directories_at.at,
				     span_end(x->files_at) - x->directories_at.at };

	if (!decode_spend(d, UTOC_TREE, x->n_directories + x->n_files + w->toc->n_chunks) ||
	    !prepare(w, d))
		return false;
	if (x->n_directories == 0 && x->n_files > 0)
		return decode_stop(d, UTOC_TREE, STOP_MALFORMED, tables);
	if (x->n_directories > 0 && !walk_all(w))
		return false;
	x->parent = w->parent;
	x->directory_of_file = w->hands.directory_of_file;
	x->file_of_chunk = w->hands.file_of_chunk;
	if (is_broken(x))
		return decode_stop(d, UTOC_TREE, STOP_MALFORMED, tables);
	find_lost(w);
	x->uses_known = true;
	x->all_string_traits |= w->n_used < x->n_strings ? STRING_UNUSED : 0u;
	if (w->hands.ids.n > 0 && x->n_files > 0)
		find_pathless(w);
	return true;
}

bool directory_walk(struct decode *d, const struct toc *t, struct directory *x)
{
	struct walk *w;

	if (!decode_has(d, UTOC_CHUNKS))
		return decode_stop_needs(d, UTOC_TREE, UTOC_CHUNKS);
	w = decode_alloc(d, UTOC_TREE, 1, sizeof *w);
	if (!w)
		return false;
	*w = (struct walk){ .d = d, .toc = t, .x = x };
	w->hands.ids = t->ids;
	w->hands.files = x->files;
	w->hands.types = (const uint8_t(*)[256]) & t->types;
	w->hands.strings = x->string_traits;
	w->hands.same_name = x->same_name;
	return walk_tree(w, d);
}
