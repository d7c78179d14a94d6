/*
 * What members hide: their rules, each of which names an article, a member, a group, where
 * articles are from, or words in titles. lists/hidden.h decides what is hidden from whom.
 *
 *	7			article 7
 *	@17			what member 17 posts
 *	g/redis			the group's articles
 *	/example.org		articles from that publisher (store/publisher.h), and from its
 *				parts
 *	=machine learning	titles with these words in a row, without regard to case and
 *				accents (base/words.h)
 *
 * A member has HIDDEN_MAX rules at most. Those who had muted members before that was hiding may
 * have HIDDEN_FORMER_MAX, and can add none until they have fewer.
 *
 * user.hidden is the number of changes of the rules, under which they are cached; 0 when there
 * never were any, so who hides nothing pays nothing. All keys are in the member's slot, and a
 * call costs one round trip.
 */
#pragma once

#include "redis/pipeline.h"
#include "redis/reply.h"
#include "store/store.h"

enum { HIDDEN_MAX = 200, HIDDEN_FORMER_MAX = 700 };

enum hidden_kind {
	HIDDEN_ARTICLE,
	HIDDEN_MEMBER,
	HIDDEN_GROUP,
	HIDDEN_PUBLISHER,
	HIDDEN_WORDS
};

struct hidden_rule {
	enum hidden_kind kind;
	uint64_t id;	  /* of an article or a member */
	struct text name; /* of a group, the publisher, or the words */
	int64_t at;	  /* since when, Unix seconds */
};

/* Encodes a rule as a member of the sorted set, as above, whose score is its moment; and
 * decodes it, without the moment. False when it is damaged. */
struct text hidden_encode(struct arena *arena, const struct hidden_rule *what);
bool hidden_decode(struct text entry, struct hidden_rule *what);

/* Order for qsort: by kind, then by id and name. */
int hidden_compare(const void *a, const void *b);

/* Adds a rule, since now, and removes it. STORE_OK also when nothing changes. STORE_FULL when
 * there are HIDDEN_MAX already; STORE_ABSENT when there is no such member, or the account is
 * closed. */
STORE_CALL hidden_add(struct store *store, struct arena *arena, uint64_t user,
    const struct hidden_rule *what);
STORE_CALL hidden_remove(struct store *store, struct arena *arena,
    uint64_t user, const struct hidden_rule *what);

/* Replaces all rules; those that stay keep their moments. STORE_FULL when they are more than
 * HIDDEN_MAX and than there are now; STORE_ABSENT as above. */
STORE_CALL hidden_replace(struct store *store, struct arena *arena,
    uint64_t user, const struct hidden_rule *rules, size_t count);

/* Reads all rules, in the order of hidden_compare. Damaged ones are left out. */
STORE_CALL hidden_get(struct store *store, struct arena *arena, uint64_t user,
    struct hidden_rule **rules, size_t *count);
void hidden_ask(struct pipeline *pipeline, uint64_t user);
void hidden_read(struct arena *arena, const struct reply *reply,
    struct hidden_rule **rules, size_t *count);

/* Sets exists[i] to whether there is what rules[i] names, and held[i] to whether it is an article
 * that was never shown (post.held), in one round trip. Publishers and words always are. */
STORE_CALL hidden_find(struct store *store, struct arena *arena,
    const struct hidden_rule *rules, size_t count, bool *exists, bool *held);

/* A group was renamed or merged: writes its new name into a rule. */
STORE_CALL hidden_rename(struct store *store, struct arena *arena,
    uint64_t user, struct text group, struct text into);

/* Adds a rule from a dump, with its moment (0: now). The reply is for call_outcome: STORE_TAKEN
 * when it exists already, or the account is closed; STORE_FULL when there are HIDDEN_FORMER_MAX. */
void hidden_load(
    struct pipeline *pipeline, uint64_t user, const struct hidden_rule *what);

/* Adds a command that checks the rules for `tally check` within the member's slot. The reply is
 * the rules and their moments in turn, as a list, and then sentences that say what is wrong. */
void hidden_check(struct pipeline *pipeline, uint64_t user);
