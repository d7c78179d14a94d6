/*
 * Confines a worker before it reads its first request: an attacker who takes it over
 * gets its connections, and nothing else of the machine.
 */
#pragma once

/* The sockets that a process may open: those of its Redis and, for a worker, of the search
 * process. */
enum sandbox_sockets {
	SANDBOX_UNIX_SOCKET,
	SANDBOX_NETWORK, /* of IPv4 or IPv6 */
	SANDBOX_UNIX_SOCKET_AND_NETWORK
};

/*
 * Irrevocably limits the process with all its threads:
 *
 *	it cannot open files, start programs or processes, trace, signal others
 *	than itself, have a signal sent when a descriptor is ready, or control a
 *	terminal: the calls for that fail with EPERM;
 *	it can open only connections of those kinds, and can make no memory
 *	executable;
 *	it has at most 1 GiB of memory and 4,096 descriptors, and dumps no core.
 *
 * Logs and ends the process when the system does not support it. Does nothing
 * when built with a sanitizer, whose reports need files.
 */
void sandbox_enter(enum sandbox_sockets sockets);

/*
 * The same for a process that keeps a database in a folder: it can open, write, rename and delete
 * files, and where the kernel has Landlock, only those below the folder.
 */
void sandbox_enter_folder(enum sandbox_sockets sockets, const char *folder);
