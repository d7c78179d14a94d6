/*
 * What comments say, by whom: read, rendered and kept.
 *
 * The HTML of a comment is made of its text once, and kept under the number of its edits,
 * which stands in the thread's index: a vote makes nothing be rendered anew.
 */
#pragma once

#include "lists/thread.h"
#include "pages/form.h"
#include "store/comment.h"

/* A text as HTML, and whether that is not all of it. */
struct comment_body_html {
	struct text html;
	bool is_cut;
};

struct comment_body {
	struct post post; /* with the votes of the index, and the viewer's */
	struct comment_body_html text; /* empty of one that was removed */
	bool is_lost;		       /* its hash is not there */
};

struct comment_body_query {
	uint64_t article;
	uint64_t
	    epoch; /* of the connections, as the stamp of the thread has it */
	uint64_t whole; /* the comment that the page is about; 0: none */
	size_t above;	/* so many of the nodes are shown whatever they take */
};

/*
 * Of each of the thread's nodes one; bodies has room for count. Of their HTML the page has
 * RULE_PAGE_BYTES, and where that ends *shown is less than count; it has at least one
 * behind those above. Those that were removed are not asked for: their posts have what
 * the index says.
 *
 * Gives way to other requests between two texts. What is not kept is asked for a few
 * comments at a time, which bounds the memory of a page that waits.
 */
STORE_CALL comment_body_read(struct page *page,
    const struct comment_body_query *thread, const struct thread_node *nodes,
    size_t count, struct comment_body *bodies, size_t *shown);

/* A text with the names that it may link, "@ann /g/redis", as at most max bytes of HTML:
 * kept under what it is made from, since in lists and inboxes the same texts come again
 * and again. Empty when only the head of the page is asked for. */
struct comment_body_html comment_body_html(
    struct page *page, struct text text, struct text links, size_t max);

/* RULE_WHOLE_BYTES of it, without a word of what is missing: of a preview, and of a text
 * that was removed. */
struct text comment_body_whole(
    struct page *page, struct text text, struct text links);

/* Whether a text that was checked can be shown as it was meant, and links to no host that
 * is refused; otherwise its input is marked. */
bool comment_body_check(struct page *page, struct input *text);

/* Those of the names in a text that there are: as the links of a comment have them, and
 * the ids of at most RULE_MENTIONS_MAX of the members. */
struct comment_body_names {
	struct text links;
	uint64_t ids[RULE_MENTIONS_MAX];
	size_t count;
};
STORE_CALL comment_body_find_names(
    struct page *page, struct text text, struct comment_body_names *names);
