/*
 * The error page: what happened, what to do about it, and links.
 */
#pragma once

#include "views/messages.h"
#include "views/pager.h"

struct error_model {
	struct error_words words;
	struct text back;     /* where a form was sent from; empty: nowhere */
	struct pager_end end; /* of the list that has no such page */
	bool may_log_in;      /* it may help */
};
