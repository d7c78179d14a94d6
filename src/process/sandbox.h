/*
 * What a worker gives up before it answers anybody: with it, whoever takes over
 * a worker has its connections, and nothing else of the machine.
 */
#ifndef PROCESS_SANDBOX_H
#define PROCESS_SANDBOX_H

/*
 * From here on the process, and nothing that it does undoes this,
 *
 *	opens no file, starts no program or process, traces nobody, and signals
 *	none but itself: the calls for it fail with EPERM;
 *	connects to where it could before, and makes no memory executable;
 *	has at most 1 GiB of memory and 4,096 descriptors, and leaves no core.
 *
 * Ends the process when the system cannot do it. Built with a sanitizer, whose
 * reports need files, it does nothing.
 */
void sandbox_enter(void);

#endif
