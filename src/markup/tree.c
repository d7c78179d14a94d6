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
	bool hides;	   /* literals_hide has changed the source */
	bool decodes;	   /* there may be character references */
	bool is_invisible; /* nothing to be seen since a link last began */
	bool link_ended;   /* and its address stood for its text */
};

static void *
allocate_or_exit(size_t count, size_t size)
{
	void *bytes = calloc(count, size);

	if (bytes == NULL)
		log_fatal("out of memory: cannot allocate %zu times %zu bytes",
		    count, size);
	return bytes;
}

static void *
reallocate_or_exit(void *bytes, size_t size)
{
	void *resized = realloc(bytes, size);

	if (resized == NULL)
		log_fatal("out of memory: cannot allocate %zu bytes", size);
	return resized;
}

struct tree *
tree_parse(struct arena *arena, struct text source)
{
	static cmark_mem memory = { allocate_or_exit, reallocate_or_exit,
		free };
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

/* Text from the parser: with its literals, and cleaned. */
static struct text
restore_text(const struct tree *tree, const char *string)
{
	struct text text = text_of(string);
	enum utf8_removed removed;

	if (tree->hides)
		text = literals_restore(tree->arena, text);
	if (tree->decodes && !is_plain(text))
		text = utf8_clean(tree->arena, text, UTF8_MANY_LINES, &removed);
	return text;
}

/* A list is tight if it has no blank lines. */
static bool
is_in_tight_list(cmark_node *paragraph)
{
	cmark_node *item = cmark_node_parent(paragraph);

	return cmark_node_get_type(item) == CMARK_NODE_ITEM &&
	    cmark_node_get_list_tight(cmark_node_parent(item));
}

static bool
is_bare(cmark_node *link)
{
	cmark_node *text = cmark_node_first_child(link);
	const char *literal =
	    text != NULL ? cmark_node_get_literal(text) : NULL;

	return text == NULL ||
	    (literal != NULL && cmark_node_next(text) == NULL &&
		strcmp(literal, cmark_node_get_url(link)) == 0);
}

static bool
leads_item(cmark_node *paragraph)
{
	cmark_node *parent = cmark_node_parent(paragraph);

	return cmark_node_get_type(parent) == CMARK_NODE_ITEM &&
	    cmark_node_first_child(parent) == paragraph;
}

/* The steps of a node: a single one for a leaf. */
static const struct node_kind {
	enum tree_kind kind;
	bool is_block, is_leaf;
} node_kinds[] = {
	[CMARK_NODE_BLOCK_QUOTE] = { .kind = TREE_QUOTE, .is_block = true },
	[CMARK_NODE_LIST] = { .kind = TREE_LIST, .is_block = true },
	[CMARK_NODE_ITEM] = { .kind = TREE_ITEM, .is_block = true },
	[CMARK_NODE_CODE_BLOCK] = { .kind = TREE_CODE_BLOCK,
	    .is_block = true,
	    .is_leaf = true },
	[CMARK_NODE_HTML_BLOCK] = { .kind = TREE_HTML_BLOCK,
	    .is_block = true,
	    .is_leaf = true },
	[CMARK_NODE_PARAGRAPH] = { .kind = TREE_PARAGRAPH, .is_block = true },
	[CMARK_NODE_HEADING] = { .kind = TREE_HEADING, .is_block = true },
	[CMARK_NODE_THEMATIC_BREAK] = { .kind = TREE_RULE,
	    .is_block = true,
	    .is_leaf = true },
	[CMARK_NODE_TEXT] = { .kind = TREE_TEXT, .is_leaf = true },
	[CMARK_NODE_SOFTBREAK] = { .kind = TREE_SOFT_BREAK, .is_leaf = true },
	[CMARK_NODE_LINEBREAK] = { .kind = TREE_HARD_BREAK, .is_leaf = true },
	[CMARK_NODE_CODE] = { .kind = TREE_CODE, .is_leaf = true },
	[CMARK_NODE_HTML_INLINE] = { .kind = TREE_TEXT, .is_leaf = true },
	[CMARK_NODE_EMPH] = { .kind = TREE_EMPHASIS },
	[CMARK_NODE_STRONG] = { .kind = TREE_STRONG },
	[CMARK_NODE_LINK] = { .kind = TREE_LINK },
	[CMARK_NODE_IMAGE] = { .kind = TREE_IMAGE },
};

/* Fills a step from a node; false if the node has none. */
static bool
describe_node(const struct tree *tree, cmark_node *node, struct tree_step *step)
{
	cmark_node_type type = cmark_node_get_type(node);
	const char *literal = cmark_node_get_literal(node);

	*step = (struct tree_step){ .kind = node_kinds[type].kind,
		.is_block = node_kinds[type].is_block,
		.start = -1 };
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
		step->is_bare = is_bare(node);
		step->text = restore_text(tree, cmark_node_get_url(node));
		return true;
	default:
		if (literal != NULL)
			step->text = restore_text(tree, literal);
		return true;
	}
}

static enum tree_event
find_event(cmark_node *node, cmark_event_type event)
{
	if (node_kinds[cmark_node_get_type(node)].is_leaf)
		return TREE_LEAF;
	return event == CMARK_EVENT_ENTER ? TREE_ENTER : TREE_EXIT;
}

/*
 * Puts the address before the end of a link in which nothing was seen. A link within
 * has left something to be seen in any other around it, if only its address.
 */
static void
add_link_address(struct tree *tree, struct tree_step *step)
{
	bool is_link = step->kind == TREE_LINK || step->kind == TREE_IMAGE;

	if (tree->is_invisible && step->event == TREE_LEAF)
		tree->is_invisible = !utf8_visible(step->text);
	if (is_link && step->event == TREE_ENTER)
		tree->is_invisible = true;
	if (!is_link || step->event != TREE_EXIT || !tree->is_invisible)
		return;
	step->kind = TREE_TEXT;
	step->event = TREE_LEAF;
	tree->is_invisible = false;
	tree->link_ended = true;
}

bool
tree_next(struct tree *tree, struct tree_step *step)
{
	cmark_event_type event;
	cmark_node *node = cmark_iter_get_node(tree->iterator);

	if (tree->link_ended) {
		tree->link_ended = false;
		describe_node(tree, node, step);
		step->event = TREE_EXIT;
		return true;
	}
	do {
		event = cmark_iter_next(tree->iterator);
		if (event == CMARK_EVENT_DONE)
			return false;
		node = cmark_iter_get_node(tree->iterator);
	} while (!describe_node(tree, node, step));
	step->event = find_event(node, event);
	add_link_address(tree, step);
	return true;
}
