/*
 * What moderators do with groups: give them another title or name, merge, close, open
 * and delete them.
 *
 * Each is an act (store/mod_action.h), and noted before it is done; the act's kind and subject
 * are set here. A group that gets another name or is merged leads to what it became.
 * Its articles are filed one by one, a hundred in a round trip: what ends early,
 * STORE_DOWN, is gone on with when it is done again.
 */
#pragma once

#include "store/group.h"
#include "store/mod_action.h"

/* STORE_ABSENT when there is no such group, also of those below. */
STORE_CALL group_retitle(struct store *store, struct arena *arena,
    struct text name, struct text title, struct mod_action act);

/* A closed group takes no more articles. */
STORE_CALL group_close(struct store *store, struct arena *arena,
    struct text name, struct mod_action act);
STORE_CALL group_open(struct store *store, struct arena *arena,
    struct text name, struct mod_action act);

/* STORE_TAKEN when there is a group of the new name; one that it had before it may get
 * again. */
STORE_CALL group_rename(struct store *store, struct arena *arena,
    struct text name, struct text into, struct mod_action act);

/* STORE_ABSENT also when there is no group to merge it with. */
STORE_CALL group_merge(struct store *store, struct arena *arena,
    struct text name, struct text into, struct mod_action act);

/* Its articles stay; its name is anybody's. */
STORE_CALL group_delete(struct store *store, struct arena *arena,
    struct text name, struct mod_action act);
