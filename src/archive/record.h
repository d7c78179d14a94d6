/*
 * A line of a dump: one JSON object with the fields of a noun's schema.
 *
 *	{"kind":"site","name":...,"registration":...,"group_creation":...}
 *	{"kind":"image","name":"logo","png":...}
 *	{"kind":"user","name":...,"created":...,"role":...,"password":...,
 *	 "moderates":...,"told":...,"read":...,"read_ahead":...}
 *	{"kind":"application","name":...,"password":...,"answer":...,"applied":...,
 *	 "declined":...,"reason":...}
 *	{"kind":"group","name":...,"title":...,"by":...,"created":...,
 *	 "moderators":["ann"],"restricted":...,"description":...,"rules":...}
 *	{"kind":"article","id":...,"title":...,"url":...,"text":...,
 *	 "author":...,"posted":...,"closes":...,"groups":[...],
 *	 "barred":[...],"barred_by_site":[...],"up":...,
 *	 "down":...,"interesting":...,"removed":...,
 *	 "voters":{"up":[...],"down":[...],"voided_up":[...],...},
 *	 "flags":[{"by":...,"reason":...,"at":...,"dismissed":true}]}
 *	{"kind":"comment","article":...,"id":...,"parent":...,"text":...,
 *	 "links":["@ann","/g/go"],"author":...,"posted":...,"closes":...,
 *	 "up":...,"down":...,"removed":...,"voters":{...},"flags":[...]}
 *	{"kind":"front","hour":"2026-11-20T14","articles":["7","5",...]}
 *	{"kind":"act","id":...,"what":...,"by":...,"at":...}
 *	{"kind":"act","id":...,"what":...,"articles":12,...}	a decision, and a part
 *	{"kind":"act","id":...,"what":...,"article":...,"decision":...}
 *	{"kind":"notice","to":...,"number":...,"article":...,"comment":...,
 *	 "why":"reply"}
 *	{"kind":"notice","to":...,"number":...,"why":"action","act":...,
 *	 "read":1}
 *	{"kind":"notice","to":...,"number":...,"why":"code-password",
 *	 "used":...,"left":...}
 *	{"kind":"mute","by":...,"article":...}
 *	{"kind":"mute","by":...,"member":...}		of former dumps: hidden
 *	{"kind":"hidden","by":...,"article":...,"at":...}
 *	{"kind":"hidden","by":...,"member":...,"at":...}	or "group", "from", "words"
 *	{"kind":"follow","by":...,"group":...}
 *	{"kind":"saved","by":...,"article":...,"comment":...,"at":...}
 *	{"kind":"vote","by":...,"article":...,"comment":...,"vote":"up","at":...}
 *	{"kind":"member-note","on":...,"by":...,"text":...,"at":...}
 *
 * A record is always written as the same bytes: fields in this order, without spaces,
 * UTF-8 without escapes. Fields are read in any order, and unknown ones ignored.
 */
#pragma once

#include "base/json.h"
#include "store/application.h"
#include "store/comment.h"
#include "store/group.h"
#include "store/inbox.h"
#include "store/settings.h"
#include "store/user.h"

/* The nouns, in the order of their lines in a dump: the kind, and the row that ends the
 * file of the noun (archive/noun.h). */
/* clang-format off */
#define RECORD_NOUNS(NOUN) \
	NOUN(RECORD_SITE, site_archive) \
	NOUN(RECORD_IMAGE, image_archive) \
	NOUN(RECORD_USER, members_archive) \
	NOUN(RECORD_APPLICATION, applications_archive) \
	NOUN(RECORD_GROUP, groups_archive) \
	NOUN(RECORD_ARTICLE, articles_archive) \
	NOUN(RECORD_COMMENT, comments_archive) \
	NOUN(RECORD_FRONT, front_hours_archive) \
	NOUN(RECORD_ACT, log_archive) \
	NOUN(RECORD_NOTICE, notices_archive) \
	NOUN(RECORD_MUTE, mutes_archive) \
	NOUN(RECORD_HIDDEN, hidden_archive) \
	NOUN(RECORD_FOLLOW, follows_archive) \
	NOUN(RECORD_SAVED, saved_archive) \
	NOUN(RECORD_VOTE, vote_history_archive) \
	NOUN(RECORD_MEMBER_NOTE, member_notes_archive)
/* clang-format on */

#define RECORD_KIND(kind, row) kind,
enum record_kind { RECORD_NOUNS(RECORD_KIND) RECORD_KINDS };
#undef RECORD_KIND

/* The kinds of votes in a post's record of voters. */
enum voters_kind {
	VOTERS_UP,
	VOTERS_DOWN,
	VOTERS_VOIDED_UP,
	VOTERS_VOIDED_DOWN,
	VOTERS_KINDS
};

/* Lines have the names alone; the ids are the store's. */
struct voters {
	struct member *items;
	size_t count;
};

struct record_flag {
	struct member by; /* nobody: the site itself */
	struct flagged flagged;
};

struct record_notice {
	struct member to;
	uint64_t number;
	struct post_id comment;
	struct text why;    /* of notice_words */
	uint64_t act;	    /* of a notice of an action */
	int64_t read;	    /* 1: by itself */
	int64_t used, left; /* of a notice of a recovery code */
};

/* A note of a moderator on a member. */
struct record_member_note {
	struct member on, by;
	struct text text;
	int64_t at;
};

/* A group that a member follows. */
struct record_follow {
	struct member by;
	struct text group;
};

/* What a member hides: one of these. */
struct record_hidden {
	struct member by;
	uint64_t article;
	struct member member;
	struct text group, from, words;
	int64_t at;
};

/* An article, or a member, is muted. */
struct record_mute {
	struct member by;
	uint64_t article;
	struct member member;
};

/* A post that a member saved, or voted on: an article when comment is 0. */
struct record_own_post {
	struct member by;
	struct post_id post;
	struct text vote; /* "up", "voided_up", ...; empty of a saved one */
	int64_t at;
};

/* A line has it in base64; validate_record sets the file. */
struct record_image {
	struct text name, png, file;
};

/* A front page that was kept (store/front_hour.h): ids in order. */
struct record_front {
	struct text hour, articles;
};

struct record {
	enum record_kind kind; /* the noun that is set */
	struct settings site;
	struct record_image image;
	struct user user;
	struct application application;
	struct group group;	/* its moderators as names; and as a */
	struct text moderators; /* load has found them: MEMBERs */
	struct article article; /* closes is 0 when the line does not say */
	struct comment comment; /* likewise */
	/* Of an article or a comment, when its voters are known; voided votes are
	 * written if there are any. */
	struct voters voters[VOTERS_KINDS];
	struct record_flag *flags; /* of either */
	size_t flag_count;
	struct record_front front;
	struct mod_action act;
	struct record_notice notice;
	struct record_mute mute;
	struct record_hidden hidden;
	struct record_follow follow;
	struct record_own_post saved, vote;
	struct record_member_note member_note;
};

/* A notice's number: what "told" may be. */
enum { RECORD_NUMBER_MAX = 1000000000 };

/* The name of a post in messages: "article 7", "comment 7:3". */
struct text record_post_name(struct arena *arena, struct post_id id);

/* The struct in a record, and its post, as const as the record. NULL: it is no post. */
void *record_noun(const struct record *record);
struct post *record_post(const struct record *record);

/* Adds the line, with its line feed. False when a text is not valid UTF-8; what
 * was added is then of no use. */
bool record_write(struct buffer *line, const struct record *record)
    __attribute__((warn_unused_result));

/*
 * Reads a line. The problem, as a clause; empty when it has every field with the type
 * and range that it must have. Its values may still be against the site's rules
 * (archive/validate.h).
 */
struct text record_read(
    struct arena *arena, struct text line, struct record *record);

/* A number or a moment of an inner object, with the range of its type. */
int64_t record_read_number(
    struct json_reader *reader, const char *name, enum field_type type);
