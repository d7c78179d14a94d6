/*
 * What the check looks at by itself: each post with its votes and places, each record
 * of voters or of flags, each act; and each list and thread, for what does not belong
 * there.
 */
#pragma once

#include <stdio.h>

#include "archive/karma.h"

/* What posts of a kind add up to. */
struct look_totals {
	uint64_t posts, up, down, voters_known, removed, interesting;
};

struct look {
	struct store *store;
	FILE *out;
	struct keyscan all;
	struct arena memory;  /* lives as long as the check */
	struct arena step;    /* lives as long as one pipeline */
	struct share *shares; /* what posts add to karma */
	size_t share_count;
	struct look_totals articles, comments;
	uint64_t acts, breaks;
	uint64_t cut_short; /* registrations, and new groups */
	uint64_t entries;   /* of all lists */
	uint64_t inboxes, notices, mutes;
};

/* Prints a break on a line. What Redis holds may be damaged in any way: no control
 * character goes out. */
void look_report(struct look *look, struct text what);

/* Everything that the inventory has; there has to be room for the shares of all posts. */
STORE_CALL look_at_all(struct look *look);
