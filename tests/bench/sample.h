/*
 * Generated articles: the same on every run, with titles, links and votes
 * distributed as on a public news site (sample.c has the deciles).
 */
#pragma once

#include "base/arena.h"
#include "base/text.h"

enum {
	SAMPLE_MEMBERS = 1000,
	SAMPLE_READERS =
	    100, /* the first members, and the last, have no articles */
	SAMPLE_GROUPS = 200,
	SAMPLE_DAYS = 100, /* over which a whole site's articles are spread */
	SAMPLE_WINDOW = 7, /* days in which an article takes votes */
	SAMPLE_THOUSAND = 1000,
	SAMPLE_HALF = 100000 /* articles of "left" and of "right", at most */
};

enum sample_age {
	SAMPLE_SPREAD,	/* the last one posted now, the first 100 days ago; in
	                   a topic each */
	SAMPLE_CROWDED, /* the same, and in the large groups as well */
	SAMPLE_CLOSED, /* all of them before their window closed; in no group */
	SAMPLE_OPEN    /* all of them now; in no group */
};

/* Which articles: count of them, with ids from first on. */
struct sample_set {
	uint64_t first, count;
	enum sample_age age;
	int64_t now; /* Unix seconds */
};

struct sample {
	uint64_t id;
	struct text title, url;
	uint64_t author; /* from 0; a member's id is sample_member */
	int64_t posted, closes;
	bool open;
	int64_t interesting; /* when it got many votes, if it did */
	uint64_t up, down;   /* the first upvote is the author's */
	struct text groups[4];
	size_t group_count;
};

void sample_make(struct arena *arena, const struct sample_set *set, uint64_t id,
    struct sample *sample);

/* The member with a vote; upvotes come first. A member votes once on an article. */
uint64_t sample_voter(const struct sample *sample, uint64_t index);

/*
 * The id of a member, from 0 to SAMPLE_MEMBERS - 1. Ids lie far apart, so that
 * records of voters take the room that they take on a site of a million
 * members.
 */
uint64_t sample_member(uint64_t index);
struct text sample_member_name(struct arena *arena, uint64_t index);

/*
 * The name of a group, from 0 to SAMPLE_GROUPS - 1: "everything" has all
 * articles, "thousand" 1,000 of them, "left" and "right" up to 100,000 each and
 * none in common; the rest of the articles' topics share them evenly.
 */
struct text sample_group(struct arena *arena, uint64_t index);
