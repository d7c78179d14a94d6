/*
 * What a worker keeps of what it read: orders, pages of threads, articles but for their
 * counts, and members' own votes. With it a page that somebody has just seen costs Redis two
 * commands.
 *
 * Each is kept under the stamp of the versions that were read before it
 * (store/versions.h), so nothing is ever out of date: after a change the stamp
 * is another, and nothing is found under it.
 *
 * With kept NULL nothing is found, and nothing is kept.
 */
#pragma once

#include "store/article.h"
#include "store/user.h"
#include "store/versions.h"

struct read_cache;

/* Of a sorted set. */
struct entry {
	uint64_t id;
	int64_t score; /* or time */
};

/* 64 orders, 256 heads, 64 pages of threads of at most 24 KB, 1,024 articles of some
 * 200 bytes, 32,768 votes of 32, and what 256 members have just voted on, and have
 * seen. */
struct read_cache *read_cache_new(void);
void read_cache_free(struct read_cache *kept);

/* A part of an order, and whether the search for it was ended. */
struct order {
	struct entry *entries;
	size_t count;
	bool search_ended;
	bool is_partial; /* which is not kept */
};

/* name says which part of which order; the stamp is that of all lists. What is
 * found lies in the arena. */
bool read_cache_get_order(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, struct text name, struct order *order);
void read_cache_put_order(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, struct text name, const struct order *order);

/*
 * The beginning of a sorted set: what a worker keeps of each bucket where it relies
 * on versions that it knows (store/versions.h), so that after a change only the
 * buckets are read in which anything changed. The stamp is that of the bucket's
 * lists, and the name says which set it is, and from which end.
 */
struct head {
	struct entry *entries; /* at most HEAD_MAX */
	size_t count;
	bool ended; /* the set has no more */
};
enum { HEAD_MAX = 120 };

bool read_cache_get_head(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, struct text name, struct head *head);
void read_cache_put_head(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, struct text name, const struct head *head);

/* The brief fields of an article. The stamp is that of its bucket's edits, so
 * the counts among them are not to be relied on. */
bool read_cache_get_article(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t id, struct article *article);
void read_cache_put_article(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, const struct article *article);

/*
 * What a member has just voted on, when the worker first saw that version of the
 * member's votes. The version is counted before the vote is cast: so what is read
 * of these articles within RECENT_MS is not kept.
 */
enum { RECENT_MS = 10000 };
struct recent {
	uint64_t articles[VOTED_MAX];
	size_t count;
	int64_t since; /* clock_monotonic_ms */
};

bool read_cache_get_recent(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct recent *recent);
void read_cache_put_recent(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, const struct recent *recent);

/* A page of an article's thread, as bytes. The stamp is that of the thread, which may be
 * older than what was read under it, and name says which page of which order. */
bool read_cache_get_thread(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text name,
    struct text *packed);
void read_cache_put_thread(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text name, struct text packed);

/* What a member has seen (lists/read_marks.h), as bytes; the stamp is that of the member's
 * visits. */
bool read_cache_get_marks(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct text *bytes);
void read_cache_put_marks(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct text bytes);

/* A member's vote on a post; the stamp is that of the member's votes. */
bool read_cache_get_vote(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct post_id id, enum vote *vote);
void read_cache_put_vote(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct post_id id, enum vote vote);
