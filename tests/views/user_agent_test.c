/* Browsers and systems in User-Agent headers. */
#include "views/user_agent.h"

#include "../support/fixture.h"
#include "base/arena.h"

static void
browsers_and_systems(void **state)
{
	static const struct {
		const char *agent, *name;
	} rules[] = {
		{ "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 "
		  "Firefox/128.0",
		    "Firefox on Linux" },
		{ "Mozilla/5.0 (Windows NT 10.0; Win64; x64) "
		  "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
		  "Safari/537.36",
		    "Chrome on Windows" },
		{ "Mozilla/5.0 (Windows NT 10.0; Win64; x64) "
		  "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
		  "Safari/537.36 Edg/126.0.0.0",
		    "Edge on Windows" },
		{ "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) "
		  "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 "
		  "Safari/605.1.15",
		    "Safari on macOS" },
		{ "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) "
		  "AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/125.0 "
		  "Mobile/15E148 Safari/605.1.15",
		    "Firefox on iPhone" },
		{ "Mozilla/5.0 (Linux; Android 14; Pixel 8) "
		  "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
		  "Mobile Safari/537.36",
		    "Chrome on Android" },
		{ "Lynx/2.9.0dev.12 libwww-FM/2.14FM", "Lynx" },
		{ "w3m/0.5.3+git20230121", "w3m" },
		{ "Something/1.0 (FreeBSD)", "Unknown browser on BSD" },
		{ "", "Unknown browser" },
	};
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		assert_text(user_agent_name(&arena, text_of(rules[i].agent)),
		    rules[i].name);
	arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(
	    browsers_and_systems) };

	return cmocka_run_group_tests_name("agents", tests, NULL, NULL);
}
