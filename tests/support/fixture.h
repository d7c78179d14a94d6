/*
 * Fixtures: an empty arena, a temporary folder and files in it; and assertions
 * about texts.
 *
 * An error in here fails the running cmocka test.
 */
#pragma once

/* cmocka.h wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"

/* A test of cmocka that gets an empty arena as *state. */
#define fixture_arena_test(function) \
	cmocka_unit_test_setup_teardown( \
	    function, fixture_open_arena, fixture_close_arena)

int fixture_open_arena(void **state);
int fixture_close_arena(void **state);

/*
 * Creates an empty folder and writes its path to folder. Removing it removes all
 * files in it; a file that cannot be removed stays, and no test fails for that.
 */
enum { FIXTURE_FOLDER = 80 };
void fixture_make_folder(char folder[FIXTURE_FOLDER]);
void fixture_remove_folder(const char *folder);

/* printf into the arena. */
const char *fixture_string(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "folder/name" */
const char *fixture_path(
    struct arena *arena, const char *folder, const char *name);

/* Reads or replaces a whole file. */
struct text fixture_read_file(struct arena *arena, const char *path);
void fixture_write_file(const char *path, struct text content);

/* CPU time of this process in microseconds, which a busy machine hardly increases. */
int64_t fixture_processor_us(void);

/* A text equals the string; two texts are equal; a text contains the part. */
#define assert_text(text, string) \
	fixture_assert_same((text), text_of(string), __FILE__, __LINE__)
#define assert_same(text, expected) \
	fixture_assert_same((text), (expected), __FILE__, __LINE__)
#define assert_has(text, part) \
	fixture_assert_has((text), (part), __FILE__, __LINE__)

void fixture_assert_same(
    struct text text, struct text expected, const char *file, int line);

/* What gzip compressed, of whose form everything has to be. */
struct text fixture_gunzip(struct arena *arena, struct text bytes);

/* Makes one text of a response's body, as it is sent. */
struct response;
void fixture_join(struct arena *arena, struct response *response);

void fixture_assert_has(
    struct text text, const char *part, const char *file, int line);
