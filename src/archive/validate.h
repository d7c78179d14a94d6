/*
 * Holds a line of a dump against the site's rules, which are those of forms
 * (store/rules.h), as far as that takes no question to Redis.
 *
 * A rule cleans a value, and a dump is loaded without changes: characters that cleaning
 * would drop silently stay, and so do invisible characters, which were good when older dumps
 * were written. Deceptive characters are refused.
 */
#pragma once

#include "archive/record.h"
#include "base/utf8.h"

struct validation {
	struct arena *arena;
	const struct rules *rules;
	problem_words *words;
	struct text problem; /* the first */
};

/*
 * The first problem of a record, as a clause; empty when there is none. Texts stay
 * exactly as they are; a post's closes is filled in when it is 0. words says what a rule
 * has against a value.
 */
struct text validate_record(struct arena *arena, const struct rules *rules,
    problem_words *words, struct record *record);

/* For the callbacks of nouns. Each adds a problem if there is none yet. */
void validate_problem(struct validation *validation, struct text problem);

/* A text, with the most characters that it may have, cleaned or not. */
void validate_characters(struct validation *validation, const char *name,
    struct text text, enum utf8_lines lines, size_t max);

/* A value; and one that is a key as well, so it must be in the form that the rule gives
 * it already. */
void validate_value(struct validation *validation, const char *name,
    struct text value, rule *check);
void validate_name(struct validation *validation, const char *name,
    struct text value, rule *check);

/* The fields with a rule in the schema. */
void validate_fields(struct validation *validation, const struct schema *schema,
    const void *noun);

/* Names with a space between. */
void validate_names(struct validation *validation, const char *name,
    struct text names, rule *check);

/* A title, which may have RULE_TITLE_MAX characters. */
void validate_title(
    struct validation *validation, struct text title, rule *check);

/* A number with a limit of its own, beside that of its type. */
void validate_max(struct validation *validation, const char *name,
    int64_t number, int64_t max);
