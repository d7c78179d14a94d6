#include "store/review.h"

#include "store/newcomer.h"

STORE_CALL
review_keep(struct store *store, struct arena *arena, struct post_id id,
    const struct mod_action *action)
{
	enum store_result result = flag_dismiss(store, arena, id, action);

	if (result == STORE_HELD)
		result = id.comment == 0
		    ? article_release(store, arena, id.article, action)
		    : comment_release(store, arena, id, action);
	/* If this is lost, the author's next posts are reviewed as well. */
	return result == STORE_OK && action->member.id != 0
	    ? newcomer_note_kept(store, arena, action->member.id)
	    : result;
}
