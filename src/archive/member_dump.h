/*
 * All that one member wrote, voted, saved, follows and hides, as one JSON document, for the
 * member: the objects of a dump (archive/record.h), without what is about others, such as who
 * voted and flagged, and without secrets.
 *
 *	{"member":{...},
 *	"follows":[{...},...],"hidden":[...],"saved":[...],"votes":[...],
 *	"articles":[...],"comments":[...],
 *	"complete":true}
 *
 * Members may use the site meanwhile: what is posted or removed during that may be there twice
 * or not.
 */
#pragma once

#include <stdio.h>

#include "store/user.h"

/* Where the document goes, some of it at a time; false when it cannot be written. */
struct member_dump_output {
	bool (*write)(void *data, struct text part);
	void *data;
	/* When so many bytes are written no other article or comment is, and "complete" is
	 * false; 0: there is no end. Of each bucket, newer ones come first. */
	size_t max;
};

/* Reads in steps of a hundred posts and suspends the fiber between them. STORE_DOWN also when the
 * output fails. */
STORE_CALL member_dump(struct store *store, const struct user *user,
    const struct member_dump_output *output);

/* "tally dump --member NAME": returns the exit status; 1, and logged, also when there is no such
 * member. */
int member_dump_command(struct store *store, struct text name, FILE *out);
