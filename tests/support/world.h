/*
 * The world of one test: a private Redis whose clock the test sets, and a store
 * on it with an empty site.
 *
 * Redis listens on a unix socket in a temporary folder and writes nothing to
 * disk. It is killed and the folder removed when the test ends, even by a crash.
 * Several worlds may be open at once. An error in here fails the running cmocka
 * test.
 */
#pragma once

#include <sys/types.h>

#include "fixture.h"
#include "lists/mod_log.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/inbox.h"
#include "store/store.h"
#include "store/user.h"

struct read_cache;
struct second_factor;
struct settings_cache;
struct world_shared;

struct world {
	struct store store; /* site open, functions loaded, default rules */
	struct settings_cache *settings; /* as a worker has read them */
	struct read_cache *cache;	 /* as a worker has one, for lists */
	struct arena arena;		 /* lives as long as the world */
	char folder[FIXTURE_FOLDER];	 /* the test may put files there */
	struct text address;		 /* "unix:..." */
	pid_t redis;			 /* to stop and continue it */
	/* Below: private. */
	pid_t supervisor;
	struct world_shared *shared;
};

/* Takes about 30 ms. */
void world_open(struct world *world, uint64_t buckets);
void world_close(struct world *world);

/* The defaults of server/config.h, without rate limits, and with unused sessions
 * lasting as long as used ones. */
struct rules world_rules(uint64_t buckets);

/* A second connection with the same rules; the caller closes it (redis_close). */
struct store world_connect(struct world *world);

/* Redis's clock, Unix seconds. */
int64_t world_now(struct world *world);

/* Moves Redis's clock, which also decides what has expired; seconds may be
 * negative. */
void world_move_clock(struct world *world, int64_t seconds);

/*
 * Stops Redis's clock at a moment (Unix seconds). world_move_clock then sets
 * another one; 0 lets it run again.
 */
void world_stop_clock(struct world *world, int64_t moment);

/* Runs any Redis command; an error reply fails the test. */
struct reply world_command_words(
    struct world *world, const struct text *words, size_t count);

#define world_command(world, ...) \
	world_command_words((world), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))

/* The first number of a field of Redis's INFO, such as the calls of "cmdstat_hget" in
 * "commandstats"; 0 when it has no such field. */
int64_t world_info(struct world *world, const char *section, const char *name);

/* For session_start: no second factor is given. */
extern const struct second_factor world_no_factor;

/* A new member without a password; returns the id. */
uint64_t world_member(struct world *world, const char *name);

/* Reads a member. */
struct user world_user(struct world *world, uint64_t id);

/* Reads a part of a member's inbox, newest first. */
struct world_inbox {
	struct notice *notices;
	size_t count;
	uint64_t total;
};
struct world_inbox world_inbox(
    struct world *world, uint64_t user, uint64_t start, uint64_t count);

/* Reads the first page of the moderation log: actions of one kind, or all for "". */
struct mod_log_page world_log(struct world *world, const char *kind);

/* Creates a group without a creator; world_groups those of the names that do not
 * exist yet. */
void world_group(struct world *world, const char *name);
void world_groups(struct world *world, struct text names);

/* Appends to an article's link or text, whose hash decides its bucket, until the
 * article falls into the bucket of the next id: ids are then consecutive. */
void world_choose_bucket(struct world *world, struct article *article);

/*
 * Posts an article and returns its id. An empty url makes it a text. groups are
 * names separated by spaces; missing ones are created.
 */
uint64_t world_post(struct world *world, uint64_t user, const char *title,
    const char *url, const char *groups);

/* Posts a comment that answers an article or a comment, and names nobody; returns its number. */
uint64_t world_comment(
    struct world *world, struct post_id above, uint64_t user, const char *text);

/* Casts a vote on a post, as a newcomer or of that kind, without an entry in the member's
 * history; outcomes as at post_send_vote. */
STORE_CALL world_cast(struct store *store, struct arena *arena,
    struct post_id id, uint64_t user, enum vote wanted);
STORE_CALL world_cast_by(struct store *store, struct arena *arena,
    struct post_id id, uint64_t user, enum voter_kind voter, enum vote wanted);

/* Votes on an article, or removes it; a refusal fails the test. */
void world_vote(
    struct world *world, uint64_t article, uint64_t user, enum vote vote);
void world_remove(struct world *world, uint64_t article);

/* Carries out all that moderators have decided on members (store/containment.h), as a relay
 * does. */
void world_contain(struct world *world);

/* Without a moderator and without a reason. */
extern const struct mod_action world_removal, world_restoring;

/* An article as a member sees it; viewer 0 is a visitor. */
struct article world_article(struct world *world, uint64_t id, uint64_t viewer);

int64_t world_karma(struct world *world, uint64_t user);

/* Members ann, bob and eve, and an article of ann's in the groups, posted at NOON, at
 * which the clock is stopped. */
enum { NOON = 1700000000 }; /* 2023-11-14T22:13:20Z */
struct world_scene {
	struct world *world;
	uint64_t ann, bob, eve, article;
};
struct world_scene world_scene(struct world *world, const char *groups);

/*
 * All that Redis stores: every key in order of name, with its value and its expiry,
 * except the counts of changes, the log, outboxes and keys that expire at this moment. Equal
 * texts mean equal sites.
 */
struct text world_snapshot(struct world *world);

/* The site equals a snapshot; fails with the first line that differs. */
#define assert_unchanged(world, snapshot) \
	world_assert_unchanged((world), (snapshot), __FILE__, __LINE__)
void world_assert_unchanged(
    struct world *world, struct text snapshot, const char *file, int line);

/* The names of the matching keys, sorted, separated by spaces. */
struct text world_keys(struct world *world, const char *pattern);

/*
 * world_test is a cmocka test that gets a new world as *state. world_run is its
 * main: it runs all tests with 1 bucket, then all with 4, and returns the number
 * of failures.
 */
#define world_test(function) \
	cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)
#define world_run(name, tests) \
	world_run_tests((name), (tests), sizeof(tests) / sizeof((tests)[0]))

int world_setup(void **state);
int world_teardown(void **state);
int world_run_tests(
    const char *name, const struct CMUnitTest *tests, size_t count);
