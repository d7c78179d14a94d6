/* Groups: created once, listed in order of name, counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "../support/world.h"
#include "store/article.h"
#include "store/group.h"
#include "store/keys.h"

static enum store_result
create(struct world *world, const char *name, const char *title, uint64_t by)
{
	struct group group = { .name = text_of(name),
		.title = text_of(title),
		.by = { by, TEXT("ann") } };

	return group_create(&world->store, &world->arena, &group);
}

static void
created_group_is_found(void **state)
{
	struct world *world = *state;
	struct group group;

	world_stop_clock(world, NOON);
	assert_int_equal(create(world, "redis", "Redis & Lua", 7), STORE_OK);
	assert_int_equal(
	    group_get(&world->store, &world->arena, TEXT("redis"), &group),
	    STORE_OK);
	assert_text(group.name, "redis");
	assert_text(group.title, "Redis & Lua");
	assert_int_equal(group.by.id, 7);
	assert_text(group.by.name, "ann");
	assert_int_equal(group.created, NOON);
	assert_int_equal(
	    group_get(&world->store, &world->arena, TEXT("lua"), &group),
	    STORE_ABSENT);
}

static void
group_without_a_founder_has_the_given_time(void **state)
{
	struct world *world = *state;
	struct group group = { .name = TEXT("redis"),
		.title = TEXT("Redis"),
		.created = 1234567890 };

	assert_int_equal(
	    group_create(&world->store, &world->arena, &group), STORE_OK);
	assert_int_equal(
	    group_get(&world->store, &world->arena, TEXT("redis"), &group),
	    STORE_OK);
	assert_int_equal(group.by.id, 0);
	assert_text(group.by.name, "");
	assert_int_equal(group.created, 1234567890);
}

static void
group_is_created_once(void **state)
{
	struct world *world = *state;
	struct text before;

	assert_int_equal(create(world, "redis", "First", 7), STORE_OK);
	before = world_snapshot(world);
	assert_int_equal(create(world, "redis", "Second", 8), STORE_TAKEN);
	assert_unchanged(world, before);
}

/* Its founder got no reply, and tries again; later, another group has the name. */
static void
repeated_creation_by_the_founder_succeeds(void **state)
{
	struct world *world = *state;
	struct text before;

	world_stop_clock(world, world_now(world));
	assert_int_equal(create(world, "redis", "Redis", 7), STORE_OK);
	before = world_snapshot(world);
	assert_int_equal(create(world, "redis", "Redis", 7), STORE_OK);
	assert_int_equal(create(world, "redis", "Other", 7), STORE_TAKEN);
	assert_int_equal(create(world, "redis", "Redis", 8), STORE_TAKEN);
	world_move_clock(world, 60);
	assert_int_equal(create(world, "redis", "Redis", 7), STORE_TAKEN);
	assert_unchanged(world, before);
}

/* A crash came between the group and its entry in the list. */
static void
group_missing_from_the_list_is_repaired(void **state)
{
	struct world *world = *state;
	struct text before;

	assert_int_equal(create(world, "redis", "Redis", 7), STORE_OK);
	before = world_snapshot(world);
	world_command(world, TEXT("DEL"), KEY_GROUPS);
	assert_int_equal(create(world, "redis", "Redis", 8), STORE_TAKEN);
	assert_unchanged(world, before);
}

static void
first_unknown_name_is_reported(void **state)
{
	struct world *world = *state;
	enum group_refusal why;
	struct text unknown;

	world_group(world, "aa");
	world_group(world, "bb");
	const struct {
		const char *names, *unknown;
	} rows[] = { { "", "" }, { "aa", "" }, { "aa bb", "" },
		{ "aa cc dd", "cc" }, { "dd aa", "dd" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(
		    group_find_unusable(&world->store, &world->arena,
			text_of(rows[i].names), 0, &unknown, &why),
		    STORE_OK);
		assert_text(unknown, rows[i].unknown);
	}
}

static void
check_page(struct world *world, uint64_t start, const char *first, size_t count)
{
	struct group *groups;
	uint64_t total;
	size_t got;

	assert_int_equal(group_list(&world->store, &world->arena, start, 2,
			     &groups, &got, &total),
	    STORE_OK);
	assert_int_equal(total, 5);
	assert_int_equal(got, count);
	if (got > 0)
		assert_text(groups[0].name, first);
}

static void
groups_are_listed_in_order_of_name(void **state)
{
	struct world *world = *state;
	const char *names[] = { "lua", "c", "redis", "10", "c-plus-plus" };

	for (size_t i = 0; i < 5; i++)
		world_group(world, names[i]);
	check_page(world, 0, "10", 2);
	check_page(world, 2, "c-plus-plus", 2);
	check_page(world, 4, "redis", 1);
	check_page(world, 5, "", 0);
}

static void
articles_of_groups_are_counted(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann"), total, id = 0;
	const uint64_t counts[] = { 4, 2, 0 };
	struct group *groups;
	size_t got;

	world_group(world, "aa");
	world_group(world, "bb");
	world_group(world, "cc");
	for (int i = 0; i < 5; i++)
		id = world_post(world, ann,
		    fixture_string(&world->arena, "%d", i), "",
		    i % 2 == 0 ? "aa bb" : "aa");
	/* A removed article does not count. */
	world_remove(world, id);
	assert_int_equal(group_list(&world->store, &world->arena, 0, 10,
			     &groups, &got, &total),
	    STORE_OK);
	assert_int_equal(got, 3);
	for (size_t i = 0; i < got; i++)
		assert_int_equal(groups[i].articles, counts[i]);
}

/* A connection that receives each command from MONITOR. */
static FILE *
open_monitor(struct world *world)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	FILE *monitor = fdopen(file, "r+");
	char line[256];

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/redis.sock",
	    world->folder);
	assert_int_equal(
	    connect(file, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_true(fputs("MONITOR\r\n", monitor) >= 0);
	assert_int_equal(fflush(monitor), 0);
	assert_non_null(fgets(line, sizeof(line), monitor));
	return monitor;
}

/* The number of commands until one that is sent now, without those of functions. */
static int64_t
count_commands(struct world *world, FILE *monitor)
{
	int64_t count = 0;
	char *line = NULL;
	size_t size = 0;

	world_command(world, TEXT("ECHO"), TEXT("the end"));
	while (getline(&line, &size, monitor) > 0 &&
	    strstr(line, "the end") == NULL)
		count += strstr(line, " lua] ") == NULL;
	free(line);
	fclose(monitor);
	return count;
}

static void
articles_of_many_groups_are_counted_by_a_command_a_bucket(void **state)
{
	struct world *world = *state;
	int64_t buckets = (int64_t)world->store.buckets.count;
	struct group *groups;
	FILE *monitor;
	uint64_t total;
	size_t got;

	for (int i = 0; i < 200; i++)
		world_group(
		    world, fixture_string(&world->arena, "group-%d", i));
	monitor = open_monitor(world);
	assert_int_equal(group_list(&world->store, &world->arena, 0, 200,
			     &groups, &got, &total),
	    STORE_OK);
	assert_int_equal(got, 200);
	/* The names and their count, the groups, and their articles. */
	assert_int_equal(count_commands(world, monitor), 2 + 200 + buckets);
}

/* An incomplete group, left by an interrupted or delayed program. */
static void
incomplete_group_does_not_exist(void **state)
{
	struct world *world = *state;
	struct group group = { .name = TEXT("redis"), .title = TEXT("Redis") };
	struct text key = key_group(&world->arena, group.name);

	world_command(world, TEXT("HSET"), key, TEXT("by"), TEXT("7 ann"),
	    TEXT("closed"), TEXT("5"));
	assert_int_equal(
	    group_create(&world->store, &world->arena, &group), STORE_OK);
	assert_int_equal(
	    group_get(&world->store, &world->arena, group.name, &group),
	    STORE_OK);
	assert_int_equal(group.by.id, 0);
	assert_int_equal(group.closed, 0);
	group.title = TEXT("Other");
	assert_int_equal(
	    group_create(&world->store, &world->arena, &group), STORE_TAKEN);
}

/* Programs read it before they change it. */
static void
deleted_group_stays_deleted(void **state)
{
	struct world *world = *state;

	assert_int_equal(group_set(&world->store, &world->arena, TEXT("redis"),
			     TEXT("title"), TEXT("Redis")),
	    STORE_ABSENT);
	assert_text(world_keys(world, "group*"), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(created_group_is_found),
		world_test(group_without_a_founder_has_the_given_time),
		world_test(group_is_created_once),
		world_test(repeated_creation_by_the_founder_succeeds),
		world_test(group_missing_from_the_list_is_repaired),
		world_test(first_unknown_name_is_reported),
		world_test(groups_are_listed_in_order_of_name),
		world_test(articles_of_groups_are_counted),
		world_test(
		    articles_of_many_groups_are_counted_by_a_command_a_bucket),
		world_test(incomplete_group_does_not_exist),
		world_test(deleted_group_stays_deleted),
	};

	return world_run("groups", tests);
}
