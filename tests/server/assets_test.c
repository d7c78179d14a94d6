/* Templates and static files: the owner's files override the shipped ones. */
#include "server/assets.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/fixture.h"

/* A shipped folder and the owner's, each with a folder "static". */
struct folders {
	struct arena arena;
	char shipped[FIXTURE_FOLDER], own[FIXTURE_FOLDER];
	struct config config;
};

static void
make_static(struct folders *folders, const char *folder)
{
	assert_int_equal(
	    mkdir(fixture_path(&folders->arena, folder, "static"), 0700), 0);
}

static int
set_up(void **state)
{
	static struct folders folders;

	folders = (struct folders){ .config = config_defaults() };
	fixture_make_folder(folders.shipped);
	fixture_make_folder(folders.own);
	make_static(&folders, folders.shipped);
	make_static(&folders, folders.own);
	folders.config.share = text_of(folders.shipped);
	folders.config.overrides = text_of(folders.own);
	*state = &folders;
	return 0;
}

static int
tear_down(void **state)
{
	struct folders *folders = *state;

	fixture_remove_folder(folders->shipped);
	fixture_remove_folder(folders->own);
	arena_free(&folders->arena);
	return 0;
}

static void
write_style(struct folders *folders, const char *folder, const char *style)
{
	fixture_write_file(
	    fixture_path(&folders->arena, folder, "static/style.css"),
	    text_of(style));
}

static struct text
version_of(struct folders *folders)
{
	struct text style, version;

	assert_true(assets_read_style(
	    &folders->arena, &folders->config, &style, &version));
	return version;
}

static void
version_is_the_hash_of_the_content(void **state)
{
	struct folders *folders = *state;
	struct text shipped, own;

	write_style(folders, folders->shipped, "body {}");
	shipped = version_of(folders);
	/* printf 'body{}' | sha256sum | cut -c 1-12 */
	assert_text(shipped, "7c98040a5416");
	write_style(folders, folders->own, "body { color: green }");
	own = version_of(folders);
	assert_false(text_equal(own, shipped));
	write_style(folders, folders->shipped, "");
	assert_same(version_of(folders), own);
	write_style(folders, folders->own, "body {}");
	assert_same(version_of(folders), shipped);
}

static void
missing_style_sheet_counts_as_empty(void **state)
{
	struct folders *folders = *state;
	struct text missing = version_of(folders);

	write_style(folders, folders->shipped, "");
	assert_same(version_of(folders), missing);
}

static void
unreadable_style_sheet_is_refused(void **state)
{
	struct folders *folders = *state;
	struct text style, version;

	assert_int_equal(mkdir(fixture_path(&folders->arena, folders->own,
				   "static/style.css"),
			     0700),
	    0);
	assert_false(assets_read_style(
	    &folders->arena, &folders->config, &style, &version));
}

/* The supervisor of the site would wait for the writer of a FIFO. */
static void
fifos_are_refused(void **state)
{
	struct folders *folders = *state;
	const char *style =
	    fixture_path(&folders->arena, folders->own, "static/style.css");
	const char *template = fixture_path(
	    &folders->arena, folders->own, "templates/about.mustache");
	struct app app = { .origin = TEXT("") };
	struct text content, version;

	alarm(60);
	assert_int_equal(mkfifo(style, 0600), 0);
	assert_false(assets_read_style(
	    &folders->arena, &folders->config, &content, &version));
	assert_int_equal(unlink(style), 0);
	assert_int_equal(
	    mkdir(
		fixture_path(&folders->arena, folders->own, "templates"), 0700),
	    0);
	assert_int_equal(mkfifo(template, 0600), 0);
	assert_false(assets_open(&folders->arena, &folders->config, &app));
	alarm(0);
}

static void
named_folder_must_exist(void **state)
{
	struct folders *folders = *state;

	assert_true(assets_find_overrides(
	    &folders->arena, &folders->config, ASSETS_SITE_OVERRIDES));
	assert_text(folders->config.overrides, folders->own);
	folders->config.overrides = TEXT("");
	assert_true(assets_find_overrides(
	    &folders->arena, &folders->config, ASSETS_SITE_OVERRIDES));
	assert_text(folders->config.overrides, "share");
	folders->config.overrides = TEXT("/no/such/folder");
	assert_false(assets_find_overrides(
	    &folders->arena, &folders->config, ASSETS_SITE_OVERRIDES));
}

/* Files in the site's folder are never read as settings. */
static void
relative_folder_is_below_that_of_the_site(void **state)
{
	struct folders *folders = *state;

	assert_int_equal(chdir(folders->own), 0);
	folders->config.overrides =
	    text_of(fixture_path(&folders->arena, folders->own, "../"));
	assert_true(assets_find_overrides(
	    &folders->arena, &folders->config, ASSETS_SITE_OVERRIDES));
	assert_int_equal(folders->config.overrides.data[0], '/');
	folders->config.overrides =
	    text_of(fixture_path(&folders->arena, folders->own, "static/"));
	assert_true(assets_find_overrides(
	    &folders->arena, &folders->config, ASSETS_SITE_OVERRIDES));
	assert_text(folders->config.overrides, "static");
	folders->config.overrides = text_of(folders->own);
	assert_true(assets_find_overrides(
	    &folders->arena, &folders->config, ASSETS_SITE_OVERRIDES));
	assert_text(folders->config.overrides, ".");
}

/* Copies the shipped static files to copies/static in the owner's folder. */
static void
copy_static(struct folders *folders)
{
	assert_int_equal(chdir(folders->own), 0);
	assert_true(assets_copy(&folders->arena,
	    text_of(fixture_path(&folders->arena, folders->shipped, "static")),
	    "copies/static"));
}

static void
copies_follow_their_originals(void **state)
{
	struct folders *folders = *state;
	struct stat original, copy;

	write_style(folders, folders->shipped, "body {}");
	fixture_write_file(
	    fixture_path(&folders->arena, folders->shipped, "static/old.svg"),
	    TEXT("<svg/>"));
	make_static(
	    folders, fixture_path(&folders->arena, folders->shipped, "static"));
	copy_static(folders);
	assert_text(
	    fixture_read_file(&folders->arena, "copies/static/style.css"),
	    "body {}");
	assert_int_equal(access("copies/static/old.svg", F_OK), 0);
	assert_int_not_equal(access("copies/static/static", F_OK), 0);
	assert_int_equal(stat("copies/static/style.css", &copy), 0);
	assert_int_equal(stat(fixture_path(&folders->arena, folders->shipped,
				  "static/style.css"),
			     &original),
	    0);
	assert_int_equal(copy.st_mtim.tv_sec, original.st_mtim.tv_sec);
	assert_int_equal(copy.st_mtim.tv_nsec, original.st_mtim.tv_nsec);

	write_style(folders, folders->shipped, "p {}");
	unlink(
	    fixture_path(&folders->arena, folders->shipped, "static/old.svg"));
	copy_static(folders);
	assert_text(
	    fixture_read_file(&folders->arena, "copies/static/style.css"),
	    "p {}");
	assert_int_not_equal(access("copies/static/old.svg", F_OK), 0);

	fixture_remove_folder(
	    fixture_path(&folders->arena, folders->shipped, "static"));
	copy_static(folders);
	assert_int_not_equal(access("copies/static/style.css", F_OK), 0);
}

static void
symbolic_link_of_an_earlier_version_becomes_a_folder(void **state)
{
	struct folders *folders = *state;

	write_style(folders, folders->shipped, "body {}");
	assert_int_equal(chdir(folders->own), 0);
	assert_int_equal(symlink(folders->shipped, "copies"), 0);
	copy_static(folders);
	assert_text(
	    fixture_read_file(&folders->arena, "copies/static/style.css"),
	    "body {}");
	assert_int_equal(unlink(fixture_path(&folders->arena, folders->shipped,
			     "static/style.css")),
	    0);
	assert_int_equal(access("copies/static/style.css", F_OK), 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(version_is_the_hash_of_the_content),
		TEST(missing_style_sheet_counts_as_empty),
		TEST(unreadable_style_sheet_is_refused),
		TEST(fifos_are_refused),
		TEST(named_folder_must_exist),
		TEST(relative_folder_is_below_that_of_the_site),
		TEST(copies_follow_their_originals),
		TEST(symbolic_link_of_an_earlier_version_becomes_a_folder),
	};

	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
