/*
 * The public log: filters in the address, and moderators' names hidden if the owners
 * want that.
 */
#include "../support/browser.h"
#include "lists/merge.h"
#include "lists/mod_log.h"
#include "store/keys.h"
#include "store/settings.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
hide_names(struct world *world)
{
	struct settings settings = settings_default();

	settings.log_names = TEXT(RULE_LOG_UNNAMED);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
}

/* Maximilian removes article 1, by ann. */
static struct browser
begin(struct world *world)
{
	struct browser max = browser_moderator(world, "maximilian");
	uint64_t ann = world_member(world, "ann");

	world_post(world, ann, "A", "http://a.example/", "");
	assert_status(browser_post(&max, "/articles/1/remove",
			  FIELDS("reason", "An <ad>")),
	    303);
	return max;
}

static void
log_is_public(void **state)
{
	struct world *world = *state;
	struct browser nobody = browser_open(world);

	begin(world);
	assert_status(browser_get(&nobody, "/log"), 200);
	assert_holds(&nobody, "/u/maximilian\"><bdi>maximilian</bdi></a>");
	assert_holds(&nobody, "<b>removed</b>");
	assert_holds(&nobody, "/articles/1\"><q><bdi>A</bdi></q></a>");
	assert_holds(&nobody, "/u/ann\"><bdi>ann</bdi></a>");
	assert_holds(&nobody, ">An &lt;ad&gt;</p>");
	assert_int_equal(nobody.answer.cache, CACHE_ONE_SECOND);
}

/* What its author has withdrawn, and what was never shown, is named to nobody. */
static void
log_names_no_withdrawn_or_held_articles(void **state)
{
	struct world *world = *state;
	struct browser max = begin(world), ann;
	struct settings settings;
	const char *held;

	ann = browser_newcomer(world, "new");
	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.hold_first = TEXT(RULE_HOLD_ON);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	assert_status(
	    browser_post(&ann, "/submit",
		FIELDS("title", "Hidden words", "url", "http://b.example/")),
	    303);
	held = fixture_string(
	    &world->arena, "%.*s", TEXT_ARGS(ann.answer.location));
	assert_status(
	    browser_post(
		&max, fixture_string(&world->arena, "%s/remove", held), NULL),
	    303);
	assert_status(browser_get(&max, "/log"), 200);
	assert_holds(
	    &max, fixture_string(&world->arena, "%s\">article ", held));
	assert_lacks(&max, "Hidden words");
	assert_holds(&max, "<q><bdi>A</bdi></q>");
}

static void
filters_select_entries(void **state)
{
	static const struct {
		const char *address;
		int status;
		bool shows;
	} cases[] = { { "/log?kind=removed", 200, true },
		{ "/log?kind=restored", 200, false },
		{ "/log?kind=nonsense", 400, false },
		{ "/log?member=ann", 200, true },
		{ "/log?member=ANN", 200, true },
		{ "/log?member=maximilian", 200, false },
		{ "/log?member=nobody", 404, false },
		{ "/log?moderator=maximilian", 200, true },
		{ "/log?moderator=ann", 200, false },
		{ "/log?moderator=nobody", 404, false },
		{ "/log?kind=removed&member=ann&moderator=maximilian", 200,
		    true },
		{ "/log?kind=removed&member=ann&moderator=ann", 200, false },
		{ "/log?page=2", 303, false }, { "/log?page=0", 400, false },
		{ "/log?page=x", 400, false },
		{ "/log?kind=removed&member=ann&moderator=maximilian&page=9",
		    303, false } };
	struct world *world = *state;
	struct browser nobody = browser_open(world);

	begin(world);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_status(
		    browser_get(&nobody, cases[i].address), cases[i].status);
		if (cases[i].shows)
			assert_holds(&nobody, ">An &lt;ad&gt;</p>");
		else
			assert_lacks(&nobody, ">An &lt;ad&gt;</p>");
	}
}

/* Neither entries nor the answers to a filter reveal what a moderator did. */
static void
hidden_names_are_hidden(void **state)
{
	struct world *world = *state;
	struct browser nobody = browser_open(world);
	struct browser max = begin(world), bob = browser_member(world, "bob");
	struct browser *readers[] = { &nobody, &bob };

	hide_names(world);
	for (size_t i = 0; i < COUNT(readers); i++) {
		struct browser *reader = readers[i];

		assert_status(browser_get(reader, "/log"), 200);
		assert_holds(reader, "A moderator");
		assert_lacks(reader, "maximilian");
		assert_lacks(reader, "name=\"moderator\"");
		assert_status(
		    browser_get(reader, "/log?moderator=maximilian"), 403);
		assert_status(browser_get(reader, "/log?moderator=ann"), 403);
		assert_status(
		    browser_get(reader, "/log?moderator=nobody"), 403);
		assert_status(
		    browser_get(reader, "/log?member=ann&moderator=maximilian"),
		    403);
		/* The member concerned is public. */
		assert_status(browser_get(reader, "/log?member=ann"), 200);
		assert_lacks(reader, "maximilian");
		assert_status(browser_get(reader, "/articles/1"), 410);
		assert_lacks(reader, "maximilian");
	}
	assert_status(browser_get(&max, "/log?moderator=maximilian"), 200);
	assert_holds(&max, "/u/maximilian\"><bdi>maximilian</bdi></a>");
}

/* The page of an article reveals nothing either if the moderator who removed it is its
 * author: it says only that it was removed, and another moderator restores it. */
static void
removing_ones_own_article_reveals_nobody(void **state)
{
	struct world *world = *state;
	struct browser max = browser_moderator(world, "maximilian");
	struct browser nobody = browser_open(world), mod;

	hide_names(world);
	world_post(world, 1, "A", "http://a.example/", "");
	assert_status(browser_post(&max, "/articles/1/remove", NULL), 303);
	assert_status(browser_get(&nobody, "/articles/1"), 410);
	assert_holds(&nobody, "This article was removed");
	assert_lacks(&nobody, "withdr");
	mod = browser_moderator(world, "mod");
	assert_status(browser_post(&max, "/articles/1/restore", NULL), 403);
	assert_status(browser_post(&mod, "/articles/1/restore", NULL), 303);
	assert_int_equal(world_article(world, 1, 0).post.removed, 0);
}

/* The author of a removed article sees the reason, but not the moderator. */
static void
author_reads_the_reason(void **state)
{
	struct world *world = *state;
	struct browser max = browser_moderator(world, "maximilian");
	struct browser ann = browser_member(world, "ann");

	world_post(world, 2, "A", "http://a.example/", "");
	assert_status(browser_post(&max, "/articles/1/remove",
			  FIELDS("reason", "An advertisement")),
	    303);
	assert_status(browser_get(&ann, "/articles/1"), 410);
	assert_holds(&ann, "removed this article: <bdi>An advertisement</bdi>");
	assert_lacks(&ann, "maximilian");
	assert_status(browser_post(&max, "/articles/1/restore",
			  FIELDS("reason", "A mistake")),
	    303);
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "A mistake");
}

/* Appends that many actions to the log, spread over the buckets. */
static void
lengthen(struct world *world, int count)
{
	const struct buckets *buckets = &world->store.buckets;
	const char *script = "for i = 1, ARGV[1] do "
			     "redis.call('ZADD', KEYS[1], i, "
			     "struct.pack('>I6', i * 16 + ARGV[2])) end";

	for (uint64_t b = 0; b < buckets->count; b++)
		world_command(world, TEXT("EVAL"), text_of(script), TEXT("1"),
		    key_log(&world->arena, buckets, b, TEXT("")),
		    text_number(&world->arena, count / (int)buckets->count),
		    text_number(&world->arena, (int64_t)b));
}

/* The number of bytes in Redis's replies so far. */
static int64_t
answered(struct world *world)
{
	struct text info = reply_text((struct reply[]){
	    world_command(world, TEXT("INFO"), TEXT("stats")) });
	struct text name = TEXT("total_net_output_bytes:");
	struct text rest =
	    text_slice(info, text_find(info, 0, name) + name.size, info.size);
	struct text number;
	int64_t bytes = 0;

	assert_true(text_cut(&rest, '\r', &number));
	assert_true(text_to_i64(number, &bytes));
	return bytes;
}

/* With several buckets, a page costs all actions before it. So the log ends at the same
 * page as other lists, and only a few deep pages are read at once. */
static void
long_log_ends(void **state)
{
	struct world *world = *state;
	struct browser nobody = browser_open(world);
	bool is_merged = world->store.buckets.count > 1;
	size_t reading = 0;
	int64_t before;

	nobody.app.expensive = &reading;
	lengthen(world, 40000);
	before = answered(world);
	for (int i = 0; i < 20; i++)
		assert_true(browser_get(&nobody, "/log?page=700") >= 303);
	/* Each reads a megabyte. */
	assert_in_range(answered(world) - before, 1, 1000000);
	assert_status(
	    browser_get(&nobody, "/log?page=700"), is_merged ? 404 : 303);
	assert_int_equal(reading, 0);
	reading = MERGE_EXPENSIVE_MAX;
	assert_status(
	    browser_get(&nobody, "/log?page=200"), is_merged ? 503 : 303);
	assert_true(browser_get(&nobody, "/log") != 503);
	assert_true(browser_get(&nobody, "/log?page=2") != 503);
	assert_status(
	    browser_get(&nobody, "/log?page=801"), is_merged ? 404 : 303);
	if (is_merged)
		assert_holds(&nobody, "only 200 pages");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(log_is_public),
		world_test(log_names_no_withdrawn_or_held_articles),
		world_test(filters_select_entries),
		world_test(hidden_names_are_hidden),
		world_test(removing_ones_own_article_reveals_nobody),
		world_test(author_reads_the_reason),
		world_test(long_log_ends),
	};

	return world_run("log page", tests);
}
