#include "lists/posters.h"

#include <stdlib.h>

#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"

struct poster {
	struct member member;
	uint64_t articles;
};

/* By member. */
static int
compare_members(const void *one, const void *other)
{
	const struct poster *a = one, *b = other;

	return (a->member.id > b->member.id) - (a->member.id < b->member.id);
}

/* Most articles first; of as many, who registered first. */
static int
compare_posters(const void *one, const void *other)
{
	const struct poster *a = one, *b = other;

	if (a->articles != b->articles)
		return a->articles < b->articles ? 1 : -1;
	return compare_members(one, other);
}

/* Reads the newest articles, one more than are counted. */
static enum store_result
read_articles(struct store *store, struct arena *arena,
    const struct versions *versions, struct text publisher,
    struct entry *entries, size_t *count)
{
	struct merge merge = merge_open(store, arena, versions, 1);

	merge_add(&merge, KEY_TIME, key_list_of_publisher(arena, publisher));
	return merge_read(&merge, 0, POSTERS_ARTICLES + 1, entries, count);
}

/* Reads the author of each article, in one round trip. */
static enum store_result
read_authors(struct store *store, struct arena *arena,
    const struct entry *entries, size_t count, struct poster *authors)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	bool is_partial;

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_post(arena, &store->buckets, article_id(entries[i].id)),
		    TEXT("author"));
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		authors[i] = (struct poster){ .member = member_parse(reply_text(
						  &pipeline.replies[i])),
			.articles = 1 };
	return STORE_OK;
}

/* Adds up the articles of each member; returns the number of members. */
static size_t
add_up(struct poster *authors, size_t count)
{
	size_t members = 0;

	if (count > 0)
		qsort(authors, count, sizeof(*authors), compare_members);
	for (size_t i = 0; i < count; i++) {
		if (authors[i].member.id == 0)
			continue;
		if (members > 0 &&
		    authors[members - 1].member.id == authors[i].member.id)
			authors[members - 1].articles++;
		else
			authors[members++] = authors[i];
	}
	if (members > 0)
		qsort(authors, members, sizeof(*authors), compare_posters);
	return members;
}

STORE_CALL
posters_read(struct store *store, struct arena *arena,
    const struct versions *versions, struct text publisher,
    struct posters *posters)
{
	struct entry *entries =
	    arena_new(arena, struct entry, POSTERS_ARTICLES + 1);
	struct poster *authors =
	    arena_new(arena, struct poster, POSTERS_ARTICLES);
	size_t count, members;
	enum store_result result =
	    read_articles(store, arena, versions, publisher, entries, &count);

	*posters = (struct posters){ .is_cut = count > POSTERS_ARTICLES };
	if (posters->is_cut)
		count = POSTERS_ARTICLES;
	if (result == STORE_OK)
		result = read_authors(store, arena, entries, count, authors);
	if (result != STORE_OK)
		return result;
	members = add_up(authors, count);
	while (posters->count < members && posters->count < POSTERS_MAX) {
		const struct poster *poster = &authors[posters->count];

		posters->members[posters->count] = poster->member;
		posters->articles[posters->count++] = poster->articles;
	}
	return STORE_OK;
}
