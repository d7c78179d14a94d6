#include "store/application.h"

#include <stdlib.h>

#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/user.h"

/* In the order of a dump's line. */
static const struct field fields[] = {
	FIELD("name", struct application, name, TEXT, REQUIRED, ELSEWHERE),
	FIELD("password", struct application, password_hash, TEXT, REQUIRED,
	    ELSEWHERE),
	FIELD("answer", struct application, answer, TEXT, REQUIRED, ELSEWHERE),
	FIELD("applied", struct application, applied, MOMENT, REQUIRED,
	    ELSEWHERE),
	FIELD("declined", struct application, declined, MOMENT, OPTIONAL,
	    ELSEWHERE),
	FIELD("reason", struct application, reason, TEXT, OPTIONAL, ELSEWHERE),
};
const struct schema application_schema = SCHEMA(struct application, fields);

/* "APPLIED DECLINED", and lines: the name, the hash, the reason, and those of the answer. */
struct text
application_format(struct arena *arena, const struct application *application)
{
	return text_format(arena, "%lld %lld\n%.*s\n%.*s\n%.*s\n%.*s",
	    (long long)application->applied, (long long)application->declined,
	    TEXT_ARGS(application->name), TEXT_ARGS(application->password_hash),
	    TEXT_ARGS(application->reason), TEXT_ARGS(application->answer));
}

bool
application_parse(struct text stored, struct application *application)
{
	struct text rest = stored, moments, applied;

	*application = (struct application){ .stored = stored };
	if (!text_cut(&rest, '\n', &moments) ||
	    !text_cut(&rest, '\n', &application->name) ||
	    !text_cut(&rest, '\n', &application->password_hash) ||
	    !text_cut(&rest, '\n', &application->reason))
		return false;
	application->answer = rest;
	return text_cut(&moments, ' ', &applied) &&
	    text_to_i64(applied, &application->applied) &&
	    text_to_i64(moments, &application->declined) &&
	    application->name.size > 0;
}

static bool
is_over(const struct application *application, int64_t now)
{
	return application->declined != 0
	    ? now - application->declined >= APPLICATION_DECLINED_SECONDS
	    : now - application->applied >= APPLICATION_SECONDS;
}

static struct text
field_of(struct arena *arena, struct text name)
{
	return text_lower(arena, name);
}

STORE_CALL
application_add(struct store *store, struct arena *arena,
    const struct application *application)
{
	/* The function writes the moment. */
	struct text stored = application_format(arena, application), moments;

	text_cut(&stored, '\n', &moments);
	return call_write(store, arena, "apply_1", KEY_APPLICATIONS,
	    field_of(arena, application->name), stored,
	    text_number(arena, APPLICATIONS_MAX),
	    text_number(arena, APPLICATION_SECONDS),
	    text_number(arena, APPLICATION_DECLINED_SECONDS));
}

STORE_CALL
application_find(struct store *store, struct arena *arena, struct text name,
    struct application *application)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add(
	    &pipeline, TEXT("HGET"), KEY_APPLICATIONS, field_of(arena, name));
	pipeline_add_time(&pipeline, KEY_APPLICATIONS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (application_parse(reply_text(&pipeline.replies[0]), application) &&
	    !is_over(application, reply_seconds(&pipeline.replies[1])))
		return STORE_OK;
	*application = (struct application){ .applied = 0 };
	return STORE_ABSENT;
}

static int
compare_applied(const void *a, const void *b)
{
	const struct application *one = a, *other = b;

	return (one->applied > other->applied) -
	    (one->applied < other->applied);
}

STORE_CALL
application_list(struct store *store, struct arena *arena,
    struct application **applications, size_t *count, bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *all;
	int64_t now;

	*count = 0;
	pipeline_add(&pipeline, TEXT("HVALS"), KEY_APPLICATIONS);
	pipeline_add_time(&pipeline, KEY_APPLICATIONS);
	if (is_partial == NULL ? !redis_run(&pipeline) : !redis_try(&pipeline))
		return STORE_DOWN;
	all = &pipeline.replies[0];
	if (is_partial != NULL && all->kind == REPLY_LOST)
		*is_partial = true;
	now = reply_seconds(&pipeline.replies[1]);
	*applications = arena_new(arena, struct application, all->count);
	for (size_t i = 0; i < all->count; i++)
		*count += application_parse(reply_text(reply_item(all, i)),
			      &(*applications)[*count]) &&
		    !is_over(&(*applications)[*count], now);
	if (*count > 0)
		qsort(*applications, *count, sizeof(**applications),
		    compare_applied);
	return STORE_OK;
}

STORE_CALL
application_count_waiting(
    struct store *store, struct arena *arena, int64_t *count)
{
	struct application *applications;
	bool is_partial = false;
	size_t all;
	enum store_result result =
	    application_list(store, arena, &applications, &all, &is_partial);

	*count = 0;
	for (size_t i = 0; result == STORE_OK && i < all; i++)
		*count += applications[i].declined == 0;
	return result;
}

/* Replaces it, or deletes it with an empty text; STORE_ABSENT when it has changed. */
static enum store_result
replace_application(struct store *store, struct arena *arena,
    const struct application *application, struct text after)
{
	return call_write(store, arena, "application_1", KEY_APPLICATIONS,
	    field_of(arena, application->name), application->stored, after);
}

STORE_CALL
application_decline(struct store *store, struct arena *arena,
    const struct application *application, struct text reason)
{
	struct application declined = *application;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add_time(&pipeline, KEY_APPLICATIONS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	declined.declined = reply_seconds(&pipeline.replies[0]);
	declined.reason = reason;
	return replace_application(
	    store, arena, application, application_format(arena, &declined));
}

STORE_CALL
application_find_member(struct store *store, struct arena *arena,
    const struct application *application, uint64_t *id)
{
	struct user user = { .id = 0 };
	enum store_result result =
	    user_find(store, arena, application->name, &user);

	/* Hashes are unique. */
	*id = result == STORE_OK &&
		text_equal(user.password_hash, application->password_hash)
	    ? user.id
	    : 0;
	return result == STORE_ABSENT ? STORE_OK : result;
}

STORE_CALL
application_accept(struct store *store, struct arena *arena,
    const struct application *application, uint64_t *id)
{
	struct user user = { .name = application->name,
		.password_hash = application->password_hash,
		.newcomer = 1 };
	enum store_result result = user_create(store, arena, &user);

	*id = user.id;
	if (result != STORE_TAKEN)
		return result;
	if (application_find_member(store, arena, application, id) != STORE_OK)
		return STORE_DOWN;
	return *id != 0 ? STORE_OK : STORE_TAKEN;
}

STORE_CALL
application_end(struct store *store, struct arena *arena,
    const struct application *application)
{
	return replace_application(store, arena, application, TEXT(""));
}
