/*
 * What a line of a dump names: members, groups and posts. A dump writes their lines
 * before it; a load refuses a line that names what is not there.
 */
#pragma once

#include "archive/record.h"

enum reference_kind { REFERENCE_MEMBER, REFERENCE_GROUP, REFERENCE_POST };

/* The line that is named comes before the one that names it; or it may come later, or
 * not at all. */
enum reference_order { REFERENCE_BEFORE, REFERENCE_ANYWHERE };

struct reference {
	enum reference_kind kind;
	enum reference_order order;
	struct text name; /* of a member or a group; empty: none is named */
	struct post_id post;
	struct member *member; /* in the record; NULL: only the name is */
	bool may_be_nobody;
};

/* A result other than STORE_OK ends the visits. */
typedef enum store_result reference_visit(
    void *data, const struct reference *reference);

struct references {
	reference_visit *visit;
	void *data;
	enum store_result result;
};

/* The names of members, in any case, and of groups in a manifest: "@ann", "/g/go". */
struct text references_member_key(struct arena *arena, struct text name);
struct text references_group_key(struct arena *arena, struct text name);

/* Visits what a record names, in order; the first result that is not STORE_OK. */
enum store_result references_visit(
    struct record *record, reference_visit *visit, void *data);

/* For the callback of a noun: a member who must be there, or may be nobody; a member of
 * whom there is but the name; and so on. */
void references_member(struct references *references, struct member *member);
void references_member_or_nobody(
    struct references *references, struct member *member);
void references_member_name(struct references *references, struct text name);
void references_group(struct references *references, struct text name,
    enum reference_order order);
void references_post(struct references *references, struct post_id id);
/* Names of members and of groups in a text, as "@ann" and "/g/go". */
void references_links(struct references *references, struct text links);
