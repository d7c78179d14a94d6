/*
 * Loading into a site that already has data: lines that conflict with it are refused,
 * and so are all lines that refer to them; new posts during the load get other numbers.
 */
#include <string.h>

#include "../support/commands.h"
#include "redis/reply.h"
#include "store/comment.h"
#include "store/group.h"
#include "store/inbox.h"
#include "store/keys.h"
#include "store/user.h"

#define USER(name) \
	"{\"kind\":\"user\",\"name\":\"" name "\",\"created\":1600000000," \
	"\"role\":\"member\",\"password\":\"\"}\n"
#define GROUP(name, rest) \
	"{\"kind\":\"group\",\"name\":\"" name "\",\"title\":\"G\"," \
	"\"created\":1600000000" rest "}\n"
#define ARTICLE(id, author, rest) \
	"{\"kind\":\"article\",\"id\":" id ",\"title\":\"T\",\"url\":" \
	"\"http://a.b/" id "\",\"text\":null,\"author\":\"" author \
	"\",\"posted\":1700000000,\"interesting\":null,\"removed\":null," \
	"\"up\":1,\"down\":0," rest "}\n"
#define PLAIN "\"groups\":[]"
#define REPLY(article, id, parent, text, author) \
	"{\"kind\":\"comment\",\"article\":" article ",\"id\":" id \
	",\"parent\":" parent ",\"text\":\"" text "\",\"author\":\"" author \
	"\",\"posted\":1700000050,\"removed\":null,\"up\":1,\"down\":0}\n"
#define NOTICE(to, article, comment) \
	"{\"kind\":\"notice\",\"to\":\"" to \
	"\",\"number\":1,\"article\":" article ",\"comment\":" comment \
	",\"why\":\"article\"}\n"
#define MUTE(by, article) \
	"{\"kind\":\"mute\",\"by\":\"" by "\",\"article\":" article "}\n"
#define REMOVAL(id, by, article) \
	"{\"kind\":\"act\",\"id\":" id ",\"what\":\"removed\",\"by\":\"" by \
	"\",\"at\":1700000060,\"article\":" article "}\n"

static struct outcome
load_what_is_good(struct world *world, struct text lines)
{
	struct outcome outcome = commands_load(world, lines, LOAD_KEEP_GOING);

	assert_int_equal(outcome.status, 1);
	assert_has(commands_check(world).out, "\n0 breaks\n");
	return outcome;
}

/* A member as in the lines, with an id of the site. */
static uint64_t
member(struct world *world, const char *name)
{
	struct user user = { .name = text_of(name), .created = 1600000000 };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
	return user.id;
}

static uint64_t
say(struct world *world, struct post_id above, struct member author,
    const char *text)
{
	struct comment comment = { .post.id = { .article = above.article },
		.post.author = author,
		.parent = (int64_t)above.comment,
		.text = text_of(text) };
	struct comment_posting posting = { .wait = 0 };

	assert_int_equal(
	    comment_post(&world->store, &world->arena, &comment, &posting),
	    STORE_OK);
	return comment.post.id.comment;
}

static struct comment
get(struct world *world, uint64_t article, uint64_t number)
{
	struct comment comment;
	int64_t now;

	assert_int_equal(
	    comment_get(&world->store, &world->arena,
		(struct post_id){ article, number }, 0, &comment, &now),
	    STORE_OK);
	return comment;
}

/* The site's article 1 has the title, link and time of the dump's, but another
 * author. */
static void
nothing_is_loaded_into_another_article(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		ARTICLE("1", "bob", PLAIN),
		ARTICLE("2", "bob", PLAIN),
		REPLY("1", "1", "0", "I agree with you", "bob"),
		REPLY("1", "2", "1", "So do I", "bob"),
		REPLY("2", "1", "0", "Welcome", "bob"),
		REMOVAL("70", "bob", "1"),
		NOTICE("ann", "1", "1"),
		NOTICE("bob", "2", "1"),
		MUTE("bob", "1"),
		MUTE("bob", "2"),
	};
	struct world *world = *state;
	uint64_t ann = member(world, "ann");
	struct article article;
	struct outcome outcome;

	world_stop_clock(world, NOON);
	assert_int_equal(world_post(world, ann, "T", "http://a.b/1", ""), 1);
	world_stop_clock(world, NOON + 100);
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, lines));
	assert_has(
	    outcome.errors, ": line 3: the site has another article 1\n");
	assert_has(
	    outcome.errors, ": line 5: it names article 1, which is refused\n");
	assert_has(outcome.errors, ": line 6: it names article 1, which");
	assert_has(outcome.errors, ": line 8: it names article 1, which");
	assert_has(outcome.errors, ": line 9: there is no comment 1:1\n");
	assert_has(outcome.errors, ": line 11: it names article 1, which");
	assert_has(outcome.errors, "refused 6 lines\n");
	article = world_article(world, 1, 0);
	assert_int_equal(article.comments, 0);
	assert_int_equal(article.post.author.id, ann);
	assert_text(get(world, 2, 1).text, "Welcome");
	/* Repeated, until the first bad line. */
	outcome = commands_load(world, COMMANDS_JOIN(world, lines), LOAD_STOP);
	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors, "line 3: the site has another article 1\n");
	assert_has(outcome.errors, "refused 1 line\n");
}

/* Each differs in one member. */
static void
articles_are_identified_by_author_time_and_link(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		ARTICLE("1", "ann", PLAIN),
		ARTICLE("1", "bob", PLAIN),
		"{\"kind\":\"article\",\"id\":1,\"title\":\"T\",\"url\":"
		"\"http://a.b/1\",\"text\":null,\"author\":\"ann\","
		"\"posted\":1700000001,\"interesting\":null,\"removed\":null,"
		"\"groups\":[],\"up\":1,\"down\":0}\n",
		"{\"kind\":\"article\",\"id\":1,\"title\":\"T\",\"url\":"
		"\"http://a.c/1\",\"text\":null,\"author\":\"ann\","
		"\"posted\":1700000000,\"interesting\":null,\"removed\":null,"
		"\"groups\":[],\"up\":1,\"down\":0}\n",
		"{\"kind\":\"article\",\"id\":1,\"title\":\"U\",\"url\":"
		"\"http://a.b/1\",\"text\":null,\"author\":\"ann\","
		"\"posted\":1700000000,\"interesting\":null,\"removed\":null,"
		"\"groups\":[],\"up\":1,\"down\":0}\n",
	};
	struct world *world = *state;
	struct outcome outcome =
	    load_what_is_good(world, COMMANDS_JOIN(world, lines));

	assert_has(
	    outcome.errors, ": line 4: the site has another article 1\n");
	assert_has(outcome.errors, ": line 5: the site has another");
	assert_has(outcome.errors, ": line 6: the site has another");
	assert_has(outcome.errors, ": line 7: the site has another");
	assert_has(outcome.errors, "refused 4 lines\n");
}

/* Later changes by its author or a moderator do not make it a different article. */
static void
edited_and_removed_posts_are_the_same(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("1", "ann", PLAIN),
		ARTICLE("2", "ann", PLAIN),
		REPLY("1", "1", "0", "One", "ann"),
		REPLY("1", "2", "1", "Two", "ann"),
	};
	struct world *world = *state;
	struct store *store = &world->store;
	const struct post_id first = { 1, 1 }, second = { 1, 2 };
	struct text before;

	world_stop_clock(world, NOON + 100);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_int_equal(article_edit(store, &world->arena,
			     &(struct article){ .post.id = article_id(1),
				 .title = TEXT("Better") }),
	    STORE_OK);
	world_remove(world, 2);
	assert_int_equal(
	    comment_edit(store, &world->arena, first, TEXT("Better"), TEXT("")),
	    STORE_OK);
	assert_int_equal(
	    post_delete(store, &world->arena, second, 1), STORE_OK);
	before = world_snapshot(world);
	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_unchanged(world, before);
}

#define THREAD \
	REPLY("7", "1", "0", "You are wrong", "ann"), \
	    REPLY("7", "2", "1", "I agree with you", "bob"), \
	    REPLY("7", "3", "0", "Another", "ann")

/* The numbers of the rest of the load are free whenever it is repeated. */
static void
new_posts_are_numbered_above_loaded_ones(void **state)
{
	static const char *const halted[] = { USER("ann"), USER("bob"),
		ARTICLE("7", "ann", PLAIN), "rubbish\n",
		ARTICLE("9", "ann", PLAIN), THREAD, REMOVAL("70", "bob", "7") };
	static const char *const whole[] = { USER("ann"), USER("bob"),
		ARTICLE("7", "ann", PLAIN), ARTICLE("9", "ann", PLAIN), THREAD,
		REMOVAL("70", "bob", "7") };
	struct world *world = *state;
	struct member bob = { 2, TEXT("bob") };
	struct text before;

	world_stop_clock(world, NOON + 100);
	assert_int_equal(
	    commands_load(world, COMMANDS_JOIN(world, halted), LOAD_STOP)
		.status,
	    1);
	assert_has(commands_check(world).out, "\n0 breaks\n");
	assert_true(world_post(world, bob.id, "New", "http://new.b/", "") > 9);
	assert_int_equal(say(world, article_id(7), bob, "An insult"), 4);
	assert_int_equal(
	    say(world, (struct post_id){ 7, 4 }, bob, "Another"), 5);
	world_remove(world, 7);
	assert_int_equal(post_restore(&world->store, &world->arena,
			     article_id(7), TEXT(""), &world_restoring),
	    STORE_OK);
	commands_load_all(world, COMMANDS_JOIN(world, whole));
	assert_text(get(world, 7, 1).text, "You are wrong");
	assert_text(get(world, 7, 2).text, "I agree with you");
	assert_text(get(world, 7, 4).text, "An insult");
	assert_int_equal(world_article(world, 7, 0).comments, 5);
	assert_int_equal(say(world, article_id(7), bob, "Last"), 6);
	before = world_snapshot(world);
	commands_load_all(world, COMMANDS_JOIN(world, whole));
	assert_unchanged(world, before);
}

/* A load that reserved nothing: by another program, or of one file for each kind. */
static void
replies_to_another_comment_are_refused(void **state)
{
	static const char *const articles[] = { USER("ann"), USER("bob"),
		ARTICLE("7", "ann", PLAIN) };
	static const char *const whole[] = { USER("ann"), USER("bob"),
		ARTICLE("7", "ann", PLAIN), THREAD, NOTICE("bob", "7", "1"),
		NOTICE("ann", "7", "3") };
	struct world *world = *state;
	struct outcome outcome;

	world_stop_clock(world, NOON + 100);
	commands_load_all(world, COMMANDS_JOIN(world, articles));
	say(world, article_id(7), (struct member){ 2, TEXT("bob") },
	    "An insult");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, whole));
	assert_has(
	    outcome.errors, ": line 4: the site has another comment 7:1\n");
	assert_has(outcome.errors,
	    ": line 5: it names comment 7:1, which is refused\n");
	assert_has(outcome.errors,
	    ": line 7: it names comment 7:1, which is refused\n");
	assert_has(outcome.errors, "refused 3 lines\n");
	assert_text(get(world, 7, 1).text, "An insult");
	assert_text(get(world, 7, 3).text, "Another");
}

/* Data that is not written yet does not match. */
static void
lines_come_after_what_they_name(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		USER("bob"),
		REPLY("1", "1", "0", "Too early", "ann"),
		ARTICLE("1", "bob", PLAIN),
	};
	struct world *world = *state;
	uint64_t ann = member(world, "ann");
	struct outcome outcome;

	world_stop_clock(world, NOON + 100);
	world_post(world, ann, "Mine", "http://mine.b/", "");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, lines));
	assert_has(outcome.errors,
	    ": line 3: it names article 1, whose line comes later\n");
	assert_has(
	    outcome.errors, ": line 4: the site has another article 1\n");
	assert_int_equal(world_article(world, 1, 0).comments, 0);
}

/* A line that is refused or cannot be read may be the one that the next one refers
 * to. */
static void
bad_lines_do_not_match_existing_data(void **state)
{
	static const char *const bad[] = {
		USER("ann"),
		ARTICLE("1", "nobody", PLAIN),
		REPLY("1", "1", "0", "x", "ann"),
	};
	static const char *const unreadable[] = {
		USER("ann"),
		"{\"kind\":\"article\",\"id\":1,\n",
		REPLY("1", "1", "0", "x", "ann"),
	};
	static const char *const vetted[] = {
		USER("ann"),
		ARTICLE("1", "ann", "\"groups\":[\"Not a name\"]"),
		REPLY("1", "1", "0", "x", "ann"),
	};
	struct world *world = *state;
	uint64_t ann = member(world, "ann");
	struct outcome outcome;

	world_stop_clock(world, NOON + 100);
	world_post(world, ann, "Mine", "http://mine.b/", "");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, bad));
	assert_has(outcome.errors, ": line 2: there is no member \"nobody\"\n");
	assert_has(outcome.errors, ": line 3: it names article 1, which");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, unreadable));
	assert_has(outcome.errors, ": line 2: not JSON");
	assert_has(outcome.errors,
	    ": line 3: it names article 1, whose line may be one that cannot "
	    "be read\n");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, vetted));
	assert_has(outcome.errors, ": line 3: it names article 1, which");
	assert_int_equal(world_article(world, 1, 0).comments, 0);
}

static void
nothing_is_loaded_for_another_member(void **state)
{
	static const char *const lines[] = {
		USER("Ann"),
		USER("bob"),
		ARTICLE("1", "ann", PLAIN),
		ARTICLE("2", "bob", PLAIN),
		ARTICLE("3", "bob",
		    PLAIN ",\"voters\":{\"up\":[\"ANN\"],\"down\":[]}"),
		ARTICLE("4", "bob",
		    PLAIN ",\"flags\":[{\"by\":\"ann\",\"reason\":\"spam\","
			  "\"at\":1700000000}]"),
		REPLY("2", "1", "0", "x", "ann"),
		REPLY("2", "2", "0", "x", "bob"),
		NOTICE("ann", "2", "2"),
		MUTE("ann", "2"),
		REMOVAL("70", "ann", "2"),
		GROUP("go", ",\"by\":\"ann\""),
	};
	struct world *world = *state;
	uint64_t ann;
	struct outcome outcome;

	world_stop_clock(world, NOON + 100);
	ann = world_member(world, "ann");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, lines));
	assert_has(
	    outcome.errors, ": line 1: the site has another member \"Ann\"\n");
	assert_has(outcome.errors,
	    ": line 3: it names member \"ann\", which is refused\n");
	assert_has(outcome.errors,
	    "1 member (0 already there), 0 groups (0 already there), 1 article "
	    "(0 already there), 1 comment (0 already there); refused 9 "
	    "lines\n");
	assert_int_equal(world_karma(world, ann), 0);
}

static void
groups_are_identified_by_their_creation(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		GROUP("go", ""),
		GROUP("tea", ""),
		ARTICLE("1", "ann", "\"groups\":[\"go\"]"),
		ARTICLE("2", "ann", "\"groups\":[\"tea\"]"),
		GROUP("weiqi", ",\"into\":\"go\""),
		GROUP("tea", ""),
	};
	struct world *world = *state;
	struct outcome outcome;

	world_stop_clock(world, NOON + 100);
	world_group(world, "go");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, lines));
	assert_has(
	    outcome.errors, ": line 2: the site has another group \"go\"\n");
	assert_has(outcome.errors,
	    ": line 4: it names group \"go\", which is refused\n");
	assert_has(outcome.errors, ": line 6: it names group \"go\", which");
	assert_has(outcome.errors,
	    "1 group (1 already there), 1 article (0 already there); refused "
	    "3 lines\n");
}

static void
circular_redirects_of_groups_are_refused(void **state)
{
	static const char *const lines[] = {
		GROUP("aa", ",\"into\":\"bb\""),
		GROUP("bb", ",\"into\":\"cc\""),
		GROUP("cc", ",\"into\":\"aa\""),
		GROUP("dd", ",\"into\":\"dd\""),
		GROUP("ee", ",\"into\":\"bb\""),
	};
	static const char *const last[] = { GROUP("cc", ",\"into\":\"ee\"") };
	struct world *world = *state;
	struct outcome outcome =
	    load_what_is_good(world, COMMANDS_JOIN(world, lines));

	assert_has(outcome.errors,
	    ": line 3: \"into\" leads from \"cc\" in a circle\n");
	assert_has(outcome.errors,
	    ": line 4: \"into\" leads from \"dd\" in a circle\n");
	assert_has(outcome.errors,
	    "loaded 0 members (0 already there), 3 "
	    "groups (0 already there)");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, last));
	assert_has(outcome.errors, "in a circle\n");
}

static void
actions_are_identified_by_their_time(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("2", "ann", PLAIN),
		REMOVAL("1", "ann", "2"),
		REMOVAL("2", "ann", "2"),
		REMOVAL("2", "ann", "2"),
	};
	struct world *world = *state;
	struct mod_action own = { .id = 1,
		.what = mod_action_words[MOD_VOUCHED] };
	struct outcome outcome;

	world_stop_clock(world, NOON + 100);
	world_command(world, TEXT("FCALL"), TEXT("load_act_1"), TEXT("1"),
	    key_mod_action(&world->arena, &world->store.buckets, own.id),
	    TEXT("what"), own.what, TEXT("at"), TEXT("1700000060"));
	world_command(world, TEXT("SET"),
	    key_mod_action_counter(&world->arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, 1)),
	    TEXT("1"));
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, lines));
	assert_has(outcome.errors, ": line 3: the site has another act 1\n");
	assert_has(outcome.errors, "refused 1 line\n");
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, lines));
	assert_has(
	    outcome.errors, "0 acts (2 already there); refused 1 line\n");
}

static int64_t
length_of_thread(struct world *world, uint64_t article)
{
	return world_command(world, TEXT("STRLEN"),
	    key_thread(&world->arena, &world->store.buckets, article))
	    .number;
}

/* Each number takes room in the index of its thread, whether it is used or not. */
static void
numbers_are_not_far_beyond_their_count(void **state)
{
	static const char *const lines[] = {
		USER("ann"),
		ARTICLE("7", "ann", PLAIN),
		ARTICLE("8", "ann", PLAIN),
		ARTICLE("99999999999", "ann", PLAIN),
		ARTICLE("100000000", "ann", PLAIN),
		REPLY("7", "1", "0", "One", "ann"),
		REPLY("7", "16777215", "0", "x", "ann"),
		REPLY("7", "60000", "0", "Two", "ann"),
		REPLY("8", "60000", "0", "x", "ann"),
		REPLY("8", "30000", "0", "Three", "ann"),
		REMOVAL("99999999999", "ann", "7"),
	};
	struct world *world = *state;
	struct member ann = { 1, TEXT("ann") };
	struct outcome outcome;

	world_stop_clock(world, NOON + 100);
	outcome = load_what_is_good(world, COMMANDS_JOIN(world, lines));
	assert_has(
	    outcome.errors, ": line 4: \"id\" leaves out too many before it\n");
	assert_has(outcome.errors, ": line 7: \"id\" leaves out");
	assert_has(outcome.errors, ": line 9: \"id\" leaves out");
	assert_has(outcome.errors, ": line 11: \"id\" leaves out");
	assert_has(outcome.errors, "refused 4 lines\n");
	assert_true(length_of_thread(world, 7) + length_of_thread(world, 8) <
	    20 * 100000);
	assert_int_equal(say(world, article_id(7), ann, "x"), 60001);
	assert_int_equal(say(world, article_id(8), ann, "x"), 30001);
	assert_true(world_post(world, 1, "T", "http://n.b/", "") < 1000000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(nothing_is_loaded_into_another_article),
		world_test(articles_are_identified_by_author_time_and_link),
		world_test(edited_and_removed_posts_are_the_same),
		world_test(new_posts_are_numbered_above_loaded_ones),
		world_test(replies_to_another_comment_are_refused),
		world_test(lines_come_after_what_they_name),
		world_test(bad_lines_do_not_match_existing_data),
		world_test(nothing_is_loaded_for_another_member),
		world_test(groups_are_identified_by_their_creation),
		world_test(circular_redirects_of_groups_are_refused),
		world_test(actions_are_identified_by_their_time),
		world_test(numbers_are_not_far_beyond_their_count),
	};

	return world_run("loading into a site", tests);
}
