/*
 * A Cookie header as pages parse it, and the session's cookie as the store does.
 * There is no Redis, so the store returns STORE_DOWN for a well-formed cookie.
 */
#include "fuzz.h"

#include <string.h>

#include "base/crypto.h"
#include "http/request.h"
#include "redis/redis.h"
#include "store/session.h"

static struct store *
open_store(void)
{
	static struct store store = { .rules = { .session_seconds = 60 },
		.secret = TEXT_INIT("secret") };

	if (store.redis == NULL) {
		crypto_start();
		store.redis =
		    redis_open(TEXT("unix:/nonexistent"), TEXT(""), TEXT(""));
		redis_be_quiet(store.redis);
	}
	return &store;
}

/* "ID.SECRET", the secret of 64 bytes. */
static void
check_session(struct text cookie)
{
	size_t dot = 0;
	bool zero = true;

	while (dot < cookie.size && cookie.data[dot] != '.') {
		must(cookie.data[dot] >= '0' && cookie.data[dot] <= '9');
		zero = zero && cookie.data[dot] == '0';
		dot++;
	}
	must(!zero && cookie.size == dot + 1 + 64);
}

static void
check_value(struct arena *arena, struct text header, struct text value)
{
	struct text token = { NULL, 0 };
	struct user user;

	must(fuzz_is_within(value, header));
	must(value.size == 0 || memchr(value.data, ';', value.size) == NULL);
	must(session_token_of(open_store(), arena, value, &token) == STORE_OK ||
	    token.size == 0);
	switch (session_find(open_store(), arena, value, &user, NULL)) {
	case STORE_ABSENT:
		must(token.size == 0);
		break;
	case STORE_DOWN:
		must(token.size == 64);
		check_session(value);
		break;
	default:
		must(false); /* There is no Redis that could return more. */
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct text names[] = { TEXT_INIT("tally"),
		TEXT_INIT("tally-form"), TEXT_INIT("__Host-tally"),
		TEXT_INIT("__Host-tally-form") };
	static struct arena arena;
	struct request request = { .cookie = fuzz_text(data, size) };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_value(
		    &arena, request.cookie, request_cookie(&request, names[i]));
	arena_reset(&arena);
	return 0;
}
