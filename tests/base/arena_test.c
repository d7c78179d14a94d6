/* The memory of one request. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "base/sanitizer.h"

static void
pieces_are_aligned_and_do_not_overlap(void **state)
{
	struct arena *arena = *state;
	char *before = NULL;
	size_t before_size = 0;

	for (size_t size = 0; size < 200; size++) {
		char *bytes = arena_bytes(arena, size);

		assert_int_equal((uintptr_t)bytes % alignof(max_align_t), 0);
		if (before != NULL)
			assert_true(bytes >= before + before_size);
		memset(bytes, (int)size, size);
#if SANITIZER_ADDRESS
		assert_true(__asan_address_is_poisoned(bytes + size));
#endif
		before = bytes;
		before_size = size;
	}
}

static void
zeroed_memory_is_zero_even_when_it_was_used_before(void **state)
{
	struct arena *arena = *state;
	unsigned char *bytes;

	memset(arena_bytes(arena, 1000), 0xff, 1000);
	arena_reset(arena);
	bytes = arena_new(arena, unsigned char, 1000);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(bytes[i], 0);
}

static void
pieces_in_many_large_blocks_keep_their_content(void **state)
{
	enum { COUNT = 40, SIZE = 100 * 1000 };
	struct arena *arena = *state;
	char *pieces[COUNT];

	for (int i = 0; i < COUNT; i++) {
		pieces[i] = arena_bytes(arena, SIZE);
		memset(pieces[i], i, SIZE);
	}
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(pieces[i][0], i);
		assert_int_equal(pieces[i][SIZE - 1], i);
	}
}

static void
memory_is_reused_after_a_reset(void **state)
{
	struct arena *arena = *state;
	char *first;

	arena_reset(arena);
	first = arena_bytes(arena, 10);
	for (int i = 0; i < 3; i++)
		arena_bytes(arena, 1000 * 1000);
	arena_reset(arena);
	assert_ptr_equal(arena_bytes(arena, 10), first);
	arena_free(arena);
	memset(arena_bytes(arena, 10), 0, 10);
}

/* Without the sanitizer there is nothing to see. */
static void
reset_poisons_freed_memory(void **state)
{
	struct arena *arena = *state;
	char *bytes = arena_bytes(arena, 64);

	bytes[63] = 1;
#if SANITIZER_ADDRESS
	assert_false(__asan_address_is_poisoned(bytes));
	assert_true(__asan_address_is_poisoned(bytes + 64));
	arena_reset(arena);
	assert_true(__asan_address_is_poisoned(bytes));
	assert_false(__asan_address_is_poisoned(arena_bytes(arena, 64)));
#endif
}

static void
running_out_of_memory_ends_the_process(void **state)
{
	struct arena *arena = *state;
	pid_t child = fork();
	int status;

	if (child == 0) {
		close(STDERR_FILENO);
		arena_zeroed(arena, SIZE_MAX / 4, 16);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(pieces_are_aligned_and_do_not_overlap),
		fixture_arena_test(
		    zeroed_memory_is_zero_even_when_it_was_used_before),
		fixture_arena_test(
		    pieces_in_many_large_blocks_keep_their_content),
		fixture_arena_test(memory_is_reused_after_a_reset),
		fixture_arena_test(reset_poisons_freed_memory),
		fixture_arena_test(running_out_of_memory_ends_the_process),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
