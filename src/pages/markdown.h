/*
 * Markdown as HTML, with the names and hosts of the site, and cached in a worker.
 */
#pragma once

#include "markup/hosts.h"
#include "store/settings.h"

struct cache;

struct markdown {
	struct text source;
	struct text names; /* to link: "@ann /g/redis" */
	size_t max;	   /* bytes of HTML */
};

/* A text as HTML, cut off or whole. */
struct markdown_html {
	struct text text;
	bool is_cut;
};

/* Links to the hosts in blocked, which may be NULL, are left out. */
struct markdown_html markdown_render(struct arena *arena,
    const struct markdown *text, const struct hosts *blocked);

/* The key of a text in a cache: blocked hosts follow from the settings. A NULL cache is
 * always empty. */
struct text markdown_key(struct arena *arena, const struct markdown *text,
    const struct settings_snapshot *settings);
bool markdown_get(struct arena *arena, struct cache *cache, struct text key,
    struct markdown_html *html);
void markdown_put(struct arena *arena, struct cache *cache, struct text key,
    const struct markdown_html *html);
