/*
 * The writer of the index: what it reads of a site, step by step, with one bucket and with
 * several.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/world.h"
#include "search/find.h"
#include "search/writer.h"
#include "store/comment.h"

struct scene {
	struct world *world;
	struct world_scene site;
	struct search_state *state;
	struct writer *writer;
	char folder[FIXTURE_FOLDER + 16];
};

static struct writer *
new_writer(struct scene *scene)
{
	return writer_new(&scene->world->store, scene->state, scene->folder,
	    writer_site(&scene->world->arena, &scene->world->store));
}

/* In a world with an article of ann's. */
static struct scene
open_scene(struct world *world)
{
	struct scene scene = { .world = world,
		.site = world_scene(world, "go"),
		.state = search_state_new() };

	snprintf(
	    scene.folder, sizeof(scene.folder), "%s/search", world->folder);
	assert_int_equal(mkdir(scene.folder, 0700), 0);
	scene.writer = new_writer(&scene);
	return scene;
}

/* Steps until nothing is left to do. */
static void
settle(struct scene *scene)
{
	int quiet = 0;

	for (int i = 0; i < 10000 && quiet < 20; i++)
		quiet = writer_step(scene->writer) == 250 &&
			atomic_load(&scene->state->building) < 0
		    ? quiet + 1
		    : 0;
	assert_int_equal(quiet, 20);
}

/* The ids that are found, the newest first: "3 1:2 1". */
static struct text
find(struct scene *scene, const char *typed, enum query_order order)
{
	struct arena *arena = &scene->world->arena;
	struct query_name items[] = { { TEXT("u:ann"), TEXT("1") },
		{ TEXT("u:bob"), TEXT("2") } };
	struct query_names names = { items, 2 };
	char path[sizeof(scene->folder) + 16];
	struct buffer ids = buffer_in(arena, 64);
	struct find_request request = {
		.names = &names, .order = order, .limit = 50
	};
	struct find_hits hits;
	struct index *index;
	struct query query;

	snprintf(path, sizeof(path), "%s/" WRITER_FILE, scene->folder);
	assert_int_equal(index_open(path, INDEX_READ,
			     writer_site(arena, &scene->world->store), &index),
	    INDEX_OK);
	query_parse(arena, text_of(typed), &query);
	request.query = &query;
	assert_int_equal(find_posts(index, arena, &request, &hits), INDEX_OK);
	for (size_t i = 0; i < hits.size; i++) {
		if (i > 0)
			buffer_add_char(&ids, ' ');
		buffer_add(&ids, key_post_name(arena, hits.ids[i]));
	}
	index_close(index);
	return buffer_text(&ids);
}

#define assert_found(scene, typed, ids) \
	assert_text(find((scene), (typed), QUERY_NEWEST), (ids))

static void
close_scene(struct scene *scene)
{
	writer_free(scene->writer);
}

static void
an_index_is_built_of_what_is_there(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);

	world_comment(world, article_id(1), scene.site.bob, "Rare words");
	world_move_clock(world, 10);
	assert_int_equal(
	    world_post(world, scene.site.ann, "Second", "http://b.c/", ""), 2);
	settle(&scene);
	assert_int_equal(atomic_load(&scene.state->rows), 3);
	assert_found(&scene, "is:article", "2 1");
	assert_found(&scene, "rare", "1:1");
	assert_found(&scene, "group:go", "1:1 1");
	assert_found(&scene, "by:bob", "1:1");
	assert_found(&scene, "site:b.c", "2");
	close_scene(&scene);
}

/* More than are read at once, also of one second; and an id far behind the others. */
static void
all_articles_are_walked(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;

	for (int i = 0; i < 450; i++) {
		if (i == 350)
			world_move_clock(world, 1);
		world_post(world, scene.site.ann, "T",
		    fixture_string(arena, "http://a.b/%d", i), "");
	}
	world_command(world, TEXT("SET"),
	    key_article_counter(arena, buckets, 0), TEXT("1000000000"));
	settle(&scene);
	assert_int_equal(atomic_load(&scene.state->rows), 451);
	close_scene(&scene);
}

static void
changes_are_followed(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);
	struct store *store = &world->store;
	struct arena *arena = &world->arena;

	settle(&scene);
	world_comment(world, article_id(1), scene.site.bob, "Rare words");
	settle(&scene);
	assert_found(&scene, "rare", "1:1");
	assert_int_equal(comment_edit(store, arena, (struct post_id){ 1, 1 },
			     TEXT("Common words"), TEXT("")),
	    STORE_OK);
	settle(&scene);
	assert_found(&scene, "rare", "");
	assert_found(&scene, "common", "1:1");
	/* The comments of an article are in its groups, and removed with it. */
	world_group(world, "lua");
	assert_int_equal(
	    article_set_groups(store, arena, 1, TEXT("lua"), TEXT("go")),
	    STORE_OK);
	settle(&scene);
	assert_found(&scene, "group:go", "");
	assert_found(&scene, "group:lua", "1:1 1");
	world_remove(world, 1);
	settle(&scene);
	assert_found(&scene, "group:lua", "");
	assert_int_equal(
	    article_restore(store, arena, 1, &world_restoring), STORE_OK);
	settle(&scene);
	assert_found(&scene, "group:lua", "1:1 1");
	assert_int_equal(atomic_load(&scene.state->rows), 2);
	close_scene(&scene);
}

/* What was read is not read again, and nothing between is missed. */
static void
the_next_writer_goes_on(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);

	settle(&scene);
	writer_free(scene.writer);
	world_comment(world, article_id(1), scene.site.bob, "Rare words");
	scene.writer = new_writer(&scene);
	for (int i = 0; i < 5; i++)
		writer_step(scene.writer);
	assert_int_equal(atomic_load(&scene.state->building), -1);
	assert_found(&scene, "rare", "1:1");
	close_scene(&scene);
}

/* Ended at each step of building; the next one begins anew. */
static void
building_may_end_anywhere(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);

	world_comment(world, article_id(1), scene.site.bob, "Rare words");
	for (int steps = 0; steps < 12; steps++) {
		for (int i = 0; i < steps; i++)
			writer_step(scene.writer);
		writer_free(scene.writer);
		scene.writer = new_writer(&scene);
	}
	settle(&scene);
	assert_found(&scene, "rare", "1:1");
	close_scene(&scene);
}

static void
two_writers_take_turns(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);
	struct writer *other = new_writer(&scene);

	settle(&scene);
	world_comment(world, article_id(1), scene.site.bob, "Rare words");
	for (int i = 0; i < 10; i++)
		assert_int_equal(writer_step(other), 250);
	assert_found(&scene, "rare", "");
	writer_free(scene.writer);
	scene.writer = other;
	settle(&scene);
	assert_found(&scene, "rare", "1:1");
	close_scene(&scene);
}

static void
another_site_has_another_index(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);

	settle(&scene);
	writer_free(scene.writer);
	world->store.secret = TEXT("another");
	scene.writer = new_writer(&scene);
	writer_step(scene.writer);
	assert_int_not_equal(atomic_load(&scene.state->building), -1);
	settle(&scene);
	assert_found(&scene, "is:article", "1");
	close_scene(&scene);
}

/* Votes are no changes: points are read again at certain ages, and once votes are closed. */
static void
points_are_read_again(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);
	uint64_t second;

	second = world_post(world, scene.site.ann, "Second", "http://b.c/", "");
	settle(&scene);
	for (uint64_t user = 2; user < 4; user++)
		world_vote(world, 1, user, VOTE_UP);
	settle(&scene);
	assert_text(find(&scene, "is:article", QUERY_POINTS), "2 1");
	world_move_clock(world, 61);
	/* A new writer refreshes at once. */
	writer_free(scene.writer);
	scene.writer = new_writer(&scene);
	settle(&scene);
	assert_text(find(&scene, "is:article", QUERY_POINTS), "1 2");
	for (uint64_t user = 2; user < 4; user++)
		world_vote(world, 1, user, VOTE_DOWN);
	world_vote(world, second, scene.site.bob, VOTE_UP);
	world_move_clock(world, world->store.rules.vote_window + 120);
	writer_free(scene.writer);
	scene.writer = new_writer(&scene);
	settle(&scene);
	assert_text(find(&scene, "is:article", QUERY_POINTS), "2 1");
	close_scene(&scene);
}

/* Redis does not answer for a while, in the middle of building and of following. */
static void
redis_may_be_away(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);
	struct text commands[] = { TEXT("-getrange"), TEXT("-hmget"),
		TEXT("-xrange"), TEXT("-xrevrange"), TEXT("-get"),
		TEXT("-time") };

	world_comment(world, article_id(1), scene.site.bob, "Rare words");
	redis_be_quiet(world->store.redis);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		world_command(world, TEXT("ACL"), TEXT("SETUSER"),
		    TEXT("default"), commands[i]);
		for (int step = 0; step < 20; step++)
			writer_step(scene.writer);
		world_command(world, TEXT("ACL"), TEXT("SETUSER"),
		    TEXT("default"), TEXT("+@all"));
	}
	settle(&scene);
	assert_found(&scene, "rare", "1:1");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		world_comment(world, article_id(1), scene.site.bob,
		    fixture_string(&world->arena, "number%zu", i));
		world_command(world, TEXT("ACL"), TEXT("SETUSER"),
		    TEXT("default"), commands[i]);
		for (int step = 0; step < 20; step++)
			writer_step(scene.writer);
		world_command(world, TEXT("ACL"), TEXT("SETUSER"),
		    TEXT("default"), TEXT("+@all"));
		settle(&scene);
		assert_text(
		    find(&scene, fixture_string(&world->arena, "number%zu", i),
			QUERY_NEWEST),
		    fixture_string(&world->arena, "1:%zu", i + 2));
	}
	assert_found(&scene, "rare", "1:1");
	close_scene(&scene);
}

static void
limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A disk without room: what is there is searched, and nothing is missed once there is room. */
static void
the_disk_may_be_full(void **state)
{
	struct world *world = *state;
	struct scene scene = open_scene(world);

	signal(SIGXFSZ, SIG_IGN);
	settle(&scene);
	limit_files(4096);
	world_comment(world, article_id(1), scene.site.bob, "Rare words");
	for (int i = 0; i < 20; i++)
		writer_step(scene.writer);
	limit_files(RLIM_INFINITY);
	assert_found(&scene, "is:article", "1");
	assert_found(&scene, "rare", "");
	for (int i = 0; i < 100; i++) {
		usleep((useconds_t)writer_step(scene.writer) * 1000);
		if (find(&scene, "rare", QUERY_NEWEST).size > 0)
			break;
	}
	assert_found(&scene, "rare", "1:1");
	signal(SIGXFSZ, SIG_DFL);
	close_scene(&scene);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(an_index_is_built_of_what_is_there),
		world_test(all_articles_are_walked),
		world_test(changes_are_followed),
		world_test(the_next_writer_goes_on),
		world_test(building_may_end_anywhere),
		world_test(two_writers_take_turns),
		world_test(another_site_has_another_index),
		world_test(points_are_read_again),
		world_test(redis_may_be_away),
		world_test(the_disk_may_be_full),
	};

	return world_run("the writer of the index", tests);
}
