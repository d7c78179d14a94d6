/*
 * The languages of pages: translations of English sentences, which are written in the code
 * (views/messages.c) and in templates (mustache/sentences.h). The only file that includes
 * libintl.h.
 *
 * A request has one language, which is that of the fiber that serves it: so nothing that says
 * something has to be passed a language. Without one, and for what is not translated, a sentence is
 * English.
 *
 * A translation is a catalog of GNU gettext, templates/po/de.po, from which `make` makes
 * templates/locale/tally/LC_MESSAGES/de.mo.
 */
#pragma once

#include <stdbool.h>

#include "mustache/mustache.h"

enum { LANGUAGES_MAX = 16 };

struct language {
	size_t index;	  /* from 0, which is English */
	struct text tag;  /* as HTML has it (RFC 5646): "en", "zh-Hans" */
	struct text name; /* in itself: "Deutsch" */
	struct text dir;  /* "ltr" or "rtl", as HTML has it */
};

/*
 * Opens and reads all catalogs of a folder, "/usr/share/tally/templates/locale", if it exists. Call
 * it before starting a thread. Once catalogs are open, another call does nothing.
 */
void language_open(const char *folder);

/* English, and those that were opened, in the order of their tags. */
size_t language_count(void);
const struct language *language_at(size_t index);

/* By its tag; NULL when there is none. */
const struct language *language_find(struct text tag);

/* Sets the language of the running fiber, and of all that is outside of fibers; NULL is English. */
void language_use(const struct language *language);
const struct language *language_current(void);

/* A choice of a language. */
struct language_choice {
	struct text tag, name;
	bool current;
};

/* All languages as choices. The current one is the language with that tag, or English. */
struct mustache_list language_choices(struct arena *arena, struct text tag);

/* A sentence in the code, as `make catalogs` finds it: TR("Try again.") is its translation;
 * TR_INIT marks one of a static table, which is passed to language_text where it is used. */
#define TR(english)	 language_text(TEXT(english))
#define TR_INIT(english) TEXT_INIT(english)

/* The translation of a sentence in the code, which must be a literal, or itself. */
struct text language_text(struct text english);

/* The same for a sentence in English that has another meaning elsewhere: TR_IN_INIT("log",
 * "suspended") of a table has the context "log" in catalogs, and is passed to language_text_in. */
#define TR_IN_INIT(context, english) TEXT_INIT(context "\004" english)
struct text language_text_in(struct text english);

/* The form for a number, which is not negative, of a sentence's two English forms, with "{n}" where
 * the number stands: TR_PLURAL("{n} comment", "{n} comments", 2). */
#define TR_PLURAL(one, many, number) \
	language_plural(TEXT(one), TEXT(many), (number))
struct text language_plural(struct text one, struct text many, int64_t number);

/* The translation of a sentence of a template into a language. */
struct text language_sentence(
    const void *language, struct arena *arena, struct text sentence);

/*
 * Fills values into a sentence by their names: LANGUAGE_FILL(arena, TR("{member} on {browser}"),
 * { "member", name }, { "browser", browser }). A name that has no value stays.
 */
struct language_value {
	const char *name;
	struct text value;
};
struct text language_fill(struct arena *arena, struct text sentence,
    const struct language_value *values, size_t count);
#define LANGUAGE_FILL(arena, sentence, ...) \
	language_fill(arena, sentence, \
	    (const struct language_value[]){ __VA_ARGS__ }, \
	    sizeof((const struct language_value[]){ __VA_ARGS__ }) / \
		sizeof(struct language_value))
