/*
 * One connection to Redis: the only file that includes hiredis.
 *
 * Nothing waits: bytes are appended, written as far as they can be, and answered
 * in their order. After any fault the link is of no use any more and has to be
 * closed: a late reply would be taken for the answer to another command.
 */
#pragma once

#include "base/tls.h"
#include "redis/address.h"
#include "redis/reply.h"

struct arena;
struct redisContext; /* a link is hiredis's own */

/*
 * Begins to connect, encrypted if tls is not NULL. NULL when that fails at once;
 * then *why says so in the arena. Otherwise it may fail later: what is appended is
 * written once it is connected.
 */
struct redisContext *link_dial(struct arena *arena,
    const struct address *address, struct ssl_ctx_st *tls, struct text *why);
void link_close(struct redisContext *link);

/* The descriptor to poll, and whether it may be read now, or written if asked. */
int link_descriptor(const struct redisContext *link);
bool link_is_ready(const struct redisContext *link, bool for_writing);

/* Bytes to be written by link_write. */
void link_append(struct redisContext *link, struct text bytes);

/* Writes of what was appended as much as is taken; *all says whether that was all,
 * or the rest is written by a read. Reads what has come. Both are false after a
 * fault. */
bool link_write(struct redisContext *link, bool *all)
    __attribute__((warn_unused_result));
bool link_read(struct redisContext *link) __attribute__((warn_unused_result));

enum link_result {
	LINK_REPLY,
	LINK_NONE, /* no reply is complete */
	LINK_FAULT
};

/* The next reply among what was read, copied to the arena. */
enum link_result link_next(
    struct redisContext *link, struct arena *arena, struct reply *reply);

/* Whether there are bytes that no reply was made of yet. */
bool link_has_more(const struct redisContext *link);

/* What the fault was; lasts as long as the link, or for ever. */
struct text link_fault(const struct redisContext *link);
