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
	/* More than Redis writes between two calls of fsync. */
	UNUSUAL_BYTES = 1024 * 1024
};

/* The result of redis-check-aof. */
struct damage {
	enum {
		INTACT,
		DAMAGED,     /* from offset on, which can be cut off */
		UNREPAIRABLE /* damaged other than at the end */
	} state;
	char name[NAME_MAX + 1]; /* of the file, in FOLDER */
	uint64_t size, offset;
};

off_t
aof_repair_log_size(void)
{
	struct stat status;

	return stat(LOG, &status) == 0 ? status.st_size : 0;
}

static struct text
read_descriptor(struct arena *arena, int file)
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
		text = read_descriptor(arena, file);
	close(file);
	return text;
}

/* The rest of the text behind a mark, as a string; NULL without the mark. */
static const char *
text_after(struct arena *arena, struct text text, const char *mark)
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
	struct text output = text_trim(read_log(arena, log_before)), line;
	size_t start = output.size;

	for (int lines = 0; start > 0; start--)
		if (output.data[start - 1] == '\n' && ++lines == LINES)
			break;
	output = text_slice(output, start, output.size);
	while (text_cut(&output, '\n', &line))
		log_line("Redis: %.*s", TEXT_ARGS(line));
}

void
aof_repair_log_truncation(struct arena *arena, off_t log_before)
{
	const char *output = text_after(
	    arena, read_log(arena, log_before), "!!! Truncating the AOF ");
	char name[NAME_MAX + 1];
	uint64_t at;

	if (output != NULL &&
	    sscanf(output, "%255s at offset %" SCNu64, name, &at) == 2)
		log_line("%s/%s ended with an incomplete command, as after a "
			 "power failure; Redis truncated it at byte %" PRIu64,
		    FOLDER, name, at);
}

/* Runs redis-check-aof and returns its output. Repairs the files if answer, the answer to
 * its question, is not NULL. */
static struct text
run_check(struct arena *arena, const char *answer, bool *good)
{
	char *program =
	    process_find_program(arena, "redis-check-aof", "valkey-check-aof");
	int in[2], out[2], status = 1;
	struct text output;
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
	output = read_descriptor(arena, out[0]);
	close(out[0]);
	*good = pid > 0 && waitpid(pid, &status, 0) == pid &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return output;
}

/* Redis 8 prefixes the names of some files with their folder. */
static void
strip_folder(char *name)
{
	const char *slash = strrchr(name, '/');

	while (slash != NULL && *slash != '\0')
		*name++ = *++slash;
}

/* Parses lines as "AOF analyzed: filename=NAME, size=N, ok_up_to=N, ok_up_to_line=N,
 * diff=N", one for each file; the last is that of the damaged one. */
static struct damage
check_files(struct arena *arena)
{
	struct damage damage = { .state = INTACT };
	struct text output, line;
	bool good;

	output = run_check(arena, NULL, &good);
	if (good)
		return damage;
	damage.state = UNREPAIRABLE;
	while (text_cut(&output, '\n', &line)) {
		const char *string = text_string(arena, line);
		const char *file = strstr(string, "Checking RDB file ");

		if (sscanf(string,
			"AOF analyzed: filename=%255[^,], size=%" SCNu64
			", ok_up_to=%" SCNu64,
			damage.name, &damage.size, &damage.offset) == 3)
			damage.state = damage.offset < damage.size
			    ? DAMAGED
			    : UNREPAIRABLE;
		else if (file != NULL)
			(void)!sscanf(
			    file, "Checking RDB file %255s", damage.name);
	}
	strip_folder(damage.name);
	return damage;
}

/* The working directory, as an absolute path. */
static const char *
working_dir(struct arena *arena)
{
	return getcwd(arena_bytes(arena, PATH_MAX), PATH_MAX);
}

static void
log_unrepairable(struct arena *arena, const struct damage *damage)
{
	log_line("%s/%s/%s is damaged and cannot be repaired: load a dump "
		 "into another folder, or see %s",
	    working_dir(arena), FOLDER, damage->name, LOG);
}

bool
aof_repair_log_damage(struct arena *arena, off_t log_before)
{
	struct text log = read_log(arena, log_before);
	struct damage damage;

	if (text_after(arena, log, "-check-aof --fix") == NULL &&
	    text_after(arena, log, "Unrecoverable error") == NULL)
		return false;
	damage = check_files(arena);
	if (damage.state == DAMAGED) {
		log_line("%s/%s/%s is damaged from byte %" PRIu64
			 " on, as after a power failure: its last %" PRIu64
			 " bytes cannot be read",
		    working_dir(arena), FOLDER, damage.name, damage.offset,
		    damage.size - damage.offset);
		if (damage.size - damage.offset > UNUSUAL_BYTES)
			log_line("that is more than a power failure damages: "
				 "a dump may contain more than the rest");
		log_line("to cut them off after copying the file, and start: "
			 "tally up --dir %s --repair",
		    working_dir(arena));
	} else if (damage.state == UNREPAIRABLE) {
		log_unrepairable(arena, &damage);
	}
	return damage.state != INTACT;
}

/* Returns the name of the copy; NULL, and logged, on failure. */
static const char *
copy_damaged_file(struct arena *arena, const struct damage *damage)
{
	const char *from =
	    text_string(arena, text_format(arena, FOLDER "/%s", damage->name));
	time_t now = time(NULL);
	char moment[32];
	const char *to;
	off_t at = 0;
	int in, out;
	bool good;

	strftime(moment, sizeof(moment), "%Y%m%dT%H%M%SZ", gmtime(&now));
	to = text_string(
	    arena, text_format(arena, "%s.damaged-%s", damage->name, moment));
	in = open(from, O_RDONLY | O_CLOEXEC);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	good = in >= 0 && out >= 0;
	while (good && at < (off_t)damage->size)
		good = sendfile(out, in, &at, (size_t)damage->size) > 0;
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
	struct damage damage;
	const char *copied;
	bool good;

	if (access(MANIFEST, F_OK) != 0) {
		log_line("there is nothing to repair");
		return true;
	}
	damage = check_files(arena);
	if (damage.state == INTACT)
		log_line("there is nothing to repair: Redis's file is intact");
	if (damage.state == UNREPAIRABLE)
		log_unrepairable(arena, &damage);
	if (damage.state != DAMAGED)
		return damage.state == INTACT;
	copied = copy_damaged_file(arena, &damage);
	if (copied == NULL)
		return false;
	(void)run_check(arena, "y\n", &good);
	if (!good || check_files(arena).state != INTACT) {
		log_unrepairable(arena, &damage);
		return false;
	}
	log_line("cut %" PRIu64 " bytes off %s/%s at byte %" PRIu64
		 "; the original is %s/%s",
	    damage.size - damage.offset, FOLDER, damage.name, damage.offset,
	    working_dir(arena), copied);
	return true;
}
