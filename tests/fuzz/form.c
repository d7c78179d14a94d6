/*
 * A form as it is posted, read through a table of fields whose checks are those
 * of the site. What a check has accepted, it accepts again unchanged.
 */
#include "fuzz.h"

#include "base/buffer.h"
#include "base/url.h"
#include "base/utf8.h"
#include "http/form.h"
#include "store/rules.h"

struct values {
	struct text title, url, text, groups, name, group_title, username,
	    password;
};

#define FIELD(member, rule) \
	{ .name = #member, \
		.offset = offsetof(struct values, member), \
		.check = (rule) }
static const struct form_field fields[] = {
	FIELD(title, rule_title),
	FIELD(url, rule_link),
	FIELD(text, rule_body),
	FIELD(groups, rule_groups),
	FIELD(name, rule_group_name),
	FIELD(group_title, rule_group_title),
	FIELD(username, rule_user_name),
	FIELD(password, rule_new_password),
};
static const struct form form = FORM(fields);

enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };

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

/* Each name once, all of it UTF-8, and the same when it is sent again. */
static void
check_pairs(struct arena *arena, const struct pairs *pairs)
{
	struct pairs again;

	must(pairs_parse(arena, encode(arena, pairs), &again) == PAIRS_GOOD);
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
	struct text problems[FIELDS];
	struct values values;
	size_t wrong = form_read(&form, arena, pairs, &values, problems);

	for (size_t i = 0; i < FIELDS; i++) {
		struct text value = form_value(&fields[i], &values);
		struct text again = value;

		must(utf8_valid(value) && utf8_valid(problems[i]));
		if (problems[i].size > 0) {
			wrong--;
			continue;
		}
		must(fields[i].check(arena, &again).size == 0);
		must(text_equal(again, value));
	}
	must(wrong == 0);
	must(problems[0].size > 0 ||
	    utf8_length(values.title) <= RULE_TITLE_MAX);
	must(problems[1].size > 0 || values.url.size <= RULE_LINK_MAX);
	must(problems[2].size > 0 || utf8_length(values.text) <= RULE_TEXT_MAX);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct pairs pairs;

	if (pairs_parse(&arena, fuzz_text(data, size), &pairs) == PAIRS_GOOD) {
		check_pairs(&arena, &pairs);
		check_form(&arena, &pairs);
	}
	arena_reset(&arena);
	return 0;
}
