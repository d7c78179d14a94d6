/*
 * The search page: the field, what was found, and what of the query was not understood.
 */
#pragma once

#include "search/client.h"
#include "search/snippet.h"
#include "views/article_row.h"
#include "views/list.h"

struct search_piece {
	struct text text;
	bool is_marked;
};

struct snippet_model {
	LIST(struct search_piece) pieces;
	bool is_cut_before, is_cut_after;
};

/* What was found: an article, or a comment. */
struct search_row {
	bool is_comment, has_snippet;
	struct article_row_model article;
	LIST(struct search_piece) title_pieces;
	struct snippet_model snippet; /* of the article's text */
	/* Of comment_view, with a snippet in place of the text. */
	struct mustache_html comment;
};

struct search_model {
	struct text typed;	 /* as it was typed, as far as it is taken */
	struct text order;	 /* chosen by a link; empty: by the query */
	struct text title;	 /* of the document */
	LIST(struct text) notes; /* what was not understood */
	struct list_tab relevance, newest, points;
	LIST(struct search_row) rows;
	struct text count; /* "1,000+ results"; empty: nothing was asked */
	bool is_late;
	int64_t milliseconds; /* after which it was late */
	bool has_buttons;
	struct text hidden; /* how many are; or empty */
	/* So many that reading stopped before the page was full. */
	bool hidden_ended;
	bool is_empty, is_partial;
	bool is_cut_off; /* more was found than is shown */
	int64_t shown_max;
	struct pager_model pager;
	/* Why nothing was searched: one of these at most. */
	bool is_away, is_busy, is_being_built;
	struct text percent; /* built; empty: unknown */
	struct text wait;    /* until one may search again; or empty */
};

/* An OpenSearch description. */
struct opensearch_model {
	struct text short_name, site;
};

struct snippet_model snippet_model_of(
    struct arena *arena, const struct snippet *snippet);

/* Adds what was asked, the notes and the links to other orders. base has the query without an
 * order. */
void search_model_add_query(struct search_model *model, struct arena *arena,
    const struct query *query, struct text base);

/* The address of a search: "/search?q=..." */
struct text search_address(struct arena *arena, struct text typed);

/* Adds how many were found, and whether the search ended early. */
void search_model_add_count(struct search_model *model, struct arena *arena,
    const struct search_answer *answer);
