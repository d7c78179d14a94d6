/* Time-based codes, by the vectors of RFC 6238 (appendix B, the last six of eight digits), and
 * QR codes. */
#include "base/totp.h"

#include <string.h>

#include "../support/fixture.h"
#include "base/qr.h"

/* "12345678901234567890" in base32. */
#define SECRET TEXT("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")

static void
codes_are_those_of_the_standard(void **state)
{
	static const struct {
		int64_t now;
		const char *code;
	} rows[] = { { 59, "287082" }, { 1111111109, "081804" },
		{ 1111111111, "050471" }, { 1234567890, "005924" },
		{ 2000000000, "279037" }, { 20000000000, "353130" } };
	struct arena arena = { 0 };
	int64_t step;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text code = text_of(rows[i].code);

		assert_text(
		    totp_code(&arena, SECRET, rows[i].now), rows[i].code);
		for (int64_t beside = -1; beside <= 1; beside++) {
			step = 0;
			assert_true(totp_find_step(&arena, SECRET, code,
			    rows[i].now + beside * TOTP_SECONDS, &step));
			assert_int_equal(step, rows[i].now / TOTP_SECONDS);
		}
		assert_false(totp_find_step(&arena, SECRET, code,
		    rows[i].now + 2 * TOTP_SECONDS, &step));
		assert_false(totp_find_step(&arena, SECRET, code,
		    rows[i].now - 2 * TOTP_SECONDS, &step));
	}
	arena_free(&arena);
}

static void
other_texts_are_none(void **state)
{
	static const char *const codes[] = { "", "28708", "2870820", "28708a",
		"+28708", " 28708" };
	static const char *const secrets[] = { "", "GEZDGNBVGY3TQOJQ",
		"gezdgnbvgy3tqojqgezdgnbvgy3tqojq",
		"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1",
		"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQA" };
	struct arena arena = { 0 };
	int64_t step;

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		assert_false(totp_find_step(
		    &arena, SECRET, text_of(codes[i]), 59, &step));
	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
		assert_false(totp_is_secret(text_of(secrets[i])));
		assert_false(totp_find_step(
		    &arena, text_of(secrets[i]), TEXT("287082"), 59, &step));
	}
	arena_free(&arena);
}

static void
new_secrets_are_secrets_and_differ(void **state)
{
	struct arena arena = { 0 };
	struct text first = totp_new_secret(&arena);
	struct text second = totp_new_secret(&arena);

	(void)state;
	assert_true(totp_is_secret(first));
	assert_true(totp_is_secret(second));
	assert_false(text_equal(first, second));
	arena_free(&arena);
}

/* The finder pattern in the corner: seven dark modules, after a quiet zone of four. */
static void
qr_code_is_a_path_with_a_quiet_zone(void **state)
{
	struct arena arena = { 0 };
	struct qr qr;
	char long_text[4000];

	(void)state;
	assert_true(qr_encode(&arena, TEXT("tally"), &qr));
	assert_int_equal(qr.size, 21 + 8);
	assert_true(text_starts(qr.path, TEXT("M4 4h7v1h-7z")));
	assert_false(qr_encode(&arena, TEXT(""), &qr));
	memset(long_text, 'a', sizeof(long_text));
	assert_false(qr_encode(
	    &arena, (struct text){ long_text, sizeof(long_text) }, &qr));
	arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes_are_those_of_the_standard),
		cmocka_unit_test(other_texts_are_none),
		cmocka_unit_test(new_secrets_are_secrets_and_differ),
		cmocka_unit_test(qr_code_is_a_path_with_a_quiet_zone),
	};

	return cmocka_run_group_tests_name("codes", tests, NULL, NULL);
}
