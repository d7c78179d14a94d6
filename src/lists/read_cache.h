/*
 * A per-worker cache of reads: list orders, thread pages, articles (without counts), members'
 * votes. With it a page that was just shown costs Redis two commands.
 *
 * A value is put under the stamp of the versions that were read before it
 * (store/versions.h), so none is ever out of date: after a change the stamp is another one,
 * and nothing is found under it.
 *
 * A NULL cache is always empty.
 */
#pragma once

#include "store/article.h"
#include "store/user.h"
#include "store/versions.h"
#include "store/vote_history.h"

struct read_cache;

/* An entry of a sorted set. */
struct entry {
	uint64_t id;
	int64_t score; /* or time */
};

/* 64 orders, 64 counts, 1,024 heads, 64 thread pages of at most 24 KB, 1,024 articles of some
 * 200 bytes, 16,384 votes of 32 bytes, recent votes, read marks, hiding rules and followed
 * groups of 256 members, what 64 members have saved, at most 16 KB each, 1,024 pages of threads
 * that members have read, 1,024 blocks of votes in threads, at most 1 KB each, and the places of
 * 128 articles on former front pages. */
struct read_cache *read_cache_new(void);
void read_cache_free(struct read_cache *cache);

/* A key for what is under a stamp and a name, of an article or, with id 0, of an order; empty
 * without a connection, when nothing is cached. */
struct text read_cache_key(
    struct arena *arena, struct stamp stamp, uint64_t id, struct text name);

/* A part of a list's order. */
struct order {
	struct entry *entries;
	size_t count;
	bool search_ended;   /* it may go on */
	bool is_approximate; /* its end was found among some articles only */
	bool is_settled;     /* votes do not change it any more */
	bool is_partial;     /* a master is away: not to be cached */
};

/* name names the order and the part; the stamp is that of all lists. The entries are in the
 * arena. */
bool read_cache_get_order(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, struct order *order);
void read_cache_put_order(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, const struct order *order);

/* The number of entries of an order, under the same stamp and in the same way. */
bool read_cache_get_count(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, uint64_t *count);
void read_cache_put_count(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, uint64_t count);

/*
 * The beginning of a sorted set. Where versions are cached (store/versions.h), only the
 * buckets in which something changed have to be read. The stamp is that of the bucket's
 * lists; the name is the set's key and the end from which it is read.
 */
struct head {
	struct entry *entries; /* at most HEAD_MAX */
	size_t count;
	bool ended; /* the set has no more */
};
enum { HEAD_MAX = 120 };

bool read_cache_get_head(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, struct head *head);
void read_cache_put_head(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, const struct head *head);

/* The brief fields of an article. The stamp is that of its bucket's edits, so
 * the counts among them may be out of date. */
bool read_cache_get_article(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t id, struct article *article);
void read_cache_put_article(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, const struct article *article);

/*
 * The articles on which a member has voted last, when the worker first saw that version of
 * the member's votes. The version is counted before the vote is cast: so data of these
 * articles that is read within RECENT_MS must not be cached.
 */
enum { RECENT_MS = 10000 };
struct recent {
	uint64_t articles[VOTE_HISTORY_RECENT_MAX];
	size_t count;
	int64_t since; /* clock_monotonic_ms */
};

bool read_cache_get_recent(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t user, struct recent *recent);
void read_cache_put_recent(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t user, const struct recent *recent);

/* A page of an article's thread, as bytes. The stamp is that of the thread, which may be
 * older than the data; name names the page and its order. */
bool read_cache_get_thread(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text name,
    struct text *packed);
void read_cache_put_thread(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text name, struct text packed);

/* What only one member sees, as bytes. The stamp's version is the number of its changes, in the
 * member's hash; name, if any, says for how long it is valid. */
enum read_cache_own {
	OWN_READ_MARKS,	 /* lists/read_marks.h */
	OWN_HIDDEN,	 /* lists/hidden.h */
	OWN_FOLLOWS,	 /* lists/followed.h */
	OWN_SAVED,	 /* lists/saved_marks.h */
	OWN_READ,	 /* pages whose notices were read (pages/thread.c) */
	OWN_THREAD_VOTES /* lists/thread_votes.h */
};
bool read_cache_get_own(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, enum read_cache_own what, uint64_t user,
    struct text name, struct text *bytes);
void read_cache_put_own(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, enum read_cache_own what, uint64_t user,
    struct text name, struct text bytes);

/* An article's places on former front pages (lists/front_hours.h), as bytes. The version of
 * the stamp is the hour that follows the last. */
bool read_cache_get_places(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text *bytes);
void read_cache_put_places(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text bytes);

/* A member's vote on a post; for those in one thread see lists/thread_votes.h. The stamp is that of
 * the member's votes. */
bool read_cache_get_vote(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t user, struct post_id id, enum vote *vote);
void read_cache_put_vote(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t user, struct post_id id, enum vote vote);
