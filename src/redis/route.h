/*
 * The way of a command to the right node and back.
 *
 * A node may say that another has the key (MOVED, ASK), or that the command has to
 * wait (a slot on its way, a failover): then it goes round again, until its time is
 * over.
 */
#pragma once

#include "redis/client.h"

/* Sends a command to the node that it is for, or settles it. */
void route_send(struct redis *redis, struct command *command);

/* Sends again all that are due, and what waited for the map of slots. */
void route_due(struct redis *redis);
void route_known(struct redis *redis);

/* Fails what waited for the map. */
void route_lost(struct redis *redis);

/* Opens a lane for a pipeline, unless it was lost a moment ago. */
bool route_open(
    struct redis *redis, struct lane *lane, const struct pipeline *asks);

/* Takes what was read on a lane; writes what it takes. */
void route_read(struct redis *redis, struct lane *lane);
void route_flush(struct redis *redis, struct lane *lane);

/* Ends lanes that waited too long. */
void route_expire(struct redis *redis);
