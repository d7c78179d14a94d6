/* Comments in lists: the newest, a member's, how many an article has, and which are new. */
#include "../support/browser.h"
#include "lists/read_marks.h"

static void
newest_comments_come_first(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser reader = browser_open(scene.world);

	assert_status(browser_get(&reader, "/comments"), 200);
	assert_holds(&reader, "No comments yet.");
	world_comment(scene.world, article_id(1), 2, "First words");
	world_move_clock(scene.world, 1);
	world_comment(scene.world, article_id(1), 1, "Second words");
	assert_status(browser_get(&reader, "/comments"), 200);
	assert_holds(&reader, "Second words");
	assert_holds(&reader, "First words");
	assert_true(text_find(reader.answer.body, 0, TEXT("Second words")) <
	    text_find(reader.answer.body, 0, TEXT("First words")));
	assert_holds(
	    &reader, " on <a href=\"/articles/1\">“<bdi>First</bdi>”</a>");
	assert_status(browser_get(&reader, "/u/bob/comments"), 200);
	assert_holds(&reader, "First words");
	assert_lacks(&reader, "Second words");
	assert_status(browser_get(&reader, "/u/BOB/comments"), 301);
	assert_text(reader.answer.location, "/u/bob/comments");
	assert_status(browser_get(&reader, "/u/nobody/comments"), 404);
	assert_status(browser_get(&reader, "/u/bob"), 200);
	assert_holds(&reader,
	    "0 articles · <a "
	    "href=\"/u/bob/comments\">1 comment</a>");
}

static void
lists_have_pages(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct arena *arena = &scene.world->arena;
	struct browser reader = browser_open(scene.world);

	for (int i = 0; i < 30; i++) {
		world_move_clock(scene.world, 1);
		world_comment(scene.world, article_id(1), 2,
		    fixture_string(arena, "Word %d.", i));
	}
	assert_status(browser_get(&reader, "/comments"), 200);
	assert_int_equal(
	    browser_count(&reader, "<article class=\"comment"), 25);
	assert_holds(&reader, "href=\"/comments?page=2\"");
	assert_status(browser_get(&reader, "/comments?page=2"), 200);
	assert_int_equal(browser_count(&reader, "<article class=\"comment"), 5);
	assert_holds(&reader, "Word 0.");
	assert_status(browser_get(&reader, "/comments?page=3"), 404);
	assert_status(browser_get(&reader, "/comments?page=0"), 400);
	assert_status(browser_get(&reader, "/u/bob/comments?page=2"), 200);
	assert_status(browser_get(&reader, "/u/bob/comments?page=999"), 404);
}

static void
removed_comments_are_in_no_list(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser reader = browser_open(world);

	world_comment(scene.world, article_id(1), 2, "Gone words");
	world_comment(scene.world, article_id(1), 2, "Kept words");
	assert_int_equal(post_remove(&world->store, &world->arena,
			     (struct post_id){ 1, 1 }, &world_removal),
	    STORE_OK);
	assert_status(browser_get(&reader, "/comments"), 200);
	assert_holds(&reader, "Kept words");
	assert_lacks(&reader, "Gone words");
	/* Nor are the comments of a removed article. */
	world_remove(world, 1);
	assert_status(browser_get(&reader, "/comments"), 200);
	assert_lacks(&reader, "Kept words");
}

static void
votes_in_a_list_return_to_it(void **state)
{
	struct browser_scene scene = browser_scene(*state);

	world_comment(scene.world, article_id(1), 2, "One");
	assert_status(browser_get(&scene.ann, "/comments"), 200);
	assert_status(browser_post(&scene.ann, "/vote",
			  FIELDS("up", "1.1", "return_to", "/comments")),
	    303);
	assert_text(scene.ann.answer.location, "/comments#comment-1-1");
	assert_status(browser_follow(&scene.ann), 200);
	assert_holds(&scene.ann, "data-points=\"2\" data-vote=\"up\"");
}

static void
rows_count_comments_and_new_ones(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *ann = &scene.ann;

	assert_status(browser_get(ann, "/"), 200);
	assert_holds(ann, "href=\"/articles/1#comments\">comment</a>");
	world_comment(scene.world, article_id(1), 2, "One");
	world_comment(scene.world, article_id(1), 2, "Two");
	assert_status(browser_get(ann, "/"), 200);
	assert_holds(ann, "href=\"/articles/1#comments\">2 comments</a>");
	/* Nothing is new to members who have not visited the article. */
	assert_lacks(ann, " new</b>");
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_lacks(ann, ">new</span>");
	world_comment(scene.world, article_id(1), 2, "Three");
	assert_status(browser_get(ann, "/"), 200);
	assert_holds(ann, "3 comments</a> <b class=\"fresh\">1 new</b>");
	assert_status(browser_get(&scene.bob, "/"), 200);
	assert_lacks(&scene.bob, " new</b>");
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_int_equal(browser_count(ann, ">new</span>"), 1);
	assert_lacks(ann, "next new");
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_lacks(ann, ">new</span>");
	/* Each leads to the next one, but the last. */
	world_comment(scene.world, (struct post_id){ 1, 3 }, 2, "Four");
	world_comment(scene.world, (struct post_id){ 1, 1 }, 2, "Five");
	world_comment(scene.world, (struct post_id){ 1, 4 }, 2, "Six");
	assert_status(browser_get(ann, "/articles/1?order=oldest"), 200);
	assert_int_equal(browser_count(ann, ">new</span>"), 3);
	assert_int_equal(browser_count(ann, ">next new</a>"), 2);
	assert_holds(ann,
	    "<span class=\"badge\">new</span> · <a href=\"#comment-4\">next "
	    "new</a>");
	assert_holds(ann, "<a href=\"#comment-6\">next new</a>");
	assert_status(browser_get(ann, "/"), 200);
	assert_lacks(ann, " new</b>");
}

/* Later requests on the same connection are answered after it. */
static void
note(struct world *world, uint64_t user, uint64_t article, uint64_t last)
{
	read_marks_set(&world->store, &world->arena, user, article, last);
	world_command(world, TEXT("PING"));
}

/* The number of articles that are remembered is limited. */
static void
record_of_visits_is_bounded(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct user user;
	struct read_marks seen;
	uint64_t last;

	for (uint64_t id = 1; id <= READ_MARKS_MAX + 1; id++)
		note(world, 2, id, id);
	/* A lower number changes nothing. */
	note(world, 2, READ_MARKS_MAX + 1, 5);
	user = world_user(world, 2);
	assert_int_equal(user.visits, READ_MARKS_MAX + 1);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(read_marks_read(&world->store, &world->arena,
				     world->cache, &user, &seen),
		    STORE_OK);
		assert_int_equal(
		    seen.count, READ_MARKS_MAX + 1 - READ_MARKS_MAX / 4);
		assert_false(read_marks_find(&seen, READ_MARKS_MAX / 4, &last));
		assert_true(
		    read_marks_find(&seen, READ_MARKS_MAX / 4 + 1, &last));
		assert_true(read_marks_find(&seen, READ_MARKS_MAX + 1, &last));
		assert_int_equal(last, READ_MARKS_MAX + 1);
	}
	note(world, 99, 1, 1);
	assert_text(world_keys(world, "{u99}*"), "");
	assert_int_not_equal(world_keys(world, "{u2}seen").size, 0);
	/* After the last thread has closed, nobody sees new comments. */
	world_move_clock(world, world->store.rules.thread_window + 1);
	assert_text(world_keys(world, "{u2}seen"), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(newest_comments_come_first),
		world_test(lists_have_pages),
		world_test(removed_comments_are_in_no_list),
		world_test(votes_in_a_list_return_to_it),
		world_test(rows_count_comments_and_new_ones),
		world_test(record_of_visits_is_bounded),
	};

	return world_run("listed", tests);
}
