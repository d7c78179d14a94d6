/*
 * A request's path and query, "PATH?QUERY", as nginx hands them over: the path
 * decoded, the query as it came. What a page links back to is harmless and
 * leads to where the reader was.
 */
#include "fuzz.h"

#include "base/url.h"
#include "base/utf8.h"
#include "http/request.h"

static void
check_id(const struct pairs *pairs)
{
	uint64_t id = 0;
	struct text value = pairs_get(pairs, TEXT("page"));

	if (!pairs_get_id(pairs, TEXT("page"), &id))
		return;
	must(id > 0 && id < 1000000000000);
	must(value.size > 0 && value.data[0] != '0');
}

static void
check_same(const struct pairs *one, const struct pairs *other)
{
	must(one->count == other->count);
	for (size_t i = 0; i < one->count; i++) {
		must(text_equal(one->items[i].name, other->items[i].name));
		must(text_equal(one->items[i].value, other->items[i].value));
	}
}

static void
check_target(struct arena *arena, const struct request *request)
{
	struct text target = request_target(arena, request), path;
	struct request again = { .method = HTTP_GET };

	must(fuzz_is_printable(target));
	if (text_starts(target, TEXT("/")) && !text_starts(target, TEXT("//")))
		must(url_is_local_path(target) || target.size > URL_LOCAL_MAX);
	must(
	    request->canonical_query.size <= 3 * request->raw_query.size + 100);
	again.raw_query = target;
	text_cut(&again.raw_query, '?', &path);
	must(request_parse(arena, &again) == HTTP_OK);
	check_same(&again.query, &request->query);
	/* It is requested as it is written. */
	must(request_filter_query(arena, &again, TEXT("*")));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct request request = { .method = HTTP_GET,
		.raw_query = fuzz_text(data, size) };

	text_cut(&request.raw_query, '?', &request.path);
	if (request_parse(&arena, &request) == HTTP_OK) {
		must(utf8_valid(request.path));
		check_id(&request.query);
		request_filter_query(&arena, &request, TEXT("*"));
		check_target(&arena, &request);
	} else {
		must(fuzz_is_printable(request_target(&arena, &request)));
	}
	arena_reset(&arena);
	return 0;
}
