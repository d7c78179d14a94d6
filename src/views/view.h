/*
 * Views: a template each, with the struct of what it shows, its model.
 *
 * A view is a whole page: its template sees the model first and then the layout.
 * A fragment is a part of a page that may be cached and shown to other readers: its
 * template sees its model alone, so nothing of one reader's, such as a token, gets
 * into what another reader is shown.
 *
 * A template may name every member of a model, and each is named in one: the build
 * makes the field tables from the structs (src/tools/view_types.awk), and the start
 * compares the templates with them. So models are plain: texts, numbers, flags,
 * LISTs, and other structs of this kind.
 */
#pragma once

#include "mustache/mustache.h"

/* A member that is a list of such structs (or of plain texts or numbers: {{.}}). */
#define LIST(of) struct mustache_list

struct view {
	size_t index;			  /* in templates.h */
	const struct mustache_type *type; /* of the model */
};

struct fragment {
	size_t index; /* likewise */
	const struct mustache_type *type;
	size_t room; /* bytes that it usually takes */
};

/* What is around every page. */
struct layout {
	struct text lang, dir; /* of the page's sentences, as HTML has them */
	struct text csrf;
	struct text here, here_encoded; /* where the reader is */
	struct text viewer;
	struct text unread;		/* how many in the inbox; empty: none */
	struct text queue;		/* the same in the moderators' queue */
	struct text site_name, tagline; /* empty on nginx's own pages */
	struct text origin;    /* "https://example.org"; may be empty */
	struct text canonical; /* the page's one address */
	struct text feed,
	    feed_query;		/* its feed, without the ending; or empty */
	struct text style;	/* where the style sheet is */
	struct text site_style; /* the version of the owners'; empty: none */
	/* The versions of the owners'; empty: the shipped ones. */
	struct text site_logo, site_icon;
	int64_t logo_width, logo_height; /* pixels, as it is shown */
	struct text slogan; /* the owners'; empty: the shipped one */
	LIST(struct foot_link) foot_links;
	struct mustache_html announcement; /* empty: none, or dismissed */
	struct text announced;		   /* its moment, in Unix seconds */
	struct text search_in;	 /* what the field adds to a query; or empty */
	struct text search_href; /* where a search begins without the field */
	bool is_search;	 /* a page of searches, which has its own field */
	bool is_indexed; /* it has a canonical address, as error pages do not */
	bool signed_in, is_moderator;
	bool may_register;
	bool has_registered; /* just now */
	/* Moderators have to have a second factor: the reader lacks it, and
	 * is a moderator or an owner. */
	bool needs_factor, advises_factor;
	bool has_rules;	      /* there is a page of rules */
	bool has_interesting; /* there are such articles */
	bool has_account;     /* it is known whether anybody is signed in */
	bool is_error;	      /* a form was not accepted as it was filled in */
	bool is_partial;      /* some of it is out of reach */
};

/* about_view, error_view, ...: one a row of templates.h. */
#define VIEW(name, model)	    extern const struct view name##_view;
#define FRAGMENT(name, model, room) extern const struct fragment name##_view;
#include "views/templates.h"
