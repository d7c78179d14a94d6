/*
 * A line of a dump: the site's settings, a member, a group or an article as one JSON
 * object, with the fields of its schema.
 *
 *	{"kind":"site","name":...,"registration":...,"group_creation":...}
 *	{"kind":"user","name":...,"created":...,"role":...,"password":...}
 *	{"kind":"group","name":...,"title":...,"by":...,"created":...}
 *	{"kind":"article","id":...,"title":...,"url":...,"text":...,
 *	 "author":...,"posted":...,"closes":...,"groups":[...],"up":...,
 *	 "down":...,"interesting":...,"removed":...,
 *	 "voters":{"up":[...],"down":[...]}}
 *
 * Written in this order, without spaces, UTF-8 as it is: one record is always
 * the same bytes. Read in any order, members of other names ignored.
 * Only this file's body includes jansson.
 */
#pragma once

#include "base/buffer.h"
#include "store/article.h"
#include "store/group.h"
#include "store/settings.h"
#include "store/user.h"

enum record_kind {
	RECORD_SITE,
	RECORD_USER,
	RECORD_GROUP,
	RECORD_ARTICLE,
	RECORD_KINDS
};

/* Those who voted one way. */
struct voters {
	struct text *names;
	uint64_t *ids; /* not in the line; from the store */
	size_t count;
};

struct record {
	enum record_kind kind; /* which of them it is */
	struct settings site;
	struct user user;
	struct group group;
	struct article article; /* closes is 0 when the line does not say */
	struct voters up, down; /* of an article whose voters are known */
};

/* "settings", "member", "group" or "article". */
const char *record_word(enum record_kind kind);

/* Adds the line, with its line feed. False when a text is not valid UTF-8; what
 * was added is then of no use. */
bool record_write(struct buffer *line, const struct record *record)
    __attribute__((warn_unused_result));

/*
 * Reads a line. What is wrong with it, as a clause; empty when it has every
 * member with the type and range that it must have. Whether the values keep the
 * site's rules is for vet.h to say.
 */
struct text record_read(
    struct arena *arena, struct text line, struct record *record);
