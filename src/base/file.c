#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"

int
file_open(int folder, const char *path)
{
	int file =
	    openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;

	if (file < 0 || fstat(file, &status) != 0 || S_ISREG(status.st_mode))
		return file;
	close(file);
	errno = S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP;
	return -1;
}

bool
file_read(struct arena *arena, int file, struct text *content)
{
	enum { CHUNK = 32 * 1024 };
	struct buffer buffer = buffer_in(arena, CHUNK);
	ssize_t size;
	int error;

	do {
		size = read(file, buffer_reserve(&buffer, CHUNK), CHUNK);
		buffer.size += size > 0 ? (size_t)size : 0;
	} while (size > 0 || (size < 0 && errno == EINTR));
	error = errno;
	close(file);
	errno = error;
	*content = buffer_text(&buffer);
	return size == 0;
}
