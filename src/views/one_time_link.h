/*
 * The forms of one-time links: a view for each kind.
 */
#pragma once

#include "views/view.h"

struct owner_link_model {
	struct text code; /* the last part of the form's address */
};
