/* Registrable domains. */
#include "../support/fixture.h"
#include "base/domain.h"

static void
domain_is_found(void **state)
{
	static const struct {
		const char *host, *domain;
	} rows[] = { { "example.org", "example.org" },
		{ "a.b.example.org", "example.org" },
		{ "www.example.co.uk", "example.co.uk" },
		{ "ann.github.io", "ann.github.io" },
		{ "a.ann.github.io", "ann.github.io" },
		/* In the list as it is in DNS. */
		{ "a.b.xn--55qx5d.cn", "b.xn--55qx5d.cn" },
		{ "xn--mnchen-3ya.example", "xn--mnchen-3ya.example" },
		/* A top-level domain that the list does not have. */
		{ "a.b.unlisted", "b.unlisted" },
		/* Without one. */
		{ "github.io", "github.io" }, { "co.uk", "co.uk" },
		{ "com", "com" }, { "localhost", "localhost" }, { "", "" },
		{ "192.0.2.1", "192.0.2.1" }, { "10.1", "10.1" },
		{ "a.0x7f", "a.0x7f" }, { "[2001:db8::1]", "[2001:db8::1]" },
		{ "[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]" },
		/* No host in DNS. */
		{ "..", ".." }, { ".", "." }, { "-", "-" },
		{ "a..com", "a..com" }, { "a..unlisted", "a..unlisted" },
		{ "a.-b.com", "a.-b.com" },
		{ "%e2%98%83.com", "%e2%98%83.com" } };
	struct arena *arena = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_text(domain_registrable(arena, text_of(rows[i].host)),
		    rows[i].domain);
}

static void
list_has_a_time(void **state)
{
	(void)state;
	assert_true(domain_list_time() > 1600000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(domain_is_found),
		fixture_arena_test(list_has_a_time),
	};

	return cmocka_run_group_tests_name("domains", tests, NULL, NULL);
}
