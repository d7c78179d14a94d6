/*
 * Lines of a dump: the bytes that are written, and the lines that are refused.
 */
#include "archive/record.h"

#include <string.h>

#include "../support/fixture.h"
#include "archive/validate.h"
#include "views/messages.h"

static const char ann[] =
    "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1700000000,"
    "\"role\":\"moderator\",\"password\":\"\"}\n";
static const char redis[] =
    "{\"kind\":\"group\",\"name\":\"redis\",\"title\":\"Redis & më\","
    "\"by\":\"ann\",\"created\":1700000000,"
    "\"description\":\"All of *it*.\",\"rules\":\"One.\\nTwo.\"}\n";
static const char nobodys[] =
    "{\"kind\":\"group\",\"name\":\"go\",\"title\":\"Go\","
    "\"created\":1700000000}\n";
static const char linked[] =
    "{\"kind\":\"article\",\"id\":7,\"title\":\"\xc3\x9c \\\"/\\\\ "
    "&amp; \xf0\x9f\x90\xa7\",\"url\":\"Http://Example.org/|a b\","
    "\"text\":null,\"author\":\"ann\",\"posted\":1700000000,"
    "\"closes\":1700604800,\"groups\":[\"redis\",\"go\"],\"up\":2,"
    "\"down\":1,\"interesting\":1700000500,\"removed\":null,"
    "\"voters\":{\"up\":[\"ann\",\"bob\"],\"down\":[\"eve\"]}}\n";
static const char note[] =
    "{\"kind\":\"article\",\"id\":8,\"title\":\" T \",\"url\":null,"
    "\"text\":\"one\\n\\ttwo\\r\\n\",\"author\":\"ann\","
    "\"posted\":1700000000,\"closes\":1700604800,\"groups\":[],\"up\":0,"
    "\"down\":0,\"interesting\":null,\"removed\":1700000009,"
    "\"voters\":{\"up\":[],\"down\":[]}}\n";

static const char site[] =
    "{\"kind\":\"site\",\"name\":\"S\",\"registration\":\"open\","
    "\"group_creation\":\"members\",\"voting\":\"hour\","
    "\"log_names\":\"unnamed\",\"front_order\":\"hot\",\"overlooked\":\"off\",\"voting_since\":\"1700000000\","
    "\"hosts\":[\"spam.example\",\"b\xc3\xbc"
    "cher.example\"],\"tag_authority\":\"a.example,2026-11-24\"}\n";
#define DIGEST \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
static const char fed[] =
    "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1700000000,"
    "\"role\":\"member\",\"password\":\"\",\"feed_key\":\"" DIGEST
    "\",\"gravity\":\"1.4\",\"about\":\"*I*\\nam\"}\n";
static const char suspended[] =
    "{\"kind\":\"user\",\"name\":\"closed-7\",\"created\":1700000000,"
    "\"role\":\"member\",\"password\":\"\",\"trusted\":1700000001,"
    "\"suspended\":1700000009,\"suspension\":\"Why\","
    "\"closed\":1700000008}\n";
static const char former[] =
    "{\"kind\":\"group\",\"name\":\"go\",\"title\":\"Go\","
    "\"created\":1700000000,\"closed\":1700000001,\"into\":\"weiqi\"}\n";
static const char flagged[] =
    "{\"kind\":\"article\",\"id\":9,\"title\":\"T\",\"url\":null,"
    "\"text\":\"one\",\"author\":\"ann\",\"posted\":1700000000,"
    "\"closes\":1700604800,\"edited\":1700000003,\"groups\":[],\"up\":1,"
    "\"down\":0,\"interesting\":null,\"removed\":1700000009,"
    "\"removed_by\":\"mod\",\"ruling\":\"Why\","
    "\"voters\":{\"up\":[\"ann\"],\"down\":[],\"voided_up\":[\"bob\"],"
    "\"voided_down\":[\"eve\"]},"
    "\"flags\":[{\"reason\":\"first\",\"at\":1700000000},"
    "{\"by\":\"bob\",\"reason\":\"spam\",\"at\":1700000001,"
    "\"dismissed\":true},"
    "{\"by\":\"eve\",\"reason\":\"none\",\"at\":1700000002,"
    "\"dismissed\":true}]}\n";
static const char act[] =
    "{\"kind\":\"act\",\"id\":3,\"what\":\"suspended\",\"by\":\"mod\","
    "\"at\":1700000000,\"article\":9,\"member\":\"ann\","
    "\"subject\":\"s\",\"into\":\"i\",\"until\":1700000009,"
    "\"reason\":\"Why\"}\n";

static const char act_on_comment[] =
    "{\"kind\":\"act\",\"id\":4,\"what\":\"removed\",\"by\":\"mod\","
    "\"at\":1700000000,\"article\":9,\"comment\":16777215,"
    "\"member\":\"ann\",\"reason\":\"Why\"}\n";
static const char closed_thread[] =
    "{\"kind\":\"article\",\"id\":10,\"title\":\"T\",\"url\":null,"
    "\"text\":\"*one*\",\"markup\":\"markdown\",\"author\":\"ann\","
    "\"posted\":1700000000,\"closes\":1700604800,\"groups\":[],\"up\":1,"
    "\"down\":0,\"interesting\":null,\"removed\":null,"
    "\"thread_closed\":1700000009}\n";
static const char comment[] =
    "{\"kind\":\"comment\",\"article\":9,\"id\":3,\"parent\":2,"
    "\"text\":\"@ann: see /g/redis\\n\\n> Grüße\",\"links\":[\"@ann\","
    "\"/g/redis\"],\"author\":\"bob\",\"posted\":1700000000,"
    "\"closes\":1700604800,\"edited\":1700000003,\"up\":2,\"down\":1,"
    "\"removed\":1700000009,\"removed_by\":\"mod\",\"ruling\":\"Why\","
    "\"voters\":{\"up\":[\"ann\",\"bob\"],\"down\":[\"eve\"],"
    "\"voided_up\":[\"mod\"]},\"flags\":[{\"by\":\"eve\","
    "\"reason\":\"spam\",\"at\":1700000001,\"dismissed\":true}]}\n";
static const char deleted[] =
    "{\"kind\":\"comment\",\"article\":9,\"id\":1,\"text\":\"\","
    "\"author\":\"bob\",\"posted\":1700000000,\"closes\":1700604800,"
    "\"up\":1,\"down\":0,\"removed\":1700000009,"
    "\"removed_by\":\"bob\"}\n";

static const char told[] =
    "{\"kind\":\"user\",\"name\":\"bob\",\"created\":1700000000,"
    "\"role\":\"member\",\"password\":\"\",\"told\":9,\"read\":9}\n";
static const char notice[] =
    "{\"kind\":\"notice\",\"to\":\"bob\",\"number\":1000000000,"
    "\"article\":9,\"comment\":16777215,\"why\":\"mention\"}\n";
static const char muted_article[] =
    "{\"kind\":\"mute\",\"by\":\"bob\",\"article\":9}\n";
static const char muted_member[] =
    "{\"kind\":\"mute\",\"by\":\"bob\",\"member\":\"ann\"}\n";

static const struct rules rules = { .vote_window = 604800 };

static struct text
refusal(struct arena *arena, const char *line, struct record *record)
{
	struct text why = record_read(arena, text_of(line), record);

	return why.size > 0
	    ? why
	    : validate_record(arena, &rules, message_problem, record);
}

static void
read_lines_are_written_unchanged(void **state)
{
	struct arena *arena = *state;
	const char *lines[] = { ann, redis, nobodys, linked, note, site,
		suspended, fed, former, flagged, act, act_on_comment,
		closed_thread, comment, deleted, told, notice, muted_article,
		muted_member };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct buffer written = buffer_in(arena, 16);
		struct record record;

		assert_text(refusal(arena, lines[i], &record), "");
		assert_true(record_write(&written, &record));
		assert_text(buffer_text(&written), lines[i]);
	}
}

static void
reading_fills_the_structs(void **state)
{
	struct arena *arena = *state;
	struct record record;

	assert_text(refusal(arena, linked, &record), "");
	assert_int_equal(record.kind, RECORD_ARTICLE);
	assert_int_equal(record.article.post.id.article, 7);
	assert_text(record.article.url, "Http://Example.org/|a b");
	assert_text(record.article.groups, "redis go");
	assert_int_equal(record.article.interesting, 1700000500);
	assert_int_equal(record.article.post.removed, 0);
	assert_true(record.article.post.voters_known);
	assert_int_equal(record.voters[VOTERS_UP].count, 2);
	assert_text(record.voters[VOTERS_UP].items[1].name, "bob");
	assert_text(record.voters[VOTERS_DOWN].items[0].name, "eve");
}

/* A comment on article 9, with one member replaced. */
#define COMMENT(brief, text, removed) \
	"{\"kind\":\"comment\",\"article\":9," brief ",\"text\":" text \
	",\"author\":\"bob\",\"removed\":" removed "}"
#define BRIEF "\"id\":3,\"posted\":1700000000,\"up\":1,\"down\":0"

static void
reading_fills_a_comment(void **state)
{
	struct arena *arena = *state;
	struct record record;

	assert_text(refusal(arena, comment, &record), "");
	assert_int_equal(record.kind, RECORD_COMMENT);
	assert_ptr_equal(record_post(&record), &record.comment.post);
	assert_int_equal(record.comment.post.id.article, 9);
	assert_int_equal(record.comment.post.id.comment, 3);
	assert_int_equal(record.comment.parent, 2);
	assert_text(record.comment.links, "@ann /g/redis");
	assert_true(record.comment.post.voters_known);
	assert_int_equal(record.voters[VOTERS_UP].count, 2);
	assert_int_equal(record.flag_count, 1);
	assert_text(refusal(arena, deleted, &record), "");
	assert_false(record.comment.post.voters_known);
	assert_int_equal(record.flag_count, 0);
	assert_text(refusal(arena, act_on_comment, &record), "");
	assert_int_equal(record.act.comment, COMMENT_NUMBER_MAX);
	assert_null(record_post(&record));
}

static void
closes_and_by_may_be_missing_and_others_are_ignored(void **state)
{
	struct arena *arena = *state;
	struct record record;

	assert_text(
	    refusal(arena,
		"{\"color\":{\"a\":[1]},\"up\":1,\"down\":0,\"id\":3,"
		"\"title\":\"T\",\"url\":\"http://a.b\",\"text\":null,"
		"\"author\":\"ann\",\"posted\":1700000000,\"groups\":[],"
		"\"interesting\":null,\"removed\":null,"
		"\"kind\":\"article\"}",
		&record),
	    "");
	assert_int_equal(record.article.post.closes, 1700604800);
	assert_false(record.article.post.voters_known);
	assert_text(
	    refusal(arena, COMMENT(BRIEF, "\"x\"", "null"), &record), "");
	assert_int_equal(record.comment.post.closes, 1700604800);
	assert_int_equal(record.comment.parent, 0);
	assert_text(refusal(arena, nobodys, &record), "");
	assert_text(record.group.by.name, "");
}

static void
invalid_utf8_is_not_written(void **state)
{
	struct arena *arena = *state;
	struct record record = { .kind = RECORD_GROUP,
		.group = { .name = TEXT("go"), .title = TEXT("\xff") } };
	struct buffer written = buffer_in(arena, 16);

	assert_false(record_write(&written, &record));
}

/* An article with one member replaced. */
#define ARTICLE(id, title, url, text, posted, groups, votes) \
	"{\"kind\":\"article\",\"id\":" id ",\"title\":" title ",\"url\":" url \
	",\"text\":" text ",\"author\":\"ann\",\"posted\":" posted \
	",\"groups\":" groups ",\"interesting\":null,\"removed\":null," votes \
	"}"
#define GOOD_LINK "\"http://a.b/\""
#define NO_VOTES  "\"up\":1,\"down\":0"
#define NOW	  "1700000000"

#define FLAGS(flags) \
	ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[]", \
	    NO_VOTES ",\"flags\":[" flags "]")
#define SITE(more) \
	"{\"kind\":\"site\",\"name\":\"S\",\"registration\":\"open\"," \
	"\"group_creation\":\"members\"," more "}"
#define ACT(what, reason) \
	"{\"kind\":\"act\",\"id\":1,\"what\":\"" what "\"," \
	"\"at\":1700000000,\"reason\":\"" reason "\"}"

#define NOTICE(number, comment, why) \
	"{\"kind\":\"notice\",\"to\":\"ann\",\"number\":" number \
	",\"article\":9,\"comment\":" comment ",\"why\":\"" why "\"}"

static const struct {
	const char *line, *why;
} refused[] = {
	{ FLAGS("{\"by\":\"a\",\"reason\":\"none\",\"at\":1}"),
	    "is no reason for a flag" },
	{ FLAGS("{\"by\":\"a\",\"reason\":\"dull\",\"at\":1}"),
	    "is no reason for a flag" },
	{ FLAGS("{\"reason\":\"spam\",\"at\":1}"), "\"by\" has to be there" },
	{ FLAGS("{\"by\":\"a\",\"reason\":\"first\",\"at\":1}"),
	    "\"by\" has to be there" },
	{ FLAGS("{\"by\":\"a\",\"reason\":\"spam\"}"), "\"at\"" },
	{ FLAGS("7"), "flags" },
	{ SITE("\"hosts\":[\"Spam.example\"]"), "\"hosts\"" },
	{ SITE("\"hosts\":[\"http://a.example/\"]"), "\"hosts\"" },
	{ SITE("\"voting_since\":\"soon\""), "\"voting_since\"" },
	{ SITE("\"tag_authority\":\"a.example\""), "\"tag_authority\"" },
	{ SITE("\"voting\":\"never\""), "\"voting\"" },
	{ SITE("\"announced\":\"soon\""), "\"announced\"" },
	{ SITE("\"announcement\":\"a\\u202e\""), "\"announcement\"" },
	{ SITE("\"rules\":7"), "\"rules\"" },
	{ SITE("\"slogan\":\"a\\u001b\""), "\"slogan\"" },
	{ SITE("\"foot_links\":\"Imprint javascript:x\""), "\"foot_links\"" },
	{ "{\"kind\":\"image\",\"name\":\"face\",\"png\":\"\"}", "\"name\"" },
	{ "{\"kind\":\"image\",\"name\":\"logo\",\"png\":\"\"}", "\"png\"" },
	{ "{\"kind\":\"image\",\"name\":\"logo\",\"png\":\"iVBO*\"}",
	    "\"png\" is not base64" },
	{ "{\"kind\":\"image\",\"name\":\"logo\",\"png\":\"iVBORw0K\"}",
	    "\"png\": This isn" },
	{ "{\"kind\":\"image\",\"name\":\"logo\"}", "\"png\" is missing" },
	{ ACT("forgotten", ""), "\"what\" is nothing that moderators do" },
	{ ACT("removed", "a\\u001b"), "\"reason\"" },
	{ COMMENT(BRIEF, "\"\"", "null"), "\"text\": Write something" },
	{ COMMENT(BRIEF, "\" \"", "1700000009"), "\"text\": Write something" },
	{ COMMENT(BRIEF, "\"a\\u202e\"", "null"), "\"text\" has control" },
	{ COMMENT(BRIEF, "null", "1700000009"), "\"text\" is not a text" },
	{ COMMENT(BRIEF ",\"parent\":3", "\"x\"", "null"),
	    "\"parent\" is not below \"id\"" },
	{ COMMENT(BRIEF ",\"parent\":-1", "\"x\"", "null"),
	    "\"parent\" is not from 0" },
	{ COMMENT(BRIEF ",\"closes\":1600000000", "\"x\"", "null"),
	    "\"closes\" lies before" },
	{ COMMENT(BRIEF ",\"links\":[\"ann\"]", "\"x\"", "null"),
	    "\"links\" has one of something else" },
	{ COMMENT(BRIEF ",\"links\":[\"@a/\"]", "\"x\"", "null"),
	    "\"links\": Use 2 to 20" },
	{ COMMENT(BRIEF ",\"links\":[\"/g/Go\"]", "\"x\"", "null"),
	    "\"links\": Use 2 to 32" },
	{ COMMENT(BRIEF ",\"links\":[\"@ann /g/go\"]", "\"x\"", "null"),
	    "\"links\" has something else than names" },
	{ COMMENT(BRIEF ",\"ruling\":\"a\\u001b\"", "\"x\"", "null"),
	    "\"ruling\"" },
	{ COMMENT(BRIEF ",\"voters\":{\"up\":[],\"down\":[]}", "\"x\"", "null"),
	    "\"up\" is 1, and 0 voted so" },
	{ COMMENT("\"id\":0,\"posted\":1,\"up\":1,\"down\":0", "\"x\"", "null"),
	    "\"id\" is not from 1" },
	{ COMMENT("\"id\":16777216,\"posted\":1,\"up\":1,\"down\":0", "\"x\"",
	      "null"),
	    "\"id\" is above 16777215" },
	{ COMMENT("\"id\":1,\"posted\":4294967296,\"up\":1,\"down\":0", "\"x\"",
	      "null"),
	    "\"posted\" is above 4294967295" },
	{ COMMENT("\"id\":1,\"posted\":1,\"up\":16777216,\"down\":0", "\"x\"",
	      "null"),
	    "\"up\" is above 16777215" },
	{ COMMENT("\"id\":1,\"posted\":1,\"up\":1,\"down\":16777216", "\"x\"",
	      "null"),
	    "\"down\" is above 16777215" },
	{ COMMENT("\"posted\":1,\"up\":1,\"down\":0", "\"x\"", "null"),
	    "\"id\" is missing" },
	{ NOTICE("0", "3", "reply"), "\"number\" is not from 1" },
	{ NOTICE("-1", "3", "reply"), "\"number\" is not from 1" },
	{ NOTICE("1000000001", "3", "reply"),
	    "\"number\" is above 1000000000" },
	{ NOTICE("1.5", "3", "reply"), "\"number\" is not a whole number" },
	{ NOTICE("1", "0", "reply"), "\"comment\" is not from 1" },
	{ NOTICE("1", "16777216", "reply"), "\"comment\" is above 16777215" },
	{ NOTICE("1", "3", "rely"),
	    "\"why\" is none of article, reply, mention, action, "
	    "code-password and code-factor" },
	{ "{\"kind\":\"notice\",\"to\":\"ann\",\"number\":1,"
	  "\"article\":9,\"why\":\"action\",\"act\":3}",
	    "a notice has either an article and a comment, an act, or when a "
	    "recovery code was used" },
	{ "{\"kind\":\"notice\",\"to\":\"ann\",\"number\":1,"
	  "\"comment\":1,\"why\":\"reply\"}",
	    "a notice has either an article and a comment, an act, or when a "
	    "recovery code was used" },
	{ "{\"kind\":\"mute\",\"by\":\"ann\"}",
	    "a mute has either an article or a member" },
	{ "{\"kind\":\"mute\",\"by\":\"ann\",\"article\":9,"
	  "\"member\":\"bob\"}",
	    "a mute has either an article or a member" },
	{ "{\"kind\":\"mute\",\"by\":\"ann\",\"article\":0}",
	    "\"article\" is not from 1" },
	{ "{\"kind\":\"mute\",\"article\":9}", "\"by\" is missing" },
	{ "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1,\"role\":"
	  "\"member\",\"password\":\"\",\"told\":3,\"read\":4}",
	    "\"read\" is above \"told\"" },
	{ "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1,\"role\":"
	  "\"member\",\"password\":\"\",\"feed_key\":\"7.secret\"}",
	    "\"feed_key\" is no digest" },
	{ "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1,\"role\":"
	  "\"member\",\"password\":\"\",\"told\":1000000001}",
	    "\"told\" is not from 0 to 1000000000" },
	{ "{", "not JSON" },
	{ "[]", "not a JSON object" },
	{ "{\"kind\":\"user\"} {}", "not JSON" },
	{ "{\"kind\":\"user\",\"kind\":\"user\"}", "duplicate" },
	{ "{\"kind\":\"user\",\"name\":\"a\xff\"}", "not JSON" },
	{ "{\"kind\":\"user\",\"name\":\"a\\u0000\"}", "not JSON" },
	{ "{\"name\":\"ann\"}", "\"kind\" is missing" },
	{ "{\"kind\":\"poll\"}", "\"kind\" is none of" },
	{ "{\"kind\":7}", "\"kind\" is not a text" },
	{ "{\"kind\":\"user\"}", "\"name\" is missing" },
	{ "{\"kind\":\"user\",\"name\":null}", "\"name\" is not a text" },
	{ "{\"kind\":\"user\",\"name\":\"a b\",\"created\":1,\"role\":"
	  "\"member\",\"password\":\"\"}",
	    "\"name\": Use 2 to 20" },
	{ "{\"kind\":\"user\",\"name\":\" ann\",\"created\":1,\"role\":"
	  "\"member\",\"password\":\"\"}",
	    "\"name\" has spaces" },
	{ "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1.0,\"role\":"
	  "\"member\",\"password\":\"\"}",
	    "\"created\" is not a whole number" },
	{ "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1700000000000,"
	  "\"role\":\"member\",\"password\":\"\"}",
	    "\"created\" is not a moment in Unix seconds" },
	{ "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1,\"role\":"
	  "\"king\",\"password\":\"\"}",
	    "\"role\" is none of" },
	{ "{\"kind\":\"user\",\"name\":\"ann\",\"created\":1,\"role\":"
	  "\"member\",\"password\":\"secret\"}",
	    "\"password\" is neither empty nor" },
	{ "{\"kind\":\"group\",\"name\":\"Go\",\"title\":\"Go\","
	  "\"created\":1}",
	    "\"name\": Use 2 to 32" },
	{ "{\"kind\":\"group\",\"name\":\"go\",\"title\":\"\","
	  "\"created\":1}",
	    "\"title\": Enter a title" },
	{ ARTICLE("1", "\"T\"", "null", "\"x\"", NOW, "[]",
	      NO_VOTES ",\"markup\":\"html\""),
	    "\"markup\" is nothing that texts are in" },
	{ ARTICLE("0", "\"T\"", GOOD_LINK, "null", NOW, "[]", NO_VOTES),
	    "\"id\" is not from 1" },
	{ ARTICLE("-1", "\"T\"", GOOD_LINK, "null", NOW, "[]", NO_VOTES),
	    "\"id\" is not from 1" },
	{ ARTICLE(
	      "100000000000", "\"T\"", GOOD_LINK, "null", NOW, "[]", NO_VOTES),
	    "\"id\" is not from 1" },
	{ ARTICLE("99999999999999999999", "\"T\"", GOOD_LINK, "null", NOW, "[]",
	      NO_VOTES),
	    "not JSON: too big integer" },
	{ ARTICLE("\"1\"", "\"T\"", GOOD_LINK, "null", NOW, "[]", NO_VOTES),
	    "\"id\" is not a whole number" },
	{ ARTICLE("1", "\"  \"", GOOD_LINK, "null", NOW, "[]", NO_VOTES),
	    "\"title\": Enter a title" },
	{ ARTICLE("1", "\"a\\u0007\"", GOOD_LINK, "null", NOW, "[]", NO_VOTES),
	    "\"title\" has control or text direction characters" },
	{ ARTICLE("1", "\"a\\u202e\"", GOOD_LINK, "null", NOW, "[]", NO_VOTES),
	    "\"title\" has control or text direction characters" },
	{ ARTICLE("1", "\"T\"", "null", "null", NOW, "[]", NO_VOTES),
	    "a link or a text" },
	{ ARTICLE("1", "\"T\"", "null", "\"\"", NOW, "[]", NO_VOTES),
	    "\"text\" is empty" },
	{ ARTICLE("1", "\"T\"", "null", "\" \"", NOW, "[]", NO_VOTES),
	    "\"text\" has nothing in it" },
	{ ARTICLE("1", "\"T\"", "null", "\"a\\u0001\"", NOW, "[]", NO_VOTES),
	    "\"text\" has control" },
	{ ARTICLE(
	      "1", "\"T\"", "\"www.a.example/\"", "null", NOW, "[]", NO_VOTES),
	    "\"url\": Enter a link that starts" },
	{ ARTICLE("1", "\"T\"", "\"ftp://a.b/\"", "null", NOW, "[]", NO_VOTES),
	    "\"url\": Enter a link that starts" },
	{ ARTICLE(
	      "1", "\"T\"", "\"http://a:b@c/\"", "null", NOW, "[]", NO_VOTES),
	    "\"url\": Remove the username" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", "true", "[]", NO_VOTES),
	    "\"posted\" is not a whole number" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "{}", NO_VOTES),
	    "\"groups\" is not a list" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[1]", NO_VOTES),
	    "\"groups\" has something else than names" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[\"a b\"]", NO_VOTES),
	    "\"groups\" has something else than names" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[\"Go\"]", NO_VOTES),
	    "\"groups\" has spaces around it, capitals or repeats" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[\"go\",\"go\"]",
	      NO_VOTES),
	    "\"groups\" has spaces around it, capitals or repeats" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[]",
	      "\"up\":-1,\"down\":0"),
	    "\"up\" is not from 0" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[]",
	      "\"up\":1,\"down\":0,\"closes\":1600000000"),
	    "\"closes\" lies before" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[]",
	      NO_VOTES ",\"voters\":null"),
	    "\"voters\" is not an object" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[]",
	      NO_VOTES ",\"voters\":{\"up\":[\"ann\"]}"),
	    "of \"voters\" \"down\" is missing" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[]",
	      NO_VOTES ",\"voters\":{\"up\":[\"ann\",\"bob\"],\"down\":[]}"),
	    "\"up\" is 1, and 2 voted so" },
	{ ARTICLE("1", "\"T\"", GOOD_LINK, "null", NOW, "[]",
	      "\"up\":1,\"down\":2,\"voters\":{\"up\":[\"ann\"],"
	      "\"down\":[]}"),
	    "\"down\" is 2, and 0 voted so" },
};

static void
each_mistake_has_its_message(void **state)
{
	struct arena *arena = *state;
	struct record record;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct text why = refusal(arena, refused[i].line, &record);
		const char *string = text_string(arena, why);

		if (strstr(string, refused[i].why) == NULL)
			fail_msg("%s\nwas refused for: %s\nand not for: %s",
			    refused[i].line, string, refused[i].why);
	}
}

/* Forms once accepted these characters, so dumps may have them. */
static void
invisible_characters_are_preserved(void **state)
{
	static const char *const kept[] = { "a\u00adz", "a\u200cz",
		"a\U000e0041", "a\u0378", "a\u206a",
		"a\u0301\u0301\u0301\u0301\u0301" };
	struct arena *arena = *state;
	struct record record;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		const char *quoted = fixture_string(arena, "\"%s\"", kept[i]);
		const char *line = fixture_string(arena,
		    ARTICLE("1", "%s", "null", "%s", NOW, "[]", NO_VOTES),
		    quoted, quoted);

		assert_text(refusal(arena, line, &record), "");
		assert_text(record.article.title, kept[i]);
		assert_text(record.article.text, kept[i]);
	}
}

static struct text
title_of(struct arena *arena, size_t characters)
{
	struct buffer title = buffer_in(arena, 64);

	for (size_t i = 0; i < characters; i++)
		buffer_add(&title, TEXT("\xc3\xa9"));
	return buffer_text(&title);
}

/* Links are stored in addition to the text, so a line is at most twice as long. */
static void
longest_comment_is_written_and_read(void **state)
{
	struct arena *arena = *state;
	struct buffer text = buffer_in(arena, 64), links = buffer_in(arena, 64);
	struct buffer line = buffer_in(arena, 64);
	struct record record, read;

	for (size_t i = 0; i < RULE_COMMENT_MAX; i++)
		buffer_add(&text, TEXT("\xf0\x9f\x90\xa7"));
	for (size_t i = 0; i < RULE_COMMENT_MAX / 4; i++)
		buffer_add(&links, i == 0 ? TEXT("@ab") : TEXT(" @ab"));
	assert_text(refusal(arena, comment, &record), "");
	record.comment.text = buffer_text(&text);
	record.comment.links = buffer_text(&links);
	assert_text(
	    validate_record(arena, &rules, message_problem, &record), "");
	assert_true(record_write(&line, &record));
	assert_in_range(line.size, 4 * RULE_COMMENT_MAX, 8 * RULE_COMMENT_MAX);
	assert_text(record_read(arena, buffer_text(&line), &read), "");
	assert_same(read.comment.text, record.comment.text);
	assert_same(read.comment.links, record.comment.links);
	buffer_add(&text, TEXT("x"));
	record.comment.text = buffer_text(&text);
	assert_text(validate_record(arena, &rules, message_problem, &record),
	    "\"text\" has 10001 characters, and at most 10000 are allowed");
}

static void
lengths_count_characters(void **state)
{
	struct arena *arena = *state;
	struct record record = { .kind = RECORD_GROUP,
		.group = { .name = TEXT("go") } };

	record.group.title = title_of(arena, RULE_TITLE_MAX);
	assert_text(
	    validate_record(arena, &rules, message_problem, &record), "");
	record.group.title = title_of(arena, RULE_TITLE_MAX + 1);
	assert_text(validate_record(arena, &rules, message_problem, &record),
	    "\"title\" has 201 characters, and at most 200 are allowed");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(read_lines_are_written_unchanged),
		fixture_arena_test(reading_fills_the_structs),
		fixture_arena_test(reading_fills_a_comment),
		fixture_arena_test(longest_comment_is_written_and_read),
		fixture_arena_test(
		    closes_and_by_may_be_missing_and_others_are_ignored),
		fixture_arena_test(invalid_utf8_is_not_written),
		fixture_arena_test(each_mistake_has_its_message),
		fixture_arena_test(invisible_characters_are_preserved),
		fixture_arena_test(lengths_count_characters),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
