/*
 * What is hidden from a member, decided in one place.
 *
 * An article is hidden by a rule (store/hidden.h) for itself, its author, one of its groups,
 * where it is from, or words in its title; a comment by one for its author, or with its
 * article. What members post themselves is hidden from them only by a rule for the article.
 *
 * What is hidden is not in lists, searches, private feeds and notices. In a thread, a hidden
 * member's comment is a line. On its own page, which a link leads to, everything is as it is:
 * there the rules for it do not count (hidden_filter_without). Moderators see everything in the
 * queue, the log and on pages to moderate, which ask for no filter.
 *
 * A filter is the rules in order: an article takes some ten comparisons for each thing that is
 * looked up, and a title is split into words only if there are rules for words. NULL is the
 * filter of those who hide nothing.
 */
#pragma once

#include "lists/read_cache.h"
#include "store/hidden.h"

struct hidden_filter;

/* Lists leave out what is hidden while they read on until a page is full; at most so many
 * entries for a page, which says when that was not enough. */
enum { HIDDEN_ENTRIES_MAX = 2000 };

/* Reads the rules of a member, from the cache if they have not changed: user.hidden is as the
 * session read it, and without rules this reads nothing. Groups that were renamed or merged are
 * found within a minute, and the rules then have their new names. now in Unix seconds. */
STORE_CALL hidden_filter_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct user *user, int64_t now,
    const struct hidden_filter **filter);

/* A filter of rules, in any order, of the member viewer; they are sorted in place. */
const struct hidden_filter *hidden_filter_of(struct arena *arena,
    uint64_t viewer, struct hidden_rule *rules, size_t count);

/* The same without a rule, and for a part of a publisher without that for the whole. */
const struct hidden_filter *hidden_filter_without(struct arena *arena,
    const struct hidden_filter *filter, const struct hidden_rule *what);

/* Whether there is that very rule. */
bool hidden_has_rule(
    const struct hidden_filter *filter, const struct hidden_rule *what);

/* Of an article its brief fields are looked at. */
bool hidden_article(
    const struct hidden_filter *filter, const struct article *article);
bool hidden_comment(const struct hidden_filter *filter,
    const struct post *comment, const struct article *article);
bool hidden_author(const struct hidden_filter *filter, uint64_t author);
