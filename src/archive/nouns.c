#include "archive/noun.h"

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
