/* What a vote is worth is changed by owners, and shown by every page as the lists are. */
#include "../support/browser.h"
#include "base/arena.h"
#include "base/cache.h"
#include "store/pace.h"
#include "store/settings.h"
#include "store/user.h"

enum { ARTICLES = 30 };

/* With articles that have votes. */
static struct browser
open_olga(struct world *world)
{
	struct browser owner;

	world_stop_clock(world, NOON);
	owner = browser_owner(world, "olga");
	for (int i = 0; i < ARTICLES; i++) {
		uint64_t id = world_post(world, 1, "T",
		    fixture_string(&world->arena, "http://a.b/%d", i), "go");

		for (int v = 0; v < i % 4; v++)
			world_vote(world, id, 50 + (uint64_t)v, VOTE_UP);
	}
	return owner;
}

#define SET(...) \
	FIELDS("name", "Byways", "registration", "open", "group_creation", \
	    "members", __VA_ARGS__)

static void
choose(struct browser *owner, const char *choice, const char *number)
{
	assert_status(browser_get(owner, "/settings/site"), 200);
	assert_status(browser_post(owner, "/settings/site",
			  SET("votes_a_day", choice, "votes_number", number)),
	    303);
}

static struct text
stored(struct world *world)
{
	struct settings settings;

	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	return settings.vote_score;
}

static int64_t
attribute(const struct browser *browser, uint64_t id, const char *name)
{
	int64_t number;

	assert_true(text_to_i64(browser_attribute(browser, id, name), &number));
	return number;
}

/* Every score on the page is of votes that are worth so much. */
static void
assert_worth(struct browser *browser, const char *path, int64_t worth)
{
	struct text rest, word;
	size_t count = 0;

	assert_status(browser_get(browser, path), 200);
	rest = browser_ids(browser);
	for (; text_next_word(&rest, &word); count++) {
		uint64_t id;

		assert_true(text_to_u64(word, &id));
		assert_int_equal(attribute(browser, id, "data-score"),
		    attribute(browser, id, "data-posted") +
			worth * attribute(browser, id, "data-points"));
	}
	assert_true(count > 0);
}

static void
step_all(struct world *world)
{
	struct pacer *pacer = pacer_new(&world->store, 0);

	while (pacer_step(pacer) == STORE_OK)
		;
	pacer_free(pacer);
}

/* While the lists are built, and in every worker at once when they are read. */
static void
pages_show_one_worth(void **state)
{
	static const char *const paths[] = { "/", "/?order=bottom", "/g/go",
		"/u/olga", "/articles/7" };
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world);
	struct pacer *pacer = pacer_new(&world->store, 0);
	int64_t worth = 432, before = 0;
	struct cache *rows = cache_new(256, 65536);
	struct cache *lists = cache_new(64, 65536);
	struct pace pace;

	owner.app.piece_cache = reader.app.piece_cache = rows;
	owner.app.list_cache = reader.app.list_cache = lists;
	owner.app.read_cache = reader.app.read_cache = world->cache;
	choose(&owner, "20", "");
	assert_text(stored(world), "4320");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner, "sorted for 20 votes a day: 0 % done");
	assert_holds(&owner, "Until then, 200 votes are worth a day");
	do {
		assert_int_equal(
		    pace_get(&world->store, &world->arena, &pace), STORE_OK);
		before = worth;
		worth = pace.vote_score;
		assert_true(worth == before || before == 432);
		for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
			assert_worth(&reader, paths[i], worth);
			assert_worth(&owner, paths[i], worth);
		}
		assert_status(browser_get(&reader, "/about"), 200);
		assert_holds(&reader,
		    worth == 432 ? "200 votes are worth a day"
				 : "20 votes are worth a day");
	} while (pacer_step(pacer) == STORE_OK);
	pacer_free(pacer);
	owner.app.piece_cache = owner.app.list_cache = NULL;
	reader.app.piece_cache = reader.app.list_cache = NULL;
	cache_free(rows);
	cache_free(lists);
	assert_int_equal(worth, 4320);
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_lacks(&owner, "% done");
	assert_holds(&owner, "value=\"20\" checked");
	assert_status(browser_get(&reader, "/articles/7"), 200);
	assert_holds(&reader, "× 4,320");
}

static void
votes_are_a_choice_or_a_number(void **state)
{
	static const struct {
		const char *choice, *number, *stored;
	} rows[] = { { "5", "", "17280" }, { "50", "5", "1728" },
		{ "other", "7", "12342" }, { "other", " 86400 ", "1" },
		{ "other", "1", "86400" }, { "", "", "86400" } };
	struct world *world = *state;
	struct browser owner = open_olga(world);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		choose(&owner, rows[i].choice, rows[i].number);
		assert_text(stored(world), rows[i].stored);
	}
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner, "value=\"other\" checked");
}

static void
mistakes_in_votes_change_nothing(void **state)
{
	static const char *const numbers[] = { "0", "-1", "x", "1.5", "86401",
		"99999999999999999999", "" };
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct text before = world_snapshot(world);

	assert_status(browser_get(&owner, "/settings/site"), 200);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		assert_status(browser_post(&owner, "/settings/site",
				  SET("votes_a_day", "other", "votes_number",
				      numbers[i])),
		    422);
		assert_holds(&owner, "Enter a whole number from 1 to 86400.");
	}
	assert_status(browser_post(&owner, "/settings/site",
			  SET("votes_a_day", "6", "votes_number", "")),
	    422);
	assert_holds(&owner, "Choose one of these.");
	/* A number that was entered and not chosen. */
	assert_status(browser_post(&owner, "/settings/site",
			  SET("votes_a_day", "200", "votes_number", "7")),
	    422);
	assert_holds(&owner, "as well, or leave this empty.");
	assert_unchanged(world, before);
}

/* Of a site with a worth that no number of votes has exactly: who saves another setting with it
 * does not begin to sort everything anew. */
static void
saving_other_settings_keeps_the_worth(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct settings settings = settings_default();

	settings.vote_score = TEXT("500");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	step_all(world);
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner, "value=\"other\" checked");
	assert_holds(&owner, "value=\"172\"");
	choose(&owner, "other", "172");
	assert_text(stored(world), "500");
	choose(&owner, "", "");
	assert_text(stored(world), "500");
	choose(&owner, "other", "173");
	assert_text(stored(world), "499");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(pages_show_one_worth),
		world_test(votes_are_a_choice_or_a_number),
		world_test(mistakes_in_votes_change_nothing),
		world_test(saving_other_settings_keeps_the_worth),
	};

	return world_run("pace", tests);
}
