/* The cache, which maps bytes to bytes. */
#include "base/cache.h"

#include "../support/fixture.h"
#include "base/buffer.h"

struct shelf {
	struct cache *cache;
	struct arena arena;
};

static int
set_up(void **state)
{
	static struct shelf shelf;

	shelf = (struct shelf){ .cache = cache_new(64, 1000) };
	*state = &shelf;
	return 0;
}

static int
tear_down(void **state)
{
	struct shelf *shelf = *state;

	cache_free(shelf->cache);
	arena_free(&shelf->arena);
	return 0;
}

static void
assert_kept(struct shelf *shelf, struct text key, struct text value)
{
	struct text found;

	assert_true(cache_get(shelf->cache, &shelf->arena, key, &found));
	assert_true(text_equal(found, value));
}

static void
assert_unknown(struct shelf *shelf, struct text key)
{
	struct text found;

	assert_false(cache_get(shelf->cache, &shelf->arena, key, &found));
}

/* Bytes that differ from number to number. */
static struct text
bytes_of(struct shelf *shelf, size_t size, unsigned number)
{
	char *bytes = arena_bytes(&shelf->arena, size);

	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)(number + i);
	return (struct text){ bytes, size };
}

static void
values_are_found_under_their_keys_only(void **state)
{
	struct shelf *shelf = *state;

	assert_unknown(shelf, TEXT("7 3"));
	cache_put(shelf->cache, TEXT("7 3"), TEXT("seven"));
	assert_kept(shelf, TEXT("7 3"), TEXT("seven"));
	assert_unknown(shelf, TEXT("7 4"));
	assert_unknown(shelf, TEXT("7 "));
	assert_unknown(shelf, TEXT("7 3s"));
	assert_unknown(shelf, TEXT(""));
}

/* Small values are in the table itself, larger ones outside of it. */
static void
every_size_comes_back_as_it_was(void **state)
{
	struct shelf *shelf = *state;

	for (size_t key = 1; key < 40; key++) {
		for (size_t value = 0; value < 40; value++) {
			struct text name = bytes_of(shelf, key, 1);
			struct text content = bytes_of(shelf, value, 200);

			cache_put(shelf->cache, name, content);
			assert_kept(shelf, name, content);
		}
	}
}

static void
cache_stores_and_returns_copies(void **state)
{
	struct shelf *shelf = *state;
	char key[] = "key", value[] = "a value that is longer than a slot";
	struct text found;

	cache_put(shelf->cache, text_of(key), text_of(value));
	key[0] = value[0] = 'X';
	assert_true(
	    cache_get(shelf->cache, &shelf->arena, TEXT("key"), &found));
	assert_text(found, "a value that is longer than a slot");
	for (unsigned i = 0; i < 1000; i++)
		cache_put(shelf->cache, bytes_of(shelf, 30, i),
		    bytes_of(shelf, 90, i));
	assert_text(found, "a value that is longer than a slot");
}

static void
last_stored_value_of_a_key_is_found(void **state)
{
	struct shelf *shelf = *state;

	for (unsigned i = 0; i < 10; i++) {
		cache_put(shelf->cache, TEXT("key"), bytes_of(shelf, 5 * i, i));
		assert_kept(shelf, TEXT("key"), bytes_of(shelf, 5 * i, i));
	}
}

/* A key that is stored several times takes one slot of its set. */
static void
keeping_a_key_again_displaces_no_other(void **state)
{
	struct shelf shelf = { .cache = cache_new(4, 1000) };

	(void)state;
	cache_put(shelf.cache, TEXT("a"), TEXT("1"));
	cache_put(shelf.cache, TEXT("b"), TEXT("2"));
	for (int i = 0; i < 10; i++)
		cache_put(shelf.cache, TEXT("c"), TEXT("3"));
	assert_kept(&shelf, TEXT("a"), TEXT("1"));
	assert_kept(&shelf, TEXT("b"), TEXT("2"));
	cache_put(shelf.cache, TEXT("d"), TEXT("4"));
	cache_put(shelf.cache, TEXT("e"), TEXT("5"));
	assert_unknown(&shelf, TEXT("a"));
	assert_kept(&shelf, TEXT("b"), TEXT("2"));
	cache_free(shelf.cache);
	arena_free(&shelf.arena);
}

static void
size_is_limited_and_values_are_not_confused(void **state)
{
	struct shelf *shelf = *state;
	size_t found = 0;

	for (unsigned i = 0; i < 5000; i++)
		cache_put(shelf->cache, text_number(&shelf->arena, (int64_t)i),
		    text_format(&shelf->arena, "the value of %u", i));
	for (unsigned i = 0; i < 5000; i++) {
		struct text value;

		if (!cache_get(shelf->cache, &shelf->arena,
			text_number(&shelf->arena, (int64_t)i), &value))
			continue;
		found++;
		assert_true(text_equal(
		    value, text_format(&shelf->arena, "the value of %u", i)));
	}
	assert_in_range(found, 32, 64);
}

/* Like those of twenty members whose ids have the same ending, in a cache with room for
 * twelve times as many. */
static void
keys_that_end_alike_do_not_displace_each_other(void **state)
{
	struct shelf shelf = { .cache = cache_new(256, 1000) };

	(void)state;
	for (uint64_t epoch = 1; epoch <= 4; epoch++) {
		struct text keys[20];

		for (uint64_t i = 0; i < 20; i++) {
			const uint64_t parts[] = { epoch, 2, 0, 1000 * i };
			struct buffer key = buffer_in(&shelf.arena, 40);

			buffer_add_varints(&key, parts, 4);
			keys[i] = buffer_text(&key);
			cache_put(shelf.cache, keys[i], TEXT("seen"));
		}
		for (size_t i = 0; i < 20; i++)
			assert_kept(&shelf, keys[i], TEXT("seen"));
	}
	cache_free(shelf.cache);
	arena_free(&shelf.arena);
}

static void
too_large_values_are_not_stored(void **state)
{
	struct shelf *shelf = *state;

	cache_put(shelf->cache, TEXT("k"), bytes_of(shelf, 999, 0));
	assert_kept(shelf, TEXT("k"), bytes_of(shelf, 999, 0));
	cache_put(shelf->cache, TEXT("l"), bytes_of(shelf, 1000, 0));
	assert_unknown(shelf, TEXT("l"));
}

/* Many small values, or a few large ones, but never more bytes than are allowed. */
static void
all_together_are_bounded(void **state)
{
	struct shelf shelf = { .cache = cache_new_bounded(64, 4096, 10000) };
	size_t bytes = 0, found = 0;

	(void)state;
	for (unsigned i = 0; i < 500; i++) {
		struct text key = text_format(&shelf.arena, "key %u", i);
		size_t size = i % 3 == 0 ? 4000 : 100;

		cache_put(shelf.cache, key, bytes_of(&shelf, size, i));
		/* The last stored value is found. */
		assert_kept(&shelf, key, bytes_of(&shelf, size, i));
	}
	for (unsigned i = 0; i < 500; i++) {
		struct text key = text_format(&shelf.arena, "key %u", i);
		struct text value;

		if (!cache_get(shelf.cache, &shelf.arena, key, &value))
			continue;
		found++;
		bytes += key.size + value.size;
	}
	assert_in_range(bytes, 4000, 10000);
	assert_true(found >= 2);
	for (unsigned i = 0; i < 64; i++)
		cache_put(shelf.cache, text_format(&shelf.arena, "small %u", i),
		    bytes_of(&shelf, 50, i));
	assert_kept(&shelf, TEXT("small 63"), bytes_of(&shelf, 50, 63));
	cache_free(shelf.cache);
	arena_free(&shelf.arena);
}

static void
without_a_memo_nothing_is_kept(void **state)
{
	struct shelf none = { .cache = NULL };

	(void)state;
	cache_put(NULL, TEXT("key"), TEXT("value"));
	assert_unknown(&none, TEXT("key"));
	cache_free(NULL);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(values_are_found_under_their_keys_only),
		TEST(every_size_comes_back_as_it_was),
		TEST(cache_stores_and_returns_copies),
		TEST(last_stored_value_of_a_key_is_found),
		TEST(keeping_a_key_again_displaces_no_other),
		TEST(size_is_limited_and_values_are_not_confused),
		TEST(keys_that_end_alike_do_not_displace_each_other),
		TEST(too_large_values_are_not_stored),
		TEST(all_together_are_bounded),
		TEST(without_a_memo_nothing_is_kept),
	};

	return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
