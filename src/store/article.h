/*
 * Articles: what members post, vote on and file in groups.
 */
#pragma once

#include "store/flag.h"
#include "store/versions.h"

struct article {
	struct post post;
	struct text title;
	struct text url, text; /* one of them is empty; text only of one
				  article, not of a list */
	struct text groups;    /* names with a space between */
	struct text markup;    /* what the text is written in: ARTICLE_MARKDOWN,
				  or plain when empty; as the text itself */
	struct text links;     /* what the text names, as a comment's */
	int64_t interesting;   /* the moment; 0 for never */
	int64_t comments;      /* how many there are to be read */
	int64_t commented;     /* the number of the last one */
	int64_t thread_closed; /* the moment; 0: moderators have not */
	int64_t score;
	enum flag flag;	     /* the viewer's; not read for a list */
	struct stamp thread; /* of its comments: another whenever anything of
				them changes; likewise */
	bool is_first;	     /* of article_post: moderators are to look at it */
};

#define ARTICLE_MARKDOWN "markdown"

extern const struct schema article_schema;

/* The post that an article is. */
#define article_id(id) ((struct post_id){ .article = (id) })

/* Whether comments are taken: until so long after it was posted, unless moderators
 * have closed its thread. */
bool article_takes_comments(
    const struct rules *rules, const struct article *article, int64_t now);

/* Counts points and score from the votes. */
void article_compute_score(const struct rules *rules, struct article *article);

/* Asks for the votes alone; article_read_counts takes the reply. */
void article_ask_counts(
    struct pipeline *pipeline, const struct store *store, uint64_t id);
void article_read_counts(const struct reply *reply, struct article *article);

/*
 * One article whole, with the vote of viewer (0: nobody's), and Redis's clock.
 * STORE_ABSENT when id was never used. A removed one is STORE_OK, with removed
 * set.
 */
STORE_CALL article_get(struct store *store, struct arena *arena, uint64_t id,
    uint64_t viewer, struct article *article, int64_t *now);

/* Brief fields of those of the ids that are there and not removed, in their order, as
 * store_run_partial has it; articles has room for count. */
STORE_CALL article_get_some(struct store *store, struct arena *arena,
    const uint64_t *ids, size_t count, struct article *articles, size_t *got,
    bool *is_partial);

/*
 * Gives the article an id and casts its author's vote. Reads title, url, text,
 * groups, the author and is_first; writes the id. STORE_TAKEN, with the id of the
 * article that holds it, when an equal link is up already, or the same author's same
 * text. An article that was removed holds its link against its own author alone.
 */
STORE_CALL article_post(
    struct store *store, struct arena *arena, struct article *article);

/*
 * Which article holds a link, or an equal one, so that it is not posted again; the
 * link is taken as rule_link leaves it. STORE_ABSENT when none does. That article
 * may be removed.
 */
STORE_CALL article_find_link(
    struct store *store, struct arena *arena, struct text link, uint64_t *id);

/*
 * Takes the article out of some groups, then puts it into others; names with a
 * space between, of groups that exist. STORE_ABSENT, STORE_REMOVED, STORE_FULL.
 */
STORE_CALL article_set_groups(struct store *store, struct arena *arena,
    uint64_t id, struct text added, struct text removed);

/* Asks for the same with one command, to whose reply call_outcome is the answer. */
void article_send_groups(struct pipeline *pipeline, const struct store *store,
    uint64_t id, struct text added, struct text removed);

/* For so long after posting the title and the groups may be edited. */
enum { ARTICLE_EDIT_SECONDS = 900 };

/* Changes what differs, and notes the moment if anything does; links belong to the text,
 * which stays in the markup that it is in. STORE_ABSENT,
 * STORE_REMOVED; STORE_CLOSED when it is too late for what differs. */
STORE_CALL article_edit(struct store *store, struct arena *arena, uint64_t id,
    struct text title, struct text text, struct text links);

/* Puts it back, in those of its groups that there still are: as post_restore. */
STORE_CALL article_restore(struct store *store, struct arena *arena,
    uint64_t id, const struct mod_action *act);

/* Closes its thread, or opens it again. STORE_ABSENT, STORE_REMOVED. If it is so
 * already, nothing changes. */
enum article_thread { ARTICLE_THREAD_OPEN, ARTICLE_THREAD_CLOSED };
STORE_CALL article_set_thread(struct store *store, struct arena *arena,
    uint64_t id, enum article_thread wanted, const struct mod_action *act);

/* Whether the member has posted nothing yet, no comment either, as far as that can be
 * reached: moderators rather look at one post more. */
STORE_CALL article_would_be_first(
    struct store *store, struct arena *arena, uint64_t user, bool *is_first);
