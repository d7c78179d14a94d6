/*
 * The sentences of a template: what is translated as a whole.
 *
 * A sentence is text within a line, with the variables and the elements in it: it ends at every tag
 * of mustache but a variable, at every tag of HTML but those of elements within a line (a, abbr, b,
 * bdi, code, em, i, kbd, mark, small, span, strong and time), at the end of a line, and at " · ",
 * also with a no-break space before the dot. An element that has all of it is no part of it. The
 * values of the attributes alt, aria-label, placeholder and title are sentences, too, and end the
 * one in which they stand. What has no letter outside of tags is none, nor is an address: it has a
 * slash before its first letter.
 *
 * So a template is written as if there were one language, and needs no marks:
 *
 *	<p>Posted by <a href="/u/{{author}}">{{author}}</a></p>
 *
 * has the sentence "Posted by <a href="/u/{{author}}">{{author}}</a>".
 */
#pragma once

#include "mustache/mustache.h"

struct sentences {
	struct text source;
	size_t at;     /* where to go on */
	bool in_tag;   /* in a tag of HTML, outside of such a value */
	bool in_value; /* in the value of such an attribute */
};

struct sentences sentences_of(struct text source);

/* Finds the next one, a part of the source; false at the end. */
bool sentences_next(struct sentences *sentences, struct text *sentence);

/* Whether a translation has the tags of mustache and HTML that the sentence has, each as often,
 * in any order. */
bool sentences_fit(
    struct arena *arena, struct text sentence, struct text translation);

/* The source with each sentence translated. Lines stay where they are. */
struct text sentences_translate(struct arena *arena, struct text source,
    mustache_translator *translate, const void *language);
