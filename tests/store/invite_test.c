/* Invitations, and registering with them. */
#include "store/invite.h"

#include "../support/world.h"
#include "store/account_status.h"
#include "store/function_call.h"
#include "store/keys.h"

#define OK(call) assert_int_equal((call), STORE_OK)

/* The members' first, with one invitation. */
struct scene {
	struct world *world;
	struct store *store;
	struct arena *arena;
	struct user host;
	struct invite invite;
};

static size_t
list(struct scene *scene)
{
	struct invite invites[INVITES_MAX];
	size_t count;

	OK(invite_list(
	    scene->store, scene->arena, scene->host.id, invites, &count));
	if (count > 0)
		scene->invite = invites[0];
	return count;
}

static struct scene
begin(struct world *world)
{
	struct scene scene = {
		.world = world, .store = &world->store, .arena = &world->arena
	};
	uint64_t host = world_member(world, "host");

	world_stop_clock(world, world_now(world));
	OK(user_get(scene.store, scene.arena, host, &scene.host));
	OK(invite_create(scene.store, scene.arena, host));
	assert_int_equal(list(&scene), 1);
	return scene;
}

static enum store_result
join(struct scene *scene, const char *name)
{
	struct user user = { .name = text_of(name) };

	return invite_register(
	    scene->store, scene->arena, &scene->invite, &scene->host, &user);
}

/* The effect of a worker that stops in between. */
static void
run(struct scene *scene, const char *function, const char *token)
{
	struct call call = call_begin(scene->arena, CALL_WRITES, function,
	    key_user(scene->arena, scene->host.id));
	struct text code = scene->invite.code, id;

	text_cut(&code, '.', &id);
	call_add(&call, code, text_of(token), TEXT("60"));
	OK(call_run(&call, scene->store, NULL));
}

static enum store_result
find(struct scene *scene)
{
	struct invite found;
	uint64_t user;

	return invite_find(
	    scene->store, scene->arena, scene->invite.code, &found, &user);
}

static void
invitation_is_valid_once(void **state)
{
	struct scene scene = begin(*state);
	struct user guest;

	OK(join(&scene, "guest"));
	OK(user_find(scene.store, scene.arena, TEXT("guest"), &guest));
	assert_text(guest.invited_by, "host");
	assert_int_equal(list(&scene), 0);
	assert_int_equal(join(&scene, "other"), STORE_ABSENT);
	assert_int_equal(
	    user_find(scene.store, scene.arena, TEXT("other"), &guest),
	    STORE_ABSENT);
}

static void
invitation_stays_valid_when_the_name_is_taken(void **state)
{
	struct scene scene = begin(*state);

	assert_int_equal(join(&scene, "Host"), STORE_TAKEN);
	assert_int_equal(list(&scene), 1);
	OK(join(&scene, "guest"));
}

static void
invitation_stays_valid_when_the_member_cannot_be_created(void **state)
{
	struct scene scene = begin(*state);

	world_command(*state, TEXT("RENAME"), KEY_USERS, TEXT("aside"));
	world_command(*state, TEXT("LPUSH"), KEY_USERS, TEXT("no number"));
	assert_int_equal(join(&scene, "guest"), STORE_DOWN);
	world_command(*state, TEXT("RENAME"), TEXT("aside"), KEY_USERS);
	assert_int_equal(list(&scene), 1);
	OK(join(&scene, "guest"));
}

/* Even if the reservation could not be released. */
static void
reserved_invitation_is_valid_again_after_the_reservation(void **state)
{
	struct scene scene = begin(*state);

	run(&scene, "take_invite_1", "abc");
	assert_int_equal(find(&scene), STORE_ABSENT);
	assert_int_equal(list(&scene), 0);
	assert_int_equal(join(&scene, "guest"), STORE_ABSENT);
	/* The same invitation again. */
	run(&scene, "take_invite_1", "abc");
	world_move_clock(*state, 59);
	assert_int_equal(join(&scene, "guest"), STORE_ABSENT);
	world_move_clock(*state, 1);
	OK(find(&scene));
	assert_int_equal(list(&scene), 1);
	OK(join(&scene, "guest"));
	/* Too late: another registration has reserved it. */
	run(&scene, "return_invite_1", "abc");
	assert_int_equal(list(&scene), 0);
}

static void
only_the_reservations_token_releases_an_invitation(void **state)
{
	struct scene scene = begin(*state);

	run(&scene, "take_invite_1", "abc");
	run(&scene, "return_invite_1", "def");
	assert_int_equal(list(&scene), 0);
	run(&scene, "return_invite_1", "abc");
	run(&scene, "return_invite_1", "abc");
	assert_int_equal(list(&scene), 1);
}

/* The suspension has ended all of the member's invitations. */
static void
invitation_of_a_suspended_host_is_not_released(void **state)
{
	struct scene scene = begin(*state);

	run(&scene, "take_invite_1", "abc");
	OK(account_suspend(scene.store, scene.arena, &scene.host,
	    USER_SUSPENDED_FOREVER,
	    (struct mod_action){ .by = { 9, TEXT("eve") } }));
	run(&scene, "return_invite_1", "abc");
	assert_int_equal(list(&scene), 0);
	assert_int_equal(join(&scene, "guest"), STORE_ABSENT);
}

/* A reserved invitation counts as open. */
static void
open_invitations_are_limited(void **state)
{
	struct scene scene = begin(*state);
	uint64_t host = scene.host.id;

	run(&scene, "take_invite_1", "abc");
	for (int i = 1; i < INVITES_MAX; i++)
		OK(invite_create(scene.store, scene.arena, host));
	assert_int_equal(
	    invite_create(scene.store, scene.arena, host), STORE_FULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(invitation_is_valid_once),
		world_test(invitation_stays_valid_when_the_name_is_taken),
		world_test(
		    invitation_stays_valid_when_the_member_cannot_be_created),
		world_test(
		    reserved_invitation_is_valid_again_after_the_reservation),
		world_test(only_the_reservations_token_releases_an_invitation),
		world_test(invitation_of_a_suspended_host_is_not_released),
		world_test(open_invitations_are_limited),
	};

	return world_run("invite", tests);
}
