#include "archive/json.h"

#include <jansson.h>

#include "base/arena.h"
#include "base/log.h"

static void
require(int failed)
{
	if (failed != 0)
		log_fatal("out of memory: a record of the dump");
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
json_put_words(struct json_t *object, const char *name, struct text words)
{
	json_t *array = json_array();
	struct text word;

	while (text_next_word(&words, &word))
		require(json_array_append_new(array, text_value(word)));
	json_put(object, name, array);
}

void
json_put_names(
    struct json_t *object, const char *name, const struct json_names *names)
{
	json_t *array = json_array();

	for (size_t i = 0; i < names->count; i++)
		require(
		    json_array_append_new(array, text_value(names->items[i])));
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

void
json_append_object(struct json_t *array, struct json_t *object)
{
	require(json_array_append_new(array, object));
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
		reader.fault = text_format(arena, "not JSON: %s", error.text);
	else if (!json_is_object(reader.object))
		reader.fault = TEXT("not a JSON object");
	return reader;
}

void
json_close(struct json_reader *reader)
{
	json_decref(reader->object);
	reader->object = NULL;
}

void
json_fault(struct json_reader *reader, const char *name, const char *what)
{
	if (reader->fault.size == 0)
		reader->fault =
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
take(struct json_reader *reader, const char *name, json_type type,
    const char *what)
{
	json_t *value = json_object_get(reader->object, name);

	if (value != NULL && json_typeof(value) == type)
		return value;
	json_fault(reader, name, value == NULL ? "is missing" : what);
	return NULL;
}

static struct text
text_in(struct arena *arena, const json_t *string)
{
	return text_copy(arena,
	    (struct text){
		json_string_value(string), json_string_length(string) });
}

struct text
json_take_text(struct json_reader *reader, const char *name)
{
	json_t *value = take(reader, name, JSON_STRING, "is not a text");

	return value == NULL ? (struct text){ NULL, 0 }
			     : text_in(reader->arena, value);
}

int64_t
json_take_number(struct json_reader *reader, const char *name)
{
	json_t *value =
	    take(reader, name, JSON_INTEGER, "is not a whole number");

	return value == NULL ? 0 : json_integer_value(value);
}

struct json_names
json_take_names(struct json_reader *reader, const char *name)
{
	json_t *array = take(reader, name, JSON_ARRAY, "is not a list");
	struct json_names names = { .count = json_array_size(array) };

	names.items = arena_new(reader->arena, struct text, names.count);
	for (size_t i = 0; i < names.count; i++) {
		json_t *word = json_array_get(array, i);

		if (json_is_string(word))
			names.items[i] = text_in(reader->arena, word);
		else
			json_fault(
			    reader, name, "has something else than names");
	}
	return names;
}

bool
json_take_true(struct json_reader *reader, const char *name)
{
	return take(reader, name, JSON_TRUE, "is not true") != NULL;
}

struct text
json_take_words(struct json_reader *reader, const char *name)
{
	struct json_names names = json_take_names(reader, name);
	struct buffer words = buffer_in(reader->arena, 64);

	for (size_t i = 0; i < names.count; i++) {
		struct text rest = names.items[i], word;

		if (!text_next_word(&rest, &word) ||
		    word.size != names.items[i].size)
			json_fault(
			    reader, name, "has something else than names");
		if (i > 0)
			buffer_add_char(&words, ' ');
		buffer_add(&words, names.items[i]);
	}
	return buffer_text(&words);
}

struct json_reader
json_enter(struct json_reader *reader, const char *name)
{
	return (struct json_reader){ .arena = reader->arena,
		.object = take(reader, name, JSON_OBJECT, "is not an object") };
}

size_t
json_count(struct json_reader *reader, const char *name)
{
	return json_array_size(take(reader, name, JSON_ARRAY, "is not a list"));
}

struct json_reader
json_enter_item(struct json_reader *reader, const char *name, size_t index)
{
	json_t *item =
	    json_array_get(json_object_get(reader->object, name), index);

	if (!json_is_object(item))
		json_fault(reader, name, "has something else than objects");
	return (struct json_reader){ .arena = reader->arena,
		.object = json_is_object(item) ? item : NULL };
}

void
json_leave(struct json_reader *reader, const char *name,
    const struct json_reader *entered)
{
	if (reader->fault.size == 0 && entered->fault.size > 0)
		reader->fault = text_format(reader->arena, "of \"%s\" %.*s",
		    name, TEXT_ARGS(entered->fault));
}
