#include "store/one_time_link.h"

#include "base/crypto.h"

enum { SECRET_BYTES = 32 };

/* A kind's word in codes, and the key of a link: in the slot of what it changes. */
static const struct {
	struct text word;
	struct text (*key)(struct arena *arena, struct text digest);
} kinds[] = {
	[ONE_TIME_LINK_OWNER] = { TEXT_INIT("owner"), key_owner_link },
};

STORE_CALL
one_time_link_make(struct store *store, struct arena *arena,
    enum one_time_link_kind kind, struct text *code)
{
	struct text secret = crypto_random_hex(arena, SECRET_BYTES);
	struct text digest = crypto_digest_hex(arena, TEXT(""), secret);

	*code = text_format(
	    arena, "%.*s.%.*s", TEXT_ARGS(kinds[kind].word), TEXT_ARGS(secret));
	return store_write(store, arena, TEXT("SET"),
	    kinds[kind].key(arena, digest), TEXT("1"), TEXT("EX"),
	    text_number(arena, ONE_TIME_LINK_SECONDS));
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
	struct text word;

	if (!text_cut(&code, '.', &word) || !is_secret(code))
		return false;
	link->digest = crypto_digest_hex(arena, TEXT(""), code);
	for (int i = 0; i < ONE_TIME_LINK_KINDS; i++)
		if (text_equal(word, kinds[i].word)) {
			link->kind = (enum one_time_link_kind)i;
			return true;
		}
	return false;
}

STORE_CALL
one_time_link_find(struct store *store, struct arena *arena, struct text code,
    struct one_time_link *link)
{
	const struct reply *found;

	if (!one_time_link_parse(arena, code, link))
		return STORE_ABSENT;
	found = store_read(store, arena, TEXT("EXISTS"),
	    kinds[link->kind].key(arena, link->digest));
	if (found == NULL)
		return STORE_DOWN;
	return reply_number(found) == 1 ? STORE_OK : STORE_ABSENT;
}
