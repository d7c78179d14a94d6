/* The files with which a site is shown: the owner's before the shipped ones. */
#include "process/share.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../support/fixture.h"

/* A shipped folder and one of the owner's, each with static in it. */
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
	struct text version;

	assert_true(
	    share_style_version(&folders->arena, &folders->config, &version));
	return version;
}

static void
the_version_is_that_of_the_content_in_force(void **state)
{
	struct folders *folders = *state;
	struct text shipped, own;

	write_style(folders, folders->shipped, "body {}");
	shipped = version_of(folders);
	/* printf 'body {}' | sha256sum | cut -c 1-12 */
	assert_text(shipped, "62368a1a2925");
	write_style(folders, folders->own, "body { color: green }");
	own = version_of(folders);
	assert_false(text_equal(own, shipped));
	write_style(folders, folders->shipped, "");
	assert_same(version_of(folders), own);
	write_style(folders, folders->own, "body {}");
	assert_same(version_of(folders), shipped);
}

static void
no_style_sheet_has_no_version(void **state)
{
	assert_text(version_of(*state), "");
}

static void
a_style_sheet_that_cannot_be_read_is_refused(void **state)
{
	struct folders *folders = *state;
	struct text version;

	assert_int_equal(mkdir(fixture_path(&folders->arena, folders->own,
				   "static/style.css"),
			     0700),
	    0);
	assert_false(
	    share_style_version(&folders->arena, &folders->config, &version));
}

static void
a_folder_that_is_named_has_to_be_there(void **state)
{
	struct folders *folders = *state;

	assert_true(
	    share_find_own(&folders->arena, &folders->config, SHARE_IN_SITE));
	assert_text(folders->config.overrides, folders->own);
	folders->config.overrides = TEXT("");
	assert_true(
	    share_find_own(&folders->arena, &folders->config, SHARE_IN_SITE));
	assert_text(folders->config.overrides, "share");
	folders->config.overrides = TEXT("/no/such/folder");
	assert_false(
	    share_find_own(&folders->arena, &folders->config, SHARE_IN_SITE));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_version_is_that_of_the_content_in_force),
		TEST(no_style_sheet_has_no_version),
		TEST(a_style_sheet_that_cannot_be_read_is_refused),
		TEST(a_folder_that_is_named_has_to_be_there),
	};

	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
