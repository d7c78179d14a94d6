/*
 * Groups: named sets of articles. A closed group retains its articles and accepts no new
 * ones; a renamed or merged group redirects to its successor (store/group_admin.h).
 */
#pragma once

#include "store/schema.h"

/* As the value of closed: the group is being deleted. */
enum { GROUP_DELETING = 1 };

struct group {
	struct text name, title;
	struct member by; /* the founder; id 0: none */
	int64_t created;  /* Unix seconds */
	int64_t closed;	  /* Unix seconds, or GROUP_DELETING; 0: it is open */
	struct text into; /* the successor's name, once renamed or merged */
	struct text moderators; /* MEMBERs, "17 ann 4 ben": its own ones */
	/* Since when only its moderators post, Unix seconds; 0: everyone may. */
	int64_t restricted;
	struct text description, rules; /* Markdown; not read for lists */
	uint64_t articles; /* number of articles; read for lists only */
};

extern const struct schema group_schema;

/* The next of a group's moderators, by what *rest has at first; false at the end. */
bool group_next_moderator(struct text *rest, struct member *moderator);
bool group_has_moderator(const struct group *group, uint64_t user);

/* Reads a group. STORE_ABSENT. */
STORE_CALL group_get(struct store *store, struct arena *arena, struct text name,
    struct group *group);

/* Reads the names of all groups in order, or none when there are more than max. *total is
 * the number of groups. */
STORE_CALL group_names(struct store *store, struct arena *arena, uint64_t max,
    struct text **names, size_t *count, uint64_t *total);

/* Reads the groups of names as they are now, in this order: of a former name its successor. One
 * that does not exist, or is being deleted, has no title. At most RULE_GROUPS_MAX. */
STORE_CALL group_get_current(struct store *store, struct arena *arena,
    struct text names, struct group groups[], size_t *count);

/* Finds the first of the names whose group does not exist, accepts no articles, or none of
 * the member's (GROUP_ANY_POSTER: in each group those of its moderators); empty when there is
 * none. */
enum group_refusal {
	GROUP_USABLE,
	GROUP_UNKNOWN,
	GROUP_CLOSED,
	GROUP_RESTRICTED
};
#define GROUP_ANY_POSTER UINT64_MAX
STORE_CALL group_find_unusable(struct store *store, struct arena *arena,
    struct text names, uint64_t poster, struct text *name,
    enum group_refusal *why);

/* Resolves names to those of existing groups, open or closed: a former name becomes its
 * successor's, and names without a group or of one that is being deleted are dropped. */
STORE_CALL group_resolve_names(struct store *store, struct arena *arena,
    struct text names, struct text *existing);

/* In another pipeline: asks for the groups of names, RULE_GROUPS_MAX at most; and from the
 * replies, from first on, what group_find_unusable says, and whether group_resolve_names would
 * leave the names as they are. */
size_t group_ask_names(struct pipeline *pipeline, struct text names);
enum group_refusal group_read_unusable(const struct pipeline *pipeline,
    size_t first, struct text names, uint64_t poster, struct text *name);
bool group_names_stand(
    const struct pipeline *pipeline, size_t first, struct text names);

/* Sets is_former[i] to whether names[i] was renamed or merged into another group. */
STORE_CALL group_find_former(struct store *store, struct arena *arena,
    const struct text *names, size_t count, bool *is_former);

/* Sets is_closed[i] to whether names[i] accepts no articles. */
STORE_CALL group_find_closed(struct store *store, struct arena *arena,
    const struct text *names, size_t count, bool *is_closed);

/* Creates a group with name, title, by, created (0: now), closed and into. STORE_TAKEN
 * also when a former group has the name. */
STORE_CALL group_create(
    struct store *store, struct arena *arena, const struct group *group);

/* The same without its place among the groups, which refresh_group writes. */
STORE_CALL group_create_record(
    struct store *store, struct arena *arena, const struct group *group);

/* Sets a field of a group, or deletes it with an empty value. STORE_ABSENT when there is
 * no such group; none is created. The second adds the same as one command, whose reply is
 * for call_outcome. */
STORE_CALL group_set(struct store *store, struct arena *arena, struct text name,
    struct text field, struct text value);
void group_send_field(struct pipeline *pipeline, struct text name,
    struct text field, struct text value);

/* Reads up to count groups in order of name, from index start; *got of *total. Costs a
 * command for each group and one for each bucket. */
STORE_CALL group_list(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct group **groups, size_t *got, uint64_t *total);

/* The same for a page, without titles and counts that cannot be reached: as
 * store_run_partial. */
STORE_CALL group_list_reachable(struct store *store, struct arena *arena,
    uint64_t start, uint64_t count, struct group **groups, size_t *got,
    uint64_t *total, bool *is_partial);
