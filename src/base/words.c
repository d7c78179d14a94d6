#include "base/words.h"

#include <string.h>

#include "base/utf8.h"

/* Raise it when a text gives other words than before. */
enum { RULES = 1 };

/* A letter with the marks on it, folded. */
struct character {
	size_t start, end; /* bytes of the source */
	char folded[WORD_BYTES];
	size_t size;
	bool is_dense; /* of a script without spaces */
};

enum { POINTS_MAX = 8 }; /* further marks are left out */

/* Scripts that are written without spaces, in order. */
static const struct {
	int32_t first, last;
} dense[] = {
	{ 0x0E01, 0x0E4E },   /* Thai */
	{ 0x0E81, 0x0ECD },   /* Lao */
	{ 0x1000, 0x103F },   /* Burmese */
	{ 0x1780, 0x17D3 },   /* Khmer */
	{ 0x3005, 0x3007 },   /* signs among Han */
	{ 0x3041, 0x30FF },   /* kana */
	{ 0x31F0, 0x31FF },   /* more of them */
	{ 0x3400, 0x9FFF },   /* Han */
	{ 0xF900, 0xFAFF },   /* Han for compatibility */
	{ 0x1B000, 0x1B16F }, /* more kana */
	{ 0x20000, 0x3FFFF }, /* more Han */
};

static bool
is_dense(int32_t point)
{
	for (size_t i = 0; i < sizeof(dense) / sizeof(dense[0]); i++)
		if (point >= dense[i].first && point <= dense[i].last)
			return true;
	return false;
}

/* Letters that belong to the one before: half-width signs of voicing, and the vowels and last
 * consonants of decomposed Hangul. */
static bool
is_joined(int32_t point)
{
	return point == 0xFF9E || point == 0xFF9F ||
	    (point >= 0x1160 && point <= 0x11FF);
}

void
words_begin(struct words *words, struct text text)
{
	*words = (struct words){ .source = text };
}

static char
lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		c = (char)(c - 'A' + 'a');
	return c;
}

/* A letter or number of ASCII. */
static bool
is_plain(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z');
}

/* Takes one character of ASCII, which most are; '\0' if it is none, or marks may follow. */
static char
take_plain(const struct words *words)
{
	struct text source = words->source;

	if (words->at >= source.size || !is_plain(source.data[words->at]) ||
	    (words->at + 1 < source.size &&
		(source.data[words->at + 1] & 0x80)))
		return '\0';
	return lower(source.data[words->at]);
}

static void
encode_character(
    const int32_t *points, size_t count, struct character *character)
{
	character->size = 0;
	character->is_dense = count > 0 && is_dense(points[0]);
	for (size_t i = 0; i < count; i++)
		if (character->size + 4 <= sizeof(character->folded))
			character->size += utf8_encode(
			    points[i], character->folded + character->size);
}

/* Reads the letter at an offset and the marks that follow it; false if there is none. */
static bool
read_letter(struct text source, size_t at, struct character *character)
{
	struct text rest = text_slice(source, at, source.size), before;
	int32_t points[POINTS_MAX], folded[UTF8_FOLD_MAX], point;
	size_t count = 0, size;

	if (!utf8_next(&rest, &point) || utf8_class_of(point) != UTF8_LETTER)
		return false;
	points[count++] = point;
	for (before = rest; utf8_next(&rest, &point) &&
	    (utf8_class_of(point) >= UTF8_MARK || is_joined(point));
	    before = rest)
		if (count < POINTS_MAX)
			points[count++] = point;
	character->start = at;
	character->end = source.size - before.size;
	size = utf8_fold(points, count, folded);
	encode_character(folded, size, character);
	return true;
}

static bool
take_character(struct words *words, struct character *character)
{
	char c = take_plain(words);

	if (c == '\0') {
		if (!read_letter(words->source, words->at, character))
			return false;
		words->at = character->end;
		return true;
	}
	character->start = words->at++;
	character->end = words->at;
	character->folded[0] = c;
	character->size = 1;
	character->is_dense = false;
	return true;
}

static bool
looking_at(const struct words *words, size_t at, struct text wanted)
{
	struct text there = text_slice(words->source, at, wanted.size);

	for (size_t i = 0; i < there.size; i++)
		if (lower(there.data[i]) != wanted.data[i])
			return false;
	return there.size == wanted.size;
}

/* True if a letter or a mark begins at an offset. */
static bool
continues(const struct words *words, size_t at)
{
	struct text rest = text_slice(words->source, at, words->source.size);
	int32_t point;

	return utf8_next(&rest, &point) &&
	    utf8_class_of(point) != UTF8_SEPARATOR;
}

/* Names that have a sign. */
static const struct text ends_with_sign[] = { TEXT_INIT("c++"),
	TEXT_INIT("g++"), TEXT_INIT("c#"), TEXT_INIT("f#") };
static const struct text net = TEXT_INIT(".net");

/* Adds the sign behind a word of one letter. */
static void
add_sign(struct words *words, struct word *word)
{
	if (word->end - word->start != 1)
		return;
	for (size_t i = 0;
	    i < sizeof(ends_with_sign) / sizeof(ends_with_sign[0]); i++) {
		struct text name = ends_with_sign[i];

		if (!looking_at(words, word->start, name))
			continue;
		memcpy(words->folded, name.data, name.size);
		word->text.size = name.size;
		words->at = word->end = word->start + name.size;
	}
}

/* True at the dot of ".net", unless that ends a host's name or begins a longer word. */
static bool
at_net(const struct words *words)
{
	size_t at = words->at;

	return looking_at(words, at, net) &&
	    (at == 0 || text_is_space(words->source.data[at - 1]) ||
		words->source.data[at - 1] == '(') &&
	    !continues(words, at + net.size);
}

/* Goes on to the next letter, or to the dot of ".net"; false if there is none. */
static bool
find_letter(struct words *words)
{
	while (words->at < words->source.size) {
		struct text rest =
		    text_slice(words->source, words->at, words->source.size);
		char c = rest.data[0];
		int32_t point;

		if (is_plain(c) || (c == '.' && at_net(words)))
			return true;
		if (!(c & 0x80) || !utf8_next(&rest, &point))
			rest = text_slice(rest, 1, rest.size);
		else if (utf8_class_of(point) == UTF8_LETTER)
			return true;
		words->at = words->source.size - rest.size;
	}
	return false;
}

static void
append_character(
    struct words *words, const struct character *character, struct word *word)
{
	word->end = character->end;
	if (word->text.size + character->size > WORD_BYTES)
		return;
	memcpy(words->folded + word->text.size, character->folded,
	    character->size);
	word->text.size += character->size;
}

/* A pair of characters with the first by itself, or that alone. */
static void
take_dense(
    struct words *words, const struct character *first, struct word *word)
{
	struct character second;
	size_t at = words->at;

	memcpy(words->folded_single, first->folded, first->size);
	words->single = (struct word){ { words->folded_single, first->size },
		first->start, first->end, words->position, WORD_SINGLE };
	words->has_single = take_character(words, &second) && second.is_dense;
	words->at = at;
	*word = words->single;
	if (!words->has_single)
		return;
	word->kind = WORD_PAIR;
	word->text.data = words->folded;
	memcpy(words->folded, first->folded, first->size);
	memcpy(words->folded + first->size, second.folded, second.size);
	word->text.size = first->size + second.size;
	word->end = second.end;
}

static void
take_whole(
    struct words *words, const struct character *first, struct word *word)
{
	struct character next;
	size_t at;

	*word = (struct word){ { words->folded, 0 }, first->start, first->end,
		words->position, WORD_WHOLE };
	append_character(words, first, word);
	while (at = words->at, take_character(words, &next)) {
		if (next.is_dense) {
			words->at = at;
			return;
		}
		append_character(words, &next, word);
	}
	add_sign(words, word);
}

static void
take_net(struct words *words, struct word *word)
{
	memcpy(words->folded, net.data, net.size);
	*word = (struct word){ { words->folded, net.size }, words->at,
		words->at + net.size, words->position, WORD_WHOLE };
	words->at = word->end;
}

bool
words_next(struct words *words, struct word *word)
{
	struct character first;

	if (words->has_single) {
		words->has_single = false;
		*word = words->single;
		return true;
	}
	do {
		if (!find_letter(words))
			return false;
		if (words->source.data[words->at] == '.')
			take_net(words, word);
		else if (!take_character(words, &first))
			return false;
		else if (first.is_dense)
			take_dense(words, &first, word);
		else
			take_whole(words, &first, word);
	} while (word->text.size == 0);
	words->position++;
	return true;
}

struct text
words_version(struct arena *arena)
{
	return text_format(arena, "%d %s", RULES, utf8_unicode_version());
}
