/*
 * Articles: what members post, vote on and file in groups.
 */
#ifndef STORE_ARTICLE_H
#define STORE_ARTICLE_H

#include "store/store.h"

/* A vote is a state; a request names the state that is wanted. */
enum vote { VOTE_NONE, VOTE_UP, VOTE_DOWN };

struct article {
	uint64_t id;
	struct text title;
	struct text url, text; /* one of them is empty; text only of one
				  article, not of a list */
	uint64_t author;
	struct text author_name;
	int64_t posted, closes; /* Unix seconds, Redis's clock */
	int64_t up, down;	/* only of one article, not of a list */
	int64_t points, score;	/* points: up - down */
	struct text groups;	/* names with a space between */
	int64_t interesting;	/* the moment, 0 when it is not */
	int64_t removed;	/* the moment, 0 when it is not */
	bool recorded;		/* who voted is known; only of one article */
	int64_t edits;	/* the version of all but counts and vote; only of a
			   list */
	enum vote vote; /* the viewer's */
};

/* "up", "down" or "none", and nothing else. */
bool vote_parse(struct text word, enum vote *vote);
struct text vote_word(enum vote vote);

/*
 * One article whole, with the vote of viewer (0: nobody's), and Redis's clock.
 * STORE_ABSENT when id was never used. A removed one is STORE_OK, with removed
 * set.
 */
STORE_CALL article_get(struct store *store, struct arena *arena, uint64_t id,
    uint64_t viewer, struct article *article, int64_t *now);

/*
 * Gives the article an id and casts its author's vote. Reads title, url, text,
 * author, author_name and groups; writes id. STORE_TAKEN, with the id of the
 * article that holds it, when the link is up already, or the same author's
 * same text; that article may be removed.
 */
STORE_CALL article_post(
    struct store *store, struct arena *arena, struct article *article);

/*
 * Brings a member's vote to the state wanted. Asking for the state that is
 * there is STORE_OK and changes nothing. STORE_ABSENT, STORE_REMOVED,
 * STORE_CLOSED.
 */
STORE_CALL article_vote(struct store *store, struct arena *arena, uint64_t id,
    uint64_t user, enum vote wanted);

/*
 * Takes the article out of some groups, then puts it into others; names with a
 * space between, of groups that exist. STORE_ABSENT, STORE_REMOVED, STORE_FULL.
 */
STORE_CALL article_file(struct store *store, struct arena *arena, uint64_t id,
    struct text added, struct text removed);

/* Takes it out of every list, or puts it back as it was. STORE_ABSENT. Done to
 * an article that is so already, nothing changes. */
STORE_CALL article_remove(
    struct store *store, struct arena *arena, uint64_t id);
STORE_CALL article_restore(
    struct store *store, struct arena *arena, uint64_t id);

#endif
