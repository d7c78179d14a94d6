/*
 * The page that says why there is no other.
 */
#ifndef VIEWS_ERROR_H
#define VIEWS_ERROR_H

#include "views/view.h"
#include "views/words.h"

extern const struct view error_view; /* of a struct reason_words */

#endif
