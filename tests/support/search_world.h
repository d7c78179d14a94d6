/*
 * An index of posts in a folder of its own, with a writer and a reader.
 */
#pragma once

#include "fixture.h"
#include "search/find.h"

#define SEARCH_SITE TEXT("site")

struct search_world {
	struct arena arena;
	char folder[FIXTURE_FOLDER];
	const char *path;
	struct index *writer, *reader;
};

/* As *state: an empty index, both open. */
int search_set_up(void **state);
int search_tear_down(void **state);

#define search_test(function) \
	cmocka_unit_test_setup_teardown( \
	    function, search_set_up, search_tear_down)

/* Finishes what INDEX_CREATE began; returns in how many steps. */
int search_finish(struct index *index);

/* Makes an empty index at a path. */
void search_create(const char *path);

/* Opens them; each fails the test unless INDEX_OK. */
void search_open_writer(struct search_world *world);
void search_open_reader(struct search_world *world);
void search_close(struct search_world *world);

/* An article with a point of member 17 in the group "databases", posted in a second of its
 * own. */
struct search_post search_article(
    uint64_t id, const char *title, const char *text);

void search_put(struct search_world *world, struct search_post post);
void search_commit(struct search_world *world);

/* Puts articles with these ids and a text, and commits. */
void search_put_many(struct search_world *world, uint64_t first, uint64_t last,
    const char *text);

/* Searches; "ann" is member 17. */
struct find_hits search_find(struct search_world *world, const char *typed,
    enum query_order order, size_t offset, size_t limit);
enum index_result search_try(struct search_world *world, const char *typed,
    enum query_order order, int64_t microseconds, struct find_hits *hits);

/* Ids of hits: "3 1 2:7". */
struct text search_show(
    struct search_world *world, const struct find_hits *hits);

/* Asserts that all hits in an order are these. */
void search_check(struct search_world *world, const char *typed,
    enum query_order order, const char *expected);
