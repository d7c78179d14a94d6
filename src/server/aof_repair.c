#include "server/aof_repair.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/log.h"
#include "os/privileges.h"
#include "os/process.h"

#define LOG	 "redis.log"
#define FOLDER	 "appendonlydir"
#define MANIFEST FOLDER "/appendonly.aof.manifest"

enum {
	CHUNK = 16 * 1024,
	/* More than Redis writes before it waits for the disk. */
	MUCH = 1024 * 1024
};

/* What redis-check-aof found. */
struct finding {
	enum {
		SOUND,
		DAMAGED, /* from a byte on, which can be cut off */
		LOST	 /* what is damaged is no end that could be cut */
	} state;
	char name[NAME_MAX + 1]; /* of the file, in FOLDER */
	uint64_t size, at;
};

off_t
aof_repair_log_size(void)
{
	struct stat status;

	return stat(LOG, &status) == 0 ? status.st_size : 0;
}

static struct text
read_all(struct arena *arena, int file)
{
	struct buffer buffer = buffer_in(arena, CHUNK);
	ssize_t size;

	while ((size = read(file, buffer_reserve(&buffer, CHUNK), CHUNK)) > 0)
		buffer.size += (size_t)size;
	return buffer_text(&buffer);
}

static struct text
read_log(struct arena *arena, off_t from)
{
	int file = open(LOG, O_RDONLY | O_CLOEXEC);
	struct text text = TEXT("");

	if (file < 0)
		return text;
	if (lseek(file, from, SEEK_SET) == from)
		text = read_all(arena, file);
	close(file);
	return text;
}

/* What follows a mark in the text as a string; NULL without the mark. */
static const char *
after(struct arena *arena, struct text text, const char *mark)
{
	const char *found = memmem(text.data, text.size, mark, strlen(mark));
	size_t at;

	if (found == NULL)
		return NULL;
	at = (size_t)(found - text.data) + strlen(mark);
	return text_string(arena, text_slice(text, at, text.size));
}

void
aof_repair_capture_output(void)
{
	int file = open(LOG, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	if (file < 0)
		return;
	dup2(file, STDOUT_FILENO);
	dup2(file, STDERR_FILENO);
	close(file);
}

void
aof_repair_log_last_lines(struct arena *arena, off_t log_before)
{
	enum { LINES = 5 };
	struct text said = text_trim(read_log(arena, log_before)), line;
	size_t start = said.size;

	for (int lines = 0; start > 0; start--)
		if (said.data[start - 1] == '\n' && ++lines == LINES)
			break;
	said = text_slice(said, start, said.size);
	while (text_cut(&said, '\n', &line))
		log_line("Redis said: %.*s", TEXT_ARGS(line));
}

void
aof_repair_log_truncation(struct arena *arena, off_t log_before)
{
	const char *said = after(
	    arena, read_log(arena, log_before), "!!! Truncating the AOF ");
	char name[NAME_MAX + 1];
	uint64_t at;

	if (said != NULL &&
	    sscanf(said, "%255s at offset %" SCNu64, name, &at) == 2)
		log_line("%s/%s ended with half a command, as after a power "
			 "failure; Redis cut it off at byte %" PRIu64,
		    FOLDER, name, at);
}

/* Runs redis-check-aof on the files, with an answer to its question if it is to
 * mend them; returns all that it prints. */
static struct text
run_check(struct arena *arena, const char *answer, bool *good)
{
	char *program = process_find_program(arena, "redis-check-aof");
	int in[2], out[2], status = 1;
	struct text said;
	pid_t pid;

	*good = false;
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		log_fatal("cannot create a pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		privileges_drop(PRIVILEGES_NONE);
		if (answer == NULL)
			execl(program, program, MANIFEST, (char *)NULL);
		else
			execl(
			    program, program, "--fix", MANIFEST, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	if (answer != NULL && write(in[1], answer, strlen(answer)) < 0)
		log_line("cannot write to %s: %s", program, strerror(errno));
	close(in[1]);
	said = read_all(arena, out[0]);
	close(out[0]);
	*good = pid > 0 && waitpid(pid, &status, 0) == pid &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return said;
}

/* Redis 8 names some files with their folder. */
static void
drop_folder(char *name)
{
	const char *slash = strrchr(name, '/');

	while (slash != NULL && *slash != '\0')
		*name++ = *++slash;
}

/* Lines as "AOF analyzed: filename=NAME, size=N, ok_up_to=N, ok_up_to_line=N,
 * diff=N", one for each file, ended by that of the damaged one. */
static struct finding
look(struct arena *arena)
{
	struct finding found = { .state = SOUND };
	struct text said, line;
	bool good;

	said = run_check(arena, NULL, &good);
	if (good)
		return found;
	found.state = LOST;
	while (text_cut(&said, '\n', &line)) {
		const char *string = text_string(arena, line);
		const char *file = strstr(string, "Checking RDB file ");

		if (sscanf(string,
			"AOF analyzed: filename=%255[^,], size=%" SCNu64
			", ok_up_to=%" SCNu64,
			found.name, &found.size, &found.at) == 3)
			found.state = found.at < found.size ? DAMAGED : LOST;
		else if (file != NULL)
			(void)!sscanf(
			    file, "Checking RDB file %255s", found.name);
	}
	drop_folder(found.name);
	return found;
}

/* The working directory, as an absolute path. */
static const char *
here(struct arena *arena)
{
	return getcwd(arena_bytes(arena, PATH_MAX), PATH_MAX);
}

static void
tell_lost(struct arena *arena, const struct finding *found)
{
	log_line("%s/%s/%s is damaged, and cannot be mended: load a dump into "
		 "another folder, or see %s",
	    here(arena), FOLDER, found->name, LOG);
}

bool
aof_repair_log_damage(struct arena *arena, off_t log_before)
{
	struct text log = read_log(arena, log_before);
	struct finding found;

	if (after(arena, log, "redis-check-aof") == NULL &&
	    after(arena, log, "Unrecoverable error") == NULL)
		return false;
	found = look(arena);
	if (found.state == DAMAGED) {
		log_line("%s/%s/%s is damaged from byte %" PRIu64
			 " on, as a power failure leaves it: its last %" PRIu64
			 " bytes cannot be read",
		    here(arena), FOLDER, found.name, found.at,
		    found.size - found.at);
		if (found.size - found.at > MUCH)
			log_line("that is more than a power failure damages: "
				 "a dump may have more than what is before it");
		log_line("to cut them off, keeping a copy of the file, and "
			 "start: tally up --dir %s --repair",
		    here(arena));
	} else if (found.state == LOST) {
		tell_lost(arena, &found);
	}
	return found.state != SOUND;
}

/* Returns the name of the copy; NULL, and logged, when there is none. */
static const char *
copy(struct arena *arena, const struct finding *found)
{
	const char *from =
	    text_string(arena, text_format(arena, FOLDER "/%s", found->name));
	time_t now = time(NULL);
	char moment[32];
	const char *to;
	off_t at = 0;
	int in, out;
	bool good;

	strftime(moment, sizeof(moment), "%Y%m%dT%H%M%SZ", gmtime(&now));
	to = text_string(
	    arena, text_format(arena, "%s.damaged-%s", found->name, moment));
	in = open(from, O_RDONLY | O_CLOEXEC);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	good = in >= 0 && out >= 0;
	while (good && at < (off_t)found->size)
		good = sendfile(out, in, &at, (size_t)found->size) > 0;
	good = good && fsync(out) == 0;
	if (!good)
		log_line("cannot copy %s to %s: %s", from, to, strerror(errno));
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return good ? to : NULL;
}

bool
aof_repair_run(struct arena *arena)
{
	struct finding found;
	const char *kept;
	bool good;

	if (access(MANIFEST, F_OK) != 0) {
		log_line("there is nothing to repair");
		return true;
	}
	found = look(arena);
	if (found.state == SOUND)
		log_line("there is nothing to repair: Redis's file is whole");
	if (found.state == LOST)
		tell_lost(arena, &found);
	if (found.state != DAMAGED)
		return found.state == SOUND;
	kept = copy(arena, &found);
	if (kept == NULL)
		return false;
	(void)run_check(arena, "y\n", &good);
	if (!good || look(arena).state != SOUND) {
		tell_lost(arena, &found);
		return false;
	}
	log_line("cut %" PRIu64 " bytes off %s/%s at byte %" PRIu64
		 "; as it was it is kept as %s/%s",
	    found.size - found.at, FOLDER, found.name, found.at, here(arena),
	    kept);
	return true;
}
