/*
 * What rings are found in, and the names of those who are found.
 */
#pragma once

#include "lists/vote_rings.h"

/* The newest articles that take votes, and the upvotes on them. Sets of the rings whether
 * there were more. */
STORE_CALL vote_rings_read_input(struct store *store, struct arena *arena,
    struct vote_rings_input *input, struct vote_rings *rings);

STORE_CALL vote_rings_read_names(
    struct store *store, struct arena *arena, struct vote_rings *rings);
