/*
 * The sentences that are translated:
 *
 *	sentences TEMPLATE...		prints those of templates as a catalog without translations
 *	sentences --check CATALOG...	refuses translations that have other tags of mustache or HTML
 *					than their sentence, or other {names}
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/file.h"
#include "mustache/sentences.h"

static bool
read_file(struct arena *arena, const char *name, struct text *content)
{
	int file = file_open(AT_FDCWD, name);

	if (file >= 0 && file_read(arena, file, content))
		return true;
	perror(name);
	return false;
}

static void
print_quoted(struct text text)
{
	putchar('"');
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '"' || text.data[i] == '\\')
			putchar('\\');
		putchar(text.data[i]);
	}
	puts("\"");
}

static int
line_of(struct text source, struct text sentence)
{
	int line = 1;

	for (const char *at = source.data; at < sentence.data; at++)
		line += *at == '\n';
	return line;
}

static bool
print_sentences(struct arena *arena, const char *name)
{
	struct text source, sentence;
	struct sentences sentences;

	if (!read_file(arena, name, &source))
		return false;
	sentences = sentences_of(source);
	while (sentences_next(&sentences, &sentence)) {
		printf("\n#: %s:%d\nmsgid ", name, line_of(source, sentence));
		print_quoted(sentence);
		puts("msgstr \"\"");
	}
	return true;
}

/* The text of a line of a catalog, without its keyword; empty without one. */
static struct text
read_quoted(struct arena *arena, struct text line)
{
	struct buffer text = buffer_in(arena, line.size);
	size_t start = text_find(line, 0, TEXT("\"")), i;

	for (i = start == SIZE_MAX ? line.size : start + 1; i + 1 < line.size;
	    i++) {
		if (line.data[i] == '\\')
			i++;
		buffer_add_char(&text, line.data[i]);
	}
	return buffer_text(&text);
}

/* The {names} of a sentence, each once, are those of another. */
static bool
has_names_of(struct arena *arena, struct text sentence, struct text other)
{
	struct text rest = other, part, name;

	while (text_cut(&rest, '{', &part) && text_cut(&rest, '}', &name))
		if (text_find(sentence, 0,
			text_format(arena, "{%.*s}", TEXT_ARGS(name))) ==
		    SIZE_MAX)
			return false;
	return true;
}

/* An entry of a catalog while it is read. */
struct entry {
	struct text sentence, many, translation;
	struct text *last; /* which of them goes on */
	int line;	   /* of the translation */
};

/* Whether a translation, if there is one, has what the sentence has. Of the forms for numbers
 * only the last, which is for any number, has to have the number. */
static bool
is_right(struct arena *arena, const struct entry *entry, bool is_last)
{
	struct text sentence = entry->sentence,
		    translation = entry->translation;

	if (sentence.size == 0 || translation.size == 0)
		return true;
	if (entry->many.size > 0)
		return has_names_of(arena, entry->many, translation) &&
		    (!is_last || has_names_of(arena, translation, entry->many));
	return sentences_fit(arena, sentence, translation) &&
	    has_names_of(arena, sentence, translation) &&
	    has_names_of(arena, translation, sentence);
}

static bool
check_entry(struct arena *arena, const char *name, const struct entry *entry,
    bool is_last)
{
	if (is_right(arena, entry, is_last))
		return true;
	fprintf(stderr,
	    "%s:%d: this has other tags or {names} than its sentence\n", name,
	    entry->line);
	return false;
}

/* Reads a line into the entry. */
static void
read_line(
    struct arena *arena, struct text line, int number, struct entry *entry)
{
	struct text quoted = read_quoted(arena, line);

	if (text_starts(line, TEXT("msgid ")))
		*entry = (struct entry){ .last = &entry->sentence };
	else if (text_starts(line, TEXT("msgid_plural ")))
		entry->last = &entry->many;
	else if (text_starts(line, TEXT("msgstr"))) {
		entry->last = &entry->translation;
		entry->translation = (struct text){ NULL, 0 };
		entry->line = number;
	} else if (!text_starts(line, TEXT("\""))) {
		return;
	}
	if (entry->last != NULL)
		*entry->last = text_join(arena, *entry->last, quoted);
}

static bool
check_catalog(struct arena *arena, const char *name)
{
	struct entry entry = { .last = NULL };
	struct text rest, line;
	bool good = true;
	int number = 0;

	if (!read_file(arena, name, &rest))
		return false;
	while (text_cut(&rest, '\n', &line)) {
		number++;
		if (entry.last == &entry.translation &&
		    !text_starts(line, TEXT("\""))) {
			bool is_last = !text_starts(line, TEXT("msgstr"));

			good =
			    check_entry(arena, name, &entry, is_last) && good;
			entry.last = NULL;
		}
		read_line(arena, line, number, &entry);
	}
	return good;
}

int
main(int count, char **words)
{
	struct arena arena = { 0 };
	bool checks = count > 1 && strcmp(words[1], "--check") == 0;
	bool good = true;

	if (!checks)
		puts("msgid \"\"\nmsgstr \"\"\n"
		     "\"Content-Type: text/plain; charset=UTF-8\\n\"");
	for (int i = 1 + checks; i < count; i++)
		good = (checks ? check_catalog(&arena, words[i])
			       : print_sentences(&arena, words[i])) &&
		    good;
	arena_free(&arena);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
