/*
 * What is always true of a site's data:
 *
 *	1. While an article's record of voters exists, its counts are those of
 *	   the record, which has its 0 and expires when voting closes.
 *	2. Nobody has voted both up and down.
 *	3. An article is in the lists by time and by score of all articles, of
 *	   its author and of its groups, at its time and at its score.
 *	4. It is in no other list, and in none while it is removed.
 *	5. The interesting set has the articles with a moment, at that moment.
 *	6. A member's karma is the sum of the points of their articles, without
 *	   their own first votes.
 *
 * Redis alone is asked, with plain reads, and nothing of the store takes part:
 * what the store gets wrong it would get wrong here as well.
 */
#pragma once

#include "world.h"

/*
 * Fails the test, naming the article, at the first break. Returns how many
 * articles there are. Users' ids must be below INVARIANTS_USERS.
 */
size_t invariants_check(struct world *world);

enum { INVARIANTS_USERS = 4096 };
