/*
 * Writes a parsed Markdown text as HTML, in one pass that links the known names and
 * collects all mentioned ones.
 */
#pragma once

#include "markup/hosts.h"
#include "markup/mentions.h"

struct html_options {
	size_t elements_max;		  /* nested */
	size_t max;			  /* bytes */
	const struct markup_names *known; /* the names to link */
	const struct hosts *blocked;	  /* or NULL */
	struct markup_names *found;	  /* collects the names; or NULL */
	/* Collects the links to elsewhere, as words; or NULL. */
	struct buffer *links;
};

struct html_result {
	struct text html;
	bool is_cut;
	struct text blocked; /* the first blocked host in a link; or empty */
};

/* Renders a text within the limits (markup/limits.h). Longer HTML than max is cut off
 * after the last block that fits; it is empty when none does. */
struct html_result html_render(
    struct arena *arena, struct text source, const struct html_options *wanted);
