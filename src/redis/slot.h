/*
 * Slots: how a Redis Cluster divides keys among its nodes (Redis Cluster
 * specification, "Key distribution model").
 */
#pragma once

#include "base/text.h"

enum { CLUSTER_SLOTS = 16384 };

/* The slot of a key: that of its hash tag, what stands between the first '{' and
 * the next '}', if anything does. */
unsigned cluster_slot(struct text key);
