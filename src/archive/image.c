#include "store/image.h"
#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/noun.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "base/crypto.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"

/* Neither is in a hash. */
static const struct field fields[] = {
	FIELD("name", struct record_image, name, TEXT, REQUIRED, KEY),
	FIELD("png", struct record_image, png, TEXT, REQUIRED, ELSEWHERE),
};
static const struct schema image_schema = SCHEMA(struct record_image, fields);

static struct text
image_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(
	    arena, "image \"%.*s\"", TEXT_ARGS(record->image.name));
}

static void
ask_images(struct pipeline *pipeline, const struct buckets *buckets)
{
	for (size_t i = 0; i < IMAGES; i++)
		pipeline_add(pipeline, TEXT("GET"),
		    key_image(pipeline->arena, buckets, image_names[i]));
}

static bool
is_image(struct arena *arena, struct text file)
{
	return rule_image(arena, &file).kind == PROBLEM_NONE;
}

static enum store_result
write_image(struct writer *writer, struct text name, struct text file)
{
	const struct record record = { .kind = RECORD_IMAGE,
		.image = { .name = name,
		    .png = crypto_base64(&writer->portion, file) } };

	return writer_go_on(is_image(&writer->portion, file)
		? writer_record(writer, &record)
		: writer_leave_out(writer, &record, "is damaged"));
}

static enum store_result
image_archive_write(struct writer *writer)
{
	struct pipeline pipeline =
	    pipeline_begin(writer->store->redis, &writer->portion);
	enum store_result result = STORE_OK;

	ask_images(&pipeline, &writer->store->buckets);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < IMAGES && result == STORE_OK; i++)
		if (pipeline.replies[i].kind != REPLY_NIL)
			result = write_image(writer, image_names[i],
			    reply_text(&pipeline.replies[i]));
	arena_reset(&writer->portion);
	return result;
}

/* Replaces the text of the line by the file. */
static void
image_archive_validate(struct validation *validation, struct record *record)
{
	struct record_image *image = &record->image;
	size_t index;

	if (!text_index(image->name, image_names, IMAGES, &index))
		validate_problem(
		    validation, TEXT("\"name\" is no image of a site"));
	if (!crypto_read_base64(validation->arena, image->png, &image->file))
		validate_problem(validation, TEXT("\"png\" is not base64"));
	else
		validate_value(validation, "png", image->file, rule_image);
}

/* An image that the site has is not replaced. */
static enum store_result
image_archive_load(struct batch *batch)
{
	struct image present[IMAGES];
	enum store_result result =
	    image_get_all(batch->store, batch->arena, present);

	for (size_t i = 0; i < batch->count && result == STORE_OK; i++) {
		struct batch_line *line = batch->lines[i];
		const struct record_image *image = &line->record.image;
		size_t kind = 0;

		(void)!text_index(image->name, image_names, IMAGES, &kind);
		line->outcome = BATCH_EXISTED;
		if (present[kind].png.size > 0)
			continue;
		line->outcome = BATCH_LOADED;
		present[kind].png = image->file;
		result = image_set(batch->store, batch->arena,
		    (enum image_kind)kind, image->file);
	}
	return result;
}

/* Check. */

/* Removes an image, unless an owner has uploaded another one meanwhile. */
static void
repair_image(struct check *check, struct text name, struct text file)
{
	struct pipeline *repairs = check_repairs(check);

	if (repairs != NULL)
		call_send_write(repairs, "drop_image_1",
		    key_settings(repairs->arena, &check->store->buckets), name,
		    text_copy(repairs->arena, file));
}

/* The scan reports a key of another type. */
static enum store_result
image_archive_check(struct check *check)
{
	struct arena *memory = &check->memory;
	const struct buckets *buckets = &check->store->buckets;
	struct pipeline pipeline = pipeline_begin(check->store->redis, memory);

	ask_images(&pipeline, buckets);
	for (size_t i = 0; i < IMAGES; i++)
		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_image(memory, buckets, image_names[i]));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < IMAGES; i++) {
		const struct reply *reply = &pipeline.replies[i];
		struct text file = reply_text(reply);

		if (reply_number(&pipeline.replies[IMAGES + i]) == 0 ||
		    is_image(memory, file))
			continue;
		if (reply->kind != REPLY_NIL)
			check_report(check,
			    text_format(memory,
				"image \"%.*s\": it is no PNG that owners could "
				"upload",
				TEXT_ARGS(image_names[i])));
		repair_image(check, image_names[i], file);
	}
	return check_repair(check);
}

const struct noun image_archive = {
	.kind = "image",
	.label = "image",
	.schema = &image_schema,
	.offset = offsetof(struct record, image),
	.describe = image_archive_describe,
	.write = image_archive_write,
	.validate = image_archive_validate,
	.load = image_archive_load,
	.check = image_archive_check,
};
