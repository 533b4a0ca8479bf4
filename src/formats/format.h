/* Formats: what the engine needs to know of each, and nothing of what is inside. */
#ifndef UVET_FORMATS_FORMAT_H
#define UVET_FORMATS_FORMAT_H

#include "core/layout.h"
#include "core/table.h"
#include "formats/decode.h"

struct rule;
struct summary;

enum { TABLES_MAX = 48 };

/* FORMAT_(_x) is the name umod_x where FORMAT is umod; for what is declared from a .def. */
#define FORMAT_JOINED(a, b) a##b
#define FORMAT_JOIN(a, b) FORMAT_JOINED(a, b)
#define FORMAT_(suffix) FORMAT_JOIN(FORMAT, suffix)

/* KEEPS holds that a field which keeps the bits of a set has as many as the set has room for. */
#define KEEPS(set, type, field) \
	_Static_assert(8 * sizeof(((type *)NULL)->field) >= (size_t)set##_room, \
		       #field " has fewer bits than " #set)

/* A region is a run of bytes that the format explains: a record with its fields, or bytes of one
 * kind. Regions may lie inside one another (depth), and the outermost ones are given in no
 * particular order. */
struct region {
	struct span span;
	uint32_t file;    /* the number of the source that it lies in; 0: the input */
	const char *kind; /* "header", "index", "payload", "text", "padding", "code", "signature" */
	const char *label;           /* "trailer", "entry", "member" */
	uint64_t index;              /* the row, or UINT64_MAX */
	struct text_ref name;        /* the name that the input has for it; n_units 0: none */
	const struct layout *layout; /* of a record, else NULL */
	unsigned depth;
};

/* A map_sink receives regions; it returns false to stop. */
typedef bool map_sink(void *ctx, const struct region *r);

/* What a good file can be an example of for others (engine/reference.h). */
enum info_fact {
	FACT_NONE,
	FACT_VERSION,     /* no info: every format has its version */
	FACT_METHODS,     /* a set: the compression methods in use */
	FACT_MOUNT_POINT, /* a text */
	FACT_PROTECTION,  /* a set: encrypted, signed */
	FACT_LICENSEE,    /* a number */
	N_INFO_FACTS
};

/* How many characters of a text a report keeps: of a path more are a defect. */
enum { INFO_TEXT_MAX = 260 };

/* An info is one fact worth telling about a file that is not a defect: a number, a word if word is
 * not NULL, a text of the file's, or a GUID. */
struct info {
	const char *name; /* snake_case */
	const char *word;
	uint64_t number;
	bool hex;
	bool plain; /* the number is left out where one line describes the file */
	bool is_guid, is_text;
	bool cut;     /* the text is longer; a report has its beginning and "..." */
	uint8_t fact; /* enum info_fact */
	uint32_t n_utf8;
	union {
		uint32_t guid[4]; /* is_guid: in the order of the file */
		/* is_text: the decoder's, and in a report n_utf8 bytes of the report's own */
		const struct text *text;
		const uint8_t *utf8;
		/* of FACT_METHODS and FACT_PROTECTION */
		struct info_set {
			uint64_t bits;
			const char *const *words; /* for each bit; "": unknown */
		} set;
	} u;
};

typedef void info_sink(void *ctx, const struct info *i);

/* A claim is something of which a game takes one only, where several files have it: a chunk, by the
 * twelve bytes of its id as they are stored; a package, by the eight of its id; a path, in UTF-8,
 * with the mount point before it. A claim_sink takes claims; it returns false to stop. */
enum claim_kind { CLAIM_CHUNK, CLAIM_PACKAGE, CLAIM_PATH };
typedef bool claim_sink(void *ctx, enum claim_kind kind, const uint8_t *bytes, size_t len);

/* Why a file may claim more than it tells. */
enum claim_gap {
	CLAIMS_LOCKED = 1, /* a part is encrypted, and no key opens it */
	CLAIMS_UNREAD = 2, /* a part could not be read: it is malformed, not there, too large */
	CLAIMS_HASHED = 4, /* of some paths the hash alone is known */
};

/* How many bytes of a path are told; one that is longer is CLAIMS_UNREAD. */
enum { CLAIM_PATH_MAX = 4096 };

/* A nested is a file that lies inside another, or a companion of it that is judged with it. Its
 * names are the decoder's. */
struct nested {
	struct text name; /* as the file around it says, perhaps with folders; may be empty */
	/* the name under which it is to be checked, if that is another; else empty */
	struct text installed_as;
	/* installed_as names what it decompresses to: it is to be checked as a .uz of that name */
	bool unpacks;
	bool decoded; /* it has no place in the file around it: its bytes are what `open` gives */
	/* of a decoded one: the outer file has the name in a list, and it was not made from that
	 * of the outer file */
	bool is_listed;
	bool streamed; /* of a decoded one: it is too long for memory, and read by `stream` */
	/* its bytes say that it is worth a look, whatever its name promises */
	bool is_seen;
	/* it is all of the file around it, which is compressed: what is asked of uploads is asked
	 * of it */
	bool is_upload;
	/* neither it nor a file beside it is streamed, although its format streams some: several
	 * threads may read them */
	bool is_shared;
	const void *content; /* what of the facts `open` decodes; NULL if it has a place */
	uint64_t row;        /* likewise, a number of the format's */
	uint32_t file;       /* the number of the source that it has its place in; 0: the input */
	struct span span;    /* its place; of a decoded one only len counts */
};

/* A nested_walk is how far a walk through nested files has come; what the numbers mean is up to
 * the format. It begins with zeros. */
struct nested_walk {
	uint64_t file, alias, row;
	bool is_late; /* it is for files that finish found (finds_late) */
};

/* A nested_files goes through the files that lie in a file. It is used after the rules, and
 * finds no defects: decode has found them. */
struct nested_files {
	/* next sets *out to the next file whose bytes are there: each in the order in which the
	 * outer file lists them, and then once more for each further name that it has. Files
	 * that archives do not open (format_is_opened) may be left out. false: there are no
	 * more. It only reads facts, and there may be several walks. */
	bool (*next)(const void *facts, const struct decode *d, struct nested_walk *w,
		     struct nested *out);

	/* finish may find files that are worth a look: next gives these, and no others, if the walk
	 * is late. It is asked for them after finish, and for all others before. */
	bool finds_late;

	/* open returns the bytes of a file that is `decoded`. They are part of the facts, or are
	 * decoded now into an arena that is freed when the file has been judged. It may read
	 * through d and charge d->work. NULL: memory ended, or work did, as d->work says. The
	 * member is NULL for a format without decoded files. */
	const uint8_t *(*open)(const void *facts, struct decode *d, const struct nested *n,
			       struct arena *arena);

	/* stream is open for a file that is `streamed`: it sets *out to how its bytes are read,
	 * with memory of the arena, and charges what that costs to `user`, which is of that file.
	 * The member is NULL for a format without such files. */
	UVET_MUST_USE bool (*stream)(const void *facts, struct decode *d, const struct nested *n,
				     struct arena *arena, struct decode *user,
				     struct source_io *out);

	/* claims sets *out to what the outer file says of a file that is `decoded`, in that file's
	 * arena: then its format is the one that takes claims. NULL: nothing is said, and name and
	 * bytes tell the format. false: memory ended. The member is NULL for a format that never
	 * says anything. */
	UVET_MUST_USE bool (*claims)(const void *facts, const struct nested *n, struct arena *arena,
				     const struct package_claims **out);

	/* beside finds the file of that name in the folder of another one, `of`, which next gave.
	 * It is as next would give it; false: there is none. With any_case its name may differ in
	 * the case of letters. The member is NULL for a format whose files have no files beside
	 * them. */
	bool (*beside)(const void *facts, struct decode *d, const struct nested *of,
		       const char *name, bool any_case, struct nested *out);
	/* claim says that a file that beside found is a part of the one that it was found for: next
	 * does not give it any more. The member is there where `beside` is. */
	void (*claim)(const void *facts, const struct nested *n);
	/* next_beside goes through the files in the folder of `of`, as next does. */
	bool (*next_beside)(const void *facts, const struct decode *d, const struct nested *of,
			    struct nested_walk *w, struct nested *out);
};

/* An extent is how far a file reaches by what stands in it, for whoever asks whether its end is
 * missing or something follows it. Numbers that a damaged file says may be wrong. */
struct extent {
	uint64_t needs; /* bytes that its tables speak of, from its first on; 0: none say it */
	bool is_end;    /* a sound file ends there */
	/* several numbers agree on it, or a bounded one says it: it holds whatever is missing */
	bool is_agreed;
	/* bytes are missing before the end, and what follows them lies too early by as many */
	bool is_moved;
	/* what comes before the end is proved sound: it is the end whatever else is wrong */
	bool is_proved;
	/* its data ends before it is whole, and nothing says how much is missing */
	bool ends_early;
	/* the mark of an end that it has is that of a file in it, and its own is missing */
	bool is_inner;
	/* much of it is claimed so often that it asks for far more than it has */
	bool is_bomb;
	/* so many bytes were put in before the end: what follows them lies too late */
	uint64_t n_surplus;
	/* it has other data than was packed, as its end shows and what it decompresses to */
	bool is_changed;
	/* of companions: parts whose bytes could be held against the tables, those that are not
	 * what these say, those that have the digest that they say, and of these how many precede
	 * the first that differs, in the order of the file */
	uint64_t n_compared, n_differ, n_same, n_before;
	/* of companions: places looked at where compressed data should begin, those where it does
	 * not, and of these the ones where it does if all lie as much later as the file is longer
	 * than it should be, or earlier as it is shorter */
	uint64_t n_places, n_unlike, n_moved;
	/* what a compressed part of the file decompresses to at most; 0: it is not known */
	uint64_t part_max;
};

/* How far a file beside the input may be one that is missing, by its bytes: not, as any of its kind
 * may be, or as none is that does not belong to such an input. */
enum likeness { LIKE_NOTHING, LIKE_KIND, LIKE_COMPANION };

/* The traits that rows of a table, or the file, can have. */
struct format_traits {
	const char *set;  /* as DEFECTS names it; NULL: no traits */
	uint64_t defects; /* those that rules report */
	/* has returns those of a row. It is there where PLAIN_IS_CHECKED, for tables; else NULL. */
	uint64_t (*has)(const void *facts, const void *row);
};

struct format {
	const char *name;  /* "umod" */
	const char *title; /* "UMOD installer" */
	const struct format_group *groups;
	uint32_t n_groups;
	const struct format_traits *traits;  /* by the table's number; those of 0 are the file's */
	size_t n_tables;                     /* one more than the last number */
	const struct layout *const *layouts; /* ends in NULL */
	const struct rule *const *rules;     /* ends in NULL */

	/* of file names that promise the format, in lower case; ends in NULL */
	const char *const *extensions;
	/* likewise, those that other files have, too: with one of them the bytes decide */
	const char *const *shared;

	/* what a container says of its packages is for this format (formats/decode.h) */
	bool takes_claims;
	/* its inputs are sets of files (struct decode), which have no bytes of their own */
	bool takes_sets;
	bool in_sets;        /* rules about sets compare its files */
	bool payload_beside; /* what its inputs list lies in files beside them */

	/* sniff tells whether the input is of this format, by its bytes or by its name. It may
	 * read through d->source. */
	bool (*sniff)(struct decode *d);

	/* decode fills facts and the groups' stops. It returns NULL only when memory ended
	 * before there were any facts. It never judges. */
	const void *(*decode)(struct decode *d);

	/* version is the format version that the file claims, 0 if that was not decoded; with
	 * the flags on which fields of its records depend, where there are such
	 * (layout_context). */
	uint64_t (*version)(const void *facts);

	/* tables fills the tables for EACH rules, by number from 1 on, and returns one more than
	 * the last number. */
	size_t (*tables)(const void *facts, struct table out[TABLES_MAX]);

	/* explained counts the bytes that the outermost regions cover. */
	uint64_t (*explained)(const void *facts);

	/* map passes every region to the sink: those of the input, then those of each companion
	 * in turn. false: the sink stopped it. */
	bool (*map)(const void *facts, struct decode *d, map_sink *sink, void *ctx);

	void (*info)(const void *facts, info_sink *sink, void *ctx);

	/* claims passes every claim of a file to the sink, and returns its gaps. NULL: files of the
	 * format claim nothing. */
	unsigned (*claims)(const void *facts, struct decode *d, claim_sink *sink, void *ctx);

	/* scripts are the script objects of a game, none if they could not be read; NULL: the file
	 * does not list them. The member is NULL for formats that never do. */
	const struct script_objects *(*scripts)(const void *facts);

	const struct nested_files *nested; /* NULL: no files lie in such a file */

	/* finish decodes what is left when the files inside were opened, which decodes them, too.
	 * The format's rules are asked after it. NULL: they are asked before the first file is
	 * opened. What open and finish find out lies behind pointers in the facts. */
	void (*finish)(const void *facts, struct decode *d);

	/* summary fills in what is kept of a file after its facts are freed (formats/summary.h);
	 * NULL: nothing is. */
	void (*summary)(const void *facts, struct decode *d, struct summary *out);

	/* extent fills *out, which is zeroed, for the input (0) or the companion of that number.
	 * NULL: it is not known. */
	void (*extent)(const void *facts, const struct decode *d, uint32_t file,
		       struct extent *out);
	/* next_changed sets *out to a part of the input (0) or the companion of that number whose
	 * bytes have another digest than it should, and *at, which is 0 at first, to where the
	 * next call goes on. false: there are no more. NULL: there are no digests. */
	bool (*next_changed)(const void *facts, const struct decode *d, uint32_t file, uint64_t *at,
			     struct span *out);

	/* A format that finds its end from behind has a number there. marked_end tells where the
	 * file ends by the one at a place of s, perhaps beyond the end of s; 0: it is another
	 * number. end_magic 0: it has none. */
	uint32_t end_magic;
	uint64_t (*marked_end)(struct source *s, uint64_t at);
	uint64_t end_zeros; /* with how many zeros a sound file may end, that are no hole */
	uint64_t beside;    /* the groups of facts that are read from companions */

	/* likeness tells it of s and the companion of that name. NULL: it has no companions. */
	enum likeness (*likeness)(struct source *s, const char *name);
};

/* The formats, in the order in which they are asked to sniff. Ends in NULL. */
extern const struct format *const formats[];
/* How many there can be, 31 at most; every report has some bytes for each of them. The unit test of
 * the catalog fails if there are more. */
enum { FORMATS_MAX = 20 };
#define FORMATS_SHARED (1u << FORMATS_MAX)

/* These take an extension without its dot, and compare it without case. format_has_extension
 * tells whether it is one of the format's own, format_shares whether it is one that the format
 * shares with other files, and format_promised whether it is one or the other of any format:
 * then the file is worth a look. format_set returns a bit for each format of which it is an own
 * extension, by its index in `formats`, and FORMATS_SHARED if any format shares it. */
bool format_has_extension(const struct format *f, struct text extension);
bool format_shares(const struct format *f, struct text extension);
bool format_promised(struct text extension);
/* format_is_opened tells whether archives open a file: it is promised, or a text of packages. */
bool format_is_opened(struct text extension);
uint32_t format_set(struct text extension);

/* format_sniff returns the index in `formats` of the first format that accepts the input, or of
 * the NULL at the end; with claims, that of the format that takes them. Stops of groups that it
 * leaves in d mean nothing. */
size_t format_sniff(struct decode *d);

/* format_sniff_other returns the index of the next format that accepts the input as well as
 * `number`, which format_sniff returned, does; or of the NULL at the end, also where the name or
 * a claim has decided for `number`. */
size_t format_sniff_other(struct decode *d, size_t number);

#endif
