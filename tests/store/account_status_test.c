/*
 * The status of accounts: suspensions, vouching and roles, each change logged.
 */
#include "../support/fixture.h"
#include "../support/world.h"
#include "lists/mod_log.h"
#include "store/account_status.h"
#include "store/invite.h"
#include "store/session.h"

enum { DAY = 86400 };

static const struct mod_action action = { .by = { 1, TEXT_INIT("mod") },
	.reason = TEXT_INIT("Why") };

static struct user
begin(struct world *world)
{
	struct user bob = { .name = TEXT("bob") };

	world_stop_clock(world, NOON);
	world_member(world, "mod");
	assert_int_equal(
	    user_create(&world->store, &world->arena, &bob), STORE_OK);
	return bob;
}

static enum store_result
log_in(struct world *world, const struct user *user, struct text *cookie)
{
	return session_start(&world->store, &world->arena, user->id, TEXT(""),
	    &world_no_factor, TEXT("agent"), cookie);
}

static enum store_result
use(struct world *world, struct text cookie)
{
	struct user user;

	return session_find(&world->store, &world->arena, cookie, &user, NULL);
}

static void
suspension_ends_at_its_time(void **state)
{
	struct world *world = *state;
	struct user bob = begin(world);
	struct text cookies[2], late;
	struct mod_log_page log;

	for (int i = 0; i < 2; i++)
		assert_int_equal(log_in(world, &bob, &cookies[i]), STORE_OK);
	assert_int_equal(
	    invite_create(&world->store, &world->arena, bob.id), STORE_OK);
	assert_int_equal(account_suspend(&world->store, &world->arena, &bob,
			     NOON + DAY, action),
	    STORE_OK);
	for (int i = 0; i < 2; i++)
		assert_int_equal(use(world, cookies[i]), STORE_ABSENT);
	assert_int_equal(log_in(world, &bob, &late), STORE_SUSPENDED);
	/* Their invitations are not valid. */
	assert_text(world_keys(world, "{u2}invites"), "");
	bob = world_user(world, bob.id);
	assert_int_equal(bob.suspended, NOON + DAY);
	assert_text(bob.suspension, "Why");
	assert_false(user_is_suspended_forever(&bob));
	log = world_log(world, "");
	assert_int_equal(log.count, 1);
	assert_text(log.actions[0].what, "suspended");
	assert_int_equal(log.actions[0].member.id, bob.id);
	assert_int_equal(log.actions[0].until, NOON + DAY);
	/* The suspension has ended by itself. */
	world_stop_clock(world, NOON + DAY - 1);
	assert_int_equal(log_in(world, &bob, &late), STORE_SUSPENDED);
	world_stop_clock(world, NOON + DAY);
	assert_int_equal(log_in(world, &bob, &late), STORE_OK);
	assert_int_equal(use(world, late), STORE_OK);
	assert_int_equal(use(world, cookies[0]), STORE_ABSENT);
}

static void
permanent_suspension_lasts_until_it_is_lifted(void **state)
{
	struct world *world = *state;
	struct user bob = begin(world);
	struct text cookie;
	struct mod_log_page log;

	assert_int_equal(account_suspend(&world->store, &world->arena, &bob,
			     USER_SUSPENDED_FOREVER, action),
	    STORE_OK);
	bob = world_user(world, bob.id);
	assert_true(user_is_suspended_forever(&bob));
	world_stop_clock(world, NOON + 36500LL * DAY);
	assert_int_equal(log_in(world, &bob, &cookie), STORE_SUSPENDED);
	assert_int_equal(
	    account_readmit(&world->store, &world->arena, &bob, action),
	    STORE_OK);
	assert_int_equal(log_in(world, &bob, &cookie), STORE_OK);
	bob = world_user(world, bob.id);
	assert_int_equal(bob.suspended, 0);
	assert_text(bob.suspension, "");
	log = world_log(world, "");
	assert_int_equal(log.count, 2);
	assert_text(log.actions[0].what, "readmitted");
	assert_text(log.actions[1].what, "suspended");
	assert_int_equal(log.actions[1].until, 0);
}

/* Another suspension, without a reason, replaces the first. */
static void
later_suspension_replaces_the_first(void **state)
{
	struct world *world = *state;
	struct user bob = begin(world);

	assert_int_equal(account_suspend(&world->store, &world->arena, &bob,
			     USER_SUSPENDED_FOREVER, action),
	    STORE_OK);
	assert_int_equal(account_suspend(&world->store, &world->arena, &bob,
			     NOON + 5, (struct mod_action){ .by = action.by }),
	    STORE_OK);
	bob = world_user(world, bob.id);
	assert_int_equal(bob.suspended, NOON + 5);
	assert_text(bob.suspension, "");
}

static void
vouching_makes_a_member_trusted(void **state)
{
	struct world *world = *state;
	struct user bob = begin(world);

	assert_int_equal(bob.trusted, 0);
	assert_int_equal(
	    account_vouch(&world->store, &world->arena, &bob, action),
	    STORE_OK);
	assert_int_equal(world_user(world, bob.id).trusted, NOON);
	assert_text(world_log(world, "").actions[0].what, "vouched");
}

static void
text_about_oneself_is_removed(void **state)
{
	struct world *world = *state;
	struct user bob = begin(world);

	assert_int_equal(user_set_about(&world->store, &world->arena, bob.id,
			     TEXT("I am *Bob*")),
	    STORE_OK);
	assert_text(world_user(world, bob.id).about, "I am *Bob*");
	assert_int_equal(
	    account_empty_about(&world->store, &world->arena, &bob, action),
	    STORE_OK);
	assert_text(world_user(world, bob.id).about, "");
	assert_text(world_log(world, "").actions[0].what, "about-emptied");
}

/* The set has those who are moderators or owners, and nobody else. */
static void
moderators_are_those_with_the_role(void **state)
{
	static const enum role roles[] = { ROLE_MODERATOR, ROLE_OWNER,
		ROLE_MODERATOR, ROLE_MEMBER, ROLE_OWNER, ROLE_MEMBER };
	struct world *world = *state;
	struct user bob = begin(world);
	uint64_t *ids;
	size_t count;

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		assert_int_equal(account_appoint(&world->store, &world->arena,
				     &bob, roles[i], action),
		    STORE_OK);
		assert_int_equal(world_user(world, bob.id).role, roles[i]);
		assert_int_equal(
		    user_moderators(&world->store, &world->arena, &ids, &count),
		    STORE_OK);
		assert_int_equal(count, roles[i] != ROLE_MEMBER);
		if (count > 0)
			assert_int_equal(ids[0], bob.id);
		world_stop_clock(world, NOON + 1 + (int64_t)i);
	}
	assert_int_equal(
	    world_log(world, "").count, sizeof(roles) / sizeof(roles[0]));
	assert_text(world_log(world, "").actions[0].subject, "member");
}

static void
unknown_members_are_absent(void **state)
{
	struct world *world = *state;
	struct user nobody = { .id = 99, .name = TEXT("nobody") };

	begin(world);
	assert_int_equal(account_suspend(&world->store, &world->arena, &nobody,
			     USER_SUSPENDED_FOREVER, action),
	    STORE_ABSENT);
	assert_text(world_keys(world, "{u99}*"), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(suspension_ends_at_its_time),
		world_test(permanent_suspension_lasts_until_it_is_lifted),
		world_test(later_suspension_replaces_the_first),
		world_test(vouching_makes_a_member_trusted),
		world_test(text_about_oneself_is_removed),
		world_test(moderators_are_those_with_the_role),
		world_test(unknown_members_are_absent),
	};

	return world_run("standing", tests);
}
