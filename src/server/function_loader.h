/*
 * Who brings the functions into Redis. The admin's password, which that takes, is
 * known to processes of their own, of which workers are not forked.
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"

enum function_loader_redis {
	FUNCTION_LOADER_NAMED_REDIS, /* in the settings */
	FUNCTION_LOADER_OWN_REDIS /* in the folder of the site, the working directory */
};

/*
 * Loads the functions, and looks whether Redis is set up for what is asked of it.
 * False, and logged, when it does not answer, a failover would lose what was
 * acknowledged, or the workers' user is refused a command. Of a Redis that is named it is only logged when its file or its
 * policy cannot keep what was acknowledged, since a running site is not to stop for
 * that; nothing is, when it does not say how it is set up.
 */
bool function_loader_load(const struct config *config,
    enum function_loader_redis kind) __attribute__((warn_unused_result));

/*
 * With more than one Redis, starts a process that loads the functions on masters
 * that come later: a node that is added to a cluster has none.
 */
void function_loader_start(
    struct supervisor *supervisor, const struct config *config);
