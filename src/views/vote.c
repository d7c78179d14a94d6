#include "views/vote.h"

#define SHOWN(member) MUSTACHE_PLAIN(struct vote_model, member)
static const struct mustache_type type =
    VIEW_TYPE(struct vote_model, SHOWN(id), SHOWN(path), SHOWN(title),
	SHOWN(author), SHOWN(return_to), SHOWN(is_up), SHOWN(is_down));

const struct view vote_view = { "vote", &type };
