/*
 * Replies and errors of cluster nodes and sentinels, well-formed and not.
 */
#include "../support/fixture.h"
#include "redis/cluster.h"
#include "redis/endpoint.h"

#define STRING(literal) { .kind = REPLY_TEXT, .text = TEXT_INIT(literal) }
#define NUMBER(value)	{ .kind = REPLY_NUMBER, .number = (value) }
#define LIST(array) \
	{ .kind = REPLY_LIST, \
		.items = (array), \
		.count = sizeof(array) / sizeof((array)[0]) }

/* The examples of the Redis Cluster specification. */
static void
slot_follows_from_the_tag(void **state)
{
	(void)state;
	assert_int_equal(cluster_slot(TEXT("123456789")), 0x31c3);
	assert_int_equal(cluster_slot(TEXT("{user1000}.following")),
	    cluster_slot(TEXT("{user1000}.followers")));
	assert_int_equal(
	    cluster_slot(TEXT("foo{}{bar}")), cluster_slot(TEXT("foo{}{bar}")));
	assert_int_not_equal(
	    cluster_slot(TEXT("foo{}{bar}")), cluster_slot(TEXT("bar")));
	assert_int_equal(
	    cluster_slot(TEXT("foo{{bar}}zap")), cluster_slot(TEXT("{bar")));
	assert_int_equal(
	    cluster_slot(TEXT("foo{bar}{zap}")), cluster_slot(TEXT("bar")));
	assert_int_equal(
	    cluster_slot(TEXT("{bar")), cluster_slot(TEXT("{bar")));
}

static void
check_target(const char *error, enum redirect_kind kind, unsigned slot,
    const char *host, int port)
{
	struct redirect redirect = cluster_read_redirect(text_of(error));

	assert_int_equal(redirect.kind, kind);
	assert_int_equal(redirect.slot, slot);
	assert_text(redirect.to.host, host);
	assert_int_equal(redirect.to.port, port);
	assert_int_equal(redirect.map_changed, kind == REDIRECT_MOVED);
}

static void
redirects_name_a_slot_and_a_node(void **state)
{
	(void)state;
	check_target("MOVED 3999 127.0.0.1:6381", REDIRECT_MOVED, 3999,
	    "127.0.0.1", 6381);
	check_target(
	    "ASK 16383 a.example:1", REDIRECT_ASK, 16383, "a.example", 1);
	check_target("MOVED 0 ::1:7000", REDIRECT_MOVED, 0, "::1", 7000);
	/* The node that was asked does not know its own address. */
	check_target("MOVED 5 :7000", REDIRECT_MOVED, 5, "", 7000);
}

static void
redirects_to_nowhere_are_errors_like_any_other(void **state)
{
	static const char *const errors[] = { "", "MOVED", "MOVED ", "ASK 1",
		"MOVED 16384 a:1", "MOVED -1 a:1", "MOVED x a:1", "MOVED 1 a",
		"MOVED 1 a:", "MOVED 1 a:0", "MOVED 1 a:65536", "MOVED 1 a:x",
		"moved 1 a:1", "ERR MOVED 1 a:1", "WRONGTYPE Operation" };

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (cluster_read_redirect(text_of(errors[i])).kind !=
		    REDIRECT_NONE)
			fail_msg("\"%s\" leads somewhere", errors[i]);
}

static void
temporary_errors_are_retried(void **state)
{
	static const struct {
		const char *error;
		bool map_changed;
	} laters[] = {
		{ "TRYAGAIN Multiple keys request during rehashing of slot",
		    false },
		{ "CLUSTERDOWN Hash slot not served", true },
		{ "LOADING Redis is loading the dataset in memory", true },
		{ "READONLY You can't write against a read only replica.",
		    true },
		{ "MASTERDOWN Link with MASTER is down", true },
		{ "NOREPLICAS Not enough good replicas to write.", false },
		{ "ERR Script attempted to access a non local key in a cluster "
		  "node script: vote_2, on @user_function:32.",
		    false },
		{ "ERR Function not found", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(laters) / sizeof(laters[0]); i++) {
		struct redirect redirect =
		    cluster_read_redirect(text_of(laters[i].error));

		assert_int_equal(redirect.kind, REDIRECT_RETRY);
		assert_int_equal(redirect.map_changed, laters[i].map_changed);
	}
}

static void
maps_have_ranges_of_slots_and_masters(void **state)
{
	struct arena *arena = *state;
	struct address asked = { .host = TEXT("10.0.0.9"), .port = 7000 };
	struct reply one[] = { STRING("10.0.0.1"), NUMBER(7001), STRING("id") };
	struct reply unknown[] = { STRING(""), NUMBER(7002) };
	struct reply replica[] = { STRING("10.0.0.3"), NUMBER(7003) };
	struct reply first[] = { NUMBER(0), NUMBER(99), LIST(one),
		LIST(replica) };
	struct reply second[] = { NUMBER(100), NUMBER(16383), LIST(unknown) };
	struct reply all[] = { LIST(first), LIST(second) };
	struct reply reply = LIST(all);
	struct cluster_range *ranges;

	assert_int_equal(cluster_read_slots(arena, &reply, &asked, &ranges), 2);
	assert_int_equal(ranges[0].first, 0);
	assert_int_equal(ranges[0].last, 99);
	assert_text(ranges[0].master.host, "10.0.0.1");
	assert_int_equal(ranges[0].master.port, 7001);
	assert_int_equal(ranges[1].first, 100);
	assert_int_equal(ranges[1].last, 16383);
	assert_text(ranges[1].master.host, "10.0.0.9");
	assert_int_equal(ranges[1].master.port, 7002);
}

static void
malformed_ranges_are_skipped(void **state)
{
	struct arena *arena = *state;
	struct address asked = { .host = TEXT("a"), .port = 1 };
	struct reply node[] = { STRING("b"), NUMBER(2) };
	struct reply no_port[] = { STRING("b"), NUMBER(0) };
	struct reply beyond[] = { NUMBER(0), NUMBER(16384), LIST(node) };
	struct reply backwards[] = { NUMBER(9), NUMBER(8), LIST(node) };
	struct reply negative[] = { NUMBER(-1), NUMBER(8), LIST(node) };
	struct reply nowhere[] = { NUMBER(0), NUMBER(8), LIST(no_port) };
	struct reply alone[] = { NUMBER(0), NUMBER(8) };
	struct reply all[] = { LIST(beyond), LIST(backwards), LIST(negative),
		LIST(nowhere), LIST(alone), STRING("x") };
	struct reply reply = LIST(all), text = STRING("x");
	struct cluster_range *ranges;

	assert_int_equal(cluster_read_slots(arena, &reply, &asked, &ranges), 0);
	assert_int_equal(cluster_read_slots(arena, &text, &asked, &ranges), 0);
}

static void
sentinels_name_the_master(void **state)
{
	struct reply words[] = { STRING("name"), STRING("tally"), STRING("ip"),
		STRING("10.0.0.1"), STRING("port"), STRING("7000"),
		STRING("config-epoch"), STRING("12"), STRING("flags"),
		STRING("master,failover_in_progress"),
		STRING("num-other-sentinels"), STRING("2") };
	struct reply reply = LIST(words), text = STRING("x");
	struct cluster_sentinel sentinel;

	(void)state;
	assert_true(cluster_read_sentinel(&reply, &text, &sentinel));
	assert_text(sentinel.master.host, "10.0.0.1");
	assert_int_equal(sentinel.master.port, 7000);
	assert_int_equal(sentinel.elections, 12);
	assert_int_equal(sentinel.sentinels, 3);
	assert_true(sentinel.is_electing);
	assert_int_equal(sentinel.replicas, 0);
	words[5].text = TEXT("70000");
	words[9].text = TEXT("master");
	assert_false(cluster_read_sentinel(&reply, &text, &sentinel));
	assert_false(sentinel.is_electing);
	assert_false(cluster_read_sentinel(&text, &text, &sentinel));
}

/* A replica as a sentinel shows it, with the milliseconds since it lost its master. */
static struct cluster_sentinel
read_replica(
    const char *flags, const char *link, const char *lost_ms, const char *role)
{
	struct reply words[] = { STRING("ip"), STRING("10.0.0.1"),
		STRING("port"), STRING("7000"),
		STRING("down-after-milliseconds"), STRING("1000") };
	struct reply replica[] = { STRING("flags"), STRING(""),
		STRING("master-link-down-time"), STRING(""),
		STRING("master-link-status"), STRING(""),
		STRING("role-reported"), STRING("") };
	struct reply list[] = { LIST(replica) };
	struct reply master = LIST(words), replicas = LIST(list);
	struct cluster_sentinel sentinel;

	replica[1].text = text_of(flags);
	replica[3].text = text_of(lost_ms);
	replica[5].text = text_of(link);
	replica[7].text = text_of(role);
	assert_true(cluster_read_sentinel(&master, &replicas, &sentinel));
	return sentinel;
}

static void
replicas_that_may_take_over_are_counted(void **state)
{
	static const struct {
		const char *flags, *link, *lost_ms;
		int64_t count;
	} replicas[] = {
		{ "slave", "ok", "0", 1 },
		{ "slave,promoted", "ok", "0", 1 },
		{ "slave", "err", "10000", 1 },
		{ "slave", "err", "10001", 0 },
		{ "s_down,slave", "ok", "0", 0 },
		{ "slave,disconnected", "ok", "0", 0 },
		{ "master", "ok", "0", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(replicas) / sizeof(replicas[0]); i++) {
		struct cluster_sentinel follower =
		    read_replica(replicas[i].flags, replicas[i].link,
			replicas[i].lost_ms, "slave");
		struct cluster_sentinel other = read_replica(replicas[i].flags,
		    replicas[i].link, replicas[i].lost_ms, "master");

		assert_int_equal(follower.replicas, replicas[i].count);
		assert_int_equal(follower.followers, replicas[i].count);
		assert_int_equal(other.replicas, replicas[i].count);
		assert_int_equal(other.followers, 0);
	}
}

static void
check_endpoint(struct arena *arena, const char *text, enum endpoint_kind kind,
    bool tls, size_t count, const char *host, int port)
{
	struct endpoint endpoint;

	assert_true(endpoint_parse(arena, text_of(text), &endpoint));
	assert_int_equal(endpoint.kind, kind);
	assert_int_equal(endpoint.tls, tls);
	assert_int_equal(endpoint.count, count);
	assert_text(endpoint.addresses[count - 1].host, host);
	assert_int_equal(endpoint.addresses[count - 1].port, port);
}

static void
addresses_have_four_forms(void **state)
{
	struct arena *arena = *state;
	struct endpoint endpoint;

	assert_true(endpoint_parse(arena, TEXT("unix:/a/b"), &endpoint));
	assert_text(endpoint.addresses[0].path, "/a/b");
	check_endpoint(arena, "a:1", ENDPOINT_STANDALONE, false, 1, "a", 1);
	check_endpoint(
	    arena, "tls:[::1]:1", ENDPOINT_STANDALONE, true, 1, "::1", 1);
	check_endpoint(
	    arena, "cluster:a:1,b:2", ENDPOINT_CLUSTER, false, 2, "b", 2);
	check_endpoint(arena, "tls:sentinel:main@a:1,b:2,c:3",
	    ENDPOINT_SENTINELS, true, 3, "c", 3);
	assert_true(
	    endpoint_parse(arena, TEXT("sentinel:main@a:1"), &endpoint));
	assert_text(endpoint.master, "main");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(slot_follows_from_the_tag),
		fixture_arena_test(redirects_name_a_slot_and_a_node),
		fixture_arena_test(
		    redirects_to_nowhere_are_errors_like_any_other),
		fixture_arena_test(temporary_errors_are_retried),
		fixture_arena_test(maps_have_ranges_of_slots_and_masters),
		fixture_arena_test(malformed_ranges_are_skipped),
		fixture_arena_test(sentinels_name_the_master),
		fixture_arena_test(replicas_that_may_take_over_are_counted),
		fixture_arena_test(addresses_have_four_forms),
	};

	return cmocka_run_group_tests_name("cluster", tests, NULL, NULL);
}
