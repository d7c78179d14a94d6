/*
 * Flags: reports by members that something is wrong with a post, for moderators to
 * review (lists/mod_queue.h). A member has at most one flag on a post, and may remove it.
 */
#pragma once

#include "store/mod_action.h"
#include "store/post.h"

/* FIRST is set by the site, on the first post of a new member. */
enum flag {
	FLAG_NONE,
	FLAG_OFF_TOPIC,
	FLAG_SPAM,
	FLAG_BROKEN,
	FLAG_DUPLICATE,
	FLAG_UNKIND,
	FLAG_FIRST,
	FLAG_KINDS
};

/* "none", "off-topic", "spam", "broken", "duplicate", "unkind" and "first". */
extern const struct text flag_words[];

/* False for FLAG_NONE, and for FLAG_FIRST, which only the site sets. */
bool flag_is_for_members(enum flag flag);

/* Parses the word of a flag that a member may set, or "none". */
bool flag_parse(struct text word, enum flag *flag);

/* A flag as it is stored. */
struct flagged {
	uint64_t user; /* 0: the site itself */
	enum flag flag;
	int64_t at; /* Unix seconds */
	bool dismissed;
};

/* Adds one command that reads a member's flag, and reads its reply. */
void flag_ask(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user);
enum flag flag_read(const struct reply *reply);

/* Reads a member's flag. */
STORE_CALL flag_get(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum flag *flag);

/* Adds one command that reads all flags of a post, and reads its reply into the arena. */
void flag_ask_all(
    struct pipeline *pipeline, const struct store *store, struct post_id id);
size_t flag_read_all(
    struct arena *arena, const struct reply *reply, struct flagged **flags);

/* The stored value of a flag: "spam 1700000000", and " dismissed". */
struct text flag_value(struct arena *arena, const struct flagged *flagged);

/* Sets a member's flag; FLAG_NONE removes it. STORE_OWN for the author, STORE_ABSENT,
 * STORE_REMOVED. */
STORE_CALL flag_set(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum flag wanted);

/*
 * Folds a post that limit members have flagged who are older than RULE_FOLD_AGE: it is shown as a
 * line that unfolds, until moderators look at it. What they have looked at once is not folded. Of
 * thousands of flags some hundred are counted.
 */
STORE_CALL flag_fold(struct store *store, struct arena *arena,
    struct post_id id, size_t limit, int64_t now);

/* Dismisses all flags of a post: a part of review_keep. STORE_ABSENT, STORE_REMOVED; STORE_HELD
 * when the post waits to be shown; does nothing when there is none. */
STORE_CALL flag_dismiss(struct store *store, struct arena *arena,
    struct post_id id, const struct mod_action *action);
