/*
 * The search language: what a reader types into the field.
 *
 *	query    { [ "OR" ] item }              spaces: all must hold; OR joins to the item before
 *	item     [ "-" ] ( operator | words )
 *	words    '"' text [ '"' ]  |  word [ "*" ]
 *	operator name ":" ( word | '"' text '"' )
 *	names    author by @ | group tag | domain site | title | is:link text comment article
 *	         before after | order:relevance newest points
 *
 * One word of English letters without quotes matches its plural or singular in "s" as well.
 *
 * No text is an error. A name or value that is unknown is words; what has no letter or number is
 * left out. Of two authors, domains or kinds either will do, as of the groups in group:a+b.
 * A link as the whole query is the articles that have it, or an equal one, and texts that spell it.
 * "after:" includes the year, month or day (UTC) that it names, "before:" ends where that
 * begins.
 *
 * search/expression.h makes what FTS5 reads of a query; search/match.h says whether a post has
 * what it asks for, and where.
 */
#pragma once

#include "store/keys.h"

enum {
	QUERY_BYTES_MAX = 300,
	QUERY_ITEMS_MAX = 16,
	QUERY_PREFIX_MIN = 3 /* characters; 2 of Hangul */
};

/* A post as search sees it. */
struct search_post {
	struct post_id id;
	int64_t posted; /* Unix seconds */
	int64_t points;
	uint64_t author;   /* user id; 0: nobody is found by it */
	struct text title; /* empty for a comment */
	struct text text;  /* Markdown or plain */
	/* Names separated by spaces; a comment's are those of its article. */
	struct text groups;
	struct text host; /* as url_host_name writes it; empty: no link */
	struct text link; /* as rule_claim makes it; empty: none */
};

enum query_order { QUERY_RELEVANCE, QUERY_NEWEST, QUERY_POINTS };

/* "relevance", "newest", "points" */
extern const struct text query_orders[];
enum { QUERY_ORDERS = 3 };

enum query_kind {
	QUERY_WORDS,  /* one word, or several that follow each other */
	QUERY_PREFIX, /* the same; the last word is the beginning of one */
	QUERY_TITLE,  /* words of the title */
	QUERY_AUTHOR, /* value: a name in lower case */
	QUERY_GROUP,  /* value: a group's name */
	QUERY_DOMAIN, /* value: a host; those below it match, too */
	QUERY_LINK,   /* value: as of struct search_post */
	QUERY_IS      /* value: link, text, comment or article */
};

struct query_item {
	enum query_kind kind;
	bool excluded;
	/* One item of each clause must hold; not of excluded items. */
	size_t clause;
	struct text value;
	const struct text *words; /* folded, of the kinds that have words */
	size_t word_count;
	/* Of one word without quotes, with or without an "s" at its end: matches as well; may be
	 * empty. */
	struct text variant;
};

/* What was not understood, or left out; the page says it. */
enum query_note_kind {
	QUERY_NO_DATE,	    /* before: or after: something else */
	QUERY_NO_KIND,	    /* is: something else */
	QUERY_NO_ORDER,	    /* order: something else */
	QUERY_NO_NAME,	    /* a value that no author, group or host has */
	QUERY_SHORT_PREFIX, /* too short for a "*" */
	/* More than QUERY_BYTES_MAX or QUERY_ITEMS_MAX; value: empty. */
	QUERY_TOO_LONG,
	QUERY_NO_WORDS,	    /* nothing that can be searched for; value: empty */
	QUERY_ONLY_EXCLUDES /* nothing says what to look for; value: empty */
};

struct query_note {
	enum query_note_kind kind;
	struct text value; /* as typed */
};

struct query {
	struct query_item items[QUERY_ITEMS_MAX];
	size_t count;
	size_t clauses; /* 0 to clauses - 1 */
	/* Unix seconds, after <= posted < before; 0: not given. */
	int64_t after, before;
	enum query_order order;
	bool has_order; /* order: was given */
	struct query_note notes[QUERY_ITEMS_MAX + 2];
	size_t note_count;
};

/*
 * What names stand for, which only Redis knows: {"u:ann", "17"}, a member's id, and
 * {"g:databases", "databases,dbs"}, a group's names from first to last. An author without a
 * value is nobody; a group without one has this name alone.
 */
struct query_name {
	struct text key, value;
};
struct query_names {
	struct query_name *items;
	size_t count;
};

/* Never fails. Texts are in the arena. Control characters and wide spaces are spaces; curly
 * quotes are quotes. */
void query_parse(struct arena *arena, struct text typed, struct query *query);

/* False when it asks for nothing: it is empty, or only excludes. A date alone asks. */
bool query_asks(const struct query *query);

/* True if a link is the whole query. */
bool query_is_link(const struct query *query);

/* The names that it has, without values, each once. */
struct query_names query_names_in(
    struct arena *arena, const struct query *query);

/* What the name of an author or group stands for: a member's id, empty for nobody; or the group's
 * names, separated by commas. */
struct text query_item_names(struct arena *arena, const struct query_item *item,
    const struct query_names *names);
