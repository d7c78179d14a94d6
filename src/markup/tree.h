/*
 * Parses Markdown into a sequence of steps, in document order: entering or leaving an
 * element, or a leaf. The only file that uses libcmark.
 *
 * The paragraphs of tight lists have no steps. Characters from references ("&#x202E;")
 * are cleaned by utf8_clean, as typed ones have been. A link or an image without
 * visible content gets its address as text.
 */
#pragma once

#include "base/text.h"

struct tree;

enum tree_kind {
	TREE_PARAGRAPH,
	TREE_QUOTE,
	TREE_LIST,
	TREE_ITEM,
	TREE_HEADING,
	TREE_RULE,	 /* a horizontal line */
	TREE_CODE_BLOCK, /* text: the lines */
	TREE_HTML_BLOCK, /* text: the source */
	TREE_TEXT,	 /* text; also inline HTML */
	TREE_CODE,	 /* text */
	TREE_SOFT_BREAK,
	TREE_HARD_BREAK,
	TREE_EMPHASIS,
	TREE_STRONG,
	TREE_LINK, /* text: the address as typed */
	TREE_IMAGE /* text: the address; the alternative text is inside */
};

/* A leaf has a single step. */
enum tree_event { TREE_LEAF, TREE_ENTER, TREE_EXIT };

struct tree_step {
	enum tree_kind kind;
	enum tree_event event;
	bool is_block;	  /* a block element, not an inline one */
	struct text text; /* valid until tree_free */
	int level;	  /* of a heading, 1 to 6 */
	int start;	  /* of a numbered list; -1 for any other */
	bool leads;	  /* of a paragraph: the first in a list item */
	bool is_bare;	  /* of a link: its text is its address */
};

/* Parses a text; free the result with tree_free. Cost: see markup/limits.h. */
struct tree *tree_parse(struct arena *arena, struct text source);

/* Moves to the next step; false at the end. */
bool tree_next(struct tree *tree, struct tree_step *step);
void tree_free(struct tree *tree);
