/*
 * The button that readers who are not signed in press before expensive pages
 * (pages/visitors.h).
 */
#pragma once

#include "views/view.h"

struct visit_model {
	struct text csrf, return_to;
	/* It was pressed in vain: the browser has no cookies. */
	bool is_refused;
};
