#include "store/recovery.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "redis/redis.h"
#include "store/inbox.h"

enum { CODE_BYTES = 10 };

struct text
recovery_code_digest(const struct store *store, struct arena *arena,
    uint64_t user, struct text code)
{
	return crypto_digest_hex(arena, store->secret,
	    text_format(arena, "recovery code %llu %.*s",
		(unsigned long long)user, TEXT_ARGS(code)));
}

/* "ABCDEFGHIJKLMNOP" as it is shown. */
static struct text
group_code(struct arena *arena, struct text code)
{
	return text_format(arena, "%.4s-%.4s-%.4s-%.4s", code.data,
	    code.data + 4, code.data + 8, code.data + 12);
}

struct recovery_codes
recovery_codes_new(
    const struct store *store, struct arena *arena, uint64_t user)
{
	struct recovery_codes codes;

	for (size_t i = 0; i < RECOVERY_CODES; i++) {
		struct text code = crypto_random_base32(arena, CODE_BYTES);

		codes.codes[i] = group_code(arena, code);
		codes.digests[i] =
		    recovery_code_digest(store, arena, user, code);
	}
	return codes;
}

STORE_CALL
recovery_codes_store(struct store *store, struct arena *arena, uint64_t user,
    const struct recovery_codes *codes)
{
	struct call call = call_begin(
	    arena, CALL_WRITES, "recovery_codes_1", key_user(arena, user));

	call_add_words(&call, codes->digests, RECOVERY_CODES);
	return call_run(&call, store, NULL);
}

STORE_CALL
recovery_codes_count(
    struct store *store, struct arena *arena, uint64_t user, int64_t *count)
{
	const struct reply *found = store_read(
	    store, arena, TEXT("SCARD"), key_recovery_codes(arena, user));

	*count = found == NULL ? 0 : reply_number(found);
	return found == NULL ? STORE_DOWN : STORE_OK;
}

STORE_CALL
recovery_codes_find(struct store *store, struct arena *arena, uint64_t user,
    const struct text *digests, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("SMISMEMBER"),
		    key_recovery_codes(arena, user), digests[i]);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (reply_number(reply_item(&pipeline.replies[i], 0)) != 1)
			result = STORE_ABSENT;
	return result;
}

STORE_CALL
recovery_set_password(struct store *store, struct arena *arena, uint64_t user,
    const struct recovery *recovery, struct text hash)
{
	return call_write(store, arena, "recover_1", key_user(arena, user),
	    recovery->kind == RECOVERY_BY_CODE ? TEXT("code") : TEXT("link"),
	    recovery->digest, hash, text_number(arena, INBOX_MAX));
}

void
recovery_check(struct pipeline *pipeline, uint64_t user)
{
	struct arena *arena = pipeline->arena;
	struct call call = call_begin(
	    arena, CALL_READS, "check_recovery_1", key_user(arena, user));

	call_add_number(&call, RECOVERY_CODES);
	call_send(&call, pipeline);
}
