/*
 * The page that asks whether to vote: for those who were not signed in when they
 * wanted to.
 */
#pragma once

#include "parts/view.h"
#include "store/article.h"

struct vote_model {
	uint64_t id;
	struct text title, return_to;
	bool is_up, is_down; /* what is asked; neither: to take the vote back */
};

extern const struct view vote_view;
