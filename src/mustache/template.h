/*
 * What the parts of the engine share: a compiled template and the set it is in.
 *
 * A template is an array of instructions, one for each run of text and each tag
 * that does something, closed by DO_END. A tag with a body is followed by the
 * body and a DO_END of its own, and points to that. Inside a parent tag only
 * blocks are kept, because nothing else there is ever rendered.
 *
 * Indentation is settled as far as it can be when compiling: lines that hold
 * nothing but a tag are gone, the lines of a block have lost the white space
 * that all of them begin with, and `indent` is what each line that takes a
 * tag's place begins with instead.
 */
#ifndef MUSTACHE_TEMPLATE_H
#define MUSTACHE_TEMPLATE_H

#include "mustache/mustache.h"

enum {
	MAX_NESTING = 64, /* of tags in one template */
	MAX_LEVELS = 128, /* of bodies in each other, through all templates */
	MAX_BODIES = 1000000, /* that one rendering or check enters */
	MAX_OUTPUT = 16 << 20 /* bytes, after which no body is entered */
};

enum operation {
	DO_TEXT,
	DO_VALUE,
	DO_RAW_VALUE,
	DO_SECTION,
	DO_INVERTED,
	DO_PARTIAL,
	DO_PARENT,
	DO_BLOCK,
	DO_END
};

/*
 * Where mustache_check found a name: so many contexts below the innermost one,
 * in a struct of type owner, so many bytes into it. owner is NULL as long as
 * nothing is known and once two ways through the templates disagree.
 */
struct binding {
	size_t below, offset;
	const struct mustache_type *owner;
	const struct mustache_field *field;
	bool varies;
};

struct instruction {
	enum operation operation;
	bool dynamic;	  /* a partial or parent that a value names */
	bool standalone;  /* had its line; of DO_END: and the line's end */
	size_t at;	  /* where in the source, for messages */
	struct text text; /* what to write, or the tag's whole name */
	const struct text *parts; /* of a name in the data; none: {{.}} */
	size_t part_count;
	struct text indent;
	struct instruction *end; /* the DO_END of a tag with a body */
	const struct mustache_template *target; /* NULL: find it by name */
	struct binding binding;
};

struct mustache_template {
	const struct mustache_template *older; /* in the set */
	struct text name, source;
	struct instruction *instructions;
};

/* A field that a name in a template led to; the last has none. */
struct named {
	const struct mustache_field *field;
	struct named *next;
};

struct mustache_set {
	struct arena *arena;
	const struct mustache_template *newest;
	struct named *named;
};

#endif
