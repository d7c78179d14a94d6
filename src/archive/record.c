#include "archive/record.h"

#include <jansson.h>

#include "base/arena.h"
#include "base/log.h"

/* What a number may be. */
struct range {
	int64_t min, max;
	const char *otherwise;
};

static const struct range ranges[] = {
	/* New ids then stay far within a sorted set's six bytes. */
	[FIELD_ID] = { 1, 99999999999, "is not from 1 to 99999999999" },
	[FIELD_COUNT] = { 0, 1000000000, "is not from 0 to 1000000000" },
	/* Until the year 9999; milliseconds are far above that. */
	[FIELD_MOMENT] = { 1, 253402300799, "is not a moment in Unix seconds" },
};

static const struct {
	const char *word;
	const struct schema *schema;
	size_t offset; /* of the noun in the record */
} kinds[RECORD_KINDS] = {
	[RECORD_SITE] = { "site", &settings_schema,
	    offsetof(struct record, site) },
	[RECORD_USER] = { "user", &user_schema, offsetof(struct record, user) },
	[RECORD_GROUP] = { "group", &group_schema,
	    offsetof(struct record, group) },
	[RECORD_ARTICLE] = { "article", &article_schema,
	    offsetof(struct record, article) },
};

const char *
record_word(enum record_kind kind)
{
	static const char *const words[RECORD_KINDS] = {
		[RECORD_SITE] = "settings",
		[RECORD_USER] = "member",
		[RECORD_GROUP] = "group",
		[RECORD_ARTICLE] = "article",
	};

	return words[kind];
}

/* Takes the value over. That a text is UTF-8 shows when it is written. */
static void
put(json_t *object, const char *name, json_t *value)
{
	if (json_object_set_new(object, name, value) != 0)
		log_fatal("out of memory: a record of the dump");
}

static json_t *
text_value(struct text text)
{
	return json_stringn_nocheck(text.size > 0 ? text.data : "", text.size);
}

static void
append(json_t *array, struct text text)
{
	if (json_array_append_new(array, text_value(text)) != 0)
		log_fatal("out of memory: a record of the dump");
}

static json_t *
words_value(struct text words)
{
	json_t *array = json_array();
	struct text word;

	while (text_word(&words, &word))
		append(array, word);
	return array;
}

static json_t *
names_value(const struct voters *voters)
{
	json_t *array = json_array();

	for (size_t i = 0; i < voters->count; i++)
		append(array, voters->names[i]);
	return array;
}

static json_t *
field_value(const struct field *field, const void *member)
{
	switch (field->type) {
	case FIELD_TEXT:
		return text_value(*(const struct text *)member);
	case FIELD_WORDS:
		return words_value(*(const struct text *)member);
	case FIELD_MEMBER:
		return text_value(((const struct member *)member)->name);
	case FIELD_ROLE:
		return text_value(role_words[*(const enum role *)member]);
	case FIELD_ID:
	case FIELD_COUNT:
	case FIELD_MOMENT:
		return json_integer(*(const int64_t *)member);
	}
	return json_null();
}

static void
put_field(json_t *object, const struct field *field, const char *noun)
{
	bool is_empty = field_is_empty(field, noun);

	if (field->presence == FIELD_LOCAL)
		return;
	if (is_empty && field->presence == FIELD_NULLABLE)
		put(object, field->name, json_null());
	else if (!is_empty || field->presence != FIELD_OPTIONAL)
		put(object, field->name,
		    field_value(field, noun + field->offset));
}

static int
add_bytes(const char *bytes, size_t size, void *line)
{
	buffer_add(line, (struct text){ bytes, size });
	return 0;
}

bool
record_write(struct buffer *line, const struct record *record)
{
	json_t *object = json_object(), *voters;
	const struct schema *schema = kinds[record->kind].schema;
	const char *noun = (const char *)record + kinds[record->kind].offset;
	bool written;

	put(object, "kind", json_string(kinds[record->kind].word));
	for (size_t i = 0; i < schema->count; i++)
		put_field(object, &schema->fields[i], noun);
	if (record->kind == RECORD_ARTICLE &&
	    record->article.post.voters_known) {
		voters = json_object();
		put(voters, "up", names_value(&record->up));
		put(voters, "down", names_value(&record->down));
		put(object, "voters", voters);
	}
	written =
	    json_dump_callback(object, add_bytes, line, JSON_COMPACT) == 0;
	json_decref(object);
	buffer_add_char(line, '\n');
	return written;
}

/* An object that is being read; the first fault is kept. */
struct reader {
	struct arena *arena;
	json_t *object;
	struct text fault;
};

static void
fault(struct reader *reader, const char *name, const char *what)
{
	if (reader->fault.size == 0)
		reader->fault =
		    text_format(reader->arena, "\"%s\" %s", name, what);
}

/* A member that must be there and of a type; NULL when it is not. */
static json_t *
take(struct reader *reader, const char *name, json_type type, const char *what)
{
	json_t *value = json_object_get(reader->object, name);

	if (value != NULL && json_typeof(value) == type)
		return value;
	fault(reader, name, value == NULL ? "is missing" : what);
	return NULL;
}

static struct text
text_in(struct arena *arena, const json_t *string)
{
	return text_copy(arena,
	    (struct text){
		json_string_value(string), json_string_length(string) });
}

static struct text
take_text(struct reader *reader, const char *name)
{
	json_t *value = take(reader, name, JSON_STRING, "is not a text");

	return value == NULL ? (struct text){ NULL, 0 }
			     : text_in(reader->arena, value);
}

static int64_t
take_number(struct reader *reader, const struct field *field)
{
	const struct range *range = &ranges[field->type];
	json_t *value =
	    take(reader, field->name, JSON_INTEGER, "is not a whole number");
	int64_t number;

	if (value == NULL)
		return 0;
	number = json_integer_value(value);
	if (number < range->min || number > range->max)
		fault(reader, field->name, range->otherwise);
	return number;
}

static struct voters
take_names(struct reader *reader, const char *name)
{
	json_t *array = take(reader, name, JSON_ARRAY, "is not a list");
	struct voters names = { .count = json_array_size(array) };

	names.names = arena_new(reader->arena, struct text, names.count);
	for (size_t i = 0; i < names.count; i++) {
		json_t *word = json_array_get(array, i);

		if (json_is_string(word))
			names.names[i] = text_in(reader->arena, word);
		else
			fault(reader, name, "has something else than names");
	}
	return names;
}

/* The names of groups, with a space between; a name itself has none. */
static struct text
take_words(struct reader *reader, const char *name)
{
	struct voters names = take_names(reader, name);
	struct buffer words = buffer_in(reader->arena, 64);

	for (size_t i = 0; i < names.count; i++) {
		struct text rest = names.names[i], word;

		if (!text_word(&rest, &word) ||
		    word.size != names.names[i].size)
			fault(reader, name, "has something else than names");
		if (i > 0)
			buffer_add_char(&words, ' ');
		buffer_add(&words, names.names[i]);
	}
	return buffer_text(&words);
}

static void
take_value(struct reader *reader, const struct field *field, void *member)
{
	switch (field->type) {
	case FIELD_TEXT:
		*(struct text *)member = take_text(reader, field->name);
		break;
	case FIELD_WORDS:
		*(struct text *)member = take_words(reader, field->name);
		break;
	case FIELD_MEMBER:
		((struct member *)member)->name =
		    take_text(reader, field->name);
		break;
	case FIELD_ROLE:
		if (!role_parse(take_text(reader, field->name), member))
			fault(reader, field->name,
			    "is none of member, moderator and owner");
		break;
	case FIELD_ID:
	case FIELD_COUNT:
	case FIELD_MOMENT:
		*(int64_t *)member = take_number(reader, field);
		break;
	}
}

static void
take_field(struct reader *reader, const struct field *field, void *noun)
{
	json_t *value = json_object_get(reader->object, field->name);
	bool may_be_null = field->presence != FIELD_REQUIRED &&
	    field->presence != FIELD_SPARSE;
	bool may_be_absent = may_be_null && field->presence != FIELD_NULLABLE;

	if (field->presence == FIELD_LOCAL)
		return;
	if (value == NULL ? may_be_absent : json_is_null(value) && may_be_null)
		return;
	take_value(reader, field, (char *)noun + field->offset);
	if (field->presence == FIELD_NULLABLE && field_is_empty(field, noun))
		fault(reader, field->name, "is empty");
}

static void
take_voters(struct reader *reader, struct record *record)
{
	struct reader voters = { .arena = reader->arena,
		.object =
		    take(reader, "voters", JSON_OBJECT, "is not an object") };

	if (voters.object == NULL)
		return;
	record->article.post.voters_known = true;
	record->up = take_names(&voters, "up");
	record->down = take_names(&voters, "down");
	if (reader->fault.size == 0 && voters.fault.size > 0)
		reader->fault = text_join(
		    reader->arena, TEXT("of \"voters\" "), voters.fault);
}

static enum record_kind
take_kind(struct reader *reader)
{
	struct text word = take_text(reader, "kind");

	for (enum record_kind i = RECORD_SITE; i < RECORD_KINDS; i++)
		if (text_equal(word, text_of(kinds[i].word)))
			return i;
	fault(reader, "kind", "is none of site, user, group and article");
	return RECORD_KINDS;
}

static void
take_record(struct reader *reader, struct record *record)
{
	const struct schema *schema;
	char *noun;

	record->kind = take_kind(reader);
	if (record->kind == RECORD_KINDS)
		return;
	schema = kinds[record->kind].schema;
	noun = (char *)record + kinds[record->kind].offset;
	for (size_t i = 0; i < schema->count; i++)
		take_field(reader, &schema->fields[i], noun);
	if (record->kind == RECORD_ARTICLE &&
	    json_object_get(reader->object, "voters") != NULL)
		take_voters(reader, record);
}

struct text
record_read(struct arena *arena, struct text line, struct record *record)
{
	struct reader reader = { .arena = arena };
	json_error_t error;

	*record = (struct record){ .kind = RECORD_KINDS };
	reader.object = json_loadb(line.size > 0 ? line.data : "", line.size,
	    JSON_REJECT_DUPLICATES, &error);
	if (reader.object == NULL)
		return text_format(arena, "not JSON: %s", error.text);
	if (json_is_object(reader.object))
		take_record(&reader, record);
	else
		reader.fault = TEXT("not a JSON object");
	json_decref(reader.object);
	return reader.fault;
}
