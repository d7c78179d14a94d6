/*
 * Writing what a Markdown text means as HTML: one walk over its steps, which both
 * links the names that are known and finds those that there are.
 */
#pragma once

#include "markup/hosts.h"
#include "markup/mentions.h"

struct html_options {
	size_t elements_max;		  /* one within the other */
	size_t max;			  /* bytes */
	const struct markup_names *known; /* which names are links */
	const struct hosts *refused;	  /* to which no link leads; or NULL */
	struct markup_names *found;	  /* takes the names; or NULL */
};

struct html_result {
	struct text html;
	bool is_cut;
	struct text
	    refused; /* the first host to which a link was left out; or empty */
};

/* The HTML of a tame text. What does not fit is cut off behind the last block that does;
 * when there is none nothing is left. */
struct html_result html_render(
    struct arena *arena, struct text source, const struct html_options *wanted);
