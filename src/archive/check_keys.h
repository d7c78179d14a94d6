/*
 * The check as the nouns see it: what the scan has found, sums, and the ways in which
 * keys are examined.
 */
#pragma once

#include <stdio.h>

#include "archive/keyscan.h"
#include "archive/record.h"
#include "redis/pipeline.h"
#include "store/function_call.h"
#include "store/inbox.h"
#include "store/move.h"
#include "store/pace.h"
#include "store/schema.h"

/* What a post adds to the karma of its author in its bucket. */
struct share {
	uint64_t bucket, author;
	struct post_id post;
	int64_t points;
};

/* Sums over the posts of a kind. */
struct check_totals {
	uint64_t posts, up, down, voters_known, removed, interesting;
};

struct check {
	struct store *store;
	FILE *out;
	struct keyscan all;
	struct arena memory;	/* lives as long as the check */
	struct arena step;	/* lives as long as one pipeline */
	struct buffer expected; /* of check_expect, in the step */
	struct share *shares;	/* room for those of all posts */
	size_t share_count;
	struct check_totals articles, comments;
	uint64_t groups, karmas, acts, breaks;
	uint64_t cut_short; /* registrations, and new groups */
	uint64_t entries;   /* of all lists */
	uint64_t inboxes, notices, mutes, saved, history, front_hours;
	struct move move;	  /* of the data to this layout */
	bool is_of_layout_before; /* and the move is to come */
	/* It is to come, or under way: what it has yet to write is no break. */
	bool awaits_move;
	struct pace pace;      /* what a vote is worth */
	bool knows_publishers; /* all articles have them */
	bool repairs;
	/* Ids of members with another name than theirs, and theirs does not. */
	struct buffer misnamed;
	/* Below: of check_repairs. */
	struct pipeline pending;
	struct arena pending_memory;
};

/*
 * The pipeline of commands that repair what is found, which runs at the end of the step; NULL
 * when the check does not repair. The commands, which may come late, fail or be sent again, must
 * do no harm where nothing is broken. Keys are made in the arena of the pipeline.
 */
struct pipeline *check_repairs(struct check *check);
/* Runs them. */
STORE_CALL check_repair(struct check *check);

/* Prints a break on a line. What Redis holds may be damaged in any way: no control
 * character goes out. check_report_all prints those in the reply of a function, from
 * start on. */
void check_report(struct check *check, struct text problem);
void check_report_all(struct check *check, struct text where,
    const struct reply *reply, size_t start);

/*
 * As redis_run; the check asks Redis in no other way. An error that damaged data causes does
 * not end the check: it is a break, and the reply is nil. Keys of another type are reported
 * from the scan, and not here again.
 */
bool check_run(struct check *check, struct pipeline *pipeline)
    __attribute__((warn_unused_result));

/* An entry of a list; with command "ZREM", or "SREM", with which it is removed. */
struct check_entry {
	const char *command;
	struct text list, entry;
};
/* Removes an entry, if the check repairs. */
void check_remove(struct check *check, const struct check_entry *entry);

/* Reports a problem at the end of the step, unless the key exists then: what the scan has
 * not found may have appeared since. All texts are in the step. The entry that names what does
 * not exist, or NULL, is then removed. */
void check_expect(struct check *check, struct text key, struct text problem,
    const struct check_entry *entry);

/* A place is in the bucket of its id; if not, that is a break. what begins its
 * sentence: "its thread lies". */
bool check_is_at_home(
    struct check *check, const char *what, const struct place *place);

/* Examines all places of a kind that are in their bucket, batch of them at once, with one
 * command for each. */
struct check_places {
	enum keyscan_kind kind;
	const char *what; /* as above */
	size_t batch;
	void (*ask)(struct check *check, struct pipeline *pipeline,
	    const struct place *place);
	void (*take)(struct check *check, const struct place *place,
	    const struct reply *reply);
};
STORE_CALL check_places(struct check *check, const struct check_places *places);

/* Reports places of a kind whose post does not exist. */
STORE_CALL check_orphans(struct check *check, enum keyscan_kind kind,
    const char *what, const char *problem);

/* Scans what is too long for one command, batch at once, each in steps from a position on
 * with one command for each. */
struct check_cursor {
	struct text list; /* its key; or */
	uint64_t id;	  /* of an article, or of a member */
	uint64_t position;
	struct notice last; /* of an inbox: the last of the step before */
};
enum { CHECK_CURSORS_MAX = 50 };
struct check_scan {
	size_t batch;
	/* Starts with the next one, from *next on; false when there is none. */
	bool (*start)(
	    struct check *check, size_t *next, struct check_cursor *cursor);
	void (*ask)(struct check *check, struct pipeline *pipeline,
	    const struct check_cursor *cursor);
	/* Moves the cursor on; false at the end. */
	bool (*take)(struct check *check, struct check_cursor *cursor,
	    const struct reply *reply);
};
STORE_CALL check_scan_all(struct check *check, const struct check_scan *scan);

/* Starts with the next member, or with an id that has a key but no member. */
bool check_start_member(
    struct check *check, size_t *next, struct check_cursor *cursor);

/* Asks a function that examines a key from a position on, and reports its breaks; its
 * reply begins with the next position, which is 0 at the end. */
void check_ask_steps(struct check *check, struct pipeline *pipeline,
    enum call_kind kind, const char *function, struct text key,
    uint64_t position);
bool check_take_steps(struct check *check, struct check_cursor *cursor,
    struct text key, const struct reply *reply);

/* Examines keys: sets a problem for each that has one. Those are examined again, up to
 * three times with a pause between, and reported if it stays. */
typedef enum store_result check_examiner(struct check *check,
    const struct text *keys, size_t count, struct text *problems);
/* Repairs what is derived from a key, or is its own, if it can. */
typedef enum store_result check_repairer(struct check *check, struct text key);
STORE_CALL check_examine(struct check *check, const struct text *keys,
    size_t count, check_examiner *examine, check_repairer *repair);

/* The part of a key after its first colon. */
struct text check_name_in_key(struct text key);

/* The first field whose value is not of its type, of the hash of a noun that is there; empty
 * when there is none. reply is that of schema_ask. */
struct text check_fields(struct check *check, const struct schema *schema,
    const struct reply *reply);

/* Reports a field of a hash whose value is not a number from 0 on, and returns false. */
bool check_number(struct check *check, struct text key,
    const struct reply *field, const struct reply *value);

/* A counter is not behind the highest number that it gave out: what has that number would
 * be written over. check_counters checks those of a noun, of all buckets. */
void check_counter(struct check *check, struct text key,
    const struct reply *counter, uint64_t highest);
STORE_CALL check_counters(
    struct check *check, enum record_kind noun, enum keyscan_kind kind);
