#include "archive/noun.h"
#include "archive/record.h"

extern const struct noun site_archive, members_archive, groups_archive,
    articles_archive, comments_archive, log_archive, notices_archive,
    mutes_archive;

const struct noun *const nouns[RECORD_KINDS] = {
	[RECORD_SITE] = &site_archive,
	[RECORD_USER] = &members_archive,
	[RECORD_GROUP] = &groups_archive,
	[RECORD_ARTICLE] = &articles_archive,
	[RECORD_COMMENT] = &comments_archive,
	[RECORD_ACT] = &log_archive,
	[RECORD_NOTICE] = &notices_archive,
	[RECORD_MUTE] = &mutes_archive,
};
