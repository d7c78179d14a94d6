/* Notes on a member, on the page on which moderators act on the member. */
#pragma once

#include "pages/page.h"
#include "store/user.h"
#include "views/mod_members.h"

/* Adds the notes, what the log says of the member, and who shares a network with them. */
STORE_CALL mod_notes_read(
    struct page *page, const struct user *user, struct mod_member_model *model);
