/* Forms as tables of inputs. */
#include "pages/form.h"

#include "../support/world.h"
#include "base/arena.h"

#define ORDER_INPUTS(ROW) \
	ROW(struct order_form, title, rule_title, 10, FORM_REQUIRED) \
	ROW(struct order_form, groups, rule_groups, 20, FORM_OPTIONAL) \
	ROW(struct order_form, link, rule_link, 30, FORM_OPTIONAL)

struct order_form {
	ORDER_INPUTS(FORM_MEMBER)
};

static const struct form_row rows[] = { ORDER_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static bool
read_order(struct arena *arena, const char *sent, struct order_form *order)
{
	struct pairs pairs;

	assert_int_equal(
	    pairs_parse(arena, text_of(sent), &pairs), PAIRS_VALID);
	return form_read(&form, arena, &pairs, order);
}

static void
values_are_read_and_cleaned(void **state)
{
	struct arena arena = { 0 };
	struct order_form order;

	(void)state;
	assert_true(read_order(
	    &arena, "groups=+one++two+one&link=&more=x&title=+warm+", &order));
	assert_text(order.title.value, "warm");
	assert_text(order.groups.value, "one two");
	assert_text(order.link.value, "");
	assert_text(order.title.problem, "");
	assert_text(order.groups.problem, "");
	assert_text(order.link.problem, "");
	assert_text(order.groups.name, "groups");
	assert_int_equal(order.groups.max, 20);
	assert_true(order.title.required);
	assert_false(order.link.required);
	arena_free(&arena);
}

static void
each_mistake_is_named(void **state)
{
	struct arena arena = { 0 };
	struct order_form order;

	(void)state;
	assert_false(read_order(&arena, "link=x&groups=one", &order));
	assert_text(order.title.problem, "Enter a title.");
	assert_text(order.link.problem,
	    "This isn’t a link. Enter one like https://example.org/page.");
	assert_text(order.groups.problem, "");
	assert_text(order.groups.value, "one");
	assert_text(order.link.value, "x");
	assert_text(order.title.value, "");
	arena_free(&arena);
}

/* A form that has not been submitted is not validated. */
static void
prefilled_forms_report_no_mistakes(void **state)
{
	struct arena arena = { 0 };
	struct order_form order;
	struct pairs pairs;

	(void)state;
	assert_int_equal(
	    pairs_parse(&arena, TEXT("link=+x"), &pairs), PAIRS_VALID);
	form_fill(&form, &pairs, &order);
	assert_true(form_is_valid(&form, &order));
	assert_text(order.link.value, " x");
	form_mark(&arena, &order.link, PROBLEM_NO_LINK_OR_TEXT);
	assert_false(form_is_valid(&form, &order));
	arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_read_and_cleaned),
		cmocka_unit_test(each_mistake_is_named),
		cmocka_unit_test(prefilled_forms_report_no_mistakes),
	};

	return cmocka_run_group_tests_name("form", tests, NULL, NULL);
}
