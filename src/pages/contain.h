/*
 * Acts on a member and on everything of theirs (store/containment.h), for other pages' forms.
 */
#pragma once

#include "pages/page.h"
#include "store/mod_decision.h"
#include "store/user.h"

/* Begins to void all votes of a member on whom the viewer may act, or suspends them permanently,
 * as a part of a decision and for its reason. STORE_FULL as containment_start. */
STORE_CALL contain_void_votes(
    struct page *page, const struct user *user, struct mod_decision *decision);
STORE_CALL contain_suspend(
    struct page *page, const struct user *user, struct mod_decision *decision);
