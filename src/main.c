/*
 * Tally: which command is asked for.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/check_command.h"
#include "archive/dump.h"
#include "archive/load.h"
#include "base/arena.h"
#include "base/crypto.h"
#include "base/log.h"
#include "process/commands.h"
#include "process/config.h"
#include "process/serve.h"
#include "views/words.h"

static const char usage[] =
    "Tally: a site where people post articles and vote on them.\n"
    "\n"
    "  tally up                       run a whole private site\n"
    "  tally serve                    run the workers alone, behind an nginx\n"
    "  tally check                    verify that everything adds up\n"
    "  tally dump                     write the site to standard output\n"
    "  tally load [--keep-going] FILE...   read dumps; - is standard input\n"
    "  tally user role NAME ROLE      make a member or moderator\n"
    "  tally user password NAME       set a password, read from standard "
    "input\n"
    "  tally error-pages FOLDER       write the pages nginx answers with\n"
    "  tally --help, tally --version\n"
    "\n"
    "up, check, dump, load and user act on the site in the folder that\n"
    "--dir DIR names [var], or on the Redis that TALLY_REDIS names.\n"
    "\n";

static int
check(struct store *store, struct arena *arena, char **arguments, int count)
{
	(void)arena;
	(void)arguments;
	(void)count;
	return check_command(store, stdout);
}

static int
dump(struct store *store, struct arena *arena, char **arguments, int count)
{
	(void)arena;
	(void)arguments;
	(void)count;
	return dump_command(store, stdout);
}

static int
load(struct store *store, struct arena *arena, char **arguments, int count)
{
	enum load_errors errors = LOAD_STOP;

	(void)arena;
	if (count > 0 && strcmp(arguments[0], "--keep-going") == 0) {
		errors = LOAD_KEEP_GOING;
		arguments++;
		count--;
	}
	if (count == 0) {
		log_line("load needs a FILE, or - for standard input");
		return 2;
	}
	return load_command(store, (const char *const *)arguments,
	    (size_t)count, errors, words_problem);
}

/* Commands change into the site's folder: what files are meant is fixed
 * first. */
static void
fix_paths(char **arguments, int count)
{
	for (int i = 0; i < count; i++) {
		char *path = realpath(arguments[i], NULL);

		if (path != NULL && arguments[i][0] != '-')
			arguments[i] = path;
	}
}

/* Takes "--dir DIR" out of the arguments. */
static const char *
take_folder(char **arguments, int *count)
{
	for (int i = 0; i + 1 < *count; i++) {
		char *folder = arguments[i + 1];

		if (strcmp(arguments[i], "--dir") != 0)
			continue;
		for (int j = i; j + 2 < *count; j++)
			arguments[j] = arguments[j + 2];
		*count -= 2;
		return folder;
	}
	return "var";
}

static int
run(struct arena *arena, struct config *config, const char *command,
    struct text folder, char **arguments, int count)
{
	static const struct {
		const char *name;
		commands_action *action;
	} actions[] = {
		{ "check", check },
		{ "dump", dump },
		{ "load", load },
		{ "user", commands_user },
	};

	if (strcmp(command, "up") == 0 && count == 0)
		return serve_up(arena, config, folder);
	if (strcmp(command, "serve") == 0 && count == 0)
		return serve_workers(arena, config);
	if (strcmp(command, "error-pages") == 0 && count == 1)
		return serve_error_pages(arena, config, text_of(arguments[0]));
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (strcmp(command, actions[i].name) == 0)
			return commands_run(arena, config, folder,
			    actions[i].action, arguments, count);
	fputs(usage, stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	struct arena arena = { 0 };
	struct config config;
	const char *folder;
	int status;

	if (argc < 2) {
		fputs(usage, stderr);
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0) {
		fputs(usage, stdout);
		config_print(stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("tally 1.0");
		return 0;
	}
	argc -= 2;
	argv += 2;
	folder = take_folder(argv, &argc);
	if (strcmp(argv[-1], "load") == 0)
		fix_paths(argv, argc);
	/* A connection that was closed is an error of write, not our end. */
	signal(SIGPIPE, SIG_IGN);
	crypto_start();
	if (!config_read(&arena, &config))
		return 1;
	status = run(&arena, &config, argv[-1], text_of(folder), argv, argc);
	arena_free(&arena);
	return status;
}
