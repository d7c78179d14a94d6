/*
 * An article that few have voted on, for a row between others of the front page.
 *
 * Each minute it is another one of the newest OVERLOOKED_NEWEST articles: those of the last two
 * days with at most OVERLOOKED_VOTES votes, whose author is no newcomer (store/newcomer.h), and
 * that are not removed and not in the moderators' queue, where flagged articles are, and the first
 * ones of new members. Articles to which moderators have given a second chance (article_show_again)
 * come before all these for two hours, by turns if there are several.
 *
 * Of each author one takes part, and a hash of the minute and the ids says which, and in which
 * order: so everybody sees the same, whichever worker answers, but for what changes within that
 * minute. Who has that article on the page anyway, or hides it, gets the next.
 *
 * A worker chooses once a minute, with a command for each bucket, one for each of the newest
 * articles, and two for each of the first that may be chosen. A page costs one command more, and
 * none as long as no list has changed.
 */
#pragma once

#include "lists/list.h"

enum {
	OVERLOOKED_NEWEST = 200,
	OVERLOOKED_SECONDS = 2 * 86400,
	OVERLOOKED_VOTES = 3, /* up or down, with the author's own */
	OVERLOOKED_CHOICES = 8,
	OVERLOOKED_EXAMINED = 32 /* candidates whose authors are looked up */
};

struct overlooked {
	struct article article;
	struct stamp stamp; /* as in struct list */
	/* How many articles of the page come before it: 10 to 19. */
	size_t place;
};

/*
 * Finds the one for a page, the first of the front page, that was read for a query. STORE_ABSENT
 * when there is none, or the page ends before its place. Of the query, the viewer, the versions,
 * the cache, the count of expensive reads and what is hidden are looked at.
 */
STORE_CALL overlooked_find(struct store *store, struct arena *arena,
    const struct list_query *query, const struct list *list,
    struct overlooked *overlooked);

/* The choices of a minute, in order, at a moment in it; for tests. */
STORE_CALL overlooked_choose(struct store *store, struct arena *arena,
    const struct list_query *query, int64_t now, struct order *choices);

/* The hash, by which choices are in order: of a minute, a number of minutes since 1970, and an
 * id. */
uint64_t overlooked_hash(int64_t minute, uint64_t id);
