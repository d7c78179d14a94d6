#include "markup/tree.h"

#include <cmark.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/utf8.h"
#include "markup/literals.h"

struct tree {
	struct arena *arena;
	cmark_node *root;
	cmark_iter *iterator;
	bool hides;	 /* literals_hide has changed the source */
	bool decodes;	 /* there may be character references */
	bool is_unseen;	 /* nothing to be seen since a link last began */
	bool link_ended; /* and its address stood for its text */
};

static void *
allocate(size_t count, size_t size)
{
	void *bytes = calloc(count, size);

	if (bytes == NULL)
		log_fatal("out of memory: %zu times %zu bytes", count, size);
	return bytes;
}

static void *
reallocate(void *bytes, size_t size)
{
	void *moved = realloc(bytes, size);

	if (moved == NULL)
		log_fatal("out of memory: %zu bytes were asked for", size);
	return moved;
}

struct tree *
tree_parse(struct arena *arena, struct text source)
{
	static cmark_mem memory = { allocate, reallocate, free };
	struct text hidden = literals_hide(arena, source);
	struct tree *tree = arena_new(arena, struct tree, 1);
	cmark_parser *parser =
	    cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, &memory);

	cmark_parser_feed(parser, hidden.data, hidden.size);
	*tree = (struct tree){ .arena = arena,
		.root = cmark_parser_finish(parser),
		.hides = hidden.data != source.data,
		.decodes = text_find(source, 0, TEXT("&")) != SIZE_MAX };
	tree->iterator = cmark_iter_new(tree->root);
	cmark_parser_free(parser);
	return tree;
}

void
tree_free(struct tree *tree)
{
	cmark_iter_free(tree->iterator);
	cmark_node_free(tree->root);
}

static bool
is_plain(struct text text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] < ' ' || text.data[i] > '~')
			return false;
	return true;
}

/* What the parser has made of a part of the source. */
static struct text
taken(const struct tree *tree, const char *string)
{
	struct text text = text_of(string);
	enum utf8_removed removed;

	if (tree->hides)
		text = literals_restore(tree->arena, text);
	if (tree->decodes && !is_plain(text))
		text = utf8_clean(tree->arena, text, UTF8_MANY_LINES, &removed);
	return text;
}

/* A list is tight when no blank lines are in it. */
static bool
is_in_tight_list(cmark_node *paragraph)
{
	cmark_node *item = cmark_node_parent(paragraph);

	return cmark_node_get_type(item) == CMARK_NODE_ITEM &&
	    cmark_node_get_list_tight(cmark_node_parent(item));
}

static bool
leads_item(cmark_node *paragraph)
{
	cmark_node *parent = cmark_node_parent(paragraph);

	return cmark_node_get_type(parent) == CMARK_NODE_ITEM &&
	    cmark_node_first_child(parent) == paragraph;
}

/* Says what a node is; false when it is nothing to be shown. */
static bool
describe(const struct tree *tree, cmark_node *node, struct tree_step *step)
{
	static const enum tree_kind kinds[] = {
		[CMARK_NODE_BLOCK_QUOTE] = TREE_QUOTE,
		[CMARK_NODE_LIST] = TREE_LIST,
		[CMARK_NODE_ITEM] = TREE_ITEM,
		[CMARK_NODE_CODE_BLOCK] = TREE_CODE_BLOCK,
		[CMARK_NODE_HTML_BLOCK] = TREE_HTML_BLOCK,
		[CMARK_NODE_PARAGRAPH] = TREE_PARAGRAPH,
		[CMARK_NODE_HEADING] = TREE_HEADING,
		[CMARK_NODE_THEMATIC_BREAK] = TREE_RULE,
		[CMARK_NODE_TEXT] = TREE_TEXT,
		[CMARK_NODE_SOFTBREAK] = TREE_SOFT_BREAK,
		[CMARK_NODE_LINEBREAK] = TREE_HARD_BREAK,
		[CMARK_NODE_CODE] = TREE_CODE,
		[CMARK_NODE_HTML_INLINE] = TREE_TEXT,
		[CMARK_NODE_EMPH] = TREE_EMPHASIS,
		[CMARK_NODE_STRONG] = TREE_STRONG,
		[CMARK_NODE_LINK] = TREE_LINK,
		[CMARK_NODE_IMAGE] = TREE_IMAGE,
	};
	cmark_node_type type = cmark_node_get_type(node);
	const char *literal = cmark_node_get_literal(node);

	*step = (struct tree_step){ .kind = kinds[type], .start = -1 };
	switch (type) {
	case CMARK_NODE_DOCUMENT:
		return false;
	case CMARK_NODE_PARAGRAPH:
		step->leads = leads_item(node);
		return !is_in_tight_list(node);
	case CMARK_NODE_HEADING:
		step->level = cmark_node_get_heading_level(node);
		return true;
	case CMARK_NODE_LIST:
		if (cmark_node_get_list_type(node) == CMARK_ORDERED_LIST)
			step->start = cmark_node_get_list_start(node);
		return true;
	case CMARK_NODE_LINK:
	case CMARK_NODE_IMAGE:
		step->text = taken(tree, cmark_node_get_url(node));
		return true;
	default:
		if (literal != NULL)
			step->text = taken(tree, literal);
		return true;
	}
}

static enum tree_event
edge_of(cmark_node *node, cmark_event_type event)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_HTML_BLOCK:
	case CMARK_NODE_THEMATIC_BREAK:
	case CMARK_NODE_CODE_BLOCK:
	case CMARK_NODE_TEXT:
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK:
	case CMARK_NODE_CODE:
	case CMARK_NODE_HTML_INLINE:
		return TREE_LEAF;
	default:
		return event == CMARK_EVENT_ENTER ? TREE_ENTER : TREE_EXIT;
	}
}

/*
 * Puts the address before the end of a link in which nothing was seen. A link within
 * has left something to be seen in any other around it, if only its address.
 */
static void
show_link(struct tree *tree, struct tree_step *step)
{
	bool is_link = step->kind == TREE_LINK || step->kind == TREE_IMAGE;

	if (tree->is_unseen && step->edge == TREE_LEAF)
		tree->is_unseen = !utf8_visible(step->text);
	if (is_link && step->edge == TREE_ENTER)
		tree->is_unseen = true;
	if (!is_link || step->edge != TREE_EXIT || !tree->is_unseen)
		return;
	step->kind = TREE_TEXT;
	step->edge = TREE_LEAF;
	tree->is_unseen = false;
	tree->link_ended = true;
}

bool
tree_next(struct tree *tree, struct tree_step *step)
{
	cmark_event_type event;
	cmark_node *node = cmark_iter_get_node(tree->iterator);

	if (tree->link_ended) {
		tree->link_ended = false;
		describe(tree, node, step);
		step->edge = TREE_EXIT;
		return true;
	}
	do {
		event = cmark_iter_next(tree->iterator);
		if (event == CMARK_EVENT_DONE)
			return false;
		node = cmark_iter_get_node(tree->iterator);
	} while (!describe(tree, node, step));
	step->edge = edge_of(node, event);
	show_link(tree, step);
	return true;
}
