/*
 * The socket on which nginx reaches the workers, where systemd hands none over.
 */
#ifndef PROCESS_LISTENER_H
#define PROCESS_LISTENER_H

#include "base/text.h"

struct arena;

/*
 * Makes a unix socket in place of what was there, for its owner and group, that
 * listens and does not block. Ends the process when it cannot.
 */
int listener_at(struct arena *arena, struct text path);

#endif
