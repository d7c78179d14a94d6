#include "store/library.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/site.h"

/* The rows of KEYS, as functions/keys.lua has them. */
#define KEY_ROW(key, prefix, tag, ...) \
	"{ name = '" #key "', word = '" prefix "', place = '" #tag "' }, "
#define KEY_ROWS KEYS(KEY_ROW)

const char library_code[] =
#include "functions.inc"
    ;

/* The names of all functions that this program calls. */
static const struct text calls[] = {
#define CALL(name) TEXT_INIT(name),
#include "calls.inc"
#undef CALL
};

struct loading {
	struct redis *redis;
	struct arena *arena;
	enum library_use use;
	struct text *why;
	enum store_result result;
};

/* A library's version, from its line of that name; 0 without one. */
static uint64_t
version_of(struct text library)
{
	const struct text mark = TEXT("-- version ");
	struct text line;
	uint64_t version = 0;

	while (text_cut(&library, '\n', &line))
		if (text_starts(line, mark) &&
		    text_to_u64(
			text_slice(line, mark.size, line.size), &version))
			break;
	return version;
}

/* A value of FUNCTION LIST, which has names and values in turn; NULL without it. */
static const struct reply *
value_of(const struct reply *pairs, struct text name)
{
	for (size_t i = 0; i + 1 < pairs->count; i += 2)
		if (text_equal(reply_text(reply_item(pairs, i)), name))
			return reply_item(pairs, i + 1);
	return NULL;
}

static bool
has_function(const struct reply *registered, struct text name)
{
	for (size_t i = 0; i < registered->count; i++) {
		const struct reply *found =
		    value_of(reply_item(registered, i), TEXT("name"));

		if (found != NULL && text_equal(reply_text(found), name))
			return true;
	}
	return false;
}

static enum store_result
judge_newer(const struct loading *loading, const struct reply *library,
    uint64_t version)
{
	const struct reply *registered = value_of(library, TEXT("functions"));

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (registered != NULL && has_function(registered, calls[i]))
			continue;
		*loading->why = text_format(loading->arena,
		    "the functions in Redis have version %llu and lack %.*s, "
		    "which this program calls, of version %llu: a newer Tally "
		    "has loaded them, and only one of its version, or of the "
		    "one before it, runs beside them",
		    (unsigned long long)version, TEXT_ARGS(calls[i]),
		    (unsigned long long)version_of(text_of(library_code)));
		return STORE_MISMATCH;
	}
	return STORE_OK;
}

static enum store_result
replace(const struct loading *loading, size_t master)
{
	struct pipeline pipeline =
	    pipeline_begin_at(loading->redis, loading->arena, master);

	pipeline_add_replicated(&pipeline, TEXT("FUNCTION"), TEXT("LOAD"),
	    TEXT("REPLACE"), text_of(library_code));
	return store_run(&pipeline);
}

static enum store_result
load_on(const struct loading *loading, size_t master)
{
	struct pipeline pipeline =
	    pipeline_begin_at(loading->redis, loading->arena, master);
	const struct text own = text_of(library_code);
	const struct reply *library, *code;
	struct text loaded;

	pipeline_add(&pipeline, TEXT("FUNCTION"), TEXT("LIST"),
	    TEXT("LIBRARYNAME"), TEXT("tally"), TEXT("WITHCODE"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	library = reply_item(&pipeline.replies[0], 0);
	code = value_of(library, TEXT("library_code"));
	loaded = code == NULL ? TEXT("") : reply_text(code);
	if (version_of(loaded) > version_of(own))
		return judge_newer(loading, library, version_of(loaded));
	if (text_equal(loaded, own) ||
	    (loading->use == LIBRARY_COMMAND &&
		version_of(loaded) == version_of(own)))
		return STORE_OK;
	return replace(loading, master);
}

/* Masters alone: replicas get the library from them. */
static bool
visit(void *data, size_t master)
{
	struct loading *loading = data;

	loading->result = load_on(loading, master);
	return loading->result == STORE_OK;
}

/* Tells whether a site's data is of another layout than this program's functions. */
static STORE_CALL
has_other_layout(struct store *store, struct arena *arena, bool *has)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text version;

	pipeline_add(&pipeline, TEXT("HGET"), KEY_SITE, TEXT("version"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	version = reply_text(&pipeline.replies[0]);
	*has = version.size > 0 && !site_opens_layout(version);
	return STORE_OK;
}

STORE_CALL
library_load(struct store *store, struct arena *arena, enum library_use use,
    struct text *why)
{
	struct loading loading = { store->redis, arena, use, why, STORE_OK };
	bool is_other;

	if (has_other_layout(store, arena, &is_other) != STORE_OK)
		return STORE_DOWN;
	if (is_other || redis_visit_masters(store->redis, visit, &loading))
		return STORE_OK;
	return loading.result == STORE_OK ? STORE_DOWN : loading.result;
}
