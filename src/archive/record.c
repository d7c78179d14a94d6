#include "archive/record.h"

#include <jansson.h>

#include "base/arena.h"

/* What a number may be. */
struct range {
	int64_t least, most;
	const char *otherwise;
};

/* Until the year 9999: milliseconds are far above. */
static const struct range moments = { 1, 253402300799,
	"is not a moment in Unix seconds" };

/* Eleven digits: behind them counting goes on within a member's twelve. */
static const struct range ids = { 1, 99999999999,
	"is not from 1 to 99999999999" };
static const struct range counts = { 0, 1000000000,
	"is not from 0 to 1000000000" };

static const char *const kind_words[RECORD_KINDS] = {
	[RECORD_USER] = "user",
	[RECORD_GROUP] = "group",
	[RECORD_ARTICLE] = "article",
};

/* An object that is being filled; one value that cannot be, spoils it. */
struct writer {
	json_t *object;
	bool spoiled;
};

static void
put(struct writer *writer, const char *name, json_t *value)
{
	if (json_object_set_new(writer->object, name, value) != 0)
		writer->spoiled = true;
}

static json_t *
text_value(struct text text)
{
	return json_stringn(text.size > 0 ? text.data : "", text.size);
}

static void
put_text(struct writer *writer, const char *name, struct text text)
{
	put(writer, name, text_value(text));
}

static void
put_number(struct writer *writer, const char *name, int64_t number)
{
	put(writer, name, json_integer(number));
}

static void
put_text_or_null(struct writer *writer, const char *name, struct text text)
{
	put(writer, name, text.size > 0 ? text_value(text) : json_null());
}

static void
put_moment_or_null(struct writer *writer, const char *name, int64_t moment)
{
	put(writer, name, moment != 0 ? json_integer(moment) : json_null());
}

static void
put_words(struct writer *writer, const char *name, struct text words)
{
	json_t *array = json_array();
	struct text word;

	while (text_word(&words, &word))
		if (json_array_append_new(array, text_value(word)) != 0)
			writer->spoiled = true;
	put(writer, name, array);
}

static void
put_names(struct writer *writer, const char *name, const struct voters *voters)
{
	json_t *array = json_array();

	for (size_t i = 0; i < voters->count; i++)
		if (json_array_append_new(
			array, text_value(voters->names[i])) != 0)
			writer->spoiled = true;
	put(writer, name, array);
}

static void
put_user(struct writer *writer, const struct user *user)
{
	put_text(writer, "name", user->name);
	put_number(writer, "created", user->created);
	put_text(writer, "role", role_word(user->role));
	put_text(writer, "password", user->password_hash);
}

static void
put_group(struct writer *writer, const struct group *group)
{
	put_text(writer, "name", group->name);
	put_text(writer, "title", group->title);
	if (group->by_name.size > 0)
		put_text(writer, "by", group->by_name);
	put_number(writer, "created", group->created);
}

static void
put_article(struct writer *writer, const struct record *record)
{
	const struct article *article = &record->article;
	struct writer voters = { .spoiled = false };

	put_number(writer, "id", (int64_t)article->id);
	put_text(writer, "title", article->title);
	put_text_or_null(writer, "url", article->url);
	put_text_or_null(writer, "text", article->text);
	put_text(writer, "author", article->author_name);
	put_number(writer, "posted", article->posted);
	put_number(writer, "closes", article->closes);
	put_words(writer, "groups", article->groups);
	put_number(writer, "up", article->up);
	put_number(writer, "down", article->down);
	put_moment_or_null(writer, "interesting", article->interesting);
	put_moment_or_null(writer, "removed", article->removed);
	if (!article->recorded)
		return;
	voters.object = json_object();
	put_names(&voters, "up", &record->up);
	put_names(&voters, "down", &record->down);
	put(writer, "voters", voters.object);
	writer->spoiled = writer->spoiled || voters.spoiled;
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
	struct writer writer = { .object = json_object() };

	put_text(&writer, "kind", text_of(kind_words[record->kind]));
	switch (record->kind) {
	case RECORD_USER:
		put_user(&writer, &record->user);
		break;
	case RECORD_GROUP:
		put_group(&writer, &record->group);
		break;
	case RECORD_ARTICLE:
		put_article(&writer, record);
		break;
	case RECORD_KINDS:
		break;
	}
	if (!writer.spoiled)
		json_dump_callback(
		    writer.object, add_bytes, line, JSON_COMPACT);
	json_decref(writer.object);
	buffer_add_char(line, '\n');
	return !writer.spoiled;
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

	if (value == NULL)
		fault(reader, name, "is missing");
	else if (json_typeof(value) != type)
		fault(reader, name, what);
	return value != NULL && json_typeof(value) == type ? value : NULL;
}

static bool
is_absent(const struct reader *reader, const char *name)
{
	json_t *value = json_object_get(reader->object, name);

	return value == NULL || json_is_null(value);
}

/* There, but null. */
static bool
is_null(const struct reader *reader, const char *name)
{
	return json_is_null(json_object_get(reader->object, name));
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

static struct text
take_text_or_null(struct reader *reader, const char *name)
{
	struct text text = { NULL, 0 };

	if (is_null(reader, name))
		return text;
	text = take_text(reader, name);
	if (text.size == 0)
		fault(reader, name, "is empty");
	return text;
}

static int64_t
take_number(struct reader *reader, const char *name, const struct range *range)
{
	json_t *value =
	    take(reader, name, JSON_INTEGER, "is not a whole number");
	int64_t number;

	if (value == NULL)
		return 0;
	number = json_integer_value(value);
	if (number < range->least || number > range->most)
		fault(reader, name, range->otherwise);
	return number;
}

/* 0 when it is null. */
static int64_t
take_moment_or_null(struct reader *reader, const char *name)
{
	return is_null(reader, name) ? 0 : take_number(reader, name, &moments);
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
take_user(struct reader *reader, struct user *user)
{
	user->name = take_text(reader, "name");
	user->created = take_number(reader, "created", &moments);
	if (!role_parse(take_text(reader, "role"), &user->role))
		fault(reader, "role", "is neither member nor moderator");
	user->password_hash = take_text(reader, "password");
}

static void
take_group(struct reader *reader, struct group *group)
{
	group->name = take_text(reader, "name");
	group->title = take_text(reader, "title");
	if (!is_absent(reader, "by"))
		group->by_name = take_text(reader, "by");
	group->created = take_number(reader, "created", &moments);
}

static void
take_voters(struct reader *reader, struct record *record)
{
	struct reader voters = { .arena = reader->arena,
		.object =
		    take(reader, "voters", JSON_OBJECT, "is not an object") };

	if (voters.object == NULL)
		return;
	record->article.recorded = true;
	record->up = take_names(&voters, "up");
	record->down = take_names(&voters, "down");
	if (reader->fault.size == 0 && voters.fault.size > 0)
		reader->fault = text_join(
		    reader->arena, TEXT("of \"voters\" "), voters.fault);
}

static void
take_article(struct reader *reader, struct record *record)
{
	struct article *article = &record->article;

	article->id = (uint64_t)take_number(reader, "id", &ids);
	article->title = take_text(reader, "title");
	article->url = take_text_or_null(reader, "url");
	article->text = take_text_or_null(reader, "text");
	article->author_name = take_text(reader, "author");
	article->posted = take_number(reader, "posted", &moments);
	if (!is_absent(reader, "closes"))
		article->closes = take_number(reader, "closes", &moments);
	article->groups = take_words(reader, "groups");
	article->up = take_number(reader, "up", &counts);
	article->down = take_number(reader, "down", &counts);
	article->interesting = take_moment_or_null(reader, "interesting");
	article->removed = take_moment_or_null(reader, "removed");
	if (json_object_get(reader->object, "voters") != NULL)
		take_voters(reader, record);
}

static void
take_record(struct reader *reader, struct record *record)
{
	struct text kind = take_text(reader, "kind");

	for (enum record_kind i = RECORD_USER; i < RECORD_KINDS; i++)
		if (text_equal(kind, text_of(kind_words[i])))
			record->kind = i;
	switch (record->kind) {
	case RECORD_USER:
		take_user(reader, &record->user);
		return;
	case RECORD_GROUP:
		take_group(reader, &record->group);
		return;
	case RECORD_ARTICLE:
		take_article(reader, record);
		return;
	case RECORD_KINDS:
		fault(reader, "kind", "is none of user, group and article");
		return;
	}
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
