/*
 * Loads the functions into Redis, in processes of their own, since this takes the admin's
 * password: the parent of the workers does not know that of the site's own Redis, and
 * workers wipe that of a named one.
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"

enum function_loader_redis {
	FUNCTION_LOADER_NAMED_REDIS, /* by TALLY_REDIS */
	FUNCTION_LOADER_OWN_REDIS /* the site's own, in the working directory */
};

/*
 * Loads the functions and checks Redis's configuration. False, and logged, when Redis
 * does not answer, a failover could lose acknowledged writes, or the workers' user
 * lacks a permission. Only warns when a named Redis is not configured to keep
 * acknowledged writes or to free memory in the background, since that must not stop a
 * running site, and when its memory is nearly full. Checks nothing of a Redis that
 * does not permit CONFIG GET.
 */
bool function_loader_load(const struct config *config,
    enum function_loader_redis kind) __attribute__((warn_unused_result));

struct function_loader {
	struct config *config; /* of the site's start, or the last reload */
	enum function_loader_redis redis;
	bool is_moving; /* the data: store/move.h */
};

/*
 * Starts, or replaces, the process that loads the functions on masters that join later, since a
 * node that is added to a cluster has none; that moves the data on while their layout is the one
 * before (store/move.h); that changes what a vote is worth (store/pace.h); and that keeps the
 * front page of each full hour (lists/front_hours.h).
 */
void function_loader_start(
    struct supervisor *supervisor, struct function_loader *loader);
