/*
 * The rules of the site: its numbers, and what a title, a link or a name may
 * be.
 *
 * The checks serve forms and the loading of dumps alike. Each looks at a value,
 * replaces it by its cleaned form, and returns what is wrong with it in a
 * sentence for the reader; an empty text when it is good.
 */
#ifndef STORE_RULES_H
#define STORE_RULES_H

#include "base/text.h"

/* What is limited, and for whom. */
enum limit {
	LIMIT_NONE,
	LIMIT_REGISTER, /* an address; a name */
	LIMIT_LOGIN,	/* an address; a name */
	LIMIT_POST,	/* a member */
	LIMIT_VOTE,	/* a member */
	LIMIT_GROUP,	/* a member who files articles or creates groups */
	LIMIT_KINDS
};

/* Set when the site starts; seconds, points and counts. */
struct rules {
	int64_t vote_score;  /* points that a vote is worth */
	int64_t vote_window; /* seconds */
	int64_t interesting; /* up votes */
	int64_t page_size;
	int64_t promise_articles, promise_places, promise_seconds;
	int64_t session_seconds, session_idle;
	int64_t limits[LIMIT_KINDS]; /* how many an hour; 0: any number */
	uint64_t buckets;
};

enum {
	RULE_BUCKETS_MAX = 1024,
	RULE_VOTE_SCORE_MAX = 1000000000,
	RULE_TITLE_MAX = 200,  /* characters */
	RULE_TEXT_MAX = 20000, /* characters */
	RULE_LINK_MAX = 2000,  /* bytes */
	RULE_GROUPS_MAX = 16,  /* of one article */
	RULE_COMBINED_MAX = 5, /* groups in "/g/a+b" */
	RULE_GROUP_NAME_MIN = 2,
	RULE_GROUP_NAME_MAX = 32,
	RULE_USER_NAME_MIN = 2,
	RULE_USER_NAME_MAX = 20,
	RULE_PASSWORD_MIN = 8, /* bytes */
	RULE_PASSWORD_MAX = 256,
	RULE_INTERESTING_MAX = 50 /* articles on /interesting */
};

struct text rule_title(struct arena *arena, struct text *title);

/* An empty link or text is good here: an article has one of the two. */
struct text rule_link(struct arena *arena, struct text *link);
struct text rule_body(struct arena *arena, struct text *body);

/* Names separated by spaces, each once and in its form; 16 at most. */
struct text rule_groups(struct arena *arena, struct text *groups);
struct text rule_group_name(struct arena *arena, struct text *name);
struct text rule_group_title(struct arena *arena, struct text *title);
struct text rule_user_name(struct arena *arena, struct text *name);
struct text rule_new_password(struct arena *arena, struct text *password);

/* Nothing but that it is there: for logging in. */
struct text rule_given_name(struct arena *arena, struct text *name);
struct text rule_given_password(struct arena *arena, struct text *password);

/* The score of an article. */
int64_t rule_score(
    const struct rules *rules, int64_t posted, int64_t up, int64_t down);

/*
 * What is claimed for an id when an article is posted: the hash of the link, or
 * of author, title and text. The link is taken with scheme and host in lower
 * case, as rule_link leaves it.
 */
struct text rule_claim(struct arena *arena, uint64_t author, struct text title,
    struct text url, struct text text);

#endif
