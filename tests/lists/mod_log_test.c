/*
 * The log: newest first over all buckets, in pages, and filtered by kind, by member and
 * by moderator, one by one and together.
 */
#include "../support/fixture.h"
#include "../support/world.h"
#include "lists/mod_log.h"

enum { ACTIONS_EACH = 40 };

static const struct member ann = { 1, TEXT_INIT("ann") };
static const struct member bob = { 2, TEXT_INIT("bob") };
static const struct member mod = { 3, TEXT_INIT("mod") };
static const struct member max = { 4, TEXT_INIT("max") };

static void
begin(struct world *world)
{
	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "bob");
	world_member(world, "mod");
	world_member(world, "max");
}

static struct mod_log_page
read_page(struct world *world, struct mod_log_query query)
{
	struct mod_log_page log;

	if (query.page == 0)
		query.page = 1;
	assert_int_equal(
	    mod_log_read(&world->store, &world->arena, &query, &log), STORE_OK);
	return log;
}

static void
note(struct world *world, enum mod_action_kind kind, struct member by,
    struct member member, const char *reason)
{
	const struct mod_action action = { .what = mod_action_words[kind],
		.by = by,
		.member = member,
		.reason = text_of(reason) };

	assert_int_equal(
	    mod_action_note(&world->store, &world->arena, &action), STORE_OK);
}

/* Removes and restores articles by ann and bob in turn, in all buckets, by two
 * moderators, a second apart. */
static void
fill(struct world *world)
{
	for (int i = 0; i < ACTIONS_EACH; i++) {
		struct member author = i % 2 == 0 ? ann : bob;
		uint64_t id = world_post(world, author.id, "A",
		    fixture_string(&world->arena, "http://a.example/%d", i),
		    "");
		struct mod_action action = { .what =
						 mod_action_words[MOD_REMOVED],
			.by = i % 4 < 2 ? mod : max,
			.article = id,
			.member = author };

		world_stop_clock(world, NOON + 2 * i);
		assert_int_equal(post_remove(&world->store, &world->arena,
				     article_id(id), &action),
		    STORE_OK);
		world_stop_clock(world, NOON + 2 * i + 1);
		action.what = mod_action_words[MOD_RESTORED];
		assert_int_equal(
		    article_restore(&world->store, &world->arena, id, &action),
		    STORE_OK);
	}
}

static void
empty_log_has_no_actions(void **state)
{
	struct world *world = *state;
	struct mod_log_page log =
	    read_page(world, (struct mod_log_query){ .page = 1 });

	assert_int_equal(log.count, 0);
	assert_false(log.more);
	log = read_page(world,
	    (struct mod_log_query){ .kind = TEXT("removed"), .member = 7 });
	assert_int_equal(log.count, 0);
}

/* Every action once, in order. */
static void
pages_continue_without_gaps(void **state)
{
	struct world *world = *state;
	struct mod_log_page first, second, third;

	begin(world);
	fill(world);
	first = read_page(world, (struct mod_log_query){ .page = 1 });
	assert_int_equal(first.count, MOD_LOG_PAGE);
	assert_true(first.more);
	for (size_t i = 0; i < first.count; i++)
		assert_int_equal(first.actions[i].at,
		    NOON + 2 * ACTIONS_EACH - 1 - (int64_t)i);
	second = read_page(world, (struct mod_log_query){ .page = 2 });
	assert_int_equal(second.count, 2 * ACTIONS_EACH - MOD_LOG_PAGE);
	assert_false(second.more);
	for (size_t i = 0; i < second.count; i++)
		assert_int_equal(second.actions[i].at,
		    NOON + 2 * ACTIONS_EACH - 1 - MOD_LOG_PAGE - (int64_t)i);
	third = read_page(world, (struct mod_log_query){ .page = 3 });
	assert_int_equal(third.count, 0);
	assert_false(third.more);
}

static void
action_has_all_its_fields(void **state)
{
	struct world *world = *state;
	struct mod_action action = { .what = mod_action_words[MOD_SUSPENDED],
		.by = mod,
		.member = ann,
		.until = NOON + 86400,
		.reason = TEXT("R\xc3\xa9"
			       "ason, \"why\"") };
	struct mod_log_page log;

	begin(world);
	assert_int_equal(
	    mod_action_note(&world->store, &world->arena, &action), STORE_OK);
	log = read_page(world, (struct mod_log_query){ .page = 1 });
	assert_int_equal(log.count, 1);
	assert_text(log.actions[0].what, "suspended");
	assert_int_equal(log.actions[0].by.id, mod.id);
	assert_text(log.actions[0].by.name, "mod");
	assert_text(log.actions[0].member.name, "ann");
	assert_int_equal(log.actions[0].at, NOON);
	assert_int_equal(log.actions[0].until, NOON + 86400);
	assert_same(log.actions[0].reason, action.reason);
	assert_int_equal(log.actions[0].article, 0);
	assert_true(log.actions[0].id > 0);
}

/* The number of actions that fit; all of them do. */
static size_t
count(struct world *world, struct mod_log_query query)
{
	struct mod_log_page log = read_page(world, query);

	for (size_t i = 0; i < log.count; i++) {
		const struct mod_action *action = &log.actions[i];

		if (query.kind.size > 0)
			assert_same(action->what, query.kind);
		if (query.member != 0)
			assert_int_equal(action->member.id, query.member);
		if (query.moderator != 0)
			assert_int_equal(action->by.id, query.moderator);
		if (i > 0)
			assert_true(action->at <= log.actions[i - 1].at);
	}
	assert_false(log.more);
	assert_false(log.search_ended);
	return log.count;
}

static void
filters_apply_singly_and_together(void **state)
{
	struct world *world = *state;
	struct text removed = mod_action_words[MOD_REMOVED];
	struct text vouched = mod_action_words[MOD_VOUCHED];

	begin(world);
	fill(world);
	note(world, MOD_VOUCHED, mod, ann, "");
	note(world, MOD_VOUCHED, mod, bob, "");
	note(world, MOD_VOUCHED, max, bob, "");
	assert_int_equal(
	    count(world, (struct mod_log_query){ .kind = removed }),
	    ACTIONS_EACH);
	assert_int_equal(
	    count(world, (struct mod_log_query){ .kind = vouched }), 3);
	assert_int_equal(
	    count(world, (struct mod_log_query){ .member = ann.id }),
	    ACTIONS_EACH + 1);
	assert_int_equal(
	    count(world, (struct mod_log_query){ .moderator = max.id }),
	    ACTIONS_EACH + 1);
	/* Moderators who acted are not the members concerned. */
	assert_int_equal(
	    count(world, (struct mod_log_query){ .member = mod.id }), 0);
	assert_int_equal(
	    count(world, (struct mod_log_query){ .moderator = ann.id }), 0);
	assert_int_equal(
	    count(world,
		(struct mod_log_query){ .kind = removed, .member = bob.id }),
	    ACTIONS_EACH / 2);
	assert_int_equal(
	    count(world,
		(struct mod_log_query){ .kind = vouched, .moderator = mod.id }),
	    2);
	assert_int_equal(count(world,
			     (struct mod_log_query){
				 .member = bob.id, .moderator = mod.id }),
	    ACTIONS_EACH / 2 + 1);
	assert_int_equal(
	    count(world,
		(struct mod_log_query){
		    .kind = vouched, .member = bob.id, .moderator = max.id }),
	    1);
	assert_int_equal(
	    count(
		world, (struct mod_log_query){ .kind = TEXT("no-such-kind") }),
	    0);
}

/* An action without effect is not logged. */
static void
actions_without_effect_are_not_logged(void **state)
{
	struct world *world = *state;
	uint64_t id;

	begin(world);
	id = world_post(world, ann.id, "A", "http://a.example/", "");
	assert_int_equal(
	    article_restore(&world->store, &world->arena, id, &world_restoring),
	    STORE_OK);
	assert_int_equal(count(world, (struct mod_log_query){ .page = 1 }), 0);
	world_remove(world, id);
	world_remove(world, id);
	assert_int_equal(count(world, (struct mod_log_query){ .page = 1 }), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(empty_log_has_no_actions),
		world_test(pages_continue_without_gaps),
		world_test(action_has_all_its_fields),
		world_test(filters_apply_singly_and_together),
		world_test(actions_without_effect_are_not_logged),
	};

	return world_run("log", tests);
}
