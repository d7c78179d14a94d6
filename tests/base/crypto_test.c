/* Hashes against published vectors, and passwords. */
#include "base/crypto.h"

#include <string.h>

#include "../support/fixture.h"

/* FIPS 180-4's examples. */
static void
sha256_matches_published_vectors(void **state)
{
	struct arena *arena = *state;

	assert_text(crypto_sha256_hex(arena, TEXT("abc")),
	    "ba7816bf8f01cfea414140de5dae2223"
	    "b00361a396177a9cb410ff61f20015ad");
	assert_text(crypto_sha256_hex(arena, (struct text){ NULL, 0 }),
	    "e3b0c44298fc1c149afbf4c8996fb924"
	    "27ae41e4649b934ca495991b7852b855");
}

/* Without a key and with one, as b2sum and other implementations have it. */
static void
digests_are_blake2b(void **state)
{
	struct arena *arena = *state;

	assert_text(crypto_digest_hex(arena, TEXT(""), TEXT("abc")),
	    "bddd813c634239723171ef3fee98579b"
	    "94964e3bb1cb3e427262c8c068d52319");
	assert_text(crypto_digest_hex(arena, TEXT(""), TEXT("")),
	    "0e5751c026e543b2e8ab2eb06099daa1"
	    "d1e5df47778f7787faab45cdf12fe3a8");
	assert_text(crypto_digest_hex(arena, TEXT("Jefe"),
			TEXT("what do ya want for nothing?")),
	    "44a4b7e70bb4dcf7416a764ddbc44852"
	    "38283605dd7781dc1ea7e1ce22707834");
}

static void
random_bytes_differ(void **state)
{
	struct arena *arena = *state;
	struct text one = crypto_random_hex(arena, 16);
	struct text other = crypto_random_hex(arena, 16);

	assert_int_equal(one.size, 32);
	for (size_t i = 0; i < one.size; i++)
		assert_true(text_hex_digit(one.data[i]) >= 0);
	assert_false(text_equal(one, other));
}

/* Each mask differs, and what is no mask is left as it is: forms that a former version showed
 * have a digest without one. */
static void
masked_digests_are_digests(void **state)
{
	struct arena *arena = *state;
	struct text digest =
	    crypto_digest_hex(arena, TEXT("key"), TEXT("message"));
	struct text one = crypto_mask_digest(arena, digest);
	struct text other = crypto_mask_digest(arena, digest);

	for (size_t i = 0; i + 8 <= digest.size; i++)
		assert_true(
		    text_find(one, 0, text_slice(digest, i, 8)) == SIZE_MAX);
	assert_false(text_equal(one, other));
	assert_true(text_equal(crypto_unmask_digest(arena, one), digest));
	assert_true(text_equal(crypto_unmask_digest(arena, other), digest));
	assert_true(text_equal(crypto_unmask_digest(arena, digest), digest));
	assert_text(crypto_unmask_digest(arena, TEXT("none")), "none");
	one = text_slice(one, 1, one.size);
	assert_true(text_equal(crypto_unmask_digest(arena, one), one));
	assert_text(crypto_mask_digest(arena, TEXT("none")), "");
	assert_text(crypto_mask_digest(arena, (struct text){ NULL, 0 }), "");
}

static void
comparison_reads_every_byte(void **state)
{
	(void)state;
	assert_true(crypto_equal(TEXT("abc"), TEXT("abc")));
	assert_false(crypto_equal(TEXT("abc"), TEXT("abd")));
	assert_false(crypto_equal(TEXT("abc"), TEXT("ab")));
	assert_true(crypto_equal(TEXT(""), (struct text){ NULL, 0 }));
}

static void
password_matches_only_its_own_hash(void **state)
{
	struct arena *arena = *state;
	struct text hash = crypto_password_hash(arena, TEXT("correct horse"));
	struct text again = crypto_password_hash(arena, TEXT("correct horse"));

	assert_true(text_starts(hash, TEXT("$argon2id$v=19$m=19456,t=2,p=1$")));
	assert_false(text_equal(hash, again));
	assert_true(crypto_password_hash_valid(hash));
	assert_true(crypto_password_matches(hash, TEXT("correct horse")));
	assert_true(crypto_password_matches(again, TEXT("correct horse")));
	assert_false(crypto_password_matches(hash, TEXT("correct horsf")));
	assert_false(crypto_password_matches(hash, TEXT("Correct horse")));
	assert_false(crypto_password_matches(hash, TEXT("")));
	/* What follows a zero byte counts as well. */
	hash = crypto_password_hash(arena, TEXT("a\0b"));
	assert_true(crypto_password_matches(hash, TEXT("a\0b")));
	assert_false(crypto_password_matches(hash, TEXT("a\0c")));
}

static void
no_password_matches_a_malformed_hash(void **state)
{
	(void)state;
	assert_false(
	    crypto_password_matches((struct text){ NULL, 0 }, TEXT("")));
	assert_false(crypto_password_matches(TEXT(""), TEXT("password")));
	assert_false(
	    crypto_password_matches(TEXT("password"), TEXT("password")));
}

static void
only_argon2id_hashes_are_valid(void **state)
{
	static const char *const bad[] = { "", "secret", "$argon2id$",
		"$argon2i$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"$argon2id$v=19$m=19456,t=2,p=1$A",
		"$2b$12$abcdefghijklmnopqrstuv" };
	struct arena *arena = *state;
	struct text hash = crypto_password_hash(arena, TEXT("password"));
	char long_one[300];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(crypto_password_hash_valid(text_of(bad[i])));
	assert_false(crypto_password_hash_valid(
	    text_join(arena, text_slice(hash, 0, hash.size - 1), TEXT("!"))));
	assert_false(
	    crypto_password_hash_valid(text_join(arena, hash, TEXT(" "))));
	memset(long_one, 'A', sizeof(long_one));
	assert_false(crypto_password_hash_valid(text_join(arena,
	    TEXT("$argon2id$"), (struct text){ long_one, sizeof(long_one) })));
	/* Made with settings other than ours, as a dump may contain it. */
	assert_true(crypto_password_hash_valid(
	    TEXT("$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
		 "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")));
}

#define HASH(cost) \
	"$argon2id$v=19$" cost "$AAAAAAAAAAAAAAAAAAAAAA$" \
	"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

/* Each log-in would cost that much. */
static void
hashes_that_cost_too_much_are_not_valid(void **state)
{
	static const char *const bad[] = { HASH("m=65536,t=4000000,p=1"),
		HASH("m=65536,t=5,p=1"), HASH("m=65537,t=1,p=1"),
		HASH("m=4194304,t=1,p=1"), HASH("m=65536,t=1,p=5") };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(crypto_password_hash_valid(text_of(bad[i])));
		assert_false(
		    crypto_password_matches(text_of(bad[i]), TEXT("password")));
	}
	assert_true(crypto_password_hash_valid(TEXT(HASH("m=65536,t=4,p=4"))));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(hashes_that_cost_too_much_are_not_valid),
		fixture_arena_test(sha256_matches_published_vectors),
		fixture_arena_test(digests_are_blake2b),
		fixture_arena_test(random_bytes_differ),
		fixture_arena_test(masked_digests_are_digests),
		fixture_arena_test(comparison_reads_every_byte),
		fixture_arena_test(password_matches_only_its_own_hash),
		fixture_arena_test(no_password_matches_a_malformed_hash),
		fixture_arena_test(only_argon2id_hashes_are_valid),
	};

	crypto_start();
	return cmocka_run_group_tests_name("crypto", tests, NULL, NULL);
}
