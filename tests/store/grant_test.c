/* The rights of the workers' Redis user, and the check at the start. */
#include "store/grant.h"

#include "../support/world.h"

/* Creates a user with the rights, except one with this prefix. */
static void
grant(struct world *world, struct text without)
{
	struct text words[100] = { TEXT("ACL"), TEXT("SETUSER"), TEXT("tally"),
		TEXT("reset"), TEXT("on") };
	struct text rights = grant_rule();
	size_t count = 5;

	while (text_next_word(&rights, &words[count]))
		if (!text_equal(words[count], without))
			count++;
	world_command_words(world, words, count);
}

static enum store_result
check(struct world *world, struct text *why)
{
	*why = TEXT("");
	return grant_check(&world->store, &world->arena, TEXT("tally"), why);
}

static void
check_lacks(struct world *world, struct text right)
{
	struct text why,
	    line = text_format(
		&world->arena, "run ACL SETUSER tally %.*s,", TEXT_ARGS(right));

	grant(world, right);
	assert_int_equal(check(world, &why), STORE_MISMATCH);
	if (text_find(why, 0, line) == SIZE_MAX)
		fail_msg(
		    "without %.*s: %.*s", TEXT_ARGS(right), TEXT_ARGS(why));
}

static void
all_rights_are_enough(void **state)
{
	struct text why;

	grant(*state, TEXT(""));
	assert_int_equal(check(*state, &why), STORE_OK);
	assert_int_equal(why.size, 0);
}

static void
each_missing_right_is_named(void **state)
{
	struct text rights = grant_rule(), right;
	size_t count = 0;

	while (text_next_word(&rights, &right))
		if (text_starts(right, TEXT("+"))) {
			check_lacks(*state, right);
			count++;
		}
	assert_true(count > 40);
	check_lacks(*state, TEXT("~*"));
}

static void
several_missing_rights_are_named_in_one_line(void **state)
{
	struct world *world = *state;
	struct text why;

	grant(world, TEXT("+bitfield"));
	world_command(world, TEXT("ACL"), TEXT("SETUSER"), TEXT("tally"),
	    TEXT("-xadd"), TEXT("resetkeys"), TEXT("~a*"));
	assert_int_equal(check(world, &why), STORE_MISMATCH);
	assert_true(text_find(why, 0, TEXT("ACL SETUSER tally ")) != SIZE_MAX);
	assert_true(text_find(why, 0, TEXT(" +bitfield")) != SIZE_MAX);
	assert_true(text_find(why, 0, TEXT(" +xadd")) != SIZE_MAX);
	assert_true(text_find(why, 0, TEXT(" ~*")) != SIZE_MAX);
}

static void
user_without_a_name_is_the_default_user(void **state)
{
	struct world *world = *state;
	struct text why;

	assert_int_equal(
	    grant_check(&world->store, &world->arena, TEXT(""), &why),
	    STORE_OK);
}

/* Without the right to ask, missing rights show when a command fails. */
static void
unknown_rights_are_assumed(void **state)
{
	struct world *world = *state;
	struct store store = *(&world->store);
	struct text why;

	grant(world, TEXT("+xadd"));
	world_command(world, TEXT("ACL"), TEXT("SETUSER"), TEXT("tally"),
	    TEXT(">secret"));
	store.redis = redis_open(world->address, TEXT("tally"), TEXT("secret"));
	redis_be_quiet(store.redis);
	assert_int_equal(
	    grant_check(&store, &world->arena, TEXT("tally"), &why), STORE_OK);
	redis_close(store.redis);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(all_rights_are_enough),
		world_test(each_missing_right_is_named),
		world_test(several_missing_rights_are_named_in_one_line),
		world_test(user_without_a_name_is_the_default_user),
		world_test(unknown_rights_are_assumed),
	};

	return world_run("grant", tests);
}
