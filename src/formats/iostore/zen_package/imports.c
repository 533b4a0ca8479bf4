/* Which packages a package imports. Source: conformance/spec/iostore.md, 8.38. */
#include "formats/iostore/zen_package/zen_package.h"

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

static bool read_graph(struct cursor c, struct zen_imports *x)
{
	struct zen_summary_initial s;
	struct zen_graph_package p;
	const uint8_t *arcs;
	uint64_t n;

	if (!zen_summary_initial_read(&c, 0, &s) || !cursor_seek(&c, s.graph_at) ||
	    !cursor_u32(&c, &n))
		return false;
	for (; x->n < n; x->ids[x->n++] = p.package)
		if (!zen_graph_package_read(&c, 0, &p) ||
		    !cursor_bytes(&c, p.arcs * ARC_LEN, &arcs))
			return false;
	sort_ids(x->ids, x->n);
	return c.pos == s.graph_at + s.graph_size;
}

/* ---- Since 5.3: names, in the order of the store entry --------------------------------------- */

/* What follows the count of names: their hashes (of other encodings of the names, so they do not
 * tell the id), their heads, their characters, and a number for each. */
struct batch {
	struct zen_name_head_rows heads;
	struct held numbers;
	struct cursor characters;
	uint64_t end;
};

static bool open_batch(struct cursor c, uint64_t n, struct batch *b)
{
	struct zen_name_batch head;
	const uint8_t *skipped;
	struct held heads;

	if (!zen_name_batch_read(&c, 0, &head) ||
	    !cursor_bytes(&c, n * zen_name_hash_fixed_len, &skipped) ||
	    !held_take(&c, n * zen_name_head_fixed_len, &heads))
		return false;
	b->heads = zen_name_head_in(heads);
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
	const struct zen_name head = zen_name_of(zen_name_head_at(b->heads, i));
	struct held name;

	if (!held_take(&b->characters, zen_name_len(head), &name))
		return false;
	return zen_id_of_name(name, head.wide, held_u32(b->numbers, i * NUMBER_LEN), id);
}

static bool read_names(struct cursor c, struct zen_imports *x)
{
	struct zen_summary_named s;
	struct cursor batch;
	struct batch b;
	uint64_t n;

	if (!zen_summary_named_read(&c, 0, &s) || !cursor_seek(&c, s.names_at))
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

void zen_read_imports(enum zen_form form, const uint8_t *bytes, uint64_t n, struct zen_imports *out)
{
	const struct cursor c = cursor_init(bytes, n, 0);

	out->n = 0;
	out->are_known = form == ZEN_INITIAL ? read_graph(c, out) : read_names(c, out);
}

bool zen_imports_have(const struct zen_imports *x, uint64_t id)
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
