/*
 * What authors can do: edit and withdraw, up to the last second of the time for it, and
 * close their account.
 */
#include <signal.h>
#include <time.h>

#include "../support/browser.h"
#include "../support/invariants.h"
#include "base/crypto.h"
#include "store/user.h"

enum { MINUTES = 900, WEEK = 604800 };

static const char password[] = "correct horse";

/* Articles by ann: 1 is a link, 2 a text. */
struct scene {
	struct world *world;
	struct browser ann;
	uint64_t link, text;
	struct text link_groups;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };
	struct article article = { .title = TEXT("Text"),
		.text = TEXT("One."),
		.post.author = { 1, TEXT("ann") } };

	world_stop_clock(world, NOON);
	world_group(world, "redis");
	world_group(world, "chess");
	scene.ann = browser_member(world, "ann");
	scene.link = world_post(world, 1, "Link", "http://a.example/", "redis");
	assert_int_equal(
	    article_post(&world->store, &world->arena, &article), STORE_OK);
	scene.text = article.post.id.article;
	return scene;
}

static const char *
path(const struct scene *scene, uint64_t id, const char *what)
{
	return fixture_string(
	    &scene->world->arena, "/articles/%d/%s", (int)id, what);
}

static enum http_status
edit(struct scene *scene, uint64_t id, const char *title, const char *text,
    const char *groups)
{
	return browser_post(&scene->ann, path(scene, id, "edit"),
	    FIELDS("title", title, "text", text, "groups", groups));
}

static struct article
read_again(const struct scene *scene, uint64_t id)
{
	return world_article(scene->world, id, 0);
}

static void
title_and_groups_are_edited_for_fifteen_minutes(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;

	assert_status(
	    browser_get(&scene.ann, path(&scene, scene.link, "edit")), 200);
	assert_holds(&scene.ann, "value=\"Link\"");
	world_stop_clock(world, NOON + MINUTES - 1);
	assert_status(edit(&scene, scene.link, "Better", "", "chess"), 303);
	assert_text(read_again(&scene, scene.link).title, "Better");
	assert_text(read_again(&scene, scene.link).groups, "chess");
	assert_int_equal(
	    read_again(&scene, scene.link).post.edited, NOON + MINUTES - 1);
	assert_status(browser_follow(&scene.ann), 200);
	assert_holds(&scene.ann, "Edited <time");
	/* A second later both are refused, and the page does not say that they were
	 * saved. */
	world_stop_clock(world, NOON + MINUTES);
	assert_status(
	    browser_get(&scene.ann, path(&scene, scene.link, "edit")), 200);
	assert_holds(&scene.ann, "changing title and groups are over");
	assert_holds(&scene.ann, "Withdraw this article");
	assert_status(edit(&scene, scene.link, "Bait", "", "redis"), 422);
	assert_holds(&scene.ann,
	    "Titles can only be changed for 15 minutes after posting.");
	assert_status(
	    browser_get(&scene.ann, path(&scene, scene.text, "edit")), 200);
	assert_holds(&scene.ann, "type=\"hidden\" name=\"title\"");
	assert_holds(&scene.ann, ">Save</button>");
	assert_status(edit(&scene, scene.link, "Better", "", "redis"), 303);
	assert_text(read_again(&scene, scene.link).title, "Better");
	assert_text(read_again(&scene, scene.link).groups, "chess");
	assert_int_equal(
	    article_edit(&world->store, &world->arena,
		&(struct article){
		    .post.id = article_id(scene.link), .title = TEXT("Bait") }),
	    STORE_CLOSED);
	invariants_check(world);
}

static void
text_is_edited_while_voting_is_open(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;

	world_stop_clock(world, NOON + WEEK - 1);
	assert_status(edit(&scene, scene.text, "", "Two.", ""), 303);
	assert_text(read_again(&scene, scene.text).text, "Two.");
	assert_text(read_again(&scene, scene.text).title, "Text");
	assert_status(edit(&scene, scene.text, "", "", ""), 422);
	assert_status(edit(&scene, scene.text, "", " \n ", ""), 422);
	/* A link may be given one, and lose it. */
	assert_status(edit(&scene, scene.link, "", "Text", ""), 303);
	assert_text(read_again(&scene, scene.link).text, "Text");
	assert_status(edit(&scene, scene.link, "", "", ""), 303);
	assert_text(read_again(&scene, scene.link).text, "");
	world_stop_clock(world, NOON + WEEK);
	assert_status(edit(&scene, scene.text, "", "Three.", ""), 409);
	assert_status(
	    browser_get(&scene.ann, path(&scene, scene.text, "edit")), 409);
	assert_text(read_again(&scene, scene.text).text, "Two.");
	assert_int_equal(
	    article_edit(&world->store, &world->arena,
		&(struct article){ .post.id = article_id(scene.text),
		    .title = TEXT("Text"),
		    .text = TEXT("Three.") }),
	    STORE_CLOSED);
}

static void
authors_edit_only_their_own(void **state)
{
	static const char *const actions[] = { "edit", "withdraw" };
	struct scene scene = begin(*state);
	struct browser others[] = { browser_member(*state, "bob"),
		browser_moderator(*state, "mod") };

	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 2; j++)
			assert_status(browser_post(&others[i],
					  path(&scene, scene.text, actions[j]),
					  FIELDS("title", "X", "text", "X")),
			    403);
	assert_status(
	    browser_get(&others[0], path(&scene, scene.text, "edit")), 403);
	assert_status(browser_get(&others[0], "/articles/99/edit"), 404);
	assert_text(read_again(&scene, scene.text).text, "One.");
}

static void
withdrawing_is_permanent(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser nobody = browser_open(world);
	uint64_t bob = world_member(world, "bob");

	world_vote(world, scene.link, bob, VOTE_UP);
	world_stop_clock(world, NOON + WEEK - 1);
	assert_status(browser_post(&scene.ann,
			  path(&scene, scene.link, "withdraw"), NULL),
	    303);
	assert_int_equal(world_karma(world, 1), 1);
	assert_status(browser_follow(&scene.ann), 410);
	assert_holds(&scene.ann, "You withdrew this article");
	assert_lacks(&scene.ann, "sees only that it was removed");
	assert_status(browser_post(&scene.ann,
			  path(&scene, scene.link, "withdraw"), NULL),
	    410);
	assert_status(edit(&scene, scene.link, "X", "", ""), 410);
	/* Visitors do not even see its title. */
	assert_status(
	    browser_post(&nobody, path(&scene, scene.link, "edit"), NULL), 410);
	assert_lacks(&nobody, "“Link”");
	assert_lacks(&nobody, ">Link<");
	assert_status(
	    browser_post(&mod, path(&scene, scene.link, "restore"), NULL), 403);
	assert_holds(&mod, "This article can’t be restored");
	assert_status(browser_get(&mod, "/log"), 200);
	assert_holds(&mod, "No entries yet");
	/* After voting has closed, articles cannot be withdrawn. */
	world_stop_clock(world, NOON + WEEK);
	assert_status(browser_post(&scene.ann,
			  path(&scene, scene.text, "withdraw"), NULL),
	    409);
	assert_int_equal(post_withdraw(&world->store, &world->arena,
			     article_id(scene.text), 1),
	    STORE_CLOSED);
	assert_int_equal(post_withdraw(&world->store, &world->arena,
			     article_id(scene.text), bob),
	    STORE_ABSENT);
	assert_int_equal(read_again(&scene, scene.text).post.removed, 0);
	invariants_check(world);
}

static void
assert_keeps(const struct scene *scene, enum http_status status, int expected)
{
	assert_status(status, expected);
	assert_holds(&scene->ann, "Typed.</textarea>");
	assert_holds(&scene->ann, "value=\"Typed title\"");
}

/* The time for edits ends, the article is removed, the session ends. */
static void
refused_edit_keeps_what_was_typed(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann, bob = browser_member(*state, "bob");
	struct text cookie = browser_cookie(ann, "tally");
	const char *form = path(&scene, scene.text, "edit");

	assert_status(browser_get(ann, form), 200);
	world_stop_clock(*state, NOON + WEEK);
	assert_keeps(
	    &scene, edit(&scene, scene.text, "Typed title", "Typed.", ""), 409);
	assert_holds(
	    ann, fixture_string(&scene.world->arena, "action=\"%s\"", form));
	assert_lacks(ann, "One.");
	world_stop_clock(*state, NOON);
	world_remove(*state, scene.text);
	assert_keeps(&scene,
	    edit(&scene, scene.text, "Typed title", "Typed.", "chess"), 410);
	assert_holds(ann, "Edit your <a href=");
	assert_lacks(ann, "Withdraw this article");
	browser_set_cookie(ann, TEXT("tally"), TEXT(""));
	assert_keeps(
	    &scene, edit(&scene, scene.text, "Typed title", "Typed.", ""), 401);
	assert_lacks(ann, "“<a href");
	browser_set_cookie(ann, TEXT("tally"), cookie);
	/* Others have no form, nor has a GET. */
	assert_status(
	    browser_post(&bob, form, FIELDS("title", "X", "text", "Typed.")),
	    403);
	assert_lacks(&bob, "Typed.");
	assert_status(browser_get(ann, form), 410);
	assert_lacks(ann, "<textarea");
}

/* Without a text no form is shown: if it were sent, it would delete the text. */
static void
edit_while_redis_is_away_keeps_what_was_typed(void **state)
{
	const struct timespec pause = { 0, 20000000 };
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;
	const char *form = path(&scene, scene.text, "edit");
	enum http_status status = HTTP_UNAVAILABLE;

	assert_status(browser_get(ann, form), 200);
	kill(scene.world->redis, SIGSTOP);
	assert_status(browser_post(ann, form, NULL), 503);
	assert_lacks(ann, "<textarea");
	assert_status(browser_get(ann, form), 503);
	assert_lacks(ann, "<textarea");
	assert_keeps(&scene,
	    browser_post(ann, form,
		FIELDS(
		    "title", "Typed title", "text", "Typed.", "g-chess", "on")),
	    503);
	assert_int_equal(ann->answer.retry_after, 2);
	assert_holds(
	    ann, fixture_string(&scene.world->arena, "action=\"%s\"", form));
	assert_holds(ann, "value=\"chess\" id=\"groups\"");
	/* The form that was shown is sent. */
	kill(scene.world->redis, SIGCONT);
	for (int i = 0; i < 3000 && status == HTTP_UNAVAILABLE; i++) {
		nanosleep(&pause, NULL);
		status =
		    edit(&scene, scene.text, "Typed title", "Typed.", "chess");
	}
	assert_status(status, 303);
	assert_text(read_again(&scene, scene.text).text, "Typed.");
	assert_text(read_again(&scene, scene.text).groups, "chess");
}

/* Only pages of editable articles have these forms. */
static void
article_links_to_its_edit_form(void **state)
{
	struct scene scene = begin(*state);
	struct browser bob = browser_member(*state, "bob");
	const char *article = fixture_string(
	    &scene.world->arena, "/articles/%d", (int)scene.text);

	assert_status(browser_get(&scene.ann, article), 200);
	assert_holds(&scene.ann, "Edit or withdraw");
	assert_status(browser_get(&bob, article), 200);
	assert_lacks(&bob, "Edit or withdraw");
	world_stop_clock(*state, NOON + WEEK);
	assert_status(browser_get(&scene.ann, article), 200);
	assert_lacks(&scene.ann, "Edit or withdraw");
}

static struct browser
registered(struct world *world, const char *name, enum role role)
{
	struct browser browser = browser_open(world);
	struct user user = { .name = text_of(name),
		.role = role,
		.password_hash =
		    crypto_password_hash(&world->arena, text_of(password)) };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
	assert_status(browser_get(&browser, "/login"), 200);
	assert_status(browser_post(&browser, "/login",
			  FIELDS("username", name, "password", password)),
	    303);
	return browser;
}

static void
account_is_closed(void **state)
{
	struct world *world = *state;
	struct browser zoe = registered(world, "zoe", ROLE_MEMBER);
	struct user user;
	uint64_t id = world_post(world, 1, "Mine", "http://z.example/", "");

	assert_status(browser_get(&zoe, "/settings/close"), 200);
	assert_holds(&zoe, "My articles and comments (");
	assert_status(browser_post(&zoe, "/settings/close",
			  FIELDS("password", "wrong", "name_goes", "yes")),
	    422);
	assert_status(
	    browser_post(&zoe, "/settings/close", FIELDS("password", "")), 422);
	assert_status(browser_get(&zoe, "/settings"), 200);
	assert_status(browser_get(&zoe, "/settings/close"), 200);
	assert_status(browser_post(&zoe, "/settings/close",
			  FIELDS("password", password, "name_goes", "yes")),
	    303);
	/* The page says so, once. */
	assert_status(browser_follow(&zoe), 200);
	assert_holds(&zoe, "Your account is closed.");
	assert_holds(&zoe, "<title>Account closed · Log in · ");
	assert_status(browser_get(&zoe, "/login"), 200);
	assert_lacks(&zoe, "Your account is closed.");
	assert_status(browser_get(&zoe, "/settings"), 303);
	assert_status(browser_get(&zoe, "/u/zoe"), 404);
	assert_status(browser_get(&zoe, "/u/closed-1"), 200);
	assert_text(world_article(world, id, 0).title, "Mine");
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("closed-1"), &user),
	    STORE_OK);
	browser_get(&zoe, "/login");
	assert_status(browser_post(&zoe, "/login",
			  FIELDS("username", "closed-1", "password", password)),
	    422);
	/* Names of closed accounts cannot be registered. */
	browser_get(&zoe, "/register");
	assert_status(
	    browser_post(&zoe, "/register",
		FIELDS("username", "Closed-77", "password", password)),
	    422);
}

static void
last_owner_cannot_close_the_account(void **state)
{
	struct world *world = *state;
	struct browser own = registered(world, "own", ROLE_OWNER), two;

	assert_status(browser_get(&own, "/settings/close"), 200);
	assert_status(
	    browser_post(&own, "/settings/close", FIELDS("password", password)),
	    403);
	assert_status(browser_get(&own, "/settings"), 200);
	two = registered(world, "two", ROLE_OWNER);
	assert_status(browser_get(&two, "/settings/close"), 200);
	assert_status(
	    browser_post(&two, "/settings/close", FIELDS("password", password)),
	    303);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(title_and_groups_are_edited_for_fifteen_minutes),
		world_test(text_is_edited_while_voting_is_open),
		world_test(authors_edit_only_their_own),
		world_test(withdrawing_is_permanent),
		world_test(refused_edit_keeps_what_was_typed),
		world_test(edit_while_redis_is_away_keeps_what_was_typed),
		world_test(article_links_to_its_edit_form),
		world_test(account_is_closed),
		world_test(last_owner_cannot_close_the_account),
	};

	crypto_start();
	return world_run("authors", tests);
}
