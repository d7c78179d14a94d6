/*
 * The relay: each member that an outbox names is notified once, whichever process dies
 * at any time.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../support/world.h"
#include "base/clock.h"
#include "redis/reply.h"
#include "store/comment.h"
#include "store/hidden.h"
#include "store/inbox.h"
#include "store/relay.h"
#include "store/user.h"

enum { TAKEOVER = 5 /* seconds, as in relay.c */ };

/* An article by ann in every bucket, and bob and eve. */
struct scene {
	struct world *world;
	uint64_t ann, bob, eve;
	uint64_t articles[4];
	size_t article_count;
	struct relay *relay;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world,
		.article_count = world->store.buckets.count };

	scene.ann = world_member(world, "ann");
	scene.bob = world_member(world, "bob");
	scene.eve = world_member(world, "eve");
	for (size_t i = 0; i < scene.article_count; i++)
		scene.articles[i] = world_post(world, scene.ann, "A title",
		    fixture_string(&world->arena, "http://a.example/%zu", i),
		    "");
	scene.relay = relay_new(&world->store, TEXT("here"));
	return scene;
}

static void
end(struct scene *scene)
{
	relay_free(scene->relay);
}

/* Posts a comment that mentions eve; returns its number. */
static uint64_t
say(const struct scene *scene, uint64_t article, int64_t parent)
{
	static unsigned said;
	struct world *world = scene->world;
	struct comment_posting posting = { .named = &scene->eve,
		.named_count = 1 };
	struct comment comment = { .post.id = { .article = article },
		.post.author = { scene->bob, TEXT("bob") },
		.parent = parent,
		.text = text_format(&world->arena, "@eve %u", said++) };

	assert_int_equal(
	    comment_post(&world->store, &world->arena, &comment, &posting),
	    STORE_OK);
	return comment.post.id.comment;
}

static struct text
outbox_of(const struct scene *scene, uint64_t article)
{
	const struct buckets *buckets = &scene->world->store.buckets;

	return key_outbox(
	    &scene->world->arena, buckets, key_bucket_of(buckets, article));
}

/* Runs steps until there is nothing left to do; returns their number. */
static int
run(struct relay *relay)
{
	int steps = 1;

	while (relay_step(relay) == 0)
		steps++;
	return steps;
}

static int64_t
left_in(const struct scene *scene, uint64_t article)
{
	return world_command(
	    scene->world, TEXT("XLEN"), outbox_of(scene, article))
	    .number;
}

/* Claimed, and not acknowledged. */
static int64_t
pending_in(const struct scene *scene, uint64_t article)
{
	struct text outbox = outbox_of(scene, article);
	struct reply reply =
	    world_command(scene->world, TEXT("EXISTS"), outbox);

	if (reply.number == 1)
		reply = world_command(
		    scene->world, TEXT("XPENDING"), outbox, TEXT("relay"));
	return reply_number(reply_item(&reply, 0));
}

static void
assert_settled(const struct scene *scene)
{
	for (size_t i = 0; i < scene->article_count; i++) {
		assert_int_equal(left_in(scene, scene->articles[i]), 0);
		assert_int_equal(pending_in(scene, scene->articles[i]), 0);
	}
}

/* The number of a member's notices, after checking that the inbox has the newest of
 * them, each comment once. */
static int64_t
notifications_of(const struct scene *scene, uint64_t member)
{
	int64_t notified = world_user(scene->world, member).notified;
	struct world_inbox inbox =
	    world_inbox(scene->world, member, 0, INBOX_MAX);
	const struct notice *notices = inbox.notices;

	assert_int_equal(
	    inbox.count, notified < INBOX_MAX ? notified : INBOX_MAX);
	for (size_t i = 0; i < inbox.count; i++) {
		assert_int_equal(notices[i].number, notified - (int64_t)i);
		for (size_t j = 0; j < i && inbox.count < 100; j++)
			assert_int_not_equal(
			    post_id_to_number(notices[i].comment),
			    post_id_to_number(notices[j].comment));
	}
	return notified;
}

static struct notice
last_notice(const struct scene *scene, uint64_t member)
{
	struct world_inbox inbox = world_inbox(scene->world, member, 0, 1);

	assert_int_equal(inbox.count, 1);
	return inbox.notices[0];
}

static void
comment_notifies_author_and_mentioned_members(void **state)
{
	struct scene scene = begin(*state);
	struct notice notice;

	run(scene.relay);
	assert_text(world_keys(scene.world, "*outbox"), "");
	for (size_t i = 0; i < scene.article_count; i++) {
		assert_int_equal(say(&scene, scene.articles[i], 0), 1);
		assert_int_equal(say(&scene, scene.articles[i], 1), 2);
	}
	run(scene.relay);
	assert_settled(&scene);
	assert_int_equal(
	    notifications_of(&scene, scene.ann), scene.article_count);
	assert_int_equal(notifications_of(&scene, scene.bob), 0);
	assert_int_equal(
	    notifications_of(&scene, scene.eve), 2 * scene.article_count);
	notice = last_notice(&scene, scene.ann);
	assert_int_equal(notice.reason, NOTICE_ARTICLE);
	assert_int_equal(notice.comment.comment, 1);
	assert_int_equal(last_notice(&scene, scene.eve).reason, NOTICE_MENTION);
	end(&scene);
}

static void
later_comments_are_delivered_by_later_steps(void **state)
{
	struct scene scene = begin(*state);

	for (int i = 1; i <= 3; i++) {
		say(&scene, scene.articles[0], 0);
		run(scene.relay);
		assert_int_equal(notifications_of(&scene, scene.ann), i);
	}
	assert_settled(&scene);
	assert_true(relay_step(scene.relay) > 0);
	assert_true(relay_step(scene.relay) <= 250);
	end(&scene);
}

/* The last command of a relay that dies, with the arguments of XREADGROUP. */
static struct reply
take_as(const struct scene *scene, const char *name, uint64_t article)
{
	struct reply taken = world_command(scene->world, TEXT("XREADGROUP"),
	    TEXT("GROUP"), TEXT("relay"), text_of(name), TEXT("COUNT"),
	    TEXT("1"), TEXT("STREAMS"), outbox_of(scene, article), TEXT(">"));

	assert_int_equal(taken.count, 1);
	return taken;
}

static void
restarted_relay_delivers_its_claimed_entries(void **state)
{
	struct scene scene = begin(*state);
	struct relay *next;

	say(&scene, scene.articles[0], 0);
	run(scene.relay);
	say(&scene, scene.articles[0], 0);
	say(&scene, scene.articles[0], 0);
	take_as(&scene, "here", scene.articles[0]);
	next = relay_new(&scene.world->store, TEXT("here"));
	run(next);
	assert_int_equal(notifications_of(&scene, scene.ann), 3);
	assert_settled(&scene);
	relay_free(next);
	end(&scene);
}

static void
members_are_not_notified_again_after_a_relay_dies(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct notice notice = { .comment = { scene.articles[0], 2 },
		.reason = NOTICE_ARTICLE };
	struct pipeline pipeline;
	struct relay *next;

	say(&scene, scene.articles[0], 0);
	run(scene.relay);
	say(&scene, scene.articles[0], 0);
	take_as(&scene, "here", scene.articles[0]);
	/* ann was notified, eve was not. */
	pipeline = pipeline_begin(world->store.redis, &world->arena);
	inbox_notify(&pipeline, scene.ann, &notice, scene.bob);
	assert_true(redis_run(&pipeline));
	next = relay_new(&world->store, TEXT("here"));
	run(next);
	assert_int_equal(notifications_of(&scene, scene.ann), 2);
	assert_int_equal(notifications_of(&scene, scene.eve), 2);
	assert_settled(&scene);
	relay_free(next);
	end(&scene);
}

static void
entries_of_a_silent_relay_are_taken_over(void **state)
{
	struct scene scene = begin(*state);

	world_stop_clock(scene.world, 1700000000);
	say(&scene, scene.articles[0], 0);
	run(scene.relay);
	say(&scene, scene.articles[0], 0);
	say(&scene, scene.articles[0], 0);
	take_as(&scene, "elsewhere", scene.articles[0]);
	world_move_clock(scene.world, TAKEOVER - 1);
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 2);
	assert_int_equal(left_in(&scene, scene.articles[0]), 1);
	world_move_clock(scene.world, 1);
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 3);
	assert_settled(&scene);
	end(&scene);
}

/* The reply with its claimed entries may have been lost. */
static void
claimed_entries_are_delivered_after_a_lost_connection(void **state)
{
	struct scene scene = begin(*state);
	struct store store = world_connect(scene.world);
	struct relay *relay = relay_new(&store, TEXT("elsewhere"));

	redis_be_quiet(store.redis);
	say(&scene, scene.articles[0], 0);
	run(relay);
	say(&scene, scene.articles[0], 0);
	take_as(&scene, "elsewhere", scene.articles[0]);
	run(relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 1);
	world_command(scene.world, TEXT("CLIENT"), TEXT("KILL"), TEXT("TYPE"),
	    TEXT("normal"));
	run(relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 2);
	assert_settled(&scene);
	relay_free(relay);
	redis_close(store.redis);
	end(&scene);
}

static void
several_relays_share_the_entries(void **state)
{
	struct scene scene = begin(*state);
	struct store other_store = world_connect(scene.world);
	struct relay *other = relay_new(&other_store, TEXT("elsewhere"));

	for (int i = 0; i < 300; i++) {
		say(&scene, scene.articles[(size_t)i % scene.article_count], 0);
		relay_step(i % 2 == 0 ? other : scene.relay);
	}
	run(scene.relay);
	run(other);
	assert_int_equal(notifications_of(&scene, scene.ann), 300);
	assert_int_equal(notifications_of(&scene, scene.eve), 300);
	assert_settled(&scene);
	relay_free(other);
	redis_close(other_store.redis);
	end(&scene);
}

/* An outbox entry for ann; "" omits a field. */
static void
put(const struct scene *scene, const char *post, const char *by, const char *to)
{
	struct text words[9] = { TEXT("XADD"),
		outbox_of(scene, scene->articles[0]), TEXT("*") };
	const char *const fields[] = { "post", post, "by", by, "to", to };
	size_t count = 3;

	for (size_t i = 0; i < 6; i += 2)
		if (fields[i + 1][0] != '\0') {
			words[count++] = text_of(fields[i]);
			words[count++] = text_of(fields[i + 1]);
		}
	world_command_words(scene->world, words, count);
}

static void
malformed_entries_are_deleted(void **state)
{
	struct scene scene = begin(*state);
	const char *const broken[][3] = { { "", "9", "1=reply" },
		{ "7:3", "", "1=reply" }, { "7:3", "9", "" },
		{ "7:3", "9", " " }, { "7", "9", "1=reply" },
		{ "7:0", "9", "1=reply" }, { "0:3", "9", "1=reply" },
		{ "7:3:1", "9", "1=reply" }, { "7:x", "9", "1=reply" },
		{ "7:16777216", "9", "1=reply" },
		{ "1099511627776:1", "9", "1=reply" },
		{ "7:3", "x", "1=reply" }, { "7:3", "9", "1=rumour" },
		{ "7:3", "9", "0=reply" }, { "7:3", "9", "1" },
		{ "7:3", "9", "1=reply 2=" },
		{ "7:3", "9", "1=reply,2=reply" } };
	size_t count = sizeof(broken) / sizeof(broken[0]);

	for (size_t i = 0; i < count; i++)
		put(&scene, broken[i][0], broken[i][1], broken[i][2]);
	say(&scene, scene.articles[0], 0);
	assert_int_equal(left_in(&scene, scene.articles[0]), count + 1);
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 1);
	assert_int_equal(left_in(&scene, scene.articles[0]), 0);
	assert_int_equal(pending_in(&scene, scene.articles[0]), 0);
	end(&scene);
}

static void
largest_ids_are_delivered(void **state)
{
	struct scene scene = begin(*state);
	struct notice notice;

	assert_int_equal(scene.ann, 1);
	put(&scene, "1099511627775:16777215", "9", "1=reply");
	run(scene.relay);
	notice = last_notice(&scene, scene.ann);
	assert_int_equal(notice.comment.article, 1099511627775);
	assert_int_equal(notice.comment.comment, 16777215);
	end(&scene);
}

static void
members_who_cannot_be_notified_delay_nobody(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;

	assert_int_equal(hidden_add(&world->store, &world->arena, scene.ann,
			     &(struct hidden_rule){
				 .kind = HIDDEN_MEMBER, .id = scene.bob }),
	    STORE_OK);
	world_command(world, TEXT("HSET"), key_user(&world->arena, scene.eve),
	    TEXT("closed"), TEXT("1700000000"));
	say(&scene, scene.articles[0], 0);
	put(&scene, "7:3", "9", "1000=reply");
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 0);
	assert_int_equal(notifications_of(&scene, scene.eve), 0);
	assert_text(world_keys(world, "{u1000}*"), "");
	assert_int_equal(left_in(&scene, scene.articles[0]), 0);
	assert_int_equal(pending_in(&scene, scene.articles[0]), 0);
	end(&scene);
}

/* An inbox that cannot be written simulates a master that is down. */
static void
failed_notifications_are_retried_without_delaying_others(void **state)
{
	const struct timespec moment = { 0, 50000000 };
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct text inbox = key_inbox(&world->arena, scene.eve);
	int64_t deadline = clock_monotonic_ms() + 60000;

	redis_be_quiet(world->store.redis);
	world_command(world, TEXT("SET"), inbox, TEXT("damaged"));
	say(&scene, scene.articles[0], 0);
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 1);
	assert_int_equal(pending_in(&scene, scene.articles[0]), 1);
	put(&scene, "7:3", "9", "1=reply");
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 2);
	assert_int_equal(left_in(&scene, scene.articles[0]), 1);
	world_command(world, TEXT("DEL"), inbox);
	while (left_in(&scene, scene.articles[0]) > 0) {
		assert_true(clock_monotonic_ms() < deadline);
		run(scene.relay);
		nanosleep(&moment, NULL);
	}
	assert_int_equal(notifications_of(&scene, scene.ann), 2);
	assert_int_equal(notifications_of(&scene, scene.eve), 1);
	assert_int_equal(pending_in(&scene, scene.articles[0]), 0);
	end(&scene);
}

static void
deleted_consumer_group_is_created_again(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct text outbox = outbox_of(&scene, scene.articles[0]);

	say(&scene, scene.articles[0], 0);
	run(scene.relay);
	world_command(world, TEXT("DEL"), outbox);
	run(scene.relay);
	say(&scene, scene.articles[0], 0);
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 2);
	say(&scene, scene.articles[0], 0);
	world_command(
	    world, TEXT("XGROUP"), TEXT("DESTROY"), outbox, TEXT("relay"));
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), 3);
	assert_int_equal(left_in(&scene, scene.articles[0]), 0);
	world_command(world, TEXT("FLUSHALL"));
	assert_int_equal(world_member(world, "new"), 1);
	put(&scene, "7:3", "9", "1=reply");
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, 1), 1);
	end(&scene);
}

/* Its entry was deleted, and then the relay died. */
static void
deleted_entry_is_acknowledged(void **state)
{
	struct scene scene = begin(*state);
	struct reply taken;
	struct relay *next;
	struct text id;

	say(&scene, scene.articles[0], 0);
	run(scene.relay);
	say(&scene, scene.articles[0], 0);
	taken = take_as(&scene, "here", scene.articles[0]);
	id = reply_text(
	    reply_item(reply_item(reply_item(reply_item(&taken, 0), 1), 0), 0));
	world_command(scene.world, TEXT("XDEL"),
	    outbox_of(&scene, scene.articles[0]), id);
	say(&scene, scene.articles[0], 0);
	assert_int_equal(pending_in(&scene, scene.articles[0]), 1);
	next = relay_new(&scene.world->store, TEXT("here"));
	run(next);
	assert_int_equal(notifications_of(&scene, scene.ann), 2);
	assert_settled(&scene);
	relay_free(next);
	end(&scene);
}

static void
many_entries_are_delivered_in_batches(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	int steps;

	for (int i = 1; i <= 2000; i++)
		pipeline_add(&pipeline, TEXT("XADD"),
		    outbox_of(&scene,
			scene.articles[(size_t)i % scene.article_count]),
		    TEXT("*"), TEXT("post"),
		    text_format(&world->arena, "7:%d", i), TEXT("by"),
		    TEXT("9"), TEXT("to"), TEXT("1=reply 3=mention"));
	assert_true(redis_run(&pipeline));
	relay_step(scene.relay);
	relay_step(scene.relay);
	assert_in_range(notifications_of(&scene, scene.ann), 1, 300);
	steps = run(scene.relay);
	assert_in_range(steps, 7, 20);
	assert_int_equal(notifications_of(&scene, scene.ann), 2000);
	assert_int_equal(notifications_of(&scene, scene.eve), 2000);
	assert_settled(&scene);
	end(&scene);
}

/* A separate relay process with its own connection, until it is killed. */
static pid_t
start_process(struct world *world)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct store store = world_connect(world);
		struct relay *relay = relay_new(&store, TEXT("here"));

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			relay_step(relay);
	}
	return pid;
}

static void
relays_killed_at_any_time_notify_everyone_once(void **state)
{
	enum { KILLS = 100, EACH = 4 }; /* all fit into an inbox */
	struct scene scene = begin(*state);
	unsigned seed = 7;

	for (int i = 0; i < KILLS; i++) {
		struct timespec moment = { 0, rand_r(&seed) % 6000000 };
		pid_t pid = start_process(scene.world);

		for (int j = 0; j < EACH; j++)
			say(&scene,
			    scene.articles[(size_t)j % scene.article_count], 0);
		nanosleep(&moment, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	assert_in_range(notifications_of(&scene, scene.ann), 1, KILLS * EACH);
	run(scene.relay);
	assert_int_equal(notifications_of(&scene, scene.ann), KILLS * EACH);
	assert_int_equal(notifications_of(&scene, scene.eve), KILLS * EACH);
	assert_settled(&scene);
	end(&scene);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(comment_notifies_author_and_mentioned_members),
		world_test(later_comments_are_delivered_by_later_steps),
		world_test(restarted_relay_delivers_its_claimed_entries),
		world_test(members_are_not_notified_again_after_a_relay_dies),
		world_test(entries_of_a_silent_relay_are_taken_over),
		world_test(
		    claimed_entries_are_delivered_after_a_lost_connection),
		world_test(several_relays_share_the_entries),
		world_test(malformed_entries_are_deleted),
		world_test(largest_ids_are_delivered),
		world_test(members_who_cannot_be_notified_delay_nobody),
		world_test(
		    failed_notifications_are_retried_without_delaying_others),
		world_test(deleted_consumer_group_is_created_again),
		world_test(deleted_entry_is_acknowledged),
		world_test(many_entries_are_delivered_in_batches),
		world_test(relays_killed_at_any_time_notify_everyone_once),
	};

	return world_run("relay", tests);
}
