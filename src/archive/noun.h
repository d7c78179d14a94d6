/*
 * The nouns of a dump: a row for each kind of line, with the callbacks by which it is
 * dumped, loaded and checked. A noun is a file of this folder, which ends with its row, and
 * its row and member in record.h.
 *
 *	tally dump    write ------------------------------------> lines
 *	tally load    lines --> validate --> resolve --> load --> Redis
 *	tally check   check: Redis alone
 *
 * A callback that a noun has no use for is NULL, but for describe and validate.
 */
#pragma once

#include "store/schema.h"
#include "store/store.h"

struct batch;
struct check;
struct json_reader;
struct json_t;
struct record;
struct references;
struct validation;
struct writer;

struct noun {
	const char *kind;  /* in a line: "user" */
	const char *label; /* in messages: "member" */
	const struct schema *schema;
	size_t offset;	    /* of its struct in a record */
	bool is_post;	    /* the struct begins with a struct post */
	bool taken_is_same; /* what a load finds in its place is the same */

	/* The name in messages: "article 7". */
	struct text (*describe)(
	    struct arena *arena, const struct record *record);
	/* How other lines name it: "@ann", "/g/go", "7" or "7:3"; empty when the line
	 * does not say it. NULL: no line names it. */
	struct text (*key)(struct arena *arena, const struct record *record);
	/* Its number, and the counter that gives such numbers out in each bucket, which
	 * a load reserves; KEY_OTHER: there is none. */
	uint64_t (*number)(const struct record *record);
	enum key_kind counter;
	/* Visits all that a line names. */
	void (*references)(
	    struct references *references, struct record *record);

	/* JSON beside the fields of the schema. */
	void (*put)(struct json_t *object, const struct record *record);
	void (*read)(struct json_reader *reader, struct record *record);

	/* Writes all lines of the kind; in the order of rows, so that each line comes
	 * after those that it names. */
	enum store_result (*write)(struct writer *writer);

	/* Holds a line against the site's rules, without asking Redis. */
	void (*validate)(struct validation *validation, struct record *record);
	/* Finds what the lines of a batch name, and refuses those that cannot be
	 * loaded; what exists already, and is the same, is marked so. */
	enum store_result (*resolve)(struct batch *batch);
	/* Adds the call that loads a line; or writes the lines of a batch into Redis, and
	 * sets their outcomes. */
	void (*add)(struct pipeline *pipeline, const struct batch *batch,
	    const struct record *record);
	enum store_result (*load)(struct batch *batch);

	/* Reports what is wrong; in the reverse order of rows, so that members are
	 * examined after what they posted. */
	enum store_result (*check)(struct check *check);
};

/* By enum record_kind (archive/record.h). */
extern const struct noun *const nouns[];
