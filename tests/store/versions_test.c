/* What is read with the versions: whether there are interesting articles. */
#include "store/versions.h"

#include "../support/world.h"

static bool
have_interesting(struct world *world)
{
	struct versions versions;

	assert_int_equal(
	    versions_get(&world->store, &world->arena, 0, &versions), STORE_OK);
	return versions_have_interesting(&versions);
}

/* A site from before it was noted, or one on which an older library ran since. */
static void
interesting_articles_are_noted_at_the_start(void **state)
{
	struct world *world = *state;
	const struct buckets *buckets = &world->store.buckets;
	struct text key =
	    key_versions(&world->arena, buckets, key_bucket_of(buckets, 1));

	world_member(world, "ann");
	assert_int_equal(
	    versions_note_interesting(&world->store, &world->arena), STORE_OK);
	assert_false(have_interesting(world));
	world->store.rules.interesting = 1;
	assert_int_equal(world_post(world, 1, "A", "http://a.example/", ""), 1);
	assert_true(have_interesting(world));
	world_command(world, TEXT("HDEL"), key, TEXT("interesting"));
	assert_false(have_interesting(world));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    versions_note_interesting(&world->store, &world->arena),
		    STORE_OK);
		assert_true(have_interesting(world));
	}
	world_remove(world, 1);
	assert_false(have_interesting(world));
	world_command(world, TEXT("HSET"), key, TEXT("interesting"), TEXT("1"));
	assert_int_equal(
	    versions_note_interesting(&world->store, &world->arena), STORE_OK);
	assert_false(have_interesting(world));
}

static void
bucket_that_is_lost_may_have_some(void **state)
{
	const struct bucket_versions buckets[] = { { .lost_at = 0 },
		{ .lost_at = 1 } };
	struct versions versions = { .buckets = buckets, .bucket_count = 1 };

	(void)state;
	assert_false(versions_have_interesting(&versions));
	versions.bucket_count = 2;
	assert_true(versions_have_interesting(&versions));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(interesting_articles_are_noted_at_the_start),
		world_test(bucket_that_is_lost_may_have_some),
	};

	return world_run("versions", tests);
}
