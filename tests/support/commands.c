#include "commands.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/check.h"
#include "archive/dump.h"
#include "base/buffer.h"
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

static int
check_only(struct store *store, FILE *out)
{
	return check_command(store, out, CHECK_ONLY);
}

static int
check_and_repair(struct store *store, FILE *out)
{
	return check_command(store, out, CHECK_REPAIR);
}

struct outcome
commands_check(struct world *world)
{
	return run(world, check_only);
}

struct outcome
commands_repair(struct world *world)
{
	return run(world, check_and_repair);
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

void
commands_load_all(struct world *world, struct text lines)
{
	struct outcome outcome = commands_load(world, lines, LOAD_STOP);

	assert_has(outcome.errors, "; refused 0 lines\n");
	assert_int_equal(outcome.status, 0);
}

struct text
commands_join(struct world *world, const char *const *lines, size_t count)
{
	struct buffer joined = buffer_in(&world->arena, 1024);

	for (size_t i = 0; i < count; i++)
		buffer_add(&joined, text_of(lines[i]));
	return buffer_text(&joined);
}

void
commands_assert_whole(struct world *world)
{
	struct outcome outcome = commands_check(world);

	assert_has(outcome.out, "\n0 breaks\n");
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
}

void
commands_assert_break(struct world *world, const char *what)
{
	struct outcome outcome = commands_check(world);

	assert_has(outcome.out, what);
	assert_has(outcome.out, "\n1 break\n");
	assert_int_equal(outcome.status, 1);
}

struct text
commands_dump_again(
    struct world *world, int64_t now, struct text dump, uint64_t buckets)
{
	struct world other;
	struct outcome outcome;
	struct text again;

	world_open(&other, buckets);
	world_stop_clock(&other, now);
	commands_load_all(&other, dump);
	commands_assert_whole(&other);
	outcome = commands_dump(&other);
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
	again = text_copy(&world->arena, outcome.out);
	world_close(&other);
	return again;
}
