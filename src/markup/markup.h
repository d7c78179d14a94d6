/*
 * Renders members' Markdown as HTML that is safe in a page.
 *
 * libcmark parses CommonMark; the HTML is written here, from a fixed set: the elements
 * p, br, em, strong, blockquote, ul, ol, li, code, pre, h3 to h6, hr and a, with the
 * attributes href, rel, start and dir, and no others.
 *
 * - HTML in the text is shown as typed.
 * - Only absolute http and https URLs become links; of others the text stays. An image
 *   becomes a link to it. A link without text shows its address.
 * - A URL in the text becomes a link, without the punctuation that follows it.
 * - "@name" and "/g/name" become links to existing members and groups, except in code
 *   and in links.
 * - A heading of the first level is h3: the page has h1 and h2.
 * - dir="auto" lets the browser determine the writing direction from the first letter.
 *   The first paragraph of a list item has the direction of the item and its marker.
 *
 * Texts must be valid UTF-8, and may otherwise be hostile. They are parsed in the worker's
 * loop, so everything is bounded: see markup/limits.h. The HTML has at most MARKUP_GROWTH
 * times the text's bytes plus a hundred, and is in the arena; libcmark's own memory, up
 * to 3 MB, is freed before any of these functions returns.
 *
 * Measured: 20,000 characters take 0.1 ms if they are prose, 0.3 to 1 ms if they are the
 * source of a manual or a program, and 3 ms at worst. So pages with many texts should
 * cache the HTML.
 */
#pragma once

#include "markup/hosts.h"
#include "markup/limits.h"
#include "markup/mentions.h"

enum {
	MARKUP_ELEMENTS_MAX = 32, /* nested, in the HTML */
	MARKUP_GROWTH = 35	  /* 25 for tags, 10 for URLs */
};

/*
 * Whether a text is within the limits of markup/limits.h. Forms must refuse one that is
 * not, since it would be shown as one unformatted paragraph. Lines of code blocks count
 * like all others.
 */
bool markup_within_limits(struct text source);

/* Parameters of a rendering. */
struct markup_rendering {
	const struct markup_names *known; /* members and groups to link */
	const struct hosts *blocked;	  /* not linked; or NULL */
	size_t max;			  /* bytes of HTML */
};

/*
 * Renders a text. Elements nested in MARKUP_ELEMENTS_MAX others lose their tags. A text
 * outside of the limits becomes one paragraph with its source line by line.
 *
 * HTML longer than max is cut after a block, and *is_cut is set. If not even the first
 * block fits, renders as much of the beginning of the text as does, which in all takes
 * less than twice the time for the whole text.
 */
struct text markup_html(struct arena *arena, struct text source,
    const struct markup_rendering *rendering, bool *is_cut);

/* The first blocked host to which the text would link; or empty. */
struct text markup_find_blocked(
    struct arena *arena, struct text source, const struct hosts *blocked);

/* The links of a text that lead elsewhere, in order, with a space behind each. */
struct text markup_find_links(struct arena *arena, struct text source);

/*
 * Collects the names that markup_html would link if they were known, in order of
 * appearance, each once, at most MARKUP_NAMES_MAX each of members and groups. Members'
 * names are compared ignoring case, and have the spelling of the first mention.
 */
void markup_find_names(
    struct arena *arena, struct text source, struct markup_names *names);

/*
 * A summary: the beginning of the text without markup, on one line, at most max bytes and
 * an ellipsis. Cut at the end of a word unless that is far, and never within a
 * character. Parses no more of the text than needed.
 */
struct text markup_plain(struct arena *arena, struct text source, size_t max);
