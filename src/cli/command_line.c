#include "cli/command_line.h"

#include <string.h>

#include "base/log.h"

enum { USAGE_ERROR = 2 };

static const struct option {
	const char *name, *usage, *meaning;
	unsigned which;
} options[] = {
	{ "--dir", "--dir DIR", "the folder of the site [var]", COMMAND_DIR },
	{ "--keep-going", "--keep-going",
	    "skip invalid lines instead of stopping", COMMAND_KEEP_GOING },
	{ "--repair", "--repair",
	    "first cut the damaged end off Redis's file, after\n"
	    "                copying it; with check: write lists, counts and\n"
	    "                indexes again where they are wrong",
	    COMMAND_REPAIR },
	{ "--metrics", "--metrics", "print the metrics for Prometheus",
	    COMMAND_METRICS },
	{ "--rebuild", "--rebuild", "build the index for search again",
	    COMMAND_REBUILD },
	{ "--member", "--member NAME",
	    "all of this member's, as one JSON document", COMMAND_MEMBER },
};

enum { OPTIONS = sizeof(options) / sizeof(options[0]) };

/* The state of parsing. */
struct parse {
	struct command_line line;
	unsigned given; /* options */
	bool help, version;
	const char *unknown, *incomplete; /* the first such option, or NULL */
};

static bool
equal(const char *word, const char *other)
{
	return strcmp(word, other) == 0;
}

/* The options that have a value. */
enum { WITH_VALUE = COMMAND_DIR | COMMAND_MEMBER };

/* Reads the value of "--dir=DIR" or "--dir DIR", moving *i to DIR; NULL when it is missing. */
static const char *
read_value(struct parse *parse, char **words, int count, int *i)
{
	const char *value = strchr(words[*i], '=');

	if (value != NULL)
		return value + 1;
	if (*i + 1 < count)
		return words[++*i];
	parse->incomplete = words[*i];
	return NULL;
}

static const struct option *
find_option(const char *word)
{
	size_t size = strcspn(word, "=");

	for (size_t i = 0; i < OPTIONS; i++)
		if (strlen(options[i].name) == size &&
		    memcmp(options[i].name, word, size) == 0 &&
		    (word[size] == '\0' || (options[i].which & WITH_VALUE)))
			return &options[i];
	return NULL;
}

static void
read_option(struct parse *parse, char **words, int count, int *i)
{
	const char *word = words[*i];
	const struct option *option = find_option(word);

	if (equal(word, "--help") || equal(word, "-h"))
		parse->help = true;
	else if (equal(word, "--version"))
		parse->version = true;
	else if (option == NULL && parse->unknown == NULL)
		parse->unknown = word;
	if (option == NULL)
		return;
	parse->given |= option->which;
	if (option->which == COMMAND_DIR)
		parse->line.folder = read_value(parse, words, count, i);
	else if (option->which == COMMAND_MEMBER)
		parse->line.member = read_value(parse, words, count, i);
}

/* Moves the words that are not options to the front, in order. "-" is an argument. */
static struct parse
read_words(char **words, int count)
{
	struct parse parse = { .line.words = words };
	bool over = false;

	for (int i = 0; i < count; i++)
		if (!over && equal(words[i], "--"))
			over = true;
		else if (!over && words[i][0] == '-' && words[i][1] != '\0')
			read_option(&parse, words, count, &i);
		else
			words[parse.line.count++] = words[i];
	parse.line.keep_going = (parse.given & COMMAND_KEEP_GOING) != 0;
	parse.line.repair = (parse.given & COMMAND_REPAIR) != 0;
	parse.line.metrics = (parse.given & COMMAND_METRICS) != 0;
	parse.line.rebuild = (parse.given & COMMAND_REBUILD) != 0;
	return parse;
}

static void
print_name(const struct command_row *command, FILE *out)
{
	fprintf(out, "tally %s", command->name);
	if (command->part != NULL)
		fprintf(out, " %s", command->part);
}

static void
print_usage(const struct command_row *command, FILE *out)
{
	fputs("usage: ", out);
	print_name(command, out);
	for (size_t i = 0; i < OPTIONS; i++)
		if (command->options & options[i].which)
			fprintf(out, " [%s]", options[i].usage);
	if (command->arguments != NULL)
		fprintf(out, " %s", command->arguments);
	fputc('\n', out);
}

static void
print_help(const struct command_row *command, FILE *out)
{
	print_usage(command, out);
	fprintf(out, "\n%s\n\n", command->meaning);
	for (size_t i = 0; i < OPTIONS; i++)
		if (command->options & options[i].which)
			fprintf(out, "  %-13s %s\n", options[i].usage,
			    options[i].meaning);
	fprintf(out, "  %-13s print this\n", "-h, --help");
}

void
command_line_list(const struct command_row *commands, FILE *out)
{
	for (const struct command_row *at = commands; at->name != NULL; at++) {
		char line[80];

		snprintf(line, sizeof(line), "tally %s%s%s%s%s", at->name,
		    at->part == NULL ? "" : " ",
		    at->part == NULL ? "" : at->part,
		    at->arguments == NULL ? "" : " ",
		    at->arguments == NULL ? "" : at->arguments);
		fprintf(out, "  %-37s %s\n", line, at->summary);
	}
}

/* Calls print for each row of that name; false if there is none. */
static bool
print_each(const struct command_row *commands, const char *name, FILE *out,
    void (*print)(const struct command_row *command, FILE *out))
{
	bool any = false;

	for (const struct command_row *at = commands; at->name != NULL; at++)
		if (equal(at->name, name)) {
			if (any && out == stdout)
				fputc('\n', out);
			print(at, out);
			any = true;
		}
	return any;
}

/* Finds the command and removes its name from the words; NULL if it is unknown. */
static const struct command_row *
take_command(const struct command_row *commands, struct command_line *line)
{
	for (const struct command_row *at = commands; at->name != NULL; at++) {
		int size = at->part == NULL ? 1 : 2;

		if (line->count < size || !equal(at->name, line->words[0]) ||
		    (size == 2 && !equal(at->part, line->words[1])))
			continue;
		line->words += size;
		line->count -= size;
		return at;
	}
	return NULL;
}

static int
report_unknown_command(
    const struct command_row *commands, const struct command_line *line)
{
	const char *name = line->words[0];

	if (line->count > 1)
		log_line("unknown command \"%s %s\"", name, line->words[1]);
	else
		log_line("unknown command \"%s\"", name);
	if (!print_each(commands, name, stderr, print_usage))
		fputs("usage: tally COMMAND [ARGUMENT]...; tally --help lists "
		      "the commands\n",
		    stderr);
	return USAGE_ERROR;
}

/* Whether the options and arguments are valid; logs the error. */
static bool
check_arguments(const struct command_row *command, const struct parse *parse)
{
	const struct command_line *line = &parse->line;

	for (size_t i = 0; i < OPTIONS; i++)
		if (parse->given & options[i].which & ~command->options) {
			log_line("%s does not take the option %s",
			    command->name, options[i].name);
			return false;
		}
	if (parse->unknown != NULL)
		log_line("unknown option %s", parse->unknown);
	else if (parse->incomplete != NULL)
		log_line("%s requires a %s", parse->incomplete,
		    equal(parse->incomplete, "--member") ? "name" : "folder");
	else if (line->count > command->max)
		log_line("unexpected argument: %s", line->words[command->max]);
	else if (line->count < command->min)
		log_line("an argument is missing");
	else
		return true;
	return false;
}

int
command_line_run(const struct command_row *commands, char **words, int count)
{
	static char *help[] = { "help" }, *version[] = { "version" };
	struct parse parse = read_words(words, count);
	const struct command_row *command;

	if (parse.line.count == 0 && (parse.help || parse.version)) {
		parse.line.words = parse.help ? help : version;
		parse.line.count = 1;
		parse.help = false;
	} else if (parse.line.count == 0) {
		command_line_list(commands, stderr);
		return USAGE_ERROR;
	}
	command = take_command(commands, &parse.line);
	if (parse.help && command != NULL) {
		print_help(command, stdout);
		return 0;
	}
	if (command == NULL && parse.help &&
	    print_each(commands, parse.line.words[0], stdout, print_help))
		return 0;
	if (command == NULL)
		return report_unknown_command(commands, &parse.line);
	if (check_arguments(command, &parse))
		return command->run(&parse.line);
	print_usage(command, stderr);
	return USAGE_ERROR;
}
