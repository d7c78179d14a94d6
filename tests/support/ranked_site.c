#include "ranked_site.h"

#include <stdlib.h>

#include "fixture.h"
#include "store/article.h"
#include "store/keys.h"
#include "store/points.h"

enum { GROUPS = 3, HOUR = 3600 };

static const char *const group_names[GROUPS] = { "aa", "bb", "cc" };

static unsigned
pick(struct ranked_site *site, unsigned below)
{
	return (unsigned)rand_r(&site->seed) % below;
}

static const char *
names_of(struct ranked_site *site, unsigned bits)
{
	struct text names = TEXT("");

	for (unsigned g = 0; g < GROUPS; g++)
		if ((bits >> g & 1) != 0)
			names = text_format(&site->arena, "%.*s%s%s",
			    TEXT_ARGS(names), names.size > 0 ? " " : "",
			    group_names[g]);
	return text_string(&site->arena, names);
}

static void
post(struct ranked_site *site)
{
	struct ranked_article *article = &site->articles[site->count];

	article->groups = pick(site, 1U << GROUPS);
	article->posted = world_now(site->world);
	article->points = 1;
	article->id = world_post(site->world, site->author,
	    fixture_string(&site->arena, "%zu", site->count), "",
	    names_of(site, article->groups));
	site->count++;
}

/* Sets a vote to up, down or none, whatever it was. */
static void
vote(struct ranked_site *site)
{
	struct ranked_article *article = &site->articles[pick(site, 3) == 0
		? pick(site, (unsigned)site->count)
		: site->count - 1 -
		    pick(site, (unsigned)site->count) % 60 % site->count];
	unsigned voter = pick(site, RANKED_VOTERS);
	int state = (int)pick(site, 5);
	signed char value = state >= 3 ? 1 : (signed char)(state - 1);
	const enum vote votes[] = { VOTE_DOWN, VOTE_NONE, VOTE_UP };

	if (article->removed ||
	    article->posted + 7 * 24 * HOUR <= world_now(site->world))
		return;
	world_vote(site->world, article->id, 1000 + voter, votes[value + 1]);
	article->points += value - article->votes[voter];
	article->votes[voter] = value;
}

static void
moderate(struct ranked_site *site)
{
	struct ranked_article *article =
	    &site->articles[pick(site, (unsigned)site->count)];

	if (article->removed)
		assert_int_equal(
		    article_restore(&site->world->store, &site->arena,
			article->id, &world_restoring),
		    STORE_OK);
	else
		world_remove(site->world, article->id);
	article->removed = !article->removed;
}

/* Moves an article to other groups. */
static void
file(struct ranked_site *site)
{
	struct ranked_article *article =
	    &site->articles[pick(site, (unsigned)site->count)];
	unsigned groups = pick(site, 1U << GROUPS);

	if (article->removed)
		return;
	assert_int_equal(article_set_groups(&site->world->store, &site->arena,
			     article->id, text_of(names_of(site, groups)),
			     text_of(names_of(site, (1U << GROUPS) - 1))),
	    STORE_OK);
	article->groups = groups;
}

/* What the relay does now and then. */
static void
place(struct ranked_site *site)
{
	int64_t logged = 0;

	points_step(&site->world->store, &site->arena, &logged);
	assert_int_equal(logged, 0);
}

void
ranked_site_walk(struct world *world, int64_t vote_score, unsigned seed,
    unsigned pause, void (*check)(struct ranked_site *site))
{
	struct ranked_site *site =
	    arena_new(&world->arena, struct ranked_site, 1);

	*site = (struct ranked_site){ .world = world, .seed = seed };
	world->store.rules.vote_score = vote_score;
	world->store.rules.page_size = 90;
	world_stop_clock(world, NOON);
	site->author = world_member(world, "ann");
	world_groups(world, text_of(names_of(site, (1U << GROUPS) - 1)));
	while (site->count < RANKED_ARTICLES) {
		post(site);
		for (unsigned v = pick(site, 10); v > 0; v--)
			vote(site);
		if (pick(site, 20) == 0)
			moderate(site);
		if (pick(site, 20) == 0)
			file(site);
		if (pick(site, 10) == 0)
			place(site);
		world_move_clock(world, (int)pick(site, pause));
		arena_reset(&site->arena);
		if (site->count % (RANKED_ARTICLES / 4) == 0)
			check(site);
	}
	arena_free(&site->arena);
}

static int
compare(const void *a, const void *b)
{
	const struct ranked_article *const *one = a, *const *other = b;

	if ((*one)->rank != (*other)->rank)
		return (*one)->rank > (*other)->rank ? -1 : 1;
	if ((*one)->posted != (*other)->posted)
		return (*one)->posted > (*other)->posted ? -1 : 1;
	return (*one)->id > (*other)->id ? -1 : 1;
}

static bool
is_in(const struct ranked_article *article, const struct list_query *query,
    unsigned groups)
{
	unsigned common = article->groups & groups;
	bool is_of_groups =
	    query->match == MATCH_ALL ? common == groups : common != 0;
	bool is_of_period = query->period.to == 0 ||
	    (article->posted >= query->period.from &&
		article->posted < query->period.to);

	return !article->removed && is_of_period &&
	    (query->kind != LIST_GROUPS || is_of_groups);
}

static size_t
expect(struct ranked_site *site, const struct list_query *query,
    unsigned groups, rank_of *rank, struct ranked_article **expected)
{
	int64_t now = world_now(site->world);
	size_t count = 0;

	for (size_t i = 0; i < site->count; i++) {
		struct ranked_article *article = &site->articles[i];

		article->rank = rank(article, query, now);
		if (is_in(article, query, groups))
			expected[count++] = article;
	}
	if (count > 0)
		qsort(expected, count, sizeof(*expected), compare);
	return count;
}

static void
check_pages(struct ranked_site *site, struct list_query query, unsigned groups,
    rank_of *rank)
{
	struct ranked_article **expected =
	    arena_new(&site->arena, struct ranked_article *, site->count + 1);
	size_t count = expect(site, &query, groups, rank, expected), seen = 0;
	bool more = true;

	for (query.page = 1; more; query.page++) {
		struct list list;

		assert_int_equal(
		    list_read(&site->world->store, &site->arena, &query, &list),
		    STORE_OK);
		assert_false(list.is_approximate);
		assert_false(list.search_ended);
		assert_true(seen + list.count <= count);
		for (size_t i = 0; i < list.count; i++, seen++) {
			assert_int_equal(list.articles[i].post.id.article,
			    expected[seen]->id);
			assert_int_equal(list.articles[i].post.points,
			    expected[seen]->points);
		}
		more = list.more;
		assert_int_equal(more, seen < count);
	}
	assert_int_equal(seen, count);
}

void
ranked_site_check(
    struct ranked_site *site, struct list_query query, rank_of *rank)
{
	check_pages(site, query, 0, rank);
	arena_reset(&site->arena);
}

void
ranked_site_check_groups(
    struct ranked_site *site, struct list_query query, rank_of *rank)
{
	struct text names[GROUPS];

	ranked_site_check(site, query, rank);
	query.kind = LIST_GROUPS;
	query.groups = names;
	for (unsigned bits = 1; bits < 1U << GROUPS; bits += 2) {
		query.group_count = 0;
		for (unsigned n = 0; n < GROUPS; n++)
			if ((bits >> n & 1) != 0)
				names[query.group_count++] =
				    text_of(group_names[n]);
		query.match = MATCH_ANY;
		check_pages(site, query, bits, rank);
		query.match = MATCH_ALL;
		check_pages(site, query, bits, rank);
	}
	arena_reset(&site->arena);
}

void
ranked_site_place(struct pipeline *pipeline, const struct world *world,
    uint64_t id, int64_t posted, int64_t points)
{
	const struct buckets *buckets = &world->store.buckets;
	uint64_t bucket = key_bucket_of(buckets, id);
	struct arena *arena = pipeline->arena;

	pipeline_add(pipeline, TEXT("ZADD"),
	    key_time(arena, buckets, bucket, TEXT("")),
	    text_number(arena, posted), encode_post(arena, article_id(id)));
	pipeline_add(pipeline, TEXT("ZADD"),
	    key_score(arena, buckets, bucket, TEXT("")),
	    text_number(arena, posted + 432 * points),
	    encode_post(arena, article_id(id)));
}

void
ranked_site_place_many(struct world *world, uint64_t count)
{
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	for (uint64_t id = 1; id <= count; id++)
		ranked_site_place(
		    &pipeline, world, id, NOON - 60 * (int64_t)id, 1);
	assert_true(redis_run(&pipeline));
}
