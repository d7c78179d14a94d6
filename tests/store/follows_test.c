/* Following groups: adding, removing and renaming them. */
#include "../support/world.h"
#include "store/close_account.h"
#include "store/follows.h"
#include "store/refresh.h"
#include "store/user.h"

static struct text
list(struct world *world, uint64_t user)
{
	struct text all = TEXT(""), *groups;
	size_t count;

	assert_int_equal(
	    follows_get(&world->store, &world->arena, user, &groups, &count),
	    STORE_OK);
	for (size_t i = 0; i < count; i++)
		all = text_format(&world->arena, "%.*s%s%.*s", TEXT_ARGS(all),
		    i == 0 ? "" : " ", TEXT_ARGS(groups[i]));
	/* Who follows none may have followed some. */
	assert_true(count == 0 || world_user(world, user).follows != 0);
	return all;
}

static enum store_result
add(struct world *world, uint64_t user, const char *group)
{
	return follows_add(&world->store, &world->arena, user, text_of(group));
}

static void
groups_are_followed_and_left(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	uint64_t ann = world_member(world, "ann");
	struct text before;

	assert_int_equal(add(world, 1000, "aa"), STORE_ABSENT);
	assert_text(list(world, ann), "");
	assert_int_equal(add(world, ann, "bb"), STORE_OK);
	assert_int_equal(add(world, ann, "aa"), STORE_OK);
	before = world_snapshot(world);
	assert_int_equal(add(world, ann, "aa"), STORE_OK);
	assert_unchanged(world, before);
	assert_text(list(world, ann), "aa bb");
	for (int i = 0; i < 2; i++)
		assert_int_equal(follows_rename(store, &world->arena, ann,
				     TEXT("bb"), TEXT("zz")),
		    STORE_OK);
	assert_text(list(world, ann), "aa zz");
	assert_int_equal(
	    follows_rename(store, &world->arena, ann, TEXT("aa"), TEXT("zz")),
	    STORE_OK);
	assert_text(list(world, ann), "zz");
	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    follows_remove(store, &world->arena, ann, TEXT("zz")),
		    STORE_OK);
	assert_text(list(world, ann), "");
}

static void
few_groups_are_followed(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");

	for (int i = 0; i < FOLLOWS_MAX; i++)
		assert_int_equal(
		    add(world, ann, fixture_string(&world->arena, "g%d", i)),
		    STORE_OK);
	assert_int_equal(add(world, ann, "more"), STORE_FULL);
	assert_int_equal(add(world, ann, "g0"), STORE_OK);
}

static void
closed_accounts_follow_nothing(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct user user;

	assert_int_equal(add(world, ann, "aa"), STORE_OK);
	assert_int_equal(
	    user_set_home(&world->store, &world->arena, ann, true), STORE_OK);
	user = world_user(world, ann);
	assert_int_equal(user.home, 1);
	assert_int_equal(
	    close_account(&world->store, &world->arena, &user, 0), STORE_OK);
	assert_text(world_keys(world, "{u*"), "{u1}user");
	assert_int_equal(add(world, ann, "bb"), STORE_ABSENT);
}

/* A member's hash that knows nothing of the groups is mended. */
static void
unknown_groups_are_counted_by_the_refresh(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");

	world_command(
	    world, TEXT("SADD"), key_follows(&world->arena, ann), TEXT("aa"));
	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    refresh_member(&world->store, &world->arena, ann),
		    STORE_OK);
	assert_int_equal(world_user(world, ann).follows, 1);
	assert_text(list(world, ann), "aa");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(groups_are_followed_and_left),
		world_test(few_groups_are_followed),
		world_test(closed_accounts_follow_nothing),
		world_test(unknown_groups_are_counted_by_the_refresh),
	};

	return world_run("follows", tests);
}
