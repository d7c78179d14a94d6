/*
 * Tally: which command was asked for.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/check.h"
#include "archive/dump.h"
#include "archive/load.h"
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
    "  tally serve                    run only the workers, for an nginx\n"
    "  tally check                    verify that everything adds up\n"
    "  tally dump                     write the site to standard output\n"
    "  tally load [--keep-going] FILE...   read dumps; - is standard input\n"
    "  tally user role NAME ROLE      make a member or moderator\n"
    "  tally user password NAME       set a password, read from standard "
    "input\n"
    "  tally error-pages FOLDER       write nginx's own error pages\n"
    "  tally --help, tally --version\n"
    "\n"
    "up, check, dump, load and user act on the site in the folder that\n"
    "--dir DIR names [var], and on the Redis that TALLY_REDIS names, if it\n"
    "is set.\n"
    "\n";

static int
check(const struct task *task)
{
	return check_command(task->store, stdout);
}

static int
dump(const struct task *task)
{
	return dump_command(task->store, stdout);
}

static int
load(const struct task *task)
{
	const char *const *files = (const char *const *)task->arguments;
	size_t count = (size_t)task->count;
	enum load_errors errors = LOAD_STOP;

	if (count > 0 && strcmp(files[0], "--keep-going") == 0) {
		errors = LOAD_KEEP_GOING;
		files++;
		count--;
	}
	if (count == 0) {
		log_line("load needs a FILE, or - for standard input");
		return 2;
	}
	return load_command(task->store, files, count, errors, words_problem);
}

/* Commands change into the site's folder, where relative paths would be
 * wrong. */
static void
make_absolute(char **arguments, int count)
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
		*count -= 2;
		memmove(&arguments[i], &arguments[i + 2],
		    (size_t)(*count - i) * sizeof(*arguments));
		return folder;
	}
	return "var";
}

static int
run(const char *command, char **arguments, int count)
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
	struct text folder = text_of(take_folder(arguments, &count));

	if (strcmp(command, "up") == 0 && count == 0)
		return serve_up(folder);
	if (strcmp(command, "serve") == 0 && count == 0)
		return serve_workers();
	if (strcmp(command, "error-pages") == 0 && count == 1)
		return serve_error_pages(text_of(arguments[0]));
	if (strcmp(command, "load") == 0)
		make_absolute(arguments, count);
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (strcmp(command, actions[i].name) == 0)
			return commands_run(
			    folder, actions[i].action, arguments, count);
	fputs(usage, stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";

	if (strcmp(command, "--help") == 0) {
		fputs(usage, stdout);
		config_print(stdout);
		return 0;
	}
	if (strcmp(command, "--version") == 0) {
		puts("tally 1.0");
		return 0;
	}
	/* Writing to a closed connection is to fail, not to end the process. */
	signal(SIGPIPE, SIG_IGN);
	crypto_start();
	return run(command, argv + 2, argc - 2);
}
