/*
 * The page that says why there is no other.
 */
#pragma once

#include "views/view.h"
#include "views/words.h"

extern const struct view error_view; /* of a struct reason_words */
