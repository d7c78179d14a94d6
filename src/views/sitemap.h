/*
 * The sitemap (sitemaps.org, version 0.9): an index of its portions, and a portion.
 */
#pragma once

#include "views/view.h"

struct sitemap_model {
	struct text site;	      /* "https://example.org" */
	bool is_index;		      /* of portions; otherwise one of them */
	struct mustache_list numbers; /* uint64_t: of portions, or articles */
};

extern const struct view sitemap_view;

/* robots.txt (RFC 9309). */
extern const struct view sitemap_robots_view;
