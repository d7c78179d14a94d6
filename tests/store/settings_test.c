/* The settings that owners change while the site runs. */
#include "store/settings.h"

#include "../support/world.h"
#include "redis/redis.h"

enum { NOON = 1700000000 };

static void
announce(struct world *world, const char *line)
{
	struct settings settings = settings_default();

	settings.announcement = text_of(line);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
}

static int64_t
announced(struct world *world)
{
	struct settings settings;

	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	return reply_number_of(settings.announced);
}

/* Also within a second, and when a call is repeated because its answer was lost. */
static void
each_announcement_has_a_later_moment(void **state)
{
	struct world *world = *state;

	world_stop_clock(world, NOON);
	announce(world, "");
	assert_int_equal(announced(world), 0);
	for (int i = 0; i < 2; i++) {
		announce(world, "One");
		assert_int_equal(announced(world), NOON);
	}
	announce(world, "Two");
	assert_int_equal(announced(world), NOON + 1);
	announce(world, "");
	announce(world, "Two");
	assert_int_equal(announced(world), NOON + 3);
	world_move_clock(world, 60);
	announce(world, "Three");
	assert_int_equal(announced(world), NOON + 60);
	world_stop_clock(world, NOON);
	announce(world, "Four");
	assert_int_equal(announced(world), NOON + 61);
}

static void
announcement_is_shown_to_who_dismissed_an_earlier_one(void **state)
{
	const struct settings none = { .announced = TEXT("1700000000") };
	const struct settings some = { .announced = TEXT("1700000000"),
		.announcement = TEXT("Soon") };

	(void)state;
	assert_false(settings_announce(&none, 0));
	assert_true(settings_announce(&some, 0));
	assert_true(settings_announce(&some, NOON - 1));
	assert_false(settings_announce(&some, NOON));
	assert_false(settings_announce(&some, NOON + 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(each_announcement_has_a_later_moment),
		world_test(
		    announcement_is_shown_to_who_dismissed_an_earlier_one),
	};

	return world_run("settings", tests);
}
