/*
 * The rules of the site: its numbers, and the validation of titles, links, names and other
 * input.
 *
 * Forms and the loading of dumps use the same checks. Each check replaces a value by its
 * cleaned form, and returns the problem with it, if any.
 */
#pragma once

#include "base/text.h"

struct password_file;

/*
 * Rate limits (store/limit.h). A row has the limit's name, for LIMIT_<name> and the setting
 * TALLY_LIMIT_<name>; its word in keys; the default number of uses; the seconds in which these
 * are allowed; and the text of the setting.
 */
/* clang-format off */
#define LIMITS(LIMIT) \
	LIMIT(REGISTER, "register", 5, 3600, \
	    "registrations an hour per network") \
	LIMIT(LOGIN, "login", 60, 3600, \
	    "tries an hour per network to log in or to register,\n" \
	    "                           and per network or browser to log in as " \
	    "one member") \
	LIMIT(CODE, "code", 10, 3600, \
	    "wrong codes an hour per member and browser of the\n" \
	    "                           second factor, and per member and " \
	    "network of recovery") \
	LIMIT(POST, "post", 100, 3600, "articles an hour per member") \
	LIMIT(COMMENT, "comment", 60, 3600, "comments an hour per member") \
	LIMIT(NEWCOMER_POST, "newcomer-post", 3, 86400, \
	    "articles a day per newcomer, unless owners set it") \
	LIMIT(NEWCOMER_COMMENT, "newcomer-comment", 20, 86400, \
	    "comments a day per newcomer, unless owners set it") \
	LIMIT(VOTE, "vote", 1000, 3600, "votes and saved posts an hour per member") \
	LIMIT(GROUP, "group", 120, 3600, \
	    "times an hour a member may file articles or create groups") \
	LIMIT(INVITE, "invite", 20, 3600, "invitations an hour per member") \
	LIMIT(FLAG, "flag", 20, 3600, "flags an hour per member") \
	LIMIT(EDIT, "edit", 60, 3600, "edits and withdrawals an hour per member") \
	LIMIT(EXPORT, "export", 5, 3600, \
	    "downloads an hour per member of all that is their own") \
	LIMIT(VISIT, "visit", 60, 3600, \
	    "times an hour a network may press the button before\n" \
	    "                           expensive pages") \
	LIMIT(SEARCH, "search", 30, 60, \
	    "searches a minute per network of readers who are not\n" \
	    "                           signed in") \
	LIMIT(MEMBER_SEARCH, "member-search", 120, 60, \
	    "searches a minute per member")
/* clang-format on */

#define LIMIT_KIND(name, word, standard, seconds, meaning) LIMIT_##name,
enum limit { LIMIT_NONE, LIMITS(LIMIT_KIND) LIMIT_KINDS };

/* Set when the site starts; seconds, points and counts. */
struct rules {
	int64_t vote_score;    /* points of a vote when the site was created */
	int64_t vote_window;   /* seconds */
	int64_t thread_window; /* seconds in which comments are taken */
	int64_t interesting;   /* up votes, as configured */
	int64_t stored_interesting; /* by the owners; 0: as configured */
	struct text shared_hosts;   /* by the owners: words */
	int64_t newcomer_days, newcomer_votes; /* by the owners */
	int64_t page_size;
	int64_t pinned_articles, pinned_places, pinned_seconds;
	int64_t session_seconds, session_idle;
	int64_t limits[LIMIT_KINDS]; /* how many uses; 0: any number */
	int64_t day_bytes; /* that a member may write a day; 0: any number */
	uint64_t buckets;
};

enum {
	RULE_BUCKETS_MAX = 1024,
	RULE_VOTE_SCORE_MAX = 1000000000,
	RULE_INTERESTING_VOTES_MAX = 1000000000,
	RULE_INTERESTING_DIGITS = 10,
	RULE_VOTES_A_DAY_MAX = 86400,
	RULE_VOTES_A_DAY_DIGITS = 5,
	RULE_TITLE_MAX = 200,	    /* characters */
	RULE_TEXT_MAX = 20000,	    /* characters */
	RULE_GROUP_TEXT_MAX = 4000, /* characters, of a group's texts */
	RULE_COMMENT_MAX = 10000,   /* characters */
	RULE_USER_ABOUT_MAX = 500,  /* characters */
	/*
	 * What one page shows of texts, in bytes of HTML. Of "#" in 4,990 lines a comment
	 * is 105 KB, and 200 of those were 16.8 MB and 282 ms of a worker; now such a page
	 * has twelve of them. Of prose 10,000 characters are some 11 KB, and 200 comments
	 * some 90 KB: those are shown as they are.
	 */
	RULE_EXCERPT_BYTES = 16 * 1024, /* of one text among others */
	RULE_WHOLE_BYTES = 256 * 1024,	/* of one on its own page */
	RULE_PAGE_BYTES = 192 * 1024,	/* of all: then another page begins */
	RULE_COMMENT_GRACE = 900, /* seconds in which edits are not marked */
	RULE_MENTIONS_MAX = 10,	  /* members notified as named in a comment */
	RULE_SLOW_FLAGS =
	    5, /* by members within an hour: puts a thread into slow mode */
	RULE_SLOW_SECONDS = 600, /* between a member's comments in slow mode */
	RULE_LINK_MAX = 2000,	 /* bytes */
	RULE_GROUPS_MAX = 16,	 /* of one article */
	RULE_GROUPS_LINE_MAX = 560, /* bytes of their names in a form */
	RULE_GROUP_MODERATORS_MAX = 16,
	RULE_COMBINED_MAX = 5, /* groups in "/g/a+b" */
	RULE_HIDDEN_MAX = 60,  /* characters of words in titles */
	RULE_GROUP_NAME_MIN = 2,
	RULE_GROUP_NAME_MAX = 32,
	RULE_USER_NAME_MIN = 2,
	RULE_USER_NAME_MAX = 20,
	RULE_PASSWORD_MIN = 8, /* bytes */
	RULE_PASSWORD_MAX = 256,
	RULE_CODE_MAX = 40,	    /* characters, of a code as it is typed */
	RULE_INTERESTING_MAX = 50,  /* articles on /interesting */
	RULE_SITE_NAME_MAX = 40,    /* characters */
	RULE_IMAGE_MAX = 64 * 1024, /* bytes */
	RULE_IMAGE_SIDE_MAX = 1024, /* pixels */
	RULE_FOOT_LINKS_MAX = 5,
	RULE_FOOT_LABEL_MAX = 40, /* characters */
	RULE_CHOICE_MAX = 20,	  /* bytes of a choice's word */
	RULE_REASON_MAX = 200,	  /* characters */
	RULE_NOTE_MAX = 500,	  /* of a note on a member */
	RULE_HOSTS_MAX = 1000,	  /* blocked ones */
	RULE_SHARED_HOSTS_MAX = 100,
	RULE_GRAVITY_MIN = 12, /* tenths (rule_hot) */
	RULE_GRAVITY_MAX = 25,
	RULE_GRAVITY_USUAL = 18,
	RULE_FLAG_AGE = 86400,	    /* seconds until a member may flag */
	RULE_FOLD_AGE = 30 * 86400, /* from when on flags fold a post */
	RULE_FOLD_FLAGS_MAX = 1000,
	RULE_SCORE_HOURS_MAX = 168,
	/* Of newcomers (store/newcomer.h). */
	RULE_NEWCOMER_DAYS = 7,	  /* usually */
	RULE_NEWCOMER_VOTES = 10, /* usually */
	RULE_NEWCOMER_DAYS_MAX = 365,
	RULE_NEWCOMER_VOTES_MAX = 1000,
	RULE_NEWCOMER_POSTS_MAX = 1000,
	RULE_LINKLESS_SECONDS =
	    86400, /* in which their comments have no links */
	RULE_KNOWN_SECONDS =
	    86400,		/* for which a host has been known (ibid.) */
	RULE_ANSWER_MAX = 2000, /* characters, of an application */
	RULE_SMALL_DIGITS = 4	/* of any of these numbers */
};

/* Choices for registration, and for the creation of groups. */
#define RULE_REGISTRATION_OPEN	  "open"
#define RULE_REGISTRATION_INVITE  "invite"
#define RULE_REGISTRATION_APPLY	  "application"
#define RULE_REGISTRATION_CLOSED  "closed"
#define RULE_GROUPS_BY_MEMBERS	  "members"
#define RULE_GROUPS_BY_MODERATORS "moderators"

/* Choices for when new members may vote, and for moderators' names in the log. */
#define RULE_VOTING_IMMEDIATE "at-once"
#define RULE_VOTING_HOUR      "hour"
#define RULE_VOTING_DAY	      "day"
#define RULE_VOTING_VOUCHED   "vouched"
#define RULE_LOG_NAMED	      "named"
#define RULE_LOG_UNNAMED      "unnamed"

/* Choices for the order that the front page has first. */
#define RULE_FRONT_TOP	  "top"
#define RULE_FRONT_NEW	  "new"
#define RULE_FRONT_ACTIVE "active"
#define RULE_FRONT_HOT	  "hot"

/* Whether that has a row of what was overlooked (lists/overlooked.h). */
#define RULE_OVERLOOKED_ON  "on"
#define RULE_OVERLOOKED_OFF "off"

/* Whether what newcomers post is held until it was kept (store/post.h). */
#define RULE_HOLD_ON  "on"
#define RULE_HOLD_OFF "off"

/* Whether moderators need a second factor (store/second_factor.h). */
#define RULE_FACTOR_REQUIRED "required"
#define RULE_FACTOR_OPTIONAL "optional"

/* Problems with input. */
enum problem_kind {
	PROBLEM_NONE,
	PROBLEM_CHOICE, /* no such choice */
	PROBLEM_INTERESTING,
	PROBLEM_VOTES_A_DAY,
	PROBLEM_VOTES_CHOICE,
	PROBLEM_NUMBER, /* has a length: the largest one */
	PROBLEM_SITE_NAME_MISSING,
	PROBLEM_SITE_NAME_TOO_LONG, /* has a length */
	PROBLEM_LINE_TOO_LONG,	    /* has a length */
	PROBLEM_IMAGE_MISSING,
	PROBLEM_IMAGE_FORMAT,
	PROBLEM_IMAGE_TOO_LONG, /* has a length */
	PROBLEM_IMAGE_TOO_WIDE, /* has a length: of a side */
	PROBLEM_FOOT_LINK,	/* has a word: the line */
	PROBLEM_FOOT_LINKS_TOO_MANY,
	PROBLEM_FOOT_LABEL_TOO_LONG, /* has a length */
	PROBLEM_TITLE_MISSING,
	PROBLEM_TITLE_TOO_LONG, /* has a length */
	PROBLEM_LINK_MALFORMED,
	PROBLEM_LINK_SCHEME,
	PROBLEM_LINK_USER_INFO,
	PROBLEM_LINK_TOO_LONG,	       /* has a length */
	PROBLEM_LINK_ENCODED_TOO_LONG, /* has a length */
	PROBLEM_LINK_BLOCKED,	       /* has a word: its host */
	PROBLEM_LINK_EARLY,	       /* a newcomer's; has a word: its host */
	PROBLEM_TITLE_LATE,
	PROBLEM_HOST,
	PROBLEM_HOSTS_FULL,
	PROBLEM_HIDDEN_WORDS,
	PROBLEM_HIDDEN_WORDS_TOO_LONG, /* has a length */
	PROBLEM_HIDDEN_FULL,
	PROBLEM_SHARED_HOST, /* has a word */
	PROBLEM_SHARED_HOSTS_TOO_MANY,
	PROBLEM_DAYS,
	PROBLEM_CHARACTERS_DECEPTIVE, /* they were taken out */
	PROBLEM_CHARACTERS_UNSEEN,    /* likewise, and all else is good */
	PROBLEM_TEXT_UNSEEN,
	PROBLEM_TEXT_TOO_LONG, /* has a length */
	PROBLEM_TEXT_MISSING,
	PROBLEM_TEXT_TANGLED,
	PROBLEM_NO_LINK_OR_TEXT,
	PROBLEM_GROUPS_NAME, /* has a word */
	PROBLEM_GROUPS_TOO_MANY,
	PROBLEM_GROUP_UNKNOWN,	  /* has a word */
	PROBLEM_GROUP_CLOSED,	  /* has a word */
	PROBLEM_GROUP_RESTRICTED, /* has a word */
	PROBLEM_GROUP_BARRED,	  /* has a word */
	PROBLEM_GROUP_NAME,
	PROBLEM_GROUP_NAME_TAKEN,
	PROBLEM_GROUP_NAME_UNKNOWN,
	PROBLEM_GROUP_NAME_SAME, /* as the group's own */
	PROBLEM_GROUP_TITLE_MISSING,
	PROBLEM_GROUP_MODERATORS_FULL,
	PROBLEM_GROUP_NO_MODERATOR, /* of this group */
	PROBLEM_USER_NAME,
	PROBLEM_USER_NAME_TAKEN,
	PROBLEM_USER_NAME_MISSING,
	PROBLEM_MEMBER_UNKNOWN, /* or closed the account */
	PROBLEM_PASSWORD_TOO_SHORT,
	PROBLEM_PASSWORD_TOO_LONG, /* has a length */
	PROBLEM_PASSWORD_COMMON,
	PROBLEM_PASSWORD_BREACHED,
	PROBLEM_PASSWORD_MISSING,
	PROBLEM_PASSWORD_SAME,	/* as the one before */
	PROBLEM_PASSWORD_WRONG, /* it is not one's own */
	PROBLEM_LOGIN_WRONG,
	PROBLEM_CODE_MISSING,
	PROBLEM_CODE_WRONG, /* of a second factor */
	PROBLEM_RECOVERY_WRONG,
	PROBLEM_KINDS
};

struct problem {
	enum problem_kind kind;
	struct text word; /* the name with the problem */
	size_t length;	  /* the length, when too long */
};

typedef struct problem rule(struct arena *arena, struct text *value);

/* The message for a problem; empty for PROBLEM_NONE. */
typedef struct text problem_words(
    struct arena *arena, const struct problem *problem);

rule rule_title;

/* Accept an empty link or text: an article has one of the two, or both. */
rule rule_link;
rule rule_body;
/* What a group is about, or its rules; may be empty. */
rule rule_group_text;
/* What a member says of themselves; may be empty. */
rule rule_user_about;

/* The text of a comment, and the answer of an application. */
rule rule_comment;
rule rule_answer;

/* Names separated by spaces, without duplicates; RULE_GROUPS_MAX at most. */
rule rule_groups;
/* Typed names in lower case, with spaces for commas. */
struct text rule_plain_groups(struct arena *arena, struct text groups);
rule rule_group_name;
rule rule_group_title;

/* The owners' settings; all but the name may be empty. */
rule rule_site_name;
rule rule_line;
rule rule_style;
/* A PNG file; it becomes the same without metadata. */
rule rule_image;
/* Lines of a label and a link: "Imprint https://example.org/imprint". rule_foot_link takes
 * the next of them from *lines; false at the end. */
rule rule_foot_links;
bool rule_foot_link(struct text *lines, struct text *label, struct text *link);
/* Hosts, or links to them, separated by white space: words of rule_host, each once. */
rule rule_shared_hosts;
rule rule_registration;
rule rule_group_creation;
/* An empty value becomes the first choice. */
rule rule_voting;
rule rule_log_names;
/* RULE_FRONT_TOP, the usual one, becomes empty. */
rule rule_front_order;
/* A tag of a language, as "de" or "zh-Hans"; or empty. Whether there are pages in it is not
 * checked. */
enum { RULE_LANGUAGE_MAX = 20 };
rule rule_language;
rule rule_overlooked;
/* A number of votes; may be empty. */
rule rule_interesting;
/* RULE_HOLD_OFF, the usual one, becomes empty. */
rule rule_hold_first;
/* RULE_FACTOR_OPTIONAL, the usual one, becomes empty. */
rule rule_moderator_factor;
/* For how many hours scores are not shown; may be empty: none. */
rule rule_score_hours;
/* How many flags fold a post; may be empty: none do. */
rule rule_fold_flags;
/* Numbers for newcomers, from 0; may be empty. */
rule rule_newcomer_days;
rule rule_newcomer_votes;
rule rule_newcomer_posts;
/* How many votes are worth a day: a choice, and the number that goes with the last; both may be
 * empty. */
#define RULE_VOTES_OTHER "other"
rule rule_votes_choice;
rule rule_votes_number;
rule rule_user_name;
/* The same, except the names that are reserved for closed accounts. */
rule rule_new_user_name;
#define RULE_CLOSED_NAME "closed-"
rule rule_password_length;

/* A new password must not be derived from these, nor be in the file. */
struct password_context {
	struct text user, site;		      /* their names */
	const struct password_file *breached; /* NULL: there is none */
};

/* All checks of a new password. Reads the file and calculates, some milliseconds at worst;
 * allocates nothing, so that another thread may call it. */
struct problem rule_new_password(
    struct text password, const struct password_context *context);

/* Moderators' input: a reason, a number of days (0: permanently; may be empty), and a host,
 * which may be typed as a link and becomes url_host_name's form. */
rule rule_reason;
rule rule_member_note;

/* Words whose titles a member hides: one of those that base/words.h finds, at least. */
rule rule_hidden_words;
rule rule_days;
rule rule_host;

/* For log-in: only that it is not empty. */
rule rule_given_name;
rule rule_given_password;

/* A code of a second factor or for recovery, as somebody typed it: without the spaces and hyphens
 * in it, in upper case. */
rule rule_given_code;

/* How many votes of that many points are worth a day, and the points of a vote of which so many
 * are. Both are at least 1. */
int64_t rule_votes_a_day(int64_t vote_score);
int64_t rule_vote_score(int64_t votes_a_day);

/* The upvotes with which an article becomes interesting. */
int64_t rule_interesting_threshold(const struct rules *rules);

/* The score of an article. */
int64_t rule_score(
    int64_t vote_score, int64_t posted, int64_t up, int64_t down);

/*
 * How hot an article is: max(points - 1, 0)^0.8 / (hours + 2)^gravity. So Hacker News ranks
 * articles (frontpage-rank in news.arc, distributed with Arc 3.1; without its factors for kinds
 * of articles). The age is in seconds, and 0 if it is less; the gravity in tenths.
 */
double rule_hot(int64_t points, int64_t age, int64_t gravity);

/*
 * The most that rule_hot gives for an article of which this is known: its score is at most
 * score, and it was posted at that moment or before. Points and age follow from each other then,
 * points = (score - posted) / vote_score; the older it is, the more points it may have.
 */
double rule_hot_most(int64_t vote_score, int64_t score, int64_t posted,
    int64_t now, int64_t gravity);

/* A choice of the gravity: "1.8". rule_gravity_of is its number; 0 for another text. */
rule rule_gravity;
int64_t rule_gravity_of(struct text gravity);
struct text rule_gravity_text(struct arena *arena, int64_t gravity);

/*
 * The claim of an article, by which a duplicate is found: a digest of the link's equal form
 * (base/url.h), or of author, title and text. The link is as rule_link leaves it.
 */
struct text rule_claim(struct arena *arena, uint64_t author, struct text title,
    struct text url, struct text text);
