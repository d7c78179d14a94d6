#include "search_world.h"

int
search_finish(struct index *index)
{
	bool more = true;
	int steps = 0;

	for (; more; steps++)
		assert_int_equal(index_finish(index, &more), INDEX_OK);
	return steps;
}

void
search_create(const char *path)
{
	struct index *index;

	assert_int_equal(
	    index_open(path, INDEX_CREATE, SEARCH_SITE, &index), INDEX_OK);
	search_finish(index);
	index_close(index);
}

void
search_open_writer(struct search_world *world)
{
	assert_int_equal(
	    index_open(world->path, INDEX_WRITE, SEARCH_SITE, &world->writer),
	    INDEX_OK);
}

void
search_open_reader(struct search_world *world)
{
	assert_int_equal(
	    index_open(world->path, INDEX_READ, SEARCH_SITE, &world->reader),
	    INDEX_OK);
}

void
search_close(struct search_world *world)
{
	index_close(world->reader);
	index_close(world->writer);
	world->reader = world->writer = NULL;
}

int
search_set_up(void **state)
{
	struct search_world *world = test_calloc(1, sizeof(*world));

	fixture_make_folder(world->folder);
	world->path = fixture_path(&world->arena, world->folder, "index.db");
	search_create(world->path);
	search_open_writer(world);
	search_open_reader(world);
	*state = world;
	return 0;
}

int
search_tear_down(void **state)
{
	struct search_world *world = *state;

	search_close(world);
	fixture_remove_folder(world->folder);
	arena_free(&world->arena);
	test_free(world);
	return 0;
}

struct search_post
search_article(uint64_t id, const char *title, const char *text)
{
	return (struct search_post){ .id.article = id,
		.posted = 1700000000 + (int64_t)id,
		.points = 1,
		.author = 17,
		.title = text_of(title),
		.text = text_of(text),
		.groups = TEXT("databases") };
}

void
search_put(struct search_world *world, struct search_post post)
{
	assert_int_equal(index_put(world->writer, &post), INDEX_OK);
}

void
search_commit(struct search_world *world)
{
	assert_int_equal(index_commit(world->writer, NULL, 0), INDEX_OK);
}

void
search_put_many(
    struct search_world *world, uint64_t first, uint64_t last, const char *text)
{
	for (uint64_t id = first; id <= last; id++)
		search_put(world, search_article(id, text, ""));
	search_commit(world);
}

static enum index_result
try_page(struct search_world *world, const char *typed,
    struct find_request request, struct find_hits *hits)
{
	struct query_name items[] = { { TEXT("u:ann"), TEXT("17") } };
	const struct query_names names = { items, 1 };
	struct query query;

	query_parse(&world->arena, text_of(typed), &query);
	request.query = &query;
	request.names = &names;
	return find_posts(world->reader, &world->arena, &request, hits);
}

enum index_result
search_try(struct search_world *world, const char *typed,
    enum query_order order, int64_t microseconds, struct find_hits *hits)
{
	return try_page(world, typed,
	    (struct find_request){
		.order = order, .limit = 30, .microseconds = microseconds },
	    hits);
}

struct find_hits
search_find(struct search_world *world, const char *typed,
    enum query_order order, size_t offset, size_t limit)
{
	struct find_hits hits;

	assert_int_equal(
	    try_page(world, typed,
		(struct find_request){
		    .order = order, .offset = offset, .limit = limit },
		&hits),
	    INDEX_OK);
	return hits;
}

struct text
search_show(struct search_world *world, const struct find_hits *hits)
{
	struct text shown = TEXT("");

	for (size_t i = 0; i < hits->size; i++) {
		shown = text_format(&world->arena, "%.*s%s%llu",
		    TEXT_ARGS(shown), i > 0 ? " " : "",
		    (unsigned long long)hits->ids[i].article);
		if (hits->ids[i].comment > 0)
			shown = text_format(&world->arena, "%.*s:%llu",
			    TEXT_ARGS(shown),
			    (unsigned long long)hits->ids[i].comment);
	}
	return shown;
}

void
search_check(struct search_world *world, const char *typed,
    enum query_order order, const char *expected)
{
	struct find_hits hits = search_find(world, typed, order, 0, 30);

	assert_text(search_show(world, &hits), expected);
	assert_int_equal(hits.outcome, FIND_EXACT);
	assert_int_equal(hits.count, hits.size);
}
