/*
 * A posted form, read by a table of fields with the site's checks. A value that a
 * check has accepted is accepted again unchanged.
 */
#include "fuzz.h"

#include "base/buffer.h"
#include "base/url.h"
#include "base/utf8.h"
#include "pages/form.h"

#define VALUES(ROW) \
	ROW(struct values, title, rule_title, 0, FORM_OPTIONAL) \
	ROW(struct values, url, rule_link, 0, FORM_OPTIONAL) \
	ROW(struct values, text, rule_body, 0, FORM_OPTIONAL) \
	ROW(struct values, groups, rule_groups, 0, FORM_OPTIONAL) \
	ROW(struct values, name, rule_group_name, 0, FORM_OPTIONAL) \
	ROW(struct values, group_title, rule_group_title, 0, FORM_OPTIONAL) \
	ROW(struct values, username, rule_user_name, 0, FORM_OPTIONAL) \
	ROW(struct values, password, rule_password_length, 0, FORM_OPTIONAL)

struct values {
	VALUES(FORM_MEMBER)
};

static const struct form_row rows[] = { VALUES(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static struct text
encode(struct arena *arena, const struct pairs *pairs)
{
	struct buffer encoded = buffer_in(arena, 256);

	for (size_t i = 0; i < pairs->count; i++) {
		buffer_add(&encoded, url_encode(arena, pairs->items[i].name));
		buffer_add_char(&encoded, '=');
		buffer_add(&encoded, url_encode(arena, pairs->items[i].value));
		buffer_add_char(&encoded, '&');
	}
	return buffer_text(&encoded);
}

/* Each name occurs once, everything is UTF-8, and sending it again gives the same. */
static void
check_pairs(struct arena *arena, const struct pairs *pairs)
{
	struct pairs again;

	must(pairs_parse(arena, encode(arena, pairs), &again) == PAIRS_VALID);
	must(again.count == pairs->count);
	for (size_t i = 0; i < pairs->count; i++) {
		const struct pair *pair = &pairs->items[i];

		must(utf8_valid(pair->name) && utf8_valid(pair->value));
		must(text_equal(pairs_get(pairs, pair->name), pair->value));
		must(text_equal(pair->name, again.items[i].name));
		must(text_equal(pair->value, again.items[i].value));
	}
}

static void
check_form(struct arena *arena, const struct pairs *pairs)
{
	struct values values;
	bool good = form_read(&form, arena, pairs, &values), seen = true;

	for (size_t i = 0; i < form.count; i++) {
		const struct input *input =
		    (const void *)((const char *)&values + rows[i].offset);
		struct text again = input->value;

		must(utf8_valid(input->value) && utf8_valid(input->problem));
		if (input->problem.size > 0) {
			seen = false;
			continue;
		}
		must(rows[i].check(arena, &again).kind == PROBLEM_NONE);
		must(text_equal(again, input->value));
	}
	must(good == seen);
	must(values.title.problem.size > 0 ||
	    utf8_length(values.title.value) <= RULE_TITLE_MAX);
	must(values.url.problem.size > 0 ||
	    values.url.value.size <= RULE_LINK_MAX);
	must(values.text.problem.size > 0 ||
	    utf8_length(values.text.value) <= RULE_TEXT_MAX);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct pairs pairs;

	if (pairs_parse(&arena, fuzz_text(data, size), &pairs) == PAIRS_VALID) {
		check_pairs(&arena, &pairs);
		check_form(&arena, &pairs);
	}
	arena_reset(&arena);
	return 0;
}
