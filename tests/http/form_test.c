/* Forms as tables of fields. */
#include "http/form.h"

#include "../support/world.h"
#include "base/arena.h"

struct order {
	struct text drink, size, note;
};

static struct text
trim(struct arena *arena, struct text *value)
{
	(void)arena;
	*value = text_trim(*value);
	return TEXT("");
}

static struct text
need(struct arena *arena, struct text *value)
{
	if (value->size > 0)
		return TEXT("");
	return text_format(arena, "It is missing.");
}

static const struct form_field fields[] = {
	{ .name = "drink",
	    .offset = offsetof(struct order, drink),
	    .check = need },
	{ .name = "size",
	    .offset = offsetof(struct order, size),
	    .check = need },
	{ .name = "note",
	    .offset = offsetof(struct order, note),
	    .check = trim },
};
static const struct form form = FORM(fields);

static size_t
read_order(struct arena *arena, const char *sent, struct order *order,
    struct text *problems)
{
	struct pairs pairs;

	assert_int_equal(pairs_parse(arena, text_of(sent), &pairs), PAIRS_GOOD);
	return form_read(&form, arena, &pairs, order, problems);
}

static void
values_are_read_and_cleaned(void **state)
{
	struct arena arena = { 0 };
	struct order order;
	struct text problems[3];

	(void)state;
	assert_int_equal(
	    read_order(&arena, "note=+warm+&size=big&more=x&drink=tea", &order,
		problems),
	    0);
	assert_text(order.drink, "tea");
	assert_text(order.size, "big");
	assert_text(order.note, "warm");
	for (size_t i = 0; i < 3; i++)
		assert_text(problems[i], "");
	assert_text(form_value(&fields[1], &order), "big");
	arena_free(&arena);
}

static void
each_mistake_is_named(void **state)
{
	struct arena arena = { 0 };
	struct order order;
	struct text problems[3];

	(void)state;
	assert_int_equal(
	    read_order(&arena, "size=&note=kept", &order, problems), 2);
	assert_text(problems[0], "It is missing.");
	assert_text(problems[1], "It is missing.");
	assert_text(problems[2], "");
	assert_text(order.note, "kept");
	assert_text(order.drink, "");
	arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_read_and_cleaned),
		cmocka_unit_test(each_mistake_is_named),
	};

	return cmocka_run_group_tests_name("form", tests, NULL, NULL);
}
