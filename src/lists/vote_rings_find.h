/*
 * Rings: members who vote together far beyond chance.
 *
 * The input is the upvotes on the newest articles that take votes, without authors' own
 * votes: on VOTE_RINGS_ARTICLES articles, except those with more than VOTE_RINGS_VOTERS
 * voters; and of the members with VOTE_RINGS_MIN_UPVOTES upvotes or more, of
 * VOTE_RINGS_MEMBERS at most, those whose upvotes go to the fewest authors first. Two such
 * members are a pair when
 *
 *	- they have upvoted VOTE_RINGS_MIN_UPVOTES or more of the same articles,
 *	- those are half or more of all that either has upvoted (the Jaccard index),
 *	- four fifths of those are by three authors or fewer, who are half as many as
 *	  those at most, and
 *	- they would be the same by chance once in 10,000 times or less. Chance upvotes
 *	  an article in proportion to its popularity q, which is the share of the
 *	  upvotes, and one more for each article, that it has from members who vote for
 *	  more than VOTE_RINGS_AUTHORS authors: so a ring makes nothing popular. Of a and
 *	  b upvotes the k articles are the same by chance at most
 *
 *		C(a, k) C(b, k) k! q1 q2/(1 - q1) q3/(1 - q1 - q2) ...
 *
 *	  times: the number of ways to choose them among both, and how likely they
 *	  come together without one of them twice. With all q alike that is the mean of
 *	  C(X, k) for a hypergeometric X, which Markov's inequality makes a bound.
 *
 * Those whom others would not take for a pair because of what else they upvote, as camouflage, are
 * found in the densest blocks of votes (lists/vote_rings_peel.h): two of whom one is in a block are
 * a pair, too, when six or more of the articles that both have upvoted are by three authors or
 * fewer, who are half as many as those at most; those are three quarters of all by these authors
 * that either has upvoted, and two fifths of all that each has; and chance would have one of all
 * pairs alike once in 10,000 times or less, with the popularity that articles have without the
 * members who have upvoted the same. So camouflage takes more than three votes for each two of the
 * ring's.
 *
 * Of a ring's closest pair the number of articles is given that both would share by chance,
 * on average. Chance chooses a different articles, one after the other, each time in proportion to
 * the popularity of those that are left; as if each article came at a moment that is
 * exponentially distributed with the rate q, and the first a were taken. So article i is
 * among them with the probability
 *
 *	p(i, a) = 1 - exp(-q(i) t),	t such that the sum of all p(i, a) is a,
 *
 * and among b others in the same way, and what is expected is the sum of p(i, a) p(i, b),
 * which is never more than a or b. (B. Rosén, Asymptotic theory for successive sampling
 * with varying probabilities without replacement, Annals of Mathematical Statistics 43,
 * 1972. With all q alike it is ab/n, the mean of the hypergeometric distribution.)
 *
 * A ring is a set of members that pairs connect. They may be friends, or readers of one
 * author: the figures are for a moderator to judge.
 */
#pragma once

#include "lists/vote_rings_peel.h"
#include "store/article.h"

enum {
	VOTE_RINGS_VOTERS = 1000,
	VOTE_RINGS_MEMBERS = 1000,
	VOTE_RINGS_MIN_UPVOTES = 3,
	VOTE_RINGS_AUTHORS = 3,
	VOTE_RINGS_SHOWN = 20 /* articles of a ring */
};

/* An upvote of the input; the article is an index into the input's ids. */
struct vote_rings_vote {
	uint64_t voter;
	uint32_t article;
};

struct vote_rings_input {
	const uint64_t *ids, *authors; /* of the articles */
	size_t articles;
	struct vote_rings_vote *votes; /* vote_rings_find sorts them */
	size_t count;
	/* Called every few milliseconds, so that others may run; may be NULL. */
	void (*yield)(void *data);
	void *yield_data;
};

struct vote_ring_member {
	struct member member;
	size_t upvotes; /* in the input */
	size_t shared;	/* of these, with another member of the ring */
};

struct vote_ring_article {
	uint64_t id;
	struct text title; /* empty: it was removed */
};

struct vote_ring {
	struct vote_ring_member *members;
	size_t count;
	size_t pairs;
	/* Of its closest pair: the articles that both, and that either has upvoted; and those
	 * that both would have upvoted by chance, on average, in hundredths. */
	size_t common, either;
	int64_t expected;
	struct member authors[VOTE_RINGS_AUTHORS]; /* upvoted most */
	size_t author_count;
	struct vote_ring_article *articles; /* shared by the closest pair */
	size_t shown;			    /* VOTE_RINGS_SHOWN at most */
};

struct vote_rings {
	struct vote_ring *items; /* the largest first */
	size_t count;
	size_t articles, votes, members; /* of the input */
	bool is_cut; /* there are more articles or members than the limits */
};

/* Finds the rings, without names and titles. Works in memory alone, and compares each pair of
 * members a few times, in a step for each article: it takes some milliseconds, with 100,000 votes
 * of 1,000 members 50, and with 1,000 members all alike some seconds at most. */
void vote_rings_find(struct arena *arena, struct vote_rings_input *input,
    struct vote_rings *rings);
