/* The settings that owners change while the site runs. */
#include "store/settings.h"

#include "../support/fixture.h"
#include "../support/world.h"
#include "redis/redis.h"

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

static struct image
image_in(
    struct settings_cache *cache, struct world *world, enum image_kind kind)
{
	struct versions versions;
	struct settings_snapshot *snapshot;
	struct image image;

	assert_int_equal(
	    versions_get(&world->store, &world->arena, 0, &versions), STORE_OK);
	snapshot =
	    settings_acquire(&world->store, &world->arena, cache, &versions);
	image = snapshot->images[kind];
	image.png = text_copy(&world->arena, image.png);
	image.version = text_copy(&world->arena, image.version);
	settings_release(snapshot);
	return image;
}

/* The version counts their changes, so a worker that cached the settings reads them. */
static void
images_are_cached_with_the_settings(void **state)
{
	struct world *world = *state;
	const struct settings standard = settings_default();
	struct settings_cache *cache = settings_cache_new(&standard);
	struct text png =
	    fixture_read_file(&world->arena, "static/apple-touch-icon.png");
	struct image image;

	assert_int_equal(image_in(cache, world, IMAGE_LOGO).png.size, 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    image_set(&world->store, &world->arena, IMAGE_LOGO, png),
		    STORE_OK);
	image = image_in(cache, world, IMAGE_LOGO);
	assert_same(image.png, png);
	assert_int_equal(image.width, 180);
	assert_int_equal(image.height, 180);
	assert_int_equal(image.version.size, 12);
	assert_int_equal(image_in(cache, world, IMAGE_ICON).png.size, 0);
	assert_int_equal(
	    image_set(&world->store, &world->arena, IMAGE_LOGO, TEXT("")),
	    STORE_OK);
	assert_int_equal(image_in(cache, world, IMAGE_LOGO).png.size, 0);
	/* What is none is not shown, whoever wrote it. */
	world_command(world, TEXT("SET"),
	    key_image(&world->arena, &world->store.buckets, TEXT("icon")),
	    TEXT("<svg/>"));
	announce(world, "x");
	assert_int_equal(image_in(cache, world, IMAGE_ICON).png.size, 0);
	settings_cache_free(cache);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(each_announcement_has_a_later_moment),
		world_test(
		    announcement_is_shown_to_who_dismissed_an_earlier_one),
		world_test(images_are_cached_with_the_settings),
	};

	return world_run("settings", tests);
}
