/*
 * Who posts from a publisher: the authors of its newest articles.
 */
#pragma once

#include "lists/merge.h"

enum {
	POSTERS_ARTICLES = 500, /* that are read */
	POSTERS_MAX = 20
};

/* Members by the number of articles, most first. */
struct posters {
	struct member members[POSTERS_MAX];
	uint64_t articles[POSTERS_MAX];
	size_t count;
	bool is_cut; /* there are older articles */
};

/* The versions were read before. */
STORE_CALL posters_read(struct store *store, struct arena *arena,
    const struct versions *versions, struct text publisher,
    struct posters *posters);
