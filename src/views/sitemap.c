#include "views/sitemap.h"

static const struct mustache_type number_type =
    VIEW_TYPE(uint64_t, { .name = ".", .kind = MUSTACHE_NUMBER });

#define SHOWN(member) MUSTACHE_PLAIN(struct sitemap_model, member)
static const struct mustache_type type =
    VIEW_TYPE(struct sitemap_model, SHOWN(site), SHOWN(is_index),
	MUSTACHE_ITEMS(struct sitemap_model, numbers, &number_type));

const struct view sitemap_view = { "sitemap", &type };

/* The layout has all that it shows. */
static const struct mustache_type nothing = { .name = "struct empty" };

const struct view sitemap_robots_view = { "robots", &nothing };
