/*
 * What a worker gives up before it answers anybody: whoever takes over a worker
 * then has its connections, and nothing else of the machine.
 */
#pragma once

/*
 * From here on the process, which cannot undo this,
 *
 *	opens no file, starts no program or process, traces nothing, and signals
 *	only itself: the calls for that fail with EPERM;
 *	can connect to wherever it could before, and makes no memory executable;
 *	has at most 1 GiB of memory and 4,096 descriptors, and leaves no core.
 *
 * Logs and ends the process when the system does not support it. Does nothing
 * when built with a sanitizer, whose reports need files.
 */
void sandbox_enter(void);
