/*
 * A random walk: members post, vote, file, flag and withdraw, and moderators remove,
 * restore, dismiss and void, while the clock goes on. A model that knows nothing of Redis says what each step must answer
 * and what must be there in the end; then the invariants are checked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/invariants.h"
#include "lists/list.h"
#include "store/article.h"
#include "store/group.h"
#include "store/user.h"

enum {
	STEPS = 5000,
	MEMBERS = 24,
	ARTICLES = 400,
	GROUPS = 20,
	NOON = 1700000000,
	WINDOW = 5000,
	INTERESTING = 8
};

struct known {
	uint64_t id;
	unsigned author; /* index of a member */
	int64_t posted, interesting, removed;
	enum vote votes[MEMBERS];
	bool voided[MEMBERS], withdrawn; /* voided votes do not count */
	uint32_t flags;			 /* bits of members */
	uint32_t groups;		 /* bits */
};

struct walk {
	struct world *world;
	struct arena arena; /* of a step */
	unsigned seed;
	uint64_t members[MEMBERS];
	struct known articles[ARTICLES];
	size_t count;
	size_t answers[STORE_DOWN + 1];
};

static unsigned
pick(struct walk *walk, unsigned below)
{
	return (unsigned)rand_r(&walk->seed) % below;
}

static int
count_votes(const struct known *known, enum vote vote)
{
	int count = 0;

	for (size_t i = 0; i < MEMBERS; i++)
		count += known->votes[i] == vote && !known->voided[i] ? 1 : 0;
	return count;
}

static int
count_groups(uint32_t groups)
{
	int count = 0;

	for (; groups != 0; groups &= groups - 1)
		count++;
	return count;
}

static uint32_t
pick_groups(struct walk *walk, unsigned max)
{
	uint32_t groups = 0;

	for (unsigned i = pick(walk, max + 1); i > 0; i--)
		groups |= UINT32_C(1) << pick(walk, GROUPS);
	return groups;
}

static struct text
names_of(struct walk *walk, uint32_t groups)
{
	struct text names = TEXT("");

	for (unsigned g = 0; g < GROUPS; g++)
		if ((groups >> g & 1) != 0)
			names = text_format(&walk->arena, "%.*s%sgroup%u",
			    TEXT_ARGS(names), names.size > 0 ? " " : "", g);
	return names;
}

static void
expect(struct walk *walk, enum store_result result, enum store_result expected)
{
	assert_int_equal(result, expected);
	walk->answers[result]++;
}

static int64_t
now_of(struct walk *walk)
{
	return world_now(walk->world);
}

/* One time in eight a link that was posted before, as long as it is claimed. */
static void
step_post(struct walk *walk)
{
	unsigned author = pick(walk, MEMBERS);
	bool again = walk->count > 0 && pick(walk, 8) == 0;
	size_t number = again ? walk->count - 1 : walk->count;
	struct known *known = &walk->articles[walk->count];
	struct article article = { .title = TEXT("A title"),
		.url =
		    text_format(&walk->arena, "http://a.example/%zu", number),
		.post.author.id = walk->members[author],
		.post.author.name =
		    text_format(&walk->arena, "member%u", author) };

	/* What was removed holds its link against its author alone. */
	if (walk->count == ARTICLES ||
	    (again &&
		(walk->articles[number].posted + WINDOW <= now_of(walk) ||
		    walk->articles[number].removed != 0)))
		return;
	*known = (struct known){ .author = author,
		.posted = now_of(walk),
		.groups = pick_groups(walk, 16) };
	article.groups = names_of(walk, known->groups);
	expect(walk, article_post(&walk->world->store, &walk->arena, &article),
	    again ? STORE_TAKEN : STORE_OK);
	if (again) {
		assert_int_equal(
		    article.post.id.article, walk->articles[number].id);
		return;
	}
	known->id = article.post.id.article;
	known->votes[author] = VOTE_UP;
	walk->count++;
}

static void
step_vote(struct walk *walk, struct known *known)
{
	unsigned member = pick(walk, MEMBERS);
	/* Most votes are up, so that articles become interesting. */
	enum vote vote =
	    pick(walk, 2) == 0 ? VOTE_UP : (enum vote)pick(walk, 3);
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (member == known->author)
		expected = STORE_OWN;
	else if (now_of(walk) >= known->posted + WINDOW)
		expected = STORE_CLOSED;
	else if (known->voided[member])
		expected = STORE_VOIDED;
	expect(walk,
	    post_vote(&walk->world->store, &walk->arena, article_id(known->id),
		walk->members[member], vote),
	    expected);
	if (expected != STORE_OK)
		return;
	known->votes[member] = vote;
	if (known->interesting == 0 &&
	    count_votes(known, VOTE_UP) >= INTERESTING)
		known->interesting = now_of(walk);
}

static void
step_file(struct walk *walk, struct known *known)
{
	uint32_t added = pick_groups(walk, 9), removed = pick_groups(walk, 4);
	uint32_t after = (known->groups & ~removed) | added;
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (count_groups(after) > RULE_GROUPS_MAX)
		expected = STORE_FULL;
	expect(walk,
	    article_file(&walk->world->store, &walk->arena, known->id,
		names_of(walk, added), names_of(walk, removed)),
	    expected);
	if (expected == STORE_OK)
		known->groups = after;
}

/* A vote is voided, or counted again, as it was. */
static void
step_void(struct walk *walk, struct known *known)
{
	unsigned member = pick(walk, MEMBERS);
	enum voiding wanted = pick(walk, 3) == 0 ? VOIDING_COUNT : VOIDING_VOID;
	struct act act = { .what = act_words[ACT_VOIDED],
		.article = known->id };
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (member == known->author)
		expected = STORE_OWN;
	else if (now_of(walk) >= known->posted + WINDOW)
		expected = STORE_CLOSED;
	else if (known->votes[member] == VOTE_NONE ||
	    known->voided[member] == (wanted == VOIDING_VOID))
		expected = STORE_ABSENT;
	expect(walk,
	    post_void(&walk->world->store, &walk->arena, article_id(known->id),
		walk->members[member], wanted, &act),
	    expected);
	if (expected != STORE_OK)
		return;
	known->voided[member] = wanted == VOIDING_VOID;
	if (known->interesting == 0 &&
	    count_votes(known, VOTE_UP) >= INTERESTING)
		known->interesting = now_of(walk);
}

static void
step_flag(struct walk *walk, struct known *known)
{
	unsigned member = pick(walk, MEMBERS);
	enum flag flag = (enum flag)pick(walk, FLAG_FIRST);
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (member == known->author)
		expected = STORE_OWN;
	expect(walk,
	    flag_set(&walk->world->store, &walk->arena, article_id(known->id),
		walk->members[member], flag),
	    expected);
	if (expected != STORE_OK)
		return;
	known->flags &= ~(UINT32_C(1) << member);
	if (flag != FLAG_NONE)
		known->flags |= UINT32_C(1) << member;
}

static void
step_dismiss(struct walk *walk, struct known *known)
{
	const struct act act = { .what = act_words[ACT_DISMISSED],
		.article = known->id };

	expect(walk,
	    flag_dismiss(
		&walk->world->store, &walk->arena, article_id(known->id), &act),
	    known->removed != 0 ? STORE_REMOVED : STORE_OK);
}

static void
step_withdraw(struct walk *walk, struct known *known)
{
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (now_of(walk) >= known->posted + WINDOW)
		expected = STORE_CLOSED;
	expect(walk,
	    post_withdraw(&walk->world->store, &walk->arena,
		article_id(known->id), walk->members[known->author]),
	    expected);
	if (expected != STORE_OK)
		return;
	known->removed = now_of(walk);
	known->withdrawn = true;
}

static void
step_remove(struct walk *walk, struct known *known)
{
	expect(walk,
	    post_remove(&walk->world->store, &walk->arena,
		article_id(known->id), &world_removal),
	    STORE_OK);
	if (known->removed == 0)
		known->removed = now_of(walk);
}

static void
step_restore(struct walk *walk, struct known *known)
{
	expect(walk,
	    article_restore(
		&walk->world->store, &walk->arena, known->id, &world_restoring),
	    known->withdrawn ? STORE_OWN : STORE_OK);
	if (!known->withdrawn)
		known->removed = 0;
}

static void
step(struct walk *walk)
{
	unsigned kind = pick(walk, 100);
	/* The newest articles see the most changes. */
	size_t back = walk->count == 0 ? 0 : pick(walk, pick(walk, 40) + 1);
	struct known *known =
	    &walk->articles[back < walk->count ? walk->count - 1 - back : 0];

	arena_reset(&walk->arena);
	if (kind < 6 || walk->count == 0)
		step_post(walk);
	else if (kind < 68)
		step_vote(walk, known);
	else if (kind < 74)
		step_void(walk, known);
	else if (kind < 80)
		step_flag(walk, known);
	else if (kind < 82)
		step_dismiss(walk, known);
	else if (kind < 83)
		step_withdraw(walk, known);
	else if (kind < 91)
		step_file(walk, known);
	else if (kind < 93)
		step_remove(walk, known);
	else if (kind < 96)
		step_restore(walk, known);
	else
		world_move_clock(walk->world, pick(walk, 600));
}

static void
compare_article(struct walk *walk, const struct known *known)
{
	unsigned viewer = pick(walk, MEMBERS);
	struct article article =
	    world_article(walk->world, known->id, walk->members[viewer]);
	uint32_t groups = 0;
	struct text name;

	assert_int_equal(article.post.author.id, walk->members[known->author]);
	assert_int_equal(article.post.posted, known->posted);
	assert_int_equal(article.post.closes, known->posted + WINDOW);
	assert_int_equal(article.post.up, count_votes(known, VOTE_UP));
	assert_int_equal(article.post.down, count_votes(known, VOTE_DOWN));
	assert_int_equal(article.interesting, known->interesting);
	assert_int_equal(article.post.removed, known->removed);
	assert_int_equal(post_is_withdrawn(&article.post), known->withdrawn);
	assert_int_equal(article.flag != FLAG_NONE, known->flags >> viewer & 1);
	if (article.post.voters_known)
		assert_int_equal(article.post.vote,
		    known->voided[viewer] ? VOTE_NONE : known->votes[viewer]);
	else
		assert_true(now_of(walk) >= article.post.closes);
	while (text_word(&article.groups, &name)) {
		uint64_t number;

		assert_true(text_to_u64(
		    text_slice(name, strlen("group"), name.size), &number));
		assert_true((groups >> number & 1) == 0);
		groups |= UINT32_C(1) << number;
	}
	assert_int_equal(groups, known->groups);
}

static void
compare_karma(struct walk *walk)
{
	for (unsigned m = 0; m < MEMBERS; m++) {
		int64_t expected = 0;

		for (size_t i = 0; i < walk->count; i++)
			if (walk->articles[i].author == m)
				expected +=
				    count_votes(&walk->articles[i], VOTE_UP) -
				    count_votes(&walk->articles[i], VOTE_DOWN) -
				    1;
		assert_int_equal(
		    world_karma(walk->world, walk->members[m]), expected);
	}
}

static void
compare_groups(struct walk *walk)
{
	struct group *groups;
	uint64_t total;
	size_t got;

	assert_int_equal(group_list(&walk->world->store, &walk->arena, 0,
			     GROUPS, &groups, &got, &total),
	    STORE_OK);
	assert_int_equal(got, GROUPS);
	for (size_t g = 0; g < got; g++) {
		uint64_t number, expected = 0;

		assert_true(text_to_u64(
		    text_slice(groups[g].name, strlen("group"), SIZE_MAX),
		    &number));
		for (size_t i = 0; i < walk->count; i++)
			if (walk->articles[i].removed == 0 &&
			    (walk->articles[i].groups >> number & 1) != 0)
				expected++;
		assert_int_equal(groups[g].articles, expected);
	}
}

static void
check(struct walk *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		compare_article(walk, &walk->articles[i]);
	compare_karma(walk);
	compare_groups(walk);
	assert_int_equal(invariants_check(walk->world), walk->count);
}

/* The walk met every outcome that it can meet. */
static void
check_answers(const struct walk *walk)
{
	size_t interesting = 0, removed = 0;

	for (enum store_result i = STORE_OK; i < STORE_DOWN; i++)
		if (i != STORE_LIMITED && i != STORE_SUSPENDED)
			assert_true(walk->answers[i] > 0);
	for (size_t i = 0; i < walk->count; i++) {
		interesting += walk->articles[i].interesting != 0;
		removed += walk->articles[i].removed != 0;
	}
	assert_in_range(walk->count, 100, ARTICLES);
	assert_in_range(interesting, 10, walk->count - 10);
	assert_in_range(removed, 5, walk->count - 5);
}

static void
random_walk_leaves_what_is_always_true(void **state)
{
	struct world *world = *state;
	struct walk *walk = arena_new(&world->arena, struct walk, 1);

	walk->world = world;
	walk->seed = 20;
	world_stop_clock(world, NOON);
	world->store.rules.vote_window = WINDOW;
	world->store.rules.interesting = INTERESTING;
	for (unsigned i = 0; i < MEMBERS; i++)
		walk->members[i] = world_member(
		    world, fixture_string(&world->arena, "member%u", i));
	for (unsigned i = 0; i < GROUPS; i++)
		world_group(world, fixture_string(&world->arena, "group%u", i));
	for (int i = 1; i <= STEPS; i++) {
		step(walk);
		if (i % (STEPS / 4) == 0)
			check(walk);
	}
	check_answers(walk);
	arena_free(&walk->arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(random_walk_leaves_what_is_always_true),
	};

	return world_run("walk", tests);
}
