/*
 * The lines of a load: what they are about, and what became of each.
 *
 * All files are read once before anything is written. So the numbers that they have can
 * be reserved before members take them; and of whatever a line names it is known
 * whether it has a line of its own, and whether that was refused. A site may have
 * another article under the number of one that was refused, and what belongs to the
 * one must not be put under the other.
 *
 * Costs some 60 bytes for each member, group, article and comment.
 */
#pragma once

#include "archive/record.h"

enum {
	/* How many numbers of comments a load may leave out in all, besides as many as
	 * it has: each takes 16 bytes of a thread (store/keys.h). */
	PLAN_COMMENTS_FREE = 100000,
	/* How far ids of articles and acts may be above 1,024 times their count, which
	 * is what buckets make of them: all have eleven digits. */
	PLAN_IDS_FREE = 1000000000
};

struct plan;

struct plan *plan_new(void);
void plan_free(struct plan *plan);

/* Notes a line; with a fault, it has an id or a name at best. */
void plan_add(struct plan *plan, const struct record *record, bool has_fault);

/* Notes that there may be lines of anything: they cannot be read. */
void plan_add_unknown(struct plan *plan);

/* The highest of all numbers that are not too high; of the comments of an article. */
uint64_t plan_last_article(const struct plan *plan);
uint64_t plan_last_act(const struct plan *plan);
uint64_t plan_last_comment(const struct plan *plan, uint64_t article);

/* Says that its number is too high, as a clause; empty when it is not. */
struct text plan_vet_number(
    const struct plan *plan, struct arena *arena, const struct record *record);

/*
 * What a line is about is in the site, as the dump has it; or the line was refused, and
 * something else may be there. Until then it is neither. The last line of several counts.
 */
enum plan_state { PLAN_UNKNOWN, PLAN_AHEAD, PLAN_THERE, PLAN_REFUSED };
void plan_settle(
    struct plan *plan, const struct record *record, enum plan_state state);

/*
 * Says that a record must not be written as it names something that was refused, or whose
 * line comes later, or may be among those that cannot be read; empty when it may. What
 * has no line may be in the site from before.
 */
struct text plan_vet_named(
    const struct plan *plan, struct arena *arena, const struct record *record);
