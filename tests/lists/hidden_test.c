/* What is hidden: rules against a plain model, alone and in pages of lists. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../support/invariants.h"
#include "lists/hidden.h"
#include "lists/list.h"
#include "store/group.h"
#include "store/keys.h"

enum {
	ARTICLES = 140,
	AUTHORS = 4,
	GROUPS = 4,
	HOSTS = 4,
	WORDS = 6,
	RULES = 12
};

static const char *const names_of_groups[GROUPS] = { "aa", "bb", "cc", "dd" };
static const char *const host_names[HOSTS] = { "one.example", "two.example",
	"host.example/ann", "host.example/bob" };
static const char *const words[WORDS] = { "Redis", "redis", "C++", "a", "the",
	"end" };

/* What the test knows of an article, without asking. */
struct known {
	uint64_t id, author;
	unsigned groups; /* bits */
	const char *host;
	unsigned title[3]; /* words */
};

struct model {
	uint64_t authors[AUTHORS];
	struct known articles[ARTICLES];
};

static struct model *
populate(struct world *world, unsigned seed)
{
	struct arena *arena = &world->arena;
	struct model *model = arena_new(arena, struct model, 1);

	world_stop_clock(world, NOON);
	world->store.rules.shared_hosts = TEXT("host.example");
	for (int i = 0; i < AUTHORS; i++)
		model->authors[i] =
		    world_member(world, fixture_string(arena, "author%d", i));
	for (size_t i = 0; i < ARTICLES; i++) {
		struct known *known = &model->articles[i];
		struct text names = TEXT("");

		world_move_clock(world, rand_r(&seed) % 2 == 0 ? 432 : 0);
		known->author = model->authors[rand_r(&seed) % AUTHORS];
		known->host = host_names[rand_r(&seed) % HOSTS];
		known->groups = (unsigned)rand_r(&seed) % (1U << GROUPS);
		for (size_t w = 0; w < 3; w++)
			known->title[w] = (unsigned)rand_r(&seed) % WORDS;
		for (unsigned g = 0; g < GROUPS; g++)
			if ((known->groups >> g & 1) != 0)
				names = text_format(arena, "%.*s %s",
				    TEXT_ARGS(names), names_of_groups[g]);
		known->id = world_post(world, known->author,
		    fixture_string(arena, "%s, %s: %s", words[known->title[0]],
			words[known->title[1]], words[known->title[2]]),
		    fixture_string(arena, "http://%s/%zu", known->host, i),
		    text_string(arena, text_trim(names)));
	}
	return model;
}

static bool
is_same_word(unsigned a, unsigned b)
{
	return strcasecmp(words[a], words[b]) == 0;
}

/* One or two words of a rule are given by their numbers: id, and at, which is WORDS for none. */
static bool
has_words(const struct known *known, const struct hidden_rule *what)
{
	for (size_t i = 0; i < 3; i++) {
		if (!is_same_word(known->title[i], (unsigned)what->id))
			continue;
		if (what->at == WORDS ||
		    (i < 2 &&
			is_same_word(known->title[i + 1], (unsigned)what->at)))
			return true;
	}
	return false;
}

static bool
has_group(const struct known *known, struct text name)
{
	for (unsigned g = 0; g < GROUPS; g++)
		if ((known->groups >> g & 1) != 0 &&
		    text_equal(text_of(names_of_groups[g]), name))
			return true;
	return false;
}

static bool
is_from(const struct known *known, struct text publisher)
{
	struct text host = text_of(known->host);

	return text_starts(host, publisher) &&
	    (host.size == publisher.size || host.data[publisher.size] == '/');
}

static bool
is_hidden(const struct known *known, const struct hidden_rule *rules,
    size_t count, uint64_t viewer)
{
	for (size_t i = 0; i < count; i++) {
		const struct hidden_rule *what = &rules[i];
		bool applies[] = {
			[HIDDEN_ARTICLE] = what->id == known->id,
			[HIDDEN_MEMBER] = what->id == known->author,
			[HIDDEN_GROUP] = has_group(known, what->name),
			[HIDDEN_PUBLISHER] = is_from(known, what->name),
			[HIDDEN_WORDS] = what->kind == HIDDEN_WORDS &&
			    has_words(known, what),
		};

		if (applies[what->kind] &&
		    (what->kind == HIDDEN_ARTICLE || known->author != viewer))
			return true;
	}
	return false;
}

static struct hidden_rule
random_rule(struct world *world, const struct model *model, unsigned *seed)
{
	static const char *const publishers[] = { "one.example", "two.example",
		"host.example", "host.example/bob", "example" };
	struct hidden_rule what = { .kind = (enum hidden_kind)(
					rand_r(seed) % (HIDDEN_WORDS + 1)) };

	switch (what.kind) {
	case HIDDEN_ARTICLE:
		what.id = model->articles[rand_r(seed) % ARTICLES].id;
		break;
	case HIDDEN_MEMBER:
		what.id = model->authors[rand_r(seed) % AUTHORS];
		break;
	case HIDDEN_GROUP:
		what.name = text_of(names_of_groups[rand_r(seed) % GROUPS]);
		break;
	case HIDDEN_PUBLISHER:
		what.name = text_of(publishers[rand_r(seed) % 5]);
		break;
	case HIDDEN_WORDS:
		what.id = (uint64_t)(rand_r(seed) % WORDS);
		what.at = rand_r(seed) % 3 == 0 ? WORDS : rand_r(seed) % WORDS;
		what.name = text_format(&world->arena, "%s %s", words[what.id],
		    what.at == WORDS ? "" : words[what.at]);
		break;
	}
	return what;
}

/* The ids of a list in its order, without a filter. */
static size_t
all_ids(struct world *world, struct list_query query, uint64_t *ids)
{
	struct list list;

	query.page = 1;
	query.from = 0;
	query.hidden = NULL;
	world->store.rules.page_size = ARTICLES;
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	for (size_t i = 0; i < list.count; i++)
		ids[i] = list.articles[i].post.id.article;
	return list.count;
}

static const struct known *
find_known(const struct model *model, uint64_t id)
{
	for (size_t i = 0; i < ARTICLES; i++)
		if (model->articles[i].id == id)
			return &model->articles[i];
	fail();
	return NULL;
}

/* Follows the links to next pages: all that is not hidden is there once, in the list's order, and
 * each page but the last is full. */
static void
check_pages(struct world *world, const struct model *model,
    struct list_query query, const struct hidden_rule *rules, size_t count,
    int64_t page_size)
{
	uint64_t ids[ARTICLES];
	size_t id_count = all_ids(world, query, ids), at = 0;
	struct list list = { .more = true };

	world->store.rules.page_size = page_size;
	for (query.page = 1; list.more; query.page++) {
		query.from = list.next;
		assert_int_equal(
		    list_read(&world->store, &world->arena, &query, &list),
		    STORE_OK);
		for (size_t i = 0; i < list.count; i++) {
			while (at < id_count &&
			    is_hidden(find_known(model, ids[at]), rules, count,
				query.viewer))
				at++;
			assert_true(at < id_count);
			assert_int_equal(
			    list.articles[i].post.id.article, ids[at]);
			at++;
		}
		assert_false(list.hidden_ended);
		assert_true(!list.more || list.count == (size_t)page_size);
		/* No page is empty, unless it is the only one. */
		assert_true(query.page == 1 || list.count > 0);
	}
	for (; at < id_count; at++)
		assert_true(is_hidden(
		    find_known(model, ids[at]), rules, count, query.viewer));
}

static void
pages_have_all_that_is_not_hidden_once(void **state)
{
	struct world *world = *state;
	unsigned seed = 5;
	struct model *model = populate(world, seed);
	struct text names[] = { TEXT_INIT("aa"), TEXT_INIT("cc") };
	struct list_query queries[] = {
		{ .kind = LIST_FRONT },
		{ .kind = LIST_AUTHOR, .author = model->authors[1] },
		{ .kind = LIST_PUBLISHER, .publisher = TEXT("host.example") },
		{ .kind = LIST_GROUPS, .groups = names, .group_count = 1 },
		{ .kind = LIST_GROUPS, .groups = names, .group_count = 2 },
		{ .kind = LIST_GROUPS,
		    .match = MATCH_ALL,
		    .groups = names,
		    .group_count = 2 },
	};
	const int64_t sizes[] = { 1, 3, 10, 30, 200 };

	for (int step = 0; step < 120; step++) {
		struct list_query query = queries[rand_r(&seed) % 6];
		size_t count = (size_t)(rand_r(&seed) % RULES);
		struct hidden_rule rules[RULES] = { 0 }, sorted[RULES];

		for (size_t i = 0; i < count; i++)
			rules[i] = random_rule(world, model, &seed);
		memcpy(sorted, rules, sizeof(rules));
		query.order = (enum list_order)(rand_r(&seed) % 4);
		query.cache = world->cache;
		query.viewer = model->authors[rand_r(&seed) % AUTHORS];
		query.hidden = hidden_filter_of(
		    &world->arena, query.viewer, sorted, count);
		check_pages(world, model, query, rules, count,
		    sizes[rand_r(&seed) % 5]);
	}
}

/* Ids without articles stand for those that are hidden: both are left out. */
static void
reading_ends_after_two_thousand_entries(void **state)
{
	struct world *world = *state;
	const struct buckets *buckets = &world->store.buckets;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	const struct text name = TEXT("aa");
	struct hidden_rule what = { .kind = HIDDEN_ARTICLE, .id = 1 };
	struct list_query query = { .kind = LIST_GROUPS,
		.groups = &name,
		.group_count = 1,
		.page = 1,
		.hidden = hidden_filter_of(&world->arena, 7, &what, 1) };
	struct list list;

	for (uint64_t id = 1; id <= 3000; id++)
		pipeline_add(&pipeline, TEXT("ZADD"),
		    key_score(&world->arena, buckets,
			key_bucket_of(buckets, id), name),
		    text_number(&world->arena, NOON - (int64_t)id),
		    encode_post(&world->arena, article_id(id)));
	assert_true(redis_run(&pipeline));
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	assert_int_equal(list.count, 0);
	assert_true(list.hidden_ended);
	assert_true(list.more);
	assert_int_equal(list.next, HIDDEN_ENTRIES_MAX + 1);
	query.from = list.next;
	query.page = 2;
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	assert_false(list.hidden_ended);
	assert_false(list.more);
}

static void
words_are_found_whole(void **state)
{
	struct world *world = *state;
	static const struct {
		const char *words, *title;
		bool is_hidden;
	} rows[] = {
		{ "rust", "Rust in production", true },
		{ "rust", "Trust is good", false },
		{ "RUST", "rust-lang", true },
		{ "caf\xc3\xa9", "The Cafe", true },
		{ "c++", "Modern C++ is C", true },
		{ "c", "Modern C++", false },
		{ "machine learning", "On machine learning", true },
		{ "machine learning", "On machine-learning models", true },
		{ "machine learning", "The learning machine", false },
		{ "machine learning", "Machine and learning", false },
		{ "machine learning", "A machine", false },
		{ "\xe4\xb8\xad\xe6\x96\x87",
		    "\xe5\x9c\xa8\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97", true },
		{ "\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97",
		    "\xe4\xb8\xad\xe6\x96\x87 x", false },
		{ "\xe5\xad\x97", "\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97",
		    true },
		{ "the the end", "The the the end", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct hidden_rule what = { .kind = HIDDEN_WORDS,
			.name = text_of(rows[i].words) };
		const struct hidden_filter *filter =
		    hidden_filter_of(&world->arena, 7, &what, 1);
		const struct article article = { .title =
						     text_of(rows[i].title) };

		assert_int_equal(
		    hidden_article(filter, &article), rows[i].is_hidden);
	}
}

/* Its rules for itself do not count on a page; a part of a host is also named by the host. */
static void
pages_leave_out_the_rules_for_their_subject(void **state)
{
	struct world *world = *state;
	struct hidden_rule rules[] = {
		{ .kind = HIDDEN_MEMBER, .id = 5 },
		{ .kind = HIDDEN_PUBLISHER, .name = TEXT("host.example") },
		{ .kind = HIDDEN_PUBLISHER, .name = TEXT("host.example/ann") },
	};
	const struct hidden_filter *filter =
	    hidden_filter_of(&world->arena, 7, rules, 3);
	const struct article article = { .post.author.id = 6,
		.publisher = TEXT("host.example/ann") };
	const struct hidden_rule part = { .kind = HIDDEN_PUBLISHER,
		.name = TEXT("host.example/ann") };
	const struct hidden_rule whole = { .kind = HIDDEN_PUBLISHER,
		.name = TEXT("host.example") };
	const struct hidden_rule author = { .kind = HIDDEN_MEMBER, .id = 5 };

	assert_true(hidden_article(filter, &article));
	assert_true(hidden_author(filter, 5));
	assert_false(hidden_author(filter, 7));
	assert_true(hidden_article(
	    hidden_filter_without(&world->arena, filter, &whole), &article));
	assert_false(hidden_article(
	    hidden_filter_without(&world->arena, filter, &part), &article));
	filter = hidden_filter_without(&world->arena, filter, &author);
	assert_false(hidden_author(filter, 5));
	assert_true(hidden_has_rule(filter, &part));
	assert_null(hidden_filter_without(&world->arena, NULL, &part));
}

static const struct hidden_filter *
filter_of(struct world *world, uint64_t user, int64_t now)
{
	const struct hidden_filter *filter;
	struct user member = world_user(world, user);

	assert_int_equal(hidden_filter_read(&world->store, &world->arena,
			     world->cache, &member, now, &filter),
	    STORE_OK);
	return filter;
}

/* The filter of a member without rules costs nothing; one of rules that are cached neither. */
static void
rules_are_cached_by_their_version(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	const struct hidden_rule what = { .kind = HIDDEN_MEMBER, .id = 9 };
	const struct hidden_rule other = { .kind = HIDDEN_MEMBER, .id = 8 };
	const struct hidden_filter *filter;

	assert_null(filter_of(world, ann, NOON));
	assert_int_equal(
	    hidden_add(&world->store, &world->arena, ann, &what), STORE_OK);
	assert_true(hidden_author(filter_of(world, ann, NOON), 9));
	/* Behind the back of the version. */
	world_command(world, TEXT("DEL"), key_hidden(&world->arena, ann));
	assert_true(hidden_author(filter_of(world, ann, NOON), 9));
	assert_int_equal(
	    hidden_add(&world->store, &world->arena, ann, &other), STORE_OK);
	filter = filter_of(world, ann, NOON);
	assert_false(hidden_author(filter, 9));
	assert_true(hidden_author(filter, 8));
	assert_int_equal(
	    hidden_remove(&world->store, &world->arena, ann, &other), STORE_OK);
	assert_null(filter_of(world, ann, NOON));
}

static void
renamed_groups_stay_hidden(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	const struct hidden_rule before = { .kind = HIDDEN_GROUP,
		.name = TEXT("aa") };
	const struct hidden_rule after = { .kind = HIDDEN_GROUP,
		.name = TEXT("zz") };
	struct group group = { .name = TEXT("zz"), .title = TEXT("Z") };
	struct hidden_rule *rules;
	size_t count;

	world_group(world, "aa");
	assert_int_equal(
	    hidden_add(&world->store, &world->arena, ann, &before), STORE_OK);
	assert_true(hidden_has_rule(filter_of(world, ann, NOON), &before));
	assert_int_equal(
	    group_create(&world->store, &world->arena, &group), STORE_OK);
	world_command(world, TEXT("HSET"), key_group(&world->arena, TEXT("aa")),
	    TEXT("into"), TEXT("zz"));
	world_command(world, TEXT("ZADD"), KEY_FORMER, TEXT("0"), TEXT("aa"));
	assert_true(hidden_has_rule(filter_of(world, ann, NOON + 60), &after));
	assert_int_equal(
	    hidden_get(&world->store, &world->arena, ann, &rules, &count),
	    STORE_OK);
	assert_int_equal(count, 1);
	assert_text(rules[0].name, "zz");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(pages_have_all_that_is_not_hidden_once),
		world_test(reading_ends_after_two_thousand_entries),
		world_test(words_are_found_whole),
		world_test(pages_leave_out_the_rules_for_their_subject),
		world_test(rules_are_cached_by_their_version),
		world_test(renamed_groups_stay_hidden),
	};

	return world_run("hidden", tests);
}
