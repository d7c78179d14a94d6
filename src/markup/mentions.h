/*
 * Lists of member and group names: those that a text mentions, or those of them that
 * exist.
 */
#pragma once

#include "base/text.h"

/* The maximum of each, since each mention is compared to all. */
enum { MARKUP_NAMES_MAX = 50 };

struct markup_names {
	struct text *members, *groups;
	size_t member_count, group_count;
};

/* Finds a member's name, ignoring case; NULL if it is not in the list. */
const struct text *mentions_find_member(
    const struct markup_names *names, struct text name);

/* Finds a group's name, case-sensitively; NULL if it is not in the list. */
const struct text *mentions_find_group(
    const struct markup_names *names, struct text name);

/* Makes an empty list. */
struct markup_names mentions_new(struct arena *arena);

/* Adds a copy of a name, unless it is in the list or the list is full. */
void mentions_add_member(
    struct arena *arena, struct markup_names *names, struct text name);
void mentions_add_group(
    struct arena *arena, struct markup_names *names, struct text name);
