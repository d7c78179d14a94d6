/*
 * The densest block of votes: members and articles between which there are the most votes for
 * their number, where a vote weighs 1/log(popularity + c), of the number of voters of its article.
 *
 * What members of a ring upvote besides, as camouflage, goes to what others upvote as well, so
 * weighs little, and makes their block no less dense. (B. Hooi, H. A. Song, A. Beutel, N. Shah,
 * K. Shin and C. Faloutsos, FRAUDAR: Bounding Graph Fraud in the Face of Camouflage, KDD 2016.)
 *
 * It is found by removing the member or article with the least weight left, one after the other,
 * and taking the moment at which the weight for each that was left was largest: that is at least
 * half of the largest there is. The search goes on without the votes of the blocks that it has
 * found, so readers who all upvote the front page, who are the first block of most sites, hide no
 * other.
 *
 * A block takes (members + articles)^2 steps: with 1,000 members and 512 articles some
 * milliseconds, however many votes there are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum {
	VOTE_RINGS_ARTICLES = 512, /* at most */
	VOTE_RINGS_WORDS = VOTE_RINGS_ARTICLES / 64
};

/* Votes as bits: VOTE_RINGS_WORDS for each member. */
struct vote_block_search {
	uint64_t *votes; /* those of blocks that were found are removed */
	size_t members, articles;
	void (*yield)(void *data); /* as in the input of vote_rings_find */
	void *yield_data;
};

struct vote_block {
	bool *has; /* the member of that number */
	uint64_t articles[VOTE_RINGS_WORDS];
	size_t members;
};

/* Finds the next block. False when no two members have a vote left in one. */
bool vote_rings_peel(struct arena *arena, struct vote_block_search *search,
    struct vote_block *block);
