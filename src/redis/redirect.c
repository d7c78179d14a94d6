#include "redis/redirect.h"

#include "redis/slot.h"

/* "MOVED 3999 127.0.0.1:6381" without its first word; the host may be empty. */
static bool
read_target(struct text rest, struct redirect *redirect)
{
	struct text word;
	uint64_t slot;

	if (!text_next_word(&rest, &word) || !text_to_u64(word, &slot) ||
	    slot >= CLUSTER_SLOTS || !text_next_word(&rest, &word))
		return false;
	redirect->slot = (unsigned)slot;
	return address_parse_node(word, &redirect->to);
}

/* A function that met a key of a slot on its way ends with one of these. */
static bool
is_of_moving_slot(struct text error)
{
	return text_find(error, 0, TEXT("non local key")) != SIZE_MAX ||
	    text_find(error, 0, TEXT("undeclared keys")) != SIZE_MAX;
}

struct redirect
cluster_read_redirect(struct text error)
{
	static const struct {
		struct text word;
		bool is_news;
	} laters[] = {
		{ TEXT_INIT("TRYAGAIN"), false },
		{ TEXT_INIT("CLUSTERDOWN"), true },
		{ TEXT_INIT("MASTERDOWN"), true },
		{ TEXT_INIT("LOADING"), true },
		{ TEXT_INIT("READONLY"), true },
		{ TEXT_INIT("NOREPLICAS"), false },
	};
	struct redirect redirect = { .kind = REDIRECT_NONE };
	struct text rest = error, word;

	if (!text_cut(&rest, ' ', &word))
		return redirect;
	if (text_equal(word, TEXT("MOVED")) && read_target(rest, &redirect)) {
		redirect.kind = REDIRECT_MOVED;
		redirect.is_news = true;
		return redirect;
	}
	if (text_equal(word, TEXT("ASK")) && read_target(rest, &redirect)) {
		redirect.kind = REDIRECT_ASK;
		return redirect;
	}
	for (size_t i = 0; i < sizeof(laters) / sizeof(laters[0]); i++)
		if (text_equal(word, laters[i].word)) {
			redirect.kind = REDIRECT_LATER;
			redirect.is_news = laters[i].is_news;
		}
	/* The functions are loaded on a new master soon after it has come. */
	if (is_of_moving_slot(error) ||
	    text_starts(error, TEXT("ERR Function not found")))
		redirect.kind = REDIRECT_LATER;
	return redirect;
}
