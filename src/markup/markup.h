/*
 * Markdown, as members write it, into HTML.
 *
 * CommonMark is what is read; libcmark parses it, and what is written is ours: the
 * elements p, br, em, strong, blockquote, ul, ol, li, code, pre, h3 to h6, hr and a,
 * with the attributes href, rel, start and dir, and no others. So it may stand in a
 * page as it is.
 *
 * - HTML is no markup here: what was typed is shown.
 * - Links lead to http and https, said in full. The text of any other stays, without a
 *   link. An image is a link to it. A link without text shows its address.
 * - An address in the text is a link, without what ends a sentence behind it.
 * - "@name" and "/g/name" are links to members and groups that there are; not in code
 *   or in links.
 * - A heading of the first level is h3: the page has h1 and h2.
 * - dir="auto" lets a browser find the direction of writing by the first letter. The
 *   first paragraph of a list's item goes with the item, whose mark stands beside it.
 *
 * Texts must be valid UTF-8, as a form has checked them; nothing else is relied on. A
 * text is parsed in the loop that serves everybody else too, so there is a bound on all
 * of it: see bound.h. What is written has at most MARKUP_GROWTH times the text's bytes,
 * and a hundred more. It is the arena's; libcmark's own memory, up to 3 MB, is freed
 * before any of these returns.
 *
 * Measured: 20,000 characters take 0.1 ms if they are prose, 0.3 to 1 ms if they are the
 * source of a manual or a program, and 3 ms at worst. So a page with many texts should
 * keep what was made of them.
 */
#pragma once

#include "markup/hosts.h"
#include "markup/limits.h"
#include "markup/mentions.h"

enum {
	MARKUP_ELEMENTS_MAX = 32, /* one within the other, in what is written */
	MARKUP_GROWTH = 35	  /* 25 in tags, 10 in addresses */
};

/*
 * Whether a text can be shown as it was meant; a form is to refuse one that cannot. It
 * has no more of anything than bound.h allows. Its lines are looked at whatever they are
 * in: what is quoted too deeply in a block of code is refused as well.
 */
bool markup_within_limits(struct text source);

/* What the same text is written with in one place and not in another. */
struct markup_rendering {
	const struct markup_names
	    *known; /* members and groups that are links */
	const struct hosts
	    *refused; /* to which none leads; NULL: there are none */
	size_t max;   /* bytes of HTML */
};

/*
 * What the text means, in HTML. Elements within MARKUP_ELEMENTS_MAX others are written
 * without their tags. A text that is not tame is one paragraph, with its lines and marks
 * as they are.
 *
 * What is longer than max is cut behind a block, and *is_cut is set. When not even the
 * first one fits, it is as much of the text's beginning as does: what that takes of time
 * is less than twice what the whole text takes.
 */
struct text markup_html(struct arena *arena, struct text source,
    const struct markup_rendering *rendering, bool *is_cut);

/* The first host of those to which one of its addresses would be a link; or empty. */
struct text markup_find_blocked(
    struct arena *arena, struct text source, const struct hosts *refused);

/*
 * The names that markup_html would link if they were known, in the order in which they
 * appear, each once, and at most MARKUP_NAMES_MAX of members and of groups. They are
 * spelled as the text has them first, but the case of members' letters makes no other
 * name.
 */
void markup_find_names(
    struct arena *arena, struct text source, struct markup_names *names);

/*
 * The beginning of what the text says, without marks and on one line, for summaries: at
 * most max bytes and an ellipsis. It is cut at a word's end unless that is far, and
 * never within a character. Only as much of the text is parsed as that may need.
 */
struct text markup_plain(struct arena *arena, struct text source, size_t max);
