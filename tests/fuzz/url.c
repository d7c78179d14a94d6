/*
 * Pasted links, and targets of redirects. A link that the check accepts is safe in
 * HTML and in a header, and is accepted again unchanged. Its normal form is stable,
 * with tracking parameters added as well. A displayed host, posted as a link, leads to
 * the same host or is refused.
 */
#include "fuzz.h"

#include <string.h>

#include "base/url.h"
#include "base/utf8.h"
#include "http/pairs.h"
#include "store/publisher.h"
#include "store/rules.h"

static void
check_host(struct arena *arena, struct text link)
{
	struct text host = url_host(arena, link), encoded;

	must(utf8_valid(host));
	must(strpbrk(text_string(arena, host), "/?#@") == NULL);
	link = text_join(arena, TEXT("http://www."), host);
	if (url_check(arena, link, &encoded) == URL_VALID)
		must(text_equal(url_host(arena, encoded), host));
}

static void
check_equal(struct arena *arena, struct text link)
{
	struct text form = url_canonical(arena, link), again;
	struct text start = text_starts(link, TEXT("https://"))
	    ? TEXT("https://")
	    : TEXT("http://");

	must(fuzz_is_printable(form));
	again = url_canonical(arena, text_join(arena, start, form));
	must(text_equal(again, form));
	if (text_find(link, 0, TEXT("#")) != SIZE_MAX)
		return;
	again = text_join(arena, link,
	    text_find(link, 0, TEXT("?")) == SIZE_MAX ? TEXT("?") : TEXT("&"));
	again = text_join(arena, again, TEXT("utm_source=x#end"));
	must(text_equal(url_canonical(arena, again), form));
}

static void
check_link(struct arena *arena, struct text link)
{
	struct text encoded, again;

	if (url_check(arena, link, &encoded) != URL_VALID)
		return;
	must(text_starts(encoded, TEXT("http://")) ||
	    text_starts(encoded, TEXT("https://")));
	must(fuzz_is_printable(encoded));
	must(strpbrk(text_string(arena, encoded), "\"<>\\^`{|}") == NULL);
	must(url_check(arena, encoded, &again) == URL_VALID);
	must(text_equal(again, encoded));
	check_host(arena, encoded);
	check_equal(arena, encoded);
}

static void
check_rule(struct arena *arena, struct text link)
{
	struct text value = link, again;

	if (rule_link(arena, &value).kind != PROBLEM_NONE)
		return;
	must(value.size <= RULE_LINK_MAX);
	again = value;
	must(rule_link(arena, &again).kind == PROBLEM_NONE);
	must(text_equal(again, value));
}

/* A browser resolves such a path to the site that it came from. */
static void
check_local(struct text path)
{
	if (!url_is_local_path(path))
		return;
	must(path.data[0] == '/' && fuzz_is_printable(path));
	must(path.size == 1 || (path.data[1] != '/' && path.data[1] != '\\'));
}

static void
check_encoding(struct arena *arena, struct text text)
{
	struct text encoded = url_encode(arena, text);
	struct pairs pairs;

	must(fuzz_is_printable(encoded));
	encoded = text_join(arena, TEXT("x="), encoded);
	if (!utf8_valid(text))
		return;
	must(pairs_parse(arena, encoded, &pairs) == PAIRS_VALID);
	must(text_equal(pairs_get(&pairs, TEXT("x")), text));
}

/* A link's publisher has an address, which leads to it. */
static void
check_publisher(struct arena *arena, struct text text)
{
	struct text link, publisher, part, host, again;
	struct text shared = TEXT("example.org github.com");

	if (url_check(arena, text, &link) != URL_VALID)
		return;
	publisher = publisher_of(arena, link, shared);
	must(publisher.size > 0 && fuzz_is_printable(publisher));
	part = publisher_path(arena, publisher);
	if (!utf8_valid(part))
		return;
	part = text_slice(part, 6, part.size);
	text_cut(&part, '/', &host);
	must(publisher_parse(arena, host, part, shared, &again));
	must(text_equal(again, publisher));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct text text = fuzz_text(data, size);

	check_link(&arena, text);
	check_rule(&arena, text);
	check_local(text);
	check_encoding(&arena, text);
	check_publisher(&arena, text);
	arena_reset(&arena);
	return 0;
}
