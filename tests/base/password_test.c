/* Passwords: common ones, and those known from breaches. */
#include "base/password.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "base/buffer.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool
is_common(const char *password)
{
	return password_is_common(text_of(password), NULL, 0);
}

static void
common_passwords_are_refused(void **state)
{
	static const char *const common[] = { "password", "12345678",
		"qwertyuiop", "P@ssw0rd", "iloveyou", "11111111", "letmein1",
		"trustno1", "passwordpassword",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
	static const char *const others[] = { "kcvbeiup", "correct horse",
		"Tr0ub4dor&3", "zwei kleine Wölfe", "kassandra42" };
	char longest[256];

	(void)state;
	for (size_t i = 0; i < COUNT(common); i++)
		if (!is_common(common[i]))
			fail_msg("%s is not common", common[i]);
	for (size_t i = 0; i < COUNT(others); i++)
		if (is_common(others[i]))
			fail_msg("%s is common", others[i]);
	for (size_t i = 0; i < sizeof(longest); i++)
		longest[i] = (char)('!' + i * 37 % 90);
	assert_false(password_is_common(
	    (struct text){ longest, sizeof(longest) }, NULL, 0));
}

static void
passwords_derived_from_names_are_refused(void **state)
{
	static const struct {
		const char *user, *site, *password;
		bool is_common;
	} rows[] = { { "kassandra", "Tally", "kassandra42", true },
		{ "Kassandra", "Tally", "KASSANDRA2024", true },
		{ "kassandra", "Tally", "k4ss4ndra42", true },
		{ "kassandra", "Tally", "ardnassak1", true },
		{ "kassandra", "Tally", "tally2026", true },
		{ "kassandra", "Tally", "Tally-kassandra", true },
		{ "kassandra_moreau", "Tally", "moreau1234", true },
		{ "kassandra_moreau", "Tally", "kassandramoreau1", true },
		{ "kassandra-moreau", "Tally", "kassandra-moreau", true },
		{ "ann", "Wider Byways", "widerbyways1", true },
		{ "ann", "Wider Byways", "byways99", true },
		{ "ann", "Jägerzaun", "jägerzaun7", true },
		{ "ann", "Tally", "kassandra42", false },
		{ "kassandra", "Tally", "correct horse kassandra", false },
		{ "--", "-", "kcvbeiup", false } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct text names[] = { text_of(rows[i].user),
			text_of(rows[i].site) };

		if (password_is_common(text_of(rows[i].password), names, 2) !=
		    rows[i].is_common)
			fail_msg("%s of %s at %s", rows[i].password,
			    rows[i].user, rows[i].site);
	}
}

/* As many names as there can be, each in many parts. */
static void
long_names_fit(void **state)
{
	char name[400];
	struct text names[32];

	(void)state;
	for (size_t i = 0; i < sizeof(name); i++)
		name[i] = "ab c-d_ef"[i % 9];
	for (size_t i = 0; i < COUNT(names); i++)
		names[i] = (struct text){ name, sizeof(name) - 8 * i };
	assert_false(password_is_common(TEXT("kcvbeiup"), names, 32));
}

/* SHA-1 of "abc", "password" and "hello". */
#define ABC	 "A9993E364706816ABA3E25717850C26C9CD0D89D"
#define PASSWORD "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8"
#define HELLO	 "AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D"

/* A file with the hashes of the three, and count others from first to last in
 * equal steps; each line has one of several ends, and is in order. */
static const char *
write_hashes(struct arena *arena, const char *folder, unsigned first,
    unsigned last, unsigned count, const char *const *ends)
{
	static const char *const real[] = { PASSWORD, ABC, HELLO };
	const char *path = fixture_path(arena, folder, "hashes");
	struct buffer lines = buffer_in(arena, 64 * 1024);
	size_t next = 0;

	for (unsigned i = 0; i <= count; i++) {
		const char *other = fixture_string(arena, "%08X%032d",
		    first +
			(unsigned)((uint64_t)(last - first) * i / (count + 1)),
		    0);

		while (
		    next < 3 && (i == count || strcmp(real[next], other) < 0)) {
			buffer_add(&lines,
			    text_format(arena, "%s%s", real[next], ends[next]));
			next++;
		}
		if (i < count)
			buffer_add(&lines,
			    text_format(arena, "%s%s", other, ends[i % 3]));
	}
	fixture_write_file(path, buffer_text(&lines));
	return path;
}

static void
check_found(struct arena *arena, const char *path)
{
	struct text why = TEXT("");
	const struct password_file *file =
	    password_file_open(arena, text_of(path), &why);

	assert_text(why, "");
	assert_non_null(file);
	assert_true(password_is_breached(file, TEXT("abc")));
	assert_true(password_is_breached(file, TEXT("password")));
	assert_true(password_is_breached(file, TEXT("hello")));
	assert_false(password_is_breached(file, TEXT("")));
	for (int i = 0; i < 1000; i++)
		assert_false(password_is_breached(
		    file, text_format(arena, "horse %d", i)));
	password_file_close(file);
}

static void
breached_passwords_are_found_anywhere_in_the_file(void **state)
{
	static const char *const ends[][3] = { { "\n", "\n", "\n" },
		{ ":1\n", ":3861493\n", ":20\n" },
		{ ":1\r\n", ":3861493\r\n", "\r\n" } };
	static const unsigned counts[] = { 0, 1, 84, 85, 99, 100, 1000, 20000 };
	struct arena *arena = *state;
	char folder[FIXTURE_FOLDER];

	fixture_make_folder(folder);
	for (size_t e = 0; e < COUNT(ends); e++)
		for (size_t i = 0; i < COUNT(counts); i++) {
			/* Among others, before them and behind them. */
			check_found(arena,
			    write_hashes(arena, folder, 0, 0xfffffff0,
				counts[i], ends[e]));
			check_found(arena,
			    write_hashes(arena, folder, 0xb0000000, 0xfffffff0,
				counts[i], ends[e]));
			check_found(arena,
			    write_hashes(arena, folder, 0, 0x50000000,
				counts[i], ends[e]));
		}
	fixture_remove_folder(folder);
}

static void
small_letters_and_a_last_line_without_an_end_are_found(void **state)
{
	struct arena *arena = *state;
	char folder[FIXTURE_FOLDER];
	const char *path;

	fixture_make_folder(folder);
	path = fixture_path(arena, folder, "hashes");
	fixture_write_file(
	    path, text_lower(arena, TEXT(PASSWORD "\n" ABC ":7\n" HELLO)));
	check_found(arena, path);
	fixture_remove_folder(folder);
}

static void
no_password_is_breached_without_a_file(void **state)
{
	(void)state;
	assert_false(password_is_breached(NULL, TEXT("password")));
	password_file_close(NULL);
}

/* It was cut off, or written over, while it was open. */
static void
no_password_is_breached_in_a_changed_file(void **state)
{
	static const char *const ends[] = { "\n", ":2\n", ":3\r\n" };
	struct arena *arena = *state;
	char folder[FIXTURE_FOLDER], *noise;
	const struct password_file *file;
	const char *path;
	struct stat status;
	struct text why;

	fixture_make_folder(folder);
	path = write_hashes(arena, folder, 0, 0xfffffff0, 5000, ends);
	file = password_file_open(arena, text_of(path), &why);
	assert_non_null(file);
	assert_int_equal(stat(path, &status), 0);
	noise = arena_new(arena, char, (size_t)status.st_size);
	memset(noise, 'x', (size_t)status.st_size);
	fixture_write_file(
	    path, (struct text){ noise, (size_t)status.st_size });
	assert_false(password_is_breached(file, TEXT("password")));
	memset(noise, '\n', (size_t)status.st_size);
	fixture_write_file(
	    path, (struct text){ noise, (size_t)status.st_size });
	assert_false(password_is_breached(file, TEXT("password")));
	assert_int_equal(truncate(path, 100), 0);
	assert_false(password_is_breached(file, TEXT("password")));
	assert_int_equal(truncate(path, 0), 0);
	assert_false(password_is_breached(file, TEXT("password")));
	password_file_close(file);
	fixture_remove_folder(folder);
}

static void
malformed_file_is_refused(void **state)
{
	static const struct {
		const char *content, *why;
	} rows[] = { { "", "it has no line" },
		{ ABC, "it has no line" }, /* whole */
		{ "password\n", "its line 1 is not the 40" },
		{ " " ABC "\n", "its line 1 is not the 40" },
		{ ABC "\n" ABC "0\n", "its line 2 is not the 40" },
		{ ABC ":1x\n", "its line 1 is not the 40" },
		{ ABC "\n" PASSWORD "\n", "its line 2 is not in order" },
		{ PASSWORD "\n" ABC "\n" ABC "\n",
		    "its line 3 is not in order" } };
	struct arena *arena = *state;
	char folder[FIXTURE_FOLDER];
	struct text why;

	fixture_make_folder(folder);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *path = fixture_path(arena, folder, "hashes");

		fixture_write_file(path, text_of(rows[i].content));
		assert_null(password_file_open(arena, text_of(path), &why));
		assert_has(why, rows[i].why);
	}
	assert_null(password_file_open(arena, text_of(folder), &why));
	assert_text(why, "Is a directory");
	assert_null(password_file_open(
	    arena, text_of(fixture_path(arena, folder, "none")), &why));
	assert_text(why, "No such file or directory");
	fixture_remove_folder(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(common_passwords_are_refused),
		cmocka_unit_test(passwords_derived_from_names_are_refused),
		cmocka_unit_test(long_names_fit),
		fixture_arena_test(
		    breached_passwords_are_found_anywhere_in_the_file),
		fixture_arena_test(
		    small_letters_and_a_last_line_without_an_end_are_found),
		cmocka_unit_test(no_password_is_breached_without_a_file),
		fixture_arena_test(no_password_is_breached_in_a_changed_file),
		fixture_arena_test(malformed_file_is_refused),
	};

	return cmocka_run_group_tests_name("passwords", tests, NULL, NULL);
}
