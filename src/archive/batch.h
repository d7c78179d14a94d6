/*
 * Lines of a load that are written together, all of one noun, in a few round trips.
 *
 * What exists stays as it is, so the same lines may come again: even after a crash
 * nothing is there twice, and nothing is half there. What exists and is not the same is
 * refused.
 */
#pragma once

#include "archive/manifest.h"
#include "archive/name_cache.h"
#include "archive/record.h"

enum batch_outcome {
	BATCH_LOADED,
	BATCH_EXISTED, /* and was left as it is */
	BATCH_OUTCOMES
};

struct batch_line {
	struct record record;
	uint64_t number;     /* in its file, from 1 */
	struct text refusal; /* a clause; empty while nothing is wrong */
	enum batch_outcome outcome;
};

enum { BATCH_MAX = 40 }; /* they keep Redis busy for a millisecond */

/* None of the lines is refused by validate_record. */
struct batch {
	struct store *store;
	struct name_cache *names;
	struct manifest *manifest;
	struct arena *arena;
	struct text shared_hosts; /* of the site, while articles are loaded */
	struct batch_line *lines[BATCH_MAX];
	size_t count; /* at least 1 */
};

/*
 * Finds the members, groups and posts that the lines name, and refuses lines that name
 * what does not exist, or has been refused; in whose place the site has something else;
 * that count a member's vote twice; lead groups in a circle; or have no room. The first
 * reason counts. The manifest is told which lines are refused and which are not.
 */
STORE_CALL batch_resolve(struct batch *batch);

/*
 * Writes the lines, none of which batch_resolve has refused, in their order, and sets
 * their outcomes; refuses those in whose place something has come since.
 */
STORE_CALL batch_load(struct batch *batch);

/*
 * From now on nothing new is given an id that the load has, and in no bucket one that is
 * lower: ids go on growing with time. To be called before anything is written.
 */
STORE_CALL batch_reserve(
    struct store *store, struct arena *arena, const struct manifest *manifest);

/* For the callbacks of nouns. */

/* Refuse a line, unless it is refused already: for a reason; as there is no such member,
 * group or post; or as the site has something else in its place. */
void batch_refuse(struct batch_line *line, struct text reason);
void batch_refuse_missing(const struct batch *batch, struct batch_line *line,
    enum record_kind kind, struct text name);
void batch_refuse_missing_post(
    const struct batch *batch, struct batch_line *line, struct post_id id);
void batch_refuse_other(const struct batch *batch, struct batch_line *line);

/* Marks a line as one of what exists, or refuses it as something else does. */
void batch_compare(
    const struct batch *batch, struct batch_line *line, bool is_same);

/* Finds the ids of members, and refuses the line when one does not exist; an empty name is
 * nobody's. */
STORE_CALL batch_find_ids(struct batch *batch, struct batch_line *line,
    struct member *const *members, size_t count);

/* Finds a member, with the name as registered, in whatever case it was given. The line is
 * refused when there is none. batch_find_members does so with all members whom the lines
 * name by themselves, who may be nobody where the noun says so. */
STORE_CALL batch_find_member(
    struct batch *batch, struct batch_line *line, struct member *member);
STORE_CALL batch_find_members(struct batch *batch);

/* The same with a member of each line, in a round trip or two. */
typedef struct member *batch_member(struct record *record);
enum batch_need { BATCH_REQUIRED, BATCH_OR_NOBODY };
STORE_CALL batch_find_owners(
    struct batch *batch, batch_member *owner, enum batch_need need);

/* Refuses lines that name a post which does not exist; article 0 is none. */
typedef struct post_id batch_post(const struct record *record);
STORE_CALL batch_find_posts(struct batch *batch, batch_post *named);

/* Takes the outcome of a line from the reply of the function that loads it. */
STORE_CALL batch_take_outcome(
    struct batch *batch, struct batch_line *line, const struct reply *reply);
