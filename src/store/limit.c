#include "store/limit.h"

#include <arpa/inet.h>

#include "store/call.h"
#include "store/keys.h"

#define LIMIT_WORD(name, word, usual, meaning) [LIMIT_##name] = TEXT_INIT(word),
static const struct text words[LIMIT_KINDS] = { LIMITS(LIMIT_WORD) };

STORE_CALL
limit_take(struct store *store, struct arena *arena, enum limit kind,
    struct text who, int64_t *wait)
{
	const struct reply *reply;
	enum store_result result;
	struct call call;

	if (kind == LIMIT_NONE || store->rules.limits[kind] == 0)
		return STORE_OK;
	call = call_begin(
	    arena, CALL_WRITES, "limit_1", key_limit(arena, words[kind], who));
	call_add_number(&call, store->rules.limits[kind]);
	result = call_run(&call, store, &reply);
	if (result == STORE_LIMITED)
		*wait = reply_number(reply_item(reply, 1));
	return result;
}

struct text
limit_address(struct arena *arena, struct text address)
{
	const char *string = text_string(arena, address);
	struct in6_addr bytes;

	if (inet_pton(AF_INET6, string, &bytes) != 1 ||
	    IN6_IS_ADDR_V4MAPPED(&bytes))
		return address;
	return text_format(arena, "%02x%02x:%02x%02x:%02x%02x:%02x%02x",
	    bytes.s6_addr[0], bytes.s6_addr[1], bytes.s6_addr[2],
	    bytes.s6_addr[3], bytes.s6_addr[4], bytes.s6_addr[5],
	    bytes.s6_addr[6], bytes.s6_addr[7]);
}
