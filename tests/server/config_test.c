/*
 * Settings, tested by running the built program: `tally error-pages` reads all of them,
 * needs nothing else, and exits.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "base/buffer.h"

enum { PATH_MAX = 4096 };

/* A run of the program: its output on both streams, and its status. */
struct run {
	char folder[FIXTURE_FOLDER]; /* for its files */
	char program[PATH_MAX];
	struct arena arena;
	struct text output;
	int status;
};

static int
set_up(void **state)
{
	static struct run run;
	const char *build = getenv("BUILD");

	run = (struct run){ .status = -1 };
	snprintf(run.program, sizeof(run.program), "%s/tally",
	    build == NULL ? "build" : build);
	if (access(run.program, X_OK) != 0)
		fail_msg("%s: %s", run.program, strerror(errno));
	fixture_make_folder(run.folder);
	*state = &run;
	return 0;
}

static int
tear_down(void **state)
{
	struct run *run = *state;

	fixture_remove_folder(run->folder);
	arena_free(&run->arena);
	return 0;
}

/* The child process: with these settings, and none of the test's own environment or of a
 * service on this machine. */
_Noreturn static void
execute(const struct run *run, int output, const char *const *arguments,
    const char *const *settings)
{
	char *words[8] = { (char *)(uintptr_t)run->program };
	size_t i = 0;

	clearenv();
	putenv((char[]){ "TALLY_CONFIG=/dev/null" });
	for (size_t s = 0; settings[s] != NULL; s++)
		putenv((char *)(uintptr_t)settings[s]);
	for (; arguments[i] != NULL; i++)
		words[i + 1] = (char *)(uintptr_t)arguments[i];
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execv(run->program, words);
	_exit(127);
}

static void
run_with(
    struct run *run, const char *const *arguments, const char *const *settings)
{
	struct buffer output = buffer_in(&run->arena, 4096);
	int ends[2], status;
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	child = fork();
	if (child == 0)
		execute(run, ends[1], arguments, settings);
	close(ends[1]);
	while ((got = read(ends[0], buffer_reserve(&output, 4096), 4096)) > 0)
		output.size += (size_t)got;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	run->status = WEXITSTATUS(status);
	run->output = buffer_text(&output);
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NOTHING	   ((const char *const[]){ NULL })

/* Reads the settings and does something harmless. */
static void
try_settings(struct run *run, const char *const *settings)
{
	run_with(run, WORDS("error-pages", run->folder), settings);
}

static bool
has_printed(const struct run *run, const char *string)
{
	return memmem(run->output.data, run->output.size, string,
		   strlen(string)) != NULL;
}

static void
assert_refused(struct run *run, const char *setting, const char *why)
{
	try_settings(run, WORDS(setting));
	if (run->status != 1 || !has_printed(run, why))
		fail_msg("%s ends with %d and prints: %.*s", setting,
		    run->status, TEXT_ARGS(run->output));
}

static void
no_setting_is_needed(void **state)
{
	struct run *run = *state;
	struct text page;

	try_settings(run, NOTHING);
	assert_text(run->output, "");
	assert_int_equal(run->status, 0);
	page = fixture_read_file(
	    &run->arena, fixture_path(&run->arena, run->folder, "503.html"));
	assert_true(page.size > 0);
}

static void
unknown_setting_causes_a_warning(void **state)
{
	struct run *run = *state;

	try_settings(run, WORDS("TALLY_PROT=80", "TALLY_=1", "OTHER_PORT=x"));
	assert_int_equal(run->status, 0);
	assert_has(run->output, "warning: unknown setting TALLY_PROT\n");
	assert_has(run->output, "warning: unknown setting TALLY_\n");
	assert_false(has_printed(run, "OTHER"));
}

static void
bad_number_is_refused(void **state)
{
	static const char *const values[] = { "", "x", "80x", "8.0", "0", "-1",
		"65536", "99999999999999999999", "0x50" };
	struct run *run = *state;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char setting[64];

		snprintf(setting, sizeof(setting), "TALLY_PORT=%s", values[i]);
		assert_refused(run, setting,
		    "TALLY_PORT must be a number from 1 to 65535, not ");
	}
	assert_refused(run, "TALLY_PAGE_SIZE=101", "TALLY_PAGE_SIZE");
	assert_refused(run, "TALLY_BUCKETS=-4", "TALLY_BUCKETS");
	assert_refused(run, "TALLY_VOTE_WINDOW=0", "TALLY_VOTE_WINDOW");
	assert_refused(run, "TALLY_WORKERS=two", "TALLY_WORKERS");
}

static void
every_mistake_is_reported_at_once(void **state)
{
	struct run *run = *state;

	try_settings(
	    run, WORDS("TALLY_PORT=x", "TALLY_WORKERS=y", "TALLY_FSYNC=no"));
	assert_int_equal(run->status, 1);
	assert_has(run->output, "TALLY_PORT");
	assert_has(run->output, "TALLY_WORKERS");
	assert_has(
	    run->output, "TALLY_FSYNC must be always or everysec, not \"no\"");
}

static void
settings_that_contradict_each_other_are_refused(void **state)
{
	struct run *run = *state;

	try_settings(
	    run, WORDS("TALLY_PROMISE_ARTICLES=51", "TALLY_PROMISE_PLACES=50"));
	assert_int_equal(run->status, 1);
	assert_has(run->output,
	    "TALLY_PROMISE_ARTICLES is more than "
	    "TALLY_PROMISE_PLACES");
	assert_refused(
	    run, "TALLY_PROMISE_ARTICLES=101", "TALLY_PROMISE_ARTICLES");
	try_settings(
	    run, WORDS("TALLY_PROMISE_ARTICLES=50", "TALLY_PROMISE_PLACES=50"));
	assert_int_equal(run->status, 0);
}

static void
origin_is_a_scheme_and_a_host(void **state)
{
	struct run *run = *state;

	assert_refused(
	    run, "TALLY_ORIGIN=https://tally.example/", "TALLY_ORIGIN");
	assert_refused(run, "TALLY_ORIGIN=tally.example", "TALLY_ORIGIN");
	assert_refused(run, "TALLY_ORIGIN=ftp://tally.example", "TALLY_ORIGIN");
	assert_refused(
	    run, "TALLY_ORIGIN=https://Tally.example", "TALLY_ORIGIN");
	assert_refused(
	    run, "TALLY_ORIGIN=https://tally.example x", "TALLY_ORIGIN");
	try_settings(run, WORDS("TALLY_ORIGIN=https://tally.example"));
	assert_int_equal(run->status, 0);
}

static void
redis_address_is_validated(void **state)
{
	struct run *run = *state;

	assert_refused(run, "TALLY_REDIS=nowhere",
	    "TALLY_REDIS must be unix:/path, host:port, "
	    "sentinel:NAME@host:port,... or cluster:host:port,..., the last "
	    "three perhaps after tls:, not \"nowhere\"");
	assert_refused(run, "TALLY_REDIS=tls:127.0.0.1:1", "TALLY_REDIS: ");
	try_settings(run, WORDS("TALLY_REDIS=unix:/nowhere"));
	assert_int_equal(run->status, 0);
}

static void
password_file_must_contain_hashes(void **state)
{
	struct run *run = *state;
	const char *path = fixture_path(&run->arena, run->folder, "passwords");
	const char *setting =
	    fixture_string(&run->arena, "TALLY_PASSWORDS=%s", path);

	assert_refused(run, setting, "/passwords: No such file or directory\n");
	fixture_write_file(path, TEXT("password\n12345678\n"));
	assert_refused(run, setting,
	    "/passwords: its line 1 is not the 40 hexadecimal "
	    "digits of a SHA-1, perhaps with a count\n");
	fixture_write_file(
	    path, TEXT("000000005AD76BD555C1D6D771DE417A4B87E4B4:10\n"));
	try_settings(run, WORDS(setting));
	assert_text(run->output, "");
	assert_int_equal(run->status, 0);
}

/* Writes a file of settings; returns the setting that names it. */
static const char *
write_config(struct run *run, const char *lines)
{
	const char *path = fixture_path(&run->arena, run->folder, "tally.conf");

	fixture_write_file(path, text_of(lines));
	return text_string(
	    &run->arena, text_format(&run->arena, "TALLY_CONFIG=%s", path));
}

static void
settings_are_read_from_a_file(void **state)
{
	struct run *run = *state;
	const char *file = write_config(
	    run, "# A comment\n\n  TALLY_PORT = 9000  \nTALLY_PROT=1\n");

	try_settings(run, WORDS(file));
	assert_int_equal(run->status, 0);
	assert_has(run->output, "unknown setting TALLY_PROT\n");
	assert_false(has_printed(run, "TALLY_CONFIG"));
	assert_false(has_printed(run, "TALLY_PORT"));

	write_config(run, "TALLY_PORT=x\n");
	try_settings(run, WORDS(file));
	assert_int_equal(run->status, 1);
	assert_has(run->output, "TALLY_PORT");

	/* The environment overrides the file, and both settings agree. */
	write_config(run, "TALLY_PROMISE_ARTICLES=200\n");
	try_settings(run, WORDS(file));
	assert_int_equal(run->status, 1);
	try_settings(run, WORDS(file, "TALLY_PROMISE_ARTICLES=20"));
	assert_int_equal(run->status, 0);

	assert_refused(run, "TALLY_CONFIG=/tmp/no-such-file",
	    "cannot read the settings in /tmp/no-such-file: No such file or "
	    "directory\n");
	assert_refused(run, "TALLY_CONFIG=/tmp",
	    "cannot read the settings in /tmp: Is a directory\n");
}

/* What is read is seen by what is refused. */
static void
a_file_can_include_another(void **state)
{
	struct run *run = *state;
	const char *other = fixture_path(&run->arena, run->folder, "other.env");
	const char *file = write_config(run,
	    fixture_string(&run->arena, "TALLY_PORT=x\ninclude  %s \n", other));

	fixture_write_file(other, TEXT("TALLY_PORT=9000\nTALLY_WORKERS=x\n"));
	try_settings(run, WORDS(file));
	assert_int_equal(run->status, 1);
	assert_has(run->output, "TALLY_WORKERS must be a number");

	write_config(run,
	    fixture_string(&run->arena,
		"TALLY_PROMISE_ARTICLES=300\ninclude %s\n"
		"TALLY_PROMISE_PLACES=200\n",
		other));
	fixture_write_file(other,
	    TEXT("TALLY_PROMISE_ARTICLES=200\nTALLY_PROMISE_PLACES=1\n"));
	try_settings(run, WORDS(file));
	assert_text(run->output, "");
	assert_int_equal(run->status, 0);
}

static void
a_wrong_include_is_refused(void **state)
{
	struct run *run = *state;
	const char *other = fixture_path(&run->arena, run->folder, "other.env");
	const char *file = write_config(run, "include other.env\n");

	assert_refused(
	    run, file, "include needs an absolute path, not \"other.env\"\n");
	write_config(run, fixture_string(&run->arena, "include %s\n", other));
	assert_refused(run, file, "/other.env: No such file or directory\n");
	fixture_write_file(other, TEXT("include /etc/hostname\n"));
	assert_refused(run, file,
	    "include /etc/hostname: an included file cannot include others\n");
	write_config(run, "include\n");
	try_settings(run, WORDS(file));
	assert_has(run->output, "warning: unknown setting include\n");
}

/* A folder without templates, and one with a wrong template. */
static void
bad_templates_prevent_the_start(void **state)
{
	struct run *run = *state;
	const char *templates =
	    fixture_path(&run->arena, run->folder, "templates");
	char share[FIXTURE_FOLDER + sizeof("TALLY_SHARE=")];

	assert_refused(run, "TALLY_SHARE=/tmp/no-such-folder",
	    "the template folder /tmp/no-such-folder/templates cannot be "
	    "read: No such file or directory\n");
	assert_int_equal(mkdir(templates, 0700), 0);
	fixture_write_file(
	    fixture_path(&run->arena, templates, "article_row.mustache"),
	    TEXT("<h1>\n  {{headnig}}</h1>\n"));
	snprintf(share, sizeof(share), "TALLY_SHARE=%s", run->folder);
	assert_refused(run, share, "/templates/article_row.mustache:2:3: ");
	assert_has(run->output, "headnig");
}

/* `tally up` changes into another folder, where it would be a different one. */
static void
relative_share_becomes_absolute(void **state)
{
	struct run *run = *state;
	char said[PATH_MAX + 64];

	snprintf(said, sizeof(said), "%s/tests/templates cannot be read",
	    getcwd((char[PATH_MAX]){ 0 }, PATH_MAX));
	assert_refused(run, "TALLY_SHARE=tests", said);
}

static void
help_prints_every_setting(void **state)
{
	static const char *const names[] = { "TALLY_ADDRESS", "TALLY_PORT",
		"TALLY_FSYNC", "TALLY_WORKERS", "TALLY_SOCKET", "TALLY_REDIS",
		"TALLY_REDIS_USER", "TALLY_REDIS_PASSWORD", "TALLY_ORIGIN",
		"TALLY_SHARE", "TALLY_OVERRIDES", "TALLY_PASSWORDS",
		"TALLY_BUCKETS", "TALLY_VOTE_SCORE", "TALLY_VOTE_WINDOW",
		"TALLY_INTERESTING", "TALLY_PAGE_SIZE",
		"TALLY_PROMISE_ARTICLES", "TALLY_PROMISE_PLACES",
		"TALLY_PROMISE_SECONDS", "TALLY_CONFIG" };
	struct run *run = *state;

	/* Even if a setting is wrong, since that is when help is needed. */
	run_with(run, WORDS("--help"), WORDS("TALLY_PORT=x"));
	assert_int_equal(run->status, 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!has_printed(run, names[i]))
			fail_msg("--help does not mention %s", names[i]);
	assert_has(run->output, "[8080]");
	assert_has(run->output, "[604800]");
}

static void
unknown_commands_are_refused(void **state)
{
	struct run *run = *state;

	run_with(run, WORDS("fly"), NOTHING);
	assert_int_equal(run->status, 2);
	assert_has(run->output, "unknown command \"fly\"\nusage: tally ");
	run_with(run, NOTHING, NOTHING);
	assert_int_equal(run->status, 2);
	assert_has(run->output, "tally up");
	run_with(run, WORDS("serve"), NOTHING);
	assert_int_equal(run->status, 1);
	assert_has(run->output, "TALLY_REDIS");
	run_with(run, WORDS("--version"), NOTHING);
	assert_int_equal(run->status, 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(no_setting_is_needed),
		TEST(unknown_setting_causes_a_warning),
		TEST(bad_number_is_refused),
		TEST(every_mistake_is_reported_at_once),
		TEST(settings_that_contradict_each_other_are_refused),
		TEST(origin_is_a_scheme_and_a_host),
		TEST(settings_are_read_from_a_file),
		TEST(a_file_can_include_another),
		TEST(a_wrong_include_is_refused),
		TEST(bad_templates_prevent_the_start),
		TEST(redis_address_is_validated),
		TEST(password_file_must_contain_hashes),
		TEST(relative_share_becomes_absolute),
		TEST(help_prints_every_setting),
		TEST(unknown_commands_are_refused),
	};

	return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
