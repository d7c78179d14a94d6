#include "search/query.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "base/words.h"
#include "store/rules.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const struct text query_orders[QUERY_ORDERS] = {
	[QUERY_RELEVANCE] = TEXT_INIT("relevance"),
	[QUERY_NEWEST] = TEXT_INIT("newest"),
	[QUERY_POINTS] = TEXT_INIT("points"),
};

static const struct text post_kinds[] = { TEXT_INIT("link"), TEXT_INIT("text"),
	TEXT_INIT("comment"), TEXT_INIT("article") };

/* A query while it is read. */
struct reader {
	struct arena *arena;
	struct query *query;
	struct text rest; /* from the item that is read next */
	bool excluded;	  /* the item has a '-' */
	bool quoted;	  /* its value is in quotes */
	bool joined;	  /* an OR came before it */
};

static void
add_note(struct reader *reader, enum query_note_kind kind, struct text value)
{
	struct query *query = reader->query;

	for (size_t i = 0; i < query->note_count; i++)
		if (query->notes[i].kind == kind &&
		    text_equal(query->notes[i].value, value))
			return;
	if (query->note_count < COUNT(query->notes))
		query->notes[query->note_count++] =
		    (struct query_note){ kind, value };
}

/* Items of which a post has one value: either of two will do. */
static bool
is_single_valued(enum query_kind kind)
{
	return kind == QUERY_AUTHOR || kind == QUERY_DOMAIN || kind == QUERY_IS;
}

static size_t
choose_clause(const struct reader *reader, enum query_kind kind)
{
	const struct query *query = reader->query;

	if (reader->joined && query->count > 0 &&
	    !query->items[query->count - 1].excluded)
		return query->items[query->count - 1].clause;
	for (size_t i = 0; i < query->count; i++)
		if (is_single_valued(kind) && query->items[i].kind == kind &&
		    !query->items[i].excluded)
			return query->items[i].clause;
	return query->clauses;
}

static void
add_item(struct reader *reader, struct query_item item)
{
	struct query *query = reader->query;

	if (query->count == QUERY_ITEMS_MAX) {
		add_note(reader, QUERY_TOO_LONG, TEXT(""));
		reader->rest = TEXT("");
		return;
	}
	item.excluded = reader->excluded;
	if (!item.excluded) {
		item.clause = choose_clause(reader, item.kind);
		if (item.clause == query->clauses)
			query->clauses++;
	}
	query->items[query->count++] = item;
	reader->joined = false;
}

/* Sets the words as they have to follow each other, one at each position. Of a script without
 * spaces these are the pairs, and the last character if something follows it. Returns the kind
 * of the last one. */
static enum word_kind
set_words(struct arena *arena, struct text text, struct query_item *item)
{
	struct text *found = arena_new(arena, struct text, text.size + 1);
	struct word word, before = { .kind = WORD_WHOLE };
	struct words words;
	bool has_rest = false;

	words_begin(&words, text);
	while (words_next(&words, &word)) {
		if (word.position < item->word_count)
			continue;
		found[item->word_count++] = text_copy(arena, word.text);
		has_rest = word.kind == WORD_SINGLE && before.kind == WORD_PAIR;
		before = word;
	}
	item->words = found;
	item->word_count -= has_rest;
	return before.kind;
}

static bool
ends_with(struct text word, struct text end)
{
	return word.size >= end.size &&
	    text_equal(text_slice(word, word.size - end.size, end.size), end);
}

/* "votes" of "vote", and "vote" of "votes". Words of three letters and more; none of "redis",
 * "status", "class". */
static struct text
make_variant(struct arena *arena, struct text word)
{
	for (size_t i = 0; i < word.size; i++)
		if (word.data[i] < 'a' || word.data[i] > 'z')
			return TEXT("");
	if (word.size < 3 || ends_with(word, TEXT("ss")) ||
	    ends_with(word, TEXT("us")) || ends_with(word, TEXT("is")))
		return TEXT("");
	if (!ends_with(word, TEXT("s")))
		return text_join(arena, word, TEXT("s"));
	return word.size > 3 ? text_slice(word, 0, word.size - 1) : TEXT("");
}

static bool
is_hangul(int32_t point)
{
	return point >= 0xAC00 && point <= 0xD7A3;
}

/* Long enough for a "*" behind it. */
static bool
is_prefix(const struct query_item *item)
{
	struct text last = item->words[item->word_count - 1];
	size_t length = utf8_length(last);
	int32_t point = 0;

	return utf8_next(&last, &point) &&
	    length >= (is_hangul(point) ? 2 : QUERY_PREFIX_MIN);
}

/* Adds words, if the text has any. */
static void
add_words(struct reader *reader, struct text text, enum query_kind kind)
{
	struct query_item item = { .kind = kind, .value = text };
	enum word_kind last = set_words(reader->arena, text, &item);

	if (item.word_count == 0)
		return;
	/* Without spaces everything is found at the beginning of something. */
	if (kind == QUERY_PREFIX && last != WORD_WHOLE)
		item.kind = kind = QUERY_WORDS;
	if (kind == QUERY_PREFIX && !is_prefix(&item)) {
		add_note(reader, QUERY_SHORT_PREFIX, text);
		item.kind = QUERY_WORDS;
	}
	if (item.word_count == 1 && item.kind != QUERY_PREFIX &&
	    !reader->quoted)
		item.variant = make_variant(reader->arena, item.words[0]);
	add_item(reader, item);
}

/* Operators: each takes a value, or returns false, and the item is words. */

static bool
take_author(struct reader *reader, struct text value)
{
	struct query_item item = { .kind = QUERY_AUTHOR };

	if (rule_user_name(reader->arena, &value).kind != PROBLEM_NONE) {
		add_note(reader, QUERY_NO_NAME, value);
		return false;
	}
	item.value = text_lower(reader->arena, value);
	add_item(reader, item);
	return true;
}

static bool
take_group(struct reader *reader, struct text value)
{
	struct text names = text_lower(reader->arena, value), rest = names;
	struct text name;

	while (text_cut(&rest, '+', &name))
		if (rule_group_name(reader->arena, &name).kind !=
		    PROBLEM_NONE) {
			add_note(reader, QUERY_NO_NAME, value);
			return false;
		}
	for (rest = names; text_cut(&rest, '+', &name);) {
		add_item(reader,
		    (struct query_item){ .kind = QUERY_GROUP, .value = name });
		reader->joined = !reader->excluded && rest.data != NULL;
	}
	return true;
}

static bool
take_domain(struct reader *reader, struct text value)
{
	struct query_item item = { .kind = QUERY_DOMAIN };

	item.value = value;
	if (rule_host(reader->arena, &item.value).kind != PROBLEM_NONE) {
		add_note(reader, QUERY_NO_NAME, value);
		return false;
	}
	add_item(reader, item);
	return true;
}

static bool
take_title(struct reader *reader, struct text value)
{
	add_words(reader, value, QUERY_TITLE);
	return true;
}

static bool
take_kind(struct reader *reader, struct text value)
{
	struct text word = text_lower(reader->arena, value);
	size_t index;

	if (!text_index(word, post_kinds, COUNT(post_kinds), &index)) {
		add_note(reader, QUERY_NO_KIND, value);
		return false;
	}
	add_item(
	    reader, (struct query_item){ .kind = QUERY_IS, .value = word });
	return true;
}

static bool
read_number(struct text *rest, size_t digits, int *number)
{
	struct text part = text_slice(*rest, 0, digits);

	*number = 0;
	for (size_t i = 0; i < part.size; i++) {
		if (part.data[i] < '0' || part.data[i] > '9')
			return false;
		*number = *number * 10 + part.data[i] - '0';
	}
	*rest = text_slice(*rest, digits, rest->size);
	return part.size == digits;
}

/* The first second of a year, month or day: "2024", "2024-05", "2024-05-31". */
static bool
read_date(struct text text, int64_t *moment)
{
	struct tm date = { .tm_mday = 1 };
	int month = 1, day = 1;
	int64_t start;

	if (!read_number(&text, 4, &date.tm_year))
		return false;
	for (int i = 0; i < 2 && text_starts(text, TEXT("-")); i++) {
		text = text_slice(text, 1, text.size);
		if (!read_number(&text, 2, i == 0 ? &month : &day))
			return false;
	}
	if (text.size > 0 || date.tm_year < 1970 || month < 1 || month > 12)
		return false;
	date.tm_year -= 1900;
	date.tm_mon = month - 1;
	date.tm_mday = day;
	start = timegm(&date);
	/* timegm makes the 1st of March of the 30th of February. */
	if (date.tm_mday != day || date.tm_mon != month - 1)
		return false;
	*moment = start;
	return true;
}

static bool
take_date(struct reader *reader, struct text value, int64_t *moment)
{
	if (!reader->excluded && read_date(value, moment))
		return true;
	add_note(reader, QUERY_NO_DATE, value);
	return false;
}

static bool
take_before(struct reader *reader, struct text value)
{
	return take_date(reader, value, &reader->query->before);
}

static bool
take_after(struct reader *reader, struct text value)
{
	return take_date(reader, value, &reader->query->after);
}

static bool
take_order(struct reader *reader, struct text value)
{
	struct text word = text_lower(reader->arena, value);
	size_t index;

	if (reader->excluded ||
	    !text_index(word, query_orders, QUERY_ORDERS, &index)) {
		add_note(reader, QUERY_NO_ORDER, value);
		return false;
	}
	reader->query->order = (enum query_order)index;
	reader->query->has_order = true;
	return true;
}

static const struct {
	struct text name;
	bool (*take)(struct reader *reader, struct text value);
} operators[] = {
	{ TEXT_INIT("author"), take_author },
	{ TEXT_INIT("by"), take_author },
	{ TEXT_INIT("@"), take_author },
	{ TEXT_INIT("group"), take_group },
	{ TEXT_INIT("tag"), take_group },
	{ TEXT_INIT("domain"), take_domain },
	{ TEXT_INIT("site"), take_domain },
	{ TEXT_INIT("title"), take_title },
	{ TEXT_INIT("is"), take_kind },
	{ TEXT_INIT("before"), take_before },
	{ TEXT_INIT("after"), take_after },
	{ TEXT_INIT("order"), take_order },
};

/* Takes a value: up to the closing quote or, without one, to a space or quote. */
static struct text
take_value(struct text *rest, bool *is_quoted)
{
	struct text value;
	size_t end = 0;

	*is_quoted = rest->size > 0 && rest->data[0] == '"';
	if (*is_quoted)
		*rest = text_slice(*rest, 1, rest->size);
	while (end < rest->size && rest->data[end] != '"' &&
	    (*is_quoted || rest->data[end] != ' '))
		end++;
	value = text_slice(*rest, 0, end);
	*rest = text_slice(
	    *rest, end + (*is_quoted && end < rest->size), rest->size);
	return value;
}

static bool
has_words(struct text text)
{
	struct words words;
	struct word word;

	words_begin(&words, text);
	return words_next(&words, &word);
}

/* Takes an operator's name and the colon behind it, which "@" does without. */
static bool
take_name(struct text *rest, struct text name)
{
	struct text end = text_slice(*rest, name.size, rest->size);
	bool is_at = text_equal(name, TEXT("@"));

	if (rest->size < name.size ||
	    strncasecmp(rest->data, name.data, name.size) != 0 ||
	    !(is_at || text_starts(end, TEXT(":"))))
		return false;
	*rest = text_slice(end, is_at ? 0 : 1, end.size);
	return true;
}

/* Reads an operator and its value; false if there is none that has one. */
static bool
read_operator(struct reader *reader)
{
	for (size_t i = 0; i < COUNT(operators); i++) {
		struct text before = reader->rest, rest = before, value;

		if (!take_name(&rest, operators[i].name))
			continue;
		value = take_value(&rest, &reader->quoted);
		if (!has_words(value))
			return false;
		/* An item too many ends the query. */
		reader->rest = rest;
		if (operators[i].take(reader, value))
			return true;
		reader->rest = before;
		return false;
	}
	return false;
}

static void
read_item(struct reader *reader)
{
	struct text value;

	if (read_operator(reader))
		return;
	value = take_value(&reader->rest, &reader->quoted);
	if (!reader->quoted && value.size > 0 &&
	    value.data[value.size - 1] == '*')
		add_words(reader, value, QUERY_PREFIX);
	else
		add_words(reader, value, QUERY_WORDS);
}

/* Reads a link as the whole query. One that was not meant as a link is words all the same. */
static bool
read_link(struct reader *reader)
{
	struct text rest = reader->rest, typed, link;
	struct query_item item = { .kind = QUERY_LINK };

	if (!text_next_word(&rest, &typed) || text_next_word(&rest, &link) ||
	    text_find(typed, 0, TEXT("/")) == SIZE_MAX)
		return false;
	link = typed;
	if (rule_link(reader->arena, &link).kind != PROBLEM_NONE)
		return false;
	item.value = rule_claim(reader->arena, 0, TEXT(""), link, TEXT(""));
	add_item(reader, item);
	reader->joined = true;
	add_words(reader, typed, QUERY_WORDS);
	return true;
}

/* Takes an "OR" that stands by itself. */
static bool
take_or(struct reader *reader)
{
	if (!text_starts(reader->rest, TEXT("OR")) ||
	    (reader->rest.size > 2 && reader->rest.data[2] != ' '))
		return false;
	reader->rest = text_slice(reader->rest, 2, reader->rest.size);
	return true;
}

static void
read_items(struct reader *reader)
{
	bool is_open = false; /* an OR without an item yet */

	while (reader->rest = text_trim(reader->rest), reader->rest.size > 0) {
		if (take_or(reader)) {
			reader->joined = is_open = true;
			continue;
		}
		reader->excluded = reader->rest.data[0] == '-';
		if (reader->excluded)
			reader->rest =
			    text_slice(reader->rest, 1, reader->rest.size);
		is_open = false;
		read_item(reader);
		reader->joined = false;
	}
	reader->excluded = reader->joined = false;
	if (is_open)
		add_words(reader, TEXT("OR"), QUERY_WORDS);
}

/* Characters that readers and their keyboards type for others. */
static char
plain_character(int32_t point)
{
	switch (point) {
	case 0x201C: /* curly quotes */
	case 0x201D:
	case 0x201E:
		return '"';
	case 0x00A0: /* no-break space, ideographic space */
	case 0x3000:
		return ' ';
	default:
		return point < ' ' || point == 0x7f ? ' ' : '\0';
	}
}

/* At most QUERY_BYTES_MAX bytes of valid UTF-8. */
static struct text
clean_typed(struct reader *reader, struct text typed)
{
	struct text rest = text_slice(typed, 0, QUERY_BYTES_MAX), before;
	struct buffer clean = buffer_in(reader->arena, rest.size);
	int32_t point;

	if (typed.size > QUERY_BYTES_MAX)
		add_note(reader, QUERY_TOO_LONG, TEXT(""));
	while (before = rest, utf8_next(&rest, &point)) {
		if (plain_character(point) != '\0')
			buffer_add_char(&clean, plain_character(point));
		else
			buffer_add(&clean,
			    text_slice(before, 0, before.size - rest.size));
	}
	return buffer_text(&clean);
}

bool
query_is_link(const struct query *query)
{
	return query->count > 0 && query->items[0].kind == QUERY_LINK;
}

bool
query_asks(const struct query *query)
{
	return query->clauses > 0 || query->after != 0 || query->before != 0;
}

void
query_parse(struct arena *arena, struct text typed, struct query *query)
{
	struct reader reader = { .arena = arena, .query = query };

	*query = (struct query){ .order = QUERY_RELEVANCE };
	reader.rest = clean_typed(&reader, typed);
	if (!read_link(&reader))
		read_items(&reader);
	if (typed.size > 0 && !query_asks(query))
		add_note(&reader,
		    query->count > 0 ? QUERY_ONLY_EXCLUDES : QUERY_NO_WORDS,
		    TEXT(""));
}

/* Names. */

static struct text
name_key(struct arena *arena, const struct query_item *item)
{
	if (item->kind == QUERY_AUTHOR)
		return text_join(arena, TEXT("u:"), item->value);
	if (item->kind == QUERY_GROUP)
		return text_join(arena, TEXT("g:"), item->value);
	return TEXT("");
}

static const struct query_name *
find_name(const struct query_names *names, struct text key)
{
	for (size_t i = 0; i < names->count; i++)
		if (text_equal(names->items[i].key, key))
			return &names->items[i];
	return NULL;
}

struct query_names
query_names_in(struct arena *arena, const struct query *query)
{
	struct query_names names = {
		arena_new(arena, struct query_name, QUERY_ITEMS_MAX), 0
	};

	for (size_t i = 0; i < query->count; i++) {
		struct text key = name_key(arena, &query->items[i]);

		if (key.size > 0 && find_name(&names, key) == NULL)
			names.items[names.count++] =
			    (struct query_name){ key, TEXT("") };
	}
	return names;
}

struct text
query_item_names(struct arena *arena, const struct query_item *item,
    const struct query_names *names)
{
	const struct query_name *name = find_name(names, name_key(arena, item));

	if (name != NULL && name->value.size > 0)
		return name->value;
	return item->kind == QUERY_GROUP ? item->value : TEXT("");
}
