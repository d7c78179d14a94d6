#include "views/mod_rings.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "views/format.h"
#include "views/messages.h"

static struct text
number_of(struct arena *arena, uint64_t number)
{
	return message_number(arena, (int64_t)number);
}

static struct mustache_list
names_of(struct arena *arena, const struct member *members, size_t count)
{
	struct text *names = arena_new(arena, struct text, count);

	for (size_t i = 0; i < count; i++)
		names[i] = members[i].name;
	return (struct mustache_list){ names, count };
}

/* The names of those members on whom the form acts, words. */
static struct text
words_of(struct arena *arena, const struct vote_ring *ring)
{
	struct buffer words = buffer_in(arena, 256);

	for (size_t i = 0; i < ring->count && i < MOD_RINGS_MEMBERS_MAX; i++) {
		if (i > 0)
			buffer_add(&words, TEXT(" "));
		buffer_add(&words, ring->members[i].member.name);
	}
	return buffer_text(&words);
}

static struct vote_ring_row
ring_row_of(struct arena *arena, const struct vote_ring *ring, size_t number)
{
	struct vote_ring_member_row *members =
	    arena_new(arena, struct vote_ring_member_row, ring->count);

	for (size_t i = 0; i < ring->count; i++)
		members[i] =
		    (struct vote_ring_member_row){ ring->members[i].member.name,
			    number_of(arena, ring->members[i].upvotes),
			    number_of(arena, ring->members[i].shared) };
	return (struct vote_ring_row){
		.members = { members, ring->count },
		.number = number_of(arena, number),
		.names = words_of(arena, ring),
		.all = ring->count > MOD_RINGS_MEMBERS_MAX
		    ? message_first(arena, MOD_RINGS_MEMBERS_MAX)
		    : message_all_of(arena, (int64_t)ring->count),
		.count =
		    message_count(arena, MESSAGE_MEMBERS, (int64_t)ring->count),
		.pairs =
		    message_count(arena, MESSAGE_PAIRS, (int64_t)ring->pairs),
		.common = number_of(arena, ring->common),
		.either = number_of(arena, ring->either),
		.expected = message_hundredths(arena, ring->expected),
		.authors = names_of(arena, ring->authors, ring->author_count),
		.articles = { ring->articles, ring->shown },
		.more = ring->common > ring->shown
		    ? number_of(arena, ring->common - ring->shown)
		    : TEXT(""),
	};
}

struct mod_rings_model
mod_rings_model_of(struct arena *arena,
    const struct vote_rings_figures *figures, bool is_awaited)
{
	struct mod_rings_model model = { .is_awaited = is_awaited };
	const struct vote_rings *rings;
	struct vote_ring_row *lines;

	if (figures == NULL)
		return model;
	rings = &figures->rings;
	lines = arena_new(arena, struct vote_ring_row, rings->count);
	for (size_t i = 0; i < rings->count; i++)
		lines[i] = ring_row_of(arena, &rings->items[i], i + 1);
	model.rings = (struct mustache_list){ lines, rings->count };
	model.at = format_moment(arena, figures->at);
	model.at_iso = format_iso(arena, figures->at);
	model.empty = rings->count == 0;
	model.reason = message_text(MESSAGE_VOTES_IN_A_RING);
	model.is_cut = rings->is_cut;
	model.articles = number_of(arena, rings->articles);
	model.votes = number_of(arena, rings->votes);
	model.members = number_of(arena, rings->members);
	return model;
}
