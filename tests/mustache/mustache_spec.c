/*
 * Runs files in the format of the official specification's JSON files through
 * the engine: mustache_spec FILE.json... A test that fails is shown with what
 * was expected and what was rendered. Exits with 1 when one has failed.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "mustache/mustache.h"

/* A value without a struct around it, as in lists and as a test's data. */
static const struct mustache_field value_fields[] = {
	{ .name = ".", .kind = MUSTACHE_VALUE },
};
static const struct mustache_type value_type =
    MUSTACHE_TYPE(struct mustache_value, value_fields);

static struct mustache_value value_of(struct arena *arena, const json_t *json);

static struct mustache_value
text_value(struct text text)
{
	struct mustache_value value = { .kind = MUSTACHE_TEXT };

	value.as.text = text;
	return value;
}

static struct mustache_value
flag_value(bool flag)
{
	struct mustache_value value = { .kind = MUSTACHE_FLAG };

	value.as.flag = flag;
	return value;
}

/* The shortest text that is read as the same number, as it was most likely
 * written. */
static struct text
real_text(struct arena *arena, double number)
{
	char digits[40];

	for (int precision = 1; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	if (strpbrk(digits, ".en") == NULL)
		strcat(digits, ".0");
	return text_copy(arena, text_of(digits));
}

/* A struct type made up for the object: one value for each key. */
static struct mustache_value
object_value(struct arena *arena, const json_t *json)
{
	size_t count = json_object_size(json), size, i = 0;
	struct mustache_type *type = arena_new(arena, struct mustache_type, 1);
	struct mustache_field *fields =
	    arena_new(arena, struct mustache_field, count);
	struct mustache_value *values =
	    arena_new(arena, struct mustache_value, count);
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)json, key, member)
	{
		size = i * sizeof(*values);
		fields[i] = (struct mustache_field){ .name = text_string(
							 arena, text_of(key)),
			.kind = MUSTACHE_VALUE,
			.offset = size };
		values[i++] = value_of(arena, member);
	}
	*type = (struct mustache_type){ .name = "object",
		.size = count * sizeof(*values),
		.fields = fields,
		.count = count };
	return (struct mustache_value){
		.kind = MUSTACHE_OBJECT, .type = type, .as.object = values
	};
}

static struct mustache_value
list_value(struct arena *arena, const json_t *json)
{
	size_t count = json_array_size(json);
	struct mustache_value *items =
	    arena_new(arena, struct mustache_value, count);

	for (size_t i = 0; i < count; i++)
		items[i] = value_of(arena, json_array_get(json, i));
	return (struct mustache_value){ .kind = MUSTACHE_LIST,
		.type = &value_type,
		.as.list = { .items = items, .count = count } };
}

static struct mustache_value
value_of(struct arena *arena, const json_t *json)
{
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		return object_value(arena, json);
	case JSON_ARRAY:
		return list_value(arena, json);
	case JSON_STRING:
		return text_value((struct text){
		    json_string_value(json), json_string_length(json) });
	case JSON_INTEGER:
		return (struct mustache_value){ .kind = MUSTACHE_NUMBER,
			.as.number = json_integer_value(json) };
	case JSON_REAL:
		return text_value(real_text(arena, json_real_value(json)));
	case JSON_TRUE:
		return flag_value(true);
	case JSON_FALSE:
		return flag_value(false);
	default:
		return text_value((struct text){ NULL, 0 }); /* null */
	}
}

static struct text
member_text(const json_t *object, const char *name)
{
	const json_t *member = json_object_get(object, name);

	return (struct text){ json_string_value(member),
		json_string_length(member) };
}

/* Lambdas, which are source code in several languages; the engine has none. */
static bool
has_lambda(const json_t *json)
{
	const char *key;
	json_t *member;

	if (json_object_get(json, "__tag__") != NULL)
		return true;
	json_object_foreach(
	    (json_t *)json, key, member) if (has_lambda(member)) return true;
	return false;
}

static bool
add_templates(
    struct mustache_set *set, const json_t *test, struct mustache_error *error)
{
	const char *name;
	json_t *partial;

	json_object_foreach(json_object_get(test, "partials"), name, partial)
	{
		struct text source = { json_string_value(partial),
			json_string_length(partial) };

		if (!mustache_add(set, text_of(name), source, error))
			return false;
	}
	/* No partial is called this: a tag's name holds no space. */
	return mustache_add(
	    set, TEXT("the test"), member_text(test, "template"), error);
}

/* What the test renders as, or why it does not. */
static struct text
render_test(struct arena *arena, const json_t *test)
{
	struct mustache_set *set = mustache_set_new(arena);
	struct buffer out = buffer_in(arena, 1024);
	const json_t *data = json_object_get(test, "data");
	struct mustache_value value =
	    data == NULL ? flag_value(false) : value_of(arena, data);
	struct mustache_context context = { &value_type, &value };
	struct mustache_error error;

	if (!add_templates(set, test, &error))
		return text_format(arena, "error: %.*s:%d:%d: %s",
		    TEXT_ARGS(error.template), error.line, error.column,
		    error.message);
	mustache_render(
	    set, mustache_find(set, TEXT("the test")), &context, 1, &out);
	return buffer_text(&out);
}

static bool
run_test(const char *file, const json_t *test)
{
	struct arena arena = { 0 };
	struct text expected = member_text(test, "expected"), got;
	bool passed;

	if (has_lambda(json_object_get(test, "data")))
		got = TEXT("error: there are no lambdas");
	else
		got = render_test(&arena, test);
	passed = expected.data != NULL && text_equal(got, expected);
	if (!passed)
		printf("%s: %s\n--- expected\n%.*s\n--- got\n%.*s\n---\n", file,
		    json_string_value(json_object_get(test, "name")),
		    TEXT_ARGS(expected), TEXT_ARGS(got));
	arena_free(&arena);
	return passed;
}

/* Adds to passed and failed; a file that cannot be read counts as a failure. */
static void
run_file(const char *path, size_t *passed, size_t *failed)
{
	json_error_t error;
	json_t *file = json_load_file(path, JSON_DECODE_ANY, &error), *test;
	const json_t *tests = json_object_get(file, "tests");
	size_t passed_here = 0, failed_here = 0, i;

	if (file == NULL)
		printf("%s:%d: %s\n", path, error.line, error.text);
	json_array_foreach(tests, i, test)
	{
		if (run_test(path, test))
			passed_here++;
		else
			failed_here++;
	}
	if (passed_here + failed_here == 0) {
		printf("%s: no tests\n", path);
		failed_here = 1;
	}
	printf("%s: %zu passed, %zu failed\n", path, passed_here, failed_here);
	*passed += passed_here;
	*failed += failed_here;
	json_decref(file);
}

int
main(int argc, char **argv)
{
	size_t passed = 0, failed = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: mustache_spec FILE.json...\n");
		return 2;
	}
	for (int i = 1; i < argc; i++)
		run_file(argv[i], &passed, &failed);
	printf("%zu passed, %zu failed\n", passed, failed);
	return failed > 0;
}
