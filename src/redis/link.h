/*
 * One connection to Redis: the only file that includes hiredis.
 *
 * Bytes are appended, written, and answered in their order. After any fault the
 * link is of no use any more and has to be closed: a late reply would be taken
 * for the answer to another command.
 */
#pragma once

#include "redis/address.h"
#include "redis/reply.h"

struct arena;
struct redisContext; /* a link is hiredis's own */

/* Whom to log in as; without a password nobody logs in. */
struct link_login {
	struct text user, password;
};

/*
 * Connects, logs in and waits until Redis has read its data, for 200 ms each.
 * NULL when any of it fails; then *why says so in the arena.
 */
struct redisContext *link_open(struct arena *arena,
    const struct address *address, const struct link_login *login,
    struct text *why);
void link_close(struct redisContext *link);

/* The descriptor to poll for reading. */
int link_descriptor(const struct redisContext *link);

/* Bytes to be written by the next link_write. */
void link_append(struct redisContext *link, struct text bytes);

/* Writes what was appended, waiting up to 2 s for Redis to take it; reads what
 * has come. Both are false after a fault. */
bool link_write(struct redisContext *link) __attribute__((warn_unused_result));
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

/* What the fault was; lasts as long as the link. */
struct text link_fault(const struct redisContext *link);
