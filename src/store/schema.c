#include "store/schema.h"

#include <string.h>

/* The member of a noun that a row is about; it is as const as the noun. */
static void *
field_value_in(const struct field *field, const void *noun)
{
	return (char *)noun + field->offset;
}

struct text *
field_text(const struct field *field, const void *noun)
{
	void *value = field_value_in(field, noun);

	if (field->type == FIELD_MEMBER)
		return &((struct member *)value)->name;
	return field->type < FIELD_MEMBER ? value : NULL;
}

static bool
is_number(const struct field *field)
{
	return field->type == FIELD_ID || field->type == FIELD_COUNT ||
	    field->type == FIELD_MOMENT;
}

static bool
is_in_hash(const struct field *field)
{
	return field->extent >= SCHEMA_BRIEF;
}

static bool
is_asked(const struct field *field, enum schema_extent extent)
{
	return is_in_hash(field) && field->extent <= extent;
}

/* Whether every noun has it, empty or not. */
static bool
is_needed(const struct field *field)
{
	return field->presence <= FIELD_DEFAULTED;
}

static bool
is_named(const struct field *field, struct text name)
{
	return name.size > 0 && name.data[0] == field->name[0] &&
	    text_equal(name, text_of(field->name));
}

void
schema_ask(struct pipeline *pipeline, const struct schema *schema,
    enum schema_extent extent, struct text key)
{
	struct text words[2 + SCHEMA_MAX] = { TEXT("HMGET"), key };
	size_t count = 2;

	if (extent == SCHEMA_WHOLE) {
		pipeline_add(pipeline, TEXT("HGETALL"), key);
		return;
	}
	for (size_t i = 0; i < schema->count; i++)
		if (is_asked(&schema->fields[i], extent))
			words[count++] = text_of(schema->fields[i].name);
	pipeline_add_words(pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
}

/* The values of a schema's fields in a reply; of those that the hash does not have, nil. */
struct values {
	const struct reply *of[SCHEMA_MAX];
};

/* The values in a reply of names and values in turn. Hashes are mostly in the order of the schema,
 * so each name is searched from the former one's row on. */
static void
find_values(const struct schema *schema, const struct reply *reply,
    struct values *values)
{
	size_t row = 0;

	for (size_t i = 0; i < schema->count; i++)
		values->of[i] = reply_item(reply, reply->count);
	for (size_t i = 0; i + 1 < reply->count; i += 2) {
		struct text name = reply_text(reply_item(reply, i));

		for (size_t tried = 0; tried < schema->count; tried++) {
			size_t at = (row + tried) % schema->count;

			if (!is_named(&schema->fields[at], name))
				continue;
			values->of[at] = reply_item(reply, i + 1);
			row = at + 1;
			break;
		}
	}
}

/* The values in the reply of schema_ask with this extent. */
static void
read_values(const struct schema *schema, enum schema_extent extent,
    const struct reply *reply, struct values *values)
{
	size_t next = 0;

	if (extent == SCHEMA_WHOLE) {
		find_values(schema, reply, values);
		return;
	}
	for (size_t i = 0; i < schema->count; i++) {
		bool asked = is_asked(&schema->fields[i], extent);

		values->of[i] =
		    reply_item(reply, asked ? next++ : reply->count);
	}
}

/* Takes a member's value from what the hash has. */
static void
read_value(const struct field *field, const struct reply *value, void *noun)
{
	void *place = field_value_in(field, noun);

	switch (field->type) {
	case FIELD_TEXT:
	case FIELD_WORDS:
		*(struct text *)place = reply_text(value);
		break;
	case FIELD_MEMBER:
		*(struct member *)place = member_parse(reply_text(value));
		break;
	case FIELD_ROLE:
		*(enum role *)place = ROLE_MEMBER;
		role_parse(reply_text(value), place);
		break;
	case FIELD_ID:
		*(uint64_t *)place = reply_id(value);
		break;
	case FIELD_COUNT:
		*(int64_t *)place = reply_count(value);
		break;
	case FIELD_MOMENT:
		*(int64_t *)place = reply_number(value);
		break;
	}
}

bool
schema_read(const struct schema *schema, enum schema_extent extent,
    const struct reply *reply, void *noun)
{
	struct values values;
	bool exists = false;

	read_values(schema, extent, reply, &values);
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *field = &schema->fields[i];
		const struct reply *value;

		if (!is_asked(field, extent))
			continue;
		value = values.of[i];
		read_value(field, value, noun);
		exists |= is_needed(field) && value->kind != REPLY_NIL;
	}
	return exists;
}

static bool
is_readable(const struct field *field, const struct reply *value)
{
	enum role role;
	struct text text = reply_text(value);

	if (value->kind == REPLY_NIL)
		return !is_needed(field);
	if (field->type == FIELD_MEMBER)
		return member_parse(text).id != 0 &&
		    member_parse(text).name.size > 0;
	if (field->type == FIELD_ROLE)
		return role_parse(text, &role);
	if (!is_number(field))
		return true;
	/* What is read as 0 and is another word was out of range, or no number. */
	return text_equal(text, TEXT("0")) ||
	    (field->type == FIELD_COUNT ? reply_count(value)
					: reply_number(value)) > 0;
}

const struct field *
schema_find_damage(const struct schema *schema, enum schema_extent extent,
    const struct reply *reply, struct text *value)
{
	struct values values;

	read_values(schema, extent, reply, &values);
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *field = &schema->fields[i];
		const struct reply *item;

		if (!is_asked(field, extent))
			continue;
		item = values.of[i];
		*value = reply_text(item);
		if (!is_readable(field, item))
			return field;
	}
	return NULL;
}

const struct field *
schema_find(const struct schema *schema, struct text name)
{
	for (size_t i = 0; i < schema->count; i++)
		if (is_named(&schema->fields[i], name))
			return &schema->fields[i];
	return NULL;
}

bool
schema_keeps(const struct schema *schema, struct text name)
{
	const struct field *field = schema_find(schema, name);

	return field != NULL && is_in_hash(field) &&
	    (field->type >= FIELD_MEMBER || field->is_kept);
}

bool
field_is_empty(const struct field *field, const void *noun)
{
	const struct text *text = field_text(field, noun);

	if (text != NULL)
		return text->size == 0;
	return is_number(field) &&
	    *(const int64_t *)field_value_in(field, noun) == 0;
}

/* A member's value as the hash has it. */
static struct text
field_value(struct arena *arena, const struct field *field, const void *noun)
{
	const void *value = field_value_in(field, noun);
	const struct member *member = value;

	switch (field->type) {
	case FIELD_TEXT:
	case FIELD_WORDS:
		return *(const struct text *)value;
	case FIELD_MEMBER:
		return member->id == 0 ? TEXT("")
				       : text_format(arena, "%llu %.*s",
					     (unsigned long long)member->id,
					     TEXT_ARGS(member->name));
	case FIELD_ROLE:
		return role_words[*(const enum role *)value];
	default:
		return text_number(arena, *(const int64_t *)value);
	}
}

size_t
schema_words(struct arena *arena, const struct schema *schema, const void *noun,
    struct text *words)
{
	size_t count = 0;

	for (size_t i = 0; i < schema->count; i++) {
		const struct field *field = &schema->fields[i];

		if (field->extent == SCHEMA_KEY ||
		    field->presence == FIELD_NOT_DUMPED ||
		    (!is_needed(field) && field_is_empty(field, noun)))
			continue;
		words[count++] = text_of(field->name);
		words[count++] = field_value(arena, field, noun);
	}
	return count;
}

void
schema_add(struct call *call, const struct schema *schema, const void *noun)
{
	struct text words[2 * SCHEMA_MAX];
	size_t count = schema_words(call->arena, schema, noun, words);

	call_add_words(call, words, count);
}

void
schema_add_required(struct call *call, const struct schema *schema)
{
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *field = &schema->fields[i];
		struct text kind =
		    is_number(field) ? TEXT("number") : TEXT("text");

		if (field->type == FIELD_MEMBER)
			kind = TEXT("member");
		if (!is_needed(field))
			kind = text_join(call->arena, TEXT("sparse "), kind);
		if (is_in_hash(field) && field->presence != FIELD_NOT_DUMPED &&
		    (is_needed(field) || field->type >= FIELD_MEMBER))
			call_add(call, text_of(field->name), kind);
	}
}

void
schema_pack(struct buffer *bytes, const struct schema *schema, const void *noun)
{
	buffer_add(bytes, (struct text){ noun, schema->size });
	for (size_t i = 0; i < schema->count; i++) {
		const struct text *text = field_text(&schema->fields[i], noun);

		if (text != NULL && schema->fields[i].extent == SCHEMA_BRIEF)
			buffer_add(bytes, *text);
	}
}

void
schema_unpack(struct text packed, const struct schema *schema, void *noun)
{
	const char *bytes = packed.data + schema->size;

	memcpy(noun, packed.data, schema->size);
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *field = &schema->fields[i];
		struct text *text;

		if (field->type > FIELD_MEMBER)
			continue;
		text = field_text(field, noun);
		text->data = bytes;
		if (field->extent != SCHEMA_BRIEF)
			text->size = 0;
		bytes += text->size;
	}
}
