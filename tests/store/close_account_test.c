/*
 * Closing an account: nobody can log in, votes stay, and the name and texts are erased
 * from all keys if requested; interrupted, and repeated.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/commands.h"
#include "../support/invariants.h"
#include "store/close_account.h"
#include "store/comment.h"
#include "store/containment.h"
#include "store/group.h"
#include "store/group_admin.h"
#include "store/invite.h"
#include "store/session.h"

/* A word that occurs nowhere else in Redis. */
#define NAME   "zacharias"
#define SECRET "xylophone"

/*
 * Zacharias has articles in every state, was moderator and was moderated, has founded
 * groups, invited a member and was invited.
 */
struct scene {
	struct world *world;
	struct member zed, mod;
	uint64_t ann, inviter, guest, open, removed, withdrawn, restored,
	    others;
	struct text cookie;
};

static void
remove_by(const struct scene *scene, uint64_t article, struct member author,
    struct member by)
{
	const struct mod_action action = { .what =
					       mod_action_words[MOD_REMOVED],
		.by = by,
		.article = article,
		.member = author,
		.reason = TEXT("why") };

	assert_int_equal(post_remove(&scene->world->store, &scene->world->arena,
			     article_id(article), &action),
	    STORE_OK);
}

static void
restore(const struct scene *scene, uint64_t article)
{
	assert_int_equal(article_restore(&scene->world->store,
			     &scene->world->arena, article, &world_restoring),
	    STORE_OK);
}

static uint64_t
text_by_zed(const struct scene *scene, int number)
{
	struct article article = { .title = TEXT(SECRET),
		.text = text_format(&scene->world->arena, SECRET " %d", number),
		.groups = TEXT("chess"),
		.post.author = scene->zed };

	world_choose_bucket(scene->world, &article);
	assert_int_equal(
	    article_post(&scene->world->store, &scene->world->arena, &article),
	    STORE_OK);
	return article.post.id.article;
}

static void
create_groups(const struct scene *scene)
{
	static const char *const names[] = { "chess", "rook", "pawn" };
	struct store *store = &scene->world->store;
	struct arena *arena = &scene->world->arena;
	const struct mod_action action = { .by = scene->zed };

	for (size_t i = 0; i < 3; i++) {
		struct group group = { .name = text_of(names[i]),
			.title = TEXT("T"),
			.by = scene->zed };

		assert_int_equal(group_create(store, arena, &group), STORE_OK);
	}
	assert_int_equal(
	    group_rename(store, arena, TEXT("rook"), TEXT("tower"), action),
	    STORE_OK);
	assert_int_equal(
	    group_merge(store, arena, TEXT("pawn"), TEXT("tower"), action),
	    STORE_OK);
}

static void
act_and_be_acted_on(struct scene *scene)
{
	struct world *world = scene->world;
	struct mod_action action = { .what = mod_action_words[MOD_VOUCHED],
		.by = scene->mod,
		.member = scene->zed };

	assert_int_equal(
	    mod_action_note(&world->store, &world->arena, &action), STORE_OK);
	scene->open = text_by_zed(scene, 1);
	scene->removed = text_by_zed(scene, 2);
	remove_by(scene, scene->removed, scene->zed, scene->mod);
	scene->withdrawn = text_by_zed(scene, 3);
	assert_int_equal(post_withdraw(&world->store, &world->arena,
			     article_id(scene->withdrawn), scene->zed.id),
	    STORE_OK);
	/* By him, and then by another. */
	scene->others =
	    world_post(world, scene->ann, "Another", "http://a.example/", "");
	remove_by(scene, scene->others,
	    (struct member){ scene->ann, TEXT("ann") }, scene->zed);
	restore(scene, scene->others);
	remove_by(scene, scene->others,
	    (struct member){ scene->ann, TEXT("ann") }, scene->mod);
	/* By him, and back again; and by him. */
	scene->restored =
	    world_post(world, scene->ann, "Back", "http://b.example/", "");
	remove_by(scene, scene->restored,
	    (struct member){ scene->ann, TEXT("ann") }, scene->zed);
	restore(scene, scene->restored);
	world_vote(world, scene->restored, scene->zed.id, VOTE_UP);
	remove_by(scene,
	    world_post(world, scene->ann, "Gone", "http://c.example/", ""),
	    (struct member){ scene->ann, TEXT("ann") }, scene->zed);
}

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	struct user zed = { .name = TEXT(NAME),
		.password_hash = TEXT("hash"),
		.role = ROLE_MODERATOR,
		.invited_by = TEXT("inviter") };
	struct user guest = { .name = TEXT("guest"), .invited_by = TEXT(NAME) };

	world_stop_clock(world, NOON);
	scene.ann = world_member(world, "ann");
	scene.mod = (struct member){ world_member(world, "mod"), TEXT("mod") };
	scene.inviter = world_member(world, "inviter");
	assert_int_equal(user_create(store, arena, &zed), STORE_OK);
	assert_int_equal(
	    invite_note(store, arena, scene.inviter, zed.name), STORE_OK);
	assert_int_equal(user_create(store, arena, &guest), STORE_OK);
	assert_int_equal(
	    invite_note(store, arena, zed.id, guest.name), STORE_OK);
	assert_int_equal(invite_create(store, arena, zed.id), STORE_OK);
	assert_int_equal(
	    user_set_about(store, arena, zed.id, TEXT("I am " SECRET)),
	    STORE_OK);
	scene.guest = guest.id;
	scene.zed = (struct member){ zed.id, zed.name };
	assert_int_equal(session_start(store, arena, zed.id, TEXT("hash"),
			     &world_no_factor, TEXT("agent"), &scene.cookie),
	    STORE_OK);
	create_groups(&scene);
	act_and_be_acted_on(&scene);
	return scene;
}

static enum store_result
close_account_of(const struct scene *scene, const char *name, unsigned goes)
{
	struct user user;

	assert_int_equal(user_find(&scene->world->store, &scene->world->arena,
			     text_of(name), &user),
	    STORE_OK);
	return close_account(
	    &scene->world->store, &scene->world->arena, &user, goes);
}

/* In the names and values of keys; a snapshot does not include the log. */
static bool
redis_has(const struct scene *scene, const char *string)
{
	struct world *world = scene->world;
	struct text all = text_lower(&world->arena, world_snapshot(world));
	struct text keys = world_keys(world, "{*}act:*"), key;

	if (text_find(all, 0, text_of(string)) != SIZE_MAX ||
	    text_find(text_lower(&world->arena, world_keys(world, "*")), 0,
		text_of(string)) != SIZE_MAX)
		return true;
	while (text_next_word(&keys, &key)) {
		struct reply action = world_command(world, TEXT("HVALS"), key);

		for (size_t i = 0; i < action.count; i++)
			if (text_find(reply_text(reply_item(&action, i)), 0,
				text_of(string)) != SIZE_MAX)
				return true;
	}
	return false;
}

static void
check_closed(const struct scene *scene, const char *name)
{
	struct world *world = scene->world;
	struct reply is_moderator;
	struct text cookie;
	struct user user;

	assert_int_equal(
	    user_find(&world->store, &world->arena, text_of(name), &user),
	    STORE_OK);
	assert_int_equal(user.id, scene->zed.id);
	assert_text(user.name, name);
	assert_text(user.password_hash, "");
	assert_int_equal(user.closed, NOON);
	assert_int_equal(user.role, ROLE_MEMBER);
	assert_text(user.about, "");
	assert_int_equal(
	    user_set_about(&world->store, &world->arena, user.id, TEXT("Late")),
	    STORE_ABSENT);
	assert_int_equal(session_find(&world->store, &world->arena,
			     scene->cookie, &user, NULL),
	    STORE_ABSENT);
	assert_int_equal(
	    session_start(&world->store, &world->arena, scene->zed.id,
		TEXT("hash"), &world_no_factor, TEXT(""), &cookie),
	    STORE_ABSENT);
	assert_same(
	    world_keys(world,
		fixture_string(&world->arena, "{u%d}*", (int)scene->zed.id)),
	    key_user(&world->arena, scene->zed.id));
	is_moderator = world_command(world, TEXT("SISMEMBER"), KEY_MODERATORS,
	    text_number(&world->arena, (int64_t)scene->zed.id));
	assert_int_equal(reply_number(&is_moderator), 0);
}

static void
check_site(const struct scene *scene)
{
	struct outcome outcome = commands_check(scene->world);

	if (outcome.status != 0)
		fail_msg("%.*s", TEXT_ARGS(outcome.out));
	/* The vote is there. */
	assert_int_equal(
	    world_article(scene->world, scene->restored, scene->zed.id)
		.post.vote,
	    VOTE_UP);
	invariants_check(scene->world);
}

static void
name_and_texts_stay_by_default(void **state)
{
	struct scene scene = begin(*state);

	assert_true(redis_has(&scene, NAME));
	assert_true(redis_has(&scene, SECRET));
	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_NOTHING),
	    STORE_OK);
	check_closed(&scene, NAME);
	assert_text(world_article(*state, scene.open, 0).title, SECRET);
	assert_text(
	    world_article(*state, scene.open, 0).post.author.name, NAME);
	check_site(&scene);
}

static void
texts_are_erased(void **state)
{
	struct scene scene = begin(*state);
	struct article article;

	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	check_closed(&scene, NAME);
	assert_false(redis_has(&scene, SECRET));
	article = world_article(*state, scene.open, 0);
	assert_text(article.title, "(deleted)");
	assert_int_equal(article.post.removed, NOON);
	assert_true(post_is_withdrawn(&article.post));
	assert_text(article.post.author.name, NAME);
	/* Removals by moderators stay removals by moderators. */
	article = world_article(*state, scene.removed, 0);
	assert_text(article.post.removed_by.name, "mod");
	check_site(&scene);
}

static void
check_names(const struct scene *scene, const char *name)
{
	struct world *world = scene->world;
	struct article article;
	struct group group;
	struct user user;

	assert_text(
	    world_article(world, scene->open, 0).post.author.name, name);
	assert_text(
	    world_article(world, scene->removed, 0).post.author.name, name);
	article = world_article(world, scene->withdrawn, 0);
	assert_text(article.post.author.name, name);
	assert_text(article.post.removed_by.name, name);
	assert_text(
	    world_article(world, scene->others, 0).post.removed_by.name, "mod");
	assert_text(
	    world_article(world, scene->restored, 0).post.removed_by.name, "");
	assert_int_equal(
	    group_get(&world->store, &world->arena, TEXT("chess"), &group),
	    STORE_OK);
	assert_text(group.by.name, name);
	assert_text(world_user(world, scene->inviter).invited, name);
	user = world_user(world, scene->guest);
	assert_text(user.invited_by, name);
}

/*
 * Fills every missing field of a hash's schema, except the removal, and one field that
 * no schema has. Fields to be erased contain the secret.
 */
static void
fill(struct world *world, struct text key, const struct schema *schema)
{
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *field = &schema->fields[i];
		struct text name = text_of(field->name);
		bool keeps = schema_keeps(schema, name);

		if (field->extent >= SCHEMA_BRIEF &&
		    !text_starts(name, TEXT("removed")))
			world_command(world,
			    keeps ? TEXT("HSETNX") : TEXT("HSET"), key, name,
			    keeps ? TEXT("1") : TEXT(SECRET));
	}
	world_command(
	    world, TEXT("HSET"), key, TEXT("forgotten"), TEXT(SECRET));
}

/* All other fields exist; an erased one is absent or "(deleted)". Withdrawing also
 * erases the moderator's note, and closing the account the second factor as a whole. */
static void
check_erased(struct world *world, struct text key, const struct schema *schema,
    const struct reply *before)
{
	for (size_t i = 0; i < before->count; i++) {
		struct text name = reply_text(reply_item(before, i));
		struct reply value =
		    world_command(world, TEXT("HGET"), key, name);
		struct text is = reply_text(&value);
		bool is_there = value.kind != REPLY_NIL;
		bool is_erased = !is_there || text_equal(is, TEXT("(deleted)"));

		if (text_starts(name, TEXT("factor")))
			assert_false(is_there);
		else if (!text_equal(name, TEXT("ruling")) &&
		    !(schema_keeps(schema, name) ? is_there : is_erased))
			fail_msg("%.*s of %.*s is \"%.*s\"", TEXT_ARGS(name),
			    TEXT_ARGS(key), TEXT_ARGS(is));
	}
}

static void
fields_that_the_schema_does_not_keep_are_erased(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;
	const struct buckets *buckets = &world->store.buckets;
	const struct {
		struct text key;
		const struct schema *schema;
	} rows[] = { { key_post(&world->arena, buckets, article_id(scene.open)),
			 &article_schema },
		{ key_post(&world->arena, buckets,
		      (struct post_id){ scene.open, 1 }),
		    &comment_schema },
		{ key_user(&world->arena, scene.zed.id), &user_schema } };
	struct reply before[sizeof(rows) / sizeof(rows[0])];
	size_t count = sizeof(rows) / sizeof(rows[0]);

	world_comment(world, article_id(scene.open), scene.zed.id, SECRET);
	for (size_t i = 0; i < count; i++) {
		fill(world, rows[i].key, rows[i].schema);
		before[i] = world_command(world, TEXT("HKEYS"), rows[i].key);
		assert_true(before[i].count > 6);
	}
	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	for (size_t i = 0; i < count; i++)
		check_erased(world, rows[i].key, rows[i].schema, &before[i]);
	assert_false(redis_has(&scene, SECRET));
}

/* Neither the name nor a text is left anywhere. */
static void
check_nothing_is_left(struct scene *scene)
{
	check_closed(scene, "closed-4");
	assert_false(redis_has(scene, NAME));
	assert_false(redis_has(scene, SECRET));
	check_names(scene, "closed-4");
	check_site(scene);
}

static void
name_is_erased(void **state)
{
	struct scene scene = begin(*state);
	struct user user, again = { .name = TEXT(NAME) };

	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_NAME), STORE_OK);
	check_closed(&scene, "closed-4");
	assert_false(redis_has(&scene, NAME));
	check_names(&scene, "closed-4");
	assert_text(world_article(*state, scene.open, 0).title, SECRET);
	check_site(&scene);
	/* Now anybody can take it. */
	assert_int_equal(user_find(&scene.world->store, &scene.world->arena,
			     TEXT(NAME), &user),
	    STORE_ABSENT);
	assert_int_equal(
	    user_create(&scene.world->store, &scene.world->arena, &again),
	    STORE_OK);
}

static void
name_and_texts_are_erased(void **state)
{
	struct scene scene = begin(*state);

	assert_int_equal(
	    close_account_of(&scene, NAME,
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	check_nothing_is_left(&scene);
}

/* To erase more after the first time, the account is closed again under its current
 * name. */
static void
closing_again_erases_more(void **state)
{
	struct scene scene = begin(*state);

	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_NOTHING),
	    STORE_OK);
	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_NAME), STORE_OK);
	assert_int_equal(
	    close_account_of(&scene, "closed-4", CLOSE_ACCOUNT_ERASE_NAME),
	    STORE_OK);
	check_closed(&scene, "closed-4");
	assert_int_equal(
	    close_account_of(&scene, "closed-4",
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	check_nothing_is_left(&scene);
}

/* It was interrupted after claiming the new name, or after releasing the former name,
 * which another member then took. */
static void
interrupted_closing_is_completed(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;
	struct user again = { .name = TEXT(NAME), .id = 0 }, user;

	world_command(world, TEXT("SET"), TEXT("name:closed-4"), TEXT("4"));
	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_NAME), STORE_OK);
	check_closed(&scene, "closed-4");
	assert_false(redis_has(&scene, NAME));

	world_command(
	    world, TEXT("HSET"), TEXT("{u4}user"), TEXT("name"), TEXT(NAME));
	assert_int_equal(
	    user_create(&world->store, &world->arena, &again), STORE_OK);
	assert_int_equal(
	    close_account_of(&scene, "closed-4", CLOSE_ACCOUNT_ERASE_NAME),
	    STORE_OK);
	check_closed(&scene, "closed-4");
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT(NAME), &user),
	    STORE_OK);
	assert_int_equal(user.id, again.id);
}

/* Redis refuses one of the writes: the account is still open, and the member tries
 * again. */
static void
member_can_repeat_a_failed_closing(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct text broken = key_post(arena, buckets, article_id(4 * 99));
	struct text list = key_time(
	    arena, buckets, key_bucket_of(buckets, 4 * 99), TEXT("@4"));
	struct user user;

	world_command(world, TEXT("SET"), broken, TEXT("no hash"));
	world_command(world, TEXT("ZADD"), list, TEXT("1700000000"),
	    encode_post(arena, article_id(4 * 99)));
	assert_int_equal(
	    close_account_of(&scene, NAME,
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_DOWN);
	assert_int_equal(
	    session_find(&world->store, arena, scene.cookie, &user, NULL),
	    STORE_OK);
	world_command(world, TEXT("DEL"), broken);
	world_command(
	    world, TEXT("ZREM"), list, encode_post(arena, article_id(4 * 99)));
	assert_int_equal(
	    close_account_of(&scene, NAME,
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	check_nothing_is_left(&scene);
}

/* Loading a dump gives members other ids, so the name may exist already. */
static void
closed_name_that_is_taken_gets_a_number(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;
	struct user other = { .name = TEXT("closed-4"), .id = 0 }, user;

	assert_int_equal(
	    user_create(&world->store, &world->arena, &other), STORE_OK);
	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_NAME), STORE_OK);
	assert_false(redis_has(&scene, NAME));
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("closed-4"), &user),
	    STORE_OK);
	assert_int_equal(user.id, other.id);
	user = world_user(world, scene.zed.id);
	assert_true(text_starts(user.name, TEXT("closed-4-")));
	check_names(&scene, text_string(&world->arena, user.name));
	check_site(&scene);
}

/* More articles than one round trip processes. */
static void
more_articles_than_a_batch_are_closed(void **state)
{
	enum { MANY = 430 };
	struct scene scene = begin(*state);
	struct world *world = *state;

	for (int i = 0; i < MANY; i++)
		text_by_zed(&scene, 100 + i);
	assert_int_equal(
	    close_account_of(&scene, NAME,
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	assert_false(redis_has(&scene, NAME));
	assert_false(redis_has(&scene, SECRET));
	assert_int_equal(invariants_check(world), MANY + 6);
}

static void
contain(const struct scene *scene, struct member by, struct member member)
{
	struct world *world = scene->world;
	struct containment containment = { .member = member,
		.suspends = 1,
		.removes = CONTAINMENT_FOREVER,
		.votes = CONTAINMENT_VOID };

	assert_int_equal(
	    containment_start(&world->store, &world->arena, &containment,
		(struct mod_action){
		    .by = by, .what = mod_action_words[MOD_CONTAINED] }),
	    STORE_OK);
}

/* Zed removed everything of ann's, as it was once before and is half done, and mod that of zed:
 * what can be taken back has another name then, and so has who removed the posts. */
static void
containments_lose_the_name(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct member ann = { scene.ann, TEXT("ann") };
	struct containment *acts;
	struct article article;
	size_t count;

	contain(&scene, scene.zed, ann);
	world_contain(world);
	contain(&scene, scene.mod, scene.zed);
	world_contain(world);
	contain(&scene, scene.zed, ann);
	assert_int_equal(
	    close_account_of(&scene, NAME,
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	assert_false(redis_has(&scene, NAME));
	assert_false(redis_has(&scene, SECRET));
	assert_int_equal(containment_list(&world->store, &world->arena,
			     scene.ann, &acts, &count),
	    STORE_OK);
	assert_int_equal(count, 2);
	world_contain(world);
	assert_false(redis_has(&scene, NAME));
	article = world_article(world, scene.restored, 0);
	assert_int_equal(article.post.removed_by.id, scene.zed.id);
	/* The texts are gone, so they are not restored. */
	assert_int_equal(containment_list(&world->store, &world->arena,
			     scene.zed.id, &acts, &count),
	    STORE_OK);
	assert_int_equal(count, 1);
	assert_int_equal(
	    containment_undo(&world->store, &world->arena, &acts[0],
		(struct mod_action){
		    .by = scene.mod, .what = mod_action_words[MOD_RELEASED] }),
	    STORE_OK);
	world_contain(world);
	article = world_article(world, scene.open, 0);
	assert_text(article.title, "(deleted)");
	assert_int_not_equal(article.post.removed, 0);
	check_site(&scene);
}

/* In another process, until the account is closed; writes the ids of those from before that. */
static _Noreturn void
post_held_articles(struct world *world, struct member zed, int ids)
{
	struct store store = world_connect(world);
	struct arena arena = { 0 };
	struct user user;

	for (int i = 0;; i++) {
		struct article article = { .title = TEXT("Held"),
			.text = text_number(&arena, i),
			.is_held = true,
			.post.author = zed };
		const uint64_t *id = &article.post.id.article;

		if (article_post(&store, &arena, &article) != STORE_OK ||
		    user_get(&store, &arena, zed.id, &user) != STORE_OK)
			_exit(1);
		if (user.closed != 0)
			_exit(0);
		if (write(ids, id, sizeof(*id)) != sizeof(*id))
			_exit(1);
	}
}

static void
posts_held_meanwhile_lose_the_name(void **state)
{
	enum { MANY = 430 };
	struct scene scene = begin(*state);
	int ends[2], status;
	pid_t child;
	uint64_t id;

	for (int i = 0; i < MANY; i++)
		text_by_zed(&scene, 100 + i);
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0)
		post_held_articles(scene.world, scene.zed, ends[1]);
	close(ends[1]);
	assert_int_equal(read(ends[0], &id, sizeof(id)), sizeof(id));
	assert_int_equal(
	    close_account_of(&scene, NAME, CLOSE_ACCOUNT_ERASE_NAME), STORE_OK);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	do {
		struct article article = world_article(scene.world, id, 0);

		assert_text(article.post.author.name, "closed-4");
	} while (read(ends[0], &id, sizeof(id)) == sizeof(id));
	close(ends[0]);
}

static void
unknown_members_are_absent(void **state)
{
	struct world *world = *state;
	struct user nobody = { .id = 99, .name = TEXT("nobody") };

	assert_int_equal(
	    close_account(&world->store, &world->arena, &nobody,
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_ABSENT);
	assert_text(world_keys(world, "*closed*"), "");
	assert_text(world_keys(world, "{u99}*"), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(name_and_texts_stay_by_default),
		world_test(texts_are_erased),
		world_test(fields_that_the_schema_does_not_keep_are_erased),
		world_test(name_is_erased),
		world_test(name_and_texts_are_erased),
		world_test(closing_again_erases_more),
		world_test(interrupted_closing_is_completed),
		world_test(member_can_repeat_a_failed_closing),
		world_test(closed_name_that_is_taken_gets_a_number),
		world_test(more_articles_than_a_batch_are_closed),
		world_test(containments_lose_the_name),
		world_test(posts_held_meanwhile_lose_the_name),
		world_test(unknown_members_are_absent),
	};

	return world_run("leaving", tests);
}
