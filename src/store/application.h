/*
 * Applications for registration, where owners have chosen that: a name, a password and the answer
 * to the owners' question, which moderators accept or decline.
 *
 * All are in one hash, by name, at most APPLICATIONS_MAX. One that nobody decided on is over after
 * APPLICATION_SECONDS, one that was declined after APPLICATION_DECLINED_SECONDS: until then
 * whoever applied sees the reason by logging in. One that was accepted is a member, and is deleted.
 */
#pragma once

#include "store/schema.h"

enum {
	APPLICATIONS_MAX = 500,
	APPLICATION_SECONDS = 30 * 86400,
	APPLICATION_DECLINED_SECONDS = 14 * 86400
};

struct application {
	struct text name, password_hash;
	struct text answer; /* a text of several lines */
	int64_t applied;    /* Unix seconds */
	int64_t declined;   /* likewise; 0: it waits */
	struct text reason; /* why it was; may be empty */
	struct text stored; /* as it is in Redis, to be compared */
};

/* In a dump; nothing is in a hash of its own. */
extern const struct schema application_schema;

/* Adds an application with name, password_hash and answer. STORE_TAKEN when there is one of that
 * name, STORE_FULL. The caller has looked whether the name is a member's. */
STORE_CALL application_add(struct store *store, struct arena *arena,
    const struct application *application);

/* STORE_ABSENT when there is none, or it is over. Names are compared ignoring case. */
STORE_CALL application_find(struct store *store, struct arena *arena,
    struct text name, struct application *application);

/* Reads all that are not over, the oldest first. Of a master that does not answer there are none,
 * which sets *is_partial; with NULL it is STORE_DOWN. */
STORE_CALL application_list(struct store *store, struct arena *arena,
    struct application **applications, size_t *count, bool *is_partial);

/* The number of those that wait, of a master that answers. */
STORE_CALL application_count_waiting(
    struct store *store, struct arena *arena, int64_t *count);

/* Declines it, for a reason that may be empty. STORE_ABSENT when it was decided on meanwhile. */
STORE_CALL application_decline(struct store *store, struct arena *arena,
    const struct application *application, struct text reason);

/*
 * Makes the applicant a member, a newcomer; *id is theirs. STORE_TAKEN when another member has
 * the name by now. application_end then deletes the application: an acceptance that was interrupted
 * can be repeated.
 */
STORE_CALL application_accept(struct store *store, struct arena *arena,
    const struct application *application, uint64_t *id);
STORE_CALL application_end(struct store *store, struct arena *arena,
    const struct application *application);

/* Finds the member whom an acceptance that was interrupted has made; *id is 0 when there is
 * none. */
STORE_CALL application_find_member(struct store *store, struct arena *arena,
    const struct application *application, uint64_t *id);

/* Parses what is stored; false when it is damaged. */
bool application_parse(struct text stored, struct application *application);
struct text application_format(
    struct arena *arena, const struct application *application);
