/*
 * Schemas, on a made-up noun that has fields of every type and presence.
 */
#include "store/schema.h"

#include <string.h>

#include "../support/world.h"

struct tree {
	uint64_t id, plot;
	struct text name, note, tags;
	struct member planter, finder;
	enum role keeper;
	int64_t leaves, planted, felled;
};

static const struct field fields[] = {
	FIELD("id", struct tree, id, ID, REQUIRED, KEY),
	FIELD("name", struct tree, name, TEXT, REQUIRED, BRIEF),
	FIELD("note", struct tree, note, TEXT, OPTIONAL, WHOLE),
	FIELD("tags", struct tree, tags, WORDS, NULLABLE, BRIEF),
	FIELD("planter", struct tree, planter, MEMBER, REQUIRED, BRIEF),
	FIELD("finder", struct tree, finder, MEMBER, OPTIONAL, WHOLE),
	FIELD("keeper", struct tree, keeper, ROLE, DEFAULTED, WHOLE),
	FIELD("plot", struct tree, plot, ID, NULLABLE, WHOLE),
	FIELD("leaves", struct tree, leaves, COUNT, REQUIRED, BRIEF),
	FIELD("planted", struct tree, planted, MOMENT, REQUIRED, WHOLE),
	FIELD("felled", struct tree, felled, MOMENT, NULLABLE, BRIEF),
};
static const struct schema schema = SCHEMA(struct tree, fields);

static const struct tree oak = { .id = 7,
	.plot = 12,
	.name = TEXT_INIT("Old oak"),
	.note = TEXT_INIT("Two\nlines"),
	.tags = TEXT_INIT("green tall"),
	.planter = { 17, TEXT_INIT("ann") },
	.finder = { 18, TEXT_INIT("bob") },
	.keeper = ROLE_MODERATOR,
	.leaves = 250000,
	.planted = 1600000000,
	.felled = 1700000000 };

static const struct tree no_tree;

static void
assert_same_brief(const struct tree *tree, const struct tree *expected)
{
	assert_same(tree->name, expected->name);
	assert_same(tree->tags, expected->tags);
	assert_int_equal(tree->planter.id, expected->planter.id);
	assert_same(tree->planter.name, expected->planter.name);
	assert_int_equal(tree->leaves, expected->leaves);
	assert_int_equal(tree->felled, expected->felled);
}

/* All fields except the id, which the hash does not have. */
static void
assert_same_tree(const struct tree *tree, const struct tree *expected)
{
	assert_same_brief(tree, expected);
	assert_same(tree->note, expected->note);
	assert_int_equal(tree->finder.id, expected->finder.id);
	assert_same(tree->finder.name, expected->finder.name);
	assert_int_equal(tree->keeper, expected->keeper);
	assert_int_equal(tree->plot, expected->plot);
	assert_int_equal(tree->planted, expected->planted);
}

/* Strings, or nil for NULL, as Redis answers with them. */
static struct reply
reply_of(struct arena *arena, const char *const *values, size_t count)
{
	struct reply reply = { .kind = REPLY_LIST,
		.items = arena_new(arena, struct reply, count),
		.count = count };

	for (size_t i = 0; i < count; i++)
		if (values[i] != NULL)
			reply.items[i] = (struct reply){ .kind = REPLY_TEXT,
				.text = text_of(values[i]) };
	return reply;
}

#define REPLY(arena, ...) \
	reply_of((arena), (const char *const[]){ __VA_ARGS__ }, \
	    sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* A whole hash, from the values of its fields in the order of the schema; NULL: it does not
 * have the field. */
static struct reply
hash_of(struct arena *arena, const char *const *values, size_t count)
{
	const char **pairs = arena_new(arena, const char *, 2 * count);
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (values[i] == NULL)
			continue;
		pairs[used++] =
		    fields[i + 1].name; /* the first is in the key */
		pairs[used++] = values[i];
	}
	return reply_of(arena, pairs, used);
}

#define HASH(arena, ...) \
	hash_of((arena), (const char *const[]){ __VA_ARGS__ }, \
	    sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* Words with a bar between them. */
static struct text
join(struct arena *arena, const struct text *words, size_t count)
{
	struct buffer joined = buffer_in(arena, 256);

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buffer_add_char(&joined, '|');
		buffer_add(&joined, words[i]);
	}
	return buffer_text(&joined);
}

static struct text
words_of(struct arena *arena, const struct tree *tree)
{
	struct text words[2 * SCHEMA_MAX];

	return join(arena, words, schema_words(arena, &schema, tree, words));
}

static void
every_type_has_its_encoding(void **state)
{
	assert_text(words_of(*state, &oak),
	    "name|Old oak|note|Two\nlines|tags|green tall|planter|17 ann|"
	    "finder|18 bob|keeper|moderator|plot|12|leaves|250000|"
	    "planted|1600000000|felled|1700000000");
}

static void
empty_fields_are_written_when_every_hash_has_them(void **state)
{
	assert_text(words_of(*state, &no_tree),
	    "name||planter||keeper|member|leaves|0|planted|0");
}

static void
whole_noun_is_read_by_the_names_of_its_fields(void **state)
{
	struct reply in_order = HASH(*state, "Old oak", "Two\nlines",
	    "green tall", "17 ann", "18 bob", "moderator", "12", "250000",
	    "1600000000", "1700000000");
	struct reply in_another =
	    REPLY(*state, "felled", "1700000000", "unknown", "name", "leaves",
		"250000", "name", "Old oak", "plot", "12", "tags", "green tall",
		"planted", "1600000000", "keeper", "moderator", "finder",
		"18 bob", "note", "Two\nlines", "planter", "17 ann");
	struct tree tree = { .id = 9 }, other = { .id = 9 };

	assert_true(schema_read(&schema, SCHEMA_WHOLE, &in_order, &tree));
	assert_same_tree(&tree, &oak);
	assert_int_equal(tree.id, 9);
	assert_true(schema_read(&schema, SCHEMA_WHOLE, &in_another, &other));
	assert_same_tree(&other, &oak);
}

static void
brief_read_leaves_other_fields_unchanged(void **state)
{
	struct reply reply = REPLY(
	    *state, "Old oak", "green tall", "17 ann", "250000", "1700000000");
	struct tree tree = { .note = TEXT("kept"), .plot = 5 };

	assert_true(schema_read(&schema, SCHEMA_BRIEF, &reply, &tree));
	assert_same_brief(&tree, &oak);
	assert_text(tree.note, "kept");
	assert_int_equal(tree.plot, 5);
	assert_int_equal(tree.planted, 0);
}

static void
missing_fields_are_read_as_empty(void **state)
{
	struct reply reply = HASH(
	    *state, "", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	struct tree tree = oak;

	assert_true(schema_read(&schema, SCHEMA_WHOLE, &reply, &tree));
	assert_same_tree(&tree, &no_tree);
}

static void
malformed_values_are_read_as_empty(void **state)
{
	struct reply reply = HASH(*state, "Old oak", NULL, NULL, "ann", NULL,
	    "king", "-1", "many", "1e9", "99999999999999999999");
	struct tree tree = oak;

	assert_true(schema_read(&schema, SCHEMA_WHOLE, &reply, &tree));
	assert_int_equal(tree.planter.id, 0);
	assert_int_equal(tree.keeper, ROLE_MEMBER);
	assert_int_equal(tree.plot, 0);
	assert_int_equal(tree.leaves, 0);
	assert_int_equal(tree.planted, 0);
	assert_int_equal(tree.felled, 0);
}

static void
first_value_that_is_not_of_its_type_is_found(void **state)
{
	static const char *const good[] = { "Old oak", NULL, NULL, "17 ann",
		NULL, "moderator", NULL, "0", "1600000000", NULL };
	static const struct {
		const char *field, *value;
		size_t index;
	} rows[] = { { "name", NULL, 0 }, { "planter", "ann", 3 },
		{ "planter", "", 3 }, { "finder", "18", 4 },
		{ "keeper", "king", 5 }, { "plot", "-1", 6 }, { "plot", "", 6 },
		{ "leaves", "2147483648", 7 }, { "leaves", NULL, 7 },
		{ "planted", "1e9", 8 }, { "felled", "1000000000000000", 9 } };
	enum { FIELDS = sizeof(good) / sizeof(good[0]) };
	struct text value;
	struct reply reply = hash_of(*state, good, FIELDS);

	assert_null(schema_find_damage(&schema, SCHEMA_WHOLE, &reply, &value));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *values[FIELDS];
		const struct field *field;

		memcpy(values, good, sizeof(good));
		values[rows[i].index] = rows[i].value;
		reply = hash_of(*state, values, FIELDS);
		field =
		    schema_find_damage(&schema, SCHEMA_WHOLE, &reply, &value);
		assert_non_null(field);
		assert_string_equal(field->name, rows[i].field);
		assert_same(value,
		    rows[i].value == NULL ? TEXT("") : text_of(rows[i].value));
	}
}

static void
hash_without_a_required_field_does_not_exist(void **state)
{
	struct reply nothing = { .kind = REPLY_NIL };
	struct reply others = HASH(*state, NULL, "A note", "green", NULL,
	    "18 bob", NULL, "12", NULL, NULL, "1700000000");
	struct tree tree;

	assert_false(schema_read(&schema, SCHEMA_WHOLE, &nothing, &tree));
	assert_false(schema_read(&schema, SCHEMA_BRIEF, &nothing, &tree));
	assert_false(schema_read(&schema, SCHEMA_WHOLE, &others, &tree));
}

static void
written_fields_are_read_back(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct text words[2 + 2 * SCHEMA_MAX] = { TEXT("HSET"), TEXT("tree") };
	struct pipeline pipeline = pipeline_begin(world->store.redis, arena);
	struct tree whole = no_tree, brief = no_tree;

	world_command_words(
	    world, words, 2 + schema_words(arena, &schema, &oak, words + 2));
	schema_ask(&pipeline, &schema, SCHEMA_WHOLE, TEXT("tree"));
	schema_ask(&pipeline, &schema, SCHEMA_BRIEF, TEXT("tree"));
	schema_ask(&pipeline, &schema, SCHEMA_WHOLE, TEXT("no tree"));
	assert_true(redis_run(&pipeline));

	assert_true(
	    schema_read(&schema, SCHEMA_WHOLE, &pipeline.replies[0], &whole));
	assert_same_tree(&whole, &oak);
	assert_true(
	    schema_read(&schema, SCHEMA_BRIEF, &pipeline.replies[1], &brief));
	assert_same_brief(&brief, &oak);
	assert_false(
	    schema_read(&schema, SCHEMA_WHOLE, &pipeline.replies[2], &brief));
}

static void
packing_keeps_the_brief_texts_and_empties_the_others(void **state)
{
	struct arena *arena = *state;
	struct buffer bytes = buffer_in(arena, 16);
	struct tree tree = no_tree;

	schema_pack(&bytes, &schema, &oak);
	schema_unpack(buffer_text(&bytes), &schema, &tree);
	assert_same_brief(&tree, &oak);
	assert_text(tree.note, "");
	assert_text(tree.finder.name, "");
	/* Other fields are in the struct itself. */
	assert_int_equal(tree.id, 7);
	assert_int_equal(tree.finder.id, 18);
	assert_int_equal(tree.keeper, ROLE_MODERATOR);
	assert_int_equal(tree.plot, 12);
	assert_int_equal(tree.planted, 1600000000);
}

static void
unpacked_texts_point_into_the_bytes(void **state)
{
	struct arena *arena = *state;
	struct buffer bytes = buffer_in(arena, 16);
	char name[] = "Young oak";
	struct tree young = { .name = text_of(name) }, tree;

	schema_pack(&bytes, &schema, &young);
	memset(name, 'x', strlen(name));
	schema_unpack(buffer_text(&bytes), &schema, &tree);
	assert_text(tree.name, "Young oak");
	assert_text(tree.tags, "");
	assert_text(tree.planter.name, "");
}

static void
empty_texts_nobody_and_zero_are_empty_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < schema.count; i++) {
		assert_false(field_is_empty(&fields[i], &oak));
		/* There is always a role. */
		assert_int_equal(field_is_empty(&fields[i], &no_tree),
		    fields[i].type != FIELD_ROLE);
	}
}

/* The arguments of a call from a position on. */
static struct text
added_words(const struct call *call, size_t before)
{
	return join(call->arena, call->words + before, call->count - before);
}

static void
required_fields_are_listed_with_their_kinds(void **state)
{
	struct call call = call_begin(*state, CALL_READS, "any_1", TEXT("key"));
	size_t before = call.count;

	schema_add_required(&call, &schema);
	assert_text(added_words(&call, before),
	    "name|text|planter|member|finder|sparse member|keeper|text|"
	    "plot|sparse number|leaves|number|planted|number|"
	    "felled|sparse number");
}

static void
fields_become_arguments_of_a_call(void **state)
{
	struct call call =
	    call_begin(*state, CALL_WRITES, "any_1", TEXT("key"));
	size_t before = call.count;

	schema_add(&call, &schema, &oak);
	assert_same(added_words(&call, before), words_of(*state, &oak));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(every_type_has_its_encoding),
		fixture_arena_test(
		    empty_fields_are_written_when_every_hash_has_them),
		fixture_arena_test(
		    whole_noun_is_read_by_the_names_of_its_fields),
		fixture_arena_test(brief_read_leaves_other_fields_unchanged),
		fixture_arena_test(missing_fields_are_read_as_empty),
		fixture_arena_test(malformed_values_are_read_as_empty),
		fixture_arena_test(
		    first_value_that_is_not_of_its_type_is_found),
		fixture_arena_test(
		    hash_without_a_required_field_does_not_exist),
		world_test(written_fields_are_read_back),
		fixture_arena_test(
		    packing_keeps_the_brief_texts_and_empties_the_others),
		fixture_arena_test(unpacked_texts_point_into_the_bytes),
		fixture_arena_test(
		    empty_texts_nobody_and_zero_are_empty_fields),
		fixture_arena_test(required_fields_are_listed_with_their_kinds),
		fixture_arena_test(fields_become_arguments_of_a_call),
	};

	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
