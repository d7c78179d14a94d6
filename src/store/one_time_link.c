#include "store/one_time_link.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "store/function_call.h"

enum { SECRET_BYTES = 32 };

static const struct text words[ONE_TIME_LINK_KINDS] = {
	[ONE_TIME_LINK_OWNER] = TEXT_INIT("owner"),
	[ONE_TIME_LINK_RECOVERY] = TEXT_INIT("recover"),
};

static struct text
digest_of(struct arena *arena, struct text secret)
{
	return crypto_digest_hex(arena, TEXT(""), secret);
}

STORE_CALL
one_time_link_make_owner(
    struct store *store, struct arena *arena, struct text *code)
{
	struct text secret = crypto_random_hex(arena, SECRET_BYTES);

	*code = text_format(arena, "%.*s.%.*s",
	    TEXT_ARGS(words[ONE_TIME_LINK_OWNER]), TEXT_ARGS(secret));
	return store_write(store, arena, TEXT("SET"),
	    key_owner_link(arena, digest_of(arena, secret)), TEXT("1"),
	    TEXT("EX"), text_number(arena, ONE_TIME_LINK_SECONDS));
}

STORE_CALL
one_time_link_make_recovery(struct store *store, struct arena *arena,
    uint64_t user, enum one_time_link_factor factor, struct text *code)
{
	struct text secret = crypto_random_hex(arena, SECRET_BYTES);

	*code = text_format(arena, "%.*s.%llu.%.*s",
	    TEXT_ARGS(words[ONE_TIME_LINK_RECOVERY]), (unsigned long long)user,
	    TEXT_ARGS(secret));
	return call_write(store, arena, "recovery_link_1",
	    key_user(arena, user), digest_of(arena, secret),
	    text_number(arena, ONE_TIME_LINK_RECOVERY_SECONDS),
	    factor == FACTOR_STAYS ? TEXT("keep") : TEXT("drop"));
}

static bool
is_secret(struct text text)
{
	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
			return false;
	}
	return text.size == (size_t)SECRET_BYTES * 2;
}

bool
one_time_link_parse(
    struct arena *arena, struct text code, struct one_time_link *link)
{
	struct text word, id;
	size_t kind;

	if (!text_cut(&code, '.', &word) ||
	    !text_index(word, words, ONE_TIME_LINK_KINDS, &kind))
		return false;
	*link = (struct one_time_link){ .kind = (enum one_time_link_kind)kind };
	if (kind == ONE_TIME_LINK_RECOVERY &&
	    (!text_cut(&code, '.', &id) || !text_to_u64(id, &link->user) ||
		link->user == 0))
		return false;
	link->digest = digest_of(arena, code);
	return is_secret(code);
}

/* A link to recover an account may have a word after the digest. */
static enum store_result
find_recovery(
    struct store *store, struct arena *arena, const struct one_time_link *link)
{
	const struct reply *found = store_read(
	    store, arena, TEXT("GET"), key_recovery_link(arena, link->user));
	struct text rest, digest = { NULL, 0 };

	if (found == NULL)
		return STORE_DOWN;
	rest = reply_text(found);
	text_cut(&rest, ' ', &digest);
	return crypto_equal(digest, link->digest) ? STORE_OK : STORE_ABSENT;
}

STORE_CALL
one_time_link_find(struct store *store, struct arena *arena, struct text code,
    struct one_time_link *link)
{
	const struct reply *found;

	if (!one_time_link_parse(arena, code, link))
		return STORE_ABSENT;
	if (link->kind == ONE_TIME_LINK_RECOVERY)
		return find_recovery(store, arena, link);
	found = store_read(
	    store, arena, TEXT("EXISTS"), key_owner_link(arena, link->digest));
	if (found == NULL)
		return STORE_DOWN;
	return reply_number(found) == 1 ? STORE_OK : STORE_ABSENT;
}
