/*
 * Articles: what members post, vote on and file in groups.
 */
#pragma once

#include "store/flag.h"
#include "store/versions.h"

struct article {
	struct post post;
	struct text title;
	/* One of the two, or both; text is not read for lists. */
	struct text url, text;
	struct text publisher; /* where a link is from (store/publisher.h) */
	struct text groups;    /* names separated by spaces */
	/* Those that it was taken out of, at most RULE_GROUPS_MAX with the next ones; not read for
	 * lists. */
	struct text barred;
	/* Those by moderators of the site, who alone put it back. */
	struct text barred_by_site;
	/* Of the text: ARTICLE_MARKDOWN, or empty for plain text; not read for lists. */
	struct text markup;
	/* Members and groups that the text names, as of a comment. */
	struct text links;
	int64_t interesting;   /* Unix seconds; 0: never was */
	int64_t comments;      /* how many are not removed */
	int64_t commented;     /* the number of the last one */
	int64_t thread_closed; /* by moderators, Unix seconds; 0: it is open */
	/* When it had its second chance, Unix seconds; 0: never. Not read for lists. */
	int64_t again;
	/* The first full hour whose front page has it (store/front_hour.h); 0: none. Not read for
	 * lists. */
	int64_t front;
	int64_t score;
	enum flag flag; /* the viewer's; not read for lists */
	/* Changes with any of its comments; not read for lists. */
	struct stamp thread;
	bool is_reviewed; /* for article_post: add it to the queue */
	bool is_held;	  /* likewise: and show it once it was kept */
};

#define ARTICLE_MARKDOWN "markdown"

extern const struct schema article_schema;

/* The post id of an article. */
#define article_id(id) ((struct post_id){ .article = (id) })

/* True while the article accepts comments: within rules->thread_window of posting, unless
 * it was removed or moderators have closed its thread. */
bool article_takes_comments(
    const struct rules *rules, const struct article *article, int64_t now);

/* True when neither votes nor comments change what the article's page shows: its voting has
 * closed, its thread, and the voting on the last comment of that. What moderators and
 * owners do may still change it, and a member who closes the account. */
bool article_is_final(
    const struct rules *rules, const struct article *article, int64_t now);

/* Sets points and score from the votes. */
void article_compute_score(int64_t vote_score, struct article *article);

/* Adds one command that reads the vote counts alone, and reads its reply. */
void article_ask_counts(
    struct pipeline *pipeline, const struct store *store, uint64_t id);
void article_read_counts(const struct reply *reply, struct article *article);

/*
 * Reads one article with all fields, the viewer's vote and flag (viewer 0: neither), and
 * Redis's clock. STORE_ABSENT when id was never used. A removed article is STORE_OK, with
 * removed set.
 */
STORE_CALL article_get(struct store *store, struct arena *arena, uint64_t id,
    uint64_t viewer, struct article *article, int64_t *now);

/* Reads the brief fields, or the whole, of those articles that exist and are not removed, in
 * the order of ids; articles has room for count. Lost masters: as store_run_partial. */
STORE_CALL article_get_some(struct store *store, struct arena *arena,
    enum schema_extent extent, const uint64_t *ids, size_t count,
    struct article *articles, size_t *got, bool *is_partial);

/*
 * Gives the article an id and casts its author's vote. Reads title, url, text, groups, the author,
 * is_reviewed and is_held; writes the id. STORE_TAKEN, with the id of that article, when one with
 * an equal link exists, or with the same text by the same author. A removed article blocks its link
 * for its own author alone; from others it keeps the groups that it was taken out of.
 */
STORE_CALL article_post(
    struct store *store, struct arena *arena, struct article *article);

/*
 * Finds the article that has claimed a link or an equal one, which cannot be posted
 * again until that article's voting closes. The link is as rule_link leaves it.
 * STORE_ABSENT when there is none. The article may be removed.
 */
STORE_CALL article_find_link(
    struct store *store, struct arena *arena, struct text link, uint64_t *id);

/*
 * Removes the article from some groups, then adds it to others; both are names of existing groups,
 * separated by spaces. Those that it was taken out of are left out. STORE_ABSENT, STORE_REMOVED;
 * STORE_FULL when it would be in more than RULE_GROUPS_MAX.
 */
STORE_CALL article_set_groups(struct store *store, struct arena *arena,
    uint64_t id, struct text added, struct text removed);

/* The same by a moderator, whose action is logged if the groups change; sets what it is. */
STORE_CALL article_move(struct store *store, struct arena *arena, uint64_t id,
    struct text added, struct text removed, struct mod_action action);

/*
 * Takes the article out of a group, as a moderator of the group or of the site, and keeps it out:
 * none of the functions here file it there again. Sets what the action is. STORE_ABSENT when it is
 * not in the group, STORE_REMOVED; STORE_FULL when it was taken out of RULE_GROUPS_MAX others.
 */
enum article_barrier { ARTICLE_BARRED_BY_GROUP, ARTICLE_BARRED_BY_SITE };
STORE_CALL article_bar(struct store *store, struct arena *arena, uint64_t id,
    struct text group, enum article_barrier by, struct mod_action action);

/* Puts it back. STORE_ABSENT when moderators of the site took it out, and by is not of these;
 * STORE_REMOVED; STORE_FULL when it is in RULE_GROUPS_MAX. */
STORE_CALL article_unbar(struct store *store, struct arena *arena,
    const struct article *article, struct text group, enum article_barrier by,
    struct mod_action action);

/* Finds the first of names whose group the article was taken out of, also under a former name;
 * empty when there is none. */
STORE_CALL article_find_barred(struct store *store, struct arena *arena,
    const struct article *article, struct text names, struct text *name);

/* The names of all groups that it was taken out of. */
struct text article_barred_from(
    struct arena *arena, const struct article *article);

/* Adds article_set_groups as one command, whose reply is for call_outcome. */
void article_send_groups(struct pipeline *pipeline, const struct store *store,
    uint64_t id, struct text added, struct text removed);

/* Groups and the fields of EDIT_EARLY can be edited for this long after posting. */
enum { ARTICLE_EDIT_SECONDS = 900 };

/* Changes the fields that are edited (article_schema), and with the text its links, where
 * they differ, and then sets edited. STORE_ABSENT,
 * STORE_REMOVED; STORE_CLOSED when it is too late for a field that differs. */
STORE_CALL article_edit(
    struct store *store, struct arena *arena, const struct article *article);

/* Restores a removed article, in those of its groups that still exist: as post_restore, and as
 * article_release if it was never shown. */
STORE_CALL article_restore(struct store *store, struct arena *arena,
    uint64_t id, const struct mod_action *action);

/* Shows an article that was held, in those of its groups that still exist: as post_release. It
 * claims its link: STORE_TAKEN when another article has it by now. */
STORE_CALL article_release(struct store *store, struct arena *arena,
    uint64_t id, const struct mod_action *action);

/*
 * Gives an article a second chance: once, for ARTICLE_AGAIN_SECONDS, it is what the front page's
 * row of what was overlooked shows (lists/overlooked.h). STORE_ABSENT, STORE_REMOVED; STORE_CLOSED
 * when it is younger than half a day or older than a week; STORE_TAKEN when it had its chance.
 */
enum {
	ARTICLE_AGAIN_YOUNGEST = 43200,
	ARTICLE_AGAIN_OLDEST = 7 * 86400,
	ARTICLE_AGAIN_SECONDS = 7200
};
STORE_CALL article_show_again(struct store *store, struct arena *arena,
    uint64_t id, const struct mod_action *action);
bool article_may_be_shown_again(const struct article *article, int64_t now);

/* Closes or reopens an article's thread. STORE_ABSENT, STORE_REMOVED. Does nothing when
 * the thread is in that state. */
enum article_thread { ARTICLE_THREAD_OPEN, ARTICLE_THREAD_CLOSED };
STORE_CALL article_set_thread(struct store *store, struct arena *arena,
    uint64_t id, enum article_thread wanted, const struct mod_action *action);
