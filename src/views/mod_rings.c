#include "views/mod_rings.h"

#include "base/arena.h"
#include "views/format.h"

static struct mustache_list
names_of(struct arena *arena, const struct member *members, size_t count)
{
	struct text *names = arena_new(arena, struct text, count);

	for (size_t i = 0; i < count; i++)
		names[i] = members[i].name;
	return (struct mustache_list){ names, count };
}

static struct vote_ring_row
line_of(struct arena *arena, const struct vote_ring *ring)
{
	struct vote_ring_member_row *members =
	    arena_new(arena, struct vote_ring_member_row, ring->count);

	for (size_t i = 0; i < ring->count; i++)
		members[i] =
		    (struct vote_ring_member_row){ ring->members[i].member.name,
			    (int64_t)ring->members[i].upvotes,
			    (int64_t)ring->members[i].shared };
	return (struct vote_ring_row){
		.members = { members, ring->count },
		.count = (int64_t)ring->count,
		.pairs = (int64_t)ring->pairs,
		.is_one_pair = ring->pairs == 1,
		.common = (int64_t)ring->common,
		.either = (int64_t)ring->either,
		.expected = text_format(arena, "%lld.%02lld",
		    (long long)(ring->expected / 100),
		    (long long)(ring->expected % 100)),
		.authors = names_of(arena, ring->authors, ring->author_count),
		.articles = { ring->articles, ring->shown },
		.more = ring->common > ring->shown
		    ? text_number(arena, (int64_t)(ring->common - ring->shown))
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
		lines[i] = line_of(arena, &rings->items[i]);
	model.rings = (struct mustache_list){ lines, rings->count };
	model.at = format_moment(arena, figures->at);
	model.at_iso = format_iso(arena, figures->at);
	model.empty = rings->count == 0;
	model.is_cut = rings->is_cut;
	model.articles = (int64_t)rings->articles;
	model.votes = (int64_t)rings->votes;
	model.members = (int64_t)rings->members;
	return model;
}
