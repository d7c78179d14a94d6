/*
 * The moderation queue, oldest first: posts that members have flagged, and the first posts
 * of new members.
 */
#pragma once

#include "store/comment.h"
#include "store/flag.h"

enum { MOD_QUEUE_PAGE = 25, MOD_QUEUE_PAGES = 400, MOD_QUEUE_NAMES = 10 };

/* The open flags of one kind on a post: their number, and the names, separated by spaces, of
 * the members who are among the first MOD_QUEUE_NAMES to flag the post. */
struct mod_queue_flags {
	enum flag flag;
	size_t count;
	struct text names; /* may be empty */
};

struct mod_queue_item {
	struct article article; /* with its text */
	struct comment comment; /* of that article; number 0: none */
	struct mod_queue_flags flags[FLAG_KINDS];
	size_t flag_count;
	int64_t since;	       /* Unix seconds */
	struct member looking; /* id 0: nobody (store/looking.h) */
};

struct mod_queue_page {
	struct mod_queue_item *items;
	size_t count;
	bool more;	 /* another page follows */
	bool is_partial; /* some is missing: a master is away */
	int64_t now;	 /* Unix seconds, Redis's clock */
};

/* Reads a page, from 1 to MOD_QUEUE_PAGES. Takes a command for each item's flags and one for
 * each name, however many flags there are. STORE_LIMITED when it is expensive, and too many
 * such reads are counted in *expensive (lists/merge.h). */
STORE_CALL mod_queue_read(struct store *store, struct arena *arena,
    uint64_t page, size_t *expensive, struct mod_queue_page *queue);

/* The number of posts in it, of the masters that answer: a command a bucket. */
STORE_CALL mod_queue_length(
    struct store *store, struct arena *arena, int64_t *length);

/* The same of the articles in one group, without their comments. The whole queue is read, up to its
 * last page; it is expensive. */
STORE_CALL mod_queue_read_group(struct store *store, struct arena *arena,
    struct text group, uint64_t page, size_t *expensive,
    struct mod_queue_page *queue);

/* Reads the open flags of one post: *count kinds. At most 1 + MOD_QUEUE_NAMES commands. */
STORE_CALL mod_queue_read_flags(struct store *store, struct arena *arena,
    struct post_id id, struct mod_queue_flags flags[FLAG_KINDS], size_t *count);
