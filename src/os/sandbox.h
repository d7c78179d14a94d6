/*
 * Confines a worker before it reads its first request: an attacker who takes it over
 * gets its connections, and nothing else of the machine.
 */
#pragma once

/* The sockets that a worker may open, those of its Redis. */
enum sandbox_redis {
	SANDBOX_UNIX_SOCKET,
	SANDBOX_NETWORK /* of IPv4 or IPv6 */
};

/*
 * Irrevocably limits the process with all its threads:
 *
 *	it cannot open files, start programs or processes, trace, signal others
 *	than itself, have a signal sent when a descriptor is ready, or control a
 *	terminal: the calls for that fail with EPERM;
 *	it can open only connections of the kind that its Redis takes, and can
 *	make no memory executable;
 *	it has at most 1 GiB of memory and 4,096 descriptors, and dumps no core.
 *
 * Logs and ends the process when the system does not support it. Does nothing
 * when built with a sanitizer, whose reports need files.
 */
void sandbox_enter(enum sandbox_redis redis);
