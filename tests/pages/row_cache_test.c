/*
 * The caches of rendered rows and lists: pages are the same with and without them, byte
 * for byte.
 */
#include "pages/page.h"

#include <stdio.h>

#include "../support/browser.h"
#include "base/cache.h"

enum { WINDOW = 90 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const lists[] = { "/", "/?order=new", "/?order=new&page=1",
	"/g/aa", "/g/aa+bb", "/g/aa+bb?match=all", "/u/ann", "/u/bob",
	"/interesting" };

static void
begin(struct world *world)
{
	world_stop_clock(world, NOON);
	world_group(world, "aa");
	world_group(world, "bb");
	world->store.rules.vote_window = WINDOW;
}

static void
post(struct world *world, uint64_t author, const char *title)
{
	char url[64];

	snprintf(url, sizeof(url), "http://a.example/%s", title);
	world_post(world, author, title, url, "aa bb");
}

/* Requests all lists with and without the caches. */
static void
compare(struct browser *browser, const struct app *caches)
{
	const struct app plain = browser->app;

	for (size_t i = 0; i < COUNT(lists); i++) {
		struct text fresh;

		assert_status(browser_get(browser, lists[i]), 200);
		fresh = browser_body(browser);
		browser->app.list_cache = caches->list_cache;
		browser->app.piece_cache = caches->piece_cache;
		/* The first request fills the caches, the second one uses them; and then without
		 * compression. */
		for (int turn = 0; turn < 4; turn++) {
			browser->takes_gzip = turn < 2;
			assert_status(browser_get(browser, lists[i]), 200);
			if (!text_equal(browser_body(browser), fresh))
				fail_msg("%s is\n%.*s\nand was\n%.*s", lists[i],
				    TEXT_ARGS(browser->answer.body),
				    TEXT_ARGS(fresh));
		}
		browser->app = plain;
	}
}

enum { STEPS = 8 };

/* Each part of a row changes in some step, one of them alone. */
static void
change(struct world *world, int step)
{
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	enum store_result result = STORE_OK;

	switch (step) {
	case 0:
		post(world, 1, "first");
		break;
	case 1:
		post(world, 2, "second");
		break;
	case 2:
		result = world_cast(store, arena, article_id(1), 2, VOTE_DOWN);
		break;
	case 3:
		result =
		    article_set_groups(store, arena, 1, TEXT(""), TEXT("bb"));
		break;
	case 4:
		world_move_clock(world, WINDOW - 1);
		break;
	case 5: /* Voting closes, and the age in minutes is the same as before. */
		world_move_clock(world, 1);
		break;
	case 6:
		world_move_clock(world, 60);
		break;
	default:
		result =
		    post_remove(store, arena, article_id(2), &world_removal);
	}
	assert_int_equal(result, STORE_OK);
}

static void
cached_rows_equal_uncached_ones(void **state)
{
	struct world *world = *state;
	const struct app caches = { .list_cache = cache_new(16, 65536),
		.piece_cache = cache_new(16, 65536) };
	struct browser readers[3];

	begin(world);
	readers[0] = browser_member(world, "ann");
	readers[1] = browser_member(world, "bob");
	readers[2] = browser_open(world);
	for (int step = 0; step < STEPS; step++) {
		change(world, step);
		for (size_t i = 0; i < COUNT(readers); i++)
			compare(&readers[i], &caches);
	}
	cache_free(caches.list_cache);
	cache_free(caches.piece_cache);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(cached_rows_equal_uncached_ones),
	};

	return world_run("row_cache", tests);
}
