/*
 * Administration of groups: new titles and names, merging, closing, reopening and
 * deleting groups with articles; interrupted and repeated.
 */
#include <inttypes.h>

#include "../support/browser.h"
#include "../support/commands.h"
#include "../support/invariants.h"
#include "lists/list.h"
#include "lists/mod_log.h"
#include "store/group.h"
#include "store/group_admin.h"

enum { MORE = 130 };

static const struct mod_action action = { .by = { 2, TEXT_INIT("mod") } };

static void
begin(struct world *world)
{
	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "mod");
	world_group(world, "redis");
	world_group(world, "chess");
	world_group(world, "trains");
}

static uint64_t
post(struct world *world, const char *url, const char *groups)
{
	return world_post(world, 1, "A title", url, groups);
}

static struct group
group_named(struct world *world, const char *name)
{
	struct group group;

	assert_int_equal(
	    group_get(&world->store, &world->arena, text_of(name), &group),
	    STORE_OK);
	return group;
}

/* The names of the listed groups. */
static struct text
listed(struct world *world)
{
	struct text *names, all = TEXT("");
	uint64_t total;
	size_t count;

	assert_int_equal(group_names(&world->store, &world->arena, 100, &names,
			     &count, &total),
	    STORE_OK);
	for (size_t i = 0; i < count; i++)
		all = text_format(&world->arena, "%.*s%s%.*s", TEXT_ARGS(all),
		    i > 0 ? " " : "", TEXT_ARGS(names[i]));
	return all;
}

static enum store_result
restore(struct world *world, uint64_t article)
{
	return article_restore(
	    &world->store, &world->arena, article, &world_restoring);
}

#define DO(function, world, ...) \
	function(&(world)->store, &(world)->arena, __VA_ARGS__, action)

static void
check_whole(struct world *world)
{
	struct outcome outcome = commands_check(world);

	if (outcome.status != 0)
		fail_msg("%.*s", TEXT_ARGS(outcome.out));
	invariants_check(world);
}

static void
group_gets_another_title(void **state)
{
	struct world *world = *state;

	begin(world);
	assert_int_equal(
	    DO(group_retitle, world, TEXT("redis"), TEXT("R")), STORE_OK);
	assert_text(group_named(world, "redis").title, "R");
	/* Unchanged. */
	assert_int_equal(
	    DO(group_retitle, world, TEXT("redis"), TEXT("R")), STORE_OK);
	assert_int_equal(world_log(world, "group-retitled").count, 1);
	assert_int_equal(
	    DO(group_retitle, world, TEXT("none"), TEXT("R")), STORE_ABSENT);
	assert_int_equal(world_log(world, "group-retitled").count, 1);
}

static void
renamed_group_has_its_articles_and_redirects(void **state)
{
	struct world *world = *state;
	uint64_t only, both;

	begin(world);
	only = post(world, "http://a.example/1", "redis");
	both = post(world, "http://a.example/2", "chess redis trains");
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("valkey")), STORE_OK);
	assert_text(world_article(world, only, 0).groups, "valkey");
	assert_text(
	    world_article(world, both, 0).groups, "chess trains valkey");
	assert_text(group_named(world, "valkey").title, "redis");
	assert_text(group_named(world, "redis").into, "valkey");
	assert_text(listed(world), "chess trains valkey");
	assert_int_equal(world_log(world, "group-renamed").count, 1);
	check_whole(world);
	/* To a name that exists, and from one that does not. */
	assert_int_equal(DO(group_rename, world, TEXT("chess"), TEXT("trains")),
	    STORE_TAKEN);
	assert_int_equal(
	    DO(group_rename, world, TEXT("chess"), TEXT("chess")), STORE_TAKEN);
	assert_int_equal(
	    DO(group_rename, world, TEXT("none"), TEXT("some")), STORE_ABSENT);
	assert_int_equal(DO(group_rename, world, TEXT("redis"), TEXT("other")),
	    STORE_ABSENT);
	assert_int_equal(world_log(world, "group-renamed").count, 1);
	assert_text(listed(world), "chess trains valkey");
}

/* After a mistake, a group can get its former name back. */
static void
group_gets_its_former_name_back(void **state)
{
	struct world *world = *state;
	uint64_t id;

	begin(world);
	id = post(world, "http://a.example/1", "redis");
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("rdeis")), STORE_OK);
	assert_int_equal(
	    DO(group_rename, world, TEXT("rdeis"), TEXT("redis")), STORE_OK);
	assert_text(world_article(world, id, 0).groups, "redis");
	assert_text(group_named(world, "redis").into, "");
	assert_text(group_named(world, "rdeis").into, "redis");
	assert_text(listed(world), "chess redis trains");
	check_whole(world);
}

/* A name that redirects cannot be created, and is not listed. */
static void
former_names_cannot_be_created(void **state)
{
	struct world *world = *state;
	struct group again = { .name = TEXT("redis"), .title = TEXT("Mine") };

	begin(world);
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("valkey")), STORE_OK);
	assert_int_equal(
	    group_create(&world->store, &world->arena, &again), STORE_TAKEN);
	assert_text(listed(world), "chess trains valkey");
	assert_text(group_named(world, "redis").into, "valkey");
}

/* More articles than one batch moves, some of them in both groups; some have the most
 * groups. */
static void
merged_group_has_the_articles_of_both(void **state)
{
	static const char full[] =
	    "aa ab ac ad ae af ag ah ai aj ak al am an redis chess";
	struct world *world = *state;
	struct text rest = text_of(full), name;
	uint64_t ids[MORE], crowded;

	begin(world);
	while (text_next_word(&rest, &name))
		if (!text_equal(name, TEXT("redis")) &&
		    !text_equal(name, TEXT("chess")))
			world_group(world, text_string(&world->arena, name));
	for (int i = 0; i < MORE; i++)
		ids[i] = post(world,
		    fixture_string(&world->arena, "http://a.example/%d", i),
		    i % 3 == 0 ? "redis chess" : "redis");
	crowded = post(world, "http://b.example/", full);
	assert_int_equal(
	    DO(group_merge, world, TEXT("redis"), TEXT("chess")), STORE_OK);
	for (int i = 0; i < MORE; i++)
		assert_text(world_article(world, ids[i], 0).groups, "chess");
	assert_text(world_article(world, crowded, 0).groups,
	    "aa ab ac ad ae af ag ah ai aj ak al am an chess");
	assert_int_equal(world_log(world, "group-merged").count, 1);
	check_whole(world);
	assert_int_equal(
	    DO(group_merge, world, TEXT("chess"), TEXT("redis")), STORE_ABSENT);
	assert_int_equal(
	    DO(group_merge, world, TEXT("chess"), TEXT("chess")), STORE_ABSENT);
	assert_int_equal(
	    DO(group_merge, world, TEXT("chess"), TEXT("none")), STORE_ABSENT);
	assert_int_equal(DO(group_merge, world, TEXT("redis"), TEXT("trains")),
	    STORE_ABSENT);
	assert_int_equal(world_log(world, "group-merged").count, 1);
}

/* The ids of a group's articles by their last comments, as in "2 1". */
static struct text
active_in(struct world *world, const char *group)
{
	const struct text names[] = { text_of(group) };
	struct list_query query = { .kind = LIST_GROUPS,
		.order = ORDER_ACTIVE,
		.groups = names,
		.group_count = 1,
		.page = 1 };
	struct text ids = TEXT("");
	struct list list;

	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	for (size_t i = 0; i < list.count; i++)
		ids =
		    text_format(&world->arena, "%.*s%s%" PRIu64, TEXT_ARGS(ids),
			i > 0 ? " " : "", list.articles[i].post.id.article);
	return ids;
}

static void
order_by_last_comments_follows_the_groups(void **state)
{
	struct world *world = *state;
	uint64_t first, last;

	begin(world);
	first = post(world, "http://a.example/", "redis");
	post(world, "http://b.example/", "chess");
	last = post(world, "http://c.example/", "chess redis");
	world_move_clock(world, 60);
	world_comment(world, article_id(last), 1, "Once");
	world_move_clock(world, 60);
	world_comment(world, article_id(first), 1, "Twice");
	assert_text(active_in(world, "chess"), "3 2");
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("trees")), STORE_OK);
	assert_text(active_in(world, "trees"), "1 3");
	assert_int_equal(
	    DO(group_merge, world, TEXT("trees"), TEXT("chess")), STORE_OK);
	assert_text(active_in(world, "chess"), "1 3 2");
	assert_text(active_in(world, "trees"), "");
	assert_int_equal(DO(group_delete, world, TEXT("chess")), STORE_OK);
	assert_text(active_in(world, "chess"), "");
	check_whole(world);
}

static struct text
untaking(struct world *world, const char *names, enum group_refusal *why)
{
	struct text name;

	assert_int_equal(group_find_unusable(&world->store, &world->arena,
			     text_of(names), 0, &name, why),
	    STORE_OK);
	return name;
}

static void
closed_group_takes_no_articles_until_it_is_opened(void **state)
{
	struct world *world = *state;
	enum group_refusal why;
	uint64_t id;

	begin(world);
	id = post(world, "http://a.example/1", "redis");
	assert_int_equal(DO(group_close, world, TEXT("redis")), STORE_OK);
	assert_int_equal(DO(group_close, world, TEXT("redis")), STORE_OK);
	assert_int_equal(group_named(world, "redis").closed, NOON);
	assert_text(untaking(world, "chess redis", &why), "redis");
	assert_int_equal(why, GROUP_CLOSED);
	assert_text(world_article(world, id, 0).groups, "redis");
	/* What it had is put back into it. */
	world_remove(world, id);
	assert_int_equal(restore(world, id), STORE_OK);
	assert_text(world_article(world, id, 0).groups, "redis");
	assert_int_equal(DO(group_open, world, TEXT("redis")), STORE_OK);
	assert_int_equal(DO(group_open, world, TEXT("redis")), STORE_OK);
	assert_text(untaking(world, "chess redis", &why), "");
	assert_int_equal(world_log(world, "group-closed").count, 1);
	assert_int_equal(world_log(world, "group-opened").count, 1);
	assert_int_equal(DO(group_close, world, TEXT("none")), STORE_ABSENT);
	assert_int_equal(DO(group_open, world, TEXT("none")), STORE_ABSENT);
}

static void
deleted_group_leaves_its_articles(void **state)
{
	struct world *world = *state;
	struct group again = { .name = TEXT("redis"), .title = TEXT("Anew") };
	uint64_t only, both, removed;
	struct group gone;

	begin(world);
	only = post(world, "http://a.example/1", "redis");
	both = post(world, "http://a.example/2", "redis chess");
	removed = post(world, "http://a.example/3", "chess redis");
	world_remove(world, removed);
	assert_int_equal(DO(group_delete, world, TEXT("redis")), STORE_OK);
	assert_text(world_article(world, only, 0).groups, "");
	assert_text(world_article(world, both, 0).groups, "chess");
	assert_int_equal(
	    group_get(&world->store, &world->arena, TEXT("redis"), &gone),
	    STORE_ABSENT);
	assert_text(listed(world), "chess trains");
	assert_int_equal(restore(world, removed), STORE_OK);
	assert_text(world_article(world, removed, 0).groups, "chess");
	check_whole(world);
	assert_int_equal(DO(group_delete, world, TEXT("redis")), STORE_ABSENT);
	assert_int_equal(world_log(world, "group-deleted").count, 1);
	assert_int_equal(
	    group_create(&world->store, &world->arena, &again), STORE_OK);
}

/* Removed articles are in no list that is moved; they get the groups' new names when
 * restored. */
static void
removed_articles_follow_their_groups(void **state)
{
	struct world *world = *state;
	uint64_t id;

	begin(world);
	id = post(world, "http://a.example/1", "redis chess trains");
	world_remove(world, id);
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("rdb")), STORE_OK);
	assert_int_equal(
	    DO(group_rename, world, TEXT("rdb"), TEXT("valkey")), STORE_OK);
	assert_int_equal(
	    DO(group_merge, world, TEXT("chess"), TEXT("trains")), STORE_OK);
	assert_int_equal(restore(world, id), STORE_OK);
	assert_text(world_article(world, id, 0).groups, "valkey trains");
	check_whole(world);
}

static void
lead(struct world *world, const char *name, const char *into)
{
	world_command(world, TEXT("HSET"),
	    key_group(&world->arena, text_of(name)), TEXT("into"),
	    text_of(into));
}

/* A rename interrupted after the former name redirected, or while articles were moved;
 * and one back to a former name. */
static void
interrupted_renaming_is_completed(void **state)
{
	struct world *world = *state;
	struct group half;
	uint64_t id;

	begin(world);
	id = post(world, "http://a.example/1", "redis");
	lead(world, "redis", "valkey");
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("valkey")), STORE_OK);
	assert_text(world_article(world, id, 0).groups, "valkey");
	assert_text(group_named(world, "valkey").title, "redis");
	assert_text(listed(world), "chess trains valkey");
	check_whole(world);
	lead(world, "valkey", "redis");
	assert_int_equal(
	    DO(group_rename, world, TEXT("valkey"), TEXT("redis")), STORE_OK);
	assert_text(world_article(world, id, 0).groups, "redis");
	assert_text(group_named(world, "redis").into, "");
	assert_text(listed(world), "chess redis trains");

	id = post(world, "http://a.example/2", "chess");
	half = group_named(world, "chess");
	half.name = TEXT("go");
	assert_int_equal(
	    group_create(&world->store, &world->arena, &half), STORE_OK);
	lead(world, "chess", "go");
	assert_int_equal(
	    DO(group_rename, world, TEXT("chess"), TEXT("go")), STORE_OK);
	assert_text(world_article(world, id, 0).groups, "go");
	assert_text(listed(world), "go redis trains");
	/* The action was logged at the beginning. */
	assert_int_equal(world_log(world, "group-renamed").count, 0);
	check_whole(world);
}

static void
interrupted_deletion_is_completed(void **state)
{
	struct world *world = *state;
	struct group gone;
	uint64_t id;

	begin(world);
	id = post(world, "http://a.example/1", "redis");
	world_command(world, TEXT("ZREM"), KEY_GROUPS, TEXT("redis"));
	assert_int_equal(DO(group_delete, world, TEXT("redis")), STORE_OK);
	assert_text(world_article(world, id, 0).groups, "");
	assert_int_equal(
	    group_get(&world->store, &world->arena, TEXT("redis"), &gone),
	    STORE_ABSENT);
	check_whole(world);
}

/* A list with an article that is not in the group is a break: the move ends. */
static void
broken_list_ends_the_move(void **state)
{
	struct world *world = *state;
	uint64_t id;

	begin(world);
	id = post(world, "http://a.example/1", "redis");
	world_command(world, TEXT("HDEL"),
	    key_post(&world->arena, &world->store.buckets, article_id(id)),
	    TEXT("groups"));
	assert_int_equal(DO(group_delete, world, TEXT("redis")), STORE_DOWN);
}

static void
former_names_lead_to_the_current_one(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world);

	begin(world);
	post(world, "http://a.example/1", "redis");
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("valkey")), STORE_OK);
	assert_status(browser_get(&reader, "/g/redis?order=new"), 301);
	assert_has(reader.answer.location, "/g/valkey");
	assert_status(browser_get(&reader, "/g/valkey"), 200);
	assert_text(browser_ids(&reader), "1");
	assert_status(browser_get(&reader, "/g/chess+redis"), 301);
	assert_has(reader.answer.location, "valkey");
	assert_status(browser_follow(&reader), 200);
	assert_int_equal(DO(group_delete, world, TEXT("valkey")), STORE_OK);
	assert_status(browser_get(&reader, "/g/valkey"), 404);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(group_gets_another_title),
		world_test(renamed_group_has_its_articles_and_redirects),
		world_test(group_gets_its_former_name_back),
		world_test(former_names_cannot_be_created),
		world_test(merged_group_has_the_articles_of_both),
		world_test(order_by_last_comments_follows_the_groups),
		world_test(closed_group_takes_no_articles_until_it_is_opened),
		world_test(deleted_group_leaves_its_articles),
		world_test(removed_articles_follow_their_groups),
		world_test(interrupted_renaming_is_completed),
		world_test(interrupted_deletion_is_completed),
		world_test(broken_list_ends_the_move),
		world_test(former_names_lead_to_the_current_one),
	};

	return world_run("regroup", tests);
}
