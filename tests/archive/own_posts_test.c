/*
 * What members saved, and the histories of their votes: the same lines after loading with any
 * number of buckets, lines that are refused, and what the check finds and repairs.
 */
#include <inttypes.h>

#include "../support/commands.h"
#include "redis/redis.h"
#include "store/comment.h"
#include "store/saved.h"
#include "store/vote_history.h"

enum { ANN = 1, BOB };

#define SAVED TEXT("{u2}saved")
#define VOTES TEXT("{u2}votes")

/* Articles 1 and 2 and comment 1:1 by ann; bob has saved all, and voted on two. */
static void
fill(struct world *world)
{
	struct world_scene scene = world_scene(world, "");
	struct comment comment = { .post = { .id = article_id(1),
				       .author = { ANN, TEXT("ann") } },
		.text = TEXT("x") };
	struct comment_posting posting = { .named_count = 0 };

	assert_int_equal(
	    comment_post(&world->store, &world->arena, &comment, &posting),
	    STORE_OK);
	assert_int_equal(saved_set(&world->store, &world->arena, BOB,
			     article_id(scene.article), SAVING_ON),
	    STORE_OK);
	assert_int_equal(saved_set(&world->store, &world->arena, BOB,
			     comment.post.id, SAVING_ON),
	    STORE_OK);
	world_vote(world, scene.article, BOB, VOTE_UP);
	world_vote(world, scene.article, scene.eve, VOTE_DOWN);
	world_vote(world, scene.article, scene.eve, VOTE_NONE);
}

static void
dump_loads_to_the_same_lines(void **state)
{
	struct world *world = *state;
	struct outcome dumped;

	fill(world);
	dumped = commands_dump(world);
	assert_has(dumped.out,
	    "{\"kind\":\"saved\",\"by\":\"bob\",\"article\":1,\"comment\":1,"
	    "\"at\":1700000000}\n");
	assert_has(dumped.out,
	    "{\"kind\":\"vote\",\"by\":\"bob\",\"article\":1,\"vote\":\"up\","
	    "\"at\":1700000000}\n");
	/* One that was taken back is not in it. */
	assert_int_equal(
	    text_find(dumped.out, 0, TEXT("\"vote\",\"by\":\"eve\"")),
	    SIZE_MAX);
	for (uint64_t buckets = 1; buckets <= 4; buckets += 3)
		assert_text(
		    commands_dump_again(world, NOON, dumped.out, buckets),
		    text_string(&world->arena, dumped.out));
	/* What is there stays, and what is lost comes back. */
	world_command(world, TEXT("DEL"), SAVED);
	world_command(world, TEXT("ZREM"), VOTES,
	    encode_post(&world->arena, article_id(1)));
	commands_load_all(world, dumped.out);
	assert_text(
	    commands_dump(world).out, text_string(&world->arena, dumped.out));
	commands_assert_whole(world);
}

static void
bad_lines_are_refused(void **state)
{
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "{\"kind\":\"saved\",\"by\":\"bob\",\"article\":9,"
		  "\"at\":1}\n",
		    "there is no article 9" },
		{ "{\"kind\":\"saved\",\"by\":\"zoe\",\"article\":1,"
		  "\"at\":1}\n",
		    "there is no member \"zoe\"" },
		{ "{\"kind\":\"saved\",\"by\":\"bob\",\"article\":1}\n",
		    "\"at\" is missing" },
		{ "{\"kind\":\"vote\",\"by\":\"bob\",\"article\":1,"
		  "\"vote\":\"none\",\"at\":1}\n",
		    "\"vote\" is none of up, down, voided_up and voided_down" },
	};
	struct world *world = *state;

	fill(world);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_has(
		    commands_load(world, text_of(cases[i].line), LOAD_STOP)
			.errors,
		    cases[i].why);
}

static void
breaks_are_found_and_repaired(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;

	fill(world);
	commands_assert_whole(world);
	world_command(world, TEXT("ZADD"), SAVED, TEXT("7"),
	    encode_post(arena, article_id(9)));
	commands_assert_break(world,
	    "saved posts of member 2: it has article 9, which does not exist");
	commands_repair(world);
	commands_assert_whole(world);
	world_command(world, TEXT("ZADD"), VOTES, TEXT("87"),
	    encode_post(arena, article_id(1)));
	commands_assert_break(world,
	    "history of votes of member 2: what has score 87 is damaged");
	commands_repair(world);
	commands_assert_whole(world);
	world_command(world, TEXT("HDEL"), TEXT("{u2}user"), TEXT("saves"));
	commands_assert_break(
	    world, "saved posts of member 2: its changes are not counted");
	commands_repair(world);
	commands_assert_whole(world);
	world_command(world, TEXT("ZADD"), TEXT("{u77}saved"), TEXT("7"),
	    encode_post(arena, article_id(1)));
	commands_assert_break(world,
	    "saved posts of member 77: there is no such member, or the account "
	    "is closed");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(dump_loads_to_the_same_lines),
		world_test(bad_lines_are_refused),
		world_test(breaks_are_found_and_repaired),
	};

	return world_run("own_posts", tests);
}
