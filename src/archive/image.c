#include "store/image.h"
#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/noun.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "base/crypto.h"

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

static enum store_result
image_archive_write(struct writer *writer)
{
	struct image images[IMAGES];
	struct arena *arena = &writer->portion;
	enum store_result result = image_get_all(writer->store, arena, images);

	for (size_t i = 0; i < IMAGES && result == STORE_OK; i++) {
		const struct record record = { .kind = RECORD_IMAGE,
			.image = { .name = image_names[i],
			    .png = crypto_base64(arena, images[i].png) } };

		if (images[i].png.size > 0)
			result = writer_record(writer, &record);
	}
	arena_reset(arena);
	return writer_go_on(result);
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

const struct noun image_archive = {
	.kind = "image",
	.label = "image",
	.schema = &image_schema,
	.offset = offsetof(struct record, image),
	.describe = image_archive_describe,
	.write = image_archive_write,
	.validate = image_archive_validate,
	.load = image_archive_load,
};
