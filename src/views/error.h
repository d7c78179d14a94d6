/*
 * The page that says why there is no other.
 */
#ifndef VIEWS_ERROR_H
#define VIEWS_ERROR_H

#include "views/view.h"
#include "views/words.h"

struct error_model {
	int64_t status;
	struct text title, happened, advice;
};

extern const struct view error_view;

/* For a reason that has another status, what the status usually means. */
struct error_model error_model_of(enum reason reason, int status);

#endif
