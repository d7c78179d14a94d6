/*
 * Finds text that becomes a link without markup: URLs, "@name" and "/g/name". Decides
 * only where they are, not whether the URL is valid or the name exists.
 */
#pragma once

#include "base/text.h"

enum autolink_kind {
	AUTOLINK_ADDRESS, /* http or https; url_check has not seen it */
	AUTOLINK_MEMBER,  /* "@" and 2 to 20 letters, digits, '_' and '-' */
	AUTOLINK_GROUP	  /* "/g/" and 2 to 32 small letters, digits and '-' */
};

struct autolink {
	enum autolink_kind kind;
	size_t start, end; /* offsets in the text */
	struct text text;  /* the URL, or the name without "@" or "/g/" */
};

/*
 * Finds the first link at or after start; false if there is none. before is the code
 * point that precedes the text; 0 if none does.
 *
 * A URL ends at a space, a quotation mark or a closing bracket without an opening one,
 * and does not include punctuation at its end. A name begins where a word does,
 * unless the characters around make it a part of something longer:
 * "a@name.org", "@name@name.org", "b.org/g/name".
 *
 * A caller that continues at the end of each link takes linear time in all.
 */
bool autolink_next(
    struct text text, size_t start, int32_t before, struct autolink *link);

/* The last code point of a text; 0 if it is empty. */
int32_t autolink_last_point(struct text text);
