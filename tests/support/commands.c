#include "commands.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/check_command.h"
#include "archive/dump.h"
#include "views/words.h"

static struct text
path_in(struct world *world, const char *name)
{
	return text_of(text_string(&world->arena,
	    text_format(&world->arena, "%s/%s", world->folder, name)));
}

static struct text
read_file(struct world *world, struct text path)
{
	FILE *file = fopen(path.data, "r");
	struct text text;
	char *bytes;
	long size;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	bytes = arena_bytes(&world->arena, (size_t)size);
	text = (struct text){ bytes, fread(bytes, 1, (size_t)size, file) };
	fclose(file);
	return text;
}

/* Standard error goes into a file until it is given back. */
static int
divert_errors(struct world *world)
{
	int before = dup(STDERR_FILENO);
	int file = open(path_in(world, "errors").data,
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
	return read_file(world, path_in(world, "errors"));
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
	struct text path = path_in(world, "load.jsonl");
	FILE *file = fopen(path.data, "w");
	struct outcome outcome = { .status = -1 };
	int before;

	assert_non_null(file);
	assert_int_equal(fwrite(lines.data, 1, lines.size, file), lines.size);
	fclose(file);
	before = divert_errors(world);
	outcome.status =
	    load_command(&world->store, &path.data, 1, errors, words_problem);
	outcome.errors = give_back_errors(world, before);
	return outcome;
}

void
commands_assert_has(
    struct text text, const char *part, const char *file, int line)
{
	if (text.size > 0 &&
	    memmem(text.data, text.size, part, strlen(part)) != NULL)
		return;
	print_error("\"%s\" is not in:\n%.*s\n", part, TEXT_ARGS(text));
	_fail(file, line);
}
