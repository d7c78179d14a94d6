/*
 * A view: a template, and the type of the model that it shows.
 *
 * A view is a whole page: its template sees the model first and then the layout.
 * A bare view is a part of a page that may be kept and shown to somebody else.
 * Its template sees its model alone, so that nothing of one reader's, such as a
 * token, can get into what another reader is shown.
 */
#pragma once

#include "mustache/mustache.h"

/* A mustache_type with its table: VIEW_TYPE(struct x, row, row). */
#define VIEW_TYPE(of, ...) \
	MUSTACHE_TYPE(of, ((const struct mustache_field[]){ __VA_ARGS__ }))

struct view {
	const char *template;
	const struct mustache_type *type; /* of the model */
};

struct fragment {
	const char *template;
	const struct mustache_type *type;
	size_t room; /* bytes that it usually takes */
};

/* What is around every page. */
struct layout {
	struct text csrf;
	struct text here, here_encoded; /* where the reader is */
	struct text viewer;
	struct text unread;		/* how many in the inbox; empty: none */
	struct text site_name, tagline; /* empty on nginx's own pages */
	struct text origin;	/* "https://example.org"; may be empty */
	struct text canonical;	/* the page's one address */
	struct text style;	/* where the style sheet is */
	struct text site_style; /* the version of the owners'; empty: none */
	bool is_indexed;	/* it has one: it is a page, and no answer */
	bool signed_in, is_moderator;
	bool may_register;
	bool has_account; /* it is known whether anybody is signed in */
	bool is_error;	  /* a form was not taken as it was filled in */
	bool is_partial;  /* some of it is out of reach */
};
