/*
 * A world of a test's own: a private Redis whose clock the test moves, and a
 * store on it with an empty site.
 *
 * Redis listens on a unix socket in a temporary folder, keeps nothing on disk,
 * and dies with the test, however that ends; the folder goes with it. Several
 * worlds may be open at once. What goes wrong here fails the running cmocka
 * test.
 */
#pragma once

#include <sys/types.h>

#include "fixture.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/store.h"

struct read_cache;
struct settings_known;
struct world_shared;

struct world {
	struct store store; /* site open, functions loaded, default rules */
	struct settings_known *settings; /* as a worker knows them */
	struct read_cache
	    *cache;	    /* what a worker would keep, for lists to use */
	struct arena arena; /* lives as long as the world */
	char folder[FIXTURE_FOLDER]; /* for files of the test as well */
	struct text address;	     /* "unix:..." */
	pid_t redis;		     /* to stop and continue it */
	/* Below: the world's own. */
	pid_t keeper;
	struct world_shared *shared;
};

/* Takes some 30 ms. */
void world_open(struct world *world, uint64_t buckets);
void world_close(struct world *world);

/* The defaults of server/config.h, but with unused sessions lasting as long as
 * others, and without limits. */
struct rules world_rules(uint64_t buckets);

/* Another connection to the site, with the same rules, for redis_close. */
struct store world_connect(struct world *world);

/* Redis's clock, Unix seconds. */
int64_t world_now(struct world *world);

/* Moves Redis's clock; seconds may be negative. Keys expire by it as well. */
void world_move_clock(struct world *world, int64_t seconds);

/*
 * Redis's clock stands at the moment until it is moved, and then stands there;
 * with 0 it runs again.
 */
void world_stop_clock(struct world *world, int64_t moment);

/* Any command of Redis, its words as texts; an error reply fails the test. */
struct reply world_command_words(
    struct world *world, const struct text *words, size_t count);

#define world_command(world, ...) \
	world_command_words((world), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))

/* A new member without a password; returns the id. */
uint64_t world_member(struct world *world, const char *name);

/* A new group of nobody's; and groups, those of the names that there are not yet. */
void world_group(struct world *world, const char *name);
void world_groups(struct world *world, struct text names);

/* Which bucket an article is posted in depends on its link or text: with several
 * buckets something is added to it, so that ids follow each other. */
void world_choose_bucket(struct world *world, struct article *article);

/*
 * Posts an article and returns its id. With an empty url it is a text. The
 * groups are names with a space between; those that do not exist are made.
 */
uint64_t world_post(struct world *world, uint64_t user, const char *title,
    const char *url, const char *groups);

/* What has to succeed: a vote on an article, and removing one. */
void world_vote(
    struct world *world, uint64_t article, uint64_t user, enum vote vote);
void world_remove(struct world *world, uint64_t article);

/* What nobody in particular did, for no reason. */
extern const struct mod_action world_removal, world_restoring;

/* An article as viewer (0: nobody) sees it. */
struct article world_article(struct world *world, uint64_t id, uint64_t viewer);

int64_t world_karma(struct world *world, uint64_t user);

/*
 * All that Redis holds: every key in order of name, with what is in it and when
 * it expires, but for the counts of changes and the log. Equal texts mean that the site
 * is the same.
 */
struct text world_snapshot(struct world *world);

/* The names of the keys that match, in order, separated by spaces. */
struct text world_keys(struct world *world, const char *pattern);

/*
 * A test of cmocka that gets a new world as *state, of as many buckets as
 * world_run says; and its main: all tests with 1 bucket, then all with 4.
 * Returns how many failed.
 */
#define world_test(function) \
	cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)
#define world_run(name, tests) \
	world_run_tests((name), (tests), sizeof(tests) / sizeof((tests)[0]))

int world_setup(void **state);
int world_teardown(void **state);
int world_run_tests(
    const char *name, const struct CMUnitTest *tests, size_t count);
