#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "instrument.h"
#include "lists/read_cache.h"
#include "server/config.h"
#include "store/comment.h"
#include "store/containment.h"
#include "store/function_call.h"
#include "store/group.h"
#include "store/library.h"
#include "store/second_factor.h"
#include "store/settings.h"
#include "store/site.h"
#include "store/vote.h"

enum { START_MS = 60000, PATH_MAX = 4096 };

/* What the test and the supervisor share; the shim sees the first two as well. */
struct world_shared {
	_Atomic int64_t offset, stopped;
	_Atomic pid_t redis;
};

struct rules
world_rules(uint64_t buckets)
{
	struct rules rules = config_defaults().rules;

	rules.buckets = buckets;
	/* A test sees a session end by its age alone, and no limit. */
	rules.session_idle = rules.session_seconds;
	memset(rules.limits, 0, sizeof(rules.limits));
	rules.day_bytes = 0;
	return rules;
}

/* Where the shim was built: named, or beside the folder of this program. */
static void
find_shim(char *path)
{
	const char *named = getenv("TALLY_TEST_SHIM");
	char program[PATH_MAX] = { 0 };
	char *slash;

	if (named != NULL) {
		snprintf(path, PATH_MAX, "%s", named);
	} else {
		if (readlink("/proc/self/exe", program, sizeof(program) - 64) <
		    0)
			fail_msg("no /proc/self/exe: %s", strerror(errno));
		slash = strrchr(program, '/');
		strcpy(slash, "/../support/clock_shim.so");
		strcpy(path, program);
	}
	if (access(path, R_OK) != 0)
		fail_msg("the clock shim is not at %s", path);
}

static void
run_redis(const char *folder, const char *shim)
{
	char clock[FIXTURE_FOLDER + 16], socket[FIXTURE_FOLDER + 16],
	    log[FIXTURE_FOLDER + 16];

	snprintf(log, sizeof(log), "%s/redis.log", folder);
	snprintf(clock, sizeof(clock), "%s/clock", folder);
	snprintf(socket, sizeof(socket), "%s/redis.sock", folder);
	setenv("TALLY_TEST_CLOCK", clock, 1);
	setenv("LD_PRELOAD", shim, 1);
	execlp("redis-server", "redis-server", "--port", "0", "--unixsocket",
	    socket, "--dir", folder, "--save", "", "--appendonly", "no",
	    "--logfile", log, "--set-max-intset-entries", "2048",
	    "--hash-max-listpack-value", "2048", "--zset-max-listpack-entries",
	    "32", "--lazyfree-lazy-expire", "yes", "--lazyfree-lazy-user-del",
	    "yes", (char *)NULL);
	fprintf(stderr, "redis-server: %s\n", strerror(errno));
	_exit(127);
}

/*
 * A process between the test and Redis, which gets SIGTERM when the world is closed and
 * when the test dies: then it ends Redis and removes the folder. It has its own process
 * group, so that Ctrl-C reaches only the test.
 */
_Noreturn static void
supervise(const char *folder, const char *shim, struct world_shared *shared,
    const sigset_t *ending, pid_t test)
{
	pid_t supervisor = getpid(), redis;
	int signal_number;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	redis = fork();
	if (redis == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigprocmask(SIG_UNBLOCK, ending, NULL);
		if (getppid() == supervisor)
			run_redis(folder, shim);
		_exit(1);
	}
	shared->redis = redis;
	/* SIGCHLD is not among those waited for: a Redis that ended by itself
	 * is what its test will notice. */
	if (getppid() == test)
		sigwait(ending, &signal_number);
	if (redis > 0) {
		kill(redis, SIGKILL);
		waitpid(redis, NULL, 0);
	}
	fixture_remove_folder(folder);
	_exit(0);
}

static struct world_shared *
share(const char *folder)
{
	char path[FIXTURE_FOLDER + 16];
	void *memory;
	int file;

	snprintf(path, sizeof(path), "%s/clock", folder);
	file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0 || ftruncate(file, sizeof(struct world_shared)) != 0)
		fail_msg("%s: %s", path, strerror(errno));
	memory = mmap(NULL, sizeof(struct world_shared), PROT_READ | PROT_WRITE,
	    MAP_SHARED, file, 0);
	close(file);
	if (memory == MAP_FAILED)
		fail_msg("%s: %s", path, strerror(errno));
	return memory;
}

static bool
is_listening(const char *folder)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int failed;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/redis.sock",
	    folder);
	failed = connect(file, (struct sockaddr *)&address, sizeof(address));
	close(file);
	return failed == 0;
}

static void
start_redis(struct world *world)
{
	const struct timespec pause = { 0, 2000000 };
	int64_t deadline = clock_monotonic_ms() + START_MS;
	char shim[PATH_MAX];
	pid_t test = getpid();
	struct world_shared *shared;
	sigset_t ending, before;

	find_shim(shim);
	fixture_make_folder(world->folder);
	shared = share(world->folder);
	world->shared = shared;
	sigemptyset(&ending);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, &before);
	world->supervisor = fork();
	if (world->supervisor == 0)
		supervise(world->folder, shim, shared, &ending, test);
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (!is_listening(world->folder)) {
		if (clock_monotonic_ms() > deadline)
			fail_msg("redis-server does not start");
		nanosleep(&pause, NULL);
	}
	world->redis = shared->redis;
}

void
world_open(struct world *world, uint64_t buckets)
{
	static const struct text nothing = { "", 0 };
	const struct settings usual = settings_default();
	struct text why = nothing;

	*world = (struct world){ .supervisor = 0 };
	crypto_start();
	signal(
	    SIGPIPE, SIG_IGN); /* as a worker does: a connection may be lost */
	start_redis(world);
	world->address =
	    text_format(&world->arena, "unix:%s/redis.sock", world->folder);
	world->store.redis = redis_open(world->address, nothing, nothing);
	world->store.rules = world_rules(buckets);
	world->cache = read_cache_new();
	world->settings = settings_cache_new(&usual);
	assert_int_equal(library_load(&world->store, &world->arena,
			     LIBRARY_SITE_START, &why),
	    STORE_OK);
	instrument_functions(world->store.redis, &world->arena);
	assert_int_equal(
	    site_open(&world->store, &world->arena, &why), STORE_OK);
}

void
world_close(struct world *world)
{
	redis_close(world->store.redis);
	read_cache_free(world->cache);
	settings_cache_free(world->settings);
	if (world->supervisor > 0) {
		kill(world->supervisor, SIGTERM);
		waitpid(world->supervisor, NULL, 0);
	}
	munmap(world->shared, sizeof(struct world_shared));
	arena_free(&world->arena);
}

struct store
world_connect(struct world *world)
{
	struct store store = world->store;

	store.redis = redis_open(world->address, TEXT(""), TEXT(""));
	return store;
}

int64_t
world_now(struct world *world)
{
	int64_t now;

	assert_int_equal(
	    site_time(&world->store, &world->arena, &now), STORE_OK);
	return now;
}

void
world_move_clock(struct world *world, int64_t seconds)
{
	if (world->shared->stopped != 0)
		world->shared->stopped += seconds;
	else
		world->shared->offset += seconds;
}

void
world_stop_clock(struct world *world, int64_t moment)
{
	world->shared->stopped = moment;
}

struct reply
world_command_words(struct world *world, const struct text *words, size_t count)
{
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	pipeline_add_words(&pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
	assert_true(redis_run(&pipeline));
	return pipeline.replies[0];
}

int64_t
world_info(struct world *world, const char *section, const char *name)
{
	struct text info =
	    world_command(world, TEXT("INFO"), text_of(section)).text;
	struct text field = text_format(&world->arena, "%s:", name);
	size_t at = text_find(info, 0, field), end;
	int64_t count = 0;

	if (at == SIZE_MAX)
		return 0;
	at = text_find(info, at, TEXT("=")) + 1;
	for (end = at; info.data[end] >= '0' && info.data[end] <= '9'; end++)
		;
	assert_true(text_to_i64(text_slice(info, at, end - at), &count));
	return count;
}

uint64_t
world_member(struct world *world, const char *name)
{
	struct user user = { .name = text_of(name) };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
	return user.id;
}

void
world_group(struct world *world, const char *name)
{
	struct group group = { .name = text_of(name), .title = text_of(name) };

	assert_int_equal(
	    group_create(&world->store, &world->arena, &group), STORE_OK);
}

/* Of the buckets' next ids, the lowest is in this one. */
static uint64_t
next_bucket(struct world *world)
{
	const struct buckets *buckets = &world->store.buckets;
	uint64_t lowest = UINT64_MAX;

	for (uint64_t b = 0; b < buckets->count; b++) {
		struct reply last = world_command(world, TEXT("GET"),
		    key_article_counter(&world->arena, buckets, b));
		uint64_t number = (uint64_t)reply_number(&last) + (b == 0);
		uint64_t next = number * buckets->count + b;

		lowest = next < lowest ? next : lowest;
	}
	return lowest % buckets->count;
}

void
world_groups(struct world *world, struct text names)
{
	struct text name;

	while (text_next_word(&names, &name)) {
		struct group group = { .name = name, .title = name };
		enum store_result result =
		    group_create(&world->store, &world->arena, &group);

		assert_true(result == STORE_OK || result == STORE_TAKEN);
	}
}

void
world_choose_bucket(struct world *world, struct article *article)
{
	struct text url = article->url, text = article->text;
	uint64_t wanted = next_bucket(world);

	for (unsigned i = 0;
	    key_bucket_of_claim(&world->store.buckets,
		rule_claim(&world->arena, article->post.author.id,
		    article->title, article->url, article->text)) != wanted;
	    i++) {
		if (url.size > 0)
			article->url = text_format(
			    &world->arena, "%.*s?%u", TEXT_ARGS(url), i);
		else
			article->text = text_format(
			    &world->arena, "%.*s %u", TEXT_ARGS(text), i);
	}
}

uint64_t
world_post(struct world *world, uint64_t user, const char *title,
    const char *url, const char *groups)
{
	struct article article = { .title = text_of(title),
		.url = text_of(url),
		.groups = text_of(groups),
		.post.author.id = user };

	if (article.url.size == 0)
		article.text = TEXT("Text");
	article.post.author.name = world_user(world, user).name;
	world_choose_bucket(world, &article);
	world_groups(world, article.groups);
	assert_int_equal(
	    article_post(&world->store, &world->arena, &article), STORE_OK);
	return article.post.id.article;
}

uint64_t
world_comment(
    struct world *world, struct post_id above, uint64_t user, const char *text)
{
	struct comment comment = { .post.id.article = above.article,
		.post.author = { user, world_user(world, user).name },
		.parent = (int64_t)above.comment,
		.text = text_of(text) };
	struct comment_posting posting = { .wait = 0 };

	assert_int_equal(
	    comment_post(&world->store, &world->arena, &comment, &posting),
	    STORE_OK);
	return comment.post.id.comment;
}

struct user
world_user(struct world *world, uint64_t id)
{
	struct user user;

	assert_int_equal(
	    user_get(&world->store, &world->arena, id, &user), STORE_OK);
	return user;
}

struct world_inbox
world_inbox(struct world *world, uint64_t user, uint64_t start, uint64_t count)
{
	struct world_inbox inbox;

	assert_int_equal(inbox_read(&world->store, &world->arena, user, start,
			     count, &inbox.notices, &inbox.count, &inbox.total),
	    STORE_OK);
	return inbox;
}

struct mod_log_page
world_log(struct world *world, const char *kind)
{
	const struct mod_log_query query = { .kind = text_of(kind), .page = 1 };
	struct mod_log_page log;

	assert_int_equal(
	    mod_log_read(&world->store, &world->arena, &query, &log), STORE_OK);
	return log;
}

struct world_scene
world_scene(struct world *world, const char *groups)
{
	struct world_scene scene = { .world = world };

	world_stop_clock(world, NOON);
	scene.ann = world_member(world, "ann");
	scene.bob = world_member(world, "bob");
	scene.eve = world_member(world, "eve");
	scene.article = world_post(
	    world, scene.ann, "A title", "http://a.example/", groups);
	return scene;
}

STORE_CALL
world_cast_by(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum voter_kind voter, enum vote wanted)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	post_send_vote(&pipeline, store, id, user, voter, wanted);
	return redis_run(&pipeline) ? call_outcome(&pipeline.replies[0])
				    : STORE_DOWN;
}

STORE_CALL
world_cast(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum vote wanted)
{
	return world_cast_by(store, arena, id, user, VOTER_NEWCOMER, wanted);
}

void
world_vote(struct world *world, uint64_t article, uint64_t user, enum vote vote)
{
	assert_int_equal(
	    vote_cast(&world->store, &world->arena, article_id(article), user,
		VOTER_NEWCOMER, vote, world_now(world)),
	    STORE_OK);
}

const struct second_factor world_no_factor = { .kind = SECOND_FACTOR_NONE };

const struct mod_action world_removal = { .what = TEXT_INIT("removed") };
const struct mod_action world_restoring = { .what = TEXT_INIT("restored") };

void
world_contain(struct world *world)
{
	struct arena arena = { 0 };
	struct containment_faults faults = { .next = 0 };

	while (containment_step(&world->store, &arena, &faults))
		arena_reset(&arena);
	assert_int_equal(faults.logged, 0);
	arena_free(&arena);
}

void
world_remove(struct world *world, uint64_t article)
{
	assert_int_equal(post_remove(&world->store, &world->arena,
			     article_id(article), &world_removal),
	    STORE_OK);
}

struct article
world_article(struct world *world, uint64_t id, uint64_t viewer)
{
	struct article article;
	int64_t now;

	assert_int_equal(article_get(&world->store, &world->arena, id, viewer,
			     &article, &now),
	    STORE_OK);
	return article;
}

int64_t
world_karma(struct world *world, uint64_t user)
{
	int64_t karma;
	bool is_known;

	assert_int_equal(
	    user_karma(&world->store, &world->arena, user, &karma, &is_known),
	    STORE_OK);
	assert_true(is_known);
	return karma;
}

static int
compare_names(const void *a, const void *b)
{
	const struct reply *one = a, *other = b;

	return text_compare(one->text, other->text);
}

static struct reply
sorted_keys(struct world *world, const char *pattern)
{
	struct reply keys =
	    world_command(world, TEXT("KEYS"), text_of(pattern));

	if (keys.count > 0)
		qsort(
		    keys.items, keys.count, sizeof(*keys.items), compare_names);
	return keys;
}

struct text
world_keys(struct world *world, const char *pattern)
{
	struct reply keys = sorted_keys(world, pattern);
	struct buffer names = buffer_in(&world->arena, 256);

	for (size_t i = 0; i < keys.count; i++) {
		if (i > 0)
			buffer_add_char(&names, ' ');
		buffer_add(&names, keys.items[i].text);
	}
	return buffer_text(&names);
}

/* All of a member but the number of votes, which counts what happened. */
static void
add_member(struct world *world, struct buffer *all, struct text key)
{
	struct reply hash = world_command(world, TEXT("HGETALL"), key);

	for (size_t i = 0; i + 1 < hash.count; i += 2) {
		if (text_equal(hash.items[i].text, TEXT("votes")))
			continue;
		buffer_add(all, hash.items[i].text);
		buffer_add_char(all, '=');
		buffer_add(all, hash.items[i + 1].text);
		buffer_add_char(all, ' ');
	}
}

/* What PEXPIRETIME answers for a key without an expiry. */
enum { NEVER = -1 };

struct text
world_snapshot(struct world *world)
{
	struct reply keys = sorted_keys(world, "*");
	struct buffer all = buffer_in(&world->arena, 4096);
	int64_t now_ms = world_now(world) * 1000;

	for (size_t i = 0; i < keys.count; i++) {
		struct text key = keys.items[i].text, rest = key, name = key;
		int64_t expires =
		    world_command(world, TEXT("PEXPIRETIME"), key).number;

		/* In the very millisecond Redis may list a key or not: a command
		 * still finds it, the active expiry deletes it. */
		if (expires != NEVER && expires <= now_ms)
			continue;
		/* These count or list what happened; they are no state. */
		text_cut(&rest, '}', &name);
		if (text_equal(rest, TEXT("versions")) ||
		    text_equal(rest, TEXT("changes")) ||
		    text_equal(rest, TEXT("votes")) ||
		    text_equal(rest, TEXT("outbox")) ||
		    text_starts(rest, TEXT("act")) ||
		    text_starts(rest, TEXT("log")))
			continue;
		buffer_add(&all, key);
		buffer_add_char(&all, ' ');
		if (text_equal(rest, TEXT("user")))
			add_member(world, &all, key);
		else
			buffer_add(
			    &all, world_command(world, TEXT("DUMP"), key).text);
		buffer_add_number(&all, expires);
		buffer_add_char(&all, '\n');
	}
	return buffer_text(&all);
}

void
world_assert_unchanged(
    struct world *world, struct text snapshot, const char *file, int line)
{
	struct text rest = world_snapshot(world), now, before;

	do {
		bool has_now = text_cut(&rest, '\n', &now);
		bool has_before = text_cut(&snapshot, '\n', &before);

		if (!has_now && !has_before)
			return;
		if (!has_now)
			now = TEXT("(nothing)");
		if (!has_before)
			before = TEXT("(nothing)");
	} while (text_equal(now, before));
	fixture_assert_same(now, before, file, line);
}

/* The number of buckets of the worlds of the current run. */
static uint64_t run_buckets = 1;

int
world_setup(void **state)
{
	static struct world world;

	*state = &world;
	world_open(&world, run_buckets);
	return 0;
}

int
world_teardown(void **state)
{
	world_close(*state);
	return 0;
}

int
world_run_tests(const char *name, const struct CMUnitTest *tests, size_t count)
{
	char in_one[64], in_four[64];
	int failed;

	snprintf(in_one, sizeof(in_one), "%s, 1 bucket", name);
	snprintf(in_four, sizeof(in_four), "%s, 4 buckets", name);
	run_buckets = 1;
	failed = _cmocka_run_group_tests(in_one, tests, count, NULL, NULL);
	run_buckets = 4;
	return failed +
	    _cmocka_run_group_tests(in_four, tests, count, NULL, NULL);
}
