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

/* Writes what a lane takes. */
void route_flush(struct redis *redis, struct lane *lane);

/* Goes on with a lane that may be read or written. */
enum route_ready { ROUTE_READABLE = 1, ROUTE_WRITABLE = 2 };
void route_go_on(struct redis *redis, struct lane *lane, int ready);

/* The same with one that nobody has looked at for a while: what came in time must not
 * count as late because the process was busy with something else. */
void route_catch_up(struct redis *redis, struct lane *lane);

/* Ends lanes that waited too long. */
void route_expire(struct redis *redis);
