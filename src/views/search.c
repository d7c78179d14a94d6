#include "views/search.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/url.h"
#include "views/messages.h"

static struct mustache_list
pieces_of(struct arena *arena, const struct snippet *snippet)
{
	struct search_piece *pieces =
	    arena_new(arena, struct search_piece, snippet->count);

	for (size_t i = 0; i < snippet->count; i++)
		pieces[i] = (struct search_piece){ snippet->pieces[i].text,
			snippet->pieces[i].is_marked };
	return (struct mustache_list){ pieces, snippet->count };
}

struct snippet_model
snippet_model_of(struct arena *arena, const struct snippet *snippet)
{
	return (struct snippet_model){ .pieces = pieces_of(arena, snippet),
		.is_cut_before = snippet->is_cut_before,
		.is_cut_after = snippet->is_cut_after };
}

struct text
search_address(struct arena *arena, struct text typed)
{
	struct buffer href = buffer_in(arena, typed.size * 3 + 16);
	struct text word;
	bool is_first = true;

	buffer_add(&href, TEXT("/search?q="));
	while (text_cut(&typed, ' ', &word)) {
		if (!is_first)
			buffer_add_char(&href, '+');
		buffer_add(&href, url_encode(arena, word));
		is_first = false;
	}
	return buffer_text(&href);
}

static struct list_tab
tab_of(struct arena *arena, const struct query *query, struct text base,
    enum query_order order)
{
	return (struct list_tab){ text_format(arena, "%.*s&order=%.*s",
				      TEXT_ARGS(base),
				      TEXT_ARGS(query_orders[order])),
		query->order == order };
}

static struct mustache_list
notes_of(struct arena *arena, const struct query *query)
{
	struct text *notes = arena_new(arena, struct text, query->note_count);

	for (size_t i = 0; i < query->note_count; i++)
		notes[i] = message_query_note(arena, &query->notes[i]);
	return (struct mustache_list){ notes, query->note_count };
}

void
search_model_add_query(struct search_model *model, struct arena *arena,
    const struct query *query, struct text base)
{
	model->notes = notes_of(arena, query);
	model->relevance = tab_of(arena, query, base, QUERY_RELEVANCE);
	model->newest = tab_of(arena, query, base, QUERY_NEWEST);
	model->points = tab_of(arena, query, base, QUERY_POINTS);
}

void
search_model_add_count(struct search_model *model, struct arena *arena,
    const struct search_answer *answer)
{
	model->count = answer->outcome == SEARCH_EXACT
	    ? message_count(arena, MESSAGE_RESULTS, (int64_t)answer->total)
	    : message_results_at_least(arena, (int64_t)answer->total);
	model->is_late = answer->outcome == SEARCH_LATE;
}
