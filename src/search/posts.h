/*
 * Posts as search sees them, read from Redis.
 */
#pragma once

#include "search/index.h"
#include "store/store.h"

struct search_posts_row {
	struct post_id id; /* which post is wanted */
	/* Below: results. */
	/* False: it does not exist, was removed, or its article was. */
	bool is_shown;
	/* Of an article: the number of the last one, removed ones included. */
	uint64_t last_comment;
	/* Of one that is not shown, id and posted alone. */
	struct search_post post;
};

enum { SEARCH_POSTS_BATCH = 256 };

/* Reads them in one round trip, for which there should be no more than SEARCH_POSTS_BATCH. A
 * damaged post is not shown. */
STORE_CALL search_posts_read(struct store *store, struct arena *arena,
    struct search_posts_row *rows, size_t count);

/* Puts those that are shown into the index, and deletes the others. */
enum index_result search_posts_write(
    struct index *index, const struct search_posts_row *rows, size_t count);

/* When and what was posted. */
struct search_posts_place {
	int64_t posted;
	uint64_t post; /* post_id_to_number */
};

struct search_posts_places {
	struct search_posts_place *items; /* by malloc: there may be millions */
	size_t count, room;
};

/* Where a walk over a bucket is; begins as zeros. */
struct search_posts_cursor {
	int64_t posted; /* articles before are done */
	/* How many more to ask for: so many were posted in one second. */
	size_t more;
	bool is_over;
};

/*
 * Adds the places of the next articles of a bucket that are shown, some hundred, and of all
 * comments on them, in two round trips. Some are added twice. Ends the process when there is no
 * memory.
 */
STORE_CALL search_posts_walk(struct store *store, struct arena *arena,
    uint64_t bucket, struct search_posts_cursor *cursor,
    struct search_posts_places *places);

/* Sorts them by time of posting, and leaves each once. */
void search_posts_sort(struct search_posts_places *places);
