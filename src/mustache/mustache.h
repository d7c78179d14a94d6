/*
 * Mustache templates over C structs.
 *
 * A template is compiled once into a list of instructions; rendering is one
 * loop over them with a stack of contexts. A field table (struct mustache_type)
 * next to each struct says what a template may name in it, and mustache_check
 * compares the templates with these tables before the first page.
 *
 * The language is the official specification's modules comments, delimiters,
 * interpolation, inverted, partials and sections, and the optional modules
 * inheritance and dynamic-names. There are no lambdas.
 * Source: https://github.com/mustache/spec, version 1.4.2.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct arena;
struct buffer;

/*
 * What is stored at a field's offset. To a section false, 0 items and an empty
 * text are false; a number is true even when it is 0. A section makes its value
 * the innermost context, but a flag leaves the contexts unchanged. Written as a
 * value, a flag is "true" or "false", and an object or a list is nothing.
 */
enum mustache_kind {
	MUSTACHE_TEXT,	 /* struct text */
	MUSTACHE_HTML,	 /* struct mustache_html: all that {{{x}}} may write */
	MUSTACHE_NUMBER, /* int64_t, or uint64_t below 2^63 */
	MUSTACHE_FLAG,	 /* bool */
	MUSTACHE_OBJECT, /* the struct itself, described by type */
	MUSTACHE_LIST,	 /* struct mustache_list of structs described by type */
	MUSTACHE_VALUE	 /* struct mustache_value: known only at run time */
};

/*
 * The fields of a struct. A type whose only field is called "." stands for that
 * field: the items of such a list are plain texts, numbers or values, and {{.}}
 * writes them.
 */
struct mustache_type {
	const char *name; /* the struct's, for messages */
	size_t size;
	const struct mustache_field *fields;
	size_t count;
};

/*
 * type is that of an object or of a list's items. choices, ended by NULL, are
 * the possible values of a text that names a partial or a parent.
 */
struct mustache_field {
	const char *name;
	enum mustache_kind kind;
	size_t offset;
	const struct mustache_type *type;
	const char *const *choices;
};

/* HTML from another template, which is written unescaped; or, with a place, put in by the
 * caller: then nothing is written, and *place is where it belongs in the output. */
struct mustache_html {
	struct text text;
	size_t *place;
};

struct mustache_list {
	const void *items;
	size_t count;
};

/* A value whose kind is known only at run time, for data without a struct. */
struct mustache_value {
	enum mustache_kind kind;	  /* anything but MUSTACHE_VALUE */
	const struct mustache_type *type; /* as in a field */
	union {
		struct text text;
		int64_t number;
		bool flag;
		const void *object;
		struct mustache_list list;
	} as;
};

/*
 * Rows of a field table. The kind follows from the member's C type, so a table
 * that lies about its struct does not compile:
 *
 *	static const struct mustache_field group_fields[] = {
 *		MUSTACHE_PLAIN(struct group_row, name),
 *		MUSTACHE_ITEMS(struct group_row, articles, &article_type),
 *	};
 *	static const struct mustache_type group_type =
 *	    MUSTACHE_TYPE(struct group_row, group_fields);
 */
/* clang-format off */
#define MUSTACHE_KIND(member) \
	_Generic((member), struct text: MUSTACHE_TEXT, \
	    struct mustache_html: MUSTACHE_HTML, \
	    int64_t: MUSTACHE_NUMBER, uint64_t: MUSTACHE_NUMBER, \
	    bool: MUSTACHE_FLAG, struct mustache_value: MUSTACHE_VALUE)
#define MUSTACHE_PLAIN(of, member) MUSTACHE_PARTIAL_NAME(of, member, NULL)
#define MUSTACHE_PARTIAL_NAME(of, member, names) \
	{ .name = #member, .kind = MUSTACHE_KIND(((of *)0)->member), \
	  .offset = offsetof(of, member), .choices = (names) }
#define MUSTACHE_STRUCT(of, member, described_by) \
	{ .name = #member, .kind = MUSTACHE_OBJECT, \
	  .offset = offsetof(of, member), .type = (described_by) }
#define MUSTACHE_ITEMS(of, member, described_by) \
	{ .name = #member, \
	  .kind = _Generic(((of *)0)->member, \
	      struct mustache_list: MUSTACHE_LIST), \
	  .offset = offsetof(of, member), .type = (described_by) }
#define MUSTACHE_TYPE(of, table) \
	{ .name = #of, .size = sizeof(of), .fields = (table), \
	  .count = sizeof(table) / sizeof((table)[0]) }
/* clang-format on */

/*
 * An error in a template: its position and a short message. Lines and columns, which
 * count characters, start from 1; both are 0 for an error without a position, for
 * example a file that cannot be read. file is the template's, or the folder that cannot be
 * read; empty without one.
 */
struct mustache_error {
	struct text template, file;
	int line, column;
	char message[200];
};

/* Named templates, compiled; they refer to each other by name. */
struct mustache_set;

/* An empty set, in an arena that must live as long as the set is used. */
struct mustache_set *mustache_set_new(struct arena *arena);

/*
 * Has the sentences of templates that are added from now on translated (mustache/sentences.h). The
 * translator returns the sentence itself where there is no translation that fits; language is
 * passed to it.
 */
typedef struct text mustache_translator(
    const void *language, struct arena *arena, struct text sentence);
void mustache_set_language(struct mustache_set *set,
    mustache_translator *translate, const void *language);

/* Compiles source under a name; both are copied. False, and error, when the
 * syntax is wrong or the name is taken. */
bool mustache_add(struct mustache_set *set, struct text name,
    struct text source, struct mustache_error *error);

/*
 * Adds every file of a folder that ends in ".mustache", under its name without
 * the ending. Skips names that are in the set already, so folders added first take
 * precedence. False, and error, for a file that cannot be read or is invalid.
 */
bool mustache_add_folder(
    struct mustache_set *set, const char *folder, struct mustache_error *error);

/* The template of that name; NULL if there is none. */
const struct mustache_template *mustache_find(
    const struct mustache_set *set, struct text name);

struct mustache_context {
	const struct mustache_type *type;
	const void *data;
};

/* The maximum number of contexts; only the last ones are used. */
enum { MUSTACHE_CONTEXTS = 8 };

/*
 * Follows every path through the template and those it includes, with the types
 * of the contexts (the last one is searched first), and reports where
 *
 * - a name is in none of them;
 * - a value is an object or a list, or is written unescaped;
 * - a section is always true, as over a number, or is over a MUSTACHE_VALUE, in
 *   which nothing can be checked;
 * - a partial or parent is missing, includes itself, or is named by anything
 *   but a text with choices; each choice is followed.
 *
 * Stores in the templates where it found each name, so that rendering need not search
 * for it. So once a set is checked, render only checked templates, with data of the
 * contexts' types.
 */
bool mustache_check(const struct mustache_set *set,
    const struct mustache_template *template,
    const struct mustache_type *const *contexts, size_t count,
    struct mustache_error *error);

/*
 * Whether every field of the type and of the types of its objects and lists is
 * named in a checked template: as a value, a section, a part of a dotted name
 * or the name of a partial; "." is named where it is written. One template is
 * enough, so ask when all are checked. If false, error has the name of the type
 * instead of a template's, and 0 for line and column.
 */
bool mustache_all_used(const struct mustache_set *set,
    const struct mustache_type *type, struct mustache_error *error);

/*
 * Appends the rendered template to out. A name that is not found renders as
 * nothing, as the specification says. So does whatever is nested in 128
 * sections, blocks and templates, and each of these after the millionth, or
 * after out holds 16 MiB: a template that was not checked and includes itself
 * comes to an end.
 */
void mustache_render(const struct mustache_set *set,
    const struct mustache_template *template,
    const struct mustache_context *contexts, size_t count, struct buffer *out);
