/*
 * The languages of pages: translations of English sentences, which are written in the code
 * (views/messages.c) and in templates.
 *
 * A request has one language, which is that of the fiber that serves it: so nothing that says
 * something has to be passed a language. Without one, and for what is not translated, a sentence is
 * English.
 */
#pragma once

#include "base/text.h"

struct arena;

/* A sentence in the code, as `make catalogs` finds it: TR("Try again.") is its translation;
 * TR_INIT marks one of a static table, which is passed to language_text where it is used. */
#define TR(english)	 language_text(TEXT(english))
#define TR_INIT(english) TEXT_INIT(english)

/* The translation of a sentence, or itself. */
struct text language_text(struct text english);

/* The form for a number, which is not negative, of a sentence's two English forms, with "{n}" where
 * the number stands: TR_PLURAL("{n} comment", "{n} comments", 2). */
#define TR_PLURAL(one, many, number) \
	language_plural(TEXT(one), TEXT(many), (number))
struct text language_plural(struct text one, struct text many, int64_t number);

/*
 * A sentence with values in place of names: LANGUAGE_FILL(arena, TR("{member} on {browser}"),
 * { "member", name }, { "browser", browser }). A name that has no value stays.
 */
struct language_value {
	const char *name;
	struct text value;
};
struct text language_fill(struct arena *arena, struct text sentence,
    const struct language_value *values, size_t count);
#define LANGUAGE_FILL(arena, sentence, ...)                           \
	language_fill(arena, sentence,                                \
	    (const struct language_value[]){ __VA_ARGS__ },           \
	    sizeof((const struct language_value[]){ __VA_ARGS__ }) / \
		sizeof(struct language_value))
