/*
 * The manifest of a load: what its lines are, and what became of each.
 *
 * All files are read once before anything is written. So the numbers that they have can
 * be reserved before members take them; and of whatever a line names it is known if it
 * has a line of its own, and if that was refused. A site may have another article under
 * the number of one that was refused, and what belongs to the one must not be put under
 * the other.
 *
 * Costs some 60 bytes for each member, group, article and comment.
 */
#pragma once

#include "archive/record.h"

enum {
	/* How many numbers of comments a load may leave out in all, besides as many as
	 * it has: each takes 16 bytes of a thread (store/keys.h). */
	MANIFEST_COMMENTS_FREE = 100000,
	/* How far ids of articles and acts may be above 1,024 times their count, which
	 * is what buckets make of them: all have eleven digits. */
	MANIFEST_IDS_FREE = 1000000000
};

struct manifest;

struct manifest *manifest_new(void);
void manifest_free(struct manifest *manifest);

/* Adds a line; with a problem, it has an id or a name at best. */
void manifest_add(
    struct manifest *manifest, const struct record *record, bool has_problem);

/* Notes that there may be lines of anything: they cannot be read. */
void manifest_add_unknown(struct manifest *manifest);

/* The highest number of a kind that is not too high; and of an article's comments. */
uint64_t manifest_last_number(
    const struct manifest *manifest, enum record_kind kind);
uint64_t manifest_last_comment(
    const struct manifest *manifest, uint64_t article);

/* Says that its number is too high, as a clause; empty when it is not. */
struct text manifest_number_problem(const struct manifest *manifest,
    struct arena *arena, const struct record *record);

/*
 * The noun of a line is in the site, as the dump has it; or the line was refused, and
 * something else may be there. Until then its line is ahead. The last line of several
 * counts.
 */
enum manifest_state {
	MANIFEST_UNKNOWN,
	MANIFEST_AHEAD,
	MANIFEST_PRESENT,
	MANIFEST_REFUSED
};
void manifest_set_state(struct manifest *manifest, const struct record *record,
    enum manifest_state state);

/*
 * Says that a record must not be written as it names something that was refused, or
 * whose line comes later, or may be among those that cannot be read; empty when it may.
 * What has no line may be in the site from before.
 */
struct text manifest_reference_problem(const struct manifest *manifest,
    struct arena *arena, struct record *record);
