#include "archive/record.h"

#include "archive/noun.h"
#include "base/arena.h"
#include "store/keys.h"

/* The numbers that a type of field takes. */
struct range {
	int64_t min, max;
	const char *otherwise;
};

static const struct range ranges[] = {
	/* New ids then stay far within a sorted set's six bytes. */
	[FIELD_ID] = { 1, 99999999999, "is not from 1 to 99999999999" },
	[FIELD_COUNT] = { 0, RECORD_NUMBER_MAX, "is not from 0 to 1000000000" },
	/* Until the year 9999; milliseconds are far above that. */
	[FIELD_MOMENT] = { 1, 253402300799, "is not a moment in Unix seconds" },
};

struct text
record_post_name(struct arena *arena, struct post_id id)
{
	return text_format(arena, "%s %.*s",
	    id.comment == 0 ? "article" : "comment",
	    TEXT_ARGS(key_post_name(arena, id)));
}

void *
record_noun(const struct record *record)
{
	return (char *)record + nouns[record->kind]->offset;
}

struct post *
record_post(const struct record *record)
{
	return record->kind < RECORD_KINDS && nouns[record->kind]->is_post
	    ? record_noun(record)
	    : NULL;
}

static void
put_value(struct json_t *object, const struct field *field, const void *member)
{
	const char *name = field->name;

	switch (field->type) {
	case FIELD_TEXT:
		json_put_text(object, name, *(const struct text *)member);
		break;
	case FIELD_WORDS:
		json_put_words(object, name, *(const struct text *)member);
		break;
	case FIELD_MEMBER:
		json_put_text(
		    object, name, ((const struct member *)member)->name);
		break;
	case FIELD_ROLE:
		json_put_text(
		    object, name, role_words[*(const enum role *)member]);
		break;
	case FIELD_ID:
	case FIELD_COUNT:
	case FIELD_MOMENT:
		json_put_number(object, name, *(const int64_t *)member);
		break;
	}
}

static void
put_field(struct json_t *object, const struct field *field, const char *noun)
{
	bool is_empty = field_is_empty(field, noun);

	if (field->presence == FIELD_NOT_DUMPED)
		return;
	if (is_empty && field->presence == FIELD_NULLABLE)
		json_put_null(object, field->name);
	else if (!is_empty || field->presence != FIELD_OPTIONAL)
		put_value(object, field, noun + field->offset);
}

bool
record_write(struct buffer *line, const struct record *record)
{
	const struct noun *noun = nouns[record->kind];
	struct json_t *object = json_new_object();

	json_put_text(object, "kind", text_of(noun->kind));
	for (size_t i = 0; i < noun->schema->count; i++)
		put_field(
		    object, &noun->schema->fields[i], record_noun(record));
	if (noun->put != NULL)
		noun->put(object, record);
	return json_write(object, line);
}

int64_t
record_read_number(
    struct json_reader *reader, const char *name, enum field_type type)
{
	const struct range *range = &ranges[type];
	int64_t number = json_read_number(reader, name);

	if (number < range->min || number > range->max)
		json_problem(reader, name, range->otherwise);
	return number;
}

static void
read_value(struct json_reader *reader, const struct field *field, void *member)
{
	const char *name = field->name;

	switch (field->type) {
	case FIELD_TEXT:
		*(struct text *)member = json_read_text(reader, name);
		break;
	case FIELD_WORDS:
		*(struct text *)member = json_read_words(reader, name);
		break;
	case FIELD_MEMBER:
		((struct member *)member)->name = json_read_text(reader, name);
		break;
	case FIELD_ROLE:
		if (!role_parse(json_read_text(reader, name), member))
			json_problem(reader, name,
			    "is none of member, moderator and owner");
		break;
	case FIELD_ID:
	case FIELD_COUNT:
	case FIELD_MOMENT:
		*(int64_t *)member =
		    record_read_number(reader, name, field->type);
		break;
	}
}

static void
read_field(struct json_reader *reader, const struct field *field, void *noun)
{
	const char *name = field->name;
	bool may_be_null = field->presence != FIELD_REQUIRED &&
	    field->presence != FIELD_SPARSE;
	bool may_be_absent = may_be_null && field->presence != FIELD_NULLABLE;

	if (field->presence == FIELD_NOT_DUMPED)
		return;
	if (!json_has(reader, name)
		? may_be_absent
		: may_be_null && json_has_null(reader, name))
		return;
	read_value(reader, field, (char *)noun + field->offset);
	if (field->presence == FIELD_NULLABLE && field_is_empty(field, noun))
		json_problem(reader, name, "is empty");
}

/* "is none of site, user, ... and mute". */
static const char *
none_of_kinds(struct arena *arena)
{
	struct text words = TEXT("is none of");

	for (enum record_kind i = 0; i < RECORD_KINDS; i++)
		words = text_format(arena, "%.*s%s %s", TEXT_ARGS(words),
		    i == 0		       ? ""
			: i + 1 < RECORD_KINDS ? ","
					       : " and",
		    nouns[i]->kind);
	return text_string(arena, words);
}

static enum record_kind
read_kind(struct json_reader *reader)
{
	struct text word = json_read_text(reader, "kind");

	for (enum record_kind i = 0; i < RECORD_KINDS; i++)
		if (text_equal(word, text_of(nouns[i]->kind)))
			return i;
	json_problem(reader, "kind", none_of_kinds(reader->arena));
	return RECORD_KINDS;
}

static void
read_record(struct json_reader *reader, struct record *record)
{
	const struct noun *noun;

	record->kind = read_kind(reader);
	if (record->kind == RECORD_KINDS)
		return;
	noun = nouns[record->kind];
	for (size_t i = 0; i < noun->schema->count; i++)
		read_field(
		    reader, &noun->schema->fields[i], record_noun(record));
	if (noun->read != NULL)
		noun->read(reader, record);
}

struct text
record_read(struct arena *arena, struct text line, struct record *record)
{
	struct json_reader reader = json_open(arena, line);

	*record = (struct record){ .kind = RECORD_KINDS };
	if (reader.problem.size == 0)
		read_record(&reader, record);
	json_close(&reader);
	return reader.problem;
}
