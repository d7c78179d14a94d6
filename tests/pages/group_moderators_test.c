/* Moderators of groups: who appoints them, and what they may do. */
#include "../support/browser.h"
#include "../support/commands.h"
#include "lists/mod_queue.h"
#include "store/close_account.h"
#include "store/flag.h"
#include "store/group_admin.h"
#include "store/relay.h"
#include "store/settings.h"

struct scene {
	struct world *world;
	struct browser owner, gina, ann;
};

/* Gina moderates redis, and not chess. */
static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };

	world_group(world, "redis");
	world_group(world, "chess");
	world_move_clock(world, 100);
	scene.owner = browser_owner(world, "olga");
	scene.gina = browser_member(world, "gina");
	scene.ann = browser_member(world, "ann");
	assert_status(browser_get(&scene.owner, "/g/redis/moderators"), 200);
	assert_holds(&scene.owner, "no moderators of its own");
	assert_status(
	    browser_post(&scene.owner, "/g/redis/moderators",
		FIELDS("do", "appoint", "name", "GINA", "reason", "Asked.")),
	    303);
	return scene;
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

static void
owners_appoint_and_dismiss(void **state)
{
	struct scene scene = begin(*state);
	struct relay *relay = relay_new(&scene.world->store, TEXT("test"));

	assert_text(group_named(scene.world, "redis").moderators, "2 gina");
	assert_status(browser_get(&scene.ann, "/g/redis"), 200);
	assert_holds(&scene.ann, "<a href=\"/u/gina\"><bdi>gina</bdi></a>");
	assert_lacks(&scene.ann, "Moderate</a>");
	assert_status(browser_get(&scene.gina, "/g/redis"), 200);
	assert_holds(&scene.gina, "href=\"/groups/redis\"");
	while (relay_step(relay) == 0)
		;
	assert_status(browser_get(&scene.gina, "/inbox"), 200);
	assert_holds(&scene.gina, "You’re a moderator of redis now");
	assert_holds(&scene.gina, "Asked.");
	assert_status(browser_get(&scene.ann, "/log"), 200);
	assert_holds(&scene.ann, "<b>a moderator of</b>");
	assert_status(browser_post(&scene.ann, "/g/redis/moderators",
			  FIELDS("do", "appoint", "name", "ann")),
	    403);
	assert_status(browser_post(&scene.gina, "/g/redis/moderators",
			  FIELDS("do", "appoint", "name", "ann")),
	    403);
	browser_get(&scene.owner, "/g/redis/moderators");
	assert_status(browser_post(&scene.owner, "/g/redis/moderators",
			  FIELDS("do", "appoint", "name", "nobody")),
	    422);
	assert_holds(&scene.owner, "There’s no member with that name.");
	assert_status(browser_post(&scene.owner, "/g/redis/moderators",
			  FIELDS("do", "dismiss", "name", "ann")),
	    422);
	assert_status(browser_post(&scene.owner, "/g/redis/moderators",
			  FIELDS("do", "dismiss", "name", "gina")),
	    303);
	assert_text(group_named(scene.world, "redis").moderators, "");
	assert_status(browser_get(&scene.gina, "/groups/redis"), 403);
	while (relay_step(relay) == 0)
		;
	assert_status(browser_get(&scene.gina, "/inbox"), 200);
	assert_holds(&scene.gina, "You’re no longer a moderator of redis");
	relay_free(relay);
	commands_assert_whole(scene.world);
}

static void
moderators_are_bounded_and_step_down(void **state)
{
	struct scene scene = begin(*state);
	struct arena *arena = &scene.world->arena;

	for (int i = 0; i < RULE_GROUP_MODERATORS_MAX; i++) {
		const char *name = fixture_string(arena, "member%d", i);
		bool is_last = i == RULE_GROUP_MODERATORS_MAX - 1;

		world_member(scene.world, name);
		browser_get(&scene.owner, "/g/redis/moderators");
		assert_status(browser_post(&scene.owner, "/g/redis/moderators",
				  FIELDS("do", "appoint", "name", name)),
		    is_last ? 422 : 303);
	}
	assert_holds(&scene.owner, "maximum number of moderators");
	assert_status(browser_get(&scene.gina, "/g/redis/moderators"), 200);
	assert_status(browser_post(&scene.ann, "/g/redis/resign", NULL), 403);
	assert_status(browser_post(&scene.gina, "/g/redis/resign", NULL), 303);
	assert_false(group_has_moderator(
	    &(struct group){
		.moderators = group_named(scene.world, "redis").moderators },
	    2));
	assert_int_equal(world_log(scene.world, "group-dismissed").count, 1);
}

static void
they_edit_their_group_alone(void **state)
{
	struct scene scene = begin(*state);
	struct browser *gina = &scene.gina;

	assert_status(browser_get(gina, "/groups/redis"), 200);
	assert_lacks(gina, "value=\"merge\"");
	assert_status(browser_post(gina, "/groups/redis",
			  FIELDS("do", "title", "title", "Redis!")),
	    303);
	assert_status(browser_post(gina, "/groups/redis",
			  FIELDS("do", "texts", "description", "Hers.")),
	    303);
	assert_text(group_named(scene.world, "redis").description, "Hers.");
	assert_status(browser_post(gina, "/groups/redis",
			  FIELDS("do", "name", "name", "valkey")),
	    403);
	assert_status(
	    browser_post(gina, "/groups/redis", FIELDS("do", "delete")), 403);
	assert_status(browser_get(gina, "/groups/chess"), 403);
	assert_status(browser_post(gina, "/groups/chess",
			  FIELDS("do", "title", "title", "No")),
	    403);
	assert_status(browser_get(gina, "/moderation"), 403);
	assert_status(browser_get(&scene.ann, "/groups/redis"), 403);
}

/* Where owners require a second factor of moderators, it is required of those of a group. */
static void
they_need_a_second_factor_where_owners_require_it(void **state)
{
	struct scene scene = begin(*state);
	struct settings settings;

	assert_int_equal(
	    settings_get(&scene.world->store, &scene.world->arena, &settings),
	    STORE_OK);
	settings.moderator_factor = TEXT(RULE_FACTOR_REQUIRED);
	assert_int_equal(
	    settings_set(&scene.world->store, &scene.world->arena, &settings),
	    STORE_OK);
	assert_status(browser_get(&scene.gina, "/groups/redis"), 403);
	assert_holds(&scene.gina, "You need a second factor for this");
}

static enum http_status
submit(struct browser *browser, const char *url, const char *groups)
{
	browser_get(browser, "/submit");
	return browser_post(browser, "/submit",
	    FIELDS("title", "T", "url", url, "groups", groups));
}

static void
only_they_post_where_they_say_so(void **state)
{
	struct scene scene = begin(*state);
	const char *article;
	uint64_t id;

	assert_status(submit(&scene.ann, "http://a.example/", "redis"), 303);
	id = browser_article(&scene.ann);
	article = fixture_string(
	    &scene.world->arena, "/articles/%llu", (unsigned long long)id);
	browser_get(&scene.gina, "/groups/redis");
	assert_status(browser_post(&scene.gina, "/groups/redis",
			  FIELDS("do", "restrict", "reason", "A newsletter.")),
	    303);
	assert_status(submit(&scene.ann, "http://b.example/", "redis"), 422);
	assert_holds(&scene.ann, "Only its moderators can post in the group");
	assert_status(browser_get(&scene.ann, "/g/redis"), 200);
	assert_holds(&scene.ann, "only its moderators post here");
	/* What was there before stays, also when its author files it elsewhere. */
	assert_status(browser_get(&scene.ann, article), 200);
	assert_status(
	    browser_post(&scene.ann,
		fixture_string(&scene.world->arena, "%s/groups", article),
		FIELDS("add", "chess")),
	    303);
	assert_text(world_article(scene.world, id, 0).groups, "redis chess");
	assert_status(submit(&scene.gina, "http://b.example/", "redis"), 303);
	assert_status(submit(&scene.owner, "http://c.example/", "redis"), 303);
	browser_get(&scene.gina, "/groups/redis");
	assert_status(browser_post(&scene.gina, "/groups/redis",
			  FIELDS("do", "unrestrict")),
	    303);
	assert_status(submit(&scene.ann, "http://d.example/", "redis"), 303);
	assert_int_equal(world_log(scene.world, "group-restricted").count, 1);
}

static struct text
groups_of(const struct scene *scene, uint64_t id)
{
	return world_article(scene->world, id, 0).groups;
}

static uint64_t
file(struct browser *browser, const char *url, const char *groups)
{
	assert_status(submit(browser, url, groups), 303);
	return browser_article(browser);
}

/* A path with the number of an article. */
static const char *
path(const struct scene *scene, const char *format, uint64_t id)
{
	return fixture_string(
	    &scene->world->arena, format, (unsigned long long)id);
}

/* What is taken out stays out, until it is put back. */
static void
they_take_articles_out_and_back(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct relay *relay = relay_new(&world->store, TEXT("test"));
	uint64_t id;

	id = file(&scene.ann, "http://a.example/", "redis chess");
	assert_status(
	    browser_get(&scene.gina, path(&scene, "/articles/%llu", id)), 200);
	assert_holds(&scene.gina, "Take out of <bdi>redis</bdi>");
	assert_lacks(&scene.gina, "Take out of <bdi>chess</bdi>");
	assert_lacks(&scene.gina, "Remove this article");
	assert_status(
	    browser_get(&scene.ann, path(&scene, "/articles/%llu", id)), 200);
	assert_lacks(&scene.ann, "Take out of");
	assert_status(
	    browser_post(&scene.ann, path(&scene, "/g/redis/articles/%llu", id),
		FIELDS("do", "out")),
	    403);
	assert_status(browser_post(&scene.gina,
			  path(&scene, "/g/chess/articles/%llu", id),
			  FIELDS("do", "out")),
	    403);
	assert_status(browser_post(&scene.gina,
			  path(&scene, "/g/redis/articles/%llu", id),
			  FIELDS("do", "sideways")),
	    400);
	assert_status(browser_post(&scene.gina, "/g/redis/articles/99",
			  FIELDS("do", "out")),
	    404);
	for (int i = 0; i < 2; i++)
		assert_status(
		    browser_post(&scene.gina,
			path(&scene, "/g/redis/articles/%llu", id),
			FIELDS("do", "out", "reason", "Not about it.")),
		    303);
	assert_text(groups_of(&scene, id), "chess");
	assert_int_equal(world_log(world, "barred").count, 1);
	while (relay_step(relay) == 0)
		;
	assert_status(browser_get(&scene.ann, "/inbox"), 200);
	assert_holds(
	    &scene.ann, "Your article was taken out of the group redis");
	assert_holds(&scene.ann, "Not about it.");
	assert_status(browser_get(&scene.ann, "/g/redis"), 200);
	assert_lacks(&scene.ann, "a.example");
	assert_status(browser_get(&scene.ann, "/log"), 200);
	assert_holds(&scene.ann, "<b>out of</b>");
	/* Nobody files it there again, its author or a moderator of the site. */
	browser_get(&scene.ann, path(&scene, "/articles/%llu", id));
	assert_holds(&scene.ann, "Moderators took this article out of");
	assert_status(
	    browser_post(&scene.ann, path(&scene, "/articles/%llu/groups", id),
		FIELDS("add", "redis")),
	    422);
	assert_holds(&scene.ann,
	    "Moderators took this article out of the group “redis”.");
	browser_get(&scene.ann, path(&scene, "/articles/%llu/edit", id));
	assert_status(
	    browser_post(&scene.ann, path(&scene, "/articles/%llu/edit", id),
		FIELDS("title", "T", "groups", "redis chess")),
	    422);
	browser_get(&scene.owner, path(&scene, "/articles/%llu", id));
	assert_status(browser_post(&scene.owner,
			  path(&scene, "/articles/%llu/groups", id),
			  FIELDS("add", "redis")),
	    422);
	assert_text(groups_of(&scene, id), "chess");
	assert_int_equal(article_set_groups(&world->store, &world->arena, id,
			     TEXT("redis"), TEXT("")),
	    STORE_OK);
	assert_text(groups_of(&scene, id), "chess");
	commands_assert_whole(world);
	browser_get(&scene.gina, path(&scene, "/articles/%llu", id));
	assert_holds(&scene.gina, "Put back into <bdi>redis</bdi>");
	for (int i = 0; i < 2; i++)
		assert_status(browser_post(&scene.gina,
				  path(&scene, "/g/redis/articles/%llu", id),
				  FIELDS("do", "back")),
		    303);
	assert_text(groups_of(&scene, id), "chess redis");
	assert_int_equal(world_log(world, "unbarred").count, 1);
	while (relay_step(relay) == 0)
		;
	assert_status(browser_get(&scene.ann, "/inbox"), 200);
	assert_holds(
	    &scene.ann, "Your article was put back into the group redis");
	relay_free(relay);
	commands_assert_whole(world);
}

/* Not against themselves, those above them, or what those did. */
static void
they_act_on_members_alone(void **state)
{
	struct scene scene = begin(*state);
	struct browser *gina = &scene.gina;
	uint64_t owners, ginas, anns;

	owners = file(&scene.owner, "http://o.example/", "redis");
	ginas = file(gina, "http://g.example/", "redis");
	anns = file(&scene.ann, "http://a.example/", "redis");
	browser_get(gina, path(&scene, "/articles/%llu", ginas));
	assert_lacks(gina, "Take out of");
	assert_status(
	    browser_post(gina, path(&scene, "/g/redis/articles/%llu", owners),
		FIELDS("do", "out")),
	    403);
	assert_holds(gina, "Another moderator has to decide this");
	assert_status(
	    browser_post(gina, path(&scene, "/g/redis/articles/%llu", ginas),
		FIELDS("do", "out")),
	    403);
	/* What the site's took out, these alone put back. */
	browser_get(&scene.owner, path(&scene, "/articles/%llu", anns));
	assert_status(browser_post(&scene.owner,
			  path(&scene, "/g/redis/articles/%llu", anns),
			  FIELDS("do", "out")),
	    303);
	assert_text(groups_of(&scene, anns), "");
	browser_get(gina, path(&scene, "/articles/%llu", anns));
	assert_lacks(gina, "Put back");
	assert_status(
	    browser_post(gina, path(&scene, "/g/redis/articles/%llu", anns),
		FIELDS("do", "back")),
	    403);
	assert_status(browser_post(&scene.owner,
			  path(&scene, "/g/redis/articles/%llu", anns),
			  FIELDS("do", "back")),
	    303);
	assert_text(groups_of(&scene, anns), "redis");
}

#define DO(function, world, ...) \
	function(&(world)->store, &(world)->arena, __VA_ARGS__, \
	    (struct mod_action){ .reason = TEXT("") })

static void
renaming_and_dumping_keep_them(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct text dump;

	assert_int_equal(DO(group_restrict, world, TEXT("redis")), STORE_OK);
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("valkey")), STORE_OK);
	assert_text(group_named(world, "valkey").moderators, "2 gina");
	assert_text(group_named(world, "redis").moderators, "");
	assert_int_equal(
	    DO(group_rename, world, TEXT("valkey"), TEXT("redis")), STORE_OK);
	assert_text(group_named(world, "redis").moderators, "2 gina");
	assert_true(group_named(world, "redis").restricted != 0);
	commands_assert_whole(world);
	dump = commands_dump(world).out;
	assert_true(
	    text_find(dump, 0, TEXT("\"moderators\":[\"gina\"]")) != SIZE_MAX);
	assert_same(
	    commands_dump_again(world, world_now(world), dump, 4), dump);
	/* Another group's moderators do not become moderators of what it is merged into. */
	assert_int_equal(
	    DO(group_merge, world, TEXT("redis"), TEXT("chess")), STORE_OK);
	assert_text(group_named(world, "chess").moderators, "");
	commands_assert_whole(world);
}

static void
hold_first_posts(struct world *world)
{
	struct settings settings;

	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.hold_first = TEXT("on");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
}

/* Flagged and held articles of the group, and of no other; also behind many of others. */
static void
they_see_the_queue_of_their_group(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser new = browser_newcomer(world, "new"),
		       *gina = &scene.gina;
	uint64_t flagged, held, other;

	assert_status(browser_get(gina, "/g/redis/moderation"), 200);
	assert_holds(gina, "The queue is empty.");
	assert_status(browser_get(gina, "/g/chess/moderation"), 403);
	assert_status(browser_get(&scene.ann, "/g/redis/moderation"), 403);
	flagged = file(&scene.ann, "http://flagged.example/", "redis");
	other = file(&scene.ann, "http://other.example/", "chess");
	assert_int_equal(flag_set(&world->store, &world->arena,
			     article_id(other), 1, FLAG_SPAM),
	    STORE_OK);
	assert_int_equal(flag_set(&world->store, &world->arena,
			     article_id(flagged), 1, FLAG_SPAM),
	    STORE_OK);
	hold_first_posts(world);
	held = file(&new, "http://held.example/", "redis");
	assert_status(browser_get(gina, "/g/redis/moderation"), 200);
	assert_holds(gina, "http://flagged.example/");
	assert_holds(gina, "http://held.example/");
	assert_holds(gina, "not shown yet");
	assert_holds(gina, "<b>Spam</b> (1)");
	assert_lacks(gina, "http://other.example/");
	/* Who flagged it is not said to them. */
	assert_lacks(gina, "/u/olga");
	/* What waits is shown to them, and to nobody else. */
	assert_status(
	    browser_get(gina, path(&scene, "/articles/%llu", held)), 200);
	assert_status(
	    browser_get(&scene.ann, path(&scene, "/articles/%llu", held)), 404);
	assert_status(
	    browser_post(gina, path(&scene, "/articles/%llu/dismiss", held),
		FIELDS("do", "keep")),
	    403);
	assert_status(browser_get(gina, "/g/redis/moderation"), 200);
	for (int i = 0; i < 2; i++)
		assert_status(browser_post(gina,
				  path(&scene, "/g/redis/articles/%llu",
				      i == 0 ? held : flagged),
				  FIELDS("do", "out", "return_to",
				      "/g/redis/moderation")),
		    303);
	assert_status(browser_get(gina, "/g/redis/moderation"), 200);
	assert_holds(gina, "The queue is empty.");
	assert_status(
	    browser_get(gina, path(&scene, "/articles/%llu", held)), 404);
	assert_text(groups_of(&scene, held), "");
	assert_text(groups_of(&scene, flagged), "");
	commands_assert_whole(world);
	/* Once it is kept, it is not in that group. */
	browser_get(&scene.owner, "/moderation");
	assert_status(browser_post(&scene.owner,
			  path(&scene, "/articles/%llu/dismiss", held),
			  FIELDS("do", "keep")),
	    303);
	assert_status(browser_get(&scene.ann, "/g/redis"), 200);
	assert_lacks(&scene.ann, "held.example");
	commands_assert_whole(world);
}

/* Pages of what is in the group, wherever it stands in the whole queue. */
static void
queues_of_groups_have_pages(void **state)
{
	enum { OTHERS = 600, FLAGGED = 30 };
	struct world *world = *state;
	struct mod_queue_page queue;
	uint64_t id;

	world_group(world, "redis");
	world_member(world, "ann");
	world_member(world, "ben");
	for (int i = 0; i < OTHERS + FLAGGED; i++) {
		id = world_post(world, 1, "T",
		    fixture_string(&world->arena, "http://%d.example/", i),
		    i % 21 == 20 ? "redis" : "");
		assert_int_equal(flag_set(&world->store, &world->arena,
				     article_id(id), 2, FLAG_SPAM),
		    STORE_OK);
	}
	assert_int_equal(mod_queue_read_group(&world->store, &world->arena,
			     TEXT("redis"), 1, NULL, &queue),
	    STORE_OK);
	assert_int_equal(queue.count, MOD_QUEUE_PAGE);
	assert_true(queue.more);
	assert_int_equal(mod_queue_read_group(&world->store, &world->arena,
			     TEXT("redis"), 2, NULL, &queue),
	    STORE_OK);
	assert_int_equal(queue.count, FLAGGED - MOD_QUEUE_PAGE);
	assert_false(queue.more);
	assert_text(queue.items[0].article.groups, "redis");
}

/* Also through a new name of the group, a removal and a dump; and what is filed there all the
 * same is found, and taken out. */
static void
barriers_last(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct text dump;
	uint64_t id;

	id = file(&scene.ann, "http://a.example/", "redis chess");
	browser_get(&scene.gina, path(&scene, "/articles/%llu", id));
	assert_status(browser_post(&scene.gina,
			  path(&scene, "/g/redis/articles/%llu", id),
			  FIELDS("do", "out")),
	    303);
	world_remove(world, id);
	assert_int_equal(
	    article_restore(&world->store, &world->arena, id,
		&(struct mod_action){ .what = mod_action_words[MOD_RESTORED],
		    .article = id,
		    .reason = TEXT("") }),
	    STORE_OK);
	assert_text(groups_of(&scene, id), "chess");
	dump = commands_dump(world).out;
	assert_true(
	    text_find(dump, 0, TEXT("\"barred\":[\"redis\"]")) != SIZE_MAX);
	assert_same(
	    commands_dump_again(world, world_now(world), dump, 4), dump);
	assert_int_equal(
	    DO(group_rename, world, TEXT("redis"), TEXT("valkey")), STORE_OK);
	browser_get(&scene.ann, path(&scene, "/articles/%llu", id));
	assert_status(
	    browser_post(&scene.ann, path(&scene, "/articles/%llu/groups", id),
		FIELDS("add", "valkey")),
	    422);
	assert_text(groups_of(&scene, id), "chess");
	browser_get(&scene.gina, path(&scene, "/articles/%llu", id));
	assert_status(browser_post(&scene.gina,
			  path(&scene, "/g/valkey/articles/%llu", id),
			  FIELDS("do", "back")),
	    303);
	assert_text(groups_of(&scene, id), "chess valkey");
	commands_assert_whole(world);
	world_command(world, TEXT("HSET"),
	    key_post(&world->arena, &world->store.buckets, article_id(id)),
	    TEXT("barred"), TEXT("valkey"));
	commands_assert_break(world, "taken out of");
	assert_int_equal(commands_repair(world).status, 0);
	assert_text(groups_of(&scene, id), "chess");
	commands_assert_whole(world);
}

static void
closed_accounts_moderate_nothing(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct user gina = world_user(world, 2);

	assert_int_equal(
	    close_account(&world->store, &world->arena, &gina, 0), STORE_OK);
	assert_text(group_named(world, "redis").moderators, "");
	commands_assert_whole(world);
	/* One that was left is found and taken off, and of another it is noted. */
	assert_int_equal(group_set(&world->store, &world->arena, TEXT("redis"),
			     TEXT("moderators"), TEXT("3 ann")),
	    STORE_OK);
	commands_assert_break(world, "its moderator ann has no note of it");
	assert_int_equal(group_set(&world->store, &world->arena, TEXT("redis"),
			     TEXT("moderators"), TEXT("2 gina 3 ann")),
	    STORE_OK);
	commands_assert_break(world, "its moderator gina has closed");
	assert_int_equal(commands_repair(world).status, 0);
	assert_true(world_user(world, 3).moderates != 0);
	assert_text(group_named(world, "redis").moderators, "3 ann");
}

/* Neither the author, who cannot post it again, nor another account. */
static void
withdrawn_articles_stay_out_when_posted_again(void **state)
{
	struct scene scene = begin(*state);
	struct browser pam = browser_member(scene.world, "pam");
	uint64_t id = file(&scene.ann, "http://a.example/", "redis chess");

	browser_get(&scene.gina, path(&scene, "/articles/%llu", id));
	assert_status(browser_post(&scene.gina,
			  path(&scene, "/g/redis/articles/%llu", id),
			  FIELDS("do", "out")),
	    303);
	browser_get(&scene.ann, path(&scene, "/articles/%llu/edit", id));
	assert_status(browser_post(&scene.ann,
			  path(&scene, "/articles/%llu/withdraw", id), NULL),
	    303);
	submit(&scene.ann, "http://a.example/", "redis chess");
	assert_status(browser_get(&scene.ann, "/g/redis"), 200);
	assert_lacks(&scene.ann, "a.example");
	id = file(&pam, "http://a.example/", "redis chess");
	assert_text(groups_of(&scene, id), "chess");
	browser_get(&pam, path(&scene, "/articles/%llu", id));
	assert_holds(&pam, "Moderators took this article out of");
	assert_status(
	    browser_post(&pam, path(&scene, "/articles/%llu/groups", id),
		FIELDS("add", "redis")),
	    422);
	commands_assert_whole(scene.world);
	browser_get(&scene.gina, path(&scene, "/articles/%llu", id));
	assert_status(browser_post(&scene.gina,
			  path(&scene, "/g/redis/articles/%llu", id),
			  FIELDS("do", "back")),
	    303);
	assert_text(groups_of(&scene, id), "chess redis");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(owners_appoint_and_dismiss),
		world_test(moderators_are_bounded_and_step_down),
		world_test(they_edit_their_group_alone),
		world_test(they_need_a_second_factor_where_owners_require_it),
		world_test(only_they_post_where_they_say_so),
		world_test(they_take_articles_out_and_back),
		world_test(they_act_on_members_alone),
		world_test(they_see_the_queue_of_their_group),
		world_test(queues_of_groups_have_pages),
		world_test(barriers_last),
		world_test(withdrawn_articles_stay_out_when_posted_again),
		world_test(renaming_and_dumping_keep_them),
		world_test(closed_accounts_moderate_nothing),
	};

	return world_run("group moderators", tests);
}
