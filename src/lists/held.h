/*
 * The posts of a member that moderators have yet to look at before they are shown, newest first:
 * for the member and for moderators.
 */
#pragma once

#include "store/article.h"

enum { HELD_MAX = 20 };

struct held_post {
	struct post_id id;
	struct text text; /* the title of an article, or a comment's text */
	int64_t since;	  /* Unix seconds */
};

/* Reads at most HELD_MAX, among the newest HELD_MAX of each bucket that wait or were removed; posts
 * has room for as many. Lost masters: as store_run_partial. */
STORE_CALL held_read(struct store *store, struct arena *arena, uint64_t author,
    struct held_post *posts, size_t *count);
