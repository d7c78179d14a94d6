#include "lists/hidden.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/words.h"
#include "redis/redis.h"
#include "store/group.h"
#include "store/publisher.h"

/* How long a member's cached rules may have the former name of a group. */
enum { NAMES_SECONDS = 60 };

/* A word of a rule, and how many positions behind its first one it is. */
struct token {
	struct text text;
	uint32_t offset;
};

/* The words of a rule; the first has offset 0. */
struct phrase {
	struct token *tokens;
	size_t count;
};

struct hidden_filter {
	uint64_t viewer;
	const struct hidden_rule *rules; /* in the order of hidden_compare */
	size_t count;
	struct phrase *phrases; /* in order of their first words */
	size_t phrase_count;
};

static struct phrase
phrase_of(struct arena *arena, struct text text)
{
	/* Each word has a byte at least. */
	struct phrase phrase = { arena_new(arena, struct token, text.size), 0 };
	uint32_t paired =
	    0; /* positions before it are those of a pair's characters */
	struct words words;
	struct word word;

	words_begin(&words, text);
	while (words_next(&words, &word)) {
		if (word.kind == WORD_PAIR)
			paired = word.position + 2;
		else if (word.kind == WORD_SINGLE && word.position < paired)
			continue;
		phrase.tokens[phrase.count++] =
		    (struct token){ text_copy(arena, word.text),
			    word.position };
	}
	for (size_t i = phrase.count; i-- > 0;)
		phrase.tokens[i].offset -= phrase.tokens[0].offset;
	return phrase;
}

static int
compare_phrases(const void *a, const void *b)
{
	const struct phrase *one = a, *other = b;

	return text_compare(one->tokens[0].text, other->tokens[0].text);
}

static void
add_phrases(struct arena *arena, struct hidden_filter *filter)
{
	filter->phrases = arena_new(arena, struct phrase, filter->count);
	for (size_t i = 0; i < filter->count; i++) {
		struct phrase *phrase = &filter->phrases[filter->phrase_count];

		if (filter->rules[i].kind != HIDDEN_WORDS)
			continue;
		*phrase = phrase_of(arena, filter->rules[i].name);
		filter->phrase_count += phrase->count > 0;
	}
	if (filter->phrase_count > 1)
		qsort(filter->phrases, filter->phrase_count,
		    sizeof(*filter->phrases), compare_phrases);
}

const struct hidden_filter *
hidden_filter_of(struct arena *arena, uint64_t viewer,
    struct hidden_rule *rules, size_t count)
{
	struct hidden_filter *filter;

	if (count == 0)
		return NULL;
	qsort(rules, count, sizeof(*rules), hidden_compare);
	filter = arena_new(arena, struct hidden_filter, 1);
	*filter = (struct hidden_filter){
		.viewer = viewer, .rules = rules, .count = count
	};
	add_phrases(arena, filter);
	return filter;
}

/* The host of a part; otherwise empty. */
static struct text
whole_of(struct text publisher)
{
	struct text host;

	if (!publisher_is_part(publisher))
		return TEXT("");
	text_cut(&publisher, '/', &host);
	return host;
}

/* Whether a rule is the other, or for the host that the other's publisher is part of. */
static bool
covers(const struct hidden_rule *what, const struct hidden_rule *other)
{
	return hidden_compare(what, other) == 0 ||
	    (what->kind == HIDDEN_PUBLISHER && other->kind == what->kind &&
		text_equal(what->name, whole_of(other->name)));
}

const struct hidden_filter *
hidden_filter_without(struct arena *arena, const struct hidden_filter *filter,
    const struct hidden_rule *what)
{
	struct hidden_rule *rules;
	size_t count = 0;

	if (filter == NULL)
		return NULL;
	rules = arena_new(arena, struct hidden_rule, filter->count);
	for (size_t i = 0; i < filter->count; i++)
		if (!covers(&filter->rules[i], what))
			rules[count++] = filter->rules[i];
	return count == filter->count
	    ? filter
	    : hidden_filter_of(arena, filter->viewer, rules, count);
}

/* Reading. */

/* Writes the present name of a group that was renamed or merged into its rule. */
static enum store_result
rename_group(struct store *store, struct arena *arena, uint64_t user,
    struct hidden_rule *what)
{
	struct text name;
	enum store_result result =
	    group_resolve_names(store, arena, what->name, &name);

	if (result == STORE_OK && name.size > 0) {
		result = hidden_rename(store, arena, user, what->name, name);
		what->name = name;
	}
	return result;
}

static enum store_result
rename_groups(struct store *store, struct arena *arena, uint64_t user,
    struct hidden_rule *rules, size_t count)
{
	struct text *names = arena_new(arena, struct text, count);
	bool *is_former = arena_new(arena, bool, count);
	enum store_result result;

	/* The others are no names of groups. */
	for (size_t i = 0; i < count; i++)
		names[i] = rules[i].name;
	result = group_find_former(store, arena, names, count, is_former);
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		if (is_former[i] && rules[i].kind == HIDDEN_GROUP)
			result = rename_group(store, arena, user, &rules[i]);
	return result;
}

/* As lines, which no rule has. */
static struct text
pack_rules(struct arena *arena, const struct hidden_rule *rules, size_t count)
{
	struct buffer lines = buffer_in(arena, 1024);

	for (size_t i = 0; i < count; i++) {
		buffer_add(&lines, hidden_encode(arena, &rules[i]));
		buffer_add_char(&lines, '\n');
	}
	return buffer_text(&lines);
}

static size_t
unpack_rules(struct arena *arena, struct text lines, struct hidden_rule **rules)
{
	struct text line;
	size_t count = 0;

	*rules = arena_new(arena, struct hidden_rule, HIDDEN_FORMER_MAX);
	while (text_cut(&lines, '\n', &line) && count < HIDDEN_FORMER_MAX)
		count += hidden_decode(line, &(*rules)[count]);
	return count;
}

static enum store_result
read_rules(struct store *store, struct arena *arena, const struct user *user,
    struct hidden_rule **rules, size_t *count)
{
	enum store_result result =
	    hidden_get(store, arena, user->id, rules, count);

	return result == STORE_OK
	    ? rename_groups(store, arena, user->id, *rules, *count)
	    : result;
}

STORE_CALL
hidden_filter_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct user *user, int64_t now,
    const struct hidden_filter **filter)
{
	const struct stamp stamp = { redis_epoch(store->redis),
		(uint64_t)user->hidden };
	struct text minute = text_number(arena, now / NAMES_SECONDS), lines;
	struct hidden_rule *rules;
	size_t count;

	*filter = NULL;
	if (user->hidden == 0)
		return STORE_OK;
	if (read_cache_get_own(
		cache, arena, stamp, OWN_HIDDEN, user->id, minute, &lines)) {
		count = unpack_rules(arena, lines, &rules);
	} else {
		if (read_rules(store, arena, user, &rules, &count) != STORE_OK)
			return STORE_DOWN;
		read_cache_put_own(cache, arena, stamp, OWN_HIDDEN, user->id,
		    minute, pack_rules(arena, rules, count));
	}
	*filter = hidden_filter_of(arena, user->id, rules, count);
	return STORE_OK;
}

/* Looking up. */

bool
hidden_has_rule(
    const struct hidden_filter *filter, const struct hidden_rule *what)
{
	return filter != NULL &&
	    bsearch(what, filter->rules, filter->count, sizeof(*what),
		hidden_compare) != NULL;
}

static bool
has_name(
    const struct hidden_filter *filter, enum hidden_kind kind, struct text name)
{
	const struct hidden_rule what = { .kind = kind, .name = name };

	return name.size > 0 && hidden_has_rule(filter, &what);
}

static bool
has_group(const struct hidden_filter *filter, struct text groups)
{
	struct text group;

	while (text_next_word(&groups, &group))
		if (has_name(filter, HIDDEN_GROUP, group))
			return true;
	return false;
}

/* Whether the tokens behind the first one follow in the title. The words are a copy, those
 * behind the one at the position. */
static bool
goes_on(struct words words, const struct phrase *phrase, uint32_t position)
{
	struct word word;
	size_t found = 1;

	while (found < phrase->count && words_next(&words, &word)) {
		const struct token *wanted = &phrase->tokens[found];

		if (word.position > position + wanted->offset)
			return false;
		found += word.position == position + wanted->offset &&
		    text_equal(word.text, wanted->text);
	}
	return found == phrase->count;
}

/* The first phrase that does not begin with a word before this one. */
static size_t
find_phrase(const struct hidden_filter *filter, struct text word)
{
	size_t low = 0, high = filter->phrase_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (text_compare(filter->phrases[middle].tokens[0].text, word) <
		    0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
has_words(const struct hidden_filter *filter, struct text title)
{
	struct words words;
	struct word word;

	if (filter->phrase_count == 0)
		return false;
	words_begin(&words, title);
	while (words_next(&words, &word))
		for (size_t i = find_phrase(filter, word.text);
		    i < filter->phrase_count &&
		    text_equal(filter->phrases[i].tokens[0].text, word.text);
		    i++)
			if (goes_on(words, &filter->phrases[i], word.position))
				return true;
	return false;
}

bool
hidden_author(const struct hidden_filter *filter, uint64_t author)
{
	const struct hidden_rule what = { .kind = HIDDEN_MEMBER, .id = author };

	return filter != NULL && author != filter->viewer &&
	    hidden_has_rule(filter, &what);
}

bool
hidden_article(
    const struct hidden_filter *filter, const struct article *article)
{
	const struct hidden_rule what = { .kind = HIDDEN_ARTICLE,
		.id = article->post.id.article };
	struct text from = article->publisher;

	if (filter == NULL)
		return false;
	if (hidden_has_rule(filter, &what))
		return true;
	if (article->post.author.id == filter->viewer)
		return false;
	return hidden_author(filter, article->post.author.id) ||
	    has_group(filter, article->groups) ||
	    has_name(filter, HIDDEN_PUBLISHER, from) ||
	    has_name(filter, HIDDEN_PUBLISHER, whole_of(from)) ||
	    has_words(filter, article->title);
}

/* One's own comment in a hidden thread is hidden with it. */
bool
hidden_comment(const struct hidden_filter *filter, const struct post *comment,
    const struct article *article)
{
	return hidden_author(filter, comment->author.id) ||
	    hidden_article(filter, article);
}
