/* Which packages a package itself imports, for what its store entry says. Source:
 * conformance/spec/iostore.md, 8.38. */
#include "core/mutant.h"
#include "formats/iostore/container_header/walk.h"

enum { ARC_LEN = 8, NUMBER_LEN = 4 };

/* ---- Unreal Engine 4: ids, in any order ------------------------------------------------------ */

/* Moves an id down a heap of n until no id below it is greater. */
static void sift_down(uint64_t *ids, uint64_t i, uint64_t n)
{
	const uint64_t id = ids[i];

	for (uint64_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
		child += child + 1 < n && ids[child + 1] > ids[child];
		if (ids[child] <= id)
			break;
		ids[i] = ids[child];
		i = child;
	}
	ids[i] = id;
}

/* Heapsort: it needs no memory, and a worker has none to give. */
static void sort_ids(uint64_t *ids, uint64_t n)
{
	for (uint64_t i = n / 2; i > 0; i--)
		sift_down(ids, i - 1, n);
	for (uint64_t end = n; end > 1; end--) {
		const uint64_t greatest = ids[0];

		ids[0] = ids[end - 1];
		ids[end - 1] = greatest;
		sift_down(ids, 0, end - 1);
	}
}

static bool is_among(const struct container_imports *x, uint64_t id)
{
	uint64_t low = 0, high = x->n;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (x->ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < x->n && x->ids[low] == id;
}

static bool read_graph(struct cursor c, struct container_imports *x)
{
	struct container_summary_initial s;
	struct container_graph_package p;
	const uint8_t *arcs;
	uint64_t n;

	if (!container_summary_initial_read(&c, 0, &s) || !cursor_seek(&c, s.graph_at) ||
	    !cursor_u32(&c, &n))
		return false;
	for (; x->n < n; x->ids[x->n++] = p.package)
		if (!container_graph_package_read(&c, 0, &p) ||
		    !cursor_bytes(&c, p.arcs * ARC_LEN, &arcs))
			return false;
	sort_ids(x->ids, x->n);
	return c.pos == s.graph_at + s.graph_size;
}

/* ---- Since 5.3: names, in the order of the store entry --------------------------------------- */

/* What follows the count of names: their hashes (of other encodings of the names, so they do not
 * tell the id), their heads, their characters, and a number for each. */
struct batch {
	struct container_name_head_rows heads;
	struct held numbers;
	struct cursor characters;
	uint64_t end;
};

static bool open_batch(struct cursor c, uint64_t n, struct batch *b)
{
	struct container_name_batch head;
	const uint8_t *skipped;
	struct held heads;

	if (!container_name_batch_read(&c, 0, &head) ||
	    !cursor_bytes(&c, n * container_name_hash_fixed_len, &skipped) ||
	    !held_take(&c, n * container_name_head_fixed_len, &heads))
		return false;
	b->heads = container_name_head_in(heads);
	b->characters = c;
	if (!cursor_bytes(&c, head.n_bytes, &skipped))
		return false;
	b->characters.len = c.pos;
	if (!held_take(&c, n * NUMBER_LEN, &b->numbers))
		return false;
	b->end = c.pos;
	return true;
}

static bool read_id(struct batch *b, uint64_t i, uint64_t *id)
{
	const struct container_name_head_row head = container_name_head_at(b->heads, i);
	const uint64_t units = container_name_head_get_high(head) << 8 |
			       container_name_head_get_low(head);
	const uint64_t n = units & (CONTAINER_NAME_WIDE - 1);
	const bool wide = units >= CONTAINER_NAME_WIDE;
	struct held name;

	if (!held_take(&b->characters, wide ? 2 * n : n, &name))
		return false;
	return container_id_of_name(name, wide, held_u32(b->numbers, i * NUMBER_LEN), id);
}

static bool read_names(struct cursor c, struct container_imports *x)
{
	struct container_summary_named s;
	struct cursor batch;
	struct batch b;
	uint64_t n;

	if (!container_summary_named_read(&c, 0, &s) || !cursor_seek(&c, s.names_at))
		return false;
	batch = c;
	if (!cursor_u32(&c, &n))
		return false;
	if (n == 0) /* an empty batch is its count alone */
		return c.pos == s.header_size;
	if (!open_batch(batch, n, &b) || b.end != s.header_size)
		return false;
	while (x->n < n && read_id(&b, x->n, &x->ids[x->n]))
		x->n++;
	return x->n == n && cursor_left(&b.characters) == 0;
}

/* ---- Both ------------------------------------------------------------------------------------ */

bool container_has_imports(const struct decode *d, const struct container_header *h)
{
	return h->packages.n > 0 && decode_has(d, CONTAINER_PACKAGES) &&
	       (h->version <= CONTAINER_INITIAL || h->version >= CONTAINER_NO_EXPORT_INFO);
}

void container_read_imports(const struct container_header *h, const uint8_t *bytes, uint64_t n,
			    struct container_imports *out)
{
	const struct cursor c = cursor_init(bytes, n, 0);

	out->n = 0;
	out->are_known = h->version <= CONTAINER_INITIAL ? read_graph(c, out) : read_names(c, out);
}

/* Whether some import of the store entry is not among the package's. */
static bool is_missing(struct held rows, uint64_t n, const struct container_imports *x,
		       struct container_import *out)
{
	*out = (struct container_import){ 0, 0 };
	while (out->index < n && is_among(x, held_u64(rows, out->index * CONTAINER_IMPORT_LEN)))
		out->index++;
	return out->index < n;
}

static bool is_other(struct held rows, uint64_t n, const struct container_imports *x,
		     struct container_import *out)
{
	const uint64_t both = n < x->n ? n : x->n;
	uint64_t i = 0;

	/* mutant: another one */
	while (i < both &&
	       held_u64(rows, i * CONTAINER_IMPORT_LEN) == x->ids[i] + (uint64_t)MUTANT(130))
		i++;
	*out = (struct container_import){ i, i < x->n ? x->ids[i] : 0 };
	return i < n || i < x->n;
}

bool container_imports_differ(const struct container_header *h, uint64_t id, uint64_t chunk,
			      const struct container_imports *x, struct container_import *out)
{
	struct container_package p;
	struct held rows;

	if (!x->are_known || !container_package_of(h, id, chunk, &p) || p.traits & PACKAGE_VIEW_OUT)
		return false;
	rows = held_part(h->packages.entries, p.imports.start, p.imports.n * CONTAINER_IMPORT_LEN);
	return h->version <= CONTAINER_INITIAL ? is_missing(rows, p.imports.n, x, out)
					       : is_other(rows, p.imports.n, x, out);
}
