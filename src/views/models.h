/*
 * The structs that templates show. A flag is told apart from a text that may be
 * empty only where the template has to.
 */
#ifndef VIEWS_MODELS_H
#define VIEWS_MODELS_H

#include "base/text.h"
#include "mustache/mustache.h"
#include "store/article.h"

/* Around every page. */
struct frame {
	struct text title;
	struct text csrf;
	struct text here, here_encoded; /* where this page was asked for */
	struct text viewer;
	bool signed_in, moderator;
};

/* A choice among some, as a link: an order, a way to match. */
struct link_line {
	struct text label, href;
	bool current;
};

struct name_line {
	struct text name;
};

/* An article in a list, or at the head of its own page. */
struct article_line {
	uint64_t id;
	struct text title, href, host;
	struct text author;
	int64_t score, points, posted;
	struct text age, posted_iso;
	struct text vote; /* up, down, none */
	bool is_up, is_down, open, interesting;
	struct mustache_list groups; /* struct name_line */
};

/* Such a line as HTML: the template "line". */
struct html_line {
	struct mustache_html html;
};

struct list_model {
	struct text heading, intro;
	struct mustache_list orders, matches; /* struct link_line */
	struct mustache_list articles;	      /* struct html_line */
	struct text previous, next;	      /* hrefs; empty for none */
	struct text note; /* in place of, or below the articles */
	int64_t page;
	bool ordered, combined,
	    paged;    /* whether there are orders, matches, pages */
	bool votable; /* whether the viewer may vote on any of the articles */
	/* Of a member's page. */
	bool member, member_moderator, own;
	int64_t karma;
	struct text since, since_iso;
};

/* A form's field, as its partial shows it. */
struct field_line {
	struct text name, label, hint, input, autocomplete, value, problem;
	int64_t most;
	bool required;
};

struct form_model {
	struct text csrf;
	struct mustache_list fields; /* struct field_line */
	bool has_problems;
};

struct paragraph {
	struct mustache_list lines; /* struct line */
};

struct line {
	struct text text;
	bool last;
};

struct article_model {
	struct article_line article;
	struct mustache_list paragraphs; /* of the text */
	int64_t up, down, vote_score, votes_points;
	struct text posted_moment, closes_moment, closes_iso, closes_in;
	struct text interesting_moment, interesting_iso;
	int64_t threshold, place;
	bool votable, removed, may_file, may_remove;
	struct form_model filing;
};

struct submit_model {
	struct form_model form;
	struct text problem; /* of the request, not of a field */
	struct text advice;
	bool signed_out;
};

struct group_line {
	struct text name, title, by, created_iso, created;
	uint64_t articles;
	bool one;
};

struct groups_model {
	struct mustache_list groups; /* struct group_line */
	struct text previous, next;
	struct text problem, advice;
	struct text note; /* in place of the groups */
	struct form_model form;
};

/* Registering and logging in. */
struct account_model {
	struct form_model form;
	struct text action, button, problem;
	struct text return_to, return_to_encoded;
	bool registering;
};

/* A session of the member's, with the button that ends it. */
struct session_line {
	struct text id, agent;
	struct text since, since_iso, seen, seen_iso;
	bool current;
};

struct settings_model {
	bool changed;		       /* the password, just now */
	struct form_model form;	       /* for another password */
	struct mustache_list sessions; /* struct session_line */
	bool several;
};

struct about_model {
	int64_t vote_score, votes_a_day, interesting, page_size;
	int64_t promise_articles, promise_places;
	struct text vote_window, promise_time;
	int64_t most_groups;
};

struct error_model {
	int64_t status;
	struct text title, happened, advice;
};

/* What a status means to a reader; one that is not known reads as 503. */
struct error_model error_model_of(int status);

#endif
