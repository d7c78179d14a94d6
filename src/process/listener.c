#include "process/listener.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"

/* Who waits beyond this is refused at once; as in src/deploy/tally.socket. */
enum { BACKLOG = 1024 };

int
listener_at(struct arena *arena, struct text path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener =
	    socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	const char *name = text_string(arena, path);

	if (path.size >= sizeof(address.sun_path))
		log_fatal("%s: the path of a socket is shorter", name);
	memcpy(address.sun_path, name, path.size);
	unlink(name);
	if (listener < 0 ||
	    bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    chmod(name, 0660) != 0 || listen(listener, BACKLOG) != 0)
		log_fatal(
		    "%s cannot be listened on: %s", name, strerror(errno));
	return listener;
}
