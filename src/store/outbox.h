/*
 * Outboxes: in each bucket, a stream of comments and moderators' actions about which members are
 * to be notified. An entry has the comment and its author, or the action's number; and the
 * recipients, each with the reason:
 *
 *	1700000000000-0    post "7:3", by "17", to "20=reply 21=mention 5=article"
 *	1700000000000-1    act "12", to "5=action"
 *
 * The function that writes a comment, or logs an action, writes its entry as well
 * (store/functions/comment.lua, mod_action.lua); a relay delivers and deletes it
 * (store/relay.h).
 */
#pragma once

#include "redis/reply.h"
#include "store/inbox.h"

/* The id of a stream entry; streams are ordered by it. */
struct outbox_id {
	uint64_t moment, number;
};

struct outbox_entry {
	struct text id;
	struct post_id comment;
	uint64_t author;
	uint64_t action; /* 0: of a comment */
	struct text to;	 /* the recipients; may be empty */
};

bool outbox_read_id(struct text text, struct outbox_id *id);

enum outbox_result {
	OUTBOX_OK,	  /* also a deleted entry, which has no recipients */
	OUTBOX_MALFORMED, /* only the id could be read */
	OUTBOX_NO_ENTRY	  /* the reply is not an entry */
};
enum outbox_result outbox_read(
    const struct reply *item, struct outbox_entry *entry);

/* Removes the first recipient from *to; false when *to is empty or malformed. */
struct recipient {
	uint64_t user;
	enum notice_reason reason;
};
bool outbox_next_recipient(struct text *to, struct recipient *recipient);
