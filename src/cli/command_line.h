/*
 * Parses the command line: a command, its options and arguments.
 *
 * Options may be anywhere among the words, and end at "--". An error is printed on
 * standard error with a line of usage, and the exit status is 2. Every command takes
 * --help and -h.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct command_line {
	const char *folder; /* of --dir; NULL without it */
	const char *member; /* of --member; NULL without it */
	bool keep_going, repair, metrics, rebuild;
	char **words; /* the command's arguments */
	int count;
};

/* The options that a command takes. */
enum command_options {
	COMMAND_DIR = 1,
	COMMAND_KEEP_GOING = 2,
	COMMAND_REPAIR = 4,
	COMMAND_METRICS = 8,
	COMMAND_REBUILD = 16,
	COMMAND_MEMBER = 32
};

/*
 * A row of the table of commands, which a row without a name ends. Of a command
 * with parts, as "user role" and "user password", each part has a row.
 */
struct command_row {
	const char *name, *part;
	const char *arguments; /* as in a line of usage; NULL for none */
	int min, max;	       /* how many */
	unsigned options;
	const char *summary; /* a few words */
	const char *meaning; /* sentences */
	/* Returns the exit status. */
	int (*run)(const struct command_line *line);
};

/*
 * Runs the command that the words name, and returns its exit status. --help and
 * --version without a command run "help" and "version". Rearranges words.
 */
int command_line_run(
    const struct command_row *commands, char **words, int count);

/* Prints all commands, one per line. */
void command_line_list(const struct command_row *commands, FILE *out);
