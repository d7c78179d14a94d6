/*
 * Front pages that were kept, in dumps and loads, and what the check says of them.
 */
#include <string.h>

#include "../support/commands.h"
#include "store/front_hour.h"

enum { HOUR = NOON / FRONT_HOUR_SECONDS };

#define MEMBER \
	"{\"kind\":\"user\",\"name\":\"ann\",\"created\":1699990000," \
	"\"role\":\"member\",\"password\":\"\"}\n"
#define ARTICLE(id) \
	"{\"kind\":\"article\",\"id\":" id \
	",\"title\":\"T\",\"url\":\"http://" \
	"a.b/" id "\",\"text\":null,\"author\":\"ann\",\"posted\":1699999000," \
	"\"groups\":[],\"up\":1,\"down\":0,\"interesting\":null," \
	"\"removed\":null,\"voters\":{\"up\":[\"ann\"],\"down\":[]}}\n"
#define FRONT(hour, articles) \
	"{\"kind\":\"front\",\"hour\":\"" hour "\",\"articles\":[" articles \
	"]}\n"

/* Two articles, and a page of this hour and of the one before. */
static struct world_scene
fill(struct world *world)
{
	struct world_scene scene = world_scene(world, "");
	uint64_t other = world_post(world, scene.bob, "B", "http://b.c/", "");
	const struct front_hour fronts[] = {
		{ HOUR - 1, { scene.article }, 1 },
		{ HOUR, { other, scene.article }, 2 },
	};

	for (size_t i = 0; i < 2; i++)
		assert_int_equal(
		    front_hour_load(&world->store, &world->arena, &fronts[i]),
		    STORE_OK);
	commands_assert_whole(world);
	return scene;
}

static struct text
key(struct world *world)
{
	return front_hour_key(&world->arena, &world->store.buckets, HOUR);
}

static struct text
index_key(struct world *world)
{
	return key_front_months(&world->arena, &world->store.buckets);
}

static void
assert_repaired(struct world *world, const char *what)
{
	commands_assert_break(world, what);
	assert_int_equal(commands_repair(world).status, 0);
	commands_assert_whole(world);
}

static void
the_index_is_repaired(void **state)
{
	struct world *world = *state;

	fill(world);
	world_command(world, TEXT("DEL"), index_key(world));
	assert_repaired(world, "front:2023-11: its month is not listed\n");
	world_command(world, TEXT("SADD"), index_key(world), TEXT("2023-10"));
	assert_repaired(world,
	    "front:2023-10: its month is listed, and it does not exist\n");
	assert_int_equal(
	    world_command(world, TEXT("SCARD"), index_key(world)).number, 1);
}

static void
articles_are_marked_again(void **state)
{
	struct world *world = *state;
	struct world_scene scene = fill(world);
	struct text article = key_post(
	    &world->arena, &world->store.buckets, article_id(scene.article));

	world_command(world, TEXT("HDEL"), article, TEXT("front"));
	assert_repaired(world,
	    "it does not say that it was on the front page at "
	    "2023-11-14T21\n");
	world_command(world, TEXT("HSET"), article, TEXT("front"),
	    text_number(&world->arena, (int64_t)HOUR * 3600));
	assert_repaired(world, "at 2023-11-14T21\n");
	assert_int_equal(world_article(world, scene.article, 0).front,
	    (int64_t)(HOUR - 1) * 3600);
}

/* What is lost is lost; the dump says that it leaves it out. */
static void
damaged_hours_stay(void **state)
{
	static const char *const values[] = { "", "123", "123456",
		"aaaaaaaaaa" };
	struct world *world = *state;
	struct outcome dump;

	fill(world);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		world_command(world, TEXT("HSET"), key(world), TEXT("01T00"),
		    text_of(values[i]));
		commands_assert_break(
		    world, "its field \"01T00\" is no front page\n");
	}
	assert_int_equal(commands_repair(world).status, 1);
	dump = commands_dump(world);
	assert_int_equal(dump.status, 1);
	assert_has(dump.errors, "the front page of \"2023-11\"");
	assert_has(dump.out, "\"2023-11-14T22\"");
	world_command(world, TEXT("HDEL"), key(world), TEXT("01T00"));
	world_command(
	    world, TEXT("HSET"), key(world), TEXT("31T00"), TEXT("12345"));
	commands_assert_break(world, "its field \"31T00\" is no front page\n");
}

static void
dumps_have_them_in_order(void **state)
{
	struct world *world = *state;
	struct text dump;
	size_t first, second;

	fill(world);
	dump = commands_dump(world).out;
	first = text_find(dump, 0,
	    TEXT("{\"kind\":\"front\",\"hour\":\"2023-11-14T21\","
		 "\"articles\":["));
	second = text_find(
	    dump, 0, TEXT("{\"kind\":\"front\",\"hour\":\"2023-11-14T22\","));
	assert_true(first < second && second != SIZE_MAX);
	assert_same(commands_dump_again(
			world, NOON, dump, 5 - world->store.buckets.count),
	    dump);
}

/* Articles that the site does not have keep their place; the first page of an hour stays. */
static void
loads_keep_what_is_there(void **state)
{
	static const char *const lines[] = { MEMBER, ARTICLE("8"),
		FRONT("2023-11-14T22", "\"7\",\"8\""),
		FRONT("2023-11-14T22", "\"9\"") };
	struct world *world = *state;
	struct front_hour found;
	struct outcome outcome;

	world_stop_clock(world, NOON);
	for (int times = 0; times < 2; times++) {
		outcome = commands_load(
		    world, COMMANDS_JOIN(world, lines), LOAD_STOP);
		assert_has(outcome.errors, "; refused 0 lines\n");
		assert_int_equal(outcome.status, 0);
	}
	assert_int_equal(
	    front_hour_read(&world->store, &world->arena, HOUR, &found),
	    STORE_OK);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.articles[0], 7);
	assert_int_equal(
	    world_article(world, 8, 0).front, (int64_t)HOUR * 3600);
	commands_assert_whole(world);
}

static void
lines_that_are_none_are_refused(void **state)
{
	static const char *const lines[] = {
		FRONT("2023-11-31T22", "\"7\""),
		FRONT("2023-11-14", "\"7\""),
		FRONT("2023-11-14T22", ""),
		FRONT("2023-11-14T22", "\"7\",\"7\""),
		FRONT("2023-11-14T22", "\"0\""),
		FRONT("2023-11-14T22", "\"100000000000\""),
		FRONT("2023-11-14T22", "\"x\""),
		FRONT("2023-11-14T22", "7"),
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct outcome outcome =
		    commands_load(world, text_of(lines[i]), LOAD_STOP);

		if (outcome.status == 0)
			fail_msg("it loads %s", lines[i]);
	}
	assert_text(world_keys(world, "*front*"), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(the_index_is_repaired),
		world_test(articles_are_marked_again),
		world_test(damaged_hours_stay),
		world_test(dumps_have_them_in_order),
		world_test(loads_keep_what_is_there),
		world_test(lines_that_are_none_are_refused),
	};

	return world_run("kept front pages in dumps", tests);
}
