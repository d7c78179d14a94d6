/*
 * "tally check": verifies the invariants of the data, over the whole site, while it runs.
 *
 *	1. While who voted is known, the counts are those of the record.
 *	2. Nobody voted both ways, or votes where a vote was voided.
 *	3. A score is posted + the worth of a vote x (up - down).
 *	4. A post that is not removed stands in the lists of its bucket and its
 *	   author, an article in those of its groups, and nowhere else; a removed
 *	   comment among what is gone. The newest comments lack only what is older
 *	   than the last that fell out of them.
 *	5. It is among the interesting exactly when it became so and stands.
 *	6. Karma is the sum of up - down - 1 over what a member posted.
 *	7. A post stands in the queue, by the moment of the first of its flags
 *	   that is open, exactly when it has one and is not removed.
 *	8. A comment answers its article, or an earlier comment there. A thread's
 *	   index has each comment as its hash has it, and no other; the article
 *	   has the number of the last one, and how many are to be read.
 *	9. An act stands in the log, in the lists of its kind and of those whom it
 *	   names, and nowhere else.
 *	10. A member has read no more than was told, and an inbox has no more than
 *	   fit: each a comment that exists, under a number of its own up to that of
 *	   what was told. Muted is what exists, and not the member. Whose account is
 *	   closed has neither.
 *	11. No counter is behind the highest number that was given out by it.
 *	12. A name leads to the member who has it, and the name of each member to the
 *	   member; those and only those with a role are among the moderators.
 *	13. A group is whole, and in the list where it belongs; what is listed, or has
 *	   articles, exists.
 *	14. A link is claimed for an article that exists.
 *
 * A post, a list, a thread, an act or an inbox is examined by one function call, at one
 * moment, in steps that keep Redis busy for about a millisecond; so votes that come in
 * meanwhile are no breaks. Members, names, groups and claims lie in several slots, which
 * change one after the other: what looks broken is examined again before it counts. What
 * is posted after the start may be missed.
 */
#pragma once

#include <stdio.h>

#include "store/store.h"

/*
 * Prints each break on a line that names the post or list, what was counted,
 * and last "N breaks". Returns the exit status: 0 when there are none; 1
 * otherwise, and when Redis or out failed.
 */
int check_command(struct store *store, FILE *out);
