/*
 * Rate limits in fixed windows, an hour or a minute by the row of store/rules.h, which begin
 * with the first use. Further uses are refused until the window is over; refused ones do not
 * prolong it.
 *
 * A counter is one key, changed with plain commands: those of a member's limits share the
 * round trip of the session. A command whose reply was lost is sent again and may count
 * twice: then that window allows one fewer.
 */
#pragma once

#include "redis/pipeline.h"
#include "store/store.h"

/* False when the limit is disabled. */
bool limit_is_set(const struct store *store, enum limit kind);

/*
 * A member's limit in steps, to share other round trips: limit_member_key; then
 * limit_increment, one command; with its reply limit_set_expiry, in a later pipeline; and
 * limit_check.
 */
struct text limit_member_key(
    struct arena *arena, enum limit kind, uint64_t user);
void limit_increment(struct pipeline *pipeline, struct text key);

/* Adds a command that lets the counter expire at the end of its window, if the count is 1 or
 * 2: the first increment may have been sent twice. */
void limit_set_expiry(struct pipeline *pipeline, enum limit kind,
    struct text key, const struct reply *reply);

/* STORE_LIMITED when the count exceeds the limit; *wait is then the number of seconds
 * until the next use is allowed. */
STORE_CALL limit_check(struct store *store, struct arena *arena,
    enum limit kind, struct text key, const struct reply *reply, int64_t *wait);

/* All steps for a member, in round trips of their own. */
STORE_CALL limit_take_member(struct store *store, struct arena *arena,
    enum limit kind, uint64_t user, int64_t *wait);

/* The same with another number of uses than the configured one; 0: any. */
STORE_CALL limit_take_up_to(struct store *store, struct arena *arena,
    enum limit kind, uint64_t user, int64_t max, int64_t *wait);

/*
 * Bytes that a member stores within a day, which begins with the first of them, in steps that
 * share other round trips: limit_ask_bytes, one command, whose reply_count is how many are used, or
 * limit_read_bytes; limit_check_bytes; limit_send_bytes before they are written, and limit_wait
 * after that. What the member sends at the same time is not counted yet, so that may exceed the
 * limit.
 */
void limit_ask_bytes(struct pipeline *pipeline, uint64_t user);
STORE_CALL limit_read_bytes(
    struct store *store, struct arena *arena, uint64_t user, int64_t *used);

/* STORE_LIMITED when more bytes would exceed rules.day_bytes, and then *wait as of limit_check.
 * *used becomes 0 when a new day begins. */
STORE_CALL limit_check_bytes(struct store *store, struct arena *arena,
    uint64_t user, int64_t *used, size_t bytes, int64_t *wait);

/* The pipeline is in the arena; bytes that could not be counted are logged. */
struct pipeline *limit_send_bytes(struct store *store, struct arena *arena,
    uint64_t user, int64_t used, size_t bytes);
void limit_wait(struct pipeline *sent);

/*
 * Counts a use by network. IPv6 addresses are counted by their first 64 bits, which one
 * subscriber has; and uses that this allowed also by their first 48 bits, since many
 * subscribers have all networks of those: LIMIT_WIDE_FACTOR times the limit.
 */
enum { LIMIT_WIDE_FACTOR = 8 };
STORE_CALL limit_take_network(struct store *store, struct arena *arena,
    enum limit kind, struct text address, int64_t *wait);

/* The network as which an address is counted; of IPv4 the address itself. */
struct text limit_network(struct arena *arena, struct text address);

/* Undoes limit_take_network. */
STORE_CALL limit_refund_network(struct store *store, struct arena *arena,
    enum limit kind, struct text address);

/* Counts a use by member name from any network: LIMIT_NAME_FACTOR times the limit. Redis
 * stores a digest of the name, as it may be of a closed account. */
enum { LIMIT_NAME_FACTOR = 10 };
STORE_CALL limit_take_name(struct store *store, struct arena *arena,
    enum limit kind, struct text name, int64_t *wait);

/* Counts a use by member name from one network, so that strangers elsewhere use up nothing of
 * the member's. */
STORE_CALL limit_take_name_from(struct store *store, struct arena *arena,
    enum limit kind, struct text name, struct text address, int64_t *wait);

/* Counts a use by browser, named by its cookie. */
STORE_CALL limit_take_device(struct store *store, struct arena *arena,
    enum limit kind, struct text device, int64_t *wait);

/* Undo a use that was taken by a member, by a name from a network, and by a browser. */
STORE_CALL limit_refund_member(
    struct store *store, struct arena *arena, enum limit kind, uint64_t user);
STORE_CALL limit_refund_name_from(struct store *store, struct arena *arena,
    enum limit kind, struct text name, struct text address);
STORE_CALL limit_refund_device(struct store *store, struct arena *arena,
    enum limit kind, struct text device);
