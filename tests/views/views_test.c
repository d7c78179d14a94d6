/* Templates are checked against the views' models at the start. */
#include "views/views.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "views/error.h"

/* A copy of the site's templates, one of which a test breaks. */
struct copy {
	char folder[FIXTURE_FOLDER];
	struct arena arena;
};

static const char *
path_in(struct copy *copy, const char *name)
{
	return fixture_path(&copy->arena, copy->folder, name);
}

static int
set_up(void **state)
{
	static struct copy copy;
	DIR *folder = opendir("templates");
	struct dirent *entry;

	copy = (struct copy){ .arena = { 0 } };
	assert_non_null(folder);
	fixture_make_folder(copy.folder);
	while ((entry = readdir(folder)) != NULL)
		if (strstr(entry->d_name, ".mustache") != NULL)
			fixture_write_file(path_in(&copy, entry->d_name),
			    fixture_read_file(&copy.arena,
				fixture_path(
				    &copy.arena, "templates", entry->d_name)));
	closedir(folder);
	*state = &copy;
	return 0;
}

static int
tear_down(void **state)
{
	struct copy *copy = *state;

	fixture_remove_folder(copy->folder);
	arena_free(&copy->arena);
	return 0;
}

/* Inserts a line before a template's line; numbers count from 1. */
static void
insert_line(struct copy *copy, const char *name, int number, const char *line)
{
	struct buffer changed = buffer_in(&copy->arena, 8192);
	struct text rest, part;
	const char *path = path_in(copy, name);

	rest = fixture_read_file(&copy->arena, path);
	for (int i = 1; text_cut(&rest, '\n', &part); i++) {
		if (i == number) {
			buffer_add(&changed, text_of(line));
			buffer_add_char(&changed, '\n');
		}
		buffer_add(&changed, part);
		if (rest.data != NULL)
			buffer_add_char(&changed, '\n');
	}
	fixture_write_file(path, buffer_text(&changed));
}

static void
assert_error(struct copy *copy, const char *template, int line, int column,
    const char *message)
{
	struct mustache_error error;

	assert_null(views_open(&copy->arena, NULL, copy->folder, &error));
	assert_text(error.template, template);
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, column);
	if (strstr(error.message, message) == NULL)
		fail_msg("\"%s\" does not say: %s", error.message, message);
}

static void
shipped_templates_are_valid(void **state)
{
	struct copy *copy = *state;
	struct mustache_error error;

	assert_non_null(views_open(&copy->arena, NULL, copy->folder, &error));
}

static void
typo_is_reported_with_its_position(void **state)
{
	/* Columns count characters. */
	insert_line(*state, "article.mustache", 3, "<p>\xc3\xa4 {{titel}}</p>");
	assert_error(*state, "article", 3, 6, "titel");
}

static void
typo_in_a_partial_is_reported(void **state)
{
	insert_line(*state, "votes.mustache", 2, "  {{#opne}}x{{/opne}}");
	assert_error(*state, "votes", 2, 3, "opne");
}

/* A name that only one of two pages has is an error in a partial that both include. */
static void
name_missing_from_some_models_is_reported(void **state)
{
	insert_line(*state, "layout.mustache", 2, "{{heading}}");
	assert_error(*state, "layout", 2, 1, "heading");
}

static void
unclosed_section_is_reported(void **state)
{
	struct copy *copy = *state;
	struct mustache_error error;

	/* The error is where the section around it is closed, further down. */
	insert_line(copy, "about.mustache", 4, "{{#title}}");
	assert_null(views_open(&copy->arena, NULL, copy->folder, &error));
	assert_text(error.template, "about");
	assert_true(error.line > 4);
	assert_non_null(strstr(error.message, "'title'"));
}

static void
missing_partial_is_reported(void **state)
{
	insert_line(*state, "submit.mustache", 3, "{{>no-such}}");
	assert_error(*state, "submit", 3, 1, "no-such");
}

static void
unescaped_values_are_refused(void **state)
{
	insert_line(*state, "list.mustache", 3, "{{{heading}}}");
	assert_error(*state, "list", 3, 1, "escaped");
}

static void
missing_template_is_reported(void **state)
{
	struct copy *copy = *state;
	const char *path = path_in(copy, "about.mustache");

	assert_int_equal(unlink(path), 0);
	assert_error(*state, "about", 0, 0, "there is no such template");
}

static void
missing_folder_is_reported(void **state)
{
	struct copy *copy = *state;
	struct mustache_error error;

	assert_null(
	    views_open(&copy->arena, NULL, "/tmp/no-such-folder", &error));
	assert_int_equal(error.line, 0);
	assert_true(strlen(error.message) > 0);
}

/* Rendered rows are cached and shown to other members, so they cannot use data of the
 * reader. */
static void
cached_rows_cannot_use_the_layout(void **state)
{
	static const char *const kept[] = { "article_row", "list_rows", "votes",
		"byline" };
	static const char *const layout[] = { "{{csrf}}", "{{viewer}}",
		"{{here}}" };

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		for (size_t k = 0; k < sizeof(layout) / sizeof(layout[0]);
		    k++) {
			char file[32];

			snprintf(file, sizeof(file), "%s.mustache", kept[i]);
			tear_down(state);
			set_up(state);
			insert_line(*state, file, 1, layout[k]);
			assert_error(*state, kept[i], 1, 1, "is not in");
		}
	}
}

static void
field_that_no_template_uses_is_reported(void **state)
{
	struct copy *copy = *state;
	struct mustache_error error;
	const char *path = path_in(copy, "field_password.mustache");

	fixture_write_file(path, TEXT("{{<field}}{{/field}}"));
	assert_non_null(views_open(&copy->arena, NULL, copy->folder, &error));
	path = path_in(copy, "error.mustache");
	fixture_write_file(path,
	    TEXT("{{#words}}{{title}} {{happened}} {{advice}}{{/words}}{{back}}"
		 "{{#end}}{{href}}{{number}}{{/end}}{{may_log_in}}"));
	assert_error(copy, "struct error_words", 0, 0, "'status'");
}

static void
every_status_has_an_error_page(void **state)
{
	static const int statuses[] = { 400, 401, 403, 404, 405, 409, 410, 413,
		422, 429, 503 };
	struct text down = message_reason(REASON_DEFAULT, 503).title;

	(void)state;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct error_words words =
		    message_reason(REASON_DEFAULT, statuses[i]);

		assert_int_equal(words.status, statuses[i]);
		assert_true(words.title.size > 0);
		assert_true(words.happened.size > 0);
		assert_true(words.advice.size > 0);
		assert_int_equal(
		    statuses[i] == 503, text_equal(words.title, down));
	}
	/* An unknown status is reported as an error of the site. */
	assert_true(
	    text_equal(message_reason(REASON_DEFAULT, 500).title, down));
}

static void
status_can_have_several_reasons(void **state)
{
	(void)state;
	assert_text(
	    message_reason(REASON_DEFAULT, 409).title, "Voting has closed");
	assert_text(
	    message_reason(REASON_CLOSED, 409).title, "Voting has closed");
	assert_text(message_reason(REASON_INVITES_FULL, 409).title,
	    "You have too many open invitations");
	/* A reason for another status is not used for this one. */
	assert_text(
	    message_reason(REASON_INVITES_FULL, 404).title, "Page not found");
}

static void
every_reason_and_problem_has_a_message(void **state)
{
	struct copy *copy = *state;

	for (enum reason i = REASON_DEFAULT + 1; i < REASONS; i++) {
		struct error_words words = message_reason(i, message_status(i));

		assert_true(words.status >= 400);
		assert_true(words.title.size > 0 && words.happened.size > 0 &&
		    words.advice.size > 0);
	}
	for (enum problem_kind i = PROBLEM_NONE; i < PROBLEM_KINDS; i++) {
		struct problem problem = {
			.kind = i, .word = TEXT("name"), .length = 12345
		};
		struct text words = message_problem(&copy->arena, &problem);

		assert_int_equal(words.size > 0, i != PROBLEM_NONE);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(shipped_templates_are_valid),
		TEST(typo_is_reported_with_its_position),
		TEST(typo_in_a_partial_is_reported),
		TEST(name_missing_from_some_models_is_reported),
		TEST(unclosed_section_is_reported),
		TEST(missing_partial_is_reported),
		TEST(unescaped_values_are_refused),
		TEST(missing_template_is_reported),
		TEST(missing_folder_is_reported),
		TEST(cached_rows_cannot_use_the_layout),
		TEST(field_that_no_template_uses_is_reported),
		TEST(every_status_has_an_error_page),
		TEST(status_can_have_several_reasons),
		TEST(every_reason_and_problem_has_a_message),
	};

	return cmocka_run_group_tests_name("views", tests, NULL, NULL);
}
