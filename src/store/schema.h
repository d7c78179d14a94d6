/*
 * Schemas: the stored fields of a noun as a table, one row a field.
 *
 * From the rows follow reading and writing its hash in Redis, caching it in a worker, its
 * line in a dump in both directions, what "tally check" expects of the hash, what is erased
 * with its author's texts, the arguments of the functions that create, load and edit it, and
 * the rules that a form's values and a dump's are held against. So a field is a member of the
 * noun's struct and a row.
 */
#pragma once

#include "base/buffer.h"
#include "redis/pipeline.h"
#include "store/function_call.h"
#include "store/member.h"
#include "store/rules.h"

/* The C type of a field, its form in the hash and, where that differs, in a dump. */
enum field_type {
	FIELD_TEXT,  /* struct text */
	FIELD_WORDS, /* struct text: words and spaces; in a dump a list */
	/* A struct member: "17 ann"; in a dump the name. The last of those that have a text. */
	FIELD_MEMBER,
	FIELD_ROLE,  /* enum role: its word */
	FIELD_ID,    /* uint64_t from 1 */
	FIELD_COUNT, /* int64_t from 0: how many */
	FIELD_MOMENT /* int64_t: Unix seconds; 0 is never */
};

/* The first two are in every hash. What is SPARSE or NULLABLE differs in a dump. */
enum field_presence {
	FIELD_REQUIRED,
	FIELD_DEFAULTED, /* a line of a dump may leave it out, the hash not */
	/* While it is empty or 0: not in the hash; a line of a dump always has it. */
	FIELD_SPARSE,
	/* While it is empty or 0: not in the hash, null in a dump. */
	FIELD_NULLABLE,
	FIELD_OPTIONAL,	 /* while it is empty or 0: in neither */
	FIELD_NOT_DUMPED /* in the hash alone, which others write */
};

/* The extents of reading that include a field: its own, from SCHEMA_BRIEF on, and those
 * after it. The hash has none of the first two. */
enum schema_extent {
	SCHEMA_KEY,	  /* in the hash's key */
	SCHEMA_ELSEWHERE, /* in another key than the hash */
	SCHEMA_BRIEF,	  /* an article in a list */
	SCHEMA_WHOLE
};

/* When the author may edit a field by the form of the noun. */
enum field_editing {
	EDIT_NEVER, /* or by a form of its own */
	EDIT_EARLY, /* shortly after posting (store/article.h) */
	EDIT_OPEN   /* while the noun takes votes */
};

struct field {
	const char *name; /* in the hash, in a dump and in forms */
	enum field_type type;
	enum field_presence presence;
	enum schema_extent extent;
	size_t offset; /* of the member in the noun's struct */
	bool is_kept;  /* although it is a text, when its author's are erased */
	enum field_editing editing;
	rule *rule; /* of a field that is edited */
};

enum { SCHEMA_MAX = 40 }; /* fields of a noun */

struct schema {
	const struct field *fields;
	size_t count;
	size_t size; /* of the noun's struct */
};

/* A row: a member of another C type than its field's does not compile. FIELD_KEPT is of a
 * text that stays when its author's texts are erased, FIELD_EDITED of a text that its author
 * may edit. */
#define FIELD(name, noun, member, type, presence, extent) \
	FIELD_ROW( \
	    name, noun, member, type, presence, extent, false, NEVER, NULL)
#define FIELD_KEPT(name, noun, member, type, presence, extent) \
	FIELD_ROW(name, noun, member, type, presence, extent, true, NEVER, NULL)
#define FIELD_EDITED(name, noun, member, presence, extent, editing, rule) \
	FIELD_ROW( \
	    name, noun, member, TEXT, presence, extent, false, editing, rule)
#define FIELD_ROW( \
    name, noun, member, type, presence, extent, is_kept, editing, rule) \
	{ name, FIELD_##type, FIELD_##presence, SCHEMA_##extent, \
		_Generic(((noun *)0)->member, \
		    FIELD_C_##type: offsetof(noun, member)), \
		is_kept, EDIT_##editing, rule }
#define FIELD_C_TEXT   struct text
#define FIELD_C_WORDS  struct text
#define FIELD_C_MEMBER struct member
#define FIELD_C_ROLE   enum role
#define FIELD_C_ID     uint64_t
#define FIELD_C_COUNT  int64_t
#define FIELD_C_MOMENT int64_t
#define SCHEMA(noun, table) \
	{ .fields = (table), \
		.count = sizeof(table) / sizeof((table)[0]), \
		.size = sizeof(noun) }

/* Asks for fields of a hash, with one command: for a whole one HGETALL, since HMGET searches a
 * small hash once for each name (an article of 20 fields: 40 thousand instructions of Redis in
 * place of 60). */
void schema_ask(struct pipeline *pipeline, const struct schema *schema,
    enum schema_extent extent, struct text key);

/*
 * Fills the noun's members from the reply; what the hash does not have comes out empty or 0. The
 * reply is that of schema_ask with this extent. False when it has none of the fields that every
 * hash has: then there is no such noun.
 */
bool schema_read(const struct schema *schema, enum schema_extent extent,
    const struct reply *reply, void *noun);

/* The first field of the reply that schema_read would take for another value, with what
 * it has: not of its type, or missing although every hash has it. NULL when there is none. */
const struct field *schema_find_damage(const struct schema *schema,
    enum schema_extent extent, const struct reply *reply, struct text *value);

/*
 * The name and the value of each field in turn, as the hash is to have them.
 * There is room for 2 * SCHEMA_MAX words; returns how many there are. schema_add
 * makes them arguments of a call.
 */
size_t schema_words(struct arena *arena, const struct schema *schema,
    const void *noun, struct text *words);
void schema_add(
    struct call *call, const struct schema *schema, const void *noun);

/* Adds what a hash must have to be read: names, each with what matches it there: "text",
 * "number" or "member"; and "sparse number" or "sparse member", which may be missing. */
void schema_add_required(struct call *call, const struct schema *schema);

/*
 * The noun as bytes, for a cache: its struct, and then its brief texts, to which
 * those of the noun point that is unpacked from them. Other texts are lost.
 */
void schema_pack(
    struct buffer *bytes, const struct schema *schema, const void *noun);
void schema_unpack(struct text packed, const struct schema *schema, void *noun);

/*
 * Whether a field of a hash stays when the texts of its author are erased: numbers,
 * members, roles and FIELD_KEPT do. All else goes, also what has no row, so that a new
 * field cannot be forgotten.
 */
bool schema_keeps(const struct schema *schema, struct text name);

/* The field of a name; NULL when there is none. */
const struct field *schema_find(const struct schema *schema, struct text name);

/* The noun's text or words, or the name of a member, as const as the noun; NULL when the
 * field is of another type. */
struct text *field_text(const struct field *field, const void *noun);

/* Whether it is an empty text, nobody, or 0. */
bool field_is_empty(const struct field *field, const void *noun);
