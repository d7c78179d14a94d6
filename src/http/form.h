/*
 * Forms: a table of fields, one row each, from which come what a field takes,
 * the message when it is wrong, and how it is shown again.
 *
 * The values are struct text members of a struct of the page's own.
 */
#ifndef HTTP_FORM_H
#define HTTP_FORM_H

#include "http/pairs.h"

/*
 * Looks at a value, may replace it by its cleaned form, and returns what is
 * wrong with it in a sentence for the reader; empty when it is good.
 */
typedef struct text form_check(struct arena *arena, struct text *value);

struct form_field {
	const char *name;
	size_t offset; /* of its struct text in the values */
	form_check *check;
	const char *label, *hint; /* hint may be NULL */
	const char *input;	  /* the template that shows it */
	const char *autocomplete; /* WHATWG HTML, "autofill"; may be NULL */
	int64_t most; /* characters; what the browser lets be typed */
	bool required;
};

struct form {
	const struct form_field *fields;
	size_t count;
};

#define FORM(table) \
	{ .fields = (table), .count = sizeof(table) / sizeof((table)[0]) }

/*
 * Fills values from pairs; a field that is absent is empty, and one that the
 * table does not have is ignored. problems has a place for every field. Returns
 * how many of them now hold a sentence.
 */
size_t form_read(const struct form *form, struct arena *arena,
    const struct pairs *pairs, void *values, struct text *problems);

/* The value of a row in a struct of values. */
struct text form_value(const struct form_field *field, const void *values);

#endif
