/*
 * A line of a dump: the site's settings, a member, a group, an article, a comment, an
 * act of a moderator's, what a member was told or what a member has muted as one JSON
 * object, with the fields of its schema.
 *
 *	{"kind":"site","name":...,"registration":...,"group_creation":...}
 *	{"kind":"user","name":...,"created":...,"role":...,"password":...,
 *	 "told":...,"read":...}
 *	{"kind":"group","name":...,"title":...,"by":...,"created":...}
 *	{"kind":"article","id":...,"title":...,"url":...,"text":...,
 *	 "author":...,"posted":...,"closes":...,"groups":[...],"up":...,
 *	 "down":...,"interesting":...,"removed":...,
 *	 "voters":{"up":[...],"down":[...],"voided_up":[...],...},
 *	 "flags":[{"by":...,"reason":...,"at":...,"dismissed":true}]}
 *	{"kind":"comment","article":...,"id":...,"parent":...,"text":...,
 *	 "links":["@ann","/g/go"],"author":...,"posted":...,"closes":...,
 *	 "up":...,"down":...,"removed":...,"voters":{...},"flags":[...]}
 *	{"kind":"act","id":...,"what":...,"by":...,"at":...}
 *	{"kind":"notice","to":...,"number":...,"article":...,"comment":...,
 *	 "why":"reply"}
 *	{"kind":"mute","by":...,"article":...}
 *	{"kind":"mute","by":...,"member":...}
 *
 * Written in this order, without spaces, UTF-8 as it is: one record is always
 * the same bytes. Read in any order, members of other names ignored.
 */
#pragma once

#include "archive/json.h"
#include "store/comment.h"
#include "store/group.h"
#include "store/inbox.h"
#include "store/settings.h"
#include "store/user.h"

enum record_kind {
	RECORD_SITE,
	RECORD_USER,
	RECORD_GROUP,
	RECORD_ARTICLE,
	RECORD_COMMENT,
	RECORD_ACT,
	RECORD_NOTICE,
	RECORD_MUTE,
	RECORD_KINDS
};

/* How members stand in the record of who voted. */
enum voters_kind {
	VOTERS_UP,
	VOTERS_DOWN,
	VOTERS_VOIDED_UP,
	VOTERS_VOIDED_DOWN,
	VOTERS_KINDS
};

struct voters {
	struct json_names names;
	uint64_t *ids; /* not in the line; from the store */
};

struct record_flag {
	struct text by; /* empty: the site itself */
	struct flagged
	    flagged; /* its user is not in the line; from the store */
};

struct record_notice {
	struct member to;
	uint64_t number;
	struct post_id comment;
	struct text why; /* of notice_words */
};

/* Of an article, or of a member. */
struct record_mute {
	struct member by;
	uint64_t article;
	struct member member;
};

struct record {
	enum record_kind kind; /* which of them it is */
	struct settings site;
	struct user user;
	struct group group;
	struct article article; /* closes is 0 when the line does not say */
	struct comment comment; /* likewise */
	/* Of a post, whichever it is, when its voters are known; the voided are
	 * written if there are any. */
	struct voters voters[VOTERS_KINDS];
	struct record_flag *flags; /* likewise */
	size_t flag_count;
	struct mod_action act;
	struct record_notice notice;
	struct record_mute mute;
};

/* A notice's number: what "told" may be. */
enum { RECORD_NUMBER_MAX = 1000000000 };

/* "settings", "member", "group", "article", "comment", "act", "notice" or "mute". */
const char *record_word(enum record_kind kind);

/* Its schema, and what that is the schema of, as const as the record. */
const struct schema *record_schema(enum record_kind kind);
void *record_noun(const struct record *record);

/* The post that it is, as const as the record; NULL when it is none. */
struct post *record_post(const struct record *record);

/* The notice, of which "why" is a word; and what is muted. */
struct notice record_told(const struct record_notice *told);
struct mute record_muted(const struct record_mute *mute);

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
