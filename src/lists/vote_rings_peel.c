#include "lists/vote_rings_peel.h"

#include <math.h>

#include "base/arena.h"

enum {
	WORDS = VOTE_RINGS_WORDS,
	YIELD_STEPS = 64,
	/* c: without it an article of one voter would weigh infinitely much. */
	POPULARITY_MIN = 5
};

/* Members come first, then articles. */
struct peeling {
	const struct vote_block_search *search;
	double weights[VOTE_RINGS_ARTICLES]; /* of a vote on it */
	double *left; /* the weight of each member's and article's votes */
	size_t *removed_at; /* the step; 0: not yet */
	size_t nodes;
	double sum; /* of the weights of all votes that are left */
};

static uint64_t *
votes_of(const struct vote_block_search *search, size_t member)
{
	return search->votes + member * WORDS;
}

static bool
has_vote(const struct vote_block_search *search, size_t member, size_t article)
{
	return (votes_of(search, member)[article / 64] >> (article % 64) & 1) !=
	    0;
}

static void
weigh_votes(struct peeling *peeling)
{
	const struct vote_block_search *search = peeling->search;

	for (size_t j = 0; j < search->articles; j++) {
		size_t voters = 0;

		for (size_t i = 0; i < search->members; i++)
			voters += has_vote(search, i, j);
		peeling->weights[j] =
		    1 / log((double)(voters + POPULARITY_MIN));
		for (size_t i = 0; i < search->members; i++)
			if (has_vote(search, i, j))
				peeling->left[i] += peeling->weights[j];
		peeling->left[search->members + j] =
		    (double)voters * peeling->weights[j];
		peeling->sum += peeling->left[search->members + j];
	}
}

/* The member or article with the least weight left. */
static size_t
find_least(const struct peeling *peeling)
{
	size_t least = peeling->nodes;

	for (size_t i = 0; i < peeling->nodes; i++)
		if (peeling->removed_at[i] == 0 &&
		    (least == peeling->nodes ||
			peeling->left[i] < peeling->left[least]))
			least = i;
	return least;
}

static void
remove_member(struct peeling *peeling, size_t member)
{
	const struct vote_block_search *search = peeling->search;
	const uint64_t *votes = votes_of(search, member);

	for (size_t w = 0; w < WORDS; w++)
		for (uint64_t word = votes[w]; word != 0; word &= word - 1) {
			size_t j = w * 64 + (size_t)__builtin_ctzll(word);

			peeling->left[search->members + j] -=
			    peeling->weights[j];
		}
}

static void
remove_article(struct peeling *peeling, size_t article)
{
	const struct vote_block_search *search = peeling->search;

	for (size_t i = 0; i < search->members; i++)
		if (has_vote(search, i, article))
			peeling->left[i] -= peeling->weights[article];
}

/* Removes all. Returns after how many steps the block was densest. */
static size_t
peel(struct peeling *peeling)
{
	const struct vote_block_search *search = peeling->search;
	double densest = peeling->sum / (double)peeling->nodes;
	size_t best = 0;

	for (size_t step = 1; step <= peeling->nodes; step++) {
		size_t least = find_least(peeling);
		size_t others = peeling->nodes - step;

		peeling->removed_at[least] = step;
		peeling->sum -= peeling->left[least];
		if (least < search->members)
			remove_member(peeling, least);
		else
			remove_article(peeling, least - search->members);
		if (others > 0 && peeling->sum / (double)others > densest) {
			densest = peeling->sum / (double)others;
			best = step;
		}
		if (step % YIELD_STEPS == 0 && search->yield != NULL)
			search->yield(search->yield_data);
	}
	return best;
}

/* Takes the votes of the block out of the search. */
static void
take_block(struct vote_block_search *search, struct vote_block *block)
{
	for (size_t i = 0; i < search->members; i++) {
		uint64_t *votes = votes_of(search, i);

		for (size_t w = 0; block->has[i] && w < WORDS; w++)
			votes[w] &= ~block->articles[w];
	}
}

bool
vote_rings_peel(struct arena *arena, struct vote_block_search *search,
    struct vote_block *block)
{
	size_t nodes = search->members + search->articles;
	struct peeling peeling = { .search = search,
		.left = arena_new(arena, double, nodes),
		.removed_at = arena_new(arena, size_t, nodes),
		.nodes = nodes };
	size_t best;

	*block = (struct vote_block){ .has = arena_new(
					  arena, bool, search->members) };
	weigh_votes(&peeling);
	if (peeling.sum <= 0)
		return false;
	best = peel(&peeling);
	for (size_t i = 0; i < search->members; i++) {
		block->has[i] = peeling.removed_at[i] > best;
		block->members += block->has[i];
	}
	for (size_t j = 0; j < search->articles; j++)
		if (peeling.removed_at[search->members + j] > best)
			block->articles[j / 64] |= UINT64_C(1) << (j % 64);
	take_block(search, block);
	return block->members > 1;
}
