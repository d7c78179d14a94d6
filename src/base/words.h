/*
 * The words of a text, for search: what is indexed, what is asked for and what a page marks
 * are split and folded here, so they agree.
 *
 * A word is a run of letters, numbers and their marks. It is folded: lower case, without
 * accents and Arabic vowel signs, in compatibility form (full-width letters become ASCII,
 * ligatures their letters), one form of the Arabic alef; "ss" for a sharp s. Vowel signs of
 * Indic scripts stay. Five names that end or begin with a sign are words: c++, g++, c#, f#
 * and .net. No word has a colon, a space or a control character.
 *
 * Scripts that are written without spaces (Han, kana, Thai, Lao, Burmese, Khmer) give each pair
 * of neighbours, and each character by itself at the position of the pair that it begins:
 *
 *	"Müller 中文字 x"  ->  0 müller: "muller"   1 "中文", "中"   2 "文字", "文"
 *	                       3 "字"   4 "x"
 *
 * So one character can be found, and a phrase of any length is its pairs in their order.
 * Hangul has spaces and gives words.
 */
#pragma once

#include "base/text.h"

enum word_kind {
	WORD_WHOLE,
	WORD_PAIR, /* two characters of a script without spaces */
	/* One of them: after a pair at the same position, or the last of its run. */
	WORD_SINGLE
};

/* Bytes of a folded word. A longer one is cut off, in texts and queries alike. */
enum { WORD_BYTES = 64 };

struct word {
	struct text text;  /* folded; valid until the next word is taken */
	size_t start, end; /* bytes of the source */
	uint32_t position; /* counts from 0 */
	enum word_kind kind;
};

struct words {
	struct text source;
	size_t at;
	uint32_t position;
	bool has_single; /* it follows the pair that was taken last */
	struct word single;
	char folded[WORD_BYTES * 2], folded_single[WORD_BYTES];
};

/* Begins with the first word of a text. What is not valid UTF-8 in it separates words. */
void words_begin(struct words *words, struct text text);

/* Takes the next word; false at the end. */
bool words_next(struct words *words, struct word *word);

/* Names the rules above and the version of Unicode, on which words depend: an index made under
 * another one has to be built again. */
struct text words_version(struct arena *arena);
