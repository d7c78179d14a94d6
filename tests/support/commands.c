#include "commands.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/check.h"
#include "archive/dump.h"
#include "os/privileges.h"
#include "views/messages.h"

static const char *
path_in(struct world *world, const char *name)
{
	return fixture_path(&world->arena, world->folder, name);
}

/* Standard error goes into a file until it is given back. */
static int
divert_errors(struct world *world)
{
	int before = dup(STDERR_FILENO);
	int file = open(path_in(world, "errors"),
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	dup2(file, STDERR_FILENO);
	close(file);
	return before;
}

static struct text
give_back_errors(struct world *world, int before)
{
	dup2(before, STDERR_FILENO);
	close(before);
	return fixture_read_file(&world->arena, path_in(world, "errors"));
}

static struct outcome
run(struct world *world, int (*command)(struct store *store, FILE *out))
{
	struct outcome outcome = { .status = -1 };
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	int before = divert_errors(world);

	outcome.status = command(&world->store, out);
	outcome.errors = give_back_errors(world, before);
	fclose(out);
	outcome.out = text_copy(&world->arena, (struct text){ bytes, size });
	free(bytes);
	return outcome;
}

struct outcome
commands_dump(struct world *world)
{
	return run(world, dump_command);
}

struct outcome
commands_check(struct world *world)
{
	return run(world, check_command);
}

struct outcome
commands_load(struct world *world, struct text lines, enum load_errors errors)
{
	const char *path = path_in(world, "load.jsonl");
	struct outcome outcome = { .status = -1 };
	int before;

	fixture_write_file(path, lines);
	before = divert_errors(world);
	outcome.status = load_command(
	    &world->store, &path, 1, errors, privileges_fopen, message_problem);
	outcome.errors = give_back_errors(world, before);
	return outcome;
}
