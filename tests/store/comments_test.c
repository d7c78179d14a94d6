/* Comments: threads, lists, notifications, and the limits of time. */
#include <stdio.h>

#include "../support/invariants.h"
#include "redis/reply.h"
#include "store/comment.h"
#include "store/flag.h"
#include "store/keys.h"

enum { DAY = 86400, WEEK = 7 * DAY };

static struct post_id
id_of(const struct world_scene *scene, uint64_t number)
{
	return (struct post_id){ scene->article, number };
}

static struct text
name_of(const struct world_scene *scene, uint64_t user)
{
	return user == scene->ann ? TEXT("ann")
	    : user == scene->bob  ? TEXT("bob")
				  : TEXT("eve");
}

static enum store_result
post_to(const struct world_scene *scene, uint64_t user, int64_t parent,
    const char *text, struct comment_posting *posting, uint64_t *number)
{
	struct comment comment = { .post.id = { .article = scene->article },
		.post.author = { user, name_of(scene, user) },
		.parent = parent,
		.text = text_of(text) };
	enum store_result result = comment_post(
	    &scene->world->store, &scene->world->arena, &comment, posting);

	*number = comment.post.id.comment;
	return result;
}

static enum store_result
try(const struct world_scene *scene, uint64_t user, int64_t parent,
    const char *text)
{
	struct comment_posting posting = { .wait = 0 };
	uint64_t number;

	return post_to(scene, user, parent, text, &posting, &number);
}

/* Posts a comment, which must succeed; returns its number. */
static uint64_t
say(const struct world_scene *scene, uint64_t user, int64_t parent,
    const char *text)
{
	struct comment_posting posting = { .wait = 0 };
	uint64_t number;

	assert_int_equal(
	    post_to(scene, user, parent, text, &posting, &number), STORE_OK);
	return number;
}

static struct comment
get(const struct world_scene *scene, uint64_t number, uint64_t viewer)
{
	struct comment comment;
	int64_t now;

	assert_int_equal(comment_get(&scene->world->store, &scene->world->arena,
			     id_of(scene, number), viewer, &comment, &now),
	    STORE_OK);
	return comment;
}

static struct text
command_key(
    const struct world_scene *scene, const char *command, struct text key)
{
	struct reply reply = world_command(scene->world, text_of(command), key);

	return reply.kind == REPLY_TEXT
	    ? reply_text(&reply)
	    : text_number(&scene->world->arena, reply.number);
}

/* One part of a comment's record in the index, in bits. */
static int64_t
recorded(
    const struct world_scene *scene, uint64_t number, const char *type, int bit)
{
	struct world *world = scene->world;
	struct reply reply = world_command(world, TEXT("BITFIELD"),
	    key_thread(&world->arena, &world->store.buckets, scene->article),
	    TEXT("GET"), text_of(type),
	    text_number(&world->arena, (int64_t)number * 128 + bit));

	return reply_item(&reply, 0)->number;
}

static int64_t
changes(const struct world_scene *scene)
{
	return recorded(scene, 0, "u63", 0);
}

/* The length of a list of comments; "" is the list of the newest. */
static int64_t
listed(const struct world_scene *scene, uint64_t user)
{
	struct world *world = scene->world;
	const struct buckets *buckets = &world->store.buckets;
	struct text list =
	    user == 0 ? TEXT("") : key_list_of_author(&world->arena, user);

	return world_command(world, TEXT("ZCARD"),
	    key_comments(&world->arena, buckets,
		key_bucket_of(buckets, scene->article), list))
	    .number;
}

static struct article
article_of(const struct world_scene *scene)
{
	return world_article(scene->world, scene->article, 0);
}

static void
comments_are_numbered_inside_their_article(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct comment first, second;

	assert_int_equal(say(&scene, scene.bob, 0, "One"), 1);
	assert_int_equal(say(&scene, scene.ann, 1, "Two"), 2);
	assert_int_equal(say(&scene, scene.bob, 2, "Three"), 3);
	first = get(&scene, 1, scene.bob);
	assert_text(first.text, "One");
	assert_int_equal(first.parent, 0);
	assert_int_equal(first.post.author.id, scene.bob);
	assert_text(first.post.author.name, "bob");
	assert_int_equal(first.post.posted, NOON);
	assert_int_equal(first.post.closes, NOON + WEEK);
	assert_int_equal(first.post.points, 1);
	assert_true(first.post.voters_known);
	assert_int_equal(first.post.vote, VOTE_UP);
	second = get(&scene, 2, scene.bob);
	assert_int_equal(second.parent, 1);
	assert_int_equal(second.post.vote, VOTE_NONE);
	assert_int_equal(article_of(&scene).comments, 3);
	assert_int_equal(article_of(&scene).commented, 3);
}

static void
closes_when_the_window_ends(void **state)
{
	const int64_t windows[] = { DAY, 63 * DAY, 64 * DAY, DAY - 1, 1000 };
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct store *store = &world->store;

	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		uint64_t number = i + 1;
		struct text key = key_post(
		    &world->arena, &store->buckets, id_of(&scene, number));

		store->rules.vote_window = windows[i];
		say(&scene, scene.bob, 0,
		    text_string(
			&world->arena, text_number(&world->arena, windows[i])));
		assert_int_equal(
		    get(&scene, number, 0).post.closes, NOON + windows[i]);
		assert_int_equal(
		    world_command(world, TEXT("HEXISTS"), key, TEXT("closes"))
			.number,
		    1);
		assert_int_equal(world_command(world, TEXT("EXPIRETIME"),
				     key_voters(&world->arena, &store->buckets,
					 id_of(&scene, number)))
				     .number,
		    NOON + windows[i]);
	}
	invariants_check(world);
}

static void
thread_has_a_record_for_each_comment(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct text key =
	    key_thread(&world->arena, &world->store.buckets, scene.article);

	for (int64_t i = 1; i <= 600; i++) {
		int64_t size;

		say(&scene, scene.bob, 0,
		    text_string(&world->arena, text_number(&world->arena, i)));
		size = world_command(world, TEXT("STRLEN"), key).number;
		assert_int_equal(size, (i + 1) * COMMENT_RECORD_SIZE);
	}
	assert_int_equal(article_of(&scene).commented, 600);
	invariants_check(world);
}

static void
thread_and_lists_follow_each_change(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	int64_t before;

	say(&scene, scene.bob, 0, "One");
	before = changes(&scene);
	say(&scene, scene.eve, 1, "Two");
	assert_true(changes(&scene) > before);
	assert_int_equal(recorded(&scene, 2, "u24", 0), 1);
	assert_int_equal(recorded(&scene, 2, "u6", 24), 0);
	assert_int_equal(recorded(&scene, 2, "u2", 30), 0);
	assert_int_equal(recorded(&scene, 2, "u32", 32), NOON);
	assert_int_equal(recorded(&scene, 2, "u24", 64), 1);
	assert_int_equal(recorded(&scene, 2, "u24", 88), 0);
	assert_int_equal(listed(&scene, 0), 2);
	assert_int_equal(listed(&scene, scene.bob), 1);
	assert_int_equal(listed(&scene, scene.eve), 1);
	/* Nobody has karma of their own vote. */
	assert_int_equal(world_karma(scene.world, scene.bob), 0);
}

/* The last record is as long as those before it. */
static void
record_has_sixteen_bytes(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct text key =
	    key_thread(&world->arena, &world->store.buckets, scene.article);

	say(&scene, scene.bob, 0, "One");
	assert_int_equal(world_command(world, TEXT("STRLEN"), key).number, 32);
	say(&scene, scene.bob, 0, "Two");
	assert_int_equal(world_command(world, TEXT("STRLEN"), key).number, 48);
}

/* A record has three bytes for the number of its parent. */
static void
thread_without_free_numbers_is_closed(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct text key = key_post(
	    &world->arena, &world->store.buckets, article_id(scene.article));

	world_command(world, TEXT("HSET"), key, TEXT("commented"),
	    text_number(&world->arena, COMMENT_NUMBER_MAX));
	assert_int_equal(try(&scene, scene.bob, 0, "One"), STORE_CLOSED);
	assert_int_equal(listed(&scene, scene.bob), 0);
}

static void
parents_must_exist(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	uint64_t other = world_post(
	    scene.world, scene.ann, "Other", "http://b.example/", "");
	struct world_scene elsewhere = scene;

	assert_int_equal(try(&scene, scene.bob, 1, "x"), STORE_ABSENT);
	say(&scene, scene.bob, 0, "One");
	elsewhere.article = other;
	assert_int_equal(try(&elsewhere, scene.eve, 1, "x"), STORE_ABSENT);
	elsewhere.article = 4 * 999;
	assert_int_equal(try(&elsewhere, scene.eve, 0, "x"), STORE_ABSENT);
	assert_int_equal(post_remove(&scene.world->store, &scene.world->arena,
			     id_of(&scene, 1), &world_removal),
	    STORE_OK);
	assert_int_equal(try(&scene, scene.eve, 1, "x"), STORE_REMOVED);
	world_remove(scene.world, scene.article);
	assert_int_equal(try(&scene, scene.eve, 0, "x"), STORE_REMOVED);
	assert_int_equal(article_of(&scene).commented, 1);
	invariants_check(scene.world);
}

static void
comment_sent_twice_is_posted_once(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct comment_posting posting = { .wait = 0 };
	uint64_t number;

	say(&scene, scene.bob, 0, "Same");
	assert_int_equal(
	    post_to(&scene, scene.bob, 0, "Same", &posting, &number),
	    STORE_TAKEN);
	assert_int_equal(number, 1);
	/* By another author, or with another parent, it is a different comment. */
	assert_int_equal(say(&scene, scene.eve, 0, "Same"), 2);
	assert_int_equal(say(&scene, scene.bob, 2, "Same"), 3);
	assert_int_equal(
	    post_to(&scene, scene.bob, 2, "Same", &posting, &number),
	    STORE_TAKEN);
	assert_int_equal(number, 3);
	/* Even if the thread has closed meanwhile. */
	world_move_clock(scene.world, 31 * DAY);
	assert_int_equal(try(&scene, scene.bob, 0, "Same"), STORE_TAKEN);
	assert_int_equal(article_of(&scene).commented, 3);
	invariants_check(scene.world);
}

/* Comments of one second are ordered by their articles. */
static void
comment_sent_twice_is_posted_once_however_many_the_second_has(void **state)
{
	enum { OTHERS = 40 };
	struct world_scene scene = world_scene(*state, "");
	struct world_scene other = scene;
	char link[32];

	for (int i = 0; i < OTHERS; i++) {
		snprintf(link, sizeof(link), "http://b.example/%d", i);
		other.article =
		    world_post(scene.world, scene.ann, "Other", link, "");
		say(&other, scene.bob, 0, "Else");
	}
	say(&scene, scene.bob, 0, "Same");
	assert_int_equal(try(&scene, scene.bob, 0, "Same"), STORE_TAKEN);
	world_move_clock(scene.world, 1);
	assert_int_equal(try(&scene, scene.bob, 0, "Same"), STORE_TAKEN);
	assert_int_equal(article_of(&scene).commented, 1);
	invariants_check(scene.world);
}

/* Comments posted while the clock was ahead come after all later ones. */
static void
comment_sent_twice_is_posted_once_after_the_clock_was_set_back(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct comment_posting posting = { .wait = 0 };
	char text[16];
	uint64_t number;

	world_move_clock(scene.world, DAY);
	for (int i = 0; i < 30; i++) {
		snprintf(text, sizeof(text), "Number %d", i);
		say(&scene, scene.bob, 0, text);
	}
	world_move_clock(scene.world, -DAY);
	assert_int_equal(try(&scene, scene.bob, 0, "Number 29"), STORE_TAKEN);
	assert_int_equal(say(&scene, scene.bob, 0, "Same"), 31);
	assert_int_equal(
	    post_to(&scene, scene.bob, 0, "Same", &posting, &number),
	    STORE_TAKEN);
	assert_int_equal(number, 31);
	assert_int_equal(article_of(&scene).commented, 31);
	invariants_check(scene.world);
}

static void
votes_count_as_on_articles(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct post_id id = id_of(&scene, 1);
	int64_t lists;
	struct text versions =
	    key_versions(&world->arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, scene.article));

	say(&scene, scene.bob, 0, "One");
	lists =
	    world_command(world, TEXT("HGET"), versions, TEXT("lists")).number;
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.bob, VOTE_DOWN),
	    STORE_OWN);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.ann, VOTE_UP),
	    STORE_OK);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.eve, VOTE_DOWN),
	    STORE_OK);
	assert_int_equal(get(&scene, 1, scene.ann).post.vote, VOTE_UP);
	assert_int_equal(get(&scene, 1, scene.eve).post.vote, VOTE_DOWN);
	assert_int_equal(get(&scene, 1, 0).post.points, 1);
	assert_int_equal(recorded(&scene, 1, "u24", 64), 2);
	assert_int_equal(recorded(&scene, 1, "u24", 88), 1);
	assert_int_equal(world_karma(world, scene.bob), 0);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.eve, VOTE_UP),
	    STORE_OK);
	assert_int_equal(world_karma(world, scene.bob), 2);
	assert_int_equal(recorded(&scene, 1, "u24", 64), 3);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.eve, VOTE_NONE),
	    STORE_OK);
	assert_int_equal(get(&scene, 1, 0).post.up, 2);
	/* Lists stay cached. */
	assert_int_equal(
	    world_command(world, TEXT("HGET"), versions, TEXT("lists")).number,
	    lists);
	world_move_clock(world, WEEK);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.eve, VOTE_UP),
	    STORE_CLOSED);
	assert_int_equal(get(&scene, 1, 0).post.up, 2);
}

static void
votes_are_voided_and_counted_again(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct post_id id = id_of(&scene, 1);

	say(&scene, scene.bob, 0, "One");
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.eve, VOTE_DOWN),
	    STORE_OK);
	assert_int_equal(post_void(&world->store, &world->arena, id, scene.eve,
			     VOIDING_VOID, &world_removal),
	    STORE_OK);
	assert_int_equal(get(&scene, 1, 0).post.points, 1);
	assert_int_equal(recorded(&scene, 1, "u24", 88), 0);
	assert_int_equal(post_void(&world->store, &world->arena, id, scene.eve,
			     VOIDING_COUNT, &world_removal),
	    STORE_OK);
	assert_int_equal(recorded(&scene, 1, "u24", 88), 1);
	assert_int_equal(world_karma(world, scene.bob), -1);
	invariants_check(scene.world);
}

static void
deleting_erases_the_text_and_leaves_the_votes(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct store *store = &world->store;
	struct post_id id = id_of(&scene, 1);
	struct comment comment;

	say(&scene, scene.bob, 0, "One");
	say(&scene, scene.eve, 1, "Two");
	assert_int_equal(
	    world_cast(store, &world->arena, id, scene.eve, VOTE_UP), STORE_OK);
	assert_int_equal(
	    post_delete(store, &world->arena, id, scene.eve), STORE_ABSENT);
	world_move_clock(world, 40 * DAY);
	assert_int_equal(
	    post_delete(store, &world->arena, id, scene.bob), STORE_OK);
	assert_int_equal(
	    post_delete(store, &world->arena, id, scene.bob), STORE_OK);
	comment = get(&scene, 1, 0);
	assert_int_equal(comment.text.size, 0);
	assert_true(post_is_withdrawn(&comment.post));
	assert_int_equal(recorded(&scene, 1, "u2", 30), 3);
	assert_int_equal(world_karma(world, scene.bob), 1);
	assert_int_equal(listed(&scene, 0), 1);
	assert_int_equal(listed(&scene, scene.bob), 0);
	assert_int_equal(article_of(&scene).comments, 1);
	assert_int_equal(article_of(&scene).commented, 2);
	/* It is permanent. */
	assert_int_equal(
	    post_restore(store, &world->arena, id, TEXT(""), &world_restoring),
	    STORE_OWN);
	invariants_check(scene.world);
}

static void
moderators_remove_and_restore(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct store *store = &world->store;
	struct post_id id = id_of(&scene, 1);
	struct text before;
	int64_t edition;

	say(&scene, scene.bob, 0, "One");
	before = command_key(
	    &scene, "HGETALL", key_post(&world->arena, &store->buckets, id));
	edition = recorded(&scene, 1, "u16", 112);
	assert_int_equal(
	    post_remove(store, &world->arena, id, &world_removal), STORE_OK);
	assert_int_equal(recorded(&scene, 1, "u2", 30), 1);
	assert_true(recorded(&scene, 1, "u16", 112) > edition);
	assert_int_equal(article_of(&scene).comments, 0);
	assert_int_equal(listed(&scene, scene.bob), 0);
	assert_int_equal(
	    world_cast(store, &world->arena, id, scene.eve, VOTE_UP),
	    STORE_REMOVED);
	/* Its author cannot delete it then. */
	assert_int_equal(
	    post_delete(store, &world->arena, id, scene.bob), STORE_REMOVED);
	assert_int_equal(
	    post_restore(store, &world->arena, id, TEXT(""), &world_restoring),
	    STORE_OK);
	assert_int_equal(recorded(&scene, 1, "u2", 30), 0);
	assert_int_equal(article_of(&scene).comments, 1);
	assert_int_equal(listed(&scene, scene.bob), 1);
	assert_same(command_key(&scene, "HGETALL",
			key_post(&world->arena, &store->buckets, id)),
	    before);
	invariants_check(scene.world);
}

static enum store_result
rewrite(const struct world_scene *scene, uint64_t number, const char *text)
{
	return comment_edit(&scene->world->store, &scene->world->arena,
	    id_of(scene, number), text_of(text), TEXT("@ann"));
}

static void
late_edits_are_marked(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	int64_t edition;

	say(&scene, scene.bob, 0, "One");
	edition = recorded(&scene, 1, "u16", 112);
	world_move_clock(scene.world, RULE_COMMENT_GRACE - 1);
	assert_int_equal(rewrite(&scene, 1, "Two"), STORE_OK);
	assert_text(get(&scene, 1, 0).text, "Two");
	assert_text(get(&scene, 1, 0).links, "@ann");
	assert_int_equal(get(&scene, 1, 0).post.edited, 0);
	assert_int_equal(recorded(&scene, 1, "u16", 112), edition + 1);
	world_move_clock(scene.world, 1);
	assert_int_equal(rewrite(&scene, 1, "Two"), STORE_OK);
	assert_int_equal(get(&scene, 1, 0).post.edited, 0);
	assert_int_equal(rewrite(&scene, 1, "Three"), STORE_OK);
	assert_int_equal(
	    get(&scene, 1, 0).post.edited, NOON + RULE_COMMENT_GRACE);
	assert_int_equal(rewrite(&scene, 9, "x"), STORE_ABSENT);
	world_move_clock(scene.world, 30 * DAY);
	assert_int_equal(rewrite(&scene, 1, "Four"), STORE_CLOSED);
	assert_text(get(&scene, 1, 0).text, "Three");
	invariants_check(scene.world);
}

static void
threads_close_by_age_or_by_moderators(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct article article;

	say(&scene, scene.bob, 0, "One");
	assert_int_equal(
	    article_set_thread(&world->store, &world->arena, scene.article,
		ARTICLE_THREAD_CLOSED, &world_removal),
	    STORE_OK);
	article = article_of(&scene);
	assert_int_equal(article.thread_closed, NOON);
	assert_false(
	    article_takes_comments(&world->store.rules, &article, NOON));
	assert_int_equal(try(&scene, scene.eve, 0, "Two"), STORE_CLOSED);
	assert_int_equal(rewrite(&scene, 1, "Two"), STORE_CLOSED);
	assert_int_equal(
	    article_set_thread(&world->store, &world->arena, scene.article,
		ARTICLE_THREAD_OPEN, &world_restoring),
	    STORE_OK);
	world_move_clock(world, 30 * DAY - 1);
	article = article_of(&scene);
	assert_true(article_takes_comments(
	    &world->store.rules, &article, NOON + 30 * DAY - 1));
	say(&scene, scene.eve, 0, "Two");
	world_move_clock(world, 1);
	assert_false(article_takes_comments(
	    &world->store.rules, &article, NOON + 30 * DAY));
	assert_int_equal(try(&scene, scene.eve, 0, "Three"), STORE_CLOSED);
}

static void
many_flags_in_an_hour_slow_a_thread(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct comment_posting posting = { .wait = 0 };
	uint64_t number;

	say(&scene, scene.bob, 0, "One");
	for (int i = 0; i < RULE_SLOW_FLAGS; i++) {
		uint64_t member = world_member(
		    world, fixture_string(&world->arena, "m%d", i));

		assert_int_equal(flag_set(&world->store, &world->arena,
				     id_of(&scene, 1), member, FLAG_UNKIND),
		    STORE_OK);
	}
	world_move_clock(world, 100);
	assert_int_equal(
	    post_to(&scene, scene.bob, 0, "Two", &posting, &number),
	    STORE_LIMITED);
	assert_int_equal(posting.wait, RULE_SLOW_SECONDS - 100);
	say(&scene, scene.eve, 0, "Whoever was silent so far may speak");
	/* Nor after deleting the first. */
	assert_int_equal(post_delete(&world->store, &world->arena,
			     id_of(&scene, 1), scene.bob),
	    STORE_OK);
	assert_int_equal(try(&scene, scene.bob, 0, "Two"), STORE_LIMITED);
	world_move_clock(world, RULE_SLOW_SECONDS - 100);
	say(&scene, scene.bob, 0, "Two");
	/* An hour later the thread is normal again. */
	assert_int_equal(try(&scene, scene.bob, 0, "Three"), STORE_LIMITED);
	world_move_clock(world, 3600);
	say(&scene, scene.bob, 0, "Three");
	say(&scene, scene.bob, 0, "Four");
}

/* Refused like votes on the article: nobody sees either. */
static void
votes_in_a_removed_articles_thread_are_refused(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct post_id id;

	say(&scene, scene.bob, 0, "One");
	id = id_of(&scene, 1);
	world_remove(world, scene.article);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.eve, VOTE_UP),
	    STORE_REMOVED);
	assert_int_equal(world_karma(world, scene.bob), 0);
	assert_int_equal(article_restore(&world->store, &world->arena,
			     scene.article, &world_restoring),
	    STORE_OK);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, scene.eve, VOTE_UP),
	    STORE_OK);
	assert_int_equal(world_karma(world, scene.bob), 1);
}

/* The list of the newest is full of comments from a clock that was ahead, and some of
 * them were trimmed. */
static void
newest_comments_recover_after_the_clock_was_ahead(void **state)
{
	enum { YEAR = 365 * DAY };
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t bucket = key_bucket_of(buckets, scene.article);
	struct text list =
	    key_comments(&world->arena, buckets, bucket, TEXT(""));
	struct reply newest;

	for (int i = 1; i <= 1000; i++)
		world_command(world, TEXT("ZADD"), list,
		    text_number(&world->arena, NOON + YEAR + i),
		    encode_post(&world->arena,
			(struct post_id){ scene.article, 5000 + (uint64_t)i }));
	world_command(world, TEXT("HSET"),
	    key_versions(&world->arena, buckets, bucket), TEXT("newest"),
	    text_number(&world->arena, NOON + YEAR));
	for (int i = 0; i < 3; i++)
		say(&scene, scene.bob, 0,
		    fixture_string(&world->arena, "Number %d", i));
	newest = world_command(world, TEXT("ZREVRANGEBYSCORE"), list,
	    text_number(&world->arena, NOON + DAY), TEXT("-inf"));
	assert_int_equal(newest.count, 3);
	assert_int_equal(
	    world_command(world, TEXT("ZCARD"), list).number, 1003);
	/* Of today's comments, only as many as fit. */
	for (int i = 1; i <= 1000; i++)
		world_command(world, TEXT("ZADD"), list,
		    text_number(&world->arena, NOON - 2000 + i),
		    encode_post(&world->arena,
			(struct post_id){ scene.article, 9000 + (uint64_t)i }));
	say(&scene, scene.eve, 0, "One more");
	assert_int_equal(
	    world_command(world, TEXT("ZCARD"), list).number, 2000);
	assert_text(
	    world_command(world, TEXT("HGET"),
		key_versions(&world->arena, buckets, bucket), TEXT("newest"))
		.text,
	    fixture_string(&world->arena, "%d", NOON + YEAR));
}

/* Nor does a member who removes flags and sets them again, on several comments. */
static void
flags_of_one_member_do_not_slow_a_thread(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;

	say(&scene, scene.bob, 0, "One");
	for (int i = 0; i < 4 * RULE_SLOW_FLAGS; i++)
		assert_int_equal(
		    flag_set(&world->store, &world->arena,
			id_of(&scene, (uint64_t)(i / 2 % 2)), scene.eve,
			i % 2 == 0 ? FLAG_SPAM : FLAG_NONE),
		    STORE_OK);
	say(&scene, scene.bob, 0, "Two");
}

/* The entries of the outbox, the newest last. */
static struct text
told_by(const struct world_scene *scene)
{
	struct world *world = scene->world;
	struct reply all = world_command(world, TEXT("XREVRANGE"),
	    key_outbox(&world->arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, scene->article)),
	    TEXT("+"), TEXT("-"), TEXT("COUNT"), TEXT("1"));
	const struct reply *fields = reply_item(reply_item(&all, 0), 1);

	return text_format(&world->arena, "%.*s by %.*s to %.*s",
	    TEXT_ARGS(reply_text(reply_item(fields, 1))),
	    TEXT_ARGS(reply_text(reply_item(fields, 3))),
	    TEXT_ARGS(reply_text(reply_item(fields, 5))));
}

static void
outbox_names_the_members_to_notify(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct comment_posting posting = { .named = (uint64_t[]){ scene.eve,
					       scene.ann, scene.bob },
		.named_count = 3 };
	uint64_t number;

	say(&scene, scene.bob, 0, "To the article's author");
	assert_same(told_by(&scene),
	    text_format(&world->arena, "%llu:1 by %llu to %llu=article",
		(unsigned long long)scene.article,
		(unsigned long long)scene.bob, (unsigned long long)scene.ann));
	/* Nobody is notified twice, or of their own comments. */
	assert_int_equal(
	    post_to(&scene, scene.ann, 1, "@eve @ann @bob", &posting, &number),
	    STORE_OK);
	assert_same(told_by(&scene),
	    text_format(&world->arena,
		"%llu:2 by %llu to %llu=reply %llu=mention",
		(unsigned long long)scene.article,
		(unsigned long long)scene.ann, (unsigned long long)scene.bob,
		(unsigned long long)scene.eve));
	say(&scene, scene.ann, 2, "To myself");
	assert_int_equal(
	    world_command(world, TEXT("XLEN"),
		key_outbox(&world->arena, &world->store.buckets,
		    key_bucket_of(&world->store.buckets, scene.article)))
		.number,
	    2);
}

static void
reviewed_comments_are_queued(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct comment_posting posting = { .is_reviewed = true };
	uint64_t number;

	assert_int_equal(
	    post_to(&scene, scene.bob, 0, "One", &posting, &number), STORE_OK);
	assert_int_equal(
	    world_command(world, TEXT("ZCARD"),
		key_queue(&world->arena, &world->store.buckets,
		    key_bucket_of(&world->store.buckets, scene.article)))
		.number,
	    1);
}

static int64_t
exists_calls(struct world *world)
{
	return world_info(world, "commandstats", "cmdstat_exists");
}

/* The numbers of those that wait to be shown are not tried one after the other. */
static void
comments_behind_held_ones_cost_no_more(void **state)
{
	enum { HELD = 40 };
	struct world_scene scene = world_scene(*state, "");
	struct comment_posting held = { .is_reviewed = true, .is_held = true };
	uint64_t number;
	int64_t before, first;

	say(&scene, scene.bob, 0, "One");
	before = exists_calls(scene.world);
	say(&scene, scene.bob, 0, "Two");
	first = exists_calls(scene.world) - before;
	for (int i = 0; i < HELD; i++)
		assert_int_equal(
		    post_to(&scene, scene.eve, 0,
			fixture_string(&scene.world->arena, "Held %d", i),
			&held, &number),
		    STORE_OK);
	assert_int_equal(number, HELD + 2);
	before = exists_calls(scene.world);
	assert_int_equal(say(&scene, scene.bob, 0, "Three"), HELD + 3);
	assert_true(exists_calls(scene.world) - before <= first + 1);
	/* An ordinary one costs what it did. */
	before = exists_calls(scene.world);
	assert_int_equal(say(&scene, scene.bob, 0, "Four"), HELD + 4);
	assert_int_equal(exists_calls(scene.world) - before, first);
	invariants_check(scene.world);
}

static int64_t
getrange_calls(struct world *world)
{
	return world_info(world, "commandstats", "cmdstat_getrange");
}

/* The cost of removing a comment, in reads of its thread. */
static int64_t
cost_of_removal(const struct world_scene *scene, uint64_t number)
{
	struct world *world = scene->world;
	int64_t before = getrange_calls(world);

	assert_int_equal(post_remove(&world->store, &world->arena,
			     id_of(scene, number), &world_removal),
	    STORE_OK);
	return getrange_calls(world) - before;
}

/* The thread is not searched for its last comment, behind all that were removed. */
static void
removing_what_is_not_the_last_comment_searches_nothing(void **state)
{
	enum { TAIL = 200 };
	struct world_scene scene = world_scene(*state, "");
	struct article article;
	int64_t first;

	for (int i = 0; i < 4 + TAIL; i++) {
		say(&scene, i == 3 ? scene.eve : scene.bob, 0,
		    fixture_string(&scene.world->arena, "Number %d", i));
		world_move_clock(scene.world, 1);
	}
	first = cost_of_removal(&scene, 1);
	for (uint64_t i = 0; i < TAIL; i++)
		(void)cost_of_removal(&scene, 5 + i);
	assert_true(cost_of_removal(&scene, 2) <= first);
	assert_true(cost_of_removal(&scene, 3) <= first);
	invariants_check(scene.world);
	(void)cost_of_removal(&scene, 4);
	article = article_of(&scene);
	assert_int_equal(article.comments, 0);
	invariants_check(scene.world);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(comments_are_numbered_inside_their_article),
		world_test(closes_when_the_window_ends),
		world_test(thread_has_a_record_for_each_comment),
		world_test(thread_and_lists_follow_each_change),
		world_test(record_has_sixteen_bytes),
		world_test(thread_without_free_numbers_is_closed),
		world_test(parents_must_exist),
		world_test(comment_sent_twice_is_posted_once),
		world_test(
		    comment_sent_twice_is_posted_once_however_many_the_second_has),
		world_test(
		    comment_sent_twice_is_posted_once_after_the_clock_was_set_back),
		world_test(votes_count_as_on_articles),
		world_test(votes_are_voided_and_counted_again),
		world_test(deleting_erases_the_text_and_leaves_the_votes),
		world_test(moderators_remove_and_restore),
		world_test(late_edits_are_marked),
		world_test(threads_close_by_age_or_by_moderators),
		world_test(many_flags_in_an_hour_slow_a_thread),
		world_test(flags_of_one_member_do_not_slow_a_thread),
		world_test(votes_in_a_removed_articles_thread_are_refused),
		world_test(newest_comments_recover_after_the_clock_was_ahead),
		world_test(outbox_names_the_members_to_notify),
		world_test(reviewed_comments_are_queued),
		world_test(comments_behind_held_ones_cost_no_more),
		world_test(
		    removing_what_is_not_the_last_comment_searches_nothing),
	};

	return world_run("comments", tests);
}
