/*
 * What a containment (store/containment.h) of a member would change, so that moderators see it
 * before they decide: how many posts and votes, and the hosts of the links.
 */
#pragma once

#include "store/store.h"

/* Since when posts are counted. */
enum containment_range {
	RANGE_DAY,
	RANGE_WEEK,
	RANGE_EVER,
	CONTAINMENT_RANGES
};

enum { CONTAINMENT_HOSTS = 20 };

/* A host, or the registrable domain that it is part of, among the newest articles of the member;
 * and how many articles link to it that are not removed. */
struct containment_host {
	struct text name;
	int64_t own, others;
};

struct containment_extent {
	int64_t since[CONTAINMENT_RANGES]; /* Unix seconds */
	int64_t articles[CONTAINMENT_RANGES], comments[CONTAINMENT_RANGES];
	int64_t votes; /* that are open, among those of the history */
	struct containment_host hosts[CONTAINMENT_HOSTS];
	size_t host_count;
};

/* Reads it in six round trips. Of posts that wait to be shown the newest 20 of a bucket are
 * counted. */
STORE_CALL containment_extent_read(struct store *store, struct arena *arena,
    uint64_t member, struct containment_extent *extent);
