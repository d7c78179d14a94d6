/*
 * The order active against a plain model: the time of the last comment that is not removed or,
 * without one, of posting. Comments and articles are removed, deleted and restored, and articles
 * change their groups.
 */
#include <stdlib.h>

#include "../support/commands.h"
#include "../support/invariants.h"
#include "lists/list.h"
#include "store/comment.h"
#include "store/keys.h"

enum { ARTICLES = 120, COMMENTS = 900 };

static const char *const group_names[] = { "aa", "bb", "cc" };

struct known_comment {
	size_t article;
	uint64_t number;
	int64_t posted;
	bool removed, deleted;
};

struct known {
	uint64_t id;
	int64_t posted;
	unsigned groups; /* bits */
	bool removed;
	int64_t active;
};

struct site {
	struct world *world;
	struct arena arena; /* of one step */
	unsigned seed;
	uint64_t author;
	struct known articles[ARTICLES];
	struct known_comment comments[COMMENTS];
	size_t count, comment_count;
};

static unsigned
pick(struct site *site, unsigned below)
{
	return (unsigned)rand_r(&site->seed) % below;
}

static struct text
names_of(struct site *site, unsigned bits)
{
	struct text names = TEXT("");

	for (unsigned g = 0; g < 3; g++)
		if ((bits >> g & 1) != 0)
			names = text_format(&site->arena, "%.*s%s%s",
			    TEXT_ARGS(names), names.size > 0 ? " " : "",
			    group_names[g]);
	return names;
}

static void
step_post(struct site *site)
{
	struct known *known = &site->articles[site->count];

	known->groups = pick(site, 8);
	known->posted = world_now(site->world);
	known->id = world_post(site->world, site->author,
	    fixture_string(&site->arena, "%zu", site->count), "",
	    text_string(&site->arena, names_of(site, known->groups)));
	site->count++;
}

/* Often on the same article, so that a thread is long. */
static void
step_comment(struct site *site)
{
	struct known_comment *comment = &site->comments[site->comment_count];
	size_t index =
	    pick(site, 3) == 0 ? 0 : pick(site, (unsigned)site->count);

	if (site->articles[index].removed || site->comment_count == COMMENTS)
		return;
	comment->article = index;
	comment->posted = world_now(site->world);
	comment->number = world_comment(site->world,
	    article_id(site->articles[index].id), site->author,
	    fixture_string(&site->arena, "%zu", site->comment_count));
	site->comment_count++;
}

/* Members delete, moderators remove and restore. */
static void
step_comment_away(struct site *site, size_t index)
{
	struct known_comment *comment = &site->comments[index];
	struct store *store = &site->world->store;
	struct post_id id = { site->articles[comment->article].id,
		comment->number };

	if (site->articles[comment->article].removed || comment->deleted)
		return;
	if (comment->removed) {
		assert_int_equal(post_restore(store, &site->arena, id, TEXT(""),
				     &world_restoring),
		    STORE_OK);
		comment->removed = false;
	} else if (pick(site, 6) == 0) {
		assert_int_equal(
		    post_delete(store, &site->arena, id, site->author),
		    STORE_OK);
		comment->removed = comment->deleted = true;
	} else {
		assert_int_equal(
		    post_remove(store, &site->arena, id, &world_removal),
		    STORE_OK);
		comment->removed = true;
	}
}

static void
step_moderate(struct site *site)
{
	struct known *known =
	    &site->articles[pick(site, (unsigned)site->count)];

	if (known->removed)
		assert_int_equal(article_restore(&site->world->store,
				     &site->arena, known->id, &world_restoring),
		    STORE_OK);
	else
		world_remove(site->world, known->id);
	known->removed = !known->removed;
}

static void
step_groups(struct site *site)
{
	struct known *known =
	    &site->articles[pick(site, (unsigned)site->count)];
	unsigned groups = pick(site, 8);

	if (known->removed)
		return;
	world_groups(site->world, names_of(site, 7));
	assert_int_equal(article_set_groups(&site->world->store, &site->arena,
			     known->id, names_of(site, groups & ~known->groups),
			     names_of(site, known->groups & ~groups)),
	    STORE_OK);
	known->groups = groups;
}

static int
compare(const void *a, const void *b)
{
	const struct known *const *one = a, *const *other = b;

	if ((*one)->active != (*other)->active)
		return (*one)->active > (*other)->active ? -1 : 1;
	return (*one)->id > (*other)->id ? -1 : 1;
}

static size_t
expect(struct site *site, const struct list_query *query, unsigned groups,
    struct known **expected)
{
	size_t count = 0;

	for (size_t i = 0; i < site->count; i++) {
		struct known *known = &site->articles[i];
		unsigned common = known->groups & groups;

		known->active = known->posted;
		if (!known->removed &&
		    (query->kind == LIST_FRONT ||
			(query->match == MATCH_ALL ? common == groups
						   : common != 0)))
			expected[count++] = known;
	}
	for (size_t i = 0; i < site->comment_count; i++) {
		const struct known_comment *comment = &site->comments[i];
		struct known *known = &site->articles[comment->article];

		if (!comment->removed && comment->posted > known->active)
			known->active = comment->posted;
	}
	if (count > 0)
		qsort(expected, count, sizeof(*expected), compare);
	return count;
}

static void
check_query(struct site *site, struct list_query query, unsigned groups)
{
	struct known **expected =
	    arena_new(&site->arena, struct known *, site->count + 1);
	size_t count = expect(site, &query, groups, expected), seen = 0;
	bool more = true;

	for (query.page = 1; more; query.page++) {
		struct list list;

		assert_int_equal(
		    list_read(&site->world->store, &site->arena, &query, &list),
		    STORE_OK);
		assert_true(seen + list.count <= count);
		for (size_t i = 0; i < list.count; i++, seen++)
			assert_int_equal(list.articles[i].post.id.article,
			    expected[seen]->id);
		more = list.more;
		assert_int_equal(more, seen < count);
	}
	assert_int_equal(seen, count);
}

static void
check(struct site *site)
{
	struct text names[3];
	struct list_query query = { .kind = LIST_FRONT,
		.order = ORDER_ACTIVE,
		.cache = site->world->cache };

	check_query(site, query, 0);
	query.kind = LIST_GROUPS;
	query.groups = names;
	for (unsigned bits = 1; bits < 8; bits += 2) {
		query.group_count = 0;
		for (unsigned n = 0; n < 3; n++)
			if ((bits >> n & 1) != 0)
				names[query.group_count++] =
				    text_of(group_names[n]);
		query.match = MATCH_ANY;
		check_query(site, query, bits);
		query.match = MATCH_ALL;
		check_query(site, query, bits);
	}
}

static struct site *
populate(struct world *world, unsigned seed, size_t articles)
{
	struct site *site = arena_new(&world->arena, struct site, 1);

	*site = (struct site){ .world = world, .seed = seed };
	world->store.rules.page_size = 7;
	world_stop_clock(world, NOON);
	site->author = world_member(world, "ann");
	while (site->count < articles) {
		step_post(site);
		for (unsigned c = pick(site, 12); c > 0; c--)
			step_comment(site);
		if (site->comment_count > 0)
			step_comment_away(
			    site, pick(site, (unsigned)site->comment_count));
		if (pick(site, 8) == 0)
			step_moderate(site);
		if (pick(site, 4) == 0)
			step_groups(site);
		world_move_clock(world, (int)pick(site, 3));
		if (site->count % (articles / 3) == 0)
			check(site);
		arena_reset(&site->arena);
	}
	return site;
}

static void
active_is_the_time_of_the_last_comment(void **state)
{
	struct site *site = populate(*state, 1, ARTICLES);

	invariants_check(site->world);
	commands_assert_whole(site->world);
	/* The last of a long thread go, one after the other. */
	for (size_t i = site->comment_count; i-- > 0;)
		if (site->comments[i].article == 0 &&
		    !site->comments[i].removed)
			step_comment_away(site, i);
	check(site);
	invariants_check(site->world);
	arena_free(&site->arena);
}

/* Of data from before there were such lists. */
static void
lists_that_are_missing_are_by_time_until_a_repair(void **state)
{
	struct world *world = *state;
	struct site *site = populate(world, 2, 30);
	struct text keys = world_keys(world, "{*}active*"), key;
	size_t comments = site->comment_count;

	while (text_next_word(&keys, &key))
		world_command(world, TEXT("DEL"), key);
	read_cache_free(world->cache);
	world->cache = NULL;
	site->comment_count = 0;
	check(site);
	assert_has(commands_check(world).out, "active");
	commands_repair(world);
	commands_assert_whole(world);
	site->comment_count = comments;
	check(site);
	arena_free(&site->arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(active_is_the_time_of_the_last_comment),
		world_test(lists_that_are_missing_are_by_time_until_a_repair),
	};

	return world_run("active", tests);
}
