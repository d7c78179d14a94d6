/*
 * Atomicity of functions while their slot moves to another node of a cluster, key by key:
 * each is called before every key that moves, and changes everything or nothing. After the
 * slot has arrived, failed calls succeed.
 *
 * A command that a node cannot execute yet fails immediately here, and tests wait for any
 * other, so that nothing depends on how long things take. Each test begins with both nodes
 * empty and every slot in its place, whatever the test before has left.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../support/commands.h"
#include "../support/fixture.h"
#include "../support/instrument.h"
#include "../support/world.h"
#include "archive/check.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "redis/cluster.h"
#include "store/comment.h"
#include "store/containment.h"
#include "store/follows.h"
#include "store/front_hour.h"
#include "store/function_call.h"
#include "store/group.h"
#include "store/hidden.h"
#include "store/image.h"
#include "store/inbox.h"
#include "store/invite.h"
#include "store/library.h"
#include "store/member_note.h"
#include "store/mod_decision.h"
#include "store/one_time_link.h"
#include "store/pace.h"
#include "store/points.h"
#include "store/recovery.h"
#include "store/refresh.h"
#include "store/relay.h"
#include "store/review.h"
#include "store/saved.h"
#include "store/second_factor.h"
#include "store/session.h"
#include "store/settings.h"
#include "store/site.h"
#include "store/user.h"
#include "store/vote_history.h"

enum {
	NODES = 2,
	BUCKETS = 4,
	PREPARED = 24, /* posts for what can be done once with each */
	/* After this time a test gives up; no result depends on it. */
	LONGEST_MS = 300000
};

struct node {
	int port, bus;
	pid_t process;
	struct redis *redis; /* to this node only */
	struct text id;
};

struct cluster {
	char folder[FIXTURE_FOLDER];
	struct node nodes[NODES];
	struct arena arena;
	struct store store;
	uint64_t ann, ben;
	unsigned slot; /* the one that moves, or has moved */
};

static int
free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int file = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(
	    bind(file, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(
	    getsockname(file, (struct sockaddr *)&address, &size), 0);
	close(file);
	return ntohs(address.sin_port);
}

static void
start_node(struct cluster *cluster, struct node *node)
{
	char port[16], bus[16], file[64];

	node->port = free_port();
	node->bus = free_port();
	snprintf(port, sizeof(port), "%d", node->port);
	snprintf(bus, sizeof(bus), "%d", node->bus);
	snprintf(file, sizeof(file), "nodes-%d.conf", node->port);
	node->process = fork();
	if (node->process == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execlp("redis-server", "redis-server", "--port", port,
		    "--cluster-port", bus, "--bind", "127.0.0.1", "--dir",
		    cluster->folder, "--cluster-enabled", "yes",
		    "--cluster-config-file", file, "--cluster-node-timeout",
		    "600000", "--save", "", "--appendonly", "no", "--logfile",
		    "/dev/null", (char *)NULL);
		_exit(127);
	}
	node->redis =
	    redis_open(text_format(&cluster->arena, "127.0.0.1:%d", node->port),
		TEXT(""), TEXT(""));
	redis_be_quiet(node->redis);
	redis_set_timeout(node->redis, LONGEST_MS);
}

/* A command to one node; false when it is refused. */
static bool
tell_words(struct cluster *cluster, int node, const struct text *words,
    size_t count, struct reply *reply)
{
	struct pipeline pipeline =
	    pipeline_begin(cluster->nodes[node].redis, &cluster->arena);

	pipeline_add_words(&pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
	if (!redis_run(&pipeline))
		return false;
	*reply = pipeline.replies[0];
	return true;
}

#define TELL(cluster, node, reply, ...) \
	tell_words((cluster), (node), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text), \
	    (reply))

static void
until_told(struct cluster *cluster, int node, struct text wanted)
{
	const struct timespec pause = { 0, 20000000 };
	int64_t deadline = clock_monotonic_ms() + LONGEST_MS;
	struct reply reply = { .kind = REPLY_NIL };

	while (!TELL(cluster, node, &reply, TEXT("CLUSTER"), TEXT("INFO")) ||
	    text_find(reply.text, 0, wanted) == SIZE_MAX) {
		assert_true(clock_monotonic_ms() < deadline);
		nanosleep(&pause, NULL);
	}
}

static struct text
number_of(struct cluster *cluster, int64_t value)
{
	return text_number(&cluster->arena, value);
}

/* A node that has just started may not be connected to yet. */
static void
until_loaded(struct cluster *cluster)
{
	const struct timespec pause = { 0, 20000000 };
	int64_t deadline = clock_monotonic_ms() + LONGEST_MS;
	struct text why = TEXT("");

	while (library_load(&cluster->store, &cluster->arena,
		   LIBRARY_SITE_START, &why) != STORE_OK) {
		assert_true(clock_monotonic_ms() < deadline);
		nanosleep(&pause, NULL);
	}
}

static int
set_up(void **state)
{
	static struct cluster cluster;
	struct reply reply;

	cluster = (struct cluster){ .ann = 0 };
	crypto_start();
	signal(SIGPIPE, SIG_IGN);
	fixture_make_folder(cluster.folder);
	for (int i = 0; i < NODES; i++)
		start_node(&cluster, &cluster.nodes[i]);
	for (int i = 0; i < NODES; i++)
		until_told(&cluster, i, TEXT("cluster_state"));
	assert_true(TELL(&cluster, 0, &reply, TEXT("CLUSTER"),
	    TEXT("ADDSLOTSRANGE"), TEXT("0"), TEXT("8191")));
	assert_true(TELL(&cluster, 1, &reply, TEXT("CLUSTER"),
	    TEXT("ADDSLOTSRANGE"), TEXT("8192"), TEXT("16383")));
	assert_true(TELL(&cluster, 0, &reply, TEXT("CLUSTER"), TEXT("MEET"),
	    TEXT("127.0.0.1"), number_of(&cluster, cluster.nodes[1].port),
	    number_of(&cluster, cluster.nodes[1].bus)));
	for (int i = 0; i < NODES; i++) {
		until_told(&cluster, i, TEXT("cluster_state:ok"));
		assert_true(
		    TELL(&cluster, i, &reply, TEXT("CLUSTER"), TEXT("MYID")));
		cluster.nodes[i].id = reply.text;
	}
	cluster.store.rules = world_rules(BUCKETS);
	cluster.store.redis =
	    redis_open(text_format(&cluster.arena, "cluster:127.0.0.1:%d",
			   cluster.nodes[0].port),
		TEXT(""), TEXT(""));
	redis_set_replicas(cluster.store.redis, 0);
	redis_be_quiet(cluster.store.redis);
	redis_set_timeout(cluster.store.redis, LONGEST_MS);
	until_loaded(&cluster);
	instrument_functions(cluster.store.redis, &cluster.arena);
	*state = &cluster;
	return 0;
}

static int
tear_down(void **state)
{
	struct cluster *cluster = *state;

	redis_close(cluster->store.redis);
	for (int i = 0; i < NODES; i++) {
		redis_close(cluster->nodes[i].redis);
		kill(cluster->nodes[i].process, SIGKILL);
		waitpid(cluster->nodes[i].process, NULL, 0);
	}
	fixture_remove_folder(cluster->folder);
	arena_free(&cluster->arena);
	return 0;
}

/* Moving a slot. */

static void
set_slot(struct cluster *cluster, int node, unsigned slot, const char *how,
    int other)
{
	struct reply reply;

	assert_true(TELL(cluster, node, &reply, TEXT("CLUSTER"),
	    TEXT("SETSLOT"), number_of(cluster, slot), text_of(how),
	    cluster->nodes[other].id));
}

static void
begin_move(struct cluster *cluster, unsigned slot, int from, int to)
{
	set_slot(cluster, to, slot, "IMPORTING", from);
	set_slot(cluster, from, slot, "MIGRATING", to);
}

/* Moves one key of the slot; false when there is none left. */
static bool
move_key(struct cluster *cluster, unsigned slot, int from, int to)
{
	struct reply keys = { .count = 0 }, reply;

	assert_true(TELL(cluster, from, &keys, TEXT("CLUSTER"),
	    TEXT("GETKEYSINSLOT"), number_of(cluster, slot), TEXT("1")));
	if (keys.count == 0)
		return false;
	assert_true(TELL(cluster, from, &reply, TEXT("MIGRATE"),
	    TEXT("127.0.0.1"), number_of(cluster, cluster->nodes[to].port),
	    reply_text(reply_item(&keys, 0)), TEXT("0"),
	    number_of(cluster, LONGEST_MS)));
	return true;
}

/* True if a node reports the slot to be at another node, or at itself. */
static bool
sees(struct cluster *cluster, int node, unsigned slot, int owner)
{
	struct address self = { .host = TEXT("") };
	struct cluster_range *ranges;
	struct reply reply;
	size_t count;

	assert_true(
	    TELL(cluster, node, &reply, TEXT("CLUSTER"), TEXT("SLOTS")));
	count = cluster_read_slots(&cluster->arena, &reply, &self, &ranges);
	for (size_t i = 0; i < count; i++)
		if (slot >= ranges[i].first && slot <= ranges[i].last)
			return ranges[i].master.port ==
			    cluster->nodes[owner].port;
	return false;
}

/* A number from CLUSTER INFO. */
static uint64_t
info_of(struct cluster *cluster, int node, struct text name)
{
	struct reply reply;
	struct text line, rest, word;
	uint64_t number;

	assert_true(TELL(cluster, node, &reply, TEXT("CLUSTER"), TEXT("INFO")));
	for (rest = reply.text; text_cut(&rest, '\n', &line);)
		if (text_cut(&line, ':', &word) && text_equal(word, name) &&
		    text_next_word(&line, &word) && text_to_u64(word, &number))
			return number;
	fail_msg("CLUSTER INFO does not tell %.*s", TEXT_ARGS(name));
	return 0;
}

/* Both nodes say where the slot is, and that its owner's word is the newest: what one
 * said before, and has yet to reach the other, changes nothing any more. */
static bool
has_arrived(struct cluster *cluster, unsigned slot, int to)
{
	const struct text current = TEXT("cluster_current_epoch");
	uint64_t newest = info_of(cluster, to, TEXT("cluster_my_epoch"));

	for (int i = 0; i < NODES; i++)
		if (!sees(cluster, i, slot, to) ||
		    info_of(cluster, i, current) != newest)
			return false;
	return info_of(cluster, 1 - to, TEXT("cluster_my_epoch")) < newest;
}

static void
end_move(struct cluster *cluster, unsigned slot, int to)
{
	const struct timespec pause = { 0, 5000000 };
	int64_t deadline = clock_monotonic_ms() + LONGEST_MS;
	struct reply reply;

	set_slot(cluster, to, slot, "NODE", to);
	set_slot(cluster, 1 - to, slot, "NODE", to);
	while (!has_arrived(cluster, slot, to)) {
		assert_true(clock_monotonic_ms() < deadline);
		nanosleep(&pause, NULL);
		for (int i = 0; i < NODES; i++)
			if (!sees(cluster, i, slot, to))
				set_slot(cluster, i, slot, "NODE", to);
		/* No effect while it has the newest epoch. */
		assert_true(TELL(
		    cluster, to, &reply, TEXT("CLUSTER"), TEXT("BUMPEPOCH")));
	}
}

static int
home_of(unsigned slot)
{
	return slot < CLUSTER_SLOTS / 2 ? 0 : 1;
}

/* An empty site on nodes that have all of their own slots. */
static int
begin(void **state)
{
	struct cluster *cluster = *state;
	struct user users[] = { { .name = TEXT("ann") },
		{ .name = TEXT("ben"), .password_hash = TEXT("hash") } };
	const char *const groups[] = { "chess", "trains" };
	struct store *store = &cluster->store;
	struct text why = TEXT("");
	struct reply reply;

	redis_fail_at_once(store->redis, false);
	for (int i = 0; i < NODES; i++) {
		assert_true(TELL(cluster, i, &reply, TEXT("FLUSHALL")));
		assert_true(
		    TELL(cluster, i, &reply, TEXT("CLUSTER"), TEXT("SETSLOT"),
			number_of(cluster, cluster->slot), TEXT("STABLE")));
	}
	end_move(cluster, cluster->slot, home_of(cluster->slot));
	store->rules = world_rules(BUCKETS);
	assert_int_equal(site_open(store, &cluster->arena, &why), STORE_OK);
	for (int i = 0; i < 2; i++) {
		struct group group = { .name = text_of(groups[i]),
			.title = text_of(groups[i]) };

		assert_int_equal(
		    user_create(store, &cluster->arena, &users[i]), STORE_OK);
		assert_int_equal(
		    group_create(store, &cluster->arena, &group), STORE_OK);
	}
	cluster->ann = users[0].id;
	cluster->ben = users[1].id;
	return 0;
}

/* What is done, to a post or for a member; times says how often it was done
 * before. */
struct subject {
	struct cluster *cluster;
	uint64_t article, comment; /* the latter on the former */
	uint64_t
	    prepared[PREPARED]; /* articles, for operations that need any */
	unsigned times;
	struct text password, cookie;
};
typedef enum store_result operation(struct subject *subject);

static enum store_result
vote(struct subject *subject)
{
	static const enum vote votes[] = { VOTE_UP, VOTE_DOWN, VOTE_NONE };
	struct cluster *cluster = subject->cluster;

	return world_cast_by(&cluster->store, &cluster->arena,
	    article_id(subject->article), cluster->ben, VOTER_SETTLED,
	    votes[subject->times % 3]);
}

/* Another prepared article each time becomes interesting. */
static enum store_result
cross(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	cluster->store.rules.interesting = 2;
	return subject->times < PREPARED
	    ? world_cast(&cluster->store, &cluster->arena,
		  article_id(subject->prepared[subject->times]), cluster->ben,
		  VOTE_UP)
	    : STORE_OK;
}

/* The same, with a voided vote that is counted again. */
static enum store_result
count_across(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	enum store_result result;

	cluster->store.rules.interesting = 2;
	if (subject->times >= PREPARED)
		return STORE_OK;
	result = post_void(&cluster->store, &cluster->arena,
	    article_id(subject->prepared[subject->times]), cluster->ben,
	    VOIDING_COUNT, &world_removal);
	/* It was executed the last time, without a reply. */
	return result == STORE_ABSENT ? STORE_OK : result;
}

static struct post_id
comment_of(const struct subject *subject)
{
	return (struct post_id){ subject->article, subject->comment };
}

static enum store_result
vote_on_comment(struct subject *subject)
{
	static const enum vote votes[] = { VOTE_UP, VOTE_DOWN, VOTE_NONE };
	struct cluster *cluster = subject->cluster;

	return world_cast(&cluster->store, &cluster->arena, comment_of(subject),
	    cluster->ben, votes[subject->times % 3]);
}

static enum store_result
file(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	bool adds = subject->times % 2 == 0;

	return article_set_groups(&cluster->store, &cluster->arena,
	    subject->article, adds ? TEXT("chess trains") : TEXT(""),
	    adds ? TEXT("") : TEXT("chess trains"));
}

/* As when the owners share the host of its link, and no longer do. */
static enum store_result
set_publisher(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct text key = key_post(
	    arena, &cluster->store.buckets, article_id(subject->article));
	const struct reply *link =
	    store_read(&cluster->store, arena, TEXT("HGET"), key, TEXT("url"));

	return link == NULL
	    ? STORE_DOWN
	    : call_write(&cluster->store, arena, "publisher_1", key,
		  reply_text(link),
		  subject->times % 2 == 0 ? TEXT("a.example/ann")
					  : TEXT("a.example"));
}

static enum store_result
remove_and_restore(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct post_id id = article_id(subject->article);

	return subject->times % 2 == 0
	    ? post_remove(&cluster->store, &cluster->arena, id, &world_removal)
	    : article_restore(&cluster->store, &cluster->arena,
		  subject->article, &world_restoring);
}

/* Of an interesting article. */
static enum store_result
remove_and_restore_interesting(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	enum store_result result = STORE_OK;

	cluster->store.rules.interesting = 2;
	if (subject->times == 0)
		result = world_cast(&cluster->store, &cluster->arena,
		    article_id(subject->article), cluster->ben, VOTE_UP);
	return result == STORE_OK || result == STORE_REMOVED
	    ? remove_and_restore(subject)
	    : result;
}

/* Once voting has closed, is placed by points again, removed and restored by turns. */
static enum store_result
place_and_moderate(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	const struct buckets *buckets = &store->buckets;
	struct post_id id = article_id(subject->article);
	int64_t logged = 0;

	if (store_write(store, arena, TEXT("UNLINK"),
		key_voters(arena, buckets, id)) != STORE_OK)
		return STORE_DOWN;
	switch (subject->times % 3) {
	case 1:
		return post_remove(store, arena, id, &world_removal);
	case 2:
		return article_restore(
		    store, arena, id.article, &world_restoring);
	default:
		break;
	}
	if (store_write(store, arena, TEXT("HDEL"),
		key_versions(
		    arena, buckets, key_bucket_of(buckets, id.article)),
		POINTS_FIELD) != STORE_OK)
		return STORE_DOWN;
	points_step(store, arena, &logged);
	return logged == 0 ? STORE_OK : STORE_DOWN;
}

static enum store_result
remove_and_restore_comment(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct post_id id = comment_of(subject);

	return subject->times % 2 == 0
	    ? post_remove(&cluster->store, &cluster->arena, id, &world_removal)
	    : post_restore(&cluster->store, &cluster->arena, id, TEXT(""),
		  &world_restoring);
}

/* A comment of ann's, whose words tell whether it was written the last time, which was
 * not acknowledged. */
static enum store_result
say(struct cluster *cluster, struct post_id above, struct text text,
    struct post_id *id)
{
	struct comment comment = { .post.id = { .article = above.article },
		.post.author = { cluster->ann, TEXT("ann") },
		.parent = (int64_t)above.comment,
		.text = text };
	struct comment_posting posting = {
		.named = &cluster->ben, .named_count = 1, .is_reviewed = true
	};
	enum store_result result =
	    comment_post(&cluster->store, &cluster->arena, &comment, &posting);

	*id = comment.post.id;
	return result == STORE_TAKEN ? STORE_OK : result;
}

static enum store_result
comment(struct subject *subject)
{
	struct post_id id;

	return say(subject->cluster, comment_of(subject),
	    text_format(&subject->cluster->arena, "Number %u", subject->times),
	    &id);
}

/* The next prepared comment. */
static enum store_result delete(struct subject *subject) {
	struct cluster *cluster = subject->cluster;
	struct post_id id = { subject->article,
	    subject->comment + 1 + subject->times };

	return subject->times < PREPARED
	    ? post_delete(&cluster->store, &cluster->arena, id, cluster->ann)
	    : STORE_OK;
}

static enum store_result
rewrite(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return comment_edit(&cluster->store, &cluster->arena,
	    comment_of(subject),
	    text_format(&cluster->arena, "Text %u", subject->times % 6),
	    subject->times % 2 == 0 ? TEXT("@ben") : TEXT(""));
}

static enum store_result
close_and_open_thread(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return article_set_thread(&cluster->store, &cluster->arena,
	    subject->article,
	    subject->times % 2 == 0 ? ARTICLE_THREAD_CLOSED
				    : ARTICLE_THREAD_OPEN,
	    &world_removal);
}

/* Another article of the same bucket. */
static struct article
next_article(struct cluster *cluster, uint64_t bucket, unsigned first)
{
	struct article article = { .title = TEXT("One"),
		.groups = TEXT("chess"),
		.post.author = { cluster->ann, TEXT("ann") } };

	for (unsigned i = 0;; i++) {
		article.url = text_format(
		    &cluster->arena, "http://a.example/%u/%u", first, i);
		if (key_bucket_of_claim(&cluster->store.buckets,
			rule_claim(&cluster->arena, cluster->ann, TEXT("One"),
			    article.url, TEXT(""))) == bucket)
			return article;
	}
}

static enum store_result
post(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct article article = next_article(cluster,
	    key_bucket_of(&cluster->store.buckets, subject->article),
	    1000 + subject->times);
	enum store_result result =
	    article_post(&cluster->store, &cluster->arena, &article);

	/* Whether it was done the last time, which was not acknowledged. */
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* Another one each time, of the same bucket. */
static enum store_result
load(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	uint64_t number = 1000 + subject->times;
	struct article article = { .title = TEXT("Loaded"),
		.text = TEXT("Some text."),
		.groups = TEXT("chess"),
		.post = { .id = article_id((number - 1) * BUCKETS + 1),
		    .author = { cluster->ann, TEXT("ann") },
		    .posted = 1600000000,
		    .closes = 4000000000,
		    .up = 2 },
		.interesting = 1600000001 };
	struct call raise = call_begin(&cluster->arena, CALL_WRITES, "raise_1",
	    key_article_counter(&cluster->arena, &cluster->store.buckets, 1));
	struct call load = call_begin(&cluster->arena, CALL_WRITES, "load_4",
	    key_post(
		&cluster->arena, &cluster->store.buckets, article.post.id));
	enum store_result result;

	call_add_number(&raise, (int64_t)number);
	result = call_run(&raise, &cluster->store, NULL);
	if (result != STORE_OK)
		return result;
	call_add(&load, number_of(cluster, cluster->store.rules.vote_score),
	    TEXT("2"), TEXT("0"), number_of(cluster, (int64_t)cluster->ann),
	    number_of(cluster, (int64_t)cluster->ben));
	schema_add(&load, &article_schema, &article);
	result = call_run(&load, &cluster->store, NULL);
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* Another one each time, of the same thread. */
static enum store_result
load_comment(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct comment comment = { .text = TEXT("Loaded"),
		.parent = 1,
		.post = { .id = { subject->article, 1000 + subject->times },
		    .author = { cluster->ann, TEXT("ann") },
		    .posted = 1600000000,
		    .closes = 4000000000,
		    .up = 2 } };
	struct call load = call_begin(&cluster->arena, CALL_WRITES, "load_4",
	    key_post(
		&cluster->arena, &cluster->store.buckets, comment.post.id));
	enum store_result result;

	call_add(&load, number_of(cluster, cluster->store.rules.vote_score),
	    TEXT("2"), TEXT("1"), number_of(cluster, (int64_t)cluster->ann),
	    number_of(cluster, (int64_t)cluster->ben),
	    number_of(cluster, (int64_t)cluster->ben), TEXT("spam 1600000001"));
	schema_add(&load, &comment_schema, &comment);
	result = call_run(&load, &cluster->store, NULL);
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* No other article gets a link that is claimed. */
static enum store_result
claim(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct article article = next_article(cluster, 1, 5000);
	struct text claim = rule_claim(&cluster->arena, cluster->ann,
	    article.title, article.url, TEXT(""));
	struct call call = call_begin(&cluster->arena, CALL_WRITES, "claim_1",
	    key_claims(&cluster->arena, &cluster->store.buckets, claim));
	enum store_result result;

	call_add(&call, key_claim_field(claim),
	    subject->times == 0 ? TEXT("1") : TEXT("2"), TEXT("4000000000"));
	result = call_run(&call, &cluster->store, NULL);
	assert_true(subject->times == 0 || result != STORE_OK);
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* An existing site is not created again. */
static enum store_result
open_site(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store store = cluster->store;
	struct text why;
	enum store_result result = site_open(&store, &cluster->arena, &why);

	if (result == STORE_OK)
		assert_same(store.secret, cluster->store.secret);
	return result;
}

/* An existing group is not created again, on whichever node it is. */
static enum store_result
create_group(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct group chess = { .name = TEXT("chess"), .title = TEXT("Other") };
	enum store_result result =
	    group_create(&cluster->store, &cluster->arena, &chess);

	assert_int_not_equal(result, STORE_OK);
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* The number of articles in a group is always available and correct. */
static enum store_result
count_groups(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct pipeline pipeline = pipeline_begin(cluster->store.redis, arena);
	struct group *groups;
	uint64_t total, articles = 0;
	size_t count;

	assert_int_equal(
	    group_list(&cluster->store, arena, 0, 10, &groups, &count, &total),
	    STORE_OK);
	assert_int_equal(count, 2);
	for (uint64_t b = 0; b < BUCKETS; b++)
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_time(
			arena, &cluster->store.buckets, b, groups[0].name));
	assert_true(redis_run(&pipeline));
	for (uint64_t b = 0; b < BUCKETS; b++)
		articles += (uint64_t)pipeline.replies[b].number;
	assert_int_equal(groups[0].articles, articles);
	return STORE_OK;
}

static enum store_result
set_group(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return group_set(&cluster->store, &cluster->arena, TEXT("chess"),
	    TEXT("closed"),
	    subject->times % 2 == 0 ? TEXT("1600000000") : TEXT(""));
}

/* Appoints two, and dismisses one of them, in turn. */
static enum store_result
change_group_moderators(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct text group = key_group(&cluster->arena, TEXT("chess"));

	bool is_first = subject->times % 3 == 0;
	struct pipeline notes =
	    pipeline_begin(cluster->store.redis, &cluster->arena);

	user_send_moderates(&notes, 1, 1700000000);
	user_send_moderates(&notes, 2, 1700000000);
	if (!redis_run(&notes))
		return STORE_DOWN;
	return subject->times % 3 == 2
	    ? call_write(&cluster->store, &cluster->arena, "group_dismiss_1",
		  group, TEXT("2"))
	    : call_write(&cluster->store, &cluster->arena, "group_appoint_1",
		  group, is_first ? TEXT("1") : TEXT("2"),
		  is_first ? TEXT("ann") : TEXT("ben"), TEXT("16"));
}

static enum store_result
log_in(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct text cookie;
	struct user user;
	enum store_result result = session_start(&cluster->store,
	    &cluster->arena, cluster->ben, subject->password, &world_no_factor,
	    TEXT("a browser"), &cookie);

	return result == STORE_OK ? session_find(&cluster->store,
					&cluster->arena, cookie, &user, NULL)
				  : result;
}

/* An existing session is found. */
static enum store_result
see(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct call call = call_begin(
	    arena, CALL_WRITES, "seen_1", key_sessions(arena, cluster->ben));
	enum store_result result;
	struct text secret, id;

	if (subject->cookie.size == 0) {
		result = session_start(&cluster->store, arena, cluster->ben,
		    subject->password, &world_no_factor, TEXT("a browser"),
		    &subject->cookie);
		if (result != STORE_OK) {
			subject->cookie = TEXT("");
			return result;
		}
	}
	secret = subject->cookie;
	text_cut(&secret, '.', &id);
	call_add(&call, crypto_digest_hex(arena, TEXT(""), secret),
	    number_of(cluster, 1600000000 + subject->times));
	result = call_run(&call, &cluster->store, NULL);
	assert_int_not_equal(result, STORE_ABSENT);
	return result;
}

static enum store_result
change_password(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct text fresh =
	    text_format(&cluster->arena, "hash %u", subject->times);
	enum store_result result = user_set_password(
	    &cluster->store, &cluster->arena, cluster->ben, TEXT(""), fresh);

	if (result == STORE_OK)
		subject->password = fresh;
	return result;
}

/* The digest of a new link, as it is made every other time without the second factor. */
static enum store_result
make_link(struct subject *subject, struct text *digest)
{
	struct cluster *cluster = subject->cluster;
	struct one_time_link link;
	struct text code;
	enum store_result result = one_time_link_make_recovery(&cluster->store,
	    &cluster->arena, cluster->ben,
	    subject->times % 2 == 0 ? FACTOR_STAYS : FACTOR_IS_TURNED_OFF,
	    &code);

	if (result != STORE_OK)
		return result;
	assert_true(one_time_link_parse(&cluster->arena, code, &link));
	*digest = link.digest;
	return STORE_OK;
}

/* A password is set by a new code or a new link. */
static enum store_result
recover(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	struct recovery_codes codes =
	    recovery_codes_new(store, arena, cluster->ben);
	struct recovery recovery = { subject->times % 3 == 0 ? RECOVERY_BY_CODE
							     : RECOVERY_BY_LINK,
		codes.digests[0] };
	struct text fresh = crypto_random_hex(arena, 16);
	enum store_result result = recovery.kind == RECOVERY_BY_CODE
	    ? recovery_codes_store(store, arena, cluster->ben, &codes)
	    : make_link(subject, &recovery.digest);

	if (result == STORE_OK)
		result = recovery_set_password(
		    store, arena, cluster->ben, &recovery, fresh);
	if (result == STORE_OK)
		subject->password = fresh;
	return result;
}

/* Later than any before. */
static struct second_factor
next_code(struct subject *subject)
{
	static unsigned step = 1;

	return (struct second_factor){ SECOND_FACTOR_TOTP,
		text_format(&subject->cluster->arena, "JBSWY3DP %u", step++) };
}

/* Turned on unless a former try has left it on, used by a code of each kind, and turned off. */
static enum store_result
use_second_factor(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	struct recovery_codes codes =
	    recovery_codes_new(store, arena, cluster->ben);
	const struct user ben = { .id = cluster->ben,
		.password_hash = subject->password };
	const struct second_factor factors[] = { next_code(subject),
		{ SECOND_FACTOR_RECOVERY_CODE, codes.digests[0] } };
	const struct second_factor last = next_code(subject);
	struct text cookie;
	enum store_result result = second_factor_turn_on(
	    store, arena, &ben, TEXT("JBSWY3DP"), 0, &codes);

	if (result == STORE_OK || result == STORE_TAKEN)
		result =
		    recovery_codes_store(store, arena, cluster->ben, &codes);
	for (int i = 0; i < 2 && result == STORE_OK; i++)
		result = session_start(store, arena, cluster->ben,
		    subject->password, &factors[i], TEXT("a browser"), &cookie);
	return result == STORE_OK
	    ? second_factor_turn_off(store, arena, cluster->ben, &last)
	    : result;
}

/* Reads return a complete article, or fail. */

/* Calls a function on an article's slot; returns NULL if it failed. */
static const struct reply *
look(struct cluster *cluster, const char *function, struct text key,
    const struct text *words, size_t count)
{
	struct call call =
	    call_begin(&cluster->arena, CALL_READS, function, key);
	struct pipeline pipeline =
	    pipeline_begin(cluster->store.redis, &cluster->arena);

	call_add_words(&call, words, count);
	call_send(&call, &pipeline);
	return redis_run(&pipeline) ? pipeline.replies : NULL;
}

#define LOOK(cluster, function, key, ...) \
	look((cluster), (function), (key), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))

static struct text
key_of_article(const struct subject *subject)
{
	return key_post(&subject->cluster->arena,
	    &subject->cluster->store.buckets, article_id(subject->article));
}

static struct text
key_of_comment(const struct subject *subject)
{
	return key_post(&subject->cluster->arena,
	    &subject->cluster->store.buckets, comment_of(subject));
}

/* Its author's vote, and the 0. */
static enum store_result
dump_of(struct subject *subject, struct text key)
{
	const struct reply *reply =
	    LOOK(subject->cluster, "dump_4", key, TEXT("up"));

	if (reply == NULL)
		return STORE_DOWN;
	assert_int_equal(reply->count, 4);
	assert_int_equal(reply_item(reply, 1)->count, 2);
	return STORE_OK;
}

static enum store_result
dump(struct subject *subject)
{
	return dump_of(subject, key_of_article(subject));
}

static enum store_result
dump_comment(struct subject *subject)
{
	return dump_of(subject, key_of_comment(subject));
}

/* No breaks, which would be the seventh item and those after it. */
static enum store_result
check_of(struct subject *subject, struct text key)
{
	struct cluster *cluster = subject->cluster;
	const struct reply *reply = LOOK(cluster, "check_5", key,
	    number_of(cluster, cluster->store.rules.vote_score));

	if (reply == NULL)
		return STORE_DOWN;
	assert_int_equal(reply->count, 6);
	return STORE_OK;
}

static enum store_result
check(struct subject *subject)
{
	return check_of(subject, key_of_article(subject));
}

static enum store_result
check_comment(struct subject *subject)
{
	return check_of(subject, key_of_comment(subject));
}

/* The stored value is the sum. */
static enum store_result
add_up(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	const struct reply *reply = LOOK(cluster, "karma_3",
	    key_karma(&cluster->arena, &cluster->store.buckets, 1),
	    number_of(cluster, (int64_t)cluster->ann));

	if (reply == NULL)
		return STORE_DOWN;
	assert_int_equal(reply_number(reply_item(reply, 0)),
	    reply_number(reply_item(reply, 1)));
	return STORE_OK;
}

/* No strangers, which would be the third item and those after it. */
static enum store_result
look_through_with(
    struct subject *subject, const char *function, struct text key)
{
	const struct reply *reply =
	    LOOK(subject->cluster, function, key, TEXT("0"));

	if (reply == NULL)
		return STORE_DOWN;
	assert_int_equal(reply->count, 2);
	return STORE_OK;
}

static enum store_result
look_through(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return look_through_with(subject, "belongs_1",
	    key_time(&cluster->arena, &cluster->store.buckets, 1, TEXT("")));
}

static enum store_result
look_through_comments(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return look_through_with(subject, "belongs_1",
	    key_comments(
		&cluster->arena, &cluster->store.buckets, 1, TEXT("")));
}

static enum store_result
look_through_thread(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return look_through_with(subject, "records_1",
	    key_thread(
		&cluster->arena, &cluster->store.buckets, subject->article));
}

/* Settings and their version change together, or neither does. */
static enum store_result
decide(struct subject *subject)
{
	struct store *store = &subject->cluster->store;
	struct arena *arena = &subject->cluster->arena;
	struct settings wanted = settings_default(), found;

	wanted.name = text_format(arena, "Site %d", (int)subject->times);
	if (subject->times % 2 == 0)
		wanted.voting = TEXT("after-hour");
	wanted.announcement =
	    text_format(arena, "Notice %d", (int)subject->times / 2);
	if (settings_set(store, arena, &wanted) != STORE_OK ||
	    settings_get(store, arena, &found) != STORE_OK)
		return STORE_DOWN;
	assert_same(found.name, wanted.name);
	return STORE_OK;
}

/* An image is stored, deleted, or deleted as damaged, together with the settings' version. */
static enum store_result
change_image(struct subject *subject)
{
	struct store *store = &subject->cluster->store;
	struct arena *arena = &subject->cluster->arena;
	struct text png =
	    fixture_read_file(arena, "static/apple-touch-icon.png");
	struct text file = subject->times % 2 == 0 ? png : TEXT("");
	struct image images[IMAGES];
	enum store_result result;

	if (subject->times % 4 == 3)
		result = call_write(store, arena, "drop_image_1",
		    key_settings(arena, &store->buckets), TEXT("logo"), png);
	else
		result = image_set(store, arena, IMAGE_LOGO, file);
	if (result != STORE_OK ||
	    image_get_all(store, arena, images) != STORE_OK)
		return STORE_DOWN;
	assert_int_equal(images[IMAGE_LOGO].png.size, file.size);
	return STORE_OK;
}

/* The authority of tags is stored once, together with the settings' version. */
static enum store_result
note_authority(struct subject *subject)
{
	struct store *store = &subject->cluster->store;
	struct arena *arena = &subject->cluster->arena;
	struct text origin =
	    text_format(arena, "https://a%d.example", subject->times % 2);
	struct settings found;

	if (settings_note_authority(store, arena, origin) != STORE_OK ||
	    settings_get(store, arena, &found) != STORE_OK)
		return STORE_DOWN;
	assert_true(settings_is_authority(found.tag_authority));
	return STORE_OK;
}

/* Each invitation is the member's, and is used up. */
/* Separate members, none of them in the slot that moves. */
static enum store_result
register_by(struct subject *subject, const struct invite *invite)
{
	static int count;
	struct arena *arena = &subject->cluster->arena;
	struct user host = { .id = subject->cluster->ben, .name = TEXT("ben") };
	struct user user = { .name = text_format(arena, "new%d", ++count) };

	return invite_register(
	    &subject->cluster->store, arena, invite, &host, &user);
}

static enum store_result
invite(struct subject *subject)
{
	struct store *store = &subject->cluster->store;
	struct arena *arena = &subject->cluster->arena;
	struct invite invites[INVITES_MAX];
	size_t count;

	if (invite_create(store, arena, subject->cluster->ben) == STORE_DOWN ||
	    invite_list(store, arena, subject->cluster->ben, invites, &count) !=
		STORE_OK)
		return STORE_DOWN;
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++)
		if (register_by(subject, &invites[i]) != STORE_OK)
			return STORE_DOWN;
	return invite_note(store, arena, subject->cluster->ben, TEXT("new"));
}

/* Actions of moderators and authors. */

static struct mod_action
action_of(const struct subject *subject, enum mod_action_kind what)
{
	return (struct mod_action){ .what = mod_action_words[what],
		.by = { subject->cluster->ben, TEXT("ben") },
		.article = subject->article,
		.member = { subject->cluster->ann, TEXT("ann") },
		.reason = TEXT("why") };
}

static enum store_result
flag(struct subject *subject)
{
	static const enum flag flags[] = { FLAG_SPAM, FLAG_UNKIND, FLAG_NONE };
	struct cluster *cluster = subject->cluster;

	return flag_set(&cluster->store, &cluster->arena,
	    article_id(subject->article), cluster->ben,
	    flags[subject->times % 3]);
}

/* A flag of another member each time, since each member's is dismissed once. */
static enum store_result
flag_and_dismiss(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct mod_action action = action_of(subject, MOD_DISMISSED);
	struct post_id id = article_id(subject->article);

	return subject->times % 2 == 0
	    ? flag_set(&cluster->store, &cluster->arena, id,
		  100 + subject->times, FLAG_SPAM)
	    : flag_dismiss(&cluster->store, &cluster->arena, id, &action);
}

/* By a moderator. */
static enum store_result
move(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	bool adds = subject->times % 2 == 0;

	return article_move(&cluster->store, &cluster->arena, subject->article,
	    adds ? TEXT("chess trains") : TEXT(""),
	    adds ? TEXT("") : TEXT("chess trains"),
	    action_of(subject, MOD_MOVED));
}

/* By a moderator, and back. */
static enum store_result
take_out(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	struct mod_action action = action_of(subject, MOD_BARRED);
	enum article_barrier by = subject->times % 4 < 2
	    ? ARTICLE_BARRED_BY_GROUP
	    : ARTICLE_BARRED_BY_SITE;
	enum store_result result = STORE_OK;
	struct article article;
	int64_t now;

	if (subject->times % 2 == 0) {
		result = article_set_groups(
		    store, arena, subject->article, TEXT("chess"), TEXT(""));
		if (result == STORE_OK)
			result = article_bar(store, arena, subject->article,
			    TEXT("chess"), by, action);
		/* It is not filed there again. */
		return result == STORE_OK
		    ? article_set_groups(store, arena, subject->article,
			  TEXT("chess"), TEXT(""))
		    : result;
	}
	result = article_get(store, arena, subject->article, 0, &article, &now);
	return result == STORE_OK
	    ? article_unbar(store, arena, &article, TEXT("chess"), by, action)
	    : result;
}

/* An old article has a second chance each time. */
static enum store_result
show_again(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct mod_action action = action_of(subject, MOD_AGAIN);
	struct post_id id = article_id(subject->article);
	struct text key = key_post(arena, &cluster->store.buckets, id);
	struct call call = call_begin(arena, CALL_WRITES, "again_1", key);

	if (store_write(&cluster->store, arena, TEXT("HDEL"), key,
		TEXT("again")) != STORE_OK)
		return STORE_DOWN;
	call_add(&call, TEXT("0"), TEXT("1000000"));
	return mod_action_run(&call, &cluster->store, &action);
}

/* Folded, looked at, and as if it had not been. */
static enum store_result
fold(struct subject *subject, struct post_id id)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	struct mod_action action = action_of(subject, MOD_DISMISSED);

	switch (subject->times % 3) {
	case 0:
		return flag_fold(store, arena, id, 0, 0);
	case 1:
		return flag_set(
		    store, arena, id, 100 + subject->times, FLAG_SPAM);
	default:
		break;
	}
	if (flag_dismiss(store, arena, id, &action) != STORE_OK)
		return STORE_DOWN;
	return store_write(store, arena, TEXT("HDEL"),
	    key_post(arena, &store->buckets, id), TEXT("kept"));
}

static enum store_result
fold_article(struct subject *subject)
{
	return fold(subject, article_id(subject->article));
}

static enum store_result
fold_comment(struct subject *subject)
{
	return fold(subject, comment_of(subject));
}

/* The vote is cast, voided, counted again, and cancelled. */
static enum store_result
void_and_count(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct post_id id = article_id(subject->article);
	struct mod_action action = action_of(subject, MOD_VOIDED);
	bool voids = subject->times % 6 == 1 || subject->times % 6 == 3;
	enum store_result result;

	if (subject->times % 6 == 0 || subject->times % 6 == 5)
		return world_cast(&cluster->store, &cluster->arena, id,
		    cluster->ben,
		    subject->times % 6 == 0 ? VOTE_DOWN : VOTE_NONE);
	result = post_void(&cluster->store, &cluster->arena, id, cluster->ben,
	    voids ? VOIDING_VOID : VOIDING_COUNT, &action);
	/* It was executed the last time, without a reply. */
	return result == STORE_ABSENT ? STORE_OK : result;
}

/* Direct calls of functions, with limits that only a test uses. */

static enum store_result
run_words(struct subject *subject, const char *function, struct text key,
    const struct text *words, size_t count)
{
	struct call call =
	    call_begin(&subject->cluster->arena, CALL_WRITES, function, key);

	call_add_words(&call, words, count);
	return call_run(&call, &subject->cluster->store, NULL);
}

#define RUN(subject, function, key, ...) \
	run_words((subject), (function), (key), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))

/* What becomes of a post that is held: kept, withdrawn, removed and then shown, or erased. */
static enum store_result
end_waiting(struct subject *subject, struct post_id id)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	struct mod_action kept = action_of(subject, MOD_DISMISSED);
	enum store_result result;

	switch (subject->times % 4) {
	case 0:
		return review_keep(store, arena, id, &kept);
	case 1:
		result = id.comment == 0
		    ? post_withdraw(store, arena, id, cluster->ann)
		    : post_delete(store, arena, id, cluster->ann);
		return result == STORE_REMOVED ? STORE_OK : result;
	case 2:
		result = post_remove(store, arena, id, &world_removal);
		if (result != STORE_OK)
			return result;
		return id.comment == 0
		    ? article_restore(
			  store, arena, id.article, &world_restoring)
		    : comment_restore(store, arena, id, &world_restoring);
	default:
		return RUN(subject, "disown_1",
		    key_post(arena, &store->buckets, id),
		    text_format(
			arena, "%llu ann", (unsigned long long)cluster->ann),
		    TEXT("(deleted)"));
	}
}

/* Another article each time. */
static enum store_result
hold_article(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct article article = next_article(cluster,
	    key_bucket_of(&cluster->store.buckets, subject->article),
	    3000 + subject->times);
	enum store_result result;

	article.is_reviewed = article.is_held = true;
	result = article_post(&cluster->store, &cluster->arena, &article);
	return result == STORE_OK || result == STORE_TAKEN
	    ? end_waiting(subject, article.post.id)
	    : result;
}

/* And another comment. */
static enum store_result
hold_comment(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct comment comment = { .post.id = { .article = subject->article },
		.post.author = { cluster->ann, TEXT("ann") },
		.parent =
		    subject->times % 8 < 4 ? (int64_t)subject->comment : 0,
		.text = text_format(
		    &cluster->arena, "Held %u, @ben", subject->times),
		.links = TEXT("@ben") };
	struct comment_posting posting = { .is_reviewed = true,
		.is_held = true };
	enum store_result result =
	    comment_post(&cluster->store, &cluster->arena, &comment, &posting);

	return result == STORE_OK || result == STORE_TAKEN
	    ? end_waiting(subject, comment.post.id)
	    : result;
}

/* Another article each time. */
static enum store_result
post_and_withdraw(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct article article = next_article(cluster,
	    key_bucket_of(&cluster->store.buckets, subject->article),
	    2000 + subject->times);
	enum store_result result =
	    article_post(&cluster->store, &cluster->arena, &article);

	if (result != STORE_OK && result != STORE_TAKEN)
		return result;
	result = post_withdraw(
	    &cluster->store, &cluster->arena, article.post.id, cluster->ann);
	return result == STORE_REMOVED ? STORE_OK : result;
}

static enum store_result
edit(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	struct article edited = { .post.id = article_id(subject->article),
		.title = text_format(
		    &cluster->arena, "Title %u", subject->times % 6),
		.text = TEXT("Hello") };

	if (subject->times % 2 == 0) {
		edited.text = TEXT("Hello @ben");
		edited.links = TEXT("@ben");
	}
	return article_edit(&cluster->store, &cluster->arena, &edited);
}

/* After an edit, a dismissed article can be flagged again. */
static enum store_result
flag_and_edit(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return subject->times % 3 == 2 ? edit(subject)
	    : subject->times % 3 == 0
	    ? flag_set(&cluster->store, &cluster->arena,
		  article_id(subject->article), cluster->ben, FLAG_SPAM)
	    : flag_dismiss(&cluster->store, &cluster->arena,
		  article_id(subject->article), &world_removal);
}

/* Another name each time; texts are erased on a separate article. */
static enum store_result
disown(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct call call = call_begin(arena, CALL_WRITES, "disown_1",
	    key_post(
		arena, &cluster->store.buckets, article_id(subject->article)));

	call_add(&call,
	    text_format(arena, "%llu %s", (unsigned long long)cluster->ann,
		subject->times % 2 == 0 ? "other" : "ann"),
	    TEXT(""));
	return call_run(&call, &cluster->store, NULL);
}

static enum store_result
erase(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct article article = next_article(cluster,
	    key_bucket_of(&cluster->store.buckets, subject->article),
	    3000 + subject->times);
	enum store_result result =
	    article_post(&cluster->store, arena, &article);
	struct call call = call_begin(arena, CALL_WRITES, "disown_1",
	    key_post(arena, &cluster->store.buckets, article.post.id));

	if (result != STORE_OK && result != STORE_TAKEN)
		return result;
	call_add(&call,
	    text_format(arena, "%llu ann", (unsigned long long)cluster->ann),
	    TEXT("(deleted)"));
	return call_run(&call, &cluster->store, NULL);
}

static enum store_result
note(struct subject *subject)
{
	struct mod_action action = action_of(subject, MOD_VOUCHED);

	action.article = 0;
	return mod_action_note(
	    &subject->cluster->store, &subject->cluster->arena, &action);
}

static enum store_result
load_act(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct mod_action action = action_of(subject, MOD_VOUCHED);
	uint64_t number = 5000 + subject->times;
	struct call raise = call_begin(&cluster->arena, CALL_WRITES, "raise_1",
	    key_mod_action_counter(
		&cluster->arena, &cluster->store.buckets, 1));
	struct call call =
	    call_begin(&cluster->arena, CALL_WRITES, "load_act_1",
		key_mod_action(&cluster->arena, &cluster->store.buckets,
		    (number - 1) * BUCKETS + 1));
	enum store_result result;

	call_add_number(&raise, (int64_t)number);
	result = call_run(&raise, &cluster->store, NULL);
	if (result != STORE_OK)
		return result;
	action.at = 1600000000;
	schema_add(&call, &mod_action_schema, &action);
	result = call_run(&call, &cluster->store, NULL);
	return result == STORE_TAKEN ? STORE_OK : result;
}

static enum store_result
refuse_host(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct mod_action action = action_of(subject, MOD_HOST_BLOCKED);
	enum host_status wanted =
	    subject->times % 2 == 0 ? HOST_BLOCKED : HOST_ALLOWED;
	struct settings found;
	enum store_result result;

	action.article = 0;
	action.subject = TEXT("spam.example");
	result = settings_set_host(
	    &cluster->store, &cluster->arena, action.subject, wanted, &action);
	if (result != STORE_OK ||
	    settings_get(&cluster->store, &cluster->arena, &found) != STORE_OK)
		return STORE_DOWN;
	assert_int_equal(found.hosts.size > 0, wanted == HOST_BLOCKED);
	return STORE_OK;
}

/* The suspension and the end of the sessions happen together. */
static enum store_result
suspend(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct call call = call_begin(
	    arena, CALL_WRITES, "suspend_1", key_user(arena, cluster->ben));
	bool ends = subject->times % 3 == 2;
	struct text cookie;
	enum store_result result;

	if (subject->times % 3 == 0)
		return session_start(&cluster->store, arena, cluster->ben,
		    subject->password, &world_no_factor, TEXT("a browser"),
		    &cookie);
	call_add(&call, ends ? TEXT("0") : TEXT("4000000000"), TEXT("why"));
	result = call_run(&call, &cluster->store, NULL);
	if (result == STORE_OK && !ends)
		assert_int_equal(
		    session_start(&cluster->store, arena, cluster->ben,
			subject->password, &world_no_factor, TEXT("a browser"),
			&cookie) == STORE_OK,
		    false);
	return result;
}

static enum store_result
describe_oneself(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	if (subject->times % 3 == 2)
		return user_set_about(&cluster->store, &cluster->arena,
			   UINT64_C(999999), TEXT("Nobody")) == STORE_ABSENT
		    ? STORE_OK
		    : STORE_DOWN;
	return user_set_about(&cluster->store, &cluster->arena, cluster->ben,
	    subject->times % 3 == 0 ? TEXT("I am *Ben*") : TEXT(""));
}

/* It is reopened, as operators can. */
static enum store_result
close_account(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct call call = call_begin(
	    arena, CALL_WRITES, "close_1", key_user(arena, cluster->ben));

	return subject->times % 2 == 0
	    ? call_run(&call, &cluster->store, NULL)
	    : user_set_password(&cluster->store, arena, cluster->ben, TEXT(""),
		  subject->password);
}

static enum store_result
refresh(struct subject *subject, struct post_id id)
{
	struct pipeline pipeline = pipeline_begin(
	    subject->cluster->store.redis, &subject->cluster->arena);

	refresh_send_post(&pipeline, &subject->cluster->store, id);
	return redis_run(&pipeline) ? call_outcome(&pipeline.replies[0])
				    : STORE_DOWN;
}

static enum store_result
refresh_article(struct subject *subject)
{
	return refresh(subject, article_id(subject->article));
}

/* The next step of a change of what a vote is worth, and a vote in each of its states. */
static enum store_result
change_pace(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct pacer *pacer = pacer_new(store, 0);
	enum store_result result = store_write(store, &cluster->arena,
	    TEXT("HSET"), key_settings(&cluster->arena, &store->buckets),
	    SETTINGS_VOTE_SCORE,
	    number_of(cluster, 1000 + subject->times / 30));

	if (result == STORE_OK)
		result = pacer_step(pacer);
	pacer_free(pacer);
	return result == STORE_DOWN ? STORE_DOWN : vote(subject);
}

/* While it changes; each article is in the new lists before the next operation. */
static enum store_result
pace_and(struct subject *subject, operation *operate)
{
	return subject->times % 2 == 0 ? change_pace(subject)
				       : operate(subject);
}

static enum store_result
change_pace_and_file(struct subject *subject)
{
	return pace_and(subject, file);
}

static enum store_result
change_pace_and_refresh(struct subject *subject)
{
	return pace_and(subject, refresh_article);
}

static enum store_result
refresh_comment(struct subject *subject)
{
	return refresh(subject, comment_of(subject));
}

static enum store_result
refresh_ben(struct subject *subject)
{
	return refresh_member(&subject->cluster->store,
	    &subject->cluster->arena, subject->cluster->ben);
}

/* The name of another member stays. */
static enum store_result
unname(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct call call = call_begin(
	    arena, CALL_WRITES, "unname_1", key_user_name(arena, TEXT("ben")));
	enum store_result result;
	struct user ben;

	call_add_number(&call, (int64_t)cluster->ann);
	result = call_run(&call, &cluster->store, NULL);
	if (result != STORE_OK)
		return result;
	result = user_find(&cluster->store, arena, TEXT("ben"), &ben);
	assert_int_not_equal(result, STORE_ABSENT);
	return result;
}

/* Does what acts have begun; STORE_DOWN when it cannot be done yet. */
static enum store_result
finish_acts(struct cluster *cluster)
{
	struct containment_faults faults = { .next = 0 };

	while (containment_step(&cluster->store, &cluster->arena, &faults))
		;
	return faults.logged == 0 ? STORE_OK : STORE_DOWN;
}

/* Takes back what was done to a member, also by acts that did not come to an end before. */
static enum store_result
take_back(struct cluster *cluster, const struct member *member)
{
	struct store *store = &cluster->store;
	struct mod_action action = { .by = { cluster->ann, TEXT("ann") },
		.what = mod_action_words[MOD_RELEASED] };
	struct containment *acts;
	size_t count;
	enum store_result result = finish_acts(cluster);

	if (result == STORE_OK)
		result = containment_list(
		    store, &cluster->arena, member->id, &acts, &count);
	for (size_t i = 0; result == STORE_OK && i < count; i++)
		if (containment_is(&acts[i], CONTAINMENT_DONE))
			result = containment_undo(
			    store, &cluster->arena, &acts[i], action);
	return result == STORE_OK ? finish_acts(cluster) : result;
}

/* Everything that ann or ben has is removed, voided and suspended by one act, and that is taken
 * back. A host is blocked with it every other time, and every other time it is a part of a
 * decision. */
static enum store_result
contain(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	const struct member members[] = { { cluster->ann, TEXT("ann") },
		{ cluster->ben, TEXT("ben") } };
	const struct member *member = &members[subject->times % 2];
	struct containment act = { .member = *member,
		.suspends = subject->times % 3 != 0,
		.removes = CONTAINMENT_FOREVER,
		.votes = CONTAINMENT_VOID,
		.hosts =
		    subject->times % 4 < 2 ? TEXT("bad.example") : TEXT("") };
	struct mod_action action = { .by = members[1 - subject->times % 2],
		.what = mod_action_words[MOD_CONTAINED] };
	struct mod_decision decision = { .entry = action };
	enum store_result result = take_back(cluster, &members[0]);

	if (result == STORE_OK)
		result = take_back(cluster, &members[1]);
	if (result == STORE_OK && subject->times % 4 > 1)
		result = mod_decision_add(store, arena, &decision, &action);
	if (result == STORE_OK)
		result = world_cast(store, arena, article_id(subject->article),
		    cluster->ben, VOTE_UP);
	if (result == STORE_OK)
		result = containment_start(store, arena, &act, action);
	if (result == STORE_OK)
		result = containment_rename_member(store, arena, member);
	return result == STORE_OK ? take_back(cluster, member) : result;
}

/* A link is used up by the one who claims, and by nobody else. */
static enum store_result
claim_ownership(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	const struct text digest = TEXT("0f");
	enum store_result result, other;

	switch (subject->times % 3) {
	case 0:
		return store_write(store, arena, TEXT("SET"),
		    key_owner_link(arena, digest), TEXT("1"));
	case 1:
		result = user_claim_owner(store, arena, cluster->ben, digest);
		break;
	default:
		return user_end_owner_claim(store, arena);
	}
	other = result == STORE_OK
	    ? user_claim_owner(store, arena, cluster->ann, digest)
	    : STORE_TAKEN;
	if (other != STORE_TAKEN && other != STORE_DOWN)
		fail_msg("the link was good twice");
	return other == STORE_DOWN ? other : result;
}

/* "(deleted)" is the text of the last prepared comment. */
static enum store_result
erase_comment(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return RUN(subject, "disown_1", key_of_comment(subject),
	    text_format(&cluster->arena, "%llu %s",
		(unsigned long long)cluster->ann,
		subject->times % 2 == 0 ? "other" : "ann"),
	    TEXT("(deleted)"));
}

static enum store_result
rewrite_late(struct subject *subject)
{
	return RUN(subject, "rewrite_1", key_of_comment(subject), TEXT("0"),
	    TEXT("1000000"),
	    text_format(
		&subject->cluster->arena, "Late %u", subject->times % 6),
	    TEXT(""));
}

/* Removed by ben, whose name then changes. */
static enum store_result
remove_and_rename(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	const struct mod_action action = action_of(subject, MOD_REMOVED);

	return subject->times % 2 == 0
	    ? post_remove(
		  &cluster->store, arena, article_id(subject->article), &action)
	    : RUN(subject, "disown_1", key_of_article(subject),
		  text_format(arena, "%llu name%u",
		      (unsigned long long)cluster->ben, subject->times % 6),
		  TEXT(""));
}

/* The oldest visits are forgotten. */
static enum store_result
visit(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return RUN(subject, "visit_2", key_user(&cluster->arena, cluster->ben),
	    number_of(cluster, 1 + subject->times), TEXT("1"), TEXT("4"),
	    TEXT("1000"));
}

/* With room for two sessions. */
static enum store_result
log_in_often(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;

	return RUN(subject, "session_3",
	    key_user(&cluster->arena, cluster->ben),
	    text_format(&cluster->arena, "digest%u", subject->times),
	    TEXT("a browser"), TEXT("1000"), TEXT("2"), subject->password);
}

static enum store_result
load_removed(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct comment comment = { .text = TEXT("Loaded"),
		.post = { .id = { subject->article, 2000 + subject->times },
		    .author = { cluster->ann, TEXT("ann") },
		    .posted = 1600000000,
		    .closes = 4000000000,
		    .removed = 1600000001,
		    .up = 1 } };
	struct call load = call_begin(&cluster->arena, CALL_WRITES, "load_4",
	    key_post(
		&cluster->arena, &cluster->store.buckets, comment.post.id));
	enum store_result result;

	call_add(&load, number_of(cluster, cluster->store.rules.vote_score),
	    TEXT("1"), TEXT("0"), number_of(cluster, (int64_t)cluster->ann));
	schema_add(&load, &comment_schema, &comment);
	result = call_run(&load, &cluster->store, NULL);
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* An article with a number reserved for its comment, the same again, and then that
 * comment. */
static enum store_result
load_reserved(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	uint64_t id = (4000 + subject->times / 3 - 1) * BUCKETS + 1;
	bool is_comment = subject->times % 3 == 2;
	struct article article = { .title = TEXT("Loaded"),
		.text = TEXT("Some text."),
		.post = { .id = article_id(id),
		    .author = { cluster->ann, TEXT("ann") },
		    .posted = 1600000000,
		    .closes = 4000000000,
		    .up = 1 } };
	struct comment comment = { .text = TEXT("Loaded"),
		.post = article.post };
	struct call load;
	enum store_result result;

	comment.post.id.comment = 1;
	load = call_begin(&cluster->arena, CALL_WRITES, "load_5",
	    key_post(&cluster->arena, &cluster->store.buckets,
		is_comment ? comment.post.id : article.post.id));
	call_add(&load, number_of(cluster, cluster->store.rules.vote_score),
	    is_comment ? TEXT("0") : TEXT("1"), TEXT("1"), TEXT("0"),
	    number_of(cluster, (int64_t)cluster->ann));
	if (is_comment)
		schema_add(&load, &comment_schema, &comment);
	else
		schema_add(&load, &article_schema, &article);
	result = RUN(subject, "raise_1",
	    key_article_counter(&cluster->arena, &cluster->store.buckets, 1),
	    TEXT("5000"));
	if (result != STORE_OK)
		return result;
	result = call_run(&load, &cluster->store, NULL);
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* Beside one that is refused before. */
static enum store_result
refuse_hosts(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct mod_action action = action_of(subject, MOD_HOST_BLOCKED);
	enum store_result result;

	action.article = 0;
	action.subject = text_format(
	    &cluster->arena, "spam%u.example", subject->times % 6 / 2);
	result =
	    settings_set_host(&cluster->store, &cluster->arena, action.subject,
		subject->times % 2 == 0 ? HOST_BLOCKED : HOST_ALLOWED, &action);
	return result == STORE_OK && subject->times == 0
	    ? settings_set_host(&cluster->store, &cluster->arena,
		  TEXT("other.example"), HOST_BLOCKED, &action)
	    : result;
}

/* Notifications. */

/* Ben's inbox has as many notices as it counts, each with its own number. */
static enum store_result
look_into_inbox(struct subject *subject, struct user *ben, struct notice *last)
{
	struct cluster *cluster = subject->cluster;
	struct notice *notices;
	uint64_t total;
	size_t got;

	if (user_get(&cluster->store, &cluster->arena, cluster->ben, ben) !=
		STORE_OK ||
	    inbox_read(&cluster->store, &cluster->arena, cluster->ben, 0, 1,
		&notices, &got, &total) != STORE_OK)
		return STORE_DOWN;
	assert_int_equal(total, ben->notified);
	*last = (struct notice){ .number = 0 };
	if (got > 0)
		*last = notices[0];
	assert_int_equal(last->number, total);
	return STORE_OK;
}

/* Another comment each time. */
static struct notice
next_notice(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct notice notice = { .number = 1000 + subject->times };

	assert_int_equal(
	    say(cluster, article_id(subject->article),
		text_format(&cluster->arena, "Told %u", subject->times),
		&notice.comment),
	    STORE_OK);
	return notice;
}

static enum store_result
be_told(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct notice notice = next_notice(subject);
	struct pipeline pipeline =
	    pipeline_begin(cluster->store.redis, &cluster->arena);
	enum store_result result;
	struct user ben;

	inbox_notify(&pipeline, cluster->ben, &notice, cluster->ann);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	result = call_outcome(&pipeline.replies[0]);
	return result == STORE_OK ? look_into_inbox(subject, &ben, &notice)
				  : result;
}

static enum store_result
be_told_and_read(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	enum store_result result;
	struct notice last;
	struct user ben;

	if (subject->times % 2 == 0)
		return be_told(subject);
	if (look_into_inbox(subject, &ben, &last) != STORE_OK)
		return STORE_DOWN;
	result = inbox_mark_read(
	    &cluster->store, &cluster->arena, cluster->ben, last.number);
	if (result != STORE_OK ||
	    look_into_inbox(subject, &ben, &last) != STORE_OK)
		return STORE_DOWN;
	assert_int_equal(ben.read, last.number);
	return STORE_OK;
}

/* By itself, or as the notice of a comment: in turn. */
static enum store_result
be_told_and_follow(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	enum store_result result;
	struct notice last;
	struct user ben;

	if (subject->times % 3 != 2)
		return be_told(subject);
	if (look_into_inbox(subject, &ben, &last) != STORE_OK)
		return STORE_DOWN;
	switch (subject->times / 3 % 3) {
	case 0:
		result = inbox_mark_notice_read(&cluster->store,
		    &cluster->arena, cluster->ben, last.number);
		break;
	case 1:
		result = RUN(subject, "read_entries_1",
		    key_user(&cluster->arena, cluster->ben),
		    notice_encode(&cluster->arena, &last));
		break;
	default:
		result = RUN(subject, "read_thread_1",
		    key_user(&cluster->arena, cluster->ben),
		    number_of(cluster, (int64_t)last.comment.article),
		    number_of(cluster, (int64_t)last.comment.comment));
	}
	if (result != STORE_OK ||
	    look_into_inbox(subject, &ben, &last) != STORE_OK)
		return STORE_DOWN;
	assert_true(last.is_read);
	assert_int_equal(ben.read, 0);
	assert_in_range(ben.read_ahead, 1, ben.notified);
	return STORE_OK;
}

static enum store_result
mute(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	uint64_t article = subject->article, *muted;
	size_t count;
	bool mutes = subject->times % 2 == 0;
	enum store_result result = mutes
	    ? inbox_mute(store, arena, cluster->ben, article)
	    : inbox_unmute(store, arena, cluster->ben, article);

	if (result != STORE_OK ||
	    inbox_mutes(store, arena, cluster->ben, &muted, &count) != STORE_OK)
		return STORE_DOWN;
	assert_int_equal(count, mutes);
	return STORE_OK;
}

/* The version in the member's hash follows the rules. */
static enum store_result
hide(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	const struct hidden_rule what = { .kind = HIDDEN_ARTICLE,
		.id = subject->article };
	bool hides = subject->times % 2 == 0;
	enum store_result result = hides
	    ? hidden_add(store, arena, cluster->ben, &what)
	    : hidden_remove(store, arena, cluster->ben, &what);
	struct user ben;

	if (result != STORE_OK ||
	    user_get(store, arena, cluster->ben, &ben) != STORE_OK)
		return STORE_DOWN;
	assert_true(!hides || ben.hidden != 0);
	return STORE_OK;
}

static enum store_result
follow(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	bool follows = subject->times % 2 == 0;
	enum store_result result = follows
	    ? follows_add(store, arena, cluster->ben, TEXT("go"))
	    : follows_remove(store, arena, cluster->ben, TEXT("go"));
	struct user ben;

	if (result != STORE_OK ||
	    user_get(store, arena, cluster->ben, &ben) != STORE_OK)
		return STORE_DOWN;
	assert_true(!follows || ben.follows != 0);
	return STORE_OK;
}

/* Written, and deleted again. */
static enum store_result
note_member(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	const struct member_note note = { .by = cluster->ann,
		.text = TEXT("Knows ropes.") };
	bool writes = subject->times % 2 == 0;
	struct member_note *notes;
	size_t count;
	enum store_result result = writes
	    ? member_note_add(store, arena, cluster->ben, &note)
	    : member_note_delete(store, arena, cluster->ben, &note);

	if (result != STORE_OK ||
	    member_notes_get(store, arena, cluster->ben, &notes, &count) !=
		STORE_OK)
		return STORE_DOWN;
	assert_int_equal(count, writes);
	return STORE_OK;
}

static enum store_result
save(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	bool saves = subject->times % 2 == 0;
	enum store_result result = saved_set(store, arena, cluster->ben,
	    article_id(subject->article), saves ? SAVING_ON : SAVING_OFF);
	struct user ben;

	if (result != STORE_OK ||
	    user_get(store, arena, cluster->ben, &ben) != STORE_OK)
		return STORE_DOWN;
	assert_true(!saves || ben.saves != 0);
	return STORE_OK;
}

/* Announces a vote that is refused, with an entry before it or without. */
static enum store_result
withdraw_vote(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	struct post_id post = article_id(subject->article);
	bool is_first = subject->times % 2 == 0;
	struct pipeline first = pipeline_begin(store->redis, arena),
			second = pipeline_begin(store->redis, arena);
	struct vote_entry entry = { .post = post, .at = 1, .vote = VOTE_UP };
	struct vote_announcement announcement;

	if (is_first &&
	    vote_history_erase(store, arena, cluster->ben) != STORE_OK)
		return STORE_DOWN;
	vote_history_announce(&first, cluster->ben, &entry);
	if (!is_first && !redis_run(&first))
		return STORE_DOWN;
	entry.vote = VOTE_DOWN;
	vote_history_announce(&second, cluster->ben, &entry);
	if (!redis_run(&second))
		return STORE_DOWN;
	announcement =
	    vote_history_announced(store, cluster->ben, &entry, &second);
	return vote_history_withdraw(store, arena, &announcement);
}

/* A page of an hour that is over is loaded, and not kept; an article of it says so. */
static enum store_result
keep_front_page(struct subject *subject)
{
	struct store *store = &subject->cluster->store;
	struct arena *arena = &subject->cluster->arena;
	const struct front_hour page = { .hour = 472000 + subject->times % 4,
		.articles = { 7, subject->article },
		.count = 2 };
	enum store_result result = subject->times % 2 == 0
	    ? front_hour_load(store, arena, &page)
	    : front_hour_keep(store, arena, &page);
	struct front_hour found;

	if (result == STORE_DOWN)
		return result;
	if (subject->times % 2 != 0) {
		assert_int_equal(result, STORE_CLOSED);
		return STORE_OK;
	}
	result = front_hour_read(store, arena, page.hour, &found);
	assert_true(result == STORE_DOWN || found.count == 2);
	return result;
}

/* Lists a month that has a page, and one that has none. */
static enum store_result
list_front_month(struct subject *subject)
{
	struct store *store = &subject->cluster->store;
	struct arena *arena = &subject->cluster->arena;
	int64_t hour = 472000 + subject->times % 2 * 10000;
	struct front_hour page = {
		.hour = 472000, .articles = { 7 }, .count = 1
	};
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	if (front_hour_load(store, arena, &page) == STORE_DOWN)
		return STORE_DOWN;
	front_hour_send_list(&pipeline,
	    front_hour_key(arena, &store->buckets, hour),
	    front_hour_month(arena, hour));
	return redis_run(&pipeline) ? call_outcome(&pipeline.replies[0])
				    : STORE_DOWN;
}

/* The earliest hour stays. */
static enum store_result
mark_front_page(struct subject *subject)
{
	struct store *store = &subject->cluster->store;
	struct arena *arena = &subject->cluster->arena;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	front_hour_send_mark(
	    &pipeline, store, subject->article, 472000 - subject->times % 3);
	return redis_run(&pipeline) ? call_outcome(&pipeline.replies[0])
				    : STORE_DOWN;
}

static enum store_result
replace_hidden(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	const struct hidden_rule rules[] = { { .kind = HIDDEN_ARTICLE,
						 .id = subject->article },
		{ .kind = HIDDEN_WORDS, .name = TEXT("word") } };
	size_t count = (size_t)subject->times % 3;
	struct user ben;

	if (hidden_replace(&cluster->store, &cluster->arena, cluster->ben,
		rules, count) != STORE_OK ||
	    user_get(&cluster->store, &cluster->arena, cluster->ben, &ben) !=
		STORE_OK)
		return STORE_DOWN;
	assert_true(count == 0 || ben.hidden != 0);
	return STORE_OK;
}

/* The count of notices rises with the notice. */
static enum store_result
load_notice(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct notice notice = next_notice(subject);
	struct pipeline pipeline =
	    pipeline_begin(cluster->store.redis, &cluster->arena);
	enum store_result result;
	struct user ben;

	inbox_load(&pipeline, cluster->ben, &notice);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	result = call_outcome(&pipeline.replies[0]);
	if ((result != STORE_OK && result != STORE_TAKEN) ||
	    user_get(&cluster->store, &cluster->arena, cluster->ben, &ben) !=
		STORE_OK)
		return STORE_DOWN;
	assert_int_equal(ben.notified, notice.number);
	return STORE_OK;
}

/* With room for two. */
static enum store_result
be_told_often(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct notice notice = next_notice(subject);
	enum store_result result = RUN(subject, "load_notice_1",
	    key_user(&cluster->arena, cluster->ben),
	    notice_encode(&cluster->arena, &notice),
	    number_of(cluster, (int64_t)notice.number), TEXT("2"));

	return result == STORE_TAKEN ? STORE_OK : result;
}

static enum store_result
load_mute(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct pipeline pipeline =
	    pipeline_begin(cluster->store.redis, &cluster->arena);
	enum store_result result;

	if (subject->times % 2 != 0)
		return mute(subject);
	inbox_load_mute(&pipeline, cluster->ben, subject->article);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	result = call_outcome(&pipeline.replies[0]);
	return result == STORE_TAKEN ? STORE_OK : result;
}

/* As many as were delivered, and no messages, which would be the third item and those
 * after it. */
/* What is renamed is there before. */
static enum store_result
rename_hidden(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	const struct hidden_rule what = { .kind = HIDDEN_GROUP,
		.name = TEXT("before") };
	enum store_result result =
	    hidden_add(store, arena, cluster->ben, &what);

	return result == STORE_OK ? hidden_rename(store, arena, cluster->ben,
					what.name, TEXT("after"))
				  : result;
}

static enum store_result
rename_followed(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct store *store = &cluster->store;
	struct arena *arena = &cluster->arena;
	enum store_result result =
	    follows_add(store, arena, cluster->ben, TEXT("before"));

	return result == STORE_OK ? follows_rename(store, arena, cluster->ben,
					TEXT("before"), TEXT("after"))
				  : result;
}

static enum store_result
load_hidden(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	const struct hidden_rule what = {
		.kind = HIDDEN_ARTICLE, .id = subject->article, .at = 1
	};
	struct pipeline pipeline =
	    pipeline_begin(cluster->store.redis, &cluster->arena);
	enum store_result result;

	if (subject->times % 2 != 0)
		return hide(subject);
	hidden_load(&pipeline, cluster->ben, &what);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	result = call_outcome(&pipeline.replies[0]);
	return result == STORE_TAKEN ? STORE_OK : result;
}

static enum store_result
look_through_inbox(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct pipeline pipeline =
	    pipeline_begin(cluster->store.redis, &cluster->arena);
	enum store_result result;
	struct notice last;
	struct user ben;

	if (subject->times == 0) {
		result = load_mute(subject);
		return result == STORE_OK ? be_told(subject) : result;
	}
	inbox_check(&pipeline, cluster->ben, 0, 100);
	if (!redis_run(&pipeline) ||
	    look_into_inbox(subject, &ben, &last) != STORE_OK)
		return STORE_DOWN;
	assert_int_equal(pipeline.replies[0].count, 2);
	assert_int_equal(
	    reply_item(&pipeline.replies[0], 0)->count, 2 * ben.notified);
	assert_int_equal(reply_item(&pipeline.replies[0], 1)->count, 1);
	return STORE_OK;
}

/* The outbox of a bucket that is being moved is delivered, each entry once even if it
 * is there several times. */
static enum store_result
relay(struct subject *subject)
{
	struct cluster *cluster = subject->cluster;
	struct arena *arena = &cluster->arena;
	struct text outbox = key_outbox(arena, &cluster->store.buckets, 1);
	struct pipeline pipeline = pipeline_begin(cluster->store.redis, arena);
	uint64_t number = 1000 + subject->times;
	enum store_result result = load_comment(subject);
	struct relay *relay;
	struct notice last;
	struct user ben;

	if (result != STORE_OK)
		return result;
	pipeline_add(&pipeline, TEXT("XADD"), outbox, TEXT("*"), TEXT("post"),
	    text_format(arena, "%llu:%llu",
		(unsigned long long)subject->article,
		(unsigned long long)number),
	    TEXT("by"), TEXT("9"), TEXT("to"),
	    text_format(arena, "%llu=reply", (unsigned long long)cluster->ben));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	relay = relay_new(&cluster->store, TEXT("here"));
	for (int i = 0; i < 5; i++)
		relay_step(relay);
	relay_free(relay);
	pipeline = pipeline_begin(cluster->store.redis, arena);
	pipeline_add(&pipeline, TEXT("XLEN"), outbox);
	if (!redis_run(&pipeline) || pipeline.replies[0].number > 0 ||
	    look_into_inbox(subject, &ben, &last) != STORE_OK)
		return STORE_DOWN;
	assert_int_equal(last.comment.comment, number);
	return STORE_OK;
}

/* Calls the operation before each key moves; it must succeed or fail as a whole. */
static void
do_while_moving(struct subject *subject, operation *operate, unsigned slot,
    int from, int to)
{
	struct cluster *cluster = subject->cluster;

	begin_move(cluster, slot, from, to);
	/* A call does not wait for a slot that is being moved. */
	redis_fail_at_once(cluster->store.redis, true);
	do {
		enum store_result result = operate(subject);

		assert_true(result == STORE_OK || result == STORE_DOWN);
		if (result == STORE_OK)
			subject->times++;
	} while (move_key(cluster, slot, from, to));
	redis_fail_at_once(cluster->store.redis, false);
	end_move(cluster, slot, to);
}

static void
assert_whole(struct cluster *cluster)
{
	char *said = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&said, &size);

	int status = check_command(&cluster->store, out, CHECK_ONLY);

	fclose(out);
	if (status != 0)
		fail_msg("%s", said);
	free(said);
}

enum place { ARTICLES, SETTINGS, BEN, BENS_NAME, CHESS, SITE, OWNERS };

static unsigned
slot_of_place(struct cluster *cluster, enum place place)
{
	struct arena *arena = &cluster->arena;

	switch (place) {
	case BEN:
		return cluster_slot(key_user(arena, cluster->ben));
	case BENS_NAME:
		return cluster_slot(key_user_name(arena, TEXT("ben")));
	case SITE:
		return cluster_slot(KEY_SITE);
	case OWNERS:
		return cluster_slot(KEY_OWNERS);
	case SETTINGS:
		return cluster_slot(
		    key_settings(arena, &cluster->store.buckets));
	case CHESS:
		return cluster_slot(key_group(arena, TEXT("chess")));
	case ARTICLES:
		break;
	}
	return cluster_slot(key_versions(arena, &cluster->store.buckets, 1));
}

/* With a voided vote if one is to be counted again. */
static void
prepare_article(struct subject *subject, int i, bool is_voided)
{
	struct store *store = &subject->cluster->store;
	struct arena *arena = &subject->cluster->arena;
	struct article article =
	    next_article(subject->cluster, 1, 6000 + (unsigned)i);

	assert_int_equal(article_post(store, arena, &article), STORE_OK);
	subject->prepared[i] = article.post.id.article;
	if (!is_voided)
		return;
	assert_int_equal(world_cast(store, arena, article.post.id,
			     subject->cluster->ben, VOTE_UP),
	    STORE_OK);
	assert_int_equal(
	    post_void(store, arena, article.post.id, subject->cluster->ben,
		VOIDING_VOID, &world_removal),
	    STORE_OK);
}

static void
try(struct cluster *cluster, operation *operate, enum place place)
{
	struct subject subject = { .cluster = cluster };
	struct article article = next_article(cluster, 1, 0);
	struct post_id id;
	struct user ben;
	unsigned slot = slot_of_place(cluster, place);
	int from = home_of(slot);

	cluster->slot = slot;
	assert_int_equal(
	    article_post(&cluster->store, &cluster->arena, &article), STORE_OK);
	subject.article = article.post.id.article;
	assert_int_equal(
	    say(cluster, article.post.id, TEXT("First"), &id), STORE_OK);
	assert_int_equal(say(cluster, id, TEXT("Answer"), &id), STORE_OK);
	subject.comment = id.comment;
	for (int i = 0;
	    i < PREPARED && (operate == cross || operate == count_across); i++)
		prepare_article(&subject, i, operate == count_across);
	for (int i = 0; i < PREPARED && operate == delete; i++)
		assert_int_equal(
		    say(cluster, article.post.id,
			text_format(&cluster->arena, "Number %d", i), &id),
		    STORE_OK);
	assert_int_equal(
	    user_get(&cluster->store, &cluster->arena, cluster->ben, &ben),
	    STORE_OK);
	subject.password = ben.password_hash;
	for (int i = 0; i < 2; i++, from = 1 - from) {
		do_while_moving(&subject, operate, slot, from, 1 - from);
		/* Back to the initial state, for the next test. */
		do
			assert_int_equal(operate(&subject), STORE_OK);
		while (++subject.times % 6 != 0);
		assert_whole(cluster);
	}
}

#define MOVING_TEST(name, operate, place) \
	static void name(void **state) \
	{ \
		try(*state, operate, place); \
	}
MOVING_TEST(votes_are_atomic, vote, ARTICLES)
MOVING_TEST(votes_across_the_threshold_are_atomic, cross, ARTICLES)
MOVING_TEST(
    voided_votes_across_the_threshold_are_atomic, count_across, ARTICLES)
MOVING_TEST(removing_interesting_articles_is_atomic,
    remove_and_restore_interesting, ARTICLES)
MOVING_TEST(changing_groups_is_atomic, file, ARTICLES)
MOVING_TEST(moves_by_moderators_are_atomic, move, ARTICLES)
MOVING_TEST(removal_is_atomic, remove_and_restore, ARTICLES)
MOVING_TEST(placing_by_points_is_atomic, place_and_moderate, ARTICLES)
MOVING_TEST(posting_is_atomic, post, ARTICLES)
MOVING_TEST(loading_is_atomic, load, ARTICLES)
MOVING_TEST(claimed_links_stay_claimed, claim, ARTICLES)
MOVING_TEST(dumps_are_complete, dump, ARTICLES)
MOVING_TEST(checks_find_no_break, check, ARTICLES)
MOVING_TEST(karma_equals_the_sum, add_up, ARTICLES)
MOVING_TEST(checked_lists_have_no_wrong_entries, look_through, ARTICLES)
MOVING_TEST(commenting_is_atomic, comment, ARTICLES)
MOVING_TEST(editing_comments_is_atomic, rewrite, ARTICLES)
MOVING_TEST(deleting_comments_is_atomic, delete, ARTICLES)
MOVING_TEST(closing_threads_is_atomic, close_and_open_thread, ARTICLES)
MOVING_TEST(votes_on_comments_are_atomic, vote_on_comment, ARTICLES)
MOVING_TEST(removing_comments_is_atomic, remove_and_restore_comment, ARTICLES)
MOVING_TEST(loading_comments_is_atomic, load_comment, ARTICLES)
MOVING_TEST(dumps_of_comments_are_complete, dump_comment, ARTICLES)
MOVING_TEST(checks_of_comments_find_no_break, check_comment, ARTICLES)
MOVING_TEST(checked_lists_of_comments_have_no_wrong_entries,
    look_through_comments, ARTICLES)
MOVING_TEST(
    checked_threads_have_no_wrong_entries, look_through_thread, ARTICLES)
MOVING_TEST(settings_of_groups_are_atomic, set_group, CHESS)
MOVING_TEST(moderators_of_groups_are_atomic, change_group_moderators, CHESS)
MOVING_TEST(taking_out_of_groups_is_atomic, take_out, ARTICLES)
MOVING_TEST(groups_are_not_created_twice, create_group, CHESS)
MOVING_TEST(groups_are_counted, count_groups, ARTICLES)
MOVING_TEST(sites_are_not_created_twice, open_site, SITE)
MOVING_TEST(settings_are_atomic, decide, SETTINGS)
MOVING_TEST(changing_an_image_is_atomic, change_image, SETTINGS)
MOVING_TEST(naming_the_authority_is_atomic, note_authority, SETTINGS)
MOVING_TEST(invitations_are_atomic, invite, BEN)
MOVING_TEST(sessions_are_found, see, BEN)
MOVING_TEST(logging_in_is_atomic, log_in, BEN)
MOVING_TEST(changing_passwords_is_atomic, change_password, BEN)
MOVING_TEST(recovering_accounts_is_atomic, recover, BEN)
MOVING_TEST(second_factors_are_used_once, use_second_factor, BEN)
MOVING_TEST(flags_are_atomic, flag, ARTICLES)
MOVING_TEST(dismissals_are_atomic, flag_and_dismiss, ARTICLES)
MOVING_TEST(voiding_is_atomic, void_and_count, ARTICLES)
MOVING_TEST(withdrawing_is_atomic, post_and_withdraw, ARTICLES)
MOVING_TEST(second_chances_are_atomic, show_again, ARTICLES)
MOVING_TEST(folding_articles_is_atomic, fold_article, ARTICLES)
MOVING_TEST(folding_comments_is_atomic, fold_comment, ARTICLES)
MOVING_TEST(holding_articles_is_atomic, hold_article, ARTICLES)
MOVING_TEST(holding_comments_is_atomic, hold_comment, ARTICLES)
MOVING_TEST(editing_is_atomic, edit, ARTICLES)
MOVING_TEST(editing_dismissed_articles_is_atomic, flag_and_edit, ARTICLES)
MOVING_TEST(renaming_authors_is_atomic, disown, ARTICLES)
MOVING_TEST(erasing_is_atomic, erase, ARTICLES)
MOVING_TEST(logging_actions_is_atomic, note, SETTINGS)
MOVING_TEST(loading_actions_is_atomic, load_act, ARTICLES)
MOVING_TEST(refusing_hosts_is_atomic, refuse_host, SETTINGS)
MOVING_TEST(erasing_comments_is_atomic, erase_comment, ARTICLES)
MOVING_TEST(editing_comments_late_is_atomic, rewrite_late, ARTICLES)
MOVING_TEST(renaming_the_remover_is_atomic, remove_and_rename, ARTICLES)
MOVING_TEST(visits_are_atomic, visit, BEN)
MOVING_TEST(replacing_old_sessions_is_atomic, log_in_often, BEN)
MOVING_TEST(full_inboxes_are_atomic, be_told_often, BEN)
MOVING_TEST(loading_removed_comments_is_atomic, load_removed, ARTICLES)
MOVING_TEST(reserving_numbers_is_atomic, load_reserved, ARTICLES)
MOVING_TEST(refusing_several_hosts_is_atomic, refuse_hosts, SETTINGS)
MOVING_TEST(suspending_is_atomic, suspend, BEN)
MOVING_TEST(notifying_is_atomic, be_told, BEN)
MOVING_TEST(marking_as_read_is_atomic, be_told_and_read, BEN)
MOVING_TEST(following_notices_is_atomic, be_told_and_follow, BEN)
MOVING_TEST(muting_is_atomic, mute, BEN)
MOVING_TEST(hiding_is_atomic, hide, BEN)
MOVING_TEST(following_is_atomic, follow, BEN)
MOVING_TEST(notes_on_members_are_atomic, note_member, BEN)
MOVING_TEST(keeping_front_pages_is_atomic, keep_front_page, SETTINGS)
MOVING_TEST(listing_months_is_atomic, list_front_month, SETTINGS)
MOVING_TEST(marking_articles_is_atomic, mark_front_page, ARTICLES)
MOVING_TEST(saving_is_atomic, save, BEN)
MOVING_TEST(withdrawing_votes_is_atomic, withdraw_vote, BEN)
MOVING_TEST(renaming_what_is_hidden_is_atomic, rename_hidden, BEN)
MOVING_TEST(renaming_what_is_followed_is_atomic, rename_followed, BEN)
MOVING_TEST(replacing_what_is_hidden_is_atomic, replace_hidden, BEN)
MOVING_TEST(loading_what_is_hidden_is_atomic, load_hidden, BEN)
MOVING_TEST(loading_notices_is_atomic, load_notice, BEN)
MOVING_TEST(loading_mutes_is_atomic, load_mute, BEN)
MOVING_TEST(checks_of_inboxes_find_no_break, look_through_inbox, BEN)
MOVING_TEST(relaying_is_atomic, relay, ARTICLES)
MOVING_TEST(texts_about_oneself_are_atomic, describe_oneself, BEN)
MOVING_TEST(closing_accounts_is_atomic, close_account, BEN)
MOVING_TEST(names_of_others_are_not_released, unname, BENS_NAME)
MOVING_TEST(links_are_good_once, claim_ownership, OWNERS)
MOVING_TEST(acts_on_members_are_atomic, contain, ARTICLES)
MOVING_TEST(suspending_by_an_act_is_atomic, contain, BEN)
MOVING_TEST(acts_on_members_are_recorded, contain, SETTINGS)
MOVING_TEST(setting_publishers_is_atomic, set_publisher, ARTICLES)
MOVING_TEST(refreshing_articles_is_atomic, refresh_article, ARTICLES)
MOVING_TEST(changing_the_worth_of_a_vote_is_atomic, change_pace, ARTICLES)
MOVING_TEST(filing_while_it_changes_is_atomic, change_pace_and_file, ARTICLES)
MOVING_TEST(
    refreshing_while_it_changes_is_atomic, change_pace_and_refresh, ARTICLES)
MOVING_TEST(refreshing_comments_is_atomic, refresh_comment, ARTICLES)
MOVING_TEST(refreshing_members_is_atomic, refresh_ben, BEN)

#define moving_test(name) cmocka_unit_test_setup(name, begin)

/* Blocks that are not reached here: those that only read and need broken data, and
 * those that cannot run in a moving slot or need more data. Other tests reach them,
 * instrumented as well. */
static const struct instrument_block elsewhere[] = {
	{ "register_reader", NULL },
	{ "check", NULL },
	{ "local function count_votes(", NULL },
	/* Posting and commenting, which wait until the slot has arrived. */
	{ "post_5", NULL },
	{ "local function next_number(", NULL },
	{ "local function delete_expired_claims(", NULL },
	{ "local function recent_comments(", NULL },
	{ "local function last_comment(", NULL },
	{ "local function recipients(", NULL },
	{ "local function note_new(", NULL },
	/* More comments than a list has room for. */
	{ "local function trim_newest(", NULL },
	{ "local function places(comment)", NULL },
	/* A thousand other keys. */
	{ "local function cached(", "results_max" },
	{ "local function places(article", "article.is_new" },
	/* An audit is in the memory of one call and of later ones. */
	{ "local function add_karma(", NULL },
	{ "local function audit_post(", NULL },
	{ "local function audit_karma(", NULL },
	/* Refreshing what is not as it should be. */
	{ "local function refresh_votes(", NULL },
	{ "kinds.article.refresh = ", "article.groups ~= " },
	{ "local function keep_stored(", NULL },
	{ "local function refresh_inbox(", "read > told" },
	{ "local function refresh_inbox(", "fitting ~= ahead" },
	{ "local function refresh_follows(", NULL },
	{ "local function refresh_saved(", NULL },
	{ "local function refresh_recovery(", NULL },
	{ "local function hide_muted(", NULL },
	{ "local function refresh_hidden(", NULL },
	{ "local function misplaced(", NULL },
	{ "local function read_layout_4(", NULL },
	{ "local function leave_layout_4(", NULL },
	{ "local function read_layout_4(", NULL },
	{ "kinds.comment.refresh = ", NULL },
	{ "refresh_act_1", NULL },
	{ "repair_containment_1", NULL },
	{ "refresh_member_1", NULL },
	{ "trim_1", NULL },
	{ "unclaim_1", NULL },
	{ "move_begin_1", NULL },
	{ "moved_1", NULL },
	{ "move_end_1", NULL },
	/* Nothing is written. */
	{ "local function place_of(", NULL },
	{ "local function note_damaged_codes(", NULL },
	{ "local function note_damaged_factor(", NULL },
	{ "local function month_of(", NULL },
	{ "local function next_articles(", NULL },
	{ "local function is_noted(", NULL },
	/* A library that is loaded has all that it imports. */
	{ "local function import(", NULL },
	/* A vote of a newcomer who is none any more, taken back. */
	{ "local function count_backing(", "count < 0" },
	/* A single key, or one that has not expired. */
	{ "unname_1", NULL },
	{ "step_down_1", NULL },
	{ "invite_1", NULL },
	{ "local function delete_over(", NULL },
	{ "apply_1", NULL },
	/* Where others have decided since (store/containment, pages/contain). */
	{ "local function note_decision(", NULL },
	{ "local function block_hosts(", NULL },
	{ "local function allow_hosts(", NULL },
	{ "local function acts_that_blocked(", NULL },
	{ "local function note_host_decision(", NULL },
	{ "uncontain_post_1", NULL },
	{ "uncontain_vote_1", NULL },
	{ "unsuspend_1", NULL },
	{ "drop_entry_1", NULL },
	{ "application_1", NULL },
	{ "take_1", "claimed" },
	{ NULL, NULL },
};

static void
every_block_is_reached(void **state)
{
	struct cluster *cluster = *state;
	struct redis *nodes[NODES];
	struct text unreached;

	for (int i = 0; i < NODES; i++)
		nodes[i] = cluster->nodes[i].redis;
	unreached =
	    instrument_unreached(nodes, NODES, elsewhere, &cluster->arena);
	if (unreached.size > 0)
		fprintf(stderr, "%.*s", TEXT_ARGS(unreached));
	assert_int_equal(unreached.size, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		moving_test(votes_are_atomic),
		moving_test(votes_across_the_threshold_are_atomic),
		moving_test(voided_votes_across_the_threshold_are_atomic),
		moving_test(removing_interesting_articles_is_atomic),
		moving_test(changing_groups_is_atomic),
		moving_test(removal_is_atomic),
		moving_test(placing_by_points_is_atomic),
		moving_test(posting_is_atomic),
		moving_test(loading_is_atomic),
		moving_test(claimed_links_stay_claimed),
		moving_test(dumps_are_complete),
		moving_test(checks_find_no_break),
		moving_test(karma_equals_the_sum),
		moving_test(checked_lists_have_no_wrong_entries),
		moving_test(commenting_is_atomic),
		moving_test(editing_comments_is_atomic),
		moving_test(deleting_comments_is_atomic),
		moving_test(closing_threads_is_atomic),
		moving_test(votes_on_comments_are_atomic),
		moving_test(removing_comments_is_atomic),
		moving_test(loading_comments_is_atomic),
		moving_test(dumps_of_comments_are_complete),
		moving_test(checks_of_comments_find_no_break),
		moving_test(checked_lists_of_comments_have_no_wrong_entries),
		moving_test(checked_threads_have_no_wrong_entries),
		moving_test(flags_are_atomic),
		moving_test(dismissals_are_atomic),
		moving_test(voiding_is_atomic),
		moving_test(withdrawing_is_atomic),
		moving_test(second_chances_are_atomic),
		moving_test(moves_by_moderators_are_atomic),
		moving_test(folding_articles_is_atomic),
		moving_test(folding_comments_is_atomic),
		moving_test(holding_articles_is_atomic),
		moving_test(holding_comments_is_atomic),
		moving_test(editing_is_atomic),
		moving_test(editing_dismissed_articles_is_atomic),
		moving_test(renaming_authors_is_atomic),
		moving_test(erasing_is_atomic),
		moving_test(logging_actions_is_atomic),
		moving_test(loading_actions_is_atomic),
		moving_test(refusing_hosts_is_atomic),
		moving_test(erasing_comments_is_atomic),
		moving_test(editing_comments_late_is_atomic),
		moving_test(renaming_the_remover_is_atomic),
		moving_test(visits_are_atomic),
		moving_test(replacing_old_sessions_is_atomic),
		moving_test(full_inboxes_are_atomic),
		moving_test(loading_removed_comments_is_atomic),
		moving_test(reserving_numbers_is_atomic),
		moving_test(refusing_several_hosts_is_atomic),
		moving_test(suspending_is_atomic),
		moving_test(notifying_is_atomic),
		moving_test(marking_as_read_is_atomic),
		moving_test(following_notices_is_atomic),
		moving_test(muting_is_atomic),
		moving_test(loading_notices_is_atomic),
		moving_test(loading_mutes_is_atomic),
		moving_test(hiding_is_atomic),
		moving_test(following_is_atomic),
		moving_test(notes_on_members_are_atomic),
		moving_test(keeping_front_pages_is_atomic),
		moving_test(listing_months_is_atomic),
		moving_test(marking_articles_is_atomic),
		moving_test(saving_is_atomic),
		moving_test(withdrawing_votes_is_atomic),
		moving_test(renaming_what_is_hidden_is_atomic),
		moving_test(renaming_what_is_followed_is_atomic),
		moving_test(replacing_what_is_hidden_is_atomic),
		moving_test(loading_what_is_hidden_is_atomic),
		moving_test(checks_of_inboxes_find_no_break),
		moving_test(relaying_is_atomic),
		moving_test(texts_about_oneself_are_atomic),
		moving_test(closing_accounts_is_atomic),
		moving_test(names_of_others_are_not_released),
		moving_test(settings_of_groups_are_atomic),
		moving_test(moderators_of_groups_are_atomic),
		moving_test(taking_out_of_groups_is_atomic),
		moving_test(links_are_good_once),
		moving_test(acts_on_members_are_atomic),
		moving_test(suspending_by_an_act_is_atomic),
		moving_test(acts_on_members_are_recorded),
		moving_test(setting_publishers_is_atomic),
		moving_test(refreshing_articles_is_atomic),
		moving_test(changing_the_worth_of_a_vote_is_atomic),
		moving_test(filing_while_it_changes_is_atomic),
		moving_test(refreshing_while_it_changes_is_atomic),
		moving_test(refreshing_comments_is_atomic),
		moving_test(refreshing_members_is_atomic),
		moving_test(groups_are_not_created_twice),
		moving_test(groups_are_counted),
		moving_test(sites_are_not_created_twice),
		moving_test(settings_are_atomic),
		moving_test(changing_an_image_is_atomic),
		moving_test(naming_the_authority_is_atomic),
		moving_test(invitations_are_atomic),
		moving_test(sessions_are_found),
		moving_test(logging_in_is_atomic),
		moving_test(changing_passwords_is_atomic),
		moving_test(recovering_accounts_is_atomic),
		moving_test(second_factors_are_used_once),
		moving_test(every_block_is_reached),
	};

	return cmocka_run_group_tests_name(
	    "functions in a moving slot", tests, set_up, tear_down);
}
