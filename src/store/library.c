#include "store/library.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/lease.h"
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
	struct store *store;
	struct arena *arena;
	struct text own; /* this program's library */
	enum library_use use;
	struct text *why;
	enum store_result result;
};

static const struct text writes_former =
    TEXT_INIT("\nlocal writes_former = true\n");
static const struct text slots_move = TEXT_INIT("\nlocal slots_move = true\n");

static bool
library_writes_former(struct text library)
{
	return text_find(library, 0, writes_former) != SIZE_MAX;
}

/* The library with another line in place of one, if it has that. */
static struct text
with_line(struct arena *arena, struct text library, struct text line,
    const char *replacement)
{
	size_t at = text_find(library, 0, line);

	if (at == SIZE_MAX)
		return library;
	return text_format(arena, "%.*s%s%.*s",
	    TEXT_ARGS(text_slice(library, 0, at)), replacement,
	    TEXT_ARGS(text_slice(library, at + line.size, library.size)));
}

/* The library, of functions that write the new layout alone. */
static struct text
contracted(struct arena *arena, struct text library)
{
	return with_line(
	    arena, library, writes_former, "\nlocal writes_former = false\n");
}

/* This program's library, whose functions ask only in a cluster whether all their keys are
 * there: without that a vote takes 3 % less of Redis, and a comment 5 %. */
static struct text
own_library(const struct loading *loading)
{
	struct text library = text_of(library_code);

	return redis_is_cluster(loading->store->redis)
	    ? library
	    : with_line(loading->arena, library, slots_move,
		  "\nlocal slots_move = false\n");
}

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
replace(const struct loading *loading, size_t master, struct text library)
{
	struct pipeline pipeline =
	    pipeline_begin_at(loading->store->redis, loading->arena, master);

	pipeline_add_replicated(&pipeline, TEXT("FUNCTION"), TEXT("LOAD"),
	    TEXT("REPLACE"), library);
	return store_run(&pipeline);
}

/* FUNCTION LIST of the library on a master, and its text, empty without one. */
static enum store_result
read_loaded(const struct loading *loading, size_t master,
    const struct reply **library, struct text *text)
{
	struct pipeline pipeline =
	    pipeline_begin_at(loading->store->redis, loading->arena, master);
	const struct reply *code;

	pipeline_add(&pipeline, TEXT("FUNCTION"), TEXT("LIST"),
	    TEXT("LIBRARYNAME"), TEXT("tally"), TEXT("WITHCODE"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*library = reply_item(&pipeline.replies[0], 0);
	code = value_of(*library, TEXT("library_code"));
	*text = code == NULL ? TEXT("") : reply_text(code);
	return STORE_OK;
}

/* While the functions that are loaded write the former layout, too, a mover must not begin: so
 * this takes the lease of that layout. */
static enum store_result
replace_by_own(struct loading *loading, size_t master)
{
	enum store_result result = STORE_OK;
	bool is_contested;

	if (library_writes_former(loading->own))
		result = lease_renew(loading->store, loading->arena,
		    KEYS_VERSION_BEFORE, &is_contested);
	if (result == STORE_DOWN)
		return STORE_DOWN;
	if (result == STORE_MISMATCH)
		loading->own = contracted(loading->arena, loading->own);
	return replace(loading, master, loading->own);
}

static enum store_result
load_on(struct loading *loading, size_t master)
{
	const struct text own = loading->own;
	const struct reply *library;
	struct text loaded;

	if (read_loaded(loading, master, &library, &loaded) != STORE_OK)
		return STORE_DOWN;
	if (version_of(loaded) > version_of(own))
		return judge_newer(loading, library, version_of(loaded));
	if (text_equal(loaded, own) ||
	    (loading->use == LIBRARY_COMMAND &&
		version_of(loaded) == version_of(own)))
		return STORE_OK;
	return replace_by_own(loading, master);
}

/* Masters alone: replicas get the library from them. */
static bool
visit(void *data, size_t master)
{
	struct loading *loading = data;

	loading->result = load_on(loading, master);
	return loading->result == STORE_OK;
}

/* Sets the library for the data as they are. STORE_ABSENT for data of another layout, which
 * have their own. */
static STORE_CALL
choose_library(struct loading *loading)
{
	const struct reply *site = store_read(loading->store, loading->arena,
	    TEXT("HMGET"), KEY_SITE, TEXT("version"), KEYS_FROM, KEYS_ALONE);
	struct text version, from;
	bool is_expanding;

	if (site == NULL)
		return STORE_DOWN;
	version = reply_text(reply_item(site, 0));
	from = reply_text(reply_item(site, 1));
	if (version.size > 0 && !site_opens_layout(version, from))
		return STORE_ABSENT;
	is_expanding = text_equal(version, KEYS_VERSION_BEFORE) ||
	    (from.size > 0 && reply_item(site, 2)->kind == REPLY_NIL);
	loading->own = own_library(loading);
	if (!is_expanding)
		loading->own = contracted(loading->arena, loading->own);
	return STORE_OK;
}

STORE_CALL
library_load(struct store *store, struct arena *arena, enum library_use use,
    struct text *why)
{
	struct loading loading = {
		.store = store, .arena = arena, .use = use, .why = why
	};
	enum store_result result = choose_library(&loading);

	if (result != STORE_OK)
		return result == STORE_ABSENT ? STORE_OK : result;
	if (redis_visit_masters(store->redis, visit, &loading))
		return STORE_OK;
	return loading.result == STORE_OK ? STORE_DOWN : loading.result;
}

static bool
visit_contract(void *data, size_t master)
{
	struct loading *loading = data;
	const struct reply *library;
	struct text loaded;

	loading->result = read_loaded(loading, master, &library, &loaded);
	if (loading->result == STORE_OK && library_writes_former(loaded))
		loading->result = replace(
		    loading, master, contracted(loading->arena, loaded));
	return loading->result == STORE_OK;
}

STORE_CALL
library_contract(struct store *store, struct arena *arena)
{
	struct loading loading = { .store = store, .arena = arena };

	return redis_visit_masters(store->redis, visit_contract, &loading)
	    ? STORE_OK
	    : STORE_DOWN;
}
