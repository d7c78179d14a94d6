/*
 * A list that does not exist: the library is loaded with one more list of articles, which is
 * said in places alone. Everything that writes or examines lists follows.
 */
#include "../support/commands.h"
#include "store/keys.h"
#include "store/library.h"

/* Articles by the time at which voting closes. */
static const char new_list[] =
    "do\n"
    "local article = import('kinds').article\n"
    "local places = article.places\n"
    "article.places = function(post, vote_score)\n"
    "	local lists, scores = places(post, vote_score)\n"
    "	lists[#lists + 1] = post.tag .. 'score:new'\n"
    "	scores[#lists] = not post.removed and post.closes\n"
    "	return lists, scores\n"
    "end\n"
    "end\n";

static void
load_functions(struct world *world)
{
	world_command(world, TEXT("FUNCTION"), TEXT("LOAD"), TEXT("REPLACE"),
	    text_join(&world->arena, text_of(library_code), text_of(new_list)));
}

static struct text
list_of(struct world *world, uint64_t article)
{
	const struct buckets *buckets = &world->store.buckets;

	return key_score(&world->arena, buckets,
	    key_bucket_of(buckets, article), TEXT("new"));
}

static bool
is_listed(struct world *world, uint64_t article)
{
	return world_command(world, TEXT("ZSCORE"), list_of(world, article),
		   encode_post(&world->arena, article_id(article)))
		   .kind != REPLY_NIL;
}

static uint64_t
post(struct world *world)
{
	world_stop_clock(world, NOON);
	load_functions(world);
	world_member(world, "ann");
	return world_post(world, 1, "A", "http://a.b/1", "");
}

static void
posting_and_removing_write_it(void **state)
{
	struct world *world = *state;
	uint64_t id = post(world);

	assert_true(is_listed(world, id));
	commands_assert_whole(world);
	world_remove(world, id);
	assert_false(is_listed(world, id));
	commands_assert_whole(world);
}

static void
loading_writes_it(void **state)
{
	static const char *const lines[] = {
		"{\"kind\":\"user\",\"name\":\"ann\",\"created\":1600000000,"
		"\"password\":\"\",\"role\":\"member\"}\n",
		"{\"kind\":\"article\",\"id\":7,\"title\":\"A\","
		"\"url\":\"http://a.b/1\",\"text\":null,\"author\":\"ann\","
		"\"posted\":1600000000,\"closes\":1600000001,\"groups\":[],"
		"\"up\":3,\"down\":1,\"interesting\":null,\"removed\":null}\n",
	};
	struct world *world = *state;

	world_stop_clock(world, NOON);
	load_functions(world);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_true(is_listed(world, 7));
	commands_assert_whole(world);
}

static void
repairing_writes_it(void **state)
{
	struct world *world = *state;
	uint64_t id = post(world);

	world_command(world, TEXT("DEL"), list_of(world, id));
	commands_assert_break(world, "it is not in {");
	assert_int_equal(commands_repair(world).status, 0);
	assert_true(is_listed(world, id));
}

static void
what_does_not_belong_there_is_removed(void **state)
{
	struct world *world = *state;
	uint64_t id = post(world);
	struct text before = commands_dump(world).out;

	world_command(world, TEXT("ZADD"), list_of(world, id), TEXT("7"),
	    encode_post(&world->arena, (struct post_id){ id, 1 }));
	commands_assert_break(world, "does not exist");
	assert_int_equal(commands_repair(world).status, 0);
	commands_assert_whole(world);
	assert_same(commands_dump(world).out, before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(posting_and_removing_write_it),
		world_test(loading_writes_it),
		world_test(repairing_writes_it),
		world_test(what_does_not_belong_there_is_removed),
	};

	return world_run("a new list", tests);
}
