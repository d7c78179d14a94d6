/*
 * Spots: what is a link in plain text by its look alone: an address, "@name" and
 * "/g/name". Where they are is decided here; whether they lead anywhere is not.
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
	size_t start, end; /* in the text */
	struct text
	    text; /* what lies between, for names without "@" or "/g/" */
};

/*
 * The first spot at or after start; false: there is none. The text continues another
 * that ended in the code point before; 0: it begins by itself.
 *
 * An address ends at a space, a quotation mark or a bracket that it has not opened,
 * and has none of what ends a sentence at its own end. A name begins where a word
 * does, unless what stands before or behind it makes it a part of something longer:
 * "a@name.org", "@name@name.org", "b.org/g/name".
 *
 * A spot that is passed over need not be looked into: the time that all of them take
 * is linear.
 */
bool autolink_next(
    struct text text, size_t start, int32_t before, struct autolink *spot);

/* The text's last code point; 0 when it has none. */
int32_t autolink_last_point(struct text text);
