/*
 * What is always true of a site's data:
 *
 *	1. While a post's record of voters exists, its counts are those of the
 *	   record, which has its 0 and expires when voting closes.
 *	2. Nobody has voted both up and down.
 *	3. An article is in the lists by time and by score of all articles, of
 *	   its author and of its groups, at its time and at its score; a comment
 *	   in its author's, and among the newest, of which there are no more than
 *	   fit.
 *	4. A post is in no other list, and while it is removed in none but that of
 *	   what of its author's is gone.
 *	5. The interesting set has the articles with a moment, at that moment.
 *	6. A member's karma is the sum of the points of their posts, without
 *	   their own first votes.
 *	7. A comment answers its article or an earlier comment of it. The index of
 *	   a thread has its comments, each as it is, and no others; and the
 *	   article says which is the last and how many are to be read.
 *	8. The queue has the posts with an open flag that are not removed, at the
 *	   moment of the first of these flags; and those that wait to be shown,
 *	   which count as removed, and are in no thread's index.
 *
 *	9. An article with comments that are not removed is active since the
 *	   last of them, in the list of all and in those of its groups.
 *
 *	10. An article up to that which its bucket placed last has no record of
 *	   voters, and is in the lists by points of all and of its month, and in
 *	   those of its groups, unless it is removed; one with a record is in none
 *	   of them.
 *
 * Redis alone is asked, with plain reads, and nothing of the store takes part:
 * what the store gets wrong it would get wrong here as well.
 */
#pragma once

#include "world.h"

/*
 * Fails the test, naming the post, at the first break. Returns how many posts there
 * are. Users' ids must be below INVARIANTS_USERS, and no bucket may have had more
 * comments than the newest are, a thousand.
 */
size_t invariants_check(struct world *world);

enum { INVARIANTS_USERS = 4096 };
