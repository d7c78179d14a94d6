/* The list of groups, and creating one. */
#include <stdio.h>
#include <string.h>

#include "../support/browser.h"
#include "store/group.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct browser
begin(struct world *world)
{
	world_stop_clock(world, NOON);
	return browser_member(world, "ann");
}

static void
member_creates_a_group(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct group group;

	assert_status(browser_get(&ann, "/groups"), 200);
	assert_holds(&ann, "There are no groups yet.");
	assert_holds(&ann, "action=\"/groups\"");
	assert_holds(&ann, "Only moderators can change it later.");
	assert_status(
	    browser_post(&ann, "/groups",
		FIELDS("name", " c-lang ", "title", " The \"C\" language ")),
	    303);
	assert_text(ann.answer.location, "/g/c-lang");
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "<h1><bdi>c-lang</bdi></h1>");
	assert_holds(&ann, "The &quot;C&quot; language");
	assert_int_equal(
	    group_get(&world->store, &world->arena, TEXT("c-lang"), &group),
	    STORE_OK);
	assert_int_equal(group.by.id, 1);
	assert_int_equal(group.created, NOON);
	assert_status(browser_get(&ann, "/groups"), 200);
	assert_holds(&ann, "href=\"/g/c-lang\"");
	assert_lacks(&ann, "There are no groups yet.");
}

static void
mistakes_are_named(void **state)
{
	static const struct {
		const char *name, *title, *said;
	} mistakes[] = {
		{ "", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "a", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "abcdefghijklmnopqrstuvwxyz0123456", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "Redis", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "a b", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "a+b", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "a/b", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "a_b", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "@1", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "\xc3\xa4\xc3\xa4", "Title",
		    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens." },
		{ "new", "", "Enter a title for the group." },
		{ "new", " ", "Enter a title for the group." },
		{ "new", "a\x01", "which were removed" },
		{ "taken", "Title", "That group already exists." },
	};
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before;

	world_group(world, "taken");
	before = world_snapshot(world);
	for (size_t i = 0; i < COUNT(mistakes); i++) {
		assert_status(browser_post(&ann, "/groups",
				  FIELDS("name", mistakes[i].name, "title",
				      mistakes[i].title)),
		    422);
		assert_holds(&ann, mistakes[i].said);
	}
	assert_holds(&ann, "value=\"taken\"");
	assert_holds(&ann, "value=\"Title\"");
	assert_holds(&ann, "href=\"/g/taken\"");
	assert_unchanged(world, before);
}

static void
list_counts_articles(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);

	world_group(world, "one");
	world_group(world, "none");
	world_group(world, "two");
	world_post(world, 1, "A", "http://a.example/", "one two");
	world_post(world, 1, "B", "http://b.example/", "two");
	assert_status(browser_get(&reader, "/groups"), 200);
	assert_holds(&reader, ">1 article</span>");
	assert_holds(&reader, ">2 articles</span>");
	assert_holds(&reader, ">0 articles</span>");
	assert_lacks(&reader, "method=\"post\"");
	/* In order of their names. */
	assert_true(
	    memmem(reader.answer.body.data, reader.answer.body.size, "/g/none",
		7) < memmem(reader.answer.body.data, reader.answer.body.size,
			 "/g/one", 6));
	assert_status(
	    browser_post(&ann, "/articles/1/groups", FIELDS("remove", "two")),
	    303);
	assert_status(browser_get(&reader, "/groups"), 200);
	assert_int_equal(browser_count(&reader, ">1 article</span>"), 2);
}

static void
many_groups_have_pages(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world);

	for (int i = 0; i < 201; i++) {
		char name[16];

		snprintf(name, sizeof(name), "g%03d", i);
		world_group(world, name);
	}
	assert_status(browser_get(&reader, "/groups"), 200);
	assert_int_equal(browser_count(&reader, "class=\"count\""), 200);
	assert_holds(&reader, "rel=\"next\" href=\"/groups?page=2\"");
	assert_lacks(&reader, "rel=\"prev\"");
	assert_status(browser_get(&reader, "/groups?page=2"), 200);
	assert_int_equal(browser_count(&reader, "class=\"count\""), 1);
	assert_holds(&reader, "href=\"/g/g200\"");
	assert_holds(&reader, "rel=\"prev\" href=\"/groups\"");
	assert_lacks(&reader, "rel=\"next\"");
	assert_status(browser_get(&reader, "/groups?page=3"), 404);
	assert_holds(&reader, "This list has only 2 pages.");
	assert_holds(
	    &reader, "href=\"/groups?page=2\">Go to the last page (2)</a>");
}

static void
invalid_pages_are_400(void **state)
{
	static const char *const targets[] = { "/groups?page=0",
		"/groups?page=01", "/groups?page=-1", "/groups?page=x",
		"/groups?page=", "/groups?page=1000000000",
		"/?page=1000000000" };
	struct world *world = *state;
	struct browser reader = browser_open(world);

	for (size_t i = 0; i < COUNT(targets); i++)
		assert_status(browser_get(&reader, targets[i]), 400);
	assert_status(browser_get(&reader, "/groups?page=999999999"), 404);
}

static void
wrong_token_loses_no_input(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_post(&ann, "/groups",
			  FIELDS("csrf", "x", "name", "new", "title", "A <b>")),
	    403);
	assert_holds(&ann, "role=\"alert\"");
	assert_holds(&ann, "value=\"new\"");
	assert_holds(&ann, "value=\"A &lt;b&gt;\"");
	assert_lacks(&ann, "problem");
	assert_status(browser_post(&ann, "/groups",
			  FIELDS("name", "new", "title", "A <b>")),
	    303);
}

/* The checkboxes of /groups redirect to the address of the combination. */
static void
ticked_groups_are_combined(void **state)
{
	static const struct {
		const char *asked;
		int status;
		const char *location;
	} rules[] = {
		{ "/g?g-bb=on&g-aa=on", 303, "/g/bb+aa" },
		{ "/g?g-aa=on&g-bb=on&match=all", 303, "/g/aa+bb?match=all" },
		{ "/g?g-aa=on", 303, "/g/aa" },
		{ "/g?g-a%2Fb=on", 303, "/g/a%2Fb" },
		{ "/g", 301, "/groups" },
		{ "/g?match=any", 400, "" },
	};
	struct world *world = *state;
	struct browser reader = browser_open(world);

	world_group(world, "aa");
	world_group(world, "bb");
	assert_status(browser_get(&reader, "/groups"), 200);
	assert_holds(&reader, "<input type=\"checkbox\" name=\"g-aa\">");
	for (size_t i = 0; i < COUNT(rules); i++) {
		assert_status(
		    browser_get(&reader, rules[i].asked), rules[i].status);
		assert_text(reader.answer.location, rules[i].location);
	}
	assert_status(browser_go(&reader, "/g/bb+aa"), 200);
	assert_holds(&reader, "<h1><bdi>aa + bb</bdi></h1>");
	assert_holds(&reader, "href=\"/submit?groups=aa+bb\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(member_creates_a_group),
		world_test(mistakes_are_named),
		world_test(list_counts_articles),
		world_test(many_groups_have_pages),
		world_test(invalid_pages_are_400),
		world_test(wrong_token_loses_no_input),
		world_test(ticked_groups_are_combined),
	};

	return world_run("groups", tests);
}
