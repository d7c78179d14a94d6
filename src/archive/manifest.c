#include "archive/manifest.h"

#include "archive/noun.h"
#include "archive/references.h"
#include "base/arena.h"
#include "store/keys.h"
#include "store/rules.h"

enum { FIRST_CAPACITY = 1024 };

struct entry {
	struct text key;       /* of the noun: "@ann", "/g/go", "7" or "7:3" */
	uint32_t last_comment; /* of an article; 0: none */
	enum manifest_state state;
};

/* How many there are, and the highest that is not too high. */
struct numbers {
	uint64_t count, last;
};

/* A hash table with linear probing, at most half full. */
struct manifest {
	struct arena table, keys;
	struct entry *entries;
	size_t count, capacity; /* a power of two */
	struct numbers numbers[RECORD_KINDS];
	uint64_t comments, free; /* free: numbers left out */
	bool has_unknown;
};

struct manifest *
manifest_new(void)
{
	struct arena keys = { 0 };
	struct manifest *manifest = arena_new(&keys, struct manifest, 1);

	manifest->keys = keys;
	manifest->capacity = FIRST_CAPACITY;
	manifest->entries =
	    arena_new(&manifest->table, struct entry, manifest->capacity);
	return manifest;
}

void
manifest_free(struct manifest *manifest)
{
	struct arena keys = manifest->keys;

	arena_free(&manifest->table);
	arena_free(&keys);
}

/* Where it is, or belongs. */
static struct entry *
find_entry(const struct manifest *manifest, struct text key)
{
	size_t mask = manifest->capacity - 1, at = text_hash(key) & mask;

	while (manifest->entries[at].key.size > 0 &&
	    !text_equal(manifest->entries[at].key, key))
		at = (at + 1) & mask;
	return &manifest->entries[at];
}

static void
grow_table(struct manifest *manifest)
{
	struct arena before = manifest->table;
	struct entry *entries = manifest->entries;
	size_t capacity = manifest->capacity;

	manifest->table = (struct arena){ 0 };
	manifest->capacity *= 2;
	manifest->entries =
	    arena_new(&manifest->table, struct entry, manifest->capacity);
	for (size_t i = 0; i < capacity; i++)
		if (entries[i].key.size > 0)
			*find_entry(manifest, entries[i].key) = entries[i];
	arena_free(&before);
}

static struct entry *
add_entry(struct manifest *manifest, struct text key)
{
	struct entry *entry = find_entry(manifest, key);

	if (entry->key.size > 0)
		return entry;
	entry->key = text_copy(&manifest->keys, key);
	if (++manifest->count * 2 <= manifest->capacity)
		return entry;
	grow_table(manifest);
	return find_entry(manifest, key);
}

/* The key of a record; empty for what no line names. False when it is not known. */
static bool
read_key(struct arena *arena, const struct record *record, struct text *key)
{
	*key = TEXT("");
	if (record->kind == RECORD_KINDS)
		return false;
	if (nouns[record->kind]->key == NULL)
		return true;
	*key = nouns[record->kind]->key(arena, record);
	return key->size > 0;
}

static void
add_number(struct numbers *numbers, uint64_t number)
{
	uint64_t max = MANIFEST_IDS_FREE + ++numbers->count * RULE_BUCKETS_MAX;

	if (number > numbers->last && number <= max)
		numbers->last = number;
}

static void
add_comment(struct manifest *manifest, struct arena *arena, struct post_id id)
{
	struct entry *thread =
	    add_entry(manifest, key_post_name(arena, article_id(id.article)));
	uint64_t last = thread->last_comment, left_out;

	manifest->comments++;
	if (id.comment <= last)
		return;
	left_out = id.comment - last - 1;
	if (manifest->free + left_out >
	    MANIFEST_COMMENTS_FREE + manifest->comments)
		return;
	manifest->free += left_out;
	thread->last_comment = (uint32_t)id.comment;
}

static void
add_numbers(
    struct manifest *manifest, struct arena *arena, const struct record *record)
{
	const struct noun *noun = nouns[record->kind];

	if (noun->number != NULL)
		add_number(
		    &manifest->numbers[record->kind], noun->number(record));
	else if (record->kind == RECORD_COMMENT)
		add_comment(manifest, arena, record->comment.post.id);
}

void
manifest_add(
    struct manifest *manifest, const struct record *record, bool has_problem)
{
	struct arena arena = { 0 };
	struct text key;

	if (!read_key(&arena, record, &key))
		manifest->has_unknown = true;
	else if (key.size > 0)
		add_entry(manifest, key)->state = MANIFEST_AHEAD;
	if (!has_problem)
		add_numbers(manifest, &arena, record);
	arena_free(&arena);
}

void
manifest_add_unknown(struct manifest *manifest)
{
	manifest->has_unknown = true;
}

uint64_t
manifest_last_number(const struct manifest *manifest, enum record_kind kind)
{
	return manifest->numbers[kind].last;
}

uint64_t
manifest_last_comment(const struct manifest *manifest, uint64_t article)
{
	struct arena arena = { 0 };
	uint64_t last =
	    find_entry(manifest, key_post_name(&arena, article_id(article)))
		->last_comment;

	arena_free(&arena);
	return last;
}

struct text
manifest_number_problem(const struct manifest *manifest, struct arena *arena,
    const struct record *record)
{
	const struct noun *noun = nouns[record->kind];
	uint64_t last = UINT64_MAX, number = 0;

	if (noun->number != NULL) {
		last = manifest->numbers[record->kind].last;
		number = noun->number(record);
	} else if (record->kind == RECORD_COMMENT) {
		struct post_id id = record->comment.post.id;

		last = manifest_last_comment(manifest, id.article);
		number = id.comment;
	}
	return number <= last
	    ? TEXT("")
	    : text_format(arena, "\"id\" leaves out too many before it");
}

void
manifest_set_state(struct manifest *manifest, const struct record *record,
    enum manifest_state state)
{
	struct arena arena = { 0 };
	struct text key;

	if (read_key(&arena, record, &key) && key.size > 0)
		add_entry(manifest, key)->state = state;
	arena_free(&arena);
}

/* The first problem of a record's references. */
struct reference_check {
	const struct manifest *manifest;
	struct arena *arena;
	struct text problem;
};

static struct text
reference_key(struct arena *arena, const struct reference *reference)
{
	switch (reference->kind) {
	case REFERENCE_MEMBER:
		return references_member_key(arena, reference->name);
	case REFERENCE_GROUP:
		return references_group_key(arena, reference->name);
	default:
		return key_post_name(arena, reference->post);
	}
}

/* "member \"ann\"". */
static struct text
describe_reference(struct arena *arena, const struct reference *reference)
{
	switch (reference->kind) {
	case REFERENCE_MEMBER:
		return text_format(
		    arena, "member \"%.*s\"", TEXT_ARGS(reference->name));
	case REFERENCE_GROUP:
		return text_format(
		    arena, "group \"%.*s\"", TEXT_ARGS(reference->name));
	default:
		return record_post_name(arena, reference->post);
	}
}

/* The end of the problem; NULL when there is none. */
static const char *
state_problem(const struct manifest *manifest, struct text key,
    enum reference_order order)
{
	enum manifest_state state = find_entry(manifest, key)->state;
	bool is_before = order == REFERENCE_BEFORE;

	if (state == MANIFEST_REFUSED)
		return "which is refused";
	if (state == MANIFEST_AHEAD && is_before)
		return "whose line comes later";
	if (state == MANIFEST_UNKNOWN && manifest->has_unknown && is_before)
		return "whose line may be one that cannot be read";
	return NULL;
}

static enum store_result
check_reference(void *data, const struct reference *reference)
{
	struct reference_check *check = data;
	const char *problem;

	if (reference->kind != REFERENCE_POST && reference->name.size == 0)
		return STORE_OK;
	problem = state_problem(check->manifest,
	    reference_key(check->arena, reference), reference->order);
	if (problem == NULL)
		return STORE_OK;
	check->problem = text_format(check->arena, "it names %.*s, %s",
	    TEXT_ARGS(describe_reference(check->arena, reference)), problem);
	return STORE_TAKEN;
}

struct text
manifest_reference_problem(
    const struct manifest *manifest, struct arena *arena, struct record *record)
{
	struct reference_check check = { manifest, arena, { NULL, 0 } };

	(void)!references_visit(record, check_reference, &check);
	return check.problem;
}
