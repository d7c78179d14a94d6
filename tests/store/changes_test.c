/*
 * The stream of changes: each function that changes what search finds of a post notes it, and
 * no other does; a reader reads each entry once, and notices when some may be missing.
 */
#include <string.h>

#include "../support/world.h"
#include "store/changes.h"
#include "store/comment.h"

enum { BUCKETS_MAX = 4 };

struct reader {
	struct world *world;
	struct changes_position positions[BUCKETS_MAX];
};

static struct reader
reader_at_end(struct world *world)
{
	struct reader reader = { .world = world };

	assert_int_equal(
	    changes_end(&world->store, &world->arena, reader.positions),
	    STORE_OK);
	return reader;
}

static enum changes_result
read_once(struct reader *reader, struct changes *changes)
{
	return changes_read(&reader->world->store, &reader->world->arena,
	    reader->positions, changes);
}

/* The posts of all new entries, as "7 7:3", repeated ones once. */
static struct text
read_all(struct reader *reader)
{
	struct arena *arena = &reader->world->arena;
	struct buffer names = buffer_in(arena, 64);
	struct changes changes;

	do {
		assert_int_equal(read_once(reader, &changes), CHANGES_OK);
		for (size_t i = 0; i < changes.count; i++) {
			struct text name =
			    key_post_name(arena, changes.posts[i]);

			if (text_has_word(buffer_text(&names), name))
				continue;
			buffer_add(&names, TEXT(" "));
			buffer_add(&names, name);
		}
	} while (changes.has_more);
	return buffer_text(&names);
}

static void
posting_and_editing_are_noted(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "go");
	struct reader reader = { .world = world };
	struct article article = world_article(world, scene.article, 0);
	struct post_id comment = { scene.article, 1 };

	assert_text(read_all(&reader), " 1");
	world_comment(world, article_id(scene.article), scene.bob, "First");
	assert_text(read_all(&reader), " 1:1");
	assert_int_equal(comment_edit(&world->store, &world->arena, comment,
			     TEXT("Second"), TEXT("")),
	    STORE_OK);
	assert_text(read_all(&reader), " 1:1");
	article.title = TEXT("Another title");
	assert_int_equal(
	    article_edit(&world->store, &world->arena, &article), STORE_OK);
	assert_text(read_all(&reader), " 1");
	world_group(world, "lua");
	assert_int_equal(article_set_groups(&world->store, &world->arena,
			     scene.article, TEXT("lua"), TEXT("go")),
	    STORE_OK);
	assert_text(read_all(&reader), " 1");
}

static void
removing_and_restoring_are_noted(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "");
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	struct post_id article = article_id(scene.article);
	struct post_id comment = { scene.article,
		world_comment(world, article, scene.bob, "Mine") };
	struct post_id other = article_id(
	    world_post(world, scene.ann, "Other", "http://a.b/other", ""));
	struct reader reader = reader_at_end(world);

	assert_int_equal(
	    post_remove(store, arena, comment, &world_removal), STORE_OK);
	assert_text(read_all(&reader), " 1:1");
	assert_int_equal(
	    post_restore(store, arena, comment, TEXT(""), &world_restoring),
	    STORE_OK);
	assert_text(read_all(&reader), " 1:1");
	assert_int_equal(
	    post_delete(store, arena, comment, scene.bob), STORE_OK);
	assert_text(read_all(&reader), " 1:1");
	assert_int_equal(
	    post_withdraw(store, arena, other, scene.ann), STORE_OK);
	assert_text(read_all(&reader), " 2");
}

/* A closed account's posts with its texts, and a post that is loaded. */
static void
disowning_and_loading_are_noted(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "");
	const struct buckets *buckets = &world->store.buckets;
	struct reader reader = reader_at_end(world);
	struct text key =
	    key_post(&world->arena, buckets, article_id(scene.article));

	world_command(world, TEXT("FCALL"), TEXT("disown_1"), TEXT("1"), key,
	    TEXT("1 closed-1"), TEXT("erased"));
	assert_text(read_all(&reader), " 1");
	key = key_post(&world->arena, buckets, article_id(9));
	world_command(world, TEXT("FCALL"), TEXT("load_5"), TEXT("1"), key,
	    TEXT("432"), TEXT("0"), TEXT("-1"), TEXT("0"), TEXT("author"),
	    TEXT("2 bob"), TEXT("posted"), TEXT("1600000000"), TEXT("closes"),
	    TEXT("1600000001"), TEXT("up"), TEXT("1"), TEXT("title"),
	    TEXT("Loaded"));
	assert_text(read_all(&reader), " 9");
}

static void
votes_and_flags_are_not_noted(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "");
	struct reader reader = reader_at_end(world);
	struct changes changes;

	world_vote(world, scene.article, scene.bob, VOTE_UP);
	world_vote(world, scene.article, scene.eve, VOTE_DOWN);
	assert_int_equal(read_once(&reader, &changes), CHANGES_OK);
	assert_int_equal(changes.count, 0);
	assert_int_equal(changes.first_ms, 0);
}

static struct text
stream_of(struct world *world, uint64_t article)
{
	return key_changes(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, article));
}

/* More than is read at once; each entry is read once and in order. */
static void
many_entries_are_read_in_steps(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "");
	struct text stream = stream_of(world, scene.article);
	struct reader reader = reader_at_end(world);
	struct changes changes;
	uint64_t expected = 1;

	for (int i = 1; i <= 250; i++)
		world_command(world, TEXT("XADD"), stream, TEXT("*"),
		    TEXT("post"), text_format(&world->arena, "1:%d", i));
	do {
		assert_int_equal(read_once(&reader, &changes), CHANGES_OK);
		for (size_t i = 0; i < changes.count; i++)
			assert_int_equal(changes.posts[i].comment, expected++);
	} while (changes.has_more);
	assert_int_equal(expected, 251);
}

static void
add_word(struct world *world, struct text stream, const char *name,
    const char *value)
{
	world_command(world, TEXT("XADD"), stream, TEXT("*"), text_of(name),
	    text_of(value));
}

static void
malformed_entries_are_left_out(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "");
	struct text stream = stream_of(world, scene.article);
	struct reader reader = reader_at_end(world);
	static const char *const names[] = { "", "x", "0", "1:", ":1", "1:2:3",
		"-1", "99999999999999999999", "1:99999999", "1 " };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add_word(world, stream, "post", names[i]);
	add_word(world, stream, "other", "1");
	add_word(world, stream, "post", "1:7");
	assert_text(read_all(&reader), " 1:7");
}

/* Streams are trimmed: a reader who was away for longer, or who is ahead of a Redis that was
 * restored, has a gap, and keeps its positions. */
static void
gaps_are_noticed(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "");
	struct text stream = stream_of(world, scene.article);
	struct reader reader = reader_at_end(world), before = reader;
	struct changes changes;

	add_word(world, stream, "post", "1");
	assert_text(read_all(&reader), " 1");
	world_command(world, TEXT("XTRIM"), stream, TEXT("MAXLEN"), TEXT("1"));
	assert_text(read_all(&reader), "");
	assert_int_equal(read_once(&before, &changes), CHANGES_GAP);
	assert_int_equal(read_once(&before, &changes), CHANGES_GAP);
	world_command(world, TEXT("DEL"), stream);
	assert_int_equal(read_once(&reader, &changes), CHANGES_GAP);
	/* What was written since is later than what is lost. */
	world_move_clock(world, 60);
	add_word(world, stream, "post", "1");
	assert_int_equal(read_once(&reader, &changes), CHANGES_GAP);
}

/* In steps that a busy machine answers in time. */
static void
add_entries(struct world *world, struct text stream, int count)
{
	enum { STEP = 2000 };

	for (int added = 0; added < count; added += STEP)
		world_command(world, TEXT("EVAL"),
		    TEXT("for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], "
			 "'*', 'post', '1') end"),
		    TEXT("1"), stream,
		    text_number(&world->arena,
			count - added < STEP ? count - added : STEP));
}

/* A stream that is shorter than any release has trimmed one to has all of its entries. */
static void
an_unread_stream_that_is_long_has_a_gap(void **state)
{
	struct world *world = *state;
	struct reader reader = { .world = world }, other;
	struct text stream = stream_of(world, 1);
	struct changes changes;

	assert_int_equal(read_once(&reader, &changes), CHANGES_OK);
	add_entries(world, stream, 9999);
	other = reader;
	assert_int_equal(read_once(&other, &changes), CHANGES_OK);
	assert_int_equal(changes.count, 101);
	assert_true(changes.has_more);
	add_word(world, stream, "post", "1");
	assert_int_equal(read_once(&reader, &changes), CHANGES_GAP);
}

/* However much happens, the stream stays small. */
static void
streams_are_trimmed(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "");
	struct text stream = stream_of(world, scene.article), key;
	int64_t length;

	key = key_post(
	    &world->arena, &world->store.buckets, article_id(scene.article));
	add_entries(world, stream, 130000);
	/* A call trims in steps. */
	for (int i = 0; i < 5; i++)
		world_command(world, TEXT("FCALL"), TEXT("file_2"), TEXT("1"),
		    key, TEXT(""), TEXT(""), TEXT("9"), TEXT("432"));
	length = world_command(world, TEXT("XLEN"), stream).number;
	assert_in_range(length, 100000, 100100);
}

/* Redis does not answer: positions stay. */
static void
without_redis_nothing_is_lost(void **state)
{
	struct world *world = *state;
	struct reader reader = { .world = world };
	struct changes changes;

	world_scene(world, "");
	world_command(world, TEXT("ACL"), TEXT("SETUSER"), TEXT("default"),
	    TEXT("-xrange"));
	assert_int_equal(read_once(&reader, &changes), CHANGES_DOWN);
	world_command(world, TEXT("ACL"), TEXT("SETUSER"), TEXT("default"),
	    TEXT("+xrange"));
	assert_text(read_all(&reader), " 1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(posting_and_editing_are_noted),
		world_test(removing_and_restoring_are_noted),
		world_test(disowning_and_loading_are_noted),
		world_test(votes_and_flags_are_not_noted),
		world_test(many_entries_are_read_in_steps),
		world_test(malformed_entries_are_left_out),
		world_test(gaps_are_noticed),
		world_test(an_unread_stream_that_is_long_has_a_gap),
		world_test(streams_are_trimmed),
		world_test(without_redis_nothing_is_lost),
	};

	return world_run("the stream of changes", tests);
}
