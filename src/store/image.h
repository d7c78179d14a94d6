/*
 * The site's own images, PNG files that owners upload: the logo beside its name, and the icon
 * of its pages. Each has a key of its own beside the settings, whose version counts its
 * changes.
 */
#pragma once

#include "store/schema.h"
#include "store/store.h"

#define IMAGE_KINDS(KIND) \
	KIND(LOGO, "logo") \
	KIND(ICON, "icon")
#define IMAGE_KIND(kind, name) IMAGE_##kind,
enum image_kind { IMAGE_KINDS(IMAGE_KIND) IMAGES };

/* Their names in forms, dumps and addresses: "logo" is /logo.png. */
extern const struct text image_names[IMAGES];

struct image {
	struct text png; /* empty: there is none */
	uint32_t width, height;
	struct text version; /* a digest of the file, part of its address */
};

/* Reads all images; one that Redis does not have, or that is none, comes out empty. */
STORE_CALL image_get_all(
    struct store *store, struct arena *arena, struct image images[IMAGES]);

/* Stores a file that rule_image has accepted; an empty one deletes the image. */
STORE_CALL image_set(struct store *store, struct arena *arena,
    enum image_kind kind, struct text png);
