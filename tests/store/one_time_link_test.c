/* One-time links, and becoming the owner by one. */
#include <string.h>

#include "../support/concurrent_writer.h"
#include "../support/world.h"
#include "store/account_status.h"
#include "store/function_call.h"
#include "store/keys.h"
#include "store/one_time_link.h"

enum { MINUTE = 60, HOUR = 3600 };

static const struct mod_action action;

struct scene {
	struct world *world;
	struct store *store;
	struct arena *arena;
	struct user ann, bob;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = {
		.world = world, .store = &world->store, .arena = &world->arena
	};

	world_stop_clock(world, NOON);
	scene.ann = world_user(world, world_member(world, "ann"));
	scene.bob = world_user(world, world_member(world, "bob"));
	return scene;
}

static struct text
make_link(const struct scene *scene)
{
	struct text code;

	assert_int_equal(
	    one_time_link_make_owner(scene->store, scene->arena, &code),
	    STORE_OK);
	return code;
}

static enum store_result
find_link(const struct scene *scene, struct text code)
{
	struct one_time_link link;

	return one_time_link_find(scene->store, scene->arena, code, &link);
}

static struct one_time_link
parse_link(const struct scene *scene, struct text code)
{
	struct one_time_link link;

	assert_true(one_time_link_parse(scene->arena, code, &link));
	return link;
}

static enum store_result
become_owner(
    const struct scene *scene, const struct user *user, struct text code)
{
	struct one_time_link link = parse_link(scene, code);

	return account_become_owner(
	    scene->store, scene->arena, user, &link, action);
}

/* The first of the two steps. */
static enum store_result
claim(const struct scene *scene, const struct user *user, struct text code)
{
	return user_claim_owner(scene->store, scene->arena, user->id,
	    parse_link(scene, code).digest);
}

static void
assert_owner(const struct scene *scene, const struct user *user)
{
	uint64_t *ids;
	size_t count;

	assert_int_equal(
	    user_owners(scene->store, scene->arena, &ids, &count), STORE_OK);
	assert_int_equal(count, user != NULL);
	if (user != NULL)
		assert_int_equal(ids[0], user->id);
}

static void
link_makes_a_member_the_owner_once(void **state)
{
	struct scene scene = begin(*state);
	struct text code = make_link(&scene);

	assert_int_equal(find_link(&scene, code), STORE_OK);
	assert_owner(&scene, NULL);
	assert_int_equal(become_owner(&scene, &scene.ann, code), STORE_OK);
	assert_owner(&scene, &scene.ann);
	assert_int_equal(find_link(&scene, code), STORE_ABSENT);
	assert_int_equal(become_owner(&scene, &scene.bob, code), STORE_TAKEN);
	assert_owner(&scene, &scene.ann);
	assert_text(world_log(scene.world, "").actions[0].what, "appointed");
	assert_int_equal(world_log(scene.world, "").count, 1);
	/* Nothing of it is left. */
	assert_text(world_keys(scene.world, "{owners}*"), "");
}

/* Who reads Redis or its file cannot follow a link. */
static void
secret_is_not_stored(void **state)
{
	struct scene scene = begin(*state);
	struct text code = make_link(&scene), snapshot, word;

	assert_true(text_cut(&code, '.', &word));
	assert_text(word, "owner");
	assert_int_equal(code.size, 64);
	snapshot = world_snapshot(scene.world);
	assert_int_equal(text_find(snapshot, 0, code), SIZE_MAX);
	assert_true(text_find(snapshot, 0, TEXT("{owners}link:")) != SIZE_MAX);
}

static void
link_expires_after_an_hour(void **state)
{
	struct scene scene = begin(*state);
	struct text code = make_link(&scene);

	world_stop_clock(scene.world, NOON + HOUR - 1);
	assert_int_equal(find_link(&scene, code), STORE_OK);
	world_stop_clock(scene.world, NOON + HOUR + 1);
	assert_int_equal(find_link(&scene, code), STORE_ABSENT);
	assert_int_equal(become_owner(&scene, &scene.ann, code), STORE_ABSENT);
	assert_owner(&scene, NULL);
}

static void
other_codes_are_absent(void **state)
{
	struct scene scene = begin(*state);
	struct text code = make_link(&scene), last;
	char *forged = text_string(scene.arena, code);
	const char *const others[] = {
		"", ".", "owner", "owner.", "owner.00",
		text_string(scene.arena, text_slice(code, 6, code.size)),
		text_string(scene.arena, text_slice(code, 0, code.size - 1)),
		text_string(
		    scene.arena, text_join(scene.arena, code, TEXT("0"))),
		text_string(
		    scene.arena, text_join(scene.arena, TEXT("0"), code)),
		text_string(
		    scene.arena, text_format(scene.arena, "owner.%064d/", 0)),
		"owner.0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF"
	};
	struct one_time_link link;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_false(one_time_link_parse(
		    scene.arena, text_of(others[i]), &link));
		assert_int_equal(
		    find_link(&scene, text_of(others[i])), STORE_ABSENT);
	}
	last = text_slice(code, code.size - 1, code.size);
	forged[code.size - 1] = text_equal(last, TEXT("0")) ? '1' : '0';
	assert_int_equal(find_link(&scene, text_of(forged)), STORE_ABSENT);
	assert_int_equal(
	    become_owner(&scene, &scene.ann, text_of(forged)), STORE_ABSENT);
	assert_owner(&scene, NULL);
	/* It was not used up. */
	assert_int_equal(become_owner(&scene, &scene.ann, code), STORE_OK);
}

static void
site_with_an_owner_gets_no_other_by_a_link(void **state)
{
	struct scene scene = begin(*state);
	struct text code = make_link(&scene);

	assert_int_equal(
	    user_set_role(scene.store, scene.arena, scene.bob.id, ROLE_OWNER),
	    STORE_OK);
	assert_int_equal(become_owner(&scene, &scene.ann, code), STORE_TAKEN);
	/* As a site has it that was written before owners were counted. */
	world_command(scene.world, TEXT("DEL"), KEY_OWNERS);
	assert_int_equal(become_owner(&scene, &scene.ann, code), STORE_TAKEN);
	assert_owner(&scene, &scene.bob);
	/* A moderator is no owner. */
	assert_int_equal(user_set_role(scene.store, scene.arena, scene.bob.id,
			     ROLE_MODERATOR),
	    STORE_OK);
	assert_int_equal(become_owner(&scene, &scene.ann, code), STORE_OK);
	assert_owner(&scene, &scene.ann);
}

/* Each by a link of its own: who has claimed first, and does not have the role yet. */
static void
of_two_members_at_once_one_becomes_the_owner(void **state)
{
	struct scene scene = begin(*state);
	struct text first = make_link(&scene), second = make_link(&scene);

	assert_int_equal(claim(&scene, &scene.ann, first), STORE_OK);
	assert_int_equal(become_owner(&scene, &scene.bob, first), STORE_TAKEN);
	assert_int_equal(become_owner(&scene, &scene.bob, second), STORE_TAKEN);
	assert_owner(&scene, NULL);
	/* The call is repeated, as after an answer that was lost. */
	assert_int_equal(become_owner(&scene, &scene.ann, first), STORE_OK);
	assert_owner(&scene, &scene.ann);
	assert_int_equal(become_owner(&scene, &scene.bob, second), STORE_TAKEN);
	assert_owner(&scene, &scene.ann);
}

/* The one who has claimed never returns. */
static void
interrupted_claim_ends_after_a_minute(void **state)
{
	struct scene scene = begin(*state);
	struct text first = make_link(&scene), second = make_link(&scene);

	assert_int_equal(claim(&scene, &scene.ann, first), STORE_OK);
	world_stop_clock(scene.world, NOON + MINUTE + 1);
	assert_int_equal(become_owner(&scene, &scene.bob, first), STORE_ABSENT);
	assert_int_equal(become_owner(&scene, &scene.ann, first), STORE_ABSENT);
	assert_int_equal(become_owner(&scene, &scene.bob, second), STORE_OK);
	assert_owner(&scene, &scene.bob);
}

/* Someone else followed the link, and whoever runs the site corrects that at once. */
static void
used_link_is_of_no_use_to_a_former_owner(void **state)
{
	struct scene scene = begin(*state);
	struct text code = make_link(&scene);

	assert_int_equal(become_owner(&scene, &scene.bob, code), STORE_OK);
	assert_int_equal(
	    user_set_role(scene.store, scene.arena, scene.bob.id, ROLE_MEMBER),
	    STORE_OK);
	assert_int_equal(become_owner(&scene, &scene.bob, code), STORE_ABSENT);
	assert_owner(&scene, NULL);
	assert_int_equal(
	    become_owner(&scene, &scene.ann, make_link(&scene)), STORE_OK);
	assert_owner(&scene, &scene.ann);
}

/* Members follow links of their own until the site has an owner; the seed is the id. */
static bool
follow_a_link(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	struct one_time_link link;
	enum store_result result;
	struct text code;
	struct user user;

	(void)number;
	if (user_get(store, arena, *seed, &user) != STORE_OK ||
	    one_time_link_make_owner(store, arena, &code) != STORE_OK ||
	    !one_time_link_parse(arena, code, &link))
		return false;
	result = account_become_owner(store, arena, &user, &link, action);
	return result == STORE_OK || result == STORE_TAKEN;
}

static void
of_many_at_once_one_becomes_the_owner(void **state)
{
	enum { MEMBERS = 4 };
	struct world *world = *state;
	struct concurrent_writer writers[MEMBERS];
	uint64_t *ids;
	size_t count;

	for (int i = 0; i < MEMBERS; i++)
		world_member(world,
		    text_string(&world->arena,
			text_format(&world->arena, "member%d", i)));
	for (unsigned i = 0; i < MEMBERS; i++)
		writers[i] =
		    concurrent_writer_start(world, follow_a_link, i + 1);
	for (int i = 0; i < MEMBERS; i++)
		concurrent_writer_await(&writers[i], 1);
	for (int i = 0; i < MEMBERS; i++)
		concurrent_writer_kill(&writers[i]);
	assert_int_equal(
	    user_owners(&world->store, &world->arena, &ids, &count), STORE_OK);
	assert_int_equal(count, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(link_makes_a_member_the_owner_once),
		world_test(secret_is_not_stored),
		world_test(link_expires_after_an_hour),
		world_test(other_codes_are_absent),
		world_test(site_with_an_owner_gets_no_other_by_a_link),
		world_test(of_two_members_at_once_one_becomes_the_owner),
		world_test(interrupted_claim_ends_after_a_minute),
		world_test(used_link_is_of_no_use_to_a_former_owner),
		world_test(of_many_at_once_one_becomes_the_owner),
	};

	return world_run("one-time links", tests);
}
