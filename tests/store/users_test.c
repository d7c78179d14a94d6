/* Members and their sessions. */
#include <string.h>

#include "../support/world.h"
#include "base/crypto.h"
#include "store/function_call.h"
#include "store/keys.h"
#include "store/session.h"
#include "store/site.h"
#include "store/user.h"

enum { DAY = 86400 };

static enum store_result
create(struct world *world, const char *name, struct user *user)
{
	*user = (struct user){ .name = text_of(name),
		.password_hash = TEXT("hash") };
	return user_create(&world->store, &world->arena, user);
}

static enum store_result
find(struct world *world, const char *name, struct user *user)
{
	return user_find(&world->store, &world->arena, text_of(name), user);
}

static void
created_member_is_found(void **state)
{
	struct world *world = *state;
	struct user ann, found;

	world_stop_clock(world, NOON);
	assert_int_equal(create(world, "Ann_B-2", &ann), STORE_OK);
	assert_int_equal(ann.created, NOON);
	assert_int_equal(find(world, "Ann_B-2", &found), STORE_OK);
	assert_int_equal(found.id, ann.id);
	assert_text(found.name, "Ann_B-2");
	assert_text(found.password_hash, "hash");
	assert_int_equal(found.role, ROLE_MEMBER);
	assert_int_equal(found.created, NOON);
	assert_text(world_user(world, ann.id).name, "Ann_B-2");
}

static void
names_are_unique_without_case(void **state)
{
	struct world *world = *state;
	struct user ann, other, found;

	assert_int_equal(create(world, "Ann", &ann), STORE_OK);
	assert_int_equal(find(world, "aNN", &found), STORE_OK);
	assert_int_equal(found.id, ann.id);
	assert_text(found.name, "Ann");
	assert_int_equal(create(world, "ANN", &other), STORE_TAKEN);
	assert_int_equal(create(world, "Ann", &other), STORE_TAKEN);
	/* The id of the later one is unused. */
	assert_int_equal(
	    user_get(&world->store, &world->arena, other.id, &found),
	    STORE_ABSENT);
	assert_int_equal(find(world, "ann", &found), STORE_OK);
	assert_int_equal(found.id, ann.id);
}

static void
unknown_member_is_absent(void **state)
{
	struct world *world = *state;
	struct user found;

	assert_int_equal(find(world, "nobody", &found), STORE_ABSENT);
	assert_int_equal(find(world, "", &found), STORE_ABSENT);
	assert_int_equal(
	    user_get(&world->store, &world->arena, 17, &found), STORE_ABSENT);
}

static void
counter_that_lags_behind_skips_used_ids(void **state)
{
	struct world *world = *state;
	struct user ann, bob, found;

	assert_int_equal(create(world, "ann", &ann), STORE_OK);
	world_command(world, TEXT("SET"), KEY_USERS, TEXT("0"));
	assert_int_equal(create(world, "bob", &bob), STORE_OK);
	assert_int_equal(bob.id, ann.id + 1);
	assert_int_equal(find(world, "ann", &found), STORE_OK);
	assert_text(found.name, "ann");
}

static void
loaded_member_has_the_given_time_and_role(void **state)
{
	struct world *world = *state;
	struct user user = { .name = TEXT("ann"),
		.role = ROLE_MODERATOR,
		.created = 1234567890 };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
	assert_int_equal(find(world, "ann", &user), STORE_OK);
	assert_int_equal(user.role, ROLE_MODERATOR);
	assert_int_equal(user.created, 1234567890);
	assert_text(user.password_hash, "");
}

static void
role_is_set(void **state)
{
	struct world *world = *state;
	struct text cookie;
	struct user ann, found;

	assert_int_equal(create(world, "ann", &ann), STORE_OK);
	assert_int_equal(
	    session_start(&world->store, &world->arena, ann.id,
		ann.password_hash, &world_no_factor, TEXT(""), &cookie),
	    STORE_OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(user_set_role(&world->store, &world->arena,
				     ann.id, ROLE_MODERATOR),
		    STORE_OK);
		assert_int_equal(session_find(&world->store, &world->arena,
				     cookie, &found, NULL),
		    STORE_OK);
		assert_int_equal(found.role, ROLE_MODERATOR);
	}
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, ann.id, ROLE_MEMBER),
	    STORE_OK);
	assert_int_equal(find(world, "ann", &found), STORE_OK);
	assert_int_equal(found.role, ROLE_MEMBER);
}

/* As on a site from before moderators were listed. */
static void
moderators_are_listed_afterwards(void **state)
{
	struct world *world = *state;
	struct user ann, bob;
	uint64_t *ids;
	size_t count;

	assert_int_equal(create(world, "ann", &ann), STORE_OK);
	assert_int_equal(create(world, "bob", &bob), STORE_OK);
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, bob.id, ROLE_MODERATOR),
	    STORE_OK);
	world_command(world, TEXT("DEL"), KEY_MODERATORS);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    user_index_moderators(&world->store), STORE_OK);
		assert_int_equal(
		    user_moderators(&world->store, &world->arena, &ids, &count),
		    STORE_OK);
		assert_int_equal(count, 1);
		assert_int_equal(ids[0], bob.id);
	}
}

/* Without any, a start does not read all members each time: a role written without the
 * list is not found. */
static void
moderators_are_indexed_once(void **state)
{
	struct world *world = *state;
	struct user ann;
	uint64_t *ids;
	size_t count;

	assert_int_equal(create(world, "ann", &ann), STORE_OK);
	assert_int_equal(user_index_moderators(&world->store), STORE_OK);
	world_command(world, TEXT("HSET"), key_user(&world->arena, ann.id),
	    TEXT("role"), role_words[ROLE_MODERATOR]);
	assert_int_equal(user_index_moderators(&world->store), STORE_OK);
	assert_int_equal(
	    user_moderators(&world->store, &world->arena, &ids, &count),
	    STORE_OK);
	assert_int_equal(count, 0);
}

static void
roles_have_words(void **state)
{
	enum role role;

	(void)state;
	assert_true(role_parse(role_words[ROLE_MODERATOR], &role));
	assert_int_equal(role, ROLE_MODERATOR);
	assert_true(role_parse(TEXT("member"), &role));
	assert_int_equal(role, ROLE_MEMBER);
	assert_false(role_parse(TEXT("Member"), &role));
	assert_false(role_parse(TEXT(""), &role));
}

/* A member with a session. */
struct signed_in {
	struct world *world;
	struct user user;
	struct text cookie;
};

static struct text
start(struct signed_in *who)
{
	struct text cookie;

	assert_int_equal(
	    session_start(&who->world->store, &who->world->arena, who->user.id,
		who->user.password_hash, &world_no_factor,
		TEXT("A browser, with words"), &cookie),
	    STORE_OK);
	return cookie;
}

static struct signed_in
sign_in(struct world *world)
{
	struct signed_in who = { .world = world };

	world_stop_clock(world, NOON);
	assert_int_equal(create(world, "Ann", &who.user), STORE_OK);
	who.cookie = start(&who);
	return who;
}

static enum store_result
look(struct signed_in *who, struct text cookie)
{
	struct user found;
	enum store_result result = session_find(
	    &who->world->store, &who->world->arena, cookie, &found, NULL);

	if (result == STORE_OK)
		assert_int_equal(found.id, who->user.id);
	return result;
}

/* The token of a cookie's session, as a connection makes it. */
static struct text
token_of(struct signed_in *who, const struct store *store, struct text cookie)
{
	struct text token;

	assert_int_equal(
	    session_token_of(store, &who->world->arena, cookie, &token),
	    STORE_OK);
	return token;
}

static void
session_is_found_by_its_cookie(void **state)
{
	struct signed_in who = sign_in(*state);
	const struct store *store = &who.world->store;
	struct text token = token_of(&who, store, who.cookie);
	struct user found;

	assert_int_equal(session_find(&who.world->store, &who.world->arena,
			     who.cookie, &found, NULL),
	    STORE_OK);
	assert_int_equal(found.id, who.user.id);
	assert_text(found.name, "Ann");
	assert_int_equal(found.role, ROLE_MEMBER);
	assert_int_equal(token.size, 64);
	/* With another member's id it is another token: with this one, one could act on
	 * that member's limits. */
	assert_false(text_equal(token,
	    token_of(&who, store,
		text_join(&who.world->arena, TEXT("9"), who.cookie))));
	/* Another session of the same member has another token. */
	assert_false(text_equal(token, token_of(&who, store, start(&who))));
}

static void
token_is_the_same_on_every_connection(void **state)
{
	struct signed_in who = sign_in(*state);
	struct store other = world_connect(who.world);
	struct text why;

	/* As a new process has it: the secret comes from the site. */
	other.secret = TEXT("");
	assert_int_equal(site_open(&other, &who.world->arena, &why), STORE_OK);
	assert_true(text_equal(token_of(&who, &who.world->store, who.cookie),
	    token_of(&who, &other, who.cookie)));
	redis_close(other.redis);
}

static void
redis_holds_only_a_hash_of_the_secret(void **state)
{
	struct signed_in who = sign_in(*state);
	struct text secret = who.cookie, id, all;
	struct reply fields;

	text_cut(&secret, '.', &id);
	assert_int_equal(secret.size, 64);
	all = world_snapshot(who.world);
	assert_null(memmem(all.data, all.size, secret.data, secret.size));
	fields = world_command(who.world, TEXT("HGETALL"),
	    key_sessions(&who.world->arena, who.user.id));
	assert_int_equal(fields.count, 2);
	assert_true(text_equal(fields.items[0].text,
	    crypto_digest_hex(&who.world->arena, TEXT(""), secret)));
	assert_text(fields.items[1].text,
	    "1700000000 1700000000 A browser, with words");
}

static void
wrong_cookies_have_no_session(void **state)
{
	struct signed_in who = sign_in(*state);
	struct arena *arena = &who.world->arena;
	struct text secret = who.cookie, id;
	struct user bob;

	assert_int_equal(create(who.world, "bob", &bob), STORE_OK);
	text_cut(&secret, '.', &id);
	const struct text cookies[] = { TEXT(""), TEXT("."), TEXT("1"),
		TEXT("1."), secret, id, text_join(arena, TEXT("."), secret),
		text_format(arena, "0.%.*s", TEXT_ARGS(secret)),
		/* Of another member, and of nobody. */
		text_format(arena, "%d.%.*s", (int)bob.id, TEXT_ARGS(secret)),
		text_format(arena, "99.%.*s", TEXT_ARGS(secret)),
		text_format(arena, "-1.%.*s", TEXT_ARGS(secret)),
		text_format(
		    arena, "99999999999999999999.%.*s", TEXT_ARGS(secret)),
		text_slice(who.cookie, 0, who.cookie.size - 1),
		text_join(arena, who.cookie, TEXT("0")),
		/* The hash, as Redis holds it. */
		text_format(arena, "%.*s.%.*s", TEXT_ARGS(id),
		    TEXT_ARGS(crypto_digest_hex(arena, TEXT(""), secret))) };

	for (size_t i = 0; i < sizeof(cookies) / sizeof(cookies[0]); i++) {
		assert_int_equal(look(&who, cookies[i]), STORE_ABSENT);
		assert_int_equal(
		    session_end(&who.world->store, arena, cookies[i]),
		    STORE_OK);
	}
	assert_int_equal(look(&who, who.cookie), STORE_OK);
}

static void
one_session_ends_and_others_continue(void **state)
{
	struct signed_in who = sign_in(*state);
	struct text other = start(&who);

	for (int i = 0; i < 2; i++) {
		assert_int_equal(session_end(&who.world->store,
				     &who.world->arena, who.cookie),
		    STORE_OK);
		assert_int_equal(look(&who, who.cookie), STORE_ABSENT);
		assert_int_equal(look(&who, other), STORE_OK);
	}
}

static void
session_ends_by_its_own_age(void **state)
{
	struct signed_in who = sign_in(*state);
	struct text younger;

	world_stop_clock(who.world, NOON + 20 * DAY);
	younger = start(&who);
	world_stop_clock(who.world, NOON + 30 * DAY - 1);
	assert_int_equal(look(&who, who.cookie), STORE_OK);
	world_stop_clock(who.world, NOON + 30 * DAY);
	assert_int_equal(look(&who, who.cookie), STORE_ABSENT);
	assert_int_equal(look(&who, younger), STORE_OK);
	world_stop_clock(who.world, NOON + 50 * DAY - 1);
	assert_int_equal(look(&who, younger), STORE_OK);
	world_stop_clock(who.world, NOON + 50 * DAY);
	assert_int_equal(look(&who, younger), STORE_ABSENT);
	world_stop_clock(who.world, NOON + 50 * DAY + 1);
	assert_text(world_keys(who.world, "{*}sessions"), "");
}

static void
new_password_ends_all_sessions(void **state)
{
	struct signed_in who = sign_in(*state);
	struct text other = start(&who);
	struct user found;

	assert_int_equal(user_set_password(&who.world->store, &who.world->arena,
			     who.user.id, TEXT("hash"), TEXT("new")),
	    STORE_OK);
	who.user.password_hash = TEXT("new");
	assert_int_equal(look(&who, who.cookie), STORE_ABSENT);
	assert_int_equal(look(&who, other), STORE_ABSENT);
	assert_int_equal(find(who.world, "ann", &found), STORE_OK);
	assert_text(found.password_hash, "new");
	assert_text(found.name, "Ann");
	assert_int_equal(look(&who, start(&who)), STORE_OK);
}

static void
password_changes_only_from_the_one_that_was_read(void **state)
{
	struct signed_in who = sign_in(*state);
	struct user found;

	assert_int_equal(user_set_password(&who.world->store, &who.world->arena,
			     who.user.id, TEXT("another"), TEXT("new")),
	    STORE_TAKEN);
	assert_int_equal(look(&who, who.cookie), STORE_OK);
	assert_int_equal(find(who.world, "ann", &found), STORE_OK);
	assert_text(found.password_hash, "hash");
	assert_int_equal(user_set_password(&who.world->store, &who.world->arena,
			     99, TEXT(""), TEXT("new")),
	    STORE_ABSENT);
	assert_int_equal(user_set_password(&who.world->store, &who.world->arena,
			     who.user.id, TEXT(""), TEXT("new")),
	    STORE_OK);
}

/* The log-in began before the password was changed. */
static void
no_session_starts_with_an_old_password(void **state)
{
	struct signed_in who = sign_in(*state);
	struct text cookie;

	assert_int_equal(user_set_password(&who.world->store, &who.world->arena,
			     who.user.id, TEXT("hash"), TEXT("new")),
	    STORE_OK);
	assert_int_equal(
	    session_start(&who.world->store, &who.world->arena, who.user.id,
		TEXT("hash"), &world_no_factor, TEXT(""), &cookie),
	    STORE_ABSENT);
	assert_text(world_keys(who.world, "{*}sessions"), "");
}

static void
sessions_work_while_redis_is_full(void **state)
{
	struct signed_in who = sign_in(*state);
	struct text maxmemory = TEXT("maxmemory");

	world_stop_clock(who.world, NOON + DAY);
	world_command(
	    who.world, TEXT("CONFIG"), TEXT("SET"), maxmemory, TEXT("1"));
	assert_int_equal(look(&who, who.cookie), STORE_OK);
	assert_int_equal(
	    session_end(&who.world->store, &who.world->arena, who.cookie),
	    STORE_OK);
	assert_int_equal(look(&who, who.cookie), STORE_ABSENT);
	world_command(
	    who.world, TEXT("CONFIG"), TEXT("SET"), maxmemory, TEXT("0"));
}

static void
setting_the_clock_back_extends_no_session(void **state)
{
	struct signed_in who = sign_in(*state);
	struct text ahead;
	int64_t idle = who.world->store.rules.session_idle;
	int64_t age = who.world->store.rules.session_seconds;

	world_stop_clock(who.world, NOON + 1000 * DAY);
	ahead = start(&who);
	world_stop_clock(who.world, NOON);
	assert_int_equal(look(&who, ahead), STORE_OK);
	world_stop_clock(who.world, NOON + idle);
	assert_int_equal(look(&who, ahead), STORE_ABSENT);

	world_stop_clock(who.world, NOON + 1000 * DAY);
	ahead = start(&who);
	for (int64_t past = 0; past < age; past += idle / 2) {
		world_stop_clock(who.world, NOON + past);
		assert_int_equal(look(&who, ahead), STORE_OK);
	}
	world_stop_clock(who.world, NOON + age);
	assert_int_equal(look(&who, ahead), STORE_ABSENT);
}

static void
user_agent_is_cut_between_characters(void **state)
{
	struct signed_in who = sign_in(*state);
	char agent[301];
	struct text cookie;
	struct reply values;

	/* 301 bytes of which the 200th is inside a character. */
	for (size_t i = 0; i < sizeof(agent) - 1; i += 2)
		memcpy(agent + 1 + i, "é", 2);
	agent[0] = 'a';
	assert_int_equal(
	    session_start(&who.world->store, &who.world->arena, who.user.id,
		who.user.password_hash, &world_no_factor,
		(struct text){ agent, sizeof(agent) }, &cookie),
	    STORE_OK);
	assert_int_equal(
	    session_end(&who.world->store, &who.world->arena, who.cookie),
	    STORE_OK);
	values = world_command(who.world, TEXT("HVALS"),
	    key_sessions(&who.world->arena, who.user.id));
	assert_int_equal(values.items[0].text.size, 22 + 199);
}

static void
long_user_agent_is_cut(void **state)
{
	struct signed_in who = sign_in(*state);
	char agent[5000];
	struct reply values;
	struct text cookie;

	memset(agent, 'a', sizeof(agent));
	assert_int_equal(
	    session_start(&who.world->store, &who.world->arena, who.user.id,
		who.user.password_hash, &world_no_factor,
		(struct text){ agent, sizeof(agent) }, &cookie),
	    STORE_OK);
	assert_int_equal(look(&who, cookie), STORE_OK);
	values = world_command(who.world, TEXT("HVALS"),
	    key_sessions(&who.world->arena, who.user.id));
	for (size_t i = 0; i < values.count; i++)
		assert_in_range(values.items[i].text.size, 1, 250);
}

static void
karma_of_a_member_without_posts_is_0(void **state)
{
	assert_int_equal(world_karma(*state, 17), 0);
}

/* The site keeps the number that it was created with, and whatever vote score is asked for:
 * that changes while it runs (store/pace.h). */
static void
site_refuses_a_changed_number_of_buckets(void **state)
{
	struct world *world = *state;
	struct store other = world_connect(world);
	struct text before = world_snapshot(world), why = TEXT("");

	other.rules.buckets++;
	assert_int_equal(
	    site_open(&other, &world->arena, &why), STORE_MISMATCH);
	assert_non_null(memmem(why.data, why.size, "TALLY_BUCKETS", 13));
	other.rules = world->store.rules;
	other.rules.vote_score = 100;
	other.rules.buckets = 0;
	assert_int_equal(site_open(&other, &world->arena, &why), STORE_OK);
	assert_int_equal(other.rules.buckets, world->store.buckets.count);
	assert_int_equal(other.rules.vote_score, 432);
	assert_true(text_equal(other.secret, world->store.secret));
	assert_unchanged(world, before);

	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("version"), TEXT("99"));
	assert_int_equal(
	    site_open(&other, &world->arena, &why), STORE_MISMATCH);
	assert_non_null(memmem(why.data, why.size, "99", 2));
	redis_close(other.redis);
}

/* Each has read that there are two, but the other may be a moderator by now. */
static void
of_two_owners_who_step_down_at_once_one_stays(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	uint64_t ann = world_member(world, "ann"),
		 bob = world_member(world, "bob");
	struct call call =
	    call_begin(arena, CALL_WRITES, "step_down_1", KEY_OWNERS);

	/* As on a site from before owners were counted. */
	assert_int_equal(
	    user_set_role(store, arena, ann, ROLE_OWNER), STORE_OK);
	assert_int_equal(
	    user_set_role(store, arena, bob, ROLE_OWNER), STORE_OK);
	world_command(world, TEXT("DEL"), KEY_OWNERS);
	assert_int_equal(user_step_down(store, arena, ann), STORE_OK);
	assert_int_equal(
	    user_set_role(store, arena, ann, ROLE_MODERATOR), STORE_OK);
	call_add(&call, text_number(arena, (int64_t)bob),
	    text_number(arena, (int64_t)ann), text_number(arena, (int64_t)bob));
	assert_int_equal(call_run(&call, store, NULL), STORE_LAST_OWNER);
	assert_int_equal(user_step_down(store, arena, bob), STORE_LAST_OWNER);
	/* It was interrupted, and is repeated. */
	assert_int_equal(user_step_down(store, arena, ann), STORE_OK);
	assert_int_equal(
	    user_set_role(store, arena, ann, ROLE_OWNER), STORE_OK);
	assert_int_equal(user_step_down(store, arena, bob), STORE_OK);
	assert_int_equal(user_step_down(store, arena, ann), STORE_LAST_OWNER);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(created_member_is_found),
		world_test(names_are_unique_without_case),
		world_test(unknown_member_is_absent),
		world_test(counter_that_lags_behind_skips_used_ids),
		world_test(loaded_member_has_the_given_time_and_role),
		world_test(role_is_set),
		world_test(moderators_are_listed_afterwards),
		world_test(moderators_are_indexed_once),
		world_test(roles_have_words),
		world_test(session_is_found_by_its_cookie),
		world_test(token_is_the_same_on_every_connection),
		world_test(redis_holds_only_a_hash_of_the_secret),
		world_test(wrong_cookies_have_no_session),
		world_test(one_session_ends_and_others_continue),
		world_test(session_ends_by_its_own_age),
		world_test(new_password_ends_all_sessions),
		world_test(password_changes_only_from_the_one_that_was_read),
		world_test(no_session_starts_with_an_old_password),
		world_test(sessions_work_while_redis_is_full),
		world_test(setting_the_clock_back_extends_no_session),
		world_test(user_agent_is_cut_between_characters),
		world_test(long_user_agent_is_cut),
		world_test(karma_of_a_member_without_posts_is_0),
		world_test(site_refuses_a_changed_number_of_buckets),
		world_test(of_two_owners_who_step_down_at_once_one_stays),
	};

	return world_run("users", tests);
}
