/*
 * The engine's internal types: a compiled template and the set it is in.
 *
 * A template is an array of instructions, one for each run of text and each tag
 * that does something, ended by DO_END. A tag with a body is followed by the
 * body and a DO_END of its own, and points to that. Inside a parent tag only
 * blocks are compiled, because nothing else there is ever rendered.
 *
 * Indentation is resolved at compile time as far as possible: lines that consist
 * of a tag alone are removed, the lines of a block have lost the white space
 * that all of them begin with, and `indent` is what to put before each line of
 * the partial or block that is rendered in the tag's place.
 */
#pragma once

#include "mustache/mustache.h"

enum {
	MAX_NESTING = 64,     /* of tags in one template */
	MAX_LEVELS = 128,     /* of nested bodies, across templates */
	MAX_BODIES = 1000000, /* entered by one rendering or check */
	MAX_OUTPUT = 16 << 20 /* bytes, after which no body is entered */
};

enum operation {
	DO_VALUE, /* first, since it is what a tag does by default */
	DO_RAW_VALUE,
	DO_SECTION,
	DO_INVERTED,
	DO_PARTIAL,
	DO_PARENT,
	DO_BLOCK,
	DO_TEXT,
	DO_END,
	DO_NOTHING /* a comment or new delimiters; only in tokens */
};

/*
 * Where mustache_check found a name: the context, counted from the innermost
 * one, which is 0; that context's type; and the field with its offset in the
 * context. Different paths through the templates may lead to different places, so
 * there is a list of them, the innermost first: of these the first is right whose
 * context has its type.
 */
struct binding {
	size_t below, offset;
	const struct mustache_type *owner;
	const struct mustache_field *field;
	/* The value itself is at the offset: it is no object and no MUSTACHE_VALUE. */
	bool is_direct;
	struct binding *next;
};

struct instruction {
	enum operation operation;
	bool dynamic;	  /* a partial or parent whose name is a value */
	bool standalone;  /* alone on its line; of DO_END: before a line end */
	size_t at;	  /* where in the source, for messages */
	struct text text; /* what to write, or the tag's whole name */
	const struct text *parts; /* of a name in the data; {{.}} has none */
	size_t part_count;
	struct text indent;
	struct instruction *end; /* the DO_END of a tag with a body */
	const struct mustache_template *target; /* NULL: find it by name */
	struct binding *bindings;
};

struct mustache_template {
	const struct mustache_template *older; /* in the set */
	struct text name, file, source; /* file is empty when it has none */
	struct instruction *instructions;
};

/* A field that is named in a template. The last of the list has no field. */
struct named {
	const struct mustache_field *field;
	struct named *next;
};

struct mustache_set {
	struct arena *arena;
	const struct mustache_template *newest;
	struct named *named;
	mustache_translator *translate; /* may be NULL */
	const void *language;
};
