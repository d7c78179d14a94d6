/*
 * Rate limits: so many an hour, which begins with the first. What comes after
 * them waits until the hour is over, which trying again does not prolong.
 *
 * A count is one key, and plain commands: those of a member's limits share the
 * round trip of the session. One whose answer was lost is sent again and counts twice:
 * that hour allows one fewer.
 */
#pragma once

#include "redis/pipeline.h"
#include "store/store.h"

/* Whether a kind is limited at all. */
bool limit_is_set(const struct store *store, enum limit kind);

/*
 * A member's count, in parts that go with other commands: its key, and then one more,
 * with one command, to whose reply the next two refer.
 */
struct text limit_member_key(
    struct arena *arena, enum limit kind, uint64_t user);
void limit_increment(struct pipeline *pipeline, struct text key);

/* Adds what lets the hour end, if this was its first, which may have been sent twice. */
void limit_set_expiry(
    struct pipeline *pipeline, struct text key, const struct reply *reply);

/*
 * STORE_LIMITED when that was one too many; *wait is then the number of seconds
 * until the next is allowed.
 */
STORE_CALL limit_check(struct store *store, struct arena *arena,
    enum limit kind, struct text key, const struct reply *reply, int64_t *wait);

/* All of it, in round trips of its own, for a member. */
STORE_CALL limit_take_member(struct store *store, struct arena *arena,
    enum limit kind, uint64_t user, int64_t *wait);

/* So many bytes more that a member is about to store: STORE_LIMITED when these would be
 * more within a day, which begins with the first, than the rules allow. */
STORE_CALL limit_take_bytes(struct store *store, struct arena *arena,
    uint64_t user, size_t bytes, int64_t *wait);

/*
 * The same for whoever is at an address. IPv6 is counted by
 * its first 64 bits, which a subscriber has to itself; and what these were allowed also by
 * its first 48, of which many get all networks: LIMIT_WIDE_FACTOR times as much.
 */
enum { LIMIT_WIDE_FACTOR = 8 };
STORE_CALL limit_take_network(struct store *store, struct arena *arena,
    enum limit kind, struct text address, int64_t *wait);

/* As what an address is counted: IPv4 as it is. */
struct text limit_network(struct arena *arena, struct text address);

/* What that counted was none of the kind. */
STORE_CALL limit_refund_network(struct store *store, struct arena *arena,
    enum limit kind, struct text address);

/* The same for whoever gives a member's name, from wherever: LIMIT_NAME_FACTOR times as much. Redis
 * gets a digest of the name, which may be that of a closed account. */
enum { LIMIT_NAME_FACTOR = 10 };
STORE_CALL limit_take_name(struct store *store, struct arena *arena,
    enum limit kind, struct text name, int64_t *wait);

/* And for one browser, by a name of its own. */
STORE_CALL limit_take_device(struct store *store, struct arena *arena,
    enum limit kind, struct text device, int64_t *wait);
