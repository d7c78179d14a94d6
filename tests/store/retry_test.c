/*
 * Retries: when the connection is lost after Redis has executed a write and before its
 * reply arrives, the write is sent again, with the same result and the same data as if it
 * had been sent once. The reply to each request of each write is dropped in turn.
 */
#include <stdio.h>

#include "../support/commands.h"
#include "../support/faulty_proxy.h"
#include "../support/world.h"
#include "store/account_status.h"
#include "store/close_account.h"
#include "store/comment.h"
#include "store/flag.h"
#include "store/follows.h"
#include "store/group.h"
#include "store/group_admin.h"
#include "store/hidden.h"
#include "store/inbox.h"
#include "store/invite.h"
#include "store/limit.h"
#include "store/mod_action.h"
#include "store/session.h"
#include "store/settings.h"
#include "store/user.h"
#include "store/vote_void.h"

enum { ANN = 1, BEN, CAT };

#define OLD_HASH HASH("A")
#define NEW_HASH HASH("B")
#define HASH(letter) \
	"$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$" \
	"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" letter

#define ARTICLE article_id(1)
#define COMMENT ((struct post_id){ 1, 1 })

/* The state that each write is tried in. */
struct scene {
	struct world *world;
	struct store *store;
	struct arena *arena;
	struct user ann, ben;
};

typedef enum store_result write_once(struct scene *scene);

static struct mod_action
action_of(const char *what)
{
	return (struct mod_action){ .what = text_of(what),
		.by = { CAT, TEXT("cat") },
		.member = { BEN, TEXT("ben") },
		.reason = TEXT("for a reason") };
}

static enum store_result
create_user(struct scene *scene)
{
	struct user user = { .name = TEXT("dan") };

	return user_create(scene->store, scene->arena, &user);
}

static enum store_result
register_by_invitation(struct scene *scene)
{
	struct user user = { .name = TEXT("dan") };
	struct invite invites[INVITES_MAX];
	size_t count;
	enum store_result result =
	    invite_list(scene->store, scene->arena, ANN, invites, &count);

	return result != STORE_OK ? result
				  : invite_register(scene->store, scene->arena,
					&invites[0], &scene->ann, &user);
}

/* The last invitation that the member may have open. */
static enum store_result
invite(struct scene *scene)
{
	return invite_create(scene->store, scene->arena, BEN);
}

static enum store_result
log_in(struct scene *scene)
{
	struct text cookie;

	return session_start(scene->store, scene->arena, BEN, TEXT(OLD_HASH),
	    &world_no_factor, TEXT("browser"), &cookie);
}

static enum store_result
change_password(struct scene *scene)
{
	return user_set_password(
	    scene->store, scene->arena, BEN, TEXT(OLD_HASH), TEXT(NEW_HASH));
}

static enum store_result
found_group(struct scene *scene)
{
	struct group group = { .name = TEXT("dogs"),
		.title = TEXT("Dogs"),
		.by = { ANN, TEXT("ann") } };

	return group_create(scene->store, scene->arena, &group);
}

/* The article shows what its author has just posted, and says so. */
static enum store_result
post_article(struct scene *scene)
{
	struct article article = { .title = TEXT("Two"),
		.url = TEXT("http://b.example/"),
		.groups = TEXT("tea"),
		.post.author = { ANN, TEXT("ann") } };

	enum store_result result =
	    article_post(scene->store, scene->arena, &article);

	assert_int_equal(article.post.id.article, 3);
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* The page treats one that already exists as posted. */
static enum store_result
post_comment(struct scene *scene)
{
	struct comment comment = { .post.id = { 1, 0 },
		.post.author = { ANN, TEXT("ann") },
		.text = TEXT("So be it") };
	struct comment_posting posting = { .named_count = 0 };
	enum store_result result =
	    comment_post(scene->store, scene->arena, &comment, &posting);

	return result == STORE_TAKEN ? STORE_OK : result;
}

static enum store_result
rewrite(struct scene *scene)
{
	return comment_edit(
	    scene->store, scene->arena, COMMENT, TEXT("Other"), TEXT(""));
}

static enum store_result
edit(struct scene *scene)
{
	return article_edit(scene->store, scene->arena,
	    &(struct article){
		.post.id = article_id(1), .title = TEXT("Uno") });
}

static enum store_result
file(struct scene *scene)
{
	return article_set_groups(
	    scene->store, scene->arena, 1, TEXT("cats"), TEXT("tea"));
}

static enum store_result
vote(struct scene *scene)
{
	return world_cast(scene->store, scene->arena, ARTICLE, CAT, VOTE_DOWN);
}

static enum store_result
vote_on_comment(struct scene *scene)
{
	return world_cast(scene->store, scene->arena, COMMENT, CAT, VOTE_UP);
}

static enum store_result
withdraw(struct scene *scene)
{
	return post_withdraw(scene->store, scene->arena, ARTICLE, ANN);
}

static enum store_result
delete_comment(struct scene *scene)
{
	return post_delete(scene->store, scene->arena, COMMENT, BEN);
}

static enum store_result
put_flag(struct scene *scene)
{
	return flag_set(scene->store, scene->arena, COMMENT, CAT, FLAG_SPAM);
}

static enum store_result
take_flag_back(struct scene *scene)
{
	return flag_set(scene->store, scene->arena, ARTICLE, BEN, FLAG_NONE);
}

static enum store_result
dismiss(struct scene *scene)
{
	struct mod_action action = action_of("dismissed");

	return flag_dismiss(scene->store, scene->arena, ARTICLE, &action);
}

static enum store_result
remove_article(struct scene *scene)
{
	struct mod_action action = action_of("removed");

	return post_remove(scene->store, scene->arena, ARTICLE, &action);
}

static enum store_result
restore(struct scene *scene)
{
	struct mod_action action = action_of("restored");

	return article_restore(scene->store, scene->arena, 2, &action);
}

static enum store_result
close_thread(struct scene *scene)
{
	struct mod_action action = action_of("thread-closed");

	return article_set_thread(
	    scene->store, scene->arena, 1, ARTICLE_THREAD_CLOSED, &action);
}

static enum store_result
void_vote(struct scene *scene)
{
	const struct member ben = { BEN, TEXT("ben") };

	return vote_void_one(scene->store, scene->arena, ARTICLE, &ben,
	    VOIDING_VOID, action_of("voided"));
}

static enum store_result
refuse_host(struct scene *scene)
{
	struct mod_action action = action_of("host-refused");

	return settings_set_host(scene->store, scene->arena,
	    TEXT("bad.example"), HOST_BLOCKED, &action);
}

static enum store_result
set_settings(struct scene *scene)
{
	struct settings settings = settings_default();

	settings.name = TEXT("Here");
	return settings_set(scene->store, scene->arena, &settings);
}

static enum store_result
suspend(struct scene *scene)
{
	return account_suspend(scene->store, scene->arena, &scene->ben,
	    NOON + 86400, action_of(""));
}

static enum store_result
readmit(struct scene *scene)
{
	return account_readmit(
	    scene->store, scene->arena, &scene->ben, action_of(""));
}

static enum store_result
vouch(struct scene *scene)
{
	return account_vouch(
	    scene->store, scene->arena, &scene->ben, action_of(""));
}

static enum store_result
describe_oneself(struct scene *scene)
{
	return user_set_about(
	    scene->store, scene->arena, scene->ben.id, TEXT("I am *Ben*"));
}

static enum store_result
empty_about(struct scene *scene)
{
	return account_empty_about(
	    scene->store, scene->arena, &scene->ben, action_of(""));
}

static enum store_result
appoint(struct scene *scene)
{
	return account_appoint(scene->store, scene->arena, &scene->ben,
	    ROLE_MODERATOR, action_of(""));
}

static enum store_result
retitle_group(struct scene *scene)
{
	return group_retitle(scene->store, scene->arena, TEXT("tea"),
	    TEXT("Teas"), action_of(""));
}

static enum store_result
close_group(struct scene *scene)
{
	return group_close(
	    scene->store, scene->arena, TEXT("tea"), action_of(""));
}

static enum store_result
rename_group(struct scene *scene)
{
	return group_rename(scene->store, scene->arena, TEXT("tea"),
	    TEXT("chai"), action_of(""));
}

static enum store_result
merge_group(struct scene *scene)
{
	return group_merge(scene->store, scene->arena, TEXT("tea"),
	    TEXT("cats"), action_of(""));
}

static enum store_result
delete_group(struct scene *scene)
{
	return group_delete(
	    scene->store, scene->arena, TEXT("tea"), action_of(""));
}

/* Counted twice, but not permanently. */
static enum store_result
count(struct scene *scene)
{
	int64_t wait;

	scene->store->rules.limits[LIMIT_VOTE] = 9;
	return limit_take_member(
	    scene->store, scene->arena, LIMIT_VOTE, BEN, &wait);
}

static enum store_result
mute(struct scene *scene)
{
	return inbox_mute(scene->store, scene->arena, BEN, 1);
}

static enum store_result
hide(struct scene *scene)
{
	const struct hidden_rule what = { .kind = HIDDEN_MEMBER, .id = ANN };

	return hidden_add(scene->store, scene->arena, BEN, &what);
}

static enum store_result
follow(struct scene *scene)
{
	return follows_add(scene->store, scene->arena, BEN, TEXT("go"));
}

static enum store_result
replace_hidden(struct scene *scene)
{
	const struct hidden_rule what = { .kind = HIDDEN_WORDS,
		.name = TEXT("word") };

	return hidden_replace(scene->store, scene->arena, BEN, &what, 1);
}

static enum store_result
close_bens_account(struct scene *scene)
{
	return close_account(scene->store, scene->arena, &scene->ben,
	    CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS);
}

/* Everything except what the site was created with. */
static void
empty(struct world *world)
{
	struct text keys = world_keys(world, "*"), key;

	while (text_next_word(&keys, &key))
		if (!text_equal(key, KEY_SITE))
			world_command(world, TEXT("DEL"), key);
}

static enum store_result
load_dump(struct scene *scene)
{
	struct outcome dump = commands_dump(scene->world), loaded;
	struct world over = *scene->world;

	empty(scene->world);
	over.store = *scene->store;
	loaded = commands_load(&over, dump.out, LOAD_STOP);
	if (loaded.status != 0)
		fail_msg("load: %.*s", TEXT_ARGS(loaded.errors));
	scene->world->arena = over.arena;
	return STORE_OK;
}

#define OK(call) assert_int_equal((call), STORE_OK)

/* An article and a comment, with votes and a flag; an article that was removed; and
 * as many invitations of two members as to tell one more. */
static void
fill(struct world *world)
{
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	struct comment comment = { .post.id = { 1, 0 },
		.post.author = { BEN, TEXT("ben") },
		.text = TEXT("Well") };
	struct comment_posting posting = { .named_count = 0 };

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "ben");
	world_member(world, "cat");
	OK(user_set_password(store, arena, BEN, TEXT(""), TEXT(OLD_HASH)));
	world_group(world, "tea");
	world_group(world, "cats");
	world_post(world, ANN, "One", "http://a.example/", "tea");
	world_post(world, BEN, "Removed", "http://c.example/", "tea");
	world_remove(world, 2);
	OK(comment_post(store, arena, &comment, &posting));
	world_vote(world, 1, BEN, VOTE_UP);
	OK(flag_set(store, arena, ARTICLE, BEN, FLAG_SPAM));
	OK(invite_create(store, arena, ANN));
	for (int i = 0; i < INVITES_MAX - 1; i++)
		OK(invite_create(store, arena, BEN));
	for (int i = 0; i < SESSION_MAX; i++) {
		struct text cookie;

		OK(session_start(store, arena, BEN, TEXT(OLD_HASH),
		    &world_no_factor, TEXT("browser"), &cookie));
	}
	world_stop_clock(world, NOON + 1);
}

/* What is there then, in bytes: what is random is as long as before. */
struct state_after {
	enum store_result result;
	size_t size;
	int64_t actions;
	int requests;
};

static struct state_after
carry_out(write_once *write, int drop_at)
{
	struct world world;
	struct scene scene = { .world = &world };
	struct store store;
	struct state_after outcome;
	struct faulty_proxy proxy;
	struct reply actions;

	world_open(&world, 1);
	world_command(&world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("rdbcompression"), TEXT("no"));
	fill(&world);
	faulty_proxy_open(&proxy,
	    fixture_string(&world.arena, "%s/proxy", world.folder),
	    fixture_string(&world.arena, "%s/redis.sock", world.folder));
	OK(user_get(&world.store, &world.arena, ANN, &scene.ann));
	OK(user_get(&world.store, &world.arena, BEN, &scene.ben));
	store = world.store;
	store.redis =
	    redis_open(text_format(&world.arena, "unix:%s", proxy.path),
		TEXT(""), TEXT(""));
	scene.store = &store;
	scene.arena = &world.arena;
	proxy.drop_at = drop_at;
	outcome.result = write(&scene);
	redis_close(store.redis);
	faulty_proxy_close(&proxy);
	outcome.requests = proxy.requests;
	outcome.size = world_snapshot(&world).size;
	actions = world_command(&world, TEXT("ZCARD"), TEXT("{0.0}log"));
	outcome.actions = actions.number;
	world_close(&world);
	return outcome;
}

static void
check(const char *name, write_once *write)
{
	struct state_after once = carry_out(write, 0);

	if (once.result != STORE_OK)
		fail_msg("%s: %d", name, (int)once.result);
	for (int at = 1; at <= once.requests; at++) {
		struct state_after again = carry_out(write, at);

		if (again.result != STORE_OK || again.actions != once.actions ||
		    again.size != once.size)
			fail_msg("%s, request %d of %d sent again: it answers "
				 "%d; %d actions and not %d; %zu bytes and not "
				 "%zu",
			    name, at, once.requests, (int)again.result,
			    (int)again.actions, (int)once.actions, again.size,
			    once.size);
		assert_true(again.requests > once.requests);
	}
}

#define WRITES(WRITE) \
	WRITE(create_user) \
	WRITE(register_by_invitation) \
	WRITE(invite) \
	WRITE(log_in) \
	WRITE(change_password) \
	WRITE(found_group) \
	WRITE(post_article) \
	WRITE(post_comment) \
	WRITE(rewrite) \
	WRITE(edit) \
	WRITE(file) \
	WRITE(vote) \
	WRITE(vote_on_comment) \
	WRITE(withdraw) \
	WRITE(delete_comment) \
	WRITE(put_flag) \
	WRITE(take_flag_back) \
	WRITE(dismiss) \
	WRITE(remove_article) \
	WRITE(restore) \
	WRITE(close_thread) \
	WRITE(void_vote) \
	WRITE(refuse_host) \
	WRITE(set_settings) \
	WRITE(suspend) \
	WRITE(readmit) \
	WRITE(vouch) \
	WRITE(describe_oneself) \
	WRITE(empty_about) \
	WRITE(appoint) \
	WRITE(retitle_group) \
	WRITE(close_group) \
	WRITE(rename_group) \
	WRITE(merge_group) \
	WRITE(delete_group) \
	WRITE(count) \
	WRITE(mute) \
	WRITE(hide) \
	WRITE(follow) \
	WRITE(replace_hidden) \
	WRITE(close_bens_account) \
	WRITE(load_dump)

#define WRITE_TEST(write) \
	static void write##_sent_again(void **state) \
	{ \
		(void)state; \
		check(#write, write); \
	}
WRITES(WRITE_TEST)

int
main(void)
{
#define WRITE_ROW(write) cmocka_unit_test(write##_sent_again),
	const struct CMUnitTest tests[] = { WRITES(WRITE_ROW) };

	return cmocka_run_group_tests_name("again", tests, NULL, NULL);
}
