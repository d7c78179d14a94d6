/*
 * Reads, renders and caches comment bodies: the text of a comment as HTML, with its author
 * and times.
 *
 * A body is rendered once and cached under the number of its edits, which the index of its
 * thread has: votes do not invalidate it.
 */
#pragma once

#include "lists/comments.h"
#include "lists/thread.h"
#include "pages/form.h"
#include "store/comment.h"

struct comment_body {
	struct post post; /* with the votes of the index, and the viewer's */
	/* Empty for a removed comment, and until comment_body_load. */
	struct markdown_html html;
	size_t html_size;
	bool is_lost; /* Redis has no such comment */
};

/* Which nodes of which thread. */
struct comment_body_query {
	uint64_t article;
	uint64_t epoch; /* of the thread's stamp */
	uint64_t version;
	/* Of the page, within the thread; empty: what is read of it is not cached as a whole. */
	struct text name;
	/* The comment that the page is about: shown up to RULE_WHOLE_BYTES; 0: none. */
	uint64_t whole;
	/* The first so many nodes are shown whatever their size. */
	size_t above;
};

/* The key of what is cached of a page as a whole, and whether it is. */
struct text comment_body_page_key(
    const struct page *page, const struct comment_body_query *query);
bool comment_body_has_page(
    const struct page *page, const struct comment_body_query *query);

/*
 * Reads a body for each node, of which bodies has count. A page has RULE_PAGE_BYTES of
 * HTML: *shown is less than count where they end, and at least one more than above. Of a
 * removed comment nothing is read; its post has what the index has.
 *
 * The authors and times of a whole page are cached until its thread changes, and a reader's votes
 * there until they vote (lists/thread_votes.h). The HTML is then left out; comment_body_load reads
 * it where a piece has to be rendered.
 *
 * Suspends the fiber between two texts. What is not cached is read in batches of comments,
 * which bounds the memory of a page that waits.
 */
STORE_CALL comment_body_read(struct page *page,
    const struct comment_body_query *query, const struct thread_node *nodes,
    size_t count, struct comment_body *bodies, size_t *shown);

/* Reads the HTML of those of these that have none yet. */
STORE_CALL comment_body_load(struct page *page,
    const struct comment_body_query *query, const struct thread_node *nodes,
    size_t count, struct comment_body *bodies);

/* The same of comments of any threads, which comments_find found: of all of them. */
STORE_CALL comment_body_read_rows(struct page *page,
    const struct comments_row *rows, size_t count, struct comment_body *bodies);

/* Marks the input of a text that markup cannot render as meant, or that links to a refused
 * host; true when it has no problem. */
bool comment_body_check(struct page *page, struct input *text);

/* The names in a text that exist: in the form of a comment's links, and the ids of the
 * first RULE_MENTIONS_MAX members. */
struct comment_body_names {
	struct text links;
	uint64_t ids[RULE_MENTIONS_MAX];
	size_t count;
};
STORE_CALL comment_body_find_names(
    struct page *page, struct text text, struct comment_body_names *names);
