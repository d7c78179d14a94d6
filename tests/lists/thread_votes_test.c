/* A member's votes in a thread, cached two bits each. */
#include "lists/thread_votes.h"

#include "../support/fixture.h"

static const struct stamp stamp = { 1, 7 };

static struct thread_votes
votes_of(struct arena *arena, struct read_cache *cache, struct stamp of,
    uint64_t user, uint64_t article)
{
	return (struct thread_votes){ cache, arena, of, user, article, NULL };
}

static void
assert_unknown(struct thread_votes votes, uint64_t comment)
{
	enum vote vote;

	assert_false(thread_votes_get(&votes, comment, &vote));
}

static void
assert_vote(struct thread_votes *votes, uint64_t comment, enum vote wanted)
{
	enum vote vote = (enum vote)9;

	assert_true(thread_votes_get(votes, comment, &vote));
	assert_int_equal(vote, wanted);
}

/* In several bytes and blocks, up to the highest number of a comment. */
static const struct {
	uint64_t comment;
	enum vote vote;
} cast[] = { { 1, VOTE_NONE }, { 2, VOTE_UP }, { 3, VOTE_DOWN }, { 4, VOTE_UP },
	{ THREAD_VOTES_BLOCK - 1, VOTE_DOWN }, { THREAD_VOTES_BLOCK, VOTE_UP },
	{ THREAD_VOTES_BLOCK + 1, VOTE_NONE }, { 16777215, VOTE_DOWN } };
enum { CAST = sizeof(cast) / sizeof(cast[0]) };

static void
they_are_cached(void **state)
{
	struct arena *arena = *state;
	struct read_cache *cache = read_cache_new();
	struct thread_votes first = votes_of(arena, cache, stamp, 17, 5);
	struct thread_votes again = votes_of(arena, cache, stamp, 17, 5);

	for (int i = 0; i < CAST; i++) {
		assert_unknown(first, cast[i].comment);
		thread_votes_add(&first, cast[i].comment, cast[i].vote);
	}
	assert_unknown(again, 2);
	thread_votes_save(&first);
	again = votes_of(arena, cache, stamp, 17, 5);
	for (int i = 0; i < CAST; i++) {
		assert_vote(&first, cast[i].comment, cast[i].vote);
		assert_vote(&again, cast[i].comment, cast[i].vote);
	}
	assert_unknown(again, 5);
	assert_unknown(again, THREAD_VOTES_BLOCK - 2);
	/* More of the same thread, and another vote on the same comment. */
	thread_votes_add(&again, 5, VOTE_UP);
	thread_votes_add(&again, 2, VOTE_DOWN);
	thread_votes_save(&again);
	first = votes_of(arena, cache, stamp, 17, 5);
	assert_vote(&first, 5, VOTE_UP);
	assert_vote(&first, 2, VOTE_DOWN);
	assert_vote(&first, 1, VOTE_NONE);
	assert_vote(&first, 3, VOTE_DOWN);
	assert_vote(&first, THREAD_VOTES_BLOCK - 1, VOTE_DOWN);
	read_cache_free(cache);
}

static void
those_of_others_are_not_taken(void **state)
{
	struct arena *arena = *state;
	struct read_cache *cache = read_cache_new();
	struct thread_votes votes = votes_of(arena, cache, stamp, 17, 5);

	thread_votes_add(&votes, 2, VOTE_UP);
	thread_votes_save(&votes);
	assert_unknown(votes_of(arena, cache, stamp, 18, 5), 2);
	assert_unknown(votes_of(arena, cache, stamp, 17, 6), 2);
	/* After another vote of theirs, and on another connection. */
	assert_unknown(
	    votes_of(arena, cache, (struct stamp){ 1, 8 }, 17, 5), 2);
	assert_unknown(
	    votes_of(arena, cache, (struct stamp){ 2, 7 }, 17, 5), 2);
	read_cache_free(cache);
}

/* Without a connection, and without a cache. */
static void
nothing_may_be_cached(void **state)
{
	struct arena *arena = *state;
	struct read_cache *cache = read_cache_new();
	struct stamp none = { .epoch = 0 };
	struct thread_votes votes = votes_of(arena, cache, none, 17, 5);

	thread_votes_add(&votes, 2, VOTE_UP);
	thread_votes_save(&votes);
	assert_unknown(votes_of(arena, cache, none, 17, 5), 2);
	votes = votes_of(arena, NULL, stamp, 17, 5);
	thread_votes_add(&votes, 2, VOTE_UP);
	thread_votes_save(&votes);
	assert_vote(&votes, 2, VOTE_UP);
	assert_unknown(votes_of(arena, NULL, stamp, 17, 5), 2);
	read_cache_free(cache);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(they_are_cached),
		fixture_arena_test(those_of_others_are_not_taken),
		fixture_arena_test(nothing_may_be_cached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
