#include "archive/record.h"

#include "base/arena.h"

/* What a number may be. */
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

static const struct field notice_fields[] = {
	FIELD("to", struct record_notice, to, MEMBER, REQUIRED, WHOLE),
	FIELD("number", struct record_notice, number, ID, REQUIRED, WHOLE),
	FIELD("article", struct record_notice, comment.article, ID, REQUIRED,
	    WHOLE),
	FIELD("comment", struct record_notice, comment.comment, ID, REQUIRED,
	    WHOLE),
	FIELD("why", struct record_notice, why, TEXT, REQUIRED, WHOLE),
};
static const struct schema notice_schema =
    SCHEMA(struct record_notice, notice_fields);

static const struct field mute_fields[] = {
	FIELD("by", struct record_mute, by, MEMBER, REQUIRED, WHOLE),
	FIELD("article", struct record_mute, article, ID, OPTIONAL, WHOLE),
	FIELD("member", struct record_mute, member, MEMBER, OPTIONAL, WHOLE),
};
static const struct schema mute_schema =
    SCHEMA(struct record_mute, mute_fields);

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
	[RECORD_COMMENT] = { "comment", &comment_schema,
	    offsetof(struct record, comment) },
	[RECORD_ACT] = { "act", &mod_action_schema,
	    offsetof(struct record, act) },
	[RECORD_NOTICE] = { "notice", &notice_schema,
	    offsetof(struct record, notice) },
	[RECORD_MUTE] = { "mute", &mute_schema, offsetof(struct record, mute) },
};

static const char *const voters_names[VOTERS_KINDS] = {
	[VOTERS_UP] = "up",
	[VOTERS_DOWN] = "down",
	[VOTERS_VOIDED_UP] = "voided_up",
	[VOTERS_VOIDED_DOWN] = "voided_down",
};

const char *
record_word(enum record_kind kind)
{
	static const char *const words[RECORD_KINDS] = {
		[RECORD_SITE] = "settings",
		[RECORD_USER] = "member",
		[RECORD_GROUP] = "group",
		[RECORD_ARTICLE] = "article",
		[RECORD_COMMENT] = "comment",
		[RECORD_ACT] = "act",
		[RECORD_NOTICE] = "notice",
		[RECORD_MUTE] = "mute",
	};

	return words[kind];
}

const struct schema *
record_schema(enum record_kind kind)
{
	return kinds[kind].schema;
}

void *
record_noun(const struct record *record)
{
	return (char *)record + kinds[record->kind].offset;
}

struct post *
record_post(const struct record *record)
{
	/* Either noun begins with its post. */
	return record->kind == RECORD_ARTICLE || record->kind == RECORD_COMMENT
	    ? record_noun(record)
	    : NULL;
}

struct notice
record_told(const struct record_notice *told)
{
	struct notice notice = { .number = told->number,
		.comment = told->comment };

	notice_parse(told->why, &notice.reason);
	return notice;
}

struct mute
record_muted(const struct record_mute *mute)
{
	return mute->article != 0
	    ? (struct mute){ MUTE_ARTICLE, mute->article }
	    : (struct mute){ MUTE_MEMBER, mute->member.id };
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

static void
put_voters(struct json_t *object, const struct record *record)
{
	struct json_t *voters = json_new_object();

	for (size_t i = 0; i < VOTERS_KINDS; i++)
		if (i < VOTERS_VOIDED_UP || record->voters[i].names.count > 0)
			json_put_names(
			    voters, voters_names[i], &record->voters[i].names);
	json_put(object, "voters", voters);
}

static void
put_flags(struct json_t *object, const struct record *record)
{
	struct json_t *flags = json_new_array();

	for (size_t i = 0; i < record->flag_count; i++) {
		const struct record_flag *flag = &record->flags[i];
		struct json_t *item = json_new_object();

		if (flag->by.size > 0)
			json_put_text(item, "by", flag->by);
		json_put_text(item, "reason", flag_words[flag->flagged.flag]);
		json_put_number(item, "at", flag->flagged.at);
		if (flag->flagged.dismissed)
			json_put_true(item, "dismissed");
		json_append_object(flags, item);
	}
	json_put(object, "flags", flags);
}

bool
record_write(struct buffer *line, const struct record *record)
{
	struct json_t *object = json_new_object();
	const struct schema *schema = record_schema(record->kind);
	const struct post *post = record_post(record);

	json_put_text(object, "kind", text_of(kinds[record->kind].word));
	for (size_t i = 0; i < schema->count; i++)
		put_field(object, &schema->fields[i], record_noun(record));
	if (post != NULL && post->voters_known)
		put_voters(object, record);
	if (post != NULL && record->flag_count > 0)
		put_flags(object, record);
	return json_write(object, line);
}

static int64_t
take_number(struct json_reader *reader, const char *name, enum field_type type)
{
	const struct range *range = &ranges[type];
	int64_t number = json_take_number(reader, name);

	if (number < range->min || number > range->max)
		json_fault(reader, name, range->otherwise);
	return number;
}

static void
take_value(struct json_reader *reader, const struct field *field, void *member)
{
	const char *name = field->name;

	switch (field->type) {
	case FIELD_TEXT:
		*(struct text *)member = json_take_text(reader, name);
		break;
	case FIELD_WORDS:
		*(struct text *)member = json_take_words(reader, name);
		break;
	case FIELD_MEMBER:
		((struct member *)member)->name = json_take_text(reader, name);
		break;
	case FIELD_ROLE:
		if (!role_parse(json_take_text(reader, name), member))
			json_fault(reader, name,
			    "is none of member, moderator and owner");
		break;
	case FIELD_ID:
	case FIELD_COUNT:
	case FIELD_MOMENT:
		*(int64_t *)member = take_number(reader, name, field->type);
		break;
	}
}

static void
take_field(struct json_reader *reader, const struct field *field, void *noun)
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
	take_value(reader, field, (char *)noun + field->offset);
	if (field->presence == FIELD_NULLABLE && field_is_empty(field, noun))
		json_fault(reader, name, "is empty");
}

static void
take_voters(struct json_reader *reader, struct record *record)
{
	struct json_reader voters = json_enter(reader, "voters");

	if (voters.object == NULL)
		return;
	record_post(record)->voters_known = true;
	for (size_t i = 0; i < VOTERS_KINDS; i++)
		if (i < VOTERS_VOIDED_UP || json_has(&voters, voters_names[i]))
			record->voters[i].names =
			    json_take_names(&voters, voters_names[i]);
	json_leave(reader, "voters", &voters);
}

static void
take_flag(struct json_reader *reader, struct record_flag *flag)
{
	struct text word = json_take_text(reader, "reason");
	size_t index;

	flag->flagged.at = take_number(reader, "at", FIELD_MOMENT);
	if (json_has(reader, "by"))
		flag->by = json_take_text(reader, "by");
	if (json_has(reader, "dismissed"))
		flag->flagged.dismissed = json_take_true(reader, "dismissed");
	/* One that was taken back is kept if it was dismissed. */
	if (!text_index(word, flag_words, FLAG_KINDS, &index) ||
	    (index == FLAG_NONE && !flag->flagged.dismissed))
		json_fault(reader, "reason", "is no reason for a flag");
	else
		flag->flagged.flag = (enum flag)index;
	if ((flag->flagged.flag == FLAG_FIRST) != (flag->by.size == 0))
		json_fault(reader, "by",
		    "has to be there, but for what is a new member's first");
}

static void
take_flags(struct json_reader *reader, struct record *record)
{
	record->flag_count = json_count(reader, "flags");
	record->flags =
	    arena_new(reader->arena, struct record_flag, record->flag_count);
	for (size_t i = 0; i < record->flag_count; i++) {
		struct json_reader item = json_enter_item(reader, "flags", i);

		if (item.object == NULL)
			return;
		take_flag(&item, &record->flags[i]);
		json_leave(reader, "flags", &item);
	}
}

static enum record_kind
take_kind(struct json_reader *reader)
{
	struct text word = json_take_text(reader, "kind");

	for (enum record_kind i = RECORD_SITE; i < RECORD_KINDS; i++)
		if (text_equal(word, text_of(kinds[i].word)))
			return i;
	json_fault(reader, "kind",
	    "is none of site, user, group, article, comment, act, notice and "
	    "mute");
	return RECORD_KINDS;
}

static void
take_record(struct json_reader *reader, struct record *record)
{
	const struct schema *schema;

	record->kind = take_kind(reader);
	if (record->kind == RECORD_KINDS)
		return;
	schema = record_schema(record->kind);
	for (size_t i = 0; i < schema->count; i++)
		take_field(reader, &schema->fields[i], record_noun(record));
	if (record_post(record) == NULL)
		return;
	if (json_has(reader, "voters"))
		take_voters(reader, record);
	if (json_has(reader, "flags"))
		take_flags(reader, record);
}

struct text
record_read(struct arena *arena, struct text line, struct record *record)
{
	struct json_reader reader = json_open(arena, line);

	*record = (struct record){ .kind = RECORD_KINDS };
	if (reader.fault.size == 0)
		take_record(&reader, record);
	json_close(&reader);
	return reader.fault;
}
