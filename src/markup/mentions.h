/*
 * Names of members and groups that a text mentions: those that were found in it, or
 * those that exist.
 */
#pragma once

#include "base/text.h"

/* How many of each there are at most: each that is mentioned is compared to all. */
enum { MARKUP_NAMES_MAX = 50 };

struct markup_names {
	struct text *members, *groups;
	size_t member_count, group_count;
};

/* How the member's name is spelled there, whatever the case of its letters; NULL:
 * it is not there. */
const struct text *mentions_find_member(
    const struct markup_names *names, struct text name);

/* The same of a group, exactly. */
const struct text *mentions_find_group(
    const struct markup_names *names, struct text name);

/* An empty list with room for MARKUP_NAMES_MAX of each. */
struct markup_names mentions_new(struct arena *arena);

/* Adds a copy of a name unless it is there already, or there is no more room. */
void mentions_add_member(
    struct arena *arena, struct markup_names *names, struct text name);
void mentions_add_group(
    struct arena *arena, struct markup_names *names, struct text name);
