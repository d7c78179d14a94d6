/*
 * What tests start from and leave nothing of: an empty arena, a temporary
 * folder; the files in it; and texts held against what they should be.
 *
 * What goes wrong here fails the running cmocka test.
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
 * A new, empty folder, whose path is written to folder. Removing it takes all
 * that is in it, and what cannot be removed is left: that fails nothing.
 */
enum { FIXTURE_FOLDER = 32 };
void fixture_make_folder(char folder[FIXTURE_FOLDER]);
void fixture_remove_folder(const char *folder);

/* As printf writes it. */
const char *fixture_string(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "folder/name" */
const char *fixture_path(
    struct arena *arena, const char *folder, const char *name);

/* A whole file; one that is there is written anew. */
struct text fixture_read_file(struct arena *arena, const char *path);
void fixture_write_file(const char *path, struct text content);

/* The microseconds that this process has had of a processor: unlike the time that passes,
 * these are hardly more on a machine that is busy. */
int64_t fixture_processor_us(void);

/* A text is the string; two texts are the same; a text has the part in it. */
#define assert_text(text, string) \
	fixture_assert_same((text), text_of(string), __FILE__, __LINE__)
#define assert_same(text, expected) \
	fixture_assert_same((text), (expected), __FILE__, __LINE__)
#define assert_has(text, part) \
	fixture_assert_has((text), (part), __FILE__, __LINE__)

void fixture_assert_same(
    struct text text, struct text expected, const char *file, int line);
void fixture_assert_has(
    struct text text, const char *part, const char *file, int line);
