/* The memory limit of control groups. */
#include "os/memory.h"

#include <sys/stat.h>

#include "../support/fixture.h"

/* A fake root folder. */
struct root {
	char folder[FIXTURE_FOLDER];
	struct arena arena;
};

static int
open_root(void **state)
{
	static struct root root;

	root = (struct root){ .folder = "" };
	fixture_make_folder(root.folder);
	*state = &root;
	return 0;
}

static int
close_root(void **state)
{
	struct root *root = *state;

	fixture_remove_folder(root->folder);
	arena_free(&root->arena);
	return 0;
}

/* Creates a file, and the folders that it is in. */
static void
write_file(struct root *root, const char *name, const char *content)
{
	char *path = text_string(&root->arena,
	    text_format(&root->arena, "%s/%s", root->folder, name));

	for (char *at = path + 1; *at != '\0'; at++)
		if (*at == '/') {
			*at = '\0';
			mkdir(path, 0700);
			*at = '/';
		}
	fixture_write_file(path, text_of(content));
}

static void
without_groups_there_is_no_limit(void **state)
{
	struct root *root = *state;

	assert_true(memory_limit(root->folder) == INT64_MAX);
	write_file(root, "proc/self/cgroup", "0::/user.slice/a.service\n");
	assert_true(memory_limit(root->folder) == INT64_MAX);
	write_file(root, "sys/fs/cgroup/user.slice/memory.max", "max\n");
	assert_true(memory_limit(root->folder) == INT64_MAX);
	write_file(root, "proc/self/cgroup", "rubbish\n\n::\n1:memory\n");
	assert_true(memory_limit(root->folder) == INT64_MAX);
	assert_true(memory_size() > 0);
}

static void
the_lowest_limit_above_a_process_counts(void **state)
{
	struct root *root = *state;

	write_file(root, "proc/self/cgroup", "0::/user.slice/a.service\n");
	write_file(root, "sys/fs/cgroup/user.slice/a.service/memory.max",
	    "3000000000\n");
	assert_int_equal(memory_limit(root->folder), 3000000000);
	write_file(root, "sys/fs/cgroup/user.slice/memory.max", "2000000000\n");
	assert_int_equal(memory_limit(root->folder), 2000000000);
	write_file(root, "sys/fs/cgroup/user.slice/memory.max", "max\n");
	assert_int_equal(memory_limit(root->folder), 3000000000);
}

/* As in a container, which sees its own group as the root. */
static void
a_limit_of_the_root_counts(void **state)
{
	struct root *root = *state;

	write_file(root, "proc/self/cgroup", "0::/\n");
	write_file(root, "sys/fs/cgroup/memory.max", "536870912\n");
	assert_int_equal(memory_limit(root->folder), 536870912);
}

static void
limits_of_the_first_version_count(void **state)
{
	struct root *root = *state;

	write_file(root, "proc/self/cgroup",
	    "12:cpu,cpuacct:/a\n7:memory:/docker/x\n0::/\n");
	write_file(root, "sys/fs/cgroup/memory/memory.limit_in_bytes",
	    "9223372036854771712\n");
	write_file(root, "sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes",
	    "268435456\n");
	assert_int_equal(memory_limit(root->folder), 268435456);
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, open_root, close_root)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_groups_there_is_no_limit),
		TEST(the_lowest_limit_above_a_process_counts),
		TEST(a_limit_of_the_root_counts),
		TEST(limits_of_the_first_version_count),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
