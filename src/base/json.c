#include "base/json.h"

#include <jansson.h>

#include "base/arena.h"
#include "base/log.h"

static void
require(int failed)
{
	if (failed != 0)
		log_fatal("out of memory: JSON");
}

struct json_t *
json_new_object(void)
{
	return json_object();
}

struct json_t *
json_new_array(void)
{
	return json_array();
}

void
json_put(struct json_t *object, const char *name, struct json_t *value)
{
	require(json_object_set_new(object, name, value));
}

void
json_put_null(struct json_t *object, const char *name)
{
	json_put(object, name, json_null());
}

static json_t *
text_value(struct text text)
{
	return json_stringn_nocheck(text.size > 0 ? text.data : "", text.size);
}

void
json_put_text(struct json_t *object, const char *name, struct text text)
{
	json_put(object, name, text_value(text));
}

void
json_append(struct json_t *array, struct json_t *value)
{
	require(json_array_append_new(array, value));
}

void
json_append_text(struct json_t *array, struct text text)
{
	json_append(array, text_value(text));
}

void
json_put_words(struct json_t *object, const char *name, struct text words)
{
	json_t *array = json_array();
	struct text word;

	while (text_next_word(&words, &word))
		json_append_text(array, word);
	json_put(object, name, array);
}

void
json_put_number(struct json_t *object, const char *name, int64_t number)
{
	json_put(object, name, json_integer(number));
}

void
json_put_true(struct json_t *object, const char *name)
{
	json_put(object, name, json_true());
}

static int
add_bytes(const char *bytes, size_t size, void *line)
{
	buffer_add(line, (struct text){ bytes, size });
	return 0;
}

bool
json_write(struct json_t *object, struct buffer *line)
{
	bool written =
	    json_dump_callback(object, add_bytes, line, JSON_COMPACT) == 0;

	json_decref(object);
	buffer_add_char(line, '\n');
	return written;
}

struct json_reader
json_open(struct arena *arena, struct text bytes)
{
	struct json_reader reader = { .arena = arena };
	json_error_t error;

	reader.object = json_loadb(bytes.size > 0 ? bytes.data : "", bytes.size,
	    JSON_REJECT_DUPLICATES, &error);
	if (reader.object == NULL)
		reader.problem = text_format(arena, "not JSON: %s", error.text);
	else if (!json_is_object(reader.object))
		reader.problem = TEXT("not a JSON object");
	return reader;
}

void
json_close(struct json_reader *reader)
{
	json_decref(reader->object);
	reader->object = NULL;
}

void
json_problem(struct json_reader *reader, const char *name, const char *what)
{
	if (reader->problem.size == 0)
		reader->problem =
		    text_format(reader->arena, "\"%s\" %s", name, what);
}

bool
json_has(const struct json_reader *reader, const char *name)
{
	return json_object_get(reader->object, name) != NULL;
}

bool
json_has_null(const struct json_reader *reader, const char *name)
{
	return json_typeof(json_object_get(reader->object, name)) == JSON_NULL;
}

/* NULL when it is not there, or of another type. */
static json_t *
read_value(struct json_reader *reader, const char *name, json_type type,
    const char *what)
{
	json_t *value = json_object_get(reader->object, name);

	if (value != NULL && json_typeof(value) == type)
		return value;
	json_problem(reader, name, value == NULL ? "is missing" : what);
	return NULL;
}

static struct text
copy_string(struct arena *arena, const json_t *string)
{
	return text_copy(arena,
	    (struct text){
		json_string_value(string), json_string_length(string) });
}

struct text
json_read_text(struct json_reader *reader, const char *name)
{
	json_t *value = read_value(reader, name, JSON_STRING, "is not a text");

	return value == NULL ? (struct text){ NULL, 0 }
			     : copy_string(reader->arena, value);
}

int64_t
json_read_number(struct json_reader *reader, const char *name)
{
	json_t *value =
	    read_value(reader, name, JSON_INTEGER, "is not a whole number");

	return value == NULL ? 0 : json_integer_value(value);
}

bool
json_read_true(struct json_reader *reader, const char *name)
{
	return read_value(reader, name, JSON_TRUE, "is not true") != NULL;
}

size_t
json_read_count(struct json_reader *reader, const char *name)
{
	return json_array_size(
	    read_value(reader, name, JSON_ARRAY, "is not a list"));
}

/* An item of a list that json_read_count has found. */
static json_t *
list_item(const struct json_reader *reader, const char *name, size_t index)
{
	return json_array_get(json_object_get(reader->object, name), index);
}

struct text
json_read_name(struct json_reader *reader, const char *name, size_t index)
{
	json_t *item = list_item(reader, name, index);

	if (json_is_string(item))
		return copy_string(reader->arena, item);
	json_problem(reader, name, "has something else than names");
	return (struct text){ NULL, 0 };
}

struct text
json_read_words(struct json_reader *reader, const char *name)
{
	struct buffer words = buffer_in(reader->arena, 64);
	size_t count = json_read_count(reader, name);

	for (size_t i = 0; i < count; i++) {
		struct text item = json_read_name(reader, name, i);
		struct text rest = item, word;

		if (!text_next_word(&rest, &word) || word.size != item.size)
			json_problem(
			    reader, name, "has something else than names");
		if (i > 0)
			buffer_add_char(&words, ' ');
		buffer_add(&words, item);
	}
	return buffer_text(&words);
}

struct json_reader
json_read_object(struct json_reader *reader, const char *name)
{
	return (struct json_reader){ .arena = reader->arena,
		.object =
		    read_value(reader, name, JSON_OBJECT, "is not an object") };
}

struct json_reader
json_read_item(struct json_reader *reader, const char *name, size_t index)
{
	json_t *item = list_item(reader, name, index);

	if (!json_is_object(item))
		json_problem(reader, name, "has something else than objects");
	return (struct json_reader){ .arena = reader->arena,
		.object = json_is_object(item) ? item : NULL };
}

void
json_pass_problem(struct json_reader *reader, const char *name,
    const struct json_reader *inner)
{
	if (reader->problem.size == 0 && inner->problem.size > 0)
		reader->problem = text_format(reader->arena, "of \"%s\" %.*s",
		    name, TEXT_ARGS(inner->problem));
}
