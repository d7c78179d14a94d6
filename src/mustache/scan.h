/*
 * A template's source as tokens, in order, with nothing left out: tags, and the
 * text between them cut at the ends of lines.
 */
#ifndef MUSTACHE_SCAN_H
#define MUSTACHE_SCAN_H

#include "mustache/template.h"

enum token_kind {
	TOKEN_TEXT, /* never more than one line, with its line end */
	TOKEN_VALUE,
	TOKEN_RAW_VALUE,
	TOKEN_SECTION,
	TOKEN_INVERTED,
	TOKEN_CLOSE,
	TOKEN_PARTIAL,
	TOKEN_PARENT,
	TOKEN_BLOCK,
	TOKEN_COMMENT,
	TOKEN_DELIMITERS
};

/* The index of no token. */
#define TOKEN_NONE SIZE_MAX

struct token {
	enum token_kind kind;
	size_t at;	  /* in the source */
	struct text text; /* the text, or the tag's name */
	bool dynamic;	  /* a name that began with an asterisk */
	bool line_start;  /* of text: stands at the start of a line */

	/* What layout.h finds out. */
	size_t mate;	 /* the tag that closes this one or that it closes */
	size_t outer;	 /* the innermost tag that has this one in its body */
	bool dropped;	 /* text on a line that only has a tag to show */
	bool standalone; /* see struct instruction */
	struct text indent; /* see struct instruction */
	size_t dedent;	    /* how much each line of the body loses */
	size_t instruction; /* compile.c: which one a tag has become */
};

struct tokens {
	struct token *items;
	size_t count, capacity;
};

/* False, and error, when a tag is malformed. */
bool mustache_scan(struct arena *arena,
    const struct mustache_template *template, struct tokens *tokens,
    struct mustache_error *error);

#endif
