/*
 * What a Markdown text means, as steps: what begins, what ends, and what stands between,
 * in the order in which it is read. This is all that is known of libcmark.
 *
 * Only what may be shown is in it. The paragraphs of lists without blank lines have no
 * step of their own. What a character reference brings in ("&#x202E;") is cleaned as
 * what was typed has been, by utf8_clean. A link or an image in which nothing can be
 * seen has its address as text.
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
	TREE_RULE,	 /* a line across */
	TREE_CODE_BLOCK, /* text: its lines */
	TREE_HTML_BLOCK, /* text: as it was typed */
	TREE_TEXT,	 /* text; HTML in a line as well */
	TREE_CODE,	 /* text */
	TREE_SOFT_BREAK,
	TREE_HARD_BREAK,
	TREE_EMPHASIS,
	TREE_STRONG,
	TREE_LINK, /* text: its address, as it was typed */
	TREE_IMAGE /* text: its address; its alternative text is inside */
};

/* What has nothing within it only is. */
enum tree_event { TREE_LEAF, TREE_ENTER, TREE_EXIT };

struct tree_step {
	enum tree_kind kind;
	enum tree_event edge;
	struct text text; /* valid until tree_free */
	int level;	  /* of a heading, 1 to 6 */
	int start;	  /* of a list with numbers; -1: it has none */
	bool leads;	  /* of a paragraph: it is the first of a list's item */
};

/* Parses; the tree is to be freed. How long that may take is in bound.h. */
struct tree *tree_parse(struct arena *arena, struct text source);

/* The next step; false when there are no more. */
bool tree_next(struct tree *tree, struct tree_step *step);
void tree_free(struct tree *tree);
