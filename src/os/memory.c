#include "os/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A hierarchy of control groups: its mount point and the file with a group's limit. */
struct hierarchy {
	const char *folder, *file;
};

static const struct hierarchy unified = { "/sys/fs/cgroup", "memory.max" };
static const struct hierarchy memory = { "/sys/fs/cgroup/memory",
	"memory.limit_in_bytes" };

/* A group's own limit; INT64_MAX for "max" or without the file, as in the root group. */
static int64_t
read_limit(
    const char *root, const struct hierarchy *hierarchy, const char *group)
{
	char path[PATH_MAX];
	long long limit;
	FILE *file;
	int size = snprintf(path, sizeof(path), "%s%s%s/%s", root,
	    hierarchy->folder, group, hierarchy->file);

	if (size < 0 || (size_t)size >= sizeof(path))
		return INT64_MAX;
	file = fopen(path, "re");
	if (file == NULL)
		return INT64_MAX;
	if (fscanf(file, "%lld", &limit) != 1 || limit <= 0)
		limit = INT64_MAX;
	fclose(file);
	return limit;
}

/* The lowest limit of a group and its ancestors. Cuts up the group's path. */
static int64_t
lowest_limit(const char *root, const struct hierarchy *hierarchy, char *group)
{
	int64_t lowest = INT64_MAX;

	for (;;) {
		char *last = strrchr(group, '/');
		int64_t limit = read_limit(root, hierarchy, group);

		if (limit < lowest)
			lowest = limit;
		if (last == NULL)
			return lowest;
		*last = '\0';
	}
}

/* Parses a line of /proc/self/cgroup: "0::/group" (version 2) or "7:memory:/group"
 * (version 1); NULL for the hierarchies of other resources. */
static const struct hierarchy *
parse_cgroup(char *line, char **group)
{
	char *resources = strchr(line, ':'), *resource;

	line[strcspn(line, "\n")] = '\0';
	*group = resources == NULL ? NULL : strchr(resources + 1, ':');
	if (*group == NULL)
		return NULL;
	*(*group)++ = '\0';
	if (strcmp(*group, "/") == 0)
		**group = '\0';
	if (resources[1] == '\0')
		return &unified;
	for (char *rest = resources + 1;
	    (resource = strsep(&rest, ",")) != NULL;)
		if (strcmp(resource, "memory") == 0)
			return &memory;
	return NULL;
}

int64_t
memory_limit(const char *root)
{
	int64_t lowest = INT64_MAX;
	char path[PATH_MAX], line[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	file = fopen(path, "re");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		char *group;
		const struct hierarchy *hierarchy = parse_cgroup(line, &group);
		int64_t limit = hierarchy == NULL
		    ? INT64_MAX
		    : lowest_limit(root, hierarchy, group);

		if (limit < lowest)
			lowest = limit;
	}
	if (file != NULL)
		fclose(file);
	return lowest;
}

int64_t
memory_size(void)
{
	int64_t size = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	int64_t limit = memory_limit("");

	return limit < size ? limit : size;
}
