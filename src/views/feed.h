/*
 * Feeds of lists, in two formats of one model: Atom (RFC 4287, with the links to replies of
 * RFC 4685), which a template renders, and JSON Feed 1.1 (jsonfeed.org).
 *
 * Texts may be any bytes: what neither format can have becomes U+FFFD. Addresses are whole,
 * also in the content.
 */
#pragma once

#include "store/comment.h"
#include "store/mod_action.h"
#include "views/mod_log.h"
#include "views/view.h"

struct feed_entry {
	struct text id, title, href; /* id: a tag URI (RFC 4151) */
	struct text related;	  /* what it is about, if not href; or empty */
	struct text replies_href; /* its conversation; empty: it has none */
	int64_t replies;
	struct text parent_id, parent_href; /* what it answers; or empty */
	struct text published, updated;
	struct text author, author_href; /* the latter may be empty */
	LIST(struct text) groups;
	struct text content; /* HTML */
};

struct feed_model {
	struct text id, title;
	struct text site;	 /* "https://example.org" */
	struct text path, query; /* of the feed, without its ending */
	struct text page;	 /* the path and query of the page */
	struct text updated;	 /* the newest of the entries */
	LIST(struct feed_entry) entries;
};

/* What only one of the formats has of an entry: an external link, and counts that change
 * without it being another one. */
struct feed_extra {
	struct text external; /* or empty */
	int64_t points;
	bool has_points;
};

/* extras has one for each entry. */
struct text feed_json(struct arena *arena, const struct feed_model *model,
    const struct feed_extra *extras, struct text tagline, struct text lang);

/* HTML with this site's paths as whole addresses. */
struct text feed_absolute(
    struct arena *arena, struct text html, struct text site);

/* The content of an article, and of a comment. */
struct feed_article_model {
	struct mustache_html text;
	LIST(struct paragraph) paragraphs; /* of one in plain text */
	bool is_cut;
	struct text link, host; /* empty without a link */
	struct text path;	/* empty: it is no article, but a sentence */
};

struct feed_comment_model {
	struct mustache_html text;
	bool is_cut;
	struct text path, article_path, article_title;
};
