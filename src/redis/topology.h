/*
 * Asking who has which slot: any node of a cluster, or one of the sentinels for
 * where the master is. They are asked in turn, one at a time, and whoever does not
 * answer soon is passed over.
 */
#pragma once

#include "redis/client.h"

/* Goes on with it, when it is time. */
void topology_step(struct redis *redis);

/* When that is; INT64_MAX: not before something happens. */
int64_t topology_due(const struct redis *redis);

/* After all connections were closed. */
void topology_free(struct redis *redis);
