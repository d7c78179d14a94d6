#include "mustache/sentences.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"

/* A part of a template that is looked at as a whole. */
struct token {
	enum token_kind {
		TOKEN_TEXT,
		TOKEN_VARIABLE, /* {{name}} */
		TOKEN_OPENS,	/* <b> */
		TOKEN_CLOSES,	/* </b> */
		TOKEN_ENDS	/* a sentence */
	} kind;
	struct text text;
};

static const struct text elements_in_line[] = { TEXT_INIT("a"),
	TEXT_INIT("abbr"), TEXT_INIT("b"), TEXT_INIT("bdi"), TEXT_INIT("code"),
	TEXT_INIT("em"), TEXT_INIT("i"), TEXT_INIT("kbd"), TEXT_INIT("mark"),
	TEXT_INIT("small"), TEXT_INIT("span"), TEXT_INIT("strong"),
	TEXT_INIT("time") };
static const struct text translated_attributes[] = { TEXT_INIT(" alt=\""),
	TEXT_INIT(" aria-label=\""), TEXT_INIT(" placeholder=\""),
	TEXT_INIT(" title=\"") };

enum {
	ELEMENTS = sizeof(elements_in_line) / sizeof(elements_in_line[0]),
	ATTRIBUTES =
	    sizeof(translated_attributes) / sizeof(translated_attributes[0])
};

static bool
starts_at(struct text source, size_t at, struct text start)
{
	return text_starts(text_slice(source, at, source.size), start);
}

static bool
is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* The size of a separator of sentences that begins there, which may forbid a line to begin with it;
 * 0: there is none. */
static size_t
separator_size(struct text source, size_t at)
{
	static const struct text separators[] = { TEXT_INIT(" · "),
		TEXT_INIT("\u00A0· ") };

	for (size_t i = 0; i < 2; i++)
		if (starts_at(source, at, separators[i]))
			return separators[i].size;
	return 0;
}

/* The size of a mustache tag, which begins there. */
static size_t
mustache_size(struct text source, size_t at)
{
	bool is_triple = starts_at(source, at, TEXT("{{{"));
	size_t end =
	    text_find(source, at, is_triple ? TEXT("}}}") : TEXT("}}"));

	return end == SIZE_MAX ? source.size - at : end - at + 2 + is_triple;
}

static bool
is_variable(struct text tag)
{
	return tag.size > 2 && strchr("#^/>$<!=&{", tag.data[2]) == NULL;
}

/* The size of a tag of HTML, which begins there; ends is whether there is a tag of mustache that
 * ends a sentence in it. */
static size_t
html_size(struct text source, size_t at, bool *ends)
{
	bool is_quoted = false;
	size_t i = at + 1;

	*ends = false;
	while (i < source.size && (is_quoted || source.data[i] != '>')) {
		size_t size = 1;

		if (starts_at(source, i, TEXT("{{"))) {
			size = mustache_size(source, i);
			*ends =
			    *ends || !is_variable(text_slice(source, i, size));
		} else if (source.data[i] == '"') {
			is_quoted = !is_quoted;
		}
		i += size;
	}
	return i < source.size ? i + 1 - at : source.size - at;
}

/* The name of the element of a tag. */
static struct text
element_of(struct text tag)
{
	size_t start = starts_at(tag, 1, TEXT("/")) ? 2 : 1, end = start;

	while (end < tag.size && is_letter(tag.data[end]))
		end++;
	return text_slice(tag, start, end - start);
}

/* Whether a text has a letter outside of tags and character references. Attributes and
 * addresses, as in a block of a template, are no words. */
static bool
has_words(struct text text)
{
	bool ends;

	if (text_find(text, 0, TEXT("=\"")) < text_find(text, 0, TEXT("<")))
		return false;
	for (size_t i = 0; i < text.size;) {
		if (starts_at(text, i, TEXT("{{")))
			i += mustache_size(text, i);
		else if (text.data[i] == '<')
			i += html_size(text, i, &ends);
		else if (text.data[i] == '&' &&
		    text_find(text, i, TEXT(";")) != SIZE_MAX)
			i = text_find(text, i, TEXT(";")) + 1;
		else if (text.data[i] == '/')
			return false;
		else if (is_letter(text.data[i]))
			return true;
		else
			i++;
	}
	return false;
}

/* Whether a tag has an attribute whose value has words. */
static bool
has_translated_attribute(struct text tag)
{
	for (size_t i = 0; i < ATTRIBUTES; i++) {
		size_t at = text_find(tag, 0, translated_attributes[i]);
		struct text value;

		if (at == SIZE_MAX)
			continue;
		value = text_slice(
		    tag, at + translated_attributes[i].size, tag.size);
		value = text_slice(value, 0, text_find(value, 0, TEXT("\"")));
		if (has_words(value))
			return true;
	}
	return false;
}

static struct token
html_token(struct text source, size_t at)
{
	bool ends;
	struct text tag = text_slice(source, at, html_size(source, at, &ends));
	size_t index;

	if (ends || has_translated_attribute(tag) ||
	    !text_index(element_of(tag), elements_in_line, ELEMENTS, &index))
		return (struct token){ TOKEN_ENDS, tag };
	return (struct token){
		starts_at(tag, 1, TEXT("/")) ? TOKEN_CLOSES : TOKEN_OPENS, tag
	};
}

/* Plain text up to what is none. */
static size_t
text_size(struct text source, size_t at, bool in_value)
{
	size_t i = at;

	while (i < source.size && source.data[i] != '\n' &&
	    source.data[i] != '<' && !(in_value && source.data[i] == '"') &&
	    !starts_at(source, i, TEXT("{{")) && separator_size(source, i) == 0)
		i++;
	return i - at;
}

static struct token
token_at(struct text source, size_t at, bool in_value)
{
	struct text tag;

	if (starts_at(source, at, TEXT("{{"))) {
		tag = text_slice(source, at, mustache_size(source, at));
		return (struct token){
			is_variable(tag) ? TOKEN_VARIABLE : TOKEN_ENDS, tag
		};
	}
	if (separator_size(source, at) > 0)
		return (struct token){ TOKEN_ENDS,
			text_slice(source, at, separator_size(source, at)) };
	if (source.data[at] == '\n' || (in_value && source.data[at] == '"'))
		return (struct token){ TOKEN_ENDS, text_slice(source, at, 1) };
	if (source.data[at] == '<')
		return html_token(source, at);
	return (struct token){ TOKEN_TEXT,
		text_slice(source, at, text_size(source, at, in_value)) };
}

/* The size of the element that begins a text: its tags and what is between them; SIZE_MAX when
 * it is not closed in the text. */
static size_t
element_size(struct text text)
{
	size_t depth = 0, at = 0;

	while (at < text.size) {
		struct token token = token_at(text, at, false);

		at += token.text.size;
		depth += token.kind == TOKEN_OPENS;
		if (token.kind == TOKEN_CLOSES && --depth == 0)
			return at;
	}
	return SIZE_MAX;
}

/* Removes a tag at the beginning that opens what is closed behind the text, or the tags of an
 * element that is all of it. */
static bool
drop_first_tag(struct text *text)
{
	struct token first = token_at(*text, 0, false);
	size_t size = element_size(*text);

	if (first.kind != TOKEN_OPENS ||
	    (size != SIZE_MAX && size != text->size))
		return false;
	*text = text_slice(*text, first.text.size, text->size);
	if (size != SIZE_MAX)
		while (text->data[--text->size] != '<')
			;
	return true;
}

/* Removes a tag at the end that opens what is behind the text. */
static bool
drop_last_tag(struct text *text)
{
	size_t last = 0, at = 0;
	struct token token = { .kind = TOKEN_TEXT };

	while (at < text->size) {
		last = at;
		token = token_at(*text, at, false);
		at += token.text.size;
	}
	if (token.kind != TOKEN_OPENS)
		return false;
	*text = text_slice(*text, 0, last);
	return true;
}

/* A sentence without what is not part of it, and white space. */
static struct text
strip(struct text text)
{
	do
		text = text_trim(text);
	while (
	    text.size > 0 && (drop_first_tag(&text) || drop_last_tag(&text)));
	return text;
}

struct sentences
sentences_of(struct text source)
{
	return (struct sentences){ .source = source };
}

/* Goes on in a tag behind the beginning of such an attribute's value, or behind the tag. */
static void
skip_in_tag(struct sentences *sentences)
{
	struct text source = sentences->source;

	while (sentences->at < source.size) {
		if (starts_at(source, sentences->at, TEXT("{{"))) {
			sentences->at += mustache_size(source, sentences->at);
			continue;
		}
		for (size_t i = 0; i < ATTRIBUTES; i++)
			if (starts_at(source, sentences->at,
				translated_attributes[i])) {
				sentences->at += translated_attributes[i].size;
				sentences->in_value = true;
				return;
			}
		if (source.data[sentences->at++] == '>') {
			sentences->in_tag = false;
			return;
		}
	}
}

/* Passes what ends a sentence: of a tag of HTML only its beginning. */
static void
pass_end(struct sentences *sentences, struct text end)
{
	if (sentences->in_value && end.data[0] == '"') {
		sentences->in_value = false;
		sentences->at++;
	} else if (!sentences->in_value && end.data[0] == '<') {
		sentences->in_tag = true;
		sentences->at++;
	} else {
		sentences->at += end.size;
	}
}

/* Reads up to what ends a sentence, which is also the end of an element that began before it,
 * and passes that. */
static struct text
read_run(struct sentences *sentences)
{
	struct text source = sentences->source;
	size_t start = sentences->at, size, depth = 0;

	while (sentences->at < source.size) {
		struct token token =
		    token_at(source, sentences->at, sentences->in_value);

		if (token.kind == TOKEN_ENDS ||
		    (token.kind == TOKEN_CLOSES && depth == 0)) {
			size = sentences->at - start;
			pass_end(sentences, token.text);
			return text_slice(source, start, size);
		}
		depth += token.kind == TOKEN_OPENS;
		depth -= token.kind == TOKEN_CLOSES;
		sentences->at += token.text.size;
	}
	return text_slice(source, start, source.size);
}

bool
sentences_next(struct sentences *sentences, struct text *sentence)
{
	while (sentences->at < sentences->source.size) {
		if (sentences->in_tag && !sentences->in_value) {
			skip_in_tag(sentences);
			continue;
		}
		*sentence = strip(read_run(sentences));
		if (has_words(*sentence))
			return true;
	}
	return false;
}

static int
compare_texts(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

/* The tags of a sentence, sorted. */
static size_t
sorted_tags(struct arena *arena, struct text sentence, struct text **tags)
{
	size_t count = 0, at = 0;

	*tags = arena_new(arena, struct text, sentence.size / 3 + 1);
	while (at < sentence.size) {
		struct token token = token_at(sentence, at, false);

		at += token.text.size;
		if (token.kind != TOKEN_TEXT)
			(*tags)[count++] = token.text;
	}
	qsort(*tags, count, sizeof(**tags), compare_texts);
	return count;
}

bool
sentences_fit(
    struct arena *arena, struct text sentence, struct text translation)
{
	struct text *tags, *others;
	size_t count = sorted_tags(arena, sentence, &tags);

	if (sorted_tags(arena, translation, &others) != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!text_equal(tags[i], others[i]))
			return false;
	return true;
}

struct text
sentences_translate(struct arena *arena, struct text source,
    mustache_translator *translate, const void *language)
{
	struct sentences sentences = sentences_of(source);
	struct buffer out = buffer_in(arena, source.size + source.size / 2);
	const char *from = source.data;
	struct text sentence;

	while (sentences_next(&sentences, &sentence)) {
		buffer_add(&out,
		    (struct text){ from, (size_t)(sentence.data - from) });
		buffer_add(&out, translate(language, arena, sentence));
		from = sentence.data + sentence.size;
	}
	buffer_add(&out,
	    (struct text){ from, (size_t)(source.data + source.size - from) });
	return buffer_text(&out);
}
