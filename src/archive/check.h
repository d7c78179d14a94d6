/*
 * "tally check": verifies the invariants of the data, over the whole site, while it runs.
 *
 *	1. While a post has a record of voters, its counts are those of the record.
 *	2. Nobody voted both ways, or votes where a vote was voided.
 *	3. A score is posted + the worth of a vote x (up - down).
 *	4. A post that is not removed is in the lists of its bucket and its author, an
 *	   article in those of its groups, and in no others; a removed post is in its
 *	   author's list of removed ones. The newest comments lack only those older than
 *	   the last that was cut from them.
 *	5. An article is in the list of interesting ones if it became so and is not
 *	   removed, and only then.
 *	6. Karma is the sum of up - down - 1 over a member's posts.
 *	7. A post with an open flag that is not removed is in the queue, by the moment of
 *	   the first such flag; no other post is.
 *	8. A comment answers its article, or an earlier comment there. A thread's index has
 *	   each comment with the values of its hash, and no other; the article has the
 *	   number of the last one, and the count of those to be read.
 *	9. An act is in the log, in the lists of its kind and of the members whom it
 *	   names, and in no others; one that is part of a decision is in that one's, which
 *	   exists, and counts no fewer posts than its parts are on. A containment that may
 *	   be taken back is whole, is in the log and among those that the relay reads, and
 *	   expires; one that has expired is not among them. What containments have changed
 *	   are posts that exist, by acts that are in the log, and it expires.
 *	10. A member has read no more notices than there were, and an inbox has no more than
 *	   fit: each of a comment that exists, under a number of its own up to the count
 *	   of notices. Muted articles exist, and hidden articles and members; nobody hides
 *	   themselves. Closed accounts have neither notices nor mutes, hide nothing, and have no
 *	   notes on them; authors of notes exist.
 *	11. No counter is behind the highest number that it gave out.
 *	12. A name leads to the member who has it, and the name of each member to the
 *	   member; members with a role, and no others, are among the moderators.
 *	13. A group is whole, and in the list where it belongs; groups that are listed, or
 *	   have articles, exist. Its moderators do, under these names.
 *	14. A link is claimed for an article that exists; that of an article whose voting
 *	   is open is.
 *	15. The images of the site are files that its form accepts.
 *	16. The set of months names exactly those with kept front pages; each such page has 1
 *	   to 100 articles, each once, and each article says since when it is on one.
 *	17. Each key has the type of the layout (store/keys.h), and what is to be a number,
 *	   a member or a role is one.
 *
 * Damage never ends the check. Where a key has another type, or is not readable, what needs
 * it is not examined further.
 *
 * A post, a list, a thread, an act or an inbox is examined by one function call, at one
 * moment, in steps that keep Redis busy for about a millisecond; so votes that come in
 * meanwhile are no breaks. Members, names, groups and claims lie in several slots, which
 * change one after the other: what seems broken is examined again before it counts. Posts
 * written after the start may be missed.
 */
#pragma once

#include <stdio.h>

#include "store/store.h"

enum check_mode { CHECK_ONLY, CHECK_REPAIR };

/*
 * Prints each break on a line that names the post or list, what was counted,
 * and last "N breaks". Returns the exit status: 0 when there are none; 1
 * otherwise, and when Redis or out failed.
 *
 * CHECK_REPAIR writes what is broken again from what it is derived from (store/refresh.h),
 * removes entries of what does not exist or belongs elsewhere, and checks again, until there is
 * no break that it can repair: the last check prints those that are left.
 *
 * Records are not derived, and stay as they are: the fields of members, groups, posts and actions,
 * but the counts of a decision; settings, inboxes and mutes; front pages that were kept; flags; who
 * voted, from which up and down are counted as long as each entry is a vote and nobody voted both
 * ways; and of a comment its parent and its time, which stand in its thread's index alone, as its
 * votes do once voting has closed. A load of a backup adds records that are lost (archive/load.h).
 */
int check_command(struct store *store, FILE *out, enum check_mode mode);
