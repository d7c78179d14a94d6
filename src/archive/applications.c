/* Applications for registration (store/application.h): a line for each that is not over. */
#include "store/application.h"

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/noun.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"

static struct text
applications_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(
	    arena, "application \"%.*s\"", TEXT_ARGS(record->application.name));
}

static enum store_result
applications_archive_write(struct writer *writer)
{
	struct application *applications;
	size_t count;
	enum store_result result = application_list(
	    writer->store, &writer->portion, &applications, &count, NULL);

	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		struct record record = { .kind = RECORD_APPLICATION,
			.application = applications[i] };

		result = writer_go_on(writer_record(writer, &record));
	}
	arena_reset(&writer->portion);
	return result;
}

static void
applications_archive_validate(
    struct validation *validation, struct record *record)
{
	const struct application *application = &record->application;

	validate_name(validation, "name", application->name, rule_user_name);
	validate_value(validation, "answer", application->answer, rule_answer);
	validate_value(validation, "reason", application->reason, rule_reason);
	if (text_find(application->password_hash, 0, TEXT("\n")) != SIZE_MAX)
		validate_problem(validation, TEXT("\"password\" is no hash"));
}

/* One of that name stays. */
static enum store_result
applications_archive_load(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);

	for (size_t i = 0; i < batch->count; i++) {
		const struct application *application =
		    &batch->lines[i]->record.application;

		call_send_write(&pipeline, "application_1", KEY_APPLICATIONS,
		    text_lower(arena, application->name), TEXT(""),
		    application_format(arena, application));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		enum store_result result = call_outcome(&pipeline.replies[i]);

		if (result == STORE_DOWN)
			return result;
		batch->lines[i]->outcome =
		    result == STORE_OK ? BATCH_LOADED : BATCH_EXISTED;
	}
	return STORE_OK;
}

/* Check. */

static bool
is_whole(struct arena *arena, struct text name, struct text stored)
{
	struct application application;

	return application_parse(stored, &application) &&
	    text_equal(text_lower(arena, application.name), name);
}

static enum store_result
applications_archive_check(struct check *check)
{
	struct arena *memory = &check->memory;
	struct pipeline pipeline = pipeline_begin(check->store->redis, memory);
	const struct reply *all;

	pipeline_add(&pipeline, TEXT("HGETALL"), KEY_APPLICATIONS);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	all = &pipeline.replies[0];
	for (size_t i = 0; i + 1 < all->count; i += 2) {
		struct text name = reply_text(reply_item(all, i));
		struct text stored = reply_text(reply_item(all, i + 1));

		if (is_whole(memory, name, stored))
			continue;
		check_report(check,
		    text_format(memory, "application \"%.*s\": it is damaged",
			TEXT_ARGS(name)));
		if (check_repairs(check) != NULL)
			call_send_write(check_repairs(check), "application_1",
			    KEY_APPLICATIONS, name, stored, TEXT(""));
	}
	return check_repair(check);
}

const struct noun applications_archive = {
	.kind = "application",
	.label = "application",
	.schema = &application_schema,
	.offset = offsetof(struct record, application),
	.describe = applications_archive_describe,
	.write = applications_archive_write,
	.validate = applications_archive_validate,
	.load = applications_archive_load,
	.check = applications_archive_check,
};
