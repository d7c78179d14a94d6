/*
 * The entry point of tally, and the table of its commands.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/check.h"
#include "archive/dump.h"
#include "archive/load.h"
#include "archive/member_dump.h"
#include "archive/restore.h"
#include "base/crypto.h"
#include "base/gzip.h"
#include "cli/members.h"
#include "cli/moderation.h"
#include "cli/search.h"
#include "cli/setup.h"
#include "cli/status.h"
#include "os/privileges.h"
#include "server/config.h"
#include "server/serve.h"
#include "version.h"
#include "views/messages.h"

static int
up(const struct command_line *line)
{
	return serve_up(
	    task_folder(line), line->repair ? SERVE_REPAIR : SERVE_NO_REPAIR);
}

static int
serve(const struct command_line *line)
{
	(void)line;
	return serve_workers();
}

static int
error_pages(const struct command_line *line)
{
	return serve_error_pages(text_of(line->words[0]));
}

static int
check_site(const struct task *task)
{
	int searched = search_check(task);
	int checked = check_command(task->store, stdout,
	    task->line->repair ? CHECK_REPAIR : CHECK_ONLY);

	return searched == 0 ? checked : 1;
}

static int
dump_site(const struct task *task)
{
	return task->line->member == NULL
	    ? dump_command(task->store, stdout)
	    : member_dump_command(
		  task->store, text_of(task->line->member), stdout);
}

static FILE *
open_dump(const char *path)
{
	FILE *file = privileges_fopen(path);

	return file == NULL ? NULL : gzip_read(file);
}

static int
load_site(const struct task *task)
{
	return load_command(task->store, (const char *const *)task->line->words,
	    (size_t)task->line->count,
	    task->line->keep_going ? LOAD_KEEP_GOING : LOAD_STOP, open_dump,
	    message_problem);
}

static int
restore_site(const struct task *task)
{
	return restore_command(task->store, task->line->words[0], open_dump,
	    message_problem, stdout);
}

static int
check(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, check_site);
}

static int
dump(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, dump_site);
}

/* Commands change into the site's folder. */
static void
make_paths_absolute(const struct command_line *line)
{
	for (int i = 0; i < line->count; i++) {
		char *path = realpath(line->words[i], NULL);

		if (path != NULL && line->words[i][0] != '-')
			line->words[i] = path;
	}
}

static int
load(const struct command_line *line)
{
	make_paths_absolute(line);
	return task_run(line, TASK_NEW_OR_EXISTING, load_site);
}

static int
restore(const struct command_line *line)
{
	make_paths_absolute(line);
	return task_run(line, TASK_NEW_OR_EXISTING, restore_site);
}

static int
version(const struct command_line *line)
{
	(void)line;
	puts("tally " TALLY_VERSION);
	return 0;
}

static int help(const struct command_line *line);

/* clang-format off */
static const struct command_row commands[] = {
	{ "up", NULL, NULL, 0, 0, COMMAND_DIR | COMMAND_REPAIR,
	    "run a whole private site",
	    "Runs a whole site in the foreground: Redis, workers and nginx, with their\n"
	    "files in DIR. Prints its address; Ctrl-C stops everything. With TALLY_REDIS set\n"
	    "it uses that Redis instead of starting one.", up },
	{ "serve", NULL, NULL, 0, 0, 0,
	    "run only the workers, for an nginx",
	    "Runs only the workers. nginx and Redis are run separately, and connected by\n"
	    "TALLY_SOCKET and TALLY_REDIS.", serve },
	{ "status", NULL, NULL, 0, 0, COMMAND_DIR | COMMAND_METRICS,
	    "show how a running site is",
	    "Shows whether a running site is well, since when it runs, what it does, how\n"
	    "much room is left, and what to do if it is not well. The exit status is 0 if it\n"
	    "is well, otherwise 1.", status_print },
	{ "check", NULL, NULL, 0, 0, COMMAND_DIR | COMMAND_REPAIR,
	    "verify the consistency of all data",
	    "Verifies that all counts, lists and scores are consistent, and prints the\n"
	    "totals and each inconsistency. The exit status is 1 if there is one. With\n"
	    "--repair it writes lists, counts and indexes again where they are wrong.", check },
	{ "search", NULL, NULL, 0, 0, COMMAND_DIR | COMMAND_REBUILD,
	    "show the state of the index for search",
	    "Shows how many posts the index for search has, and how far it follows the\n"
	    "site, which has to be running. With --rebuild the index is built again, from\n"
	    "all posts, while the present one is used.", search_show },
	{ "dump", NULL, NULL, 0, 0, COMMAND_DIR | COMMAND_MEMBER,
	    "write the site to standard output",
	    "Writes the whole site to standard output as JSON Lines: a backup. With\n"
	    "--member it writes all that one member wrote, voted, saved, follows and hides,\n"
	    "as one JSON document.", dump },
	{ "load", NULL, "FILE...", 1, INT_MAX, COMMAND_DIR | COMMAND_KEEP_GOING,
	    "read dumps; - is standard input",
	    "Reads dumps into an empty or a running site; FILE may be - for standard\n"
	    "input, and compressed by gzip. Existing items are not changed, so it is safe to\n"
	    "run again.", load },
	{ "restore", NULL, "FILE", 1, 1, COMMAND_DIR,
	    "read a backup into an empty site",
	    "Reads a dump, which gzip may have compressed, into a site without members and\n"
	    "groups, and verifies it as check does.", restore },
	{ "user", "role", "NAME ROLE", 2, 2, COMMAND_DIR,
	    "make a member a moderator, owner or member",
	    "Gives a member a role: member, moderator or owner.", members_role },
	{ "user", "owner-link", NULL, 0, 0, COMMAND_DIR,
	    "print a link to become the owner",
	    "Prints a link that makes the member who follows it the owner, as the start\n"
	    "does: once, within an hour, and only while the site has no owner.", members_owner_link },
	{ "user", "recover", "NAME [factor]", 1, 2, COMMAND_DIR,
	    "print a link to choose a new password",
	    "Prints a link with which a member chooses a new password: once, within a day.\n"
	    "With \"factor\" it also turns the second factor off. It is in the log.", members_recover },
	{ "user", "password", "NAME", 1, 1, COMMAND_DIR,
	    "set a password, read from standard input",
	    "Sets a member's password, read from standard input, and logs them out\n"
	    "everywhere.", members_password },
	{ "user", "suspend", "NAME DAYS [REASON]", 2, 3, COMMAND_DIR,
	    "suspend a member",
	    "Suspends a member for DAYS days, or with 0 permanently, and ends the member's\n"
	    "sessions. The REASON is shown to the member and in the log.", members_suspend },
	{ "user", "readmit", "NAME [REASON]", 1, 2, COMMAND_DIR,
	    "lift a suspension",
	    "Lifts a suspension, so that the member can log in again.", members_readmit },
	{ "user", "close", "NAME [name] [texts]", 1, 3, COMMAND_DIR,
	    "close an account",
	    "Closes an account, as its member can: ends its sessions and erases its\n"
	    "password; with \"name\" also its name, with \"texts\" its articles and comments.\n"
	    "Votes stay. If this is interrupted, the same command continues it.", members_close },
	{ "group", "delete", "NAME [REASON]", 1, 2, COMMAND_DIR,
	    "delete a group; its articles stay",
	    "Deletes a group. Its articles stay, in their other groups.", moderation_delete_group },
	{ "log", NULL, NULL, 0, 0, COMMAND_DIR,
	    "print the moderation log",
	    "Prints the moderation log, newest first, one line per entry.", moderation_log },
	{ "setup", NULL, NULL, 0, 0, 0,
	    "say what is left to do on this machine",
	    "Says what is left to do until the service's site can be reached, with the\n"
	    "commands. It changes nothing. The exit status is 1 if something is left.", setup },
	{ "error-pages", NULL, "FOLDER", 1, 1, 0,
	    "write error pages for nginx",
	    "Writes the pages with which nginx answers requests that never reach a\n"
	    "worker into FOLDER, which is created if necessary.", error_pages },
	{ "help", NULL, NULL, 0, 0, 0,
	    "print this help, same as --help", "Lists the commands and the settings.", help },
	{ "version", NULL, NULL, 0, 0, 0,
	    "print the version, same as --version", "Prints the version.", version },
	{ .name = NULL }
};
/* clang-format on */

static int
help(const struct command_line *line)
{
	(void)line;
	puts("Tally: a site where people post articles and vote on them.\n");
	command_line_list(commands, stdout);
	puts("\ntally COMMAND --help describes a command.\n"
	     "\n"
	     "All but serve, setup and error-pages act on the site in the "
	     "folder\n"
	     "that --dir DIR names; without it, on the Redis that TALLY_REDIS "
	     "names,\n"
	     "on the site in the folder var, or on that of the service, in "
	     "this order.\n"
	     "The folder of up is var without --dir.\n");
	config_print(stdout);
	return 0;
}

int
main(int argc, char **argv)
{
	/* Writing to a closed connection fails instead of ending the process. */
	signal(SIGPIPE, SIG_IGN);
	crypto_start();
	return command_line_run(commands, argv + 1, argc - 1);
}
