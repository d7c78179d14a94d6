#include "archive/validate.h"

#include "archive/noun.h"
#include "base/arena.h"

void
validate_problem(struct validation *validation, struct text problem)
{
	if (validation->problem.size == 0)
		validation->problem = problem;
}

void
validate_characters(struct validation *validation, const char *name,
    struct text text, enum utf8_lines lines, size_t max)
{
	size_t length = utf8_length(text);
	enum utf8_removed removed;

	utf8_clean(validation->arena, text, lines, &removed);
	if (removed == UTF8_DECEPTIVE)
		validate_problem(validation,
		    text_format(validation->arena,
			"\"%s\" has control or text direction characters",
			name));
	if (length > max)
		validate_problem(validation,
		    text_format(validation->arena,
			"\"%s\" has %zu characters, and at most %zu are "
			"allowed",
			name, length, max));
}

/* The value in the form that the rule gives it. */
static struct text
apply_rule(struct validation *validation, const char *name, struct text value,
    rule *check)
{
	struct problem problem = check(validation->arena, &value);

	if (problem.kind != PROBLEM_NONE &&
	    problem.kind != PROBLEM_CHARACTERS_UNSEEN)
		validate_problem(validation,
		    text_format(validation->arena, "\"%s\": %.*s", name,
			TEXT_ARGS(
			    validation->words(validation->arena, &problem))));
	return value;
}

void
validate_value(struct validation *validation, const char *name,
    struct text value, rule *check)
{
	apply_rule(validation, name, value, check);
}

void
validate_name(struct validation *validation, const char *name,
    struct text value, rule *check)
{
	if (!text_equal(apply_rule(validation, name, value, check), value))
		validate_problem(validation,
		    text_format(validation->arena,
			"\"%s\" has spaces around it, capitals or repeats",
			name));
}

void
validate_fields(struct validation *validation, const struct schema *schema,
    const void *noun)
{
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *field = &schema->fields[i];

		if (field->rule != NULL)
			validate_value(validation, field->name,
			    *field_text(field, noun), field->rule);
	}
}

void
validate_names(struct validation *validation, const char *name,
    struct text names, rule *check)
{
	struct text word;

	while (text_next_word(&names, &word))
		validate_name(validation, name, word, check);
}

void
validate_title(struct validation *validation, struct text title, rule *check)
{
	validate_characters(
	    validation, "title", title, UTF8_ONE_LINE, RULE_TITLE_MAX);
	validate_value(validation, "title", title, check);
}

void
validate_max(struct validation *validation, const char *name, int64_t number,
    int64_t max)
{
	if (number > max)
		validate_problem(validation,
		    text_format(validation->arena, "\"%s\" is above %lld", name,
			(long long)max));
}

struct text
validate_record(struct arena *arena, const struct rules *rules,
    problem_words *words, struct record *record)
{
	struct validation validation = { arena, rules, words, { NULL, 0 } };

	nouns[record->kind]->validate(&validation, record);
	return validation.problem;
}
