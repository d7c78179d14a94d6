/*
 * What the names in a query stand for: a member's id, and the names that a group has had, by
 * which the index knows articles until they are filed anew.
 */
#pragma once

#include "search/query.h"
#include "store/store.h"

/*
 * Gives the names of a query (query_names_in) their values. A former name of a group gets those
 * of its successor. The value of a member or group that does not exist is left empty. Costs one
 * round trip, and a second one where groups are named and any was ever renamed.
 */
STORE_CALL search_names_resolve(
    struct store *store, struct arena *arena, struct query_names *names);
