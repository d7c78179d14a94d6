/*
 * Building an index from all posts of a site, while it is in use.
 *
 * The ends of the streams of changes are noted first; then the places of all posts are read, some
 * at a time, and sorted in memory, 16 bytes each; then the posts in order of posting, as the
 * index numbers them. What changes meanwhile is read from the streams afterwards.
 */
#pragma once

#include "search/index.h"
#include "store/store.h"

struct build;

/* Begins; path is that of a file of its own, and site names the site (search/index.h). Both are
 * copied. */
struct build *build_new(
    struct store *store, const char *path, struct text site);
/* What was not finished is useless, and is deleted with the next build. NULL is allowed. */
void build_free(struct build *build);

enum build_result {
	BUILD_GOES_ON,
	BUILD_DONE, /* the file is whole, and closed */
	BUILD_DOWN, /* Redis does not answer: the same step can be made again */
	BUILD_FAILED, /* the disk is full, or cannot be read */
};

/* A step of some hundred posts at most. */
enum build_result build_step(struct build *build)
    __attribute__((warn_unused_result));

/* How much is done, in percent. */
int build_percent(const struct build *build);

/* The number of posts that were written. */
size_t build_posts(const struct build *build);
