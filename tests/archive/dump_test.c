/*
 * Dumps: the same bytes after loading with any number of buckets, dumps of a running
 * site, and write errors.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../support/commands.h"
#include "../support/concurrent_writer.h"
#include "archive/dump.h"
#include "base/crypto.h"
#include "store/account_status.h"
#include "store/close_account.h"
#include "store/containment.h"
#include "store/group.h"
#include "store/group_admin.h"
#include "store/invite.h"
#include "store/keys.h"
#include "store/mod_decision.h"
#include "store/settings.h"
#include "store/user.h"
#include "store/vote_void.h"

enum { WEEK = 604800 };

static uint64_t
post(struct world *world, struct article article)
{
	world_choose_bucket(world, &article);
	assert_int_equal(
	    article_post(&world->store, &world->arena, &article), STORE_OK);
	return article.post.id.article;
}

/* By ann, who is notified. */
static void
create_invited(struct world *world)
{
	struct user bob = { .name = TEXT("bob"),
		.invited_by = TEXT("ann"),
		.role = ROLE_OWNER };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &bob), STORE_OK);
	assert_int_equal(
	    invite_note(&world->store, &world->arena, 1, bob.name), STORE_OK);
}

static void
create_members(struct world *world)
{
	struct user eve = { .name = TEXT("Eve"),
		.password_hash =
		    crypto_password_hash(&world->arena, TEXT("secret123")),
		.role = ROLE_MODERATOR,
		.created = 1600000000 };
	struct user again = { .name = TEXT("ANN") };

	world_member(world, "ann");
	/* This one uses up an id. */
	assert_int_equal(
	    user_create(&world->store, &world->arena, &again), STORE_TAKEN);
	assert_int_equal(
	    user_create(&world->store, &world->arena, &eve), STORE_OK);
	create_invited(world);
}

static void
set_up_site(struct world *world)
{
	struct settings settings = settings_default();

	settings.name = TEXT("By\"ways\"");
	settings.about = TEXT("One.\n\nTwo.");
	settings.slogan = TEXT("By hand");
	settings.rules = TEXT("# Be kind\n\n\"Always\"");
	settings.foot_links =
	    TEXT("A b https://a.example/\nC http://c.example/");
	settings.announcement = TEXT("**Soon**");
	settings.announced = TEXT("1600000000");
	settings.registration = TEXT(RULE_REGISTRATION_INVITE);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	assert_int_equal(image_set(&world->store, &world->arena, IMAGE_ICON,
			     fixture_read_file(
				 &world->arena, "static/apple-touch-icon.png")),
	    STORE_OK);
}

static void
create_groups(struct world *world)
{
	struct group group = { .name = TEXT("redis"),
		.title = TEXT("R\xc3\xa9"
			      "dis & <co>"),
		.by = { 1, TEXT("ann") } };

	assert_int_equal(
	    group_create(&world->store, &world->arena, &group), STORE_OK);
	world_group(world, "a-nobodys");
}

/* Without any vote, but with a record of voters: authors used to be able to cancel
 * their own. */
static void
load_without_votes(struct world *world)
{
	struct text line = text_format(&world->arena,
	    "{\"kind\":\"article\",\"id\":7,\"title\":\"Cold\",\"url\":null,"
	    "\"text\":\"T\",\"author\":\"ann\",\"posted\":%lld,"
	    "\"groups\":[],\"up\":0,\"down\":0,\"interesting\":null,"
	    "\"removed\":null,\"voters\":{\"up\":[],\"down\":[]}}\n",
	    (long long)world_now(world));

	assert_int_equal(commands_load(world, line, LOAD_STOP).status, 0);
}

/* All kinds of data. Members are 1 ann, 3 Eve, 4 bob. */
static void
fill(struct world *world)
{
	uint64_t closed, open, removed, interesting;

	set_up_site(world);
	create_members(world);
	assert_int_equal(user_dismiss_announcement(
			     &world->store, &world->arena, 1, 1600000000),
	    STORE_OK);
	create_groups(world);
	closed = world_post(world, 1, "Old", "http://old.example/", "redis");
	world_vote(world, closed, 4, VOTE_UP);
	world_vote(world, closed, 3, VOTE_DOWN);
	world_move_clock(world, WEEK + 1);

	open = world_post(world, 4, "\xe6\x97\xa5\xe6\x9c\xac &amp; \"x\" \\",
	    "https://example.org/?a=1&b=%20", "redis a-nobodys");
	world_vote(world, open, 1, VOTE_DOWN);
	world_vote(world, open, 3, VOTE_UP);
	world_command(world, TEXT("INCR"), TEXT("articles"));
	removed = post(world,
	    (struct article){ .title = TEXT("Gone"),
		.text = TEXT("two\nlines\n\n\tand a tab"),
		.post.author = { 3, TEXT("Eve") },
		.groups = TEXT("a-nobodys") });
	world_vote(world, removed, 4, VOTE_DOWN);
	world_remove(world, removed);
	world->store.rules.interesting = 2;
	interesting = world_post(world, 3, "Hot", "http://hot.example/", "");
	world_vote(world, interesting, 1, VOTE_UP);
	world_vote(world, interesting, 1, VOTE_NONE);
	load_without_votes(world);
}

static void
dump_load_dump_gives_the_same_bytes(void **state)
{
	struct world *world = *state;
	struct outcome outcome;
	uint64_t buckets = world->store.buckets.count;

	fill(world);
	commands_assert_whole(world);
	outcome = commands_dump(world);
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
	assert_same(
	    commands_dump_again(world, world_now(world), outcome.out, buckets),
	    outcome.out);
}

static void
dump_moves_to_other_buckets_and_back(void **state)
{
	struct world *world = *state;
	uint64_t buckets = world->store.buckets.count;
	struct text dump, moved;

	fill(world);
	dump = commands_dump(world).out;
	moved = commands_dump_again(world, world_now(world), dump, 5 - buckets);
	assert_same(moved, dump);
	assert_same(
	    commands_dump_again(world, world_now(world), moved, buckets), dump);
}

/* A member who closes the account, with an article and a removed one. */
static void
leave(struct world *world)
{
	uint64_t id = world_member(world, "zoe");
	struct article article = { .title = TEXT("Bye"),
		.text = TEXT("Bye."),
		.is_reviewed = true,
		.post.author = { id, TEXT("zoe") } };
	struct user zoe;

	post(world, article);
	world_remove(
	    world, world_post(world, id, "Gone", "http://gone.example/", ""));
	assert_int_equal(
	    user_get(&world->store, &world->arena, id, &zoe), STORE_OK);
	assert_int_equal(
	    close_account(&world->store, &world->arena, &zoe,
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
}

static void
flag(struct world *world, uint64_t article, uint64_t user, enum flag wanted)
{
	assert_int_equal(flag_set(&world->store, &world->arena,
			     article_id(article), user, wanted),
	    STORE_OK);
}

/* Removes an article as a part of a decision. */
static bool
remove_with_others(struct store *store, struct arena *arena, uint64_t id,
    const struct member *author, struct mod_decision *decision)
{
	struct mod_action part = { .what = decision->entry.what,
		.by = decision->entry.by,
		.article = id,
		.member = *author };

	return mod_decision_add(store, arena, decision, &part) == STORE_OK &&
	    post_remove(store, arena, article_id(id), &part) == STORE_OK &&
	    mod_decision_count(store, arena, decision, &part) == STORE_OK;
}

/* Eve removes two articles of dan's at once, and then everything else of his. */
static void
decide_and_contain(struct world *world, const struct member *eve)
{
	struct member dan = { world_member(world, "dan"), TEXT("dan") };
	struct mod_decision decision = {
		.entry = { .what = mod_action_words[MOD_REMOVED], .by = *eve }
	};
	struct containment containment = { .member = dan,
		.suspends = 1,
		.removes = CONTAINMENT_FOREVER,
		.votes = CONTAINMENT_VOID };
	const char *urls[] = { "http://d.example/1", "http://d.example/2" };

	world_vote(world, 2, dan.id, VOTE_UP);
	world_post(world, dan.id, "D", "http://d.example/", "");
	for (size_t i = 0; i < 2; i++)
		assert_true(remove_with_others(&world->store, &world->arena,
		    world_post(world, dan.id, "D", urls[i], ""), &dan,
		    &decision));
	assert_int_equal(
	    containment_start(&world->store, &world->arena, &containment,
		(struct mod_action){
		    .by = *eve, .what = mod_action_words[MOD_CONTAINED] }),
	    STORE_OK);
	world_contain(world);
}

/* For the data of fill: members are 1 ann, 3 Eve, 4 bob, and article 2 is by bob. */
static void
moderate(struct world *world)
{
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	struct mod_action act = { .by = { 3, TEXT("Eve") },
		.reason = TEXT("Why") };
	const struct mod_action host = { .what =
					     mod_action_words[MOD_HOST_BLOCKED],
		.by = { 3, TEXT("Eve") },
		.subject = TEXT("spam.example") };
	const struct mod_action dismissal = {
		.what = mod_action_words[MOD_DISMISSED], .article = 2
	};
	const struct member eve = { 3, TEXT("Eve") };
	struct user bob;

	assert_int_equal(user_find(store, arena, TEXT("bob"), &bob), STORE_OK);
	world_group(world, "brief");
	world_group(world, "late");
	world_remove(world,
	    world_post(world, 1, "A", "http://a.example/", "brief redis"));
	assert_int_equal(
	    group_delete(store, arena, TEXT("brief"), act), STORE_OK);
	assert_int_equal(
	    group_rename(store, arena, TEXT("redis"), TEXT("valkey"), act),
	    STORE_OK);
	assert_int_equal(
	    group_merge(store, arena, TEXT("late"), TEXT("valkey"), act),
	    STORE_OK);
	assert_int_equal(
	    group_close(store, arena, TEXT("a-nobodys"), act), STORE_OK);
	assert_int_equal(
	    settings_set_host(store, arena, host.subject, HOST_BLOCKED, &host),
	    STORE_OK);
	flag(world, 2, 1, FLAG_SPAM);
	flag(world, 2, 3, FLAG_UNKIND);
	assert_int_equal(
	    flag_dismiss(store, arena, article_id(2), &dismissal), STORE_OK);
	flag(world, 2, 3, FLAG_NONE);
	flag(world, 4, 4, FLAG_BROKEN);
	assert_int_equal(
	    vote_void_one(store, arena, article_id(2), &eve, VOIDING_VOID, act),
	    STORE_OK);
	assert_int_equal(
	    vote_void_one(store, arena, article_id(2),
		&(struct member){ 1, TEXT("ann") }, VOIDING_VOID, act),
	    STORE_OK);
	assert_int_equal(
	    account_suspend(store, arena, &bob, 4000000000, act), STORE_OK);
	decide_and_contain(world, &eve);
	leave(world);
}

/* All actions of moderators and closed accounts, loaded with another number of buckets
 * and back. */
static void
actions_of_moderators_are_dumped(void **state)
{
	struct world *world = *state;
	uint64_t buckets = world->store.buckets.count;
	struct outcome outcome;
	struct text moved;

	fill(world);
	moderate(world);
	commands_assert_whole(world);
	outcome = commands_dump(world);
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
	moved = commands_dump_again(
	    world, world_now(world), outcome.out, 5 - buckets);
	assert_same(moved, outcome.out);
	assert_same(
	    commands_dump_again(world, world_now(world), moved, buckets),
	    outcome.out);
	assert_has(outcome.out, "\"hosts\":[\"spam.example\"]");
	/* The decision with its parts, and what the act on dan has changed. */
	assert_has(outcome.out, "\"articles\":2}");
	assert_has(outcome.out, "\"decision\":");
	assert_has(outcome.out, "\"voided_up\":[\"Eve\",\"dan\"]");
	assert_has(outcome.out, "\"articles\":1,\"votes\":1");
	assert_has(outcome.out, "\"into\":\"valkey\"");
	assert_has(outcome.out, "\"name\":\"late\"");
	assert_has(outcome.out, "\"voided_down\":[\"ann\"]");
	assert_has(
	    outcome.out, "\"suspended\":4000000000,\"suspension\":\"Why\"");
	assert_has(outcome.out, "\"reason\":\"none\"");
	assert_has(outcome.out, "{\"kind\":\"user\",\"name\":\"closed-");
	assert_int_equal(text_find(outcome.out, 0, TEXT("\"zoe\"")), SIZE_MAX);
	assert_int_equal(text_find(outcome.out, 0, TEXT("brief\"]")), SIZE_MAX);
}

/* The dump loads, and the check finds no break in it. */
static void
assert_loads(struct text dump)
{
	struct world other;
	struct outcome outcome;

	world_open(&other, 2);
	outcome = commands_load(&other, dump, LOAD_STOP);
	assert_has(outcome.errors, "; refused 0 lines\n");
	assert_int_equal(outcome.status, 0);
	commands_assert_whole(&other);
	world_close(&other);
}

/*
 * An account that is being closed together with its name, at any stage: posts, actions and
 * groups get the new name before the member, and for a moment the former name is unused.
 */
static void
account_that_is_being_closed_is_dumped(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	const struct text renamed = TEXT("4 closed-4");
	struct mod_action act = { .what = mod_action_words[MOD_VOUCHED],
		.by = { 4, TEXT("closed-4") },
		.member = { 4, TEXT("closed-4") } };
	struct outcome outcome;
	uint64_t removed;

	fill(world);
	removed = world_post(world, 1, "Off", "http://off.example/", "");
	world_remove(world, removed);
	world_group(world, "bobs");
	assert_int_equal(mod_action_note(&world->store, arena, &act), STORE_OK);
	world_command(world, TEXT("SET"), TEXT("name:closed-4"), TEXT("4"));
	world_command(world, TEXT("HSET"),
	    key_post(arena, buckets, article_id(2)), TEXT("author"), renamed);
	world_command(world, TEXT("HSET"),
	    key_post(arena, buckets, article_id(removed)), TEXT("removed_by"),
	    renamed);
	world_command(world, TEXT("HSET"), key_group(arena, TEXT("bobs")),
	    TEXT("by"), renamed);
	outcome = commands_dump(world);
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
	assert_has(outcome.out, "{\"kind\":\"user\",\"name\":\"bob\",");
	assert_loads(outcome.out);
	world_command(world, TEXT("DEL"), TEXT("name:bob"));
	outcome = commands_dump(world);
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
	assert_has(outcome.out, "{\"kind\":\"user\",\"name\":\"closed-4\",");
	assert_loads(outcome.out);
}

/* Registers, posts, votes, and closes the account with its name. */
static bool
come_and_go(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	struct text name = text_format(arena, "new%u-%u", number, *seed);
	struct user user = { .name = name };
	struct article article = { .title = name,
		.url = text_format(arena, "http://%u.b/%u", *seed, number),
		.post.author.name = name };

	if (user_create(store, arena, &user) != STORE_OK)
		return false;
	article.post.author.id = user.id;
	if (article_post(store, arena, &article) != STORE_OK)
		return false;
	if (world_cast(store, arena, article_id(1), user.id, VOTE_UP) !=
	    STORE_OK)
		return false;
	return close_account(store, arena, &user, CLOSE_ACCOUNT_ERASE_NAME) ==
	    STORE_OK;
}

static void
dumps_load_while_accounts_are_closed(void **state)
{
	struct world *world = *state;
	struct outcome outcomes[4];
	struct concurrent_writer writers[2];

	world_member(world, "ann");
	for (int i = 0; i < 400; i++)
		world_post(world, 1, "T",
		    fixture_string(&world->arena, "http://ann.b/%d", i), "");
	for (unsigned i = 0; i < 2; i++)
		writers[i] = concurrent_writer_start(world, come_and_go, i);
	for (int i = 0; i < 4; i++) {
		concurrent_writer_await(&writers[i % 2], 10);
		outcomes[i] = commands_dump(world);
	}
	for (int i = 0; i < 2; i++)
		concurrent_writer_kill(&writers[i]);
	for (int i = 0; i < 4; i++) {
		assert_text(outcomes[i].errors, "");
		assert_int_equal(outcomes[i].status, 0);
		assert_loads(outcomes[i].out);
	}
}

/* Refused hosts on a site without other settings. */
static void
refused_hosts_are_dumped_without_other_settings(void **state)
{
	struct world *world = *state;
	const struct mod_action act = { .what =
					    mod_action_words[MOD_HOST_BLOCKED],
		.subject = TEXT("spam.example") };
	struct outcome outcome;

	assert_int_equal(settings_set_host(&world->store, &world->arena,
			     act.subject, HOST_BLOCKED, &act),
	    STORE_OK);
	outcome = commands_dump(world);
	assert_has(outcome.out, "\"hosts\":[\"spam.example\"]");
	assert_same(
	    commands_dump_again(world, world_now(world), outcome.out, 2),
	    outcome.out);
}

static void
lines_have_their_members_in_order(void **state)
{
	struct world *world = *state;
	struct text dump, old, gone;

	world_stop_clock(world, 1700000000);
	fill(world);
	dump = commands_dump(world).out;
	assert_true(text_starts(dump,
	    TEXT("{\"kind\":\"site\",\"name\":\"By\\\"ways\\\"\","
		 "\"tagline\":\"Articles that members post and vote on.\","
		 "\"slogan\":\"By hand\",\"about\":\"One.\\n\\nTwo.\","
		 "\"rules\":\"# Be kind\\n\\n\\\"Always\\\"\","
		 "\"foot_links\":\"A b https://a.example/\\n"
		 "C http://c.example/\",\"announcement\":\"**Soon**\","
		 "\"announced\":\"1600000000\",\"registration\":\"invite\","
		 "\"group_creation\":\"members\",\"voting\":\"at-once\","
		 "\"log_names\":\"named\"}\n"
		 "{\"kind\":\"image\",\"name\":\"icon\",\"png\":\"iVBORw0K")));
	assert_has(dump,
	    "\"}\n"
	    "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1700000000,"
	    "\"role\":\"member\",\"password\":\"\","
	    "\"invited\":[\"bob\"],\"dismissed\":1600000000}\n"
	    "{\"kind\":\"user\",\"name\":\"Eve\",\"created\":1600000000,"
	    "\"role\":\"moderator\",\"password\":\"$argon2id$");
	old = world_article(world, 1, 0).url;
	gone = world_article(world, 3, 0).text;
	gone = text_slice(gone, strlen("two\nlines\n\n\tand a tab"), gone.size);
	assert_has(dump,
	    fixture_string(&world->arena,
		"{\"kind\":\"group\",\"name\":\"a-nobodys\","
		"\"title\":\"a-nobodys\",\"created\":1700000000}\n"
		"{\"kind\":\"group\",\"name\":\"redis\","
		"\"title\":\"R\xc3\xa9"
		"dis & <co>\",\"by\":\"ann\","
		"\"created\":1700000000}\n"
		"{\"kind\":\"article\",\"id\":1,\"title\":\"Old\","
		"\"url\":\"%.*s\",\"text\":null,\"author\":\"ann\","
		"\"posted\":1700000000,\"closes\":1700604800,"
		"\"groups\":[\"redis\"],\"up\":2,\"down\":1,\"interesting\":null,"
		"\"removed\":null}\n"
		"{\"kind\":\"article\",\"id\":2,",
		TEXT_ARGS(old)));
	assert_has(dump,
	    fixture_string(&world->arena,
		"\"up\":2,\"down\":1,\"interesting\":null,\"removed\":null,"
		"\"voters\":{\"up\":[\"Eve\",\"bob\"],\"down\":[\"ann\"]}}\n"
		"{\"kind\":\"article\",\"id\":3,\"title\":\"Gone\",\"url\":null,"
		"\"text\":\"two\\nlines\\n\\n\\tand a tab%.*s\",\"author\":\"Eve\",",
		TEXT_ARGS(gone)));
	assert_has(dump,
	    "\"up\":0,\"down\":0,\"interesting\":null,\"removed\":null,"
	    "\"voters\":{\"up\":[],\"down\":[]}}\n");
}

static void
empty_site_dumps_nothing(void **state)
{
	struct outcome outcome = commands_dump(*state);

	assert_text(outcome.out, "");
	assert_int_equal(outcome.status, 0);
}

static void
vote_of_an_unknown_member_is_reported(void **state)
{
	struct world *world = *state;
	struct outcome outcome;
	struct text key;

	fill(world);
	key = key_voters(&world->arena, &world->store.buckets, article_id(2));
	world_command(world, TEXT("SADD"), key, TEXT("77"));
	outcome = commands_dump(world);
	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors,
	    "article 2 is left out: it names a member who does not exist");
	assert_has(outcome.out, "{\"kind\":\"article\",\"id\":4,");
}

/* Registers a member, who creates a group, posts, votes and changes groups. */
static bool
register_and_change(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	struct text name = text_format(arena, "new%u", number);
	struct user user = { .name = name };
	struct group group = { .name = name, .title = name, .by.name = name };
	struct article article = { .title = name,
		.url = text_format(arena, "http://a.b/%u", number),
		.post.author.name = name,
		.groups = name };
	uint64_t other = 1 + number * 7 % 100;
	enum vote wanted = number % 3 == 0 ? VOTE_DOWN : VOTE_UP;

	(void)seed;
	if (user_create(store, arena, &user) != STORE_OK)
		return false;
	group.by.id = article.post.author.id = user.id;
	return group_create(store, arena, &group) == STORE_OK &&
	    article_post(store, arena, &article) == STORE_OK &&
	    world_cast(store, arena, article_id(other), user.id, wanted) !=
	    STORE_DOWN &&
	    article_set_groups(store, arena, other, name, TEXT("")) !=
	    STORE_DOWN;
}

static void
dump_of_a_running_site_loads(void **state)
{
	struct world *world = *state;
	struct outcome outcomes[5];
	uint64_t author = world_member(world, "ann");
	struct concurrent_writer writer;

	for (int i = 0; i < 100; i++)
		world_post(world, author, "T",
		    fixture_string(&world->arena, "http://ann.b/%d", i), "");
	writer = concurrent_writer_start(world, register_and_change, 0);
	for (int i = 0; i < 5; i++) {
		concurrent_writer_await(&writer, 10);
		outcomes[i] = commands_dump(world);
	}
	concurrent_writer_kill(&writer);
	for (int i = 0; i < 5; i++) {
		assert_text(outcomes[i].errors, "");
		assert_int_equal(outcomes[i].status, 0);
		assert_has(outcomes[i].out, "new0");
		commands_dump_again(
		    world, world_now(world), outcomes[i].out, 2);
	}
	commands_assert_whole(world);
}

/* A decision with a part. */
static bool
decide(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	struct mod_decision decision = { .entry.what =
					     mod_action_words[MOD_VOIDED] };
	struct mod_action part = { .what = mod_action_words[MOD_VOIDED],
		.member = { 1, TEXT("ann") } };

	(void)number;
	(void)seed;
	return mod_decision_add(store, arena, &decision, &part) == STORE_OK &&
	    mod_action_note(store, arena, &part) == STORE_OK;
}

/* The scan may find a part, and have passed its decision, which was logged just before. */
static void
decisions_made_meanwhile_have_their_parts(void **state)
{
	struct world *world = *state;
	struct outcome outcomes[6];
	uint64_t author = world_member(world, "ann");
	struct concurrent_writer writer;

	for (int i = 0; i < 1200; i++)
		world_post(world, author, "T",
		    fixture_string(&world->arena, "http://ann.b/%d", i), "");
	writer = concurrent_writer_start(world, decide, 0);
	for (int i = 0; i < 6; i++) {
		concurrent_writer_await(&writer, 5);
		outcomes[i] = commands_dump(world);
	}
	concurrent_writer_kill(&writer);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(outcomes[i].status, 0);
		assert_loads(outcomes[i].out);
	}
}

static void
full_disk_is_an_error(void **state)
{
	struct world *world = *state;
	FILE *full = fopen("/dev/full", "w");

	assert_non_null(full);
	fill(world);
	assert_int_equal(dump_command(&world->store, full), 1);
	fclose(full);
}

static void
closed_pipe_is_an_error(void **state)
{
	struct world *world = *state;
	int ends[2];
	FILE *out;

	fill(world);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	close(ends[0]);
	out = fdopen(ends[1], "w");
	assert_int_equal(dump_command(&world->store, out), 1);
	signal(SIGPIPE, SIG_IGN);
	fclose(out);
	signal(SIGPIPE, SIG_DFL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(dump_load_dump_gives_the_same_bytes),
		world_test(actions_of_moderators_are_dumped),
		world_test(account_that_is_being_closed_is_dumped),
		world_test(dumps_load_while_accounts_are_closed),
		world_test(refused_hosts_are_dumped_without_other_settings),
		world_test(dump_moves_to_other_buckets_and_back),
		world_test(lines_have_their_members_in_order),
		world_test(empty_site_dumps_nothing),
		world_test(vote_of_an_unknown_member_is_reported),
		world_test(dump_of_a_running_site_loads),
		world_test(decisions_made_meanwhile_have_their_parts),
		world_test(full_disk_is_an_error),
		world_test(closed_pipe_is_an_error),
	};

	return world_run("dump", tests);
}
