/*
 * The form of a link to become the owner. That to recover an account is in views/recovery.h.
 */
#pragma once

#include "views/view.h"

struct owner_link_model {
	struct text code; /* the last part of the form's address */
};
