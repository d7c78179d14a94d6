/*
 * What a worker gives up before it answers anybody: whoever takes over a worker
 * then has its connections, and nothing else of the machine.
 */
#pragma once

/* Where a worker's Redis is: only there it opens connections to. */
enum sandbox_redis {
	SANDBOX_UNIX_SOCKET,
	SANDBOX_NETWORK /* of IPv4 or IPv6 */
};

/*
 * From here on the process with all its threads, which cannot undo this,
 *
 *	opens no file, starts no program or process, traces nothing, signals only
 *	itself, has no signal sent when a descriptor is ready, and asks nothing of
 *	a terminal: the calls for that fail with EPERM;
 *	opens connections of the kind that its Redis takes, and makes no memory
 *	executable;
 *	has at most 1 GiB of memory and 4,096 descriptors, and leaves no core.
 *
 * Logs and ends the process when the system does not support it. Does nothing
 * when built with a sanitizer, whose reports need files.
 */
void sandbox_enter(enum sandbox_redis redis);
