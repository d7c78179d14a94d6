/*
 * Outboxes: a stream in each bucket, of comments of which members are to be told. An
 * entry says of which comment, by whom, and whom and why:
 *
 *	1700000000000-0    post "7:3", by "17", to "20=reply 21=mention 5=article"
 *
 * The function that writes a comment writes its entry in the same step
 * (store/functions/comment.lua); a relay takes it out (store/relay.h).
 */
#pragma once

#include "redis/reply.h"
#include "store/inbox.h"

/* Entries are in the order of their ids. */
struct outbox_id {
	uint64_t moment, number;
};

struct outbox_entry {
	struct text id;
	struct post_id comment;
	uint64_t author;
	struct text to; /* empty: nobody */
};

bool outbox_read_id(struct text text, struct outbox_id *id);

enum outbox_result {
	OUTBOX_OK,	  /* also of one that was deleted: it is told nobody */
	OUTBOX_MALFORMED, /* only its id can be read */
	OUTBOX_NO_ENTRY	  /* it is no entry */
};
enum outbox_result outbox_read(
    const struct reply *item, struct outbox_entry *entry);

/* Takes the next from whom an entry is to be told: false when there is no more, or what
 * comes is nobody. */
struct recipient {
	uint64_t user;
	enum notice_reason reason;
};
bool outbox_next_recipient(struct text *to, struct recipient *recipient);
