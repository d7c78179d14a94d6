/*
 * Loading: preserved data, claims of links, refused lines, and repeated loads.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../support/commands.h"
#include "base/buffer.h"
#include "os/privileges.h"
#include "store/group.h"
#include "store/keys.h"
#include "store/user.h"
#include "views/messages.h"

#define USER(name) \
	"{\"kind\":\"user\",\"name\":\"" name "\",\"created\":1600000000," \
	"\"role\":\"member\",\"password\":\"\"}\n"
#define OWNER(name) \
	"{\"kind\":\"user\",\"name\":\"" name "\",\"created\":1600000000," \
	"\"role\":\"owner\",\"password\":\"\"}\n"
#define GROUP(name) \
	"{\"kind\":\"group\",\"name\":\"" name "\",\"title\":\"G\"," \
	"\"created\":1600000000}\n"
#define ARTICLE(id, content, author, posted, rest) \
	"{\"kind\":\"article\",\"id\":" id ",\"title\":\"T\"," content \
	",\"author\":\"" author "\",\"posted\":" posted \
	",\"interesting\":null,\"removed\":null," rest "}\n"
#define LINK(url)  "\"url\":\"" url "\",\"text\":null"
#define BODY(text) "\"url\":null,\"text\":\"" text "\""
#define PLAIN	   "\"groups\":[],\"up\":1,\"down\":0"
#define NOON_TEXT  "1700000000"
#define LAST_YEAR  "1670000000"

static void
ids_and_times_are_preserved_and_ids_continue(void **state)
{
	static const char *const lines[] = {
		USER("Ann"),
		GROUP("go"),
		ARTICLE("70", LINK("http://a.b/"), "ann", NOON_TEXT,
		    "\"groups\":[\"go\"],\"up\":5,\"down\":2"),
	};
	struct world *world = *state;
	struct article article;
	struct user ann;

	world_stop_clock(world, 1700000100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("ann"), &ann),
	    STORE_OK);
	assert_int_equal(ann.created, 1600000000);
	article = world_article(world, 70, 0);
	assert_int_equal(article.post.posted, 1700000000);
	assert_int_equal(article.post.closes, 1700604800);
	assert_int_equal(article.post.up, 5);
	assert_int_equal(article.post.down, 2);
	assert_text(article.post.author.name, "Ann");
	assert_text(article.groups, "go");
	assert_int_equal(
	    world_post(world, ann.id, "Next", "http://next.b/", ""), 71);
}

static void
articles_without_voters_take_no_votes(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		ARTICLE("7", LINK("http://a.b/"), "ann", NOON_TEXT, PLAIN),
	};
	struct world *world = *state;

	world_stop_clock(world, 1700000100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_false(world_article(world, 7, 1).post.voters_known);
	assert_int_equal(world_cast(&world->store, &world->arena, article_id(7),
			     2, VOTE_DOWN),
	    STORE_CLOSED);
}

/* Earlier versions percent-encoded all international hosts. */
static void
links_are_loaded_unchanged(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("7", LINK("http://%c3%a4.example/"), "ann", NOON_TEXT,
		    PLAIN),
		ARTICLE("8", LINK("http://%e2%98%83.example/"), "ann",
		    NOON_TEXT, PLAIN),
	};
	struct world *world = *state;

	world_stop_clock(world, 1700000100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_text(world_article(world, 7, 0).url, "http://%c3%a4.example/");
	assert_text(
	    world_article(world, 8, 0).url, "http://%e2%98%83.example/");
}

/* Authors could vote down in earlier versions; that is preserved. */
static void
articles_with_voters_take_votes(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		ARTICLE("7", LINK("http://a.b/"), "ann", NOON_TEXT,
		    "\"groups\":[],\"up\":1,\"down\":1,"
		    "\"voters\":{\"up\":[\"BOB\"],\"down\":[\"ann\"]}"),
	};
	struct world *world = *state;
	struct article article;

	world_stop_clock(world, 1700000100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_int_equal(world_article(world, 7, 1).post.vote, VOTE_DOWN);
	assert_int_equal(world_karma(world, 1), -1);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, article_id(7), 1, VOTE_UP),
	    STORE_OWN);
	assert_int_equal(world_article(world, 7, 2).post.vote, VOTE_UP);
	world_vote(world, 7, 2, VOTE_DOWN);
	article = world_article(world, 7, 2);
	assert_int_equal(article.post.vote, VOTE_DOWN);
	assert_int_equal(article.post.up, 0);
	assert_int_equal(article.post.down, 2);
	world_move_clock(world, 604800);
	assert_false(world_article(world, 7, 2).post.voters_known);
}

static enum store_result
post_again(struct world *world, struct article *article)
{
	article->post.author.id = 1;
	article->post.author.name = TEXT("ann");
	article->title = TEXT("T");
	return article_post(&world->store, &world->arena, article);
}

static void
open_articles_are_claimed(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("7", LINK("HTTP://A.b/|"), "ann", NOON_TEXT, PLAIN),
		ARTICLE("8", BODY("words"), "ann", NOON_TEXT, PLAIN),
		ARTICLE("9", LINK("http://old.b/"), "ann", LAST_YEAR, PLAIN),
		ARTICLE("10", LINK("http://a.b/%7C"), "ann", NOON_TEXT, PLAIN),
	};
	struct world *world = *state;
	struct article again = { .url = TEXT("http://a.b/%7C") };
	struct article equal = { .url = TEXT("https://www.a.b/%7c/#x") };
	struct article said = { .text = TEXT("words") };
	struct article old = { .url = TEXT("http://old.b/") };

	world_stop_clock(world, 1700000100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_text(world_article(world, 7, 0).url, "HTTP://A.b/|");
	assert_int_equal(post_again(world, &again), STORE_TAKEN);
	assert_int_equal(again.post.id.article, 7);
	assert_int_equal(post_again(world, &equal), STORE_TAKEN);
	assert_int_equal(equal.post.id.article, 7);
	assert_int_equal(post_again(world, &said), STORE_TAKEN);
	assert_int_equal(said.post.id.article, 8);
	assert_int_equal(post_again(world, &old), STORE_OK);
	world_move_clock(world, 604800);
	assert_int_equal(post_again(world, &again), STORE_OK);
}

/* After a crash: some are written, and some of those are not claimed. */
static void
interrupted_load_is_run_again(void **state)
{
	static const char *const half[] = {
		USER("ann"),
		ARTICLE("7", LINK("http://a.b/"), "ann", NOON_TEXT, PLAIN),
	};
	static const char *const whole[] = {
		USER("ann"),
		USER("bob"),
		ARTICLE("7", LINK("http://a.b/"), "ann", NOON_TEXT, PLAIN),
		ARTICLE("8", LINK("http://c.d/"), "bob", NOON_TEXT, PLAIN),
	};
	struct world *world = *state;
	struct article article = { .url = TEXT("http://a.b/") };
	struct text claim;

	world_stop_clock(world, 1700000100);
	commands_load_all(world, COMMANDS_JOIN(world, half));
	claim = world_keys(world, "{*}claims:*");
	assert_int_equal(world_command(world, TEXT("DEL"), claim).number, 1);
	commands_load_all(world, COMMANDS_JOIN(world, whole));
	assert_int_equal(post_again(world, &article), STORE_TAKEN);
	assert_int_equal(article.post.id.article, 7);
	assert_int_equal(world_article(world, 8, 0).post.author.id, 2);
}

static void
loading_twice_changes_nothing(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		GROUP("go"),
		ARTICLE("7", LINK("http://a.b/"), "ann", NOON_TEXT,
		    "\"groups\":[\"go\"],\"up\":2,\"down\":0,"
		    "\"voters\":{\"up\":[\"bob\",\"ann\"],\"down\":[]}"),
		ARTICLE("8", BODY("words"), "bob", LAST_YEAR, PLAIN),
	};
	struct world *world = *state;
	struct outcome outcome;
	struct text before;

	world_stop_clock(world, 1700000100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	before = world_snapshot(world);
	outcome = commands_load(world, COMMANDS_JOIN(world, lines), LOAD_STOP);
	assert_int_equal(outcome.status, 0);
	assert_has(outcome.errors,
	    "loaded 0 members (2 already there), 0 groups (1 already there), "
	    "0 articles (2 already there); refused 0 lines");
	assert_unchanged(world, before);
}

static void
existing_data_is_not_changed(void **state)
{
	static const char *const lines[] = {
		USER("ANN"),
		USER("Ann"),
		GROUP("go"),
		ARTICLE("1", LINK("http://a.b/"), "ann", NOON_TEXT, PLAIN),
	};
	static const char *const changed[] = {
		"{\"kind\":\"user\",\"name\":\"ann\",\"created\":1600000000,"
		"\"role\":\"owner\",\"password\":\"\"}\n",
		"{\"kind\":\"group\",\"name\":\"go\",\"title\":\"H\","
		"\"created\":1600000000}\n",
		ARTICLE("1", LINK("http://a.b/"), "ann", NOON_TEXT,
		    "\"groups\":[\"go\"],\"up\":7,\"down\":2"),
	};
	struct world *world = *state;
	struct text before;

	world_stop_clock(world, 1700000100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	before = world_snapshot(world);
	commands_load_all(world, COMMANDS_JOIN(world, changed));
	assert_unchanged(world, before);
}

static void
name_given_twice_is_loaded_once(void **state)
{
	static const char *const lines[] = { USER("Bob"), USER("bOB"),
		USER("cid"), OWNER("eve"), OWNER("Eve") };
	struct world *world = *state;
	struct outcome outcome =
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_STOP);

	assert_has(outcome.errors, "loaded 3 members (2 already there)");
	outcome = commands_check(world);
	assert_has(outcome.out, "\n3 members, ");
	assert_has(outcome.out, "\n0 breaks\n");
	outcome = commands_dump(world);
	assert_has(outcome.out, "\"name\":\"Bob\"");
	assert_has(outcome.out, "\"name\":\"cid\"");
}

#define VOTERS(up, down, ups, downs) \
	"\"groups\":[],\"up\":" up ",\"down\":" down \
	",\"voters\":{\"up\":[" ups "],\"down\":[" downs "]}"

static void
bad_lines_are_named_and_the_others_loaded(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		"rubbish\n",
		GROUP("go"),
		"\n",
		ARTICLE("1", LINK("http://a.b/1"), "eve", NOON_TEXT, PLAIN),
		ARTICLE("2", LINK("http://a.b/2"), "ann", NOON_TEXT, PLAIN),
		ARTICLE("3", LINK("http://a.b/3"), "ann", NOON_TEXT,
		    "\"groups\":[\"go\",\"no\"],\"up\":1,\"down\":0"),
		ARTICLE("4", LINK("http://a.b/4"), "ann", NOON_TEXT,
		    VOTERS("2", "0", "\"ann\",\"eve\"", "")),
		ARTICLE("5", LINK("http://a.b/5"), "ann", NOON_TEXT,
		    VOTERS("2", "0", "\"ann\",\"Ann\"", "")),
		ARTICLE("6", LINK("http://a.b/6"), "ann", NOON_TEXT,
		    VOTERS("1", "1", "\"ann\"", "\"ann\"")),
		"{\"kind\":\"group\",\"name\":\"eves\",\"title\":\"G\","
		"\"by\":\"eve\",\"created\":1600000000}\n",
		USER("bob"),
	};
	struct world *world = *state;
	struct outcome outcome =
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_KEEP_GOING);

	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors, "load.jsonl: line 2: not JSON");
	assert_has(outcome.errors, ": line 5: there is no member \"eve\"\n");
	assert_has(outcome.errors, ": line 7: there is no group \"no\"\n");
	assert_has(outcome.errors, ": line 8: there is no member \"eve\"\n");
	assert_has(outcome.errors, ": line 9: a voter is named twice\n");
	assert_has(outcome.errors, ": line 10: a voter is named twice\n");
	assert_has(outcome.errors, ": line 11: there is no member \"eve\"\n");
	assert_has(outcome.errors,
	    "loaded 2 members (0 already there), 1 group (0 already there), "
	    "1 article (0 already there); refused 7 lines\n");
	assert_text(world_keys(world, "*article:*"),
	    world->store.buckets.count == 1 ? "{0.0}article:2"
					    : "{2.1}article:2");
}

static void
first_bad_line_stops_the_load(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("1", LINK("http://a.b/1"), "ann", NOON_TEXT, PLAIN),
		ARTICLE("2", LINK("http://a.b/2"), "eve", NOON_TEXT, PLAIN),
		ARTICLE("3", LINK("http://a.b/3"), "ann", NOON_TEXT, PLAIN),
		"rubbish\n",
	};
	struct world *world = *state;
	struct outcome outcome =
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_STOP);

	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors, ": line 3: there is no member \"eve\"\n");
	assert_has(outcome.errors, "the load stopped before the end of ");
	assert_has(
	    outcome.errors, "1 article (0 already there); refused 1 line\n");
	assert_text(
	    world_command(world, TEXT("GET"),
		key_article_counter(&world->arena, &world->store.buckets,
		    key_bucket_of(&world->store.buckets, 1)))
		.text,
	    world->store.buckets.count == 1 ? "3" : "1");
}

/* From a version without the moderation log, voided votes and waiting periods. */
static void
older_settings_are_loaded(void **state)
{
	static const char *const lines[] = {
		"{\"kind\":\"site\",\"name\":\"Old\","
		"\"registration\":\"open\",\"group_creation\":\"members\"}\n",
	};
	struct world *world = *state;

	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_text(commands_dump(world).out,
	    "{\"kind\":\"site\",\"name\":\"Old\","
	    "\"registration\":\"open\",\"group_creation\":\"members\","
	    "\"voting\":\"at-once\",\"log_names\":\"named\"}\n");
}

/* Voided votes must have been cast, and flags need an existing member. */
static void
voided_votes_and_flags_are_members(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		ARTICLE("1", LINK("http://a.b/1"), "ann", NOON_TEXT,
		    "\"groups\":[],\"up\":2,\"down\":0,\"voters\":{\"up\":"
		    "[\"ann\",\"bob\"],\"down\":[],\"voided_down\":"
		    "[\"Bob\"]}"),
		ARTICLE("2", LINK("http://a.b/2"), "ann", NOON_TEXT,
		    "\"groups\":[],\"up\":1,\"down\":0,\"flags\":[{\"by\":"
		    "\"eve\",\"reason\":\"spam\",\"at\":1700000000}]"),
		"{\"kind\":\"act\",\"id\":1,\"what\":\"removed\","
		"\"by\":\"eve\",\"at\":1700000000}\n",
		"{\"kind\":\"act\",\"id\":2,\"what\":\"vouched\","
		"\"by\":\"ANN\",\"at\":1700000000,\"member\":\"bob\"}\n",
	};
	struct world *world = *state;
	struct outcome outcome =
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_KEEP_GOING);

	assert_has(outcome.errors, ": line 3: a voter is named twice\n");
	assert_has(outcome.errors, ": line 4: there is no member \"eve\"\n");
	assert_has(outcome.errors, ": line 5: there is no member \"eve\"\n");
	assert_has(outcome.errors, "refused 3 lines\n");
	assert_has(commands_dump(world).out, "\"by\":\"ann\"");
	/* Repeated: existing data is unchanged. */
	commands_load(world, COMMANDS_JOIN(world, lines), LOAD_KEEP_GOING);
	assert_has(commands_check(world).out, "\n1 act of moderators\n");
}

/* A former name is listed separately, and its articles are in no other group. */
static void
former_names_are_not_listed_as_groups(void **state)
{
	static const char *const lines[] = {
		GROUP("go"),
		"{\"kind\":\"group\",\"name\":\"weiqi\",\"title\":\"W\","
		"\"created\":1600000000,\"into\":\"go\"}\n",
	};
	struct world *world = *state;
	struct reply groups, former;

	commands_load_all(world, COMMANDS_JOIN(world, lines));
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	groups = world_command(
	    world, TEXT("ZRANGE"), KEY_GROUPS, TEXT("0"), TEXT("-1"));
	former = world_command(
	    world, TEXT("ZRANGE"), KEY_FORMER, TEXT("0"), TEXT("-1"));
	assert_int_equal(groups.count, 1);
	assert_text(reply_text(reply_item(&groups, 0)), "go");
	assert_int_equal(former.count, 1);
	assert_text(reply_text(reply_item(&former, 0)), "weiqi");
}

static void
line_that_is_too_long_is_refused(void **state)
{
	struct world *world = *state;
	size_t size = LOAD_LONGEST + 1;
	struct buffer lines = buffer_in(&world->arena, size + 1000);
	struct outcome outcome;

	memset(buffer_reserve(&lines, size), ' ', size);
	lines.size += size;
	buffer_add(&lines, TEXT("\n" USER("ann")));
	outcome = commands_load(world, buffer_text(&lines), LOAD_KEEP_GOING);
	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors, ": line 1: longer than 16 MB\n");
	assert_has(outcome.errors, "loaded 1 member (");
}

static void
last_line_needs_no_line_feed(void **state)
{
	struct text line = TEXT(USER("ann"));

	line.size--;
	assert_int_equal(commands_load(*state, line, LOAD_STOP).status, 0);
	assert_text(world_keys(*state, "name:*"), "name:ann");
}

static void
files_that_cannot_be_read_are_named(void **state)
{
	struct world *world = *state;
	const char *missing[] = { "/nowhere/at-all.jsonl" };
	const char *folder[] = { world->folder };

	assert_int_equal(load_command(&world->store, missing, 1, LOAD_STOP,
			     privileges_fopen, message_problem),
	    1);
	assert_int_equal(load_command(&world->store, folder, 1, LOAD_STOP,
			     privileges_fopen, message_problem),
	    1);
}

static void
minus_is_standard_input(void **state)
{
	struct world *world = *state;
	const char *files[] = { "-" };
	static const char line[] = USER("ann");
	int ends[2], before = dup(STDIN_FILENO), status;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], line, strlen(line)), (int)strlen(line));
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	status = load_command(&world->store, files, 1, LOAD_STOP,
	    privileges_fopen, message_problem);
	dup2(before, STDIN_FILENO);
	close(ends[0]);
	close(before);
	assert_int_equal(status, 0);
	assert_text(world_keys(world, "name:*"), "name:ann");
}

static void
lost_redis_is_an_error(void **state)
{
	struct world *world = *state;
	struct outcome outcome;

	kill(world->redis, SIGKILL);
	outcome = commands_load(world, TEXT(USER("ann")), LOAD_KEEP_GOING);
	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors, "Redis at unix:");
	assert_has(outcome.errors, "it is safe to run it again");
	outcome = commands_dump(world);
	assert_int_equal(outcome.status, 1);
	outcome = commands_check(world);
	assert_int_equal(outcome.status, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(ids_and_times_are_preserved_and_ids_continue),
		world_test(articles_without_voters_take_no_votes),
		world_test(links_are_loaded_unchanged),
		world_test(articles_with_voters_take_votes),
		world_test(open_articles_are_claimed),
		world_test(interrupted_load_is_run_again),
		world_test(loading_twice_changes_nothing),
		world_test(existing_data_is_not_changed),
		world_test(name_given_twice_is_loaded_once),
		world_test(bad_lines_are_named_and_the_others_loaded),
		world_test(first_bad_line_stops_the_load),
		world_test(older_settings_are_loaded),
		world_test(voided_votes_and_flags_are_members),
		world_test(former_names_are_not_listed_as_groups),
		world_test(line_that_is_too_long_is_refused),
		world_test(last_line_needs_no_line_feed),
		world_test(files_that_cannot_be_read_are_named),
		world_test(minus_is_standard_input),
		world_test(lost_redis_is_an_error),
	};

	return world_run("load", tests);
}
