/*
 * Forms as tables: a row for each input, with the rule that validates it. The inputs are
 * the form's own struct (views/form.h).
 */
#pragma once

#include "pages/page.h"
#include "store/article.h"
#include "store/schema.h"
#include "views/form.h"

struct form_row {
	const char *name;
	size_t offset; /* of its struct input */
	rule *check;
	int64_t max; /* characters, for the browser */
	enum form_need need;
};

struct form {
	const struct form_row *rows;
	size_t count;
};

/* clang-format off */
#define FORM_ROW(of, member, rule_, max_, need_) \
	{ .name = #member, .offset = offsetof(of, member), .check = (rule_), \
	  .max = (max_), .need = (need_) },
/* clang-format on */
#define FORM_OF(table) \
	{ .rows = (table), .count = sizeof(table) / sizeof((table)[0]) }

/* Fills the inputs with what was sent, without validating it: what is absent is empty, and
 * what the form does not have is ignored. */
void form_fill(const struct form *form, const struct pairs *sent, void *inputs);

/* form_fill and form_check; true when there is no problem. */
bool form_read(const struct form *form, struct arena *arena,
    const struct pairs *sent, void *inputs);

/* Normalizes the values by their rules, and sets their problems; true when there are
 * none. */
bool form_check(const struct form *form, struct arena *arena, void *inputs);

bool form_is_valid(const struct form *form, const void *inputs);

/* The bytes of all values. */
size_t form_bytes(const struct form *form, const void *inputs);

/*
 * Inputs that have the name of a field are that field. form_load sets those of one editing
 * to the values of a noun, and form_store sets the texts of a noun to the values.
 */
void form_load(const struct form *form, const struct schema *schema,
    enum field_editing editing, const void *noun, void *inputs);
void form_store(const struct form *form, const void *inputs,
    const struct schema *schema, void *noun);

void form_mark(
    struct arena *arena, struct input *input, enum problem_kind kind);

/* Has the round trip of the session read what form_check_groups and page_limit_bytes need, for the
 * prepare function of a form: groups are names, as they were sent. */
void form_read_ahead(struct page *page, struct text groups);

/* Marks an input that names a group which does not exist or is closed, unless it is among
 * the article's groups; does nothing to one that has a problem already. */
STORE_CALL form_check_groups(
    const struct page *page, struct text groups, struct input *names);

/* Marks an input that names a group which the article was taken out of, as form_check_groups. */
STORE_CALL form_check_barred(const struct page *page,
    const struct article *article, struct input *names);

/* The words that are not among others. */
struct text form_words_without(
    struct arena *arena, struct text words, struct text others);

/*
 * Groups as checkboxes, each a field "g-NAME".
 *
 * form_group_choices lists them, with those of names ticked and *others set to the rest of
 * names; while Redis does not answer, as if the site had too many to list.
 * form_chosen_groups appends the ticked ones to those that were typed. form_group_changes
 * compares them with what the form says was ticked before ("had"): what to add and what to
 * remove.
 */
struct choices_model form_group_choices(
    const struct page *page, struct text names, struct text *others);
struct text form_chosen_groups(const struct page *page, struct text typed);
void form_group_changes(
    const struct page *page, struct text *added, struct text *removed);

/* What the form shows around its inputs in an answer with that status. Sets the focus on
 * the first input with a problem. */
struct form_model form_model_of(const struct page *page,
    const struct form *form, void *inputs, enum http_status status);
