#include "store/image.h"

#include "base/crypto.h"
#include "base/png.h"
#include "redis/redis.h"
#include "store/keys.h"

#define IMAGE_NAME(kind, name) TEXT_INIT(name),
const struct text image_names[IMAGES] = { IMAGE_KINDS(IMAGE_NAME) };

static struct image
read_image(struct arena *arena, struct text bytes)
{
	struct image image = { .png = TEXT("") };
	struct png png;

	if (!png_read(arena, bytes, &png))
		return image;
	image.png = bytes;
	image.width = png.width;
	image.height = png.height;
	image.version = crypto_version(arena, bytes);
	return image;
}

STORE_CALL
image_get_all(
    struct store *store, struct arena *arena, struct image images[IMAGES])
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < IMAGES; i++)
		pipeline_add(&pipeline, TEXT("GET"),
		    key_image(arena, &store->buckets, image_names[i]));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < IMAGES; i++)
		images[i] = read_image(arena, reply_text(&pipeline.replies[i]));
	return STORE_OK;
}

STORE_CALL
image_set(struct store *store, struct arena *arena, enum image_kind kind,
    struct text png)
{
	return call_write(store, arena, "image_1",
	    key_settings(arena, &store->buckets), image_names[kind], png);
}
