/*
 * A plain model of a site for orders by points and time: articles in three groups, on which members
 * vote, take votes back and vote the other way, and which are removed, restored and moved to other
 * groups while time passes; those on which voting has closed are placed by points. What a list
 * shows is compared with all articles, sorted in memory.
 */
#pragma once

#include "lists/list.h"
#include "world.h"

enum { RANKED_ARTICLES = 700, RANKED_VOTERS = 40 };

struct ranked_article {
	uint64_t id;
	int64_t posted, points;
	unsigned groups; /* bits */
	bool removed;
	signed char votes[RANKED_VOTERS];
	double rank;
};

struct ranked_site {
	struct world *world;
	struct arena arena; /* reset by checks and after each step */
	unsigned seed;
	uint64_t author;
	struct ranked_article articles[RANKED_ARTICLES];
	size_t count;
};

/* What an article is ranked by, highest first; then by time, then by id. now in Unix seconds. */
typedef double rank_of(const struct ranked_article *article,
    const struct list_query *query, int64_t now);

/* Makes a site, a step at a time, and calls check for each quarter of its articles. Less than pause
 * seconds are between two of them. */
void ranked_site_walk(struct world *world, int64_t vote_score, unsigned seed,
    unsigned pause, void (*check)(struct ranked_site *site));

/* Compares all pages of the list of all articles with the model. */
void ranked_site_check(
    struct ranked_site *site, struct list_query query, rank_of *rank);

/* The same, and those of groups: any of one to three, and all of them. */
void ranked_site_check_groups(
    struct ranked_site *site, struct list_query query, rank_of *rank);

/* Adds commands that put an article straight into the lists of all, with a vote score of 432. */
void ranked_site_place(struct pipeline *pipeline, const struct world *world,
    uint64_t id, int64_t posted, int64_t points);

/* Puts so many there: one a minute before NOON, with a point each. */
void ranked_site_place_many(struct world *world, uint64_t count);
