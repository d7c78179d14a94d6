/*
 * Discovery of the masters: asks any node of a cluster for the map of slots, or a sentinel
 * for the address of the master. One is asked at a time, and the next one when it does not
 * answer soon.
 */
#pragma once

#include "redis/router.h"

/* Begins, continues or ends a discovery when it is due. */
void topology_step(struct redis *redis);

/* When topology_step is due; INT64_MAX: not before something happens. */
int64_t topology_due(const struct redis *redis);

/* After all connections were closed. */
void topology_free(struct redis *redis);
