/*
 * Rings: members who vote together are found, members who read the same are not; the
 * figures, and the limits of the computation.
 */
#include <stdlib.h>

#include "../support/fixture.h"
#include "../support/world.h"
#include "lists/vote_rings.h"

enum { WEEK = 604800, FIRST = 1000 };

static struct vote_rings
find(struct world *world)
{
	struct vote_rings rings;

	assert_int_equal(
	    vote_rings_read(&world->store, &world->arena, NULL, &rings),
	    STORE_OK);
	return rings;
}

static uint64_t
post(struct world *world, uint64_t author, int number)
{
	return world_post(world, author, "A",
	    fixture_string(&world->arena, "http://a.example/%d", number), "");
}

static void
empty_site_has_no_rings(void **state)
{
	struct world *world = *state;
	struct vote_rings rings = find(world);

	assert_int_equal(rings.count, 0);
	assert_int_equal(rings.articles, 0);
	assert_int_equal(rings.votes, 0);
	assert_int_equal(rings.members, 0);
	assert_false(rings.is_cut);
	/* And one with articles that nobody voted on. */
	post(world, world_member(world, "ann"), 1);
	rings = find(world);
	assert_int_equal(rings.count, 0);
	assert_int_equal(rings.articles, 1);
	assert_int_equal(rings.votes, 0);
}

/*
 * Forty articles: twelve of eve's, and 28 of others'. Of sam, pam and tim each upvotes
 * six of eve's; sam and pam also the same seventh, and tim one of others'. So sam and
 * pam share 7 of 7, which by chance would be 7 * 7 / 40 = 1.225 articles.
 */
struct scene {
	uint64_t eve, ann, sam, pam, tim, eves[12], others[28];
};

static struct scene
plant(struct world *world)
{
	struct scene scene;

	world_stop_clock(world, NOON);
	scene.eve = world_member(world, "eve");
	scene.ann = world_member(world, "ann");
	scene.sam = world_member(world, "sam");
	scene.pam = world_member(world, "pam");
	scene.tim = world_member(world, "tim");
	for (int i = 0; i < 28; i++)
		scene.others[i] = post(world,
		    i % 4 == 0
			? scene.ann
			: world_member(world,
			      fixture_string(&world->arena, "author-%d", i)),
		    i);
	for (int i = 0; i < 12; i++)
		scene.eves[i] = post(world, scene.eve, 100 + i);
	for (int i = 0; i < 6; i++) {
		world_vote(world, scene.eves[i], scene.sam, VOTE_UP);
		world_vote(world, scene.eves[i], scene.pam, VOTE_UP);
		world_vote(world, scene.eves[i], scene.tim, VOTE_UP);
	}
	world_vote(world, scene.eves[6], scene.sam, VOTE_UP);
	world_vote(world, scene.eves[6], scene.pam, VOTE_UP);
	world_vote(world, scene.others[0], scene.tim, VOTE_UP);
	return scene;
}

static void
ring_is_found(void **state)
{
	struct world *world = *state;
	struct scene scene = plant(world);
	struct vote_rings rings = find(world);
	const struct vote_ring *ring = &rings.items[0];
	struct text names = TEXT("");

	assert_int_equal(rings.count, 1);
	assert_int_equal(rings.articles, 40);
	assert_int_equal(rings.votes, 21);
	assert_int_equal(rings.members, 3);
	assert_false(rings.is_cut);
	assert_int_equal(ring->count, 3);
	assert_int_equal(ring->pairs, 3);
	assert_int_equal(ring->common, 7);
	assert_int_equal(ring->either, 7);
	assert_in_range(ring->expected, 122, 123);
	assert_int_equal(ring->shown, 7);
	assert_int_equal(ring->author_count, 1);
	assert_text(ring->authors[0].name, "eve");
	for (size_t i = 0; i < ring->count; i++) {
		const struct vote_ring_member *member = &ring->members[i];

		names = text_format(&world->arena, "%.*s %.*s",
		    TEXT_ARGS(names), TEXT_ARGS(member->member.name));
		assert_int_equal(member->upvotes, 7);
		assert_int_equal(member->shared,
		    text_equal(member->member.name, TEXT("tim")) ? 6 : 7);
	}
	assert_true(text_has_word(names, TEXT("sam")));
	assert_true(text_has_word(names, TEXT("pam")));
	assert_true(text_has_word(names, TEXT("tim")));
	for (size_t i = 0; i < 7; i++) {
		bool is_eves = false;

		for (size_t j = 0; j < 7; j++)
			is_eves |= ring->articles[i].id == scene.eves[j];
		assert_true(is_eves);
		assert_text(ring->articles[i].title, "A");
	}
}

/* Downvotes, votes that were voided, closed and removed articles make no ring. */
static void
only_counted_upvotes_make_a_ring(void **state)
{
	struct world *world = *state;
	struct scene scene = plant(world);

	for (int i = 0; i < 7; i++) {
		assert_int_equal(post_void(&world->store, &world->arena,
				     article_id(scene.eves[i]), scene.sam,
				     VOIDING_VOID, &world_removal),
		    STORE_OK);
		world_vote(world, scene.eves[i], scene.pam, VOTE_DOWN);
	}
	assert_int_equal(find(world).count, 0);
}

static void
closed_and_removed_articles_make_no_ring(void **state)
{
	struct world *world = *state;
	struct scene scene = plant(world);

	for (int i = 0; i < 5; i++)
		world_remove(world, scene.eves[i]);
	assert_int_equal(find(world).count, 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(article_restore(&world->store, &world->arena,
				     scene.eves[i], &world_restoring),
		    STORE_OK);
	assert_int_equal(find(world).count, 1);
	world_stop_clock(world, NOON + WEEK + 1);
	assert_int_equal(find(world).articles, 0);
}

/* Generated votes: vote_rings_find does not read Redis. */
struct votes {
	uint64_t ids[VOTE_RINGS_ARTICLES], authors[VOTE_RINGS_ARTICLES];
	struct vote_rings_input input;
};

static void
begin_votes(struct votes *votes, struct arena *arena, size_t articles,
    size_t authors, size_t room)
{
	for (size_t i = 0; i < articles; i++) {
		votes->ids[i] = i + 1;
		votes->authors[i] = 1 + i % authors;
	}
	votes->input = (struct vote_rings_input){ .ids = votes->ids,
		.authors = votes->authors,
		.articles = articles,
		.votes = arena_new(arena, struct vote_rings_vote, room) };
}

static void
add(struct votes *votes, uint64_t voter, uint32_t article)
{
	votes->input.votes[votes->input.count++] =
	    (struct vote_rings_vote){ voter, article };
}

/* The same numbers in every run. */
static uint32_t
next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Two hundred members, each with twenty upvotes here and there, of which the popular
 * half get most. */
static void
independent_voters_are_no_ring(void **state)
{
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };
	uint32_t seed = 1;

	begin_votes(&votes, *state, 300, 60, (size_t)200 * 20);
	for (uint64_t voter = 0; voter < 200; voter++) {
		bool has[300] = { false };

		for (int i = 0; i < 20;) {
			uint32_t article =
			    next(&seed) % (next(&seed) % 2 == 0 ? 60 : 300);

			if (has[article])
				continue;
			has[article] = true;
			add(&votes, FIRST + voter, article);
			i++;
		}
	}
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.count, 0);
	assert_int_equal(rings.members, 200);
}

/* They upvote all six of a popular author, and each twice as many of others'. */
static void
friends_of_a_popular_author_are_no_ring(void **state)
{
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };
	uint32_t seed = 7;

	begin_votes(&votes, *state, 300, 50, (size_t)100 * 18);
	for (uint64_t voter = 0; voter < 100; voter++) {
		bool has[300] = { false };

		for (uint32_t i = 0; i < 6; i++)
			add(&votes, FIRST + voter, i * 50);
		for (int i = 0; i < 12;) {
			uint32_t article = next(&seed) % 300;

			if (has[article] || article % 50 == 0)
				continue;
			has[article] = true;
			add(&votes, FIRST + voter, article);
			i++;
		}
	}
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.count, 0);
}

/* Sixty who upvoted no more than what stood first, which three authors wrote. */
static void
readers_of_the_front_page_are_no_ring(void **state)
{
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };

	begin_votes(&votes, *state, 300, 100, (size_t)60 * 4);
	for (uint64_t voter = 0; voter < 60; voter++)
		for (uint32_t i = 0; i < 3 + voter % 2; i++)
			add(&votes, FIRST + voter, i);
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.members, 60);
	assert_int_equal(rings.count, 0);
}

/* Five articles of two authors that nearly everybody upvotes, and twenty members who
 * upvote nothing else. Two who upvote five that nobody else does are a ring. */
static void
readers_of_popular_articles_are_no_ring(void **state)
{
	enum {
		READERS = 60,
		MORE = 8,
		FANS = 20,
		ALL = READERS + FANS,
		POPULAR = 5
	};
	static const uint32_t popular[POPULAR] = { 0, 30, 60, 1, 31 };
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };
	uint32_t seed = 3;

	begin_votes(
	    &votes, *state, 90, 30, READERS * MORE + (ALL + 2) * POPULAR);
	for (uint64_t voter = 0; voter < ALL + 2; voter++) {
		bool has[90] = { false };

		for (size_t i = 0; i < POPULAR; i++)
			add(&votes, FIRST + voter,
			    popular[i] + (voter < ALL ? 0 : 2));
		for (int i = 0; voter < READERS && i < MORE;) {
			uint32_t article = 5 + next(&seed) % 25;

			if (has[article])
				continue;
			has[article] = true;
			add(&votes, FIRST + voter, article);
			i++;
		}
	}
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.members, ALL + 2);
	assert_int_equal(rings.count, 1);
	assert_int_equal(rings.items[0].count, 2);
	assert_int_equal(rings.items[0].members[0].member.id, FIRST + ALL);
}

enum { READERS = 60, POPULAR = 5, RARE = 15, OTHERS = 40 };

/* Sixty readers upvote five articles and four of forty others; two members upvote those
 * five as well, and fifteen that nobody else does. */
static void
add_readers_of_the_popular(struct votes *votes, struct arena *arena)
{
	begin_votes(votes, arena, POPULAR + RARE + OTHERS, 1,
	    READERS * (POPULAR + 4) + 2 * (POPULAR + RARE));
	for (uint32_t i = 0; i < OTHERS; i++)
		votes->authors[POPULAR + RARE + i] = 2 + i;
	for (uint32_t voter = 0; voter < READERS; voter++) {
		for (uint32_t i = 0; i < POPULAR; i++)
			add(votes, FIRST + voter, i);
		for (uint32_t i = 0; i < 4; i++)
			add(votes, FIRST + voter,
			    POPULAR + RARE + (voter * 4 + i) % OTHERS);
	}
	for (uint32_t voter = READERS; voter < READERS + 2; voter++)
		for (uint32_t i = 0; i < POPULAR + RARE; i++)
			add(votes, FIRST + voter, i);
}

/* Twenty different articles, each drawn in proportion to its weight. */
static void
draw(uint32_t *seed, bool *has)
{
	uint32_t weights[POPULAR + RARE + OTHERS], all = 0;

	for (uint32_t i = 0; i < POPULAR + RARE + OTHERS; i++) {
		weights[i] = i < POPULAR ? 1 + READERS
		    : i < POPULAR + RARE ? 1
					 : 1 + READERS * 4 / OTHERS;
		all += weights[i];
		has[i] = false;
	}
	for (int count = 0; count < POPULAR + RARE; count++) {
		uint32_t left = next(seed) % all, i = 0;

		while (left >= weights[i])
			left -= weights[i++];
		has[i] = true;
		all -= weights[i];
		weights[i] = 0;
	}
}

/* Never more than there can be, and what drawing gives. */
static void
expected_overlap_matches_random_drawing(void **state)
{
	enum { ROUNDS = 20000, ALL = POPULAR + RARE + OTHERS };
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };
	bool one[ALL], other[ALL];
	uint32_t seed = 5;
	int64_t drawn = 0;

	add_readers_of_the_popular(&votes, *state);
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.count, 1);
	assert_int_equal(rings.items[0].common, POPULAR + RARE);
	for (int i = 0; i < ROUNDS; i++) {
		draw(&seed, one);
		draw(&seed, other);
		for (size_t j = 0; j < ALL; j++)
			drawn += one[j] && other[j];
	}
	drawn = drawn * 100 / ROUNDS;
	if (llabs(rings.items[0].expected - drawn) > drawn / 50)
		fail_msg("%lld are expected, but %lld drawn, in hundredths",
		    (long long)rings.items[0].expected, (long long)drawn);
}

/* A member who upvoted everything shares all upvotes of any other, also by chance. */
static void
member_who_upvoted_everything_is_in_no_ring(void **state)
{
	enum { ALL = 40, RARE_ONES = 30, MANY = 200 };
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };

	begin_votes(&votes, *state, ALL, ALL, MANY * 10 + ALL + RARE_ONES);
	for (size_t i = 0; i < RARE_ONES; i++)
		votes.authors[i] = 1;
	for (uint32_t voter = 0; voter < MANY; voter++)
		for (uint32_t i = RARE_ONES; i < ALL; i++)
			add(&votes, FIRST + voter, i);
	for (uint32_t i = 0; i < ALL; i++)
		add(&votes, FIRST + MANY, i);
	for (uint32_t i = 0; i < RARE_ONES; i++)
		add(&votes, FIRST + MANY + 1, i);
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.count, 1);
	assert_int_equal(rings.items[0].common, RARE_ONES);
	assert_int_equal(rings.items[0].expected, 100 * RARE_ONES);
}

/* A limited number of a ring's articles are listed. */
static void
articles_of_a_ring_are_listed_up_to_a_limit(void **state)
{
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };

	begin_votes(&votes, *state, 200, 3, (size_t)2 * 100);
	for (uint64_t voter = 0; voter < 2; voter++)
		for (uint32_t i = 0; i < 100; i++)
			add(&votes, FIRST + voter, i);
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.count, 1);
	assert_int_equal(rings.items[0].common, 100);
	assert_int_equal(rings.items[0].shown, VOTE_RINGS_SHOWN);
	assert_int_equal(rings.items[0].articles[0].id, 1);
}

/* As many as are looked at, all of whom upvote the same, of as many authors as there
 * are articles, or of three. It is one ring, or none; a page does not wait for it. */
static void
members_who_vote_alike_are_found_in_bounded_time(void **state)
{
	enum { ARTICLES = 400, MEMBERS = VOTE_RINGS_MEMBERS };
	static struct votes votes;

	for (size_t authors = 3; authors <= 512; authors += 509) {
		struct vote_rings rings = { .count = 0 };
		int64_t start, used;

		begin_votes(&votes, *state, VOTE_RINGS_ARTICLES, authors,
		    (size_t)MEMBERS * ARTICLES);
		for (uint64_t voter = 0; voter < MEMBERS; voter++)
			for (uint32_t i = 0; i < ARTICLES; i++)
				add(&votes, FIRST + voter, i);
		start = fixture_processor_us();
		vote_rings_find(*state, &votes.input, &rings);
		used = fixture_processor_us() - start;
		if (used > 3000000)
			fail_msg("%zu authors took %lld us", authors,
			    (long long)used);
		assert_int_equal(rings.members, MEMBERS);
		assert_int_equal(rings.count, authors == 3 ? 1 : 0);
		if (rings.count == 0)
			continue;
		assert_int_equal(rings.items[0].count, MEMBERS);
		assert_int_equal(
		    rings.items[0].pairs, MEMBERS * (MEMBERS - 1) / 2);
		assert_int_equal(rings.items[0].common, ARTICLES);
	}
}

/* More than are looked at: those whose upvotes go to the fewest authors are. */
static void
members_with_the_fewest_authors_are_examined_first(void **state)
{
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };

	begin_votes(&votes, *state, VOTE_RINGS_ARTICLES, 128, 2000 * 4 + 16);
	for (uint64_t voter = 0; voter < 2000; voter++)
		for (uint32_t i = 0; i < 4; i++)
			add(&votes, FIRST + voter,
			    (uint32_t)(voter * 7 + (uint64_t)i * 13) %
				VOTE_RINGS_ARTICLES);
	/* All four that author 5 wrote. */
	for (uint64_t voter = 0; voter < 4; voter++)
		for (uint32_t i = 0; i < 4; i++)
			add(&votes, 9000 + voter, 4 + i * 128);
	vote_rings_find(*state, &votes.input, &rings);
	assert_true(rings.is_cut);
	assert_int_equal(rings.members, VOTE_RINGS_MEMBERS);
	assert_true(rings.count > 0);
	assert_int_equal(rings.items[0].count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(rings.items[0].members[i].member.id >= 9000);
}

/* Adds so many of a member's upvotes to articles of a range, each once, and none of those that has
 * holds already. */
static void
add_random(struct votes *votes, uint32_t *seed, uint64_t voter, int count,
    uint32_t first, uint32_t end, bool has[VOTE_RINGS_ARTICLES])
{
	while (count > 0) {
		uint32_t article = first + next(seed) % (end - first);

		if (has[article])
			continue;
		has[article] = true;
		add(votes, voter, article);
		count--;
	}
}

enum { WAVE = 360, AUTHORS = 60, WAVE_READERS = 200 };

/* Two hundred readers, and a ring of so many who upvote ten articles of two authors and so many of
 * those that readers upvote most. */
static void
add_camouflaged_ring(
    struct votes *votes, struct arena *arena, uint64_t members, int others)
{
	uint32_t seed = 11;

	begin_votes(votes, arena, WAVE, AUTHORS,
	    (size_t)WAVE_READERS * 20 + members * (size_t)(10 + others));
	for (uint64_t voter = 0; voter < WAVE_READERS; voter++) {
		bool has[VOTE_RINGS_ARTICLES] = { false };

		add_random(votes, &seed, FIRST + voter, 10, 0, AUTHORS, has);
		add_random(votes, &seed, FIRST + voter, 10, 0, WAVE, has);
	}
	for (uint64_t voter = 0; voter < members; voter++) {
		bool has[VOTE_RINGS_ARTICLES] = { false };

		for (uint32_t i = 0; i < 10; i++) {
			has[AUTHORS * (1 + i / 2) + i % 2] = true;
			add(votes, 9000 + voter, AUTHORS * (1 + i / 2) + i % 2);
		}
		add_random(votes, &seed, 9000 + voter, others, 0, AUTHORS, has);
	}
}

/* They share ten of the 22 articles that two of them have upvoted: less than half. */
static void
camouflaged_ring_is_found(void **state)
{
	static const uint64_t sizes[] = { 3, 5, 20, 100 };
	static struct votes votes;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (int others = 6; others <= 12; others += 6) {
			struct vote_rings rings = { .count = 0 };

			add_camouflaged_ring(&votes, *state, sizes[s], others);
			vote_rings_find(*state, &votes.input, &rings);
			assert_int_equal(rings.count, 1);
			assert_int_equal(rings.items[0].count, sizes[s]);
			for (size_t i = 0; i < sizes[s]; i++)
				assert_true(
				    rings.items[0].members[i].member.id >=
				    9000);
			assert_int_equal(rings.items[0].pairs,
			    sizes[s] * (sizes[s] - 1) / 2);
			for (size_t i = 0; i < 2; i++)
				assert_in_range(
				    rings.items[0].authors[i].id, 1, 2);
		}
}

/* They upvote most of what two authors write, and as much of others. */
static void
fans_who_choose_are_no_ring(void **state)
{
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };
	uint32_t seed = 13;

	begin_votes(&votes, *state, WAVE, AUTHORS, (size_t)60 * 16);
	for (uint32_t i = 0; i < 12; i++)
		votes.authors[i] = 1 + i % 2;
	for (uint64_t voter = 0; voter < 60; voter++) {
		bool has[VOTE_RINGS_ARTICLES] = { false };

		add_random(&votes, &seed, FIRST + voter, 8, 0, 12, has);
		add_random(&votes, &seed, FIRST + voter, 8, 12, WAVE, has);
	}
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.members, 60);
	assert_int_equal(rings.count, 0);
}

/* They upvote all ten that stand first, and six others; the ten are by as many authors. */
static void
readers_of_the_whole_front_page_are_no_ring(void **state)
{
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };
	uint32_t seed = 17;

	begin_votes(&votes, *state, WAVE, AUTHORS, (size_t)60 * 16);
	for (uint64_t voter = 0; voter < 60; voter++) {
		bool has[VOTE_RINGS_ARTICLES] = { false };

		add_random(&votes, &seed, FIRST + voter, 10, 0, 10, has);
		add_random(&votes, &seed, FIRST + voter, 6, 10, WAVE, has);
	}
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.members, 60);
	assert_int_equal(rings.count, 0);
}

/* Sixty upvote all eight of an author, and eight others; a hundred more upvote half of the
 * eight. */
static void
readers_of_what_others_read_are_no_ring(void **state)
{
	static struct votes votes;
	struct vote_rings rings = { .count = 0 };
	uint32_t seed = 19;

	begin_votes(&votes, *state, WAVE, AUTHORS, (size_t)160 * 16);
	for (uint32_t i = 0; i < 8; i++)
		votes.authors[i] = 1;
	for (uint64_t voter = 0; voter < 160; voter++) {
		bool has[VOTE_RINGS_ARTICLES] = { false };
		int count = voter < 60 ? 8 : 4;

		add_random(&votes, &seed, FIRST + voter, count, 0, 8, has);
		add_random(
		    &votes, &seed, FIRST + voter, 16 - count, 8, WAVE, has);
	}
	vote_rings_find(*state, &votes.input, &rings);
	assert_int_equal(rings.members, 160);
	assert_int_equal(rings.count, 0);
}

/* A thousand votes, and a hundred thousand of as many members as are looked at. */
static void
blocks_are_found_in_bounded_time(void **state)
{
	static const struct {
		uint64_t members;
		int each;
		int64_t limit_us;
	} sizes[] = { { 50, 20, 500000 },
		{ VOTE_RINGS_MEMBERS, 100, 3000000 } };
	static struct votes votes;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		struct vote_rings rings = { .count = 0 };
		uint32_t seed = 23;
		int64_t start, used;

		begin_votes(&votes, *state, VOTE_RINGS_ARTICLES, AUTHORS,
		    sizes[s].members * (size_t)sizes[s].each);
		for (uint64_t voter = 0; voter < sizes[s].members; voter++) {
			bool has[VOTE_RINGS_ARTICLES] = { false };

			add_random(&votes, &seed, FIRST + voter, sizes[s].each,
			    0, VOTE_RINGS_ARTICLES, has);
		}
		start = fixture_processor_us();
		vote_rings_find(*state, &votes.input, &rings);
		used = fixture_processor_us() - start;
		print_message("# %zu votes took %lld us\n", votes.input.count,
		    (long long)used);
		if (used > sizes[s].limit_us)
			fail_msg("%zu votes took %lld us", votes.input.count,
			    (long long)used);
		assert_int_equal(rings.count, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest worlds[] = {
		world_test(empty_site_has_no_rings),
		world_test(ring_is_found),
		world_test(only_counted_upvotes_make_a_ring),
		world_test(closed_and_removed_articles_make_no_ring),
	};
	const struct CMUnitTest tests[] = {
		fixture_arena_test(independent_voters_are_no_ring),
		fixture_arena_test(friends_of_a_popular_author_are_no_ring),
		fixture_arena_test(readers_of_the_front_page_are_no_ring),
		fixture_arena_test(readers_of_popular_articles_are_no_ring),
		fixture_arena_test(expected_overlap_matches_random_drawing),
		fixture_arena_test(member_who_upvoted_everything_is_in_no_ring),
		fixture_arena_test(articles_of_a_ring_are_listed_up_to_a_limit),
		fixture_arena_test(
		    members_who_vote_alike_are_found_in_bounded_time),
		fixture_arena_test(
		    members_with_the_fewest_authors_are_examined_first),
		fixture_arena_test(camouflaged_ring_is_found),
		fixture_arena_test(fans_who_choose_are_no_ring),
		fixture_arena_test(readers_of_the_whole_front_page_are_no_ring),
		fixture_arena_test(readers_of_what_others_read_are_no_ring),
		fixture_arena_test(blocks_are_found_in_bounded_time),
	};

	return world_run("rings", worlds) +
	    cmocka_run_group_tests(tests, NULL, NULL);
}
