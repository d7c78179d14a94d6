/*
 * The queue: what moderators have to look at, oldest first. It is what members have
 * flagged, and what new members posted first.
 */
#pragma once

#include "store/comment.h"
#include "store/flag.h"

enum { MOD_QUEUE_PAGE = 25, MOD_QUEUE_PAGES = 400, MOD_QUEUE_NAMES = 10 };

/* The open flags of one kind on a post: how many, and the names, with a space between, of
 * those members who are among the first MOD_QUEUE_NAMES to flag the post. */
struct mod_queue_flags {
	enum flag flag;
	size_t count;
	struct text names; /* may be empty */
};

struct mod_queue_item {
	struct article article; /* all of it: texts are judged */
	struct comment comment; /* of that article; number 0: it is none */
	struct mod_queue_flags flags[FLAG_KINDS];
	size_t flag_count;
	int64_t since; /* Unix seconds */
};

struct mod_queue_page {
	struct mod_queue_item *items;
	size_t count;
	bool more;	 /* another page follows */
	bool is_partial; /* some is missing: a master is away */
	int64_t now;	 /* Unix seconds, Redis's clock */
};

/* page is from 1 to MOD_QUEUE_PAGES. A command for each item's flags and one for each name,
 * however many flags there are. STORE_LIMITED when it is expensive to read, and too many
 * such reads are under way, which *expensive counts (lists/merge.h). */
STORE_CALL mod_queue_read(struct store *store, struct arena *arena,
    uint64_t page, size_t *expensive, struct mod_queue_page *queue);

/* The open flags of one post by kind: *count kinds. At most 1 + MOD_QUEUE_NAMES commands. */
STORE_CALL mod_queue_read_flags(struct store *store, struct arena *arena,
    struct post_id id, struct mod_queue_flags flags[FLAG_KINDS], size_t *count);
