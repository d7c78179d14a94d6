/* Concurrency: changes by several processes at once are counted exactly. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/invariants.h"
#include "store/article.h"
#include "store/user.h"

enum { PROCESSES = 8, VOTERS = 200, ARTICLES = 3 };

/* The task of a process, with its own connection; the result is its exit status. */
typedef int work_of(struct store *store, struct arena *arena, unsigned number);

_Noreturn static void
work(struct world *world, work_of *task, unsigned number, int start)
{
	struct store store = world_connect(world);
	struct arena arena = { 0 };
	char byte;

	/* All begin when the test closes the pipe. */
	while (read(start, &byte, 1) > 0)
		;
	_exit(task(&store, &arena, number));
}

/* Runs the task in all processes at once; returns the sum of their answers. */
static int
run_together(struct world *world, work_of *task)
{
	pid_t children[PROCESSES];
	int start[2], sum = 0;

	assert_int_equal(pipe(start), 0);
	for (unsigned i = 0; i < PROCESSES; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			close(start[1]);
			work(world, task, i, start[0]);
		}
	}
	close(start[0]);
	close(start[1]);
	for (unsigned i = 0; i < PROCESSES; i++) {
		int status;

		assert_true(children[i] > 0);
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(WIFEXITED(status));
		sum += WEXITSTATUS(status);
	}
	return sum;
}

/*
 * A process's share of the voters, each with a different history; in the end
 * every fourth has voted down and the others up. Returns how many calls
 * failed.
 */
static int
vote_for_a_share(struct store *store, struct arena *arena, unsigned number)
{
	const uint64_t first = 100;
	int failed = 0;

	for (uint64_t v = number; v < VOTERS; v += PROCESSES) {
		enum vote last = v % 4 == 0 ? VOTE_DOWN : VOTE_UP;
		const enum vote votes[] = { (enum vote)(v % 3),
			(enum vote)(v / 3 % 3), last, last };

		for (size_t i = 0; i < sizeof(votes) / sizeof(*votes); i++)
			failed += world_cast(store, arena, article_id(1),
				      first + v, votes[i]) != STORE_OK;
	}
	return failed;
}

static void
two_hundred_concurrent_votes_are_all_counted(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct article article;

	world->store.rules.interesting = 100;
	assert_int_equal(
	    world_post(world, ann, "One", "http://a.example/", "aa"), 1);
	assert_int_equal(run_together(world, vote_for_a_share), 0);
	article = world_article(world, 1, 0);
	assert_int_equal(article.post.up, 1 + VOTERS * 3 / 4);
	assert_int_equal(article.post.down, VOTERS / 4);
	assert_int_equal(
	    article.score, article.post.posted + 432 * (1 + 150 - 50));
	assert_int_not_equal(article.interesting, 0);
	assert_int_equal(world_karma(world, ann), 100);
	assert_int_equal(invariants_check(world), 1);
}

/* The same few members, articles and groups from all processes. */
static int
do_anything(struct store *store, struct arena *arena, unsigned number)
{
	unsigned seed = number;
	int failed = 0;

	for (int i = 0; i < 300; i++) {
		uint64_t id = (uint64_t)(rand_r(&seed) % ARTICLES) + 1;
		uint64_t user = (uint64_t)(rand_r(&seed) % 10) + 1;
		enum store_result result;

		switch (rand_r(&seed) % 12) {
		case 0:
			result = post_remove(
			    store, arena, article_id(id), &world_removal);
			break;
		case 1:
			result =
			    article_restore(store, arena, id, &world_restoring);
			break;
		case 2:
			result = article_set_groups(
			    store, arena, id, TEXT("bb"), TEXT("aa"));
			break;
		case 3:
			result = article_set_groups(
			    store, arena, id, TEXT("aa cc"), TEXT("bb"));
			break;
		default:
			result = world_cast(store, arena, article_id(id), user,
			    (enum vote)(rand_r(&seed) % 3));
		}
		/* The first is the author. */
		failed += result != STORE_OK && result != STORE_REMOVED &&
		    (result != STORE_OWN || user != 1);
		arena_reset(arena);
	}
	return failed > 0 ? 1 : 0;
}

static void
concurrent_changes_preserve_the_invariants(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");

	world->store.rules.interesting = 4;
	world_post(world, ann, "One", "http://a.example/", "aa");
	world_post(world, ann, "Two", "http://b.example/", "");
	world_post(world, ann, "Three", "http://c.example/", "bb cc");
	assert_int_equal(run_together(world, do_anything), 0);
	assert_int_equal(invariants_check(world), ARTICLES);
}

/* Returns 1 if this process created it, 100 for a failure. */
static int
post_the_same(struct store *store, struct arena *arena, unsigned number)
{
	struct article article = { .title = TEXT("One"),
		.url = TEXT("http://a.example/"),
		.post.author = { number + 1, TEXT("somebody") } };
	enum store_result result = article_post(store, arena, &article);
	struct article found;
	int64_t now;

	/* A process that was referred to the article finds it. */
	if (article_get(store, arena, article.post.id.article, 0, &found,
		&now) != STORE_OK ||
	    (result != STORE_OK && result != STORE_TAKEN))
		return 100;
	return result == STORE_OK ? 1 : 0;
}

static void
same_link_posted_concurrently_is_one_article(void **state)
{
	assert_int_equal(run_together(*state, post_the_same), 1);
	assert_int_equal(invariants_check(*state), 1);
}

static int
register_the_same(struct store *store, struct arena *arena, unsigned number)
{
	struct user user = { .name =
				 number % 2 == 0 ? TEXT("ann") : TEXT("ANN") };
	enum store_result result = user_create(store, arena, &user);

	if (result != STORE_OK && result != STORE_TAKEN)
		return 100;
	return result == STORE_OK ? 1 : 0;
}

static void
same_name_registered_concurrently_is_one_member(void **state)
{
	struct world *world = *state;
	struct user user;

	assert_int_equal(run_together(world, register_the_same), 1);
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("ann"), &user),
	    STORE_OK);
	/* Processes that were too late left nothing behind. */
	assert_int_equal(
	    world_command(world, TEXT("KEYS"), TEXT("{u*}user")).count, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(two_hundred_concurrent_votes_are_all_counted),
		world_test(concurrent_changes_preserve_the_invariants),
		world_test(same_link_posted_concurrently_is_one_article),
		world_test(same_name_registered_concurrently_is_one_member),
	};

	return world_run("concurrent", tests);
}
