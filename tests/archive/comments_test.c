/*
 * Comments in dumps: the same bytes after loading with any number of buckets, the
 * counts of their articles, and lines that are refused or left out.
 */
#include "../support/commands.h"
#include "../support/concurrent_writer.h"
#include "redis/reply.h"
#include "store/close_account.h"
#include "store/comment.h"
#include "store/keys.h"
#include "store/user.h"

#define USER(name) \
	"{\"kind\":\"user\",\"name\":\"" name "\",\"created\":1600000000," \
	"\"role\":\"member\",\"password\":\"\"}\n"
#define ARTICLE(id) \
	"{\"kind\":\"article\",\"id\":" id \
	",\"title\":\"T\",\"url\":\"http://" \
	"a.b/" id "\",\"text\":null,\"author\":\"ann\",\"posted\":1700000000," \
	"\"groups\":[],\"up\":1,\"down\":0,\"interesting\":null," \
	"\"removed\":null}\n"
#define REPLY(article, id, parent, text, author, removed, rest) \
	"{\"kind\":\"comment\",\"article\":" article ",\"id\":" id \
	",\"parent\":" parent ",\"text\":\"" text "\",\"author\":\"" author \
	"\",\"posted\":1700000050,\"removed\":" removed "," rest "}\n"
#define PLAIN "\"up\":1,\"down\":0"
#define VOTERS(up, down, ups, downs) \
	"\"up\":" up ",\"down\":" down ",\"voters\":{\"up\":[" ups \
	"],\"down\":[" downs "]}"

enum { DAY = 86400, WEEK = 7 * DAY };

static struct comment
get(struct world *world, struct post_id id, uint64_t viewer)
{
	struct comment comment;
	int64_t now;

	assert_int_equal(comment_get(&world->store, &world->arena, id, viewer,
			     &comment, &now),
	    STORE_OK);
	return comment;
}

static enum store_result
try(struct world *world, struct post_id above, struct member author,
    const char *text, struct post_id *id)
{
	struct comment comment = { .post.id = { .article = above.article },
		.post.author = author,
		.parent = (int64_t)above.comment,
		.text = text_of(text),
		.links = text_of(text[0] == '@' ? text : "") };
	struct comment_posting posting = { .is_reviewed = text[0] == '!' };
	enum store_result result =
	    comment_post(&world->store, &world->arena, &comment, &posting);

	*id = comment.post.id;
	return result;
}

static struct post_id
say(struct world *world, struct post_id above, struct member author,
    const char *text)
{
	struct post_id id;

	assert_int_equal(try(world, above, author, text, &id), STORE_OK);
	return id;
}

static const struct member ann = { 1, TEXT_INIT("ann") };
static const struct member bob = { 2, TEXT_INIT("bob") };
static const struct member eve = { 3, TEXT_INIT("Eve") };

static void
vote(struct world *world, struct post_id id, struct member member,
    enum vote wanted)
{
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, member.id, wanted),
	    STORE_OK);
}

static void
flag(struct world *world, struct post_id id, struct member member)
{
	assert_int_equal(
	    flag_set(&world->store, &world->arena, id, member.id, FLAG_SPAM),
	    STORE_OK);
}

/* Actions of moderators on comments 2, by ann, and 3, by bob. */
static void
moderate(struct world *world, uint64_t article)
{
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	const struct post_id second = { article, 2 }, third = { article, 3 };
	struct mod_action act = { .what = mod_action_words[MOD_REMOVED],
		.by = eve,
		.article = article,
		.comment = 2,
		.member = ann,
		.reason = TEXT("Unkind") };

	assert_int_equal(post_remove(store, arena, second, &act), STORE_OK);
	act.what = mod_action_words[MOD_VOIDED];
	act.comment = 3;
	assert_int_equal(
	    post_void(store, arena, third, ann.id, VOIDING_VOID, &act),
	    STORE_OK);
	act.what = mod_action_words[MOD_DISMISSED];
	flag(world, third, ann);
	assert_int_equal(flag_dismiss(store, arena, third, &act), STORE_OK);
	flag(world, third, eve);
	act.what = mod_action_words[MOD_THREAD_CLOSED];
	act.comment = 0;
	assert_int_equal(article_set_thread(store, arena, article,
			     ARTICLE_THREAD_CLOSED, &act),
	    STORE_OK);
}

/* Two threads with all kinds of data: the first has no records of voters any more, and
 * its last comment is deleted; the other one is closed. */
static void
fill(struct world *world)
{
	struct article article = { .title = TEXT("Told"),
		.text = TEXT("*Told*"),
		.markup = TEXT(ARTICLE_MARKDOWN),
		.post.author = eve };
	struct post_id id, root;

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "bob");
	world_member(world, "Eve");
	root = article_id(
	    world_post(world, ann.id, "Old", "http://old.example/", ""));
	id = say(world, root, bob, "!First\n\n> of all \"\\");
	vote(world, id, ann, VOTE_DOWN);
	vote(world, say(world, id, ann, "@bob"), eve, VOTE_UP);
	id = say(world, id, bob, "Last");
	assert_int_equal(
	    post_delete(&world->store, &world->arena, id, bob.id), STORE_OK);
	world_move_clock(world, WEEK + 1);
	world_choose_bucket(world, &article);
	assert_int_equal(
	    article_post(&world->store, &world->arena, &article), STORE_OK);
	root = article.post.id;
	for (int i = 0; i < 12; i++)
		id = say(world, i % 3 == 0 ? root : id, i % 2 == 0 ? bob : ann,
		    fixture_string(&world->arena, "Number %d", i));
	vote(world, (struct post_id){ root.article, 3 }, ann, VOTE_DOWN);
	vote(world, (struct post_id){ root.article, 3 }, eve, VOTE_UP);
	vote(world, (struct post_id){ root.article, 2 }, bob, VOTE_DOWN);
	moderate(world, root.article);
}

static void
dump_load_dump_gives_the_same_bytes(void **state)
{
	struct world *world = *state;
	uint64_t buckets = world->store.buckets.count;
	struct outcome outcome;
	struct text moved;

	fill(world);
	commands_assert_whole(world);
	outcome = commands_dump(world);
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
	assert_same(
	    commands_dump_again(world, NOON + WEEK + 100, outcome.out, buckets),
	    outcome.out);
	moved = commands_dump_again(
	    world, NOON + WEEK + 100, outcome.out, 5 - buckets);
	assert_same(moved, outcome.out);
	assert_same(
	    commands_dump_again(world, NOON + WEEK + 100, moved, buckets),
	    outcome.out);
}

static void
lines_have_their_members_in_order(void **state)
{
	struct world *world = *state;
	struct text dump;

	fill(world);
	dump = commands_dump(world).out;
	assert_has(dump,
	    "\"removed\":null}\n"
	    "{\"kind\":\"article\",\"id\":2,\"title\":\"Told\",\"url\":null,"
	    "\"text\":\"*Told*");
	assert_has(dump, ",\"markup\":\"markdown\",\"author\":\"Eve\",");
	assert_has(dump,
	    "\"thread_closed\":1700604801,\"voters\":{\"up\":[\"Eve\"],"
	    "\"down\":[]}}\n"
	    "{\"kind\":\"comment\",\"article\":1,\"id\":1,\"text\":\"!First"
	    "\\n\\n> of all \\\"\\\\\",\"author\":\"bob\","
	    "\"posted\":1700000000,\"closes\":1700604800,\"up\":1,\"down\":1,"
	    "\"removed\":null,\"flags\":[{\"reason\":\"first\","
	    "\"at\":1700000000}]}\n"
	    "{\"kind\":\"comment\",\"article\":1,\"id\":2,\"parent\":1,"
	    "\"text\":\"@bob\",\"links\":[\"@bob\"],\"author\":\"ann\","
	    "\"posted\":1700000000,\"closes\":1700604800,\"up\":2,\"down\":0,"
	    "\"removed\":null}\n"
	    "{\"kind\":\"comment\",\"article\":1,\"id\":3,\"parent\":1,"
	    "\"text\":\"\",\"author\":\"bob\",\"posted\":1700000000,"
	    "\"closes\":1700604800,\"up\":1,\"down\":0,"
	    "\"removed\":1700000000,\"removed_by\":\"bob\"}\n"
	    "{\"kind\":\"comment\",\"article\":2,\"id\":1,");
	assert_has(dump,
	    "\"up\":1,\"down\":1,\"removed\":1700604801,"
	    "\"removed_by\":\"Eve\",\"ruling\":\"Unkind\","
	    "\"voters\":{\"up\":[\"ann\"],\"down\":[\"bob\"]}}\n");
	assert_has(dump,
	    "\"voters\":{\"up\":[\"bob\",\"Eve\"],\"down\":[],"
	    "\"voided_down\":[\"ann\"]},\"flags\":[{\"by\":\"ann\","
	    "\"reason\":\"spam\",\"at\":1700604801,\"dismissed\":true},"
	    "{\"by\":\"Eve\",\"reason\":\"spam\",\"at\":1700604801}]}\n");
	/* In numeric order: after 9, not after 1. */
	assert_has(dump, "\"id\":12,\"parent\":11,");
	assert_has(dump,
	    "\"article\":2,\"comment\":2,\"member\":\"ann\","
	    "\"reason\":\"Unkind\"}\n");
}

/* Closing an account also erases its texts and its name in comments. */
static void
comments_of_closed_accounts_are_dumped(void **state)
{
	struct world *world = *state;
	struct text dump;
	struct user user;

	fill(world);
	assert_int_equal(
	    user_get(&world->store, &world->arena, bob.id, &user), STORE_OK);
	assert_int_equal(
	    close_account(&world->store, &world->arena, &user,
		CLOSE_ACCOUNT_ERASE_NAME | CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	commands_assert_whole(world);
	dump = commands_dump(world).out;
	assert_has(dump,
	    "\"text\":\"(deleted)\",\"author\":\"closed-2\","
	    "\"posted\":1700000000,");
	assert_int_equal(text_find(dump, 0, TEXT("\"bob\"")), SIZE_MAX);
	assert_int_equal(text_find(dump, 0, TEXT("of all")), SIZE_MAX);
	assert_same(
	    commands_dump_again(world, NOON + WEEK + 100, dump, 3), dump);
}

static void
articles_count_loaded_comments(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		ARTICLE("7"),
		REPLY("7", "2", "0", "One", "ann", "null", PLAIN),
		REPLY("7", "5", "2", "", "BOB", "1700000060",
		    PLAIN ",\"removed_by\":\"bob\""),
		REPLY("7", "3", "2", "Three", "bob", "null",
		    VOTERS("2", "1", "\"bob\",\"ANN\"", "\"eve\"")),
	};
	struct world *world = *state;
	struct post_id id = { 7, 3 };
	struct article article;

	world_stop_clock(world, NOON + 100);
	world_member(world, "eve");
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	commands_assert_whole(world);
	article = world_article(world, 7, 0);
	assert_int_equal(article.comments, 2);
	assert_int_equal(article.commented, 5);
	assert_text(get(world, id, 0).post.author.name, "bob");
	assert_int_equal(get(world, id, 0).post.posted, NOON + 50);
	assert_int_equal(get(world, id, 0).post.closes, NOON + 50 + WEEK);
	assert_int_equal(get(world, id, 0).parent, 2);
	assert_int_equal(get(world, id, 1).post.vote, VOTE_DOWN);
	/* Members are 1 eve, 2 ann, 3 bob; the voters of 2 are unknown. */
	assert_int_equal(world_karma(world, 3), 0);
	vote(world, id, (struct member){ 1, TEXT("eve") }, VOTE_UP);
	assert_int_equal(world_karma(world, 3), 2);
	assert_int_equal(world_cast(&world->store, &world->arena,
			     (struct post_id){ 7, 2 }, 1, VOTE_UP),
	    STORE_CLOSED);
	/* New comments are numbered after the last one. */
	assert_int_equal(
	    say(world, id, (struct member){ 1, TEXT("eve") }, "Six").comment,
	    6);
	commands_assert_whole(world);
}

/* A load that was interrupted anywhere is repeated. */
static void
interrupted_load_is_completed(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		ARTICLE("7"),
		REPLY("7", "1", "0", "One", "ann", "null", PLAIN),
		REPLY("7", "2", "1", "Two", "bob", "null",
		    VOTERS("1", "1", "\"bob\"", "\"ann\"")),
		REPLY("7", "3", "2", "", "bob", "1700000060", PLAIN),
		REPLY("7", "4", "3", "Four", "bob", "null", PLAIN),
	};
	struct world *world = *state;
	struct text before;

	world_stop_clock(world, NOON + 100);
	for (size_t half = 3; half < 8; half++) {
		commands_load_all(world, commands_join(world, lines, half));
		commands_assert_whole(world);
		assert_int_equal(
		    world_article(world, 7, 0).commented, half - 3);
	}
	before = world_snapshot(world);
	assert_has(
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_STOP).errors,
	    "0 articles (1 already there), 0 comments (4 already there); "
	    "refused 0 lines\n");
	assert_unchanged(world, before);
	assert_int_equal(world_article(world, 7, 0).comments, 3);
}

static void
bad_lines_are_named_and_the_others_loaded(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("7"),
		ARTICLE("8"),
		REPLY("7", "2", "1", "x", "ann", "null", PLAIN),
		REPLY("7", "3", "0", "Three", "ann", "null", PLAIN),
		REPLY("9", "1", "0", "x", "ann", "null", PLAIN),
		REPLY("8", "4", "3", "x", "ann", "null", PLAIN),
		REPLY("7", "4", "3", "x", "eve", "null", PLAIN),
		REPLY("7", "5", "4", "x", "ann", "null", PLAIN),
		REPLY("7", "6", "3", "Six", "ann", "null", PLAIN),
		REPLY("7", "7", "0", "x", "ann", "null",
		    VOTERS("2", "0", "\"ann\",\"eve\"", "")),
		REPLY("7", "8", "0", "x", "ann", "null",
		    VOTERS("1", "1", "\"ann\"", "\"ANN\"")),
		REPLY("7", "9", "0", "x", "ann", "1700000060",
		    PLAIN ",\"removed_by\":\"eve\""),
		REPLY("7", "10", "0", "x", "ann", "null",
		    PLAIN ",\"flags\":[{\"by\":\"eve\",\"reason\":\"spam\","
			  "\"at\":1700000050}]"),
		REPLY("7", "11", "0", "", "ann", "null", PLAIN),
	};
	struct world *world = *state;
	struct outcome outcome =
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_KEEP_GOING);

	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors, ": line 4: there is no comment 7:1\n");
	assert_has(outcome.errors, ": line 6: there is no article 9\n");
	assert_has(outcome.errors, ": line 7: there is no comment 8:3\n");
	assert_has(outcome.errors, ": line 8: there is no member \"eve\"\n");
	assert_has(outcome.errors, ": line 9: there is no comment 7:4\n");
	assert_has(outcome.errors, ": line 11: there is no member \"eve\"\n");
	assert_has(outcome.errors, ": line 12: a voter is named twice\n");
	assert_has(outcome.errors, ": line 13: there is no member \"eve\"\n");
	assert_has(outcome.errors, ": line 14: there is no member \"eve\"\n");
	assert_has(outcome.errors, ": line 15: \"text\": Write something");
	assert_has(outcome.errors,
	    "2 articles (0 already there), 2 comments (0 already there); "
	    "refused 10 lines\n");
	assert_int_equal(world_article(world, 7, 0).comments, 2);
	assert_text(get(world, (struct post_id){ 7, 6 }, 0).text, "Six");
	commands_assert_whole(world);
}

static void
first_bad_line_stops_the_load(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("7"),
		REPLY("7", "1", "0", "One", "ann", "null", PLAIN),
		REPLY("8", "1", "0", "x", "ann", "null", PLAIN),
		REPLY("7", "2", "0", "x", "ann", "null", PLAIN),
	};
	struct world *world = *state;
	struct outcome outcome =
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_STOP);

	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors, ": line 4: there is no article 8\n");
	assert_has(
	    outcome.errors, "1 comment (0 already there); refused 1 line\n");
	assert_int_equal(world_article(world, 7, 0).commented, 1);
}

/* Tally's own dumps do not have this, since removing a post dismisses its flags; other
 * files may. */
static void
flags_of_a_removed_post_are_queued_when_restored(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("7"),
		REPLY("7", "1", "0", "One", "ann", "1700000060",
		    PLAIN ",\"flags\":[{\"by\":\"ann\",\"reason\":\"spam\","
			  "\"at\":1700000050}]"),
	};
	struct world *world = *state;

	world_stop_clock(world, NOON + 100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	commands_assert_whole(world);
	assert_int_equal(
	    post_restore(&world->store, &world->arena, (struct post_id){ 7, 1 },
		TEXT(""), &world_restoring),
	    STORE_OK);
	commands_assert_whole(world);
	assert_true(world_keys(world, "{*}queue").size > 0);
}

/* All replies below it are left out, too; the dump can be loaded. */
static void
comments_left_out_take_their_replies_along(void **state)
{
	struct world *world = *state;
	const struct buckets *buckets = &world->store.buckets;
	struct outcome outcome;
	struct post_id id, root;

	fill(world);
	root = article_id(
	    world_post(world, ann.id, "Third", "http://third.example/", ""));
	id = say(world, root, bob, "Lost with its article");
	say(world, id, ann, "Lost with what it answers");
	world_command(world, TEXT("SADD"),
	    key_voters(&world->arena, buckets, root), TEXT("77"));
	world_command(world, TEXT("SADD"),
	    key_voters(&world->arena, buckets, (struct post_id){ 2, 11 }),
	    TEXT("77"));
	outcome = commands_dump(world);
	assert_int_equal(outcome.status, 1);
	assert_text(outcome.errors,
	    "tally: article 3 is left out: it names a member who does not "
	    "exist\n"
	    "tally: comment 2:11 is left out: it names a member who does not "
	    "exist\n"
	    "tally: comment 2:12 is left out: it answers what is not in the "
	    "dump\n"
	    "tally: comment 3:1 is left out: it answers what is not in the "
	    "dump\n"
	    "tally: comment 3:2 is left out: it answers what is not in the "
	    "dump\n");
	assert_has(
	    outcome.out, "{\"kind\":\"comment\",\"article\":2,\"id\":10,");
	assert_same(
	    commands_dump_again(world, NOON + WEEK + 100, outcome.out, 2),
	    outcome.out);
}

static void
replies_to_nothing_are_left_out(void **state)
{
	struct world *world = *state;
	struct outcome outcome;

	fill(world);
	world_command(world, TEXT("DEL"),
	    key_post(&world->arena, &world->store.buckets,
		(struct post_id){ 1, 1 }));
	outcome = commands_dump(world);
	assert_int_equal(outcome.status, 1);
	assert_text(outcome.errors,
	    "tally: comment 1:2 is left out: it answers what is not in the "
	    "dump\n"
	    "tally: comment 1:3 is left out: it answers what is not in the "
	    "dump\n");
	commands_dump_again(world, NOON + WEEK + 100, outcome.out, 2);
}

/* Posts articles and comments, and replies to existing ones. */
static bool
talk(struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	struct text name = text_format(arena, "new%u-%u", number, *seed);
	struct user user = { .name = name };
	struct article article = { .title = name,
		.url = text_format(arena, "http://%u.b/%u", *seed, number),
		.post.author.name = name };
	struct comment comment = { .text = name, .post.author.name = name };
	struct comment_posting posting = { .wait = 0 };

	if (user_create(store, arena, &user) != STORE_OK)
		return false;
	article.post.author.id = comment.post.author.id = user.id;
	if (article_post(store, arena, &article) != STORE_OK)
		return false;
	for (unsigned i = 0; i < 6; i++) {
		comment.text = text_format(arena, "Words %u", i);
		comment.parent = (int64_t)comment.post.id.comment;
		comment.post.id = article_id(
		    i < 3 ? article.post.id.article : 1 + number % 10);
		if (i == 3)
			comment.parent = number > 20 ? 1 : 0;
		if (comment_post(store, arena, &comment, &posting) ==
		    STORE_DOWN)
			return false;
	}
	return world_cast(store, arena, comment.post.id, 1, VOTE_DOWN) !=
	    STORE_DOWN;
}

static void
dump_of_a_running_site_loads(void **state)
{
	struct world *world = *state, other;
	struct outcome outcomes[4];
	struct concurrent_writer writers[2];

	world_member(world, "ann");
	for (int i = 0; i < 400; i++)
		world_post(world, ann.id, "T",
		    fixture_string(&world->arena, "http://ann.b/%d", i), "");
	for (unsigned i = 0; i < 2; i++)
		writers[i] = concurrent_writer_start(world, talk, i);
	for (int i = 0; i < 4; i++) {
		concurrent_writer_await(&writers[i % 2], 15);
		outcomes[i] = commands_dump(world);
	}
	assert_has(commands_check(world).out, "\n0 breaks\n");
	for (int i = 0; i < 2; i++)
		concurrent_writer_kill(&writers[i]);
	for (int i = 0; i < 4; i++) {
		assert_text(outcomes[i].errors, "");
		assert_int_equal(outcomes[i].status, 0);
		assert_has(outcomes[i].out, "\"parent\":1,");
		world_open(&other, 2);
		commands_load_all(&other, outcomes[i].out);
		commands_assert_whole(&other);
		world_close(&other);
	}
	commands_assert_whole(world);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(dump_load_dump_gives_the_same_bytes),
		world_test(lines_have_their_members_in_order),
		world_test(comments_of_closed_accounts_are_dumped),
		world_test(articles_count_loaded_comments),
		world_test(interrupted_load_is_completed),
		world_test(bad_lines_are_named_and_the_others_loaded),
		world_test(first_bad_line_stops_the_load),
		world_test(flags_of_a_removed_post_are_queued_when_restored),
		world_test(comments_left_out_take_their_replies_along),
		world_test(replies_to_nothing_are_left_out),
		world_test(dump_of_a_running_site_loads),
	};

	return world_run("comments in dumps", tests);
}
