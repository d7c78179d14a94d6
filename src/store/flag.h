/*
 * Flags: what members say is wrong with a post, for moderators to look at
 * (lists/mod_queue.h). A member flags a post once, and may take it back.
 */
#pragma once

#include "store/mod_action.h"
#include "store/post.h"

/* FIRST is the site's own: what is a new member's first. */
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

/* The word of one that a member may choose, or "none". */
bool flag_parse(struct text word, enum flag *flag);

/* A member's flag, as it is recorded. */
struct flagged {
	uint64_t user; /* 0: the site itself */
	enum flag flag;
	int64_t at; /* Unix seconds */
	bool dismissed;
};

/* Asks for a member's flag, with one command, and takes it from the reply. */
void flag_ask(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user);
enum flag flag_read(const struct reply *reply);

/* Reads a member's flag. */
STORE_CALL flag_get(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum flag *flag);

/* Asks for all, with one command; and reads them, into the arena. */
void flag_ask_all(
    struct pipeline *pipeline, const struct store *store, struct post_id id);
size_t flag_read_all(
    struct arena *arena, const struct reply *reply, struct flagged **flags);

/* What stands in Redis of one. */
struct text flag_value(struct arena *arena, const struct flagged *flagged);

/*
 * Brings a member's flag to the state wanted; FLAG_NONE takes it back. STORE_OWN for
 * the author, STORE_ABSENT, STORE_REMOVED.
 */
STORE_CALL flag_set(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum flag wanted);

/* What was flagged may stay. STORE_ABSENT, STORE_REMOVED; if there is nothing to look
 * at, nothing changes. */
STORE_CALL flag_dismiss(struct store *store, struct arena *arena,
    struct post_id id, const struct mod_action *act);
