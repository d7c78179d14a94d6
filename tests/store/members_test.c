/* Ids of posts, as bytes and as numbers. */
#include "store/article.h"

#include <string.h>

#include "../support/fixture.h"

static const struct post_id posts[] = {
	/* In order, as bytes and as numbers. */
	{ 1, 0 },
	{ 7, 0 },
	{ 99999999999, 0 },
	{ 1, 1 },
	{ 1, 127 },
	{ 1, 128 },
	{ 1, 129 },
	{ 1, 16383 },
	{ 1, 16384 },
	{ 1, 2097151 },
	{ 1, 2097152 },
	{ 1, 0xffffff },
	{ 127, 1 },
	{ 128, 1 },
	{ 16383, 1 },
	{ 16384, 1 },
	{ 2097151, 1 },
	{ 2097152, 1 },
	{ 268435455, 1 },
	{ 268435456, 1 },
	{ 34359738367, 1 },
	{ 34359738368, 1 },
	{ 99999999999, 0xffffff },
};
enum { POSTS = sizeof(posts) / sizeof(posts[0]) };

static int
compare(struct text one, struct text other)
{
	size_t size = one.size < other.size ? one.size : other.size;
	int order = memcmp(one.data, other.data, size);

	if (order != 0)
		return order;
	return one.size < other.size ? -1 : one.size > other.size;
}

static void
ids_are_decoded_from_their_bytes(void **state)
{
	for (size_t i = 0; i < POSTS; i++) {
		struct text member = encode_post(*state, posts[i]);
		struct post_id id = decode_post(member);

		assert_int_equal(id.article, posts[i].article);
		assert_int_equal(id.comment, posts[i].comment);
		id = post_id_from_number(decode_post_number(member));
		assert_int_equal(id.article, posts[i].article);
		assert_int_equal(id.comment, posts[i].comment);
	}
}

static void
bytes_and_numbers_have_the_same_order(void **state)
{
	for (size_t i = 0; i + 1 < POSTS; i++) {
		struct text one = encode_post(*state, posts[i]);
		struct text next = encode_post(*state, posts[i + 1]);

		assert_true(compare(one, next) < 0);
		assert_true(decode_post_number(one) < decode_post_number(next));
	}
}

static void
ids_take_few_bytes(void **state)
{
	assert_text(
	    encode_post(*state, (struct post_id){ 127, 1 }), "\x7f\x01");
	assert_text(encode_post(*state, (struct post_id){ 128, 128 }),
	    "\x80\x80\x80\x80");
	assert_int_equal(
	    encode_post(*state, (struct post_id){ 2097151, 300 }).size, 5);
	assert_int_equal(encode_post(*state, article_id(1)).size, 6);
}

static void
other_bytes_are_not_ids(void **state)
{
	static const char *const wrong[] = { "", "\x01", "\x01\x02\x03",
		"\x80\x01", "\x01\x80", "\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"\xfc\x01\x01\x01\x01\x01\x01\x01",
		"\x01\xf0\x02\x02\x02\x02" /* no comment has so many bits */ };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct post_id id = decode_post(text_of(wrong[i]));

		assert_int_equal(id.article, 0);
		assert_int_equal(id.comment, 0);
		assert_int_equal(decode_post_number(text_of(wrong[i])), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(ids_are_decoded_from_their_bytes),
		fixture_arena_test(bytes_and_numbers_have_the_same_order),
		fixture_arena_test(ids_take_few_bytes),
		fixture_arena_test(other_bytes_are_not_ids),
	};

	return cmocka_run_group_tests_name("members", tests, NULL, NULL);
}
