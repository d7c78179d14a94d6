/*
 * Administration of groups by moderators: change the title, the name or what is said of the group,
 * who posts there and who moderates it, merge, close, reopen and delete.
 *
 * Each is a moderator's action (store/mod_action.h) and is logged before it is made; the
 * action's kind and subject are set here. A renamed or merged group redirects to its
 * successor. Its articles are moved a hundred at a time, in two round trips each: a call
 * that ended with STORE_DOWN resumes when it is repeated.
 */
#pragma once

#include "store/group.h"
#include "store/mod_action.h"

/* Changes the title. This and all below: STORE_ABSENT when there is no such group. */
STORE_CALL group_retitle(struct store *store, struct arena *arena,
    struct text name, struct text title, struct mod_action action);

/* Changes the description and the rules. */
STORE_CALL group_describe(struct store *store, struct arena *arena,
    struct text name, struct text description, struct text rules,
    struct mod_action action);

/* Lets only the group's moderators post in it, or everyone again. */
STORE_CALL group_restrict(struct store *store, struct arena *arena,
    struct text name, struct mod_action action);
STORE_CALL group_unrestrict(struct store *store, struct arena *arena,
    struct text name, struct mod_action action);

/* Makes a member a moderator of the group, or no longer one; the action's member is set here.
 * STORE_FULL when it has RULE_GROUP_MODERATORS_MAX. */
STORE_CALL group_appoint(struct store *store, struct arena *arena,
    struct text name, struct member moderator, struct mod_action action);
STORE_CALL group_dismiss(struct store *store, struct arena *arena,
    struct text name, struct member moderator, struct mod_action action);

/* Takes a member off the moderators of all groups, without a log: the account is being closed. */
STORE_CALL group_forget_moderator(
    struct store *store, struct arena *arena, uint64_t user);

/* Closes or reopens a group. A closed group accepts no new articles. */
STORE_CALL group_close(struct store *store, struct arena *arena,
    struct text name, struct mod_action action);
STORE_CALL group_open(struct store *store, struct arena *arena,
    struct text name, struct mod_action action);

/* Renames a group. STORE_TAKEN when another group has the new name; a group may return to
 * its own former name. */
STORE_CALL group_rename(struct store *store, struct arena *arena,
    struct text name, struct text into, struct mod_action action);

/* Merges a group into another. STORE_ABSENT also when the other does not exist. */
STORE_CALL group_merge(struct store *store, struct arena *arena,
    struct text name, struct text into, struct mod_action action);

/* Deletes a group. Its articles stay, and its name becomes free. */
STORE_CALL group_delete(struct store *store, struct arena *arena,
    struct text name, struct mod_action action);
