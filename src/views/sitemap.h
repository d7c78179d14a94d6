/*
 * The sitemap (sitemaps.org, version 0.9): an index of its parts, and a part.
 */
#pragma once

#include "views/view.h"

struct sitemap_model {
	struct text site;	/* "https://example.org" */
	bool is_index;		/* of portions; otherwise one of them */
	LIST(uint64_t) numbers; /* of portions, or articles */
};
