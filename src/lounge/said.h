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

struct said {
	struct post post; /* with the votes of the index, and the viewer's */
	struct text html; /* of the text; empty of one that was removed */
	bool is_lost;	  /* its hash is not there */
};

struct said_thread {
	uint64_t article;
	uint64_t
	    epoch; /* of the connections, as the stamp of the thread has it */
};

/* Of each of the thread's nodes one; saids has room for count. Those that were removed
 * are not asked for: their posts have what the index says. */
STORE_CALL said_read(struct page *page, const struct said_thread *thread,
    const struct thread_node *nodes, size_t count, struct said *saids);

/* A text with the names that it may link, "@ann /g/redis", as HTML: kept under what it is
 * made from, since in lists and inboxes the same texts come again and again. */
struct text said_html(struct page *page, struct text text, struct text links);

/* Whether a text that was checked can be shown as it was meant; otherwise its input is
 * marked. */
bool said_is_tame(struct page *page, struct input *text);

/* Those of the names in a text that there are: as the links of a comment have them, and
 * the ids of at most RULE_MENTIONS_MAX of the members. */
struct said_names {
	struct text links;
	uint64_t ids[RULE_MENTIONS_MAX];
	size_t count;
};
STORE_CALL said_find_names(
    struct page *page, struct text text, struct said_names *names);
