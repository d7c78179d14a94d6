/*
 * A template's source as a list of tokens, in order, with nothing left out:
 * tags, and the text between them cut after each line end.
 *
 * The list begins with a text token that is not in the source and holds a line
 * end, so that the first line starts after one like all others, and it is
 * closed by a DO_END, the only token with nothing after it.
 */
#pragma once

#include "mustache/template.h"

struct token {
	struct token *before, *after;
	enum operation operation;
	size_t at;	  /* in the source */
	struct text text; /* the text, or the tag's name */
	bool dynamic;	  /* the name began with an asterisk */

	/* Set by layout.c. */
	struct token *mate; /* the tag that closes this one or that it closes */
	/* The innermost tag around it, or the first token. */
	struct token *outer;
	bool dropped;	    /* text on a line that holds nothing but a tag */
	bool standalone;    /* see struct instruction */
	struct text indent; /* see struct instruction */
	size_t dedent;	    /* how many bytes each line of the body loses */

	/* Set by compile.c: what became of it. */
	struct instruction *instruction;
};

/* The first token; NULL, and error, when a tag is malformed. */
struct token *mustache_scan(struct arena *arena,
    const struct mustache_template *template, struct mustache_error *error);
